"""Puzzles and solutions as text for people."""

import pytest

from crosscount.puzzles.draw import draw
from crosscount.puzzles.families import Latin, Queens, Sudoku
from crosscount.puzzles.puzzle import Drawing, Puzzle
from crosscount.puzzles.text import read_answer, read_text


def framed(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().splitlines())


def test_boxes() -> None:
    puzzle = Sudoku(((1, 0, 0, 0), (0,) * 4, (0,) * 4, (0, 0, 0, 4))).puzzle("p")
    assert draw(puzzle) == framed("""
        ┌─────┬─────┐
        │ 1 . │ . . │
        │ . . │ . . │
        ├─────┼─────┤
        │ . . │ . . │
        │ . . │ . 4 │
        └─────┴─────┘""")
    assert draw(puzzle, boxes=False) == "1 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 4"


def test_a_solution() -> None:
    puzzle = Sudoku.blank(2).puzzle("p")
    assert draw(puzzle, (1, 2, 2, 1), boxes=False) == "1 2\n2 1"
    assert draw(puzzle, (1, 2, 2, 1)) == "┌─────┐\n│ 1 2 │\n│ 2 1 │\n└─────┘"
    with pytest.raises(ValueError, match="3 values for 4 cells"):
        draw(puzzle, (1, 2, 2))


def test_jigsaw() -> None:
    puzzle = Sudoku.blank(4, regions=tuple(map(tuple, ("AAAB", "ACBB", "CCDB", "CDDD")))).puzzle("p")
    assert draw(puzzle) == "\n".join(
        [
            "┌───────────┬───┐",
            "│ .   .   . │ . │",
            "│   ┌───┬───┘   │",
            "│ . │ . │ .   . │",
            "├───┘   ├───┐   │",
            "│ .   . │ . │ . │",
            "│   ┌───┘   └───┤",
            "│ . │ .   .   . │",
            "└───┴───────────┘",
        ]
    )


def test_wide_values_are_aligned() -> None:
    puzzle = Latin(((0,) * 10, (10,) + (0,) * 9, *(((0,) * 10,) * 8))).puzzle("p")
    lines = draw(puzzle).splitlines()
    assert lines[1] == "│  .  .  .  .  .  .  .  .  .  . │"
    assert lines[2] == "│ 10  .  .  .  .  .  .  .  .  . │"
    assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize("n", range(1, 26))
@pytest.mark.parametrize("boxes", [True, False])
def test_every_size_reads_back(n: int, boxes: bool) -> None:
    family = Sudoku(((n,) + (0,) * (n - 1), *(((0,) * n,) * (n - 1))))
    puzzle = family.puzzle("p")
    [entry] = read_text(draw(puzzle, boxes=boxes), "p.txt", "p")
    assert entry.puzzle == puzzle
    solution = tuple(1 + (r + c) % n for r in range(n) for c in range(n))
    assert read_answer(draw(puzzle, solution, boxes=boxes), puzzle) == [solution]


def test_queens_stand_on_a_board() -> None:
    puzzle = Queens(4, {2: 4}).puzzle("q")
    assert draw(puzzle) == ". . . .\n. . . Q\n. . . .\n. . . ."
    assert draw(puzzle, (2, 4, 1, 3)) == ". Q . .\n. . . Q\nQ . . .\n. . Q ."
    assert draw(puzzle, (2, 4, 1, 3), boxes=False) == "2 4 1 3"
    assert draw(Queens(0).puzzle("q")) == ""


def test_cells_without_a_grid() -> None:
    puzzle = Puzzle("p", ((1, 2, 3), (-1, 4), (5,), ()), (), Drawing(("a", "long", "c", "d")))
    assert draw(puzzle) == "a    : 1 to 3\nlong : -1, 4\nc    : 5\nd    : nothing"
    assert draw(puzzle, (1, 4, 5, 0)) == "a    = 1\nlong = 4\nc    = 5\nd    = 0"
    assert draw(puzzle, (1, 4, 5, 0), boxes=False) == "1 4 5 0"
    assert draw(Puzzle("p", ((1,), (2,)), ()), (1, 2)) == "x1 = 1\nx2 = 2"


def test_a_grid_need_not_be_square() -> None:
    puzzle = Puzzle("p", ((1,), (2,), (-10,), (4,), (5,), (6,)), (), Drawing.grid(2, 3, (0, 0, 1, 0, 0, 1)))
    assert draw(puzzle) == "┌─────────┬─────┐\n│   1   2 │ -10 │\n│   4   5 │   6 │\n└─────────┴─────┘"
