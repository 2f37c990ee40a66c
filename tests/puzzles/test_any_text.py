"""Whatever a file holds, the answer is puzzles or an InputError of one line, never anything else."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosscount.puzzles import collection
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.families import Latin, Queens, Sudoku
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.read import parse, read
from crosscount.puzzles.text import read_answer

CELLISH = st.text("0123456789ABPx._*|+-=:# ,;\n\r\t[]()\"'│─Qq", max_size=120)
WORDS = st.lists(
    st.sampled_from(["1234", "3412", "....", "1 2 3 4", "# box: 2x2", "# size: 4", "# regions: AB/AB", "Grid 1"])
    | st.sampled_from(
        ["." * 16, "." * 9, "5" + "." * 8, ":1", "1234:1", "", "---+---", "[1, 2]", "a=1", "# diagonals"]
    ),
    max_size=20,
).map("\n".join)
KEYS = st.lists(
    st.sampled_from(['family = "sudoku"', 'family = "csp"', 'family = "queens"', "size = 4", 'grid = "...."'])
    | st.sampled_from(["[cells]", "a = [1]", 'b = "1-3"', "[[constraints]]", 'type = "linear"', 'cells = ["a"]'])
    | st.sampled_from(["value = 1", "[expect]", "count = 1", "unique = true", 'grid = """', '"""', "box = [2, 2]", "x"])
    | st.sampled_from(["drawing = {}", "allowed = [[1]]", "placed = {1 = 1}", "regions = [[1]]", r'"a\nb" = 1']),
    max_size=14,
).map("\n".join)
ANYTHING = st.one_of(CELLISH, WORDS, KEYS, st.text(max_size=60))

T = TypeVar("T")


def one_line_or_result(act: Callable[[], list[T]]) -> list[T] | list[InputError]:
    try:
        return act()
    except InputError as error:
        if len(str(error).splitlines()) != 1:
            raise AssertionError(f"not one line: {error!r}") from None
        return [error]


ZEBRA = collection.entry("zebra").puzzle


@given(ANYTHING, st.sampled_from(["p.txt", "p.puzzle.toml"]))
def test_any_text_is_puzzles_or_an_input_error(text: str, place: str) -> None:
    assert one_line_or_result(lambda: parse(text, place, "p"))


@pytest.mark.parametrize(
    "puzzle", [Sudoku.blank(4).puzzle("p"), Latin.blank(1).puzzle("p"), Queens(4).puzzle("p"), ZEBRA]
)
@given(text=ANYTHING)
def test_any_text_is_answers_or_an_input_error(puzzle: Puzzle, text: str) -> None:
    answers = one_line_or_result(lambda: read_answer(text, puzzle))
    assert answers
    assert all(len(answer) == len(puzzle.domains) for answer in answers if not isinstance(answer, InputError))


@given(st.one_of(CELLISH, st.text(max_size=30)).filter(lambda source: not source.startswith(("-", "/", "."))))
def test_any_source_is_puzzles_or_an_input_error(source: str) -> None:
    assert one_line_or_result(lambda: read(source))
