"""Writing sudoku text, and reading it back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosscount.puzzles.constraints import AllDifferent
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.families import Latin, Queens, Sudoku
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.text import read_answer, read_text, to_grid, to_line


@st.composite
def families(draw: st.DrawFn) -> Sudoku | Latin:
    """Any sudoku or Latin square, solvable or not: only the shape matters here."""
    n = draw(st.integers(1, 25))
    cell = st.one_of(st.just(0), st.integers(0, n))
    flat = draw(st.lists(cell, min_size=n * n, max_size=n * n)) if n < 8 else _sparse(draw, n)
    grid = tuple(tuple(flat[r * n : r * n + n]) for r in range(n))
    if draw(st.booleans()):
        return Latin(grid)
    height = draw(st.sampled_from([h for h in range(1, n + 1) if n % h == 0]))
    kind = draw(st.sampled_from(["default", "box", "regions"]))
    box = (height, n // height) if kind == "box" else None
    regions = None
    if kind == "regions":
        width = draw(st.integers(1, 2))
        labels = draw(st.permutations([chr(ord("A") + i % 26) * width for i in range(n) for _ in range(n)]))
        regions = tuple(tuple(labels[r * n : r * n + n]) for r in range(n))
    return Sudoku(grid, box, regions, draw(st.booleans()))


def _sparse(draw: st.DrawFn, n: int) -> list[int]:
    flat = [0] * (n * n)
    for v, value in draw(st.dictionaries(st.integers(0, n * n - 1), st.integers(1, n), max_size=40)).items():
        flat[v] = value
    return flat


@given(families())
def test_a_grid_reads_back_as_the_same_puzzle(family: Sudoku | Latin) -> None:
    puzzle = family.puzzle("p")
    [entry] = read_text(to_grid(puzzle), "p.txt", "p")
    assert entry.puzzle == puzzle


@given(families())
def test_a_line_below_the_headers_reads_back_as_the_same_puzzle(family: Sudoku | Latin) -> None:
    puzzle = family.puzzle("p")
    headers = [line for line in to_grid(puzzle).splitlines() if line.startswith("#")]
    [entry] = read_text("\n".join([*headers, to_line(puzzle)]), "p.txt", "p")
    assert entry.puzzle == puzzle


@given(families(), st.integers(2, 4))
def test_grids_one_after_another_read_back(family: Sudoku | Latin, copies: int) -> None:
    puzzle = family.puzzle("p")
    entries = read_text("\n".join([to_grid(puzzle)] * copies), "p.txt", "p")
    assert [entry.puzzle.domains for entry in entries] == [puzzle.domains] * copies


@given(families())
def test_a_puzzle_reads_as_its_own_answer(family: Sudoku | Latin) -> None:
    puzzle = family.puzzle("p")
    values = tuple(value for row in family.grid for value in row)
    assert read_answer(to_grid(puzzle), puzzle) == [values]
    assert read_answer(to_line(puzzle), puzzle) == [values]
    assert read_answer(str([list(row) for row in family.grid]), puzzle) == [values]


def test_what_is_written() -> None:
    grid = ((1, 0, 0, 0, 0, 0), *((0,) * 6,) * 5)
    blank_rows = ". . . . . .\n" * 5
    assert to_line(Sudoku(grid).puzzle("p")) == "1" + "." * 35
    assert to_grid(Sudoku(grid).puzzle("p")) == "1 . . . . .\n" + blank_rows
    assert to_grid(Sudoku(grid, box=(2, 3)).puzzle("p")) == "1 . . . . .\n" + blank_rows
    tall = Sudoku(grid, box=(3, 2), diagonals=True).puzzle("p")
    assert to_grid(tall) == "# box: 3x2\n# diagonals\n1 . . . . .\n" + blank_rows
    assert to_grid(Latin(grid).puzzle("p")) == "# family: latin\n1 . . . . .\n" + blank_rows


@pytest.mark.parametrize(
    "puzzle",
    [Queens(4).puzzle("odd"), Puzzle("odd", ((1, 2),), (AllDifferent((0,)),))],
)
def test_only_grids_can_be_written(puzzle: Puzzle) -> None:
    for write in (to_line, to_grid):
        with pytest.raises(InputError, match="odd is not a sudoku or a Latin square"):
            write(puzzle)
