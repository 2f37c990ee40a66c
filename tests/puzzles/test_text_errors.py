"""Sudoku text that is no puzzle: the message gives the place, what was found and what was expected."""

import pytest

from crosscount.puzzles.errors import InputError
from crosscount.puzzles.text import read_grid, read_text

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [LINE[i : i + 9] for i in range(0, 81, 9)]
BLANK = "a blank is 0 . _ * or x"


def changed(row: int, text: str) -> str:
    return "\n".join([*ROWS[: row - 1], text, *ROWS[row:]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "p.txt: empty, expected a puzzle"),
        (" \n\t\n", "p.txt: empty, expected a puzzle"),
        ("# nothing but a comment\n", "p.txt: no row of cells, expected a puzzle"),
        ("hello world\n", "p.txt: no row of cells, expected a puzzle"),
        ("+---+---+\n", "p.txt: no row of cells, expected a puzzle"),
        ("[[]]", "p.txt: no row of cells, expected a puzzle"),
        (changed(4, ROWS[3][:8]), f"p.txt:4: 8 cells, expected 9; {BLANK}"),
        (changed(1, ROWS[0][:8]), f"p.txt:1: 8 cells, expected 9; {BLANK}"),
        (changed(9, ROWS[8] + "1"), f"p.txt:9: 10 cells, expected 9; {BLANK}"),
        (changed(4, "8...6..A3"), f"p.txt:4: A is too large for a 9x9 grid, expected 1 to 9; {BLANK}"),
        (changed(4, "8 . . . 6 . . 10 3"), f"p.txt:4: 10 is too large for a 9x9 grid, expected 1 to 9; {BLANK}"),
        (changed(4, "8...6..?3"), f"p.txt:4: '?' is not a cell, expected a digit or a letter A to P; {BLANK}"),
        (changed(4, "8...6..é3"), f"p.txt:4: 'é' is not a cell, expected a digit or a letter A to P; {BLANK}"),
        (changed(4, "8...6..³3"), f"p.txt:4: '³' is not a cell, expected a digit or a letter A to P; {BLANK}"),
        (
            changed(4, "8 . . . 6 . . -1 3"),
            f"p.txt:4: '-1' is not a cell, expected a digit or a letter A to P; {BLANK}",
        ),
        ("\n".join(ROWS[:7]), "p.txt:7: 7 rows of 9 cells, expected 9"),
        ("\n".join([*ROWS, ROWS[0]]), "p.txt:10: 1 row of 9 cells, expected 9"),
        (ROWS[0], "p.txt:1: 1 row of 9 cells, expected 9"),
        ("\n".join([*ROWS[:7], "Grid 02", *ROWS]), "p.txt:8: 'Grid 02' after 7 rows, expected 9 rows"),
        ("\n".join([*ROWS[:7], "# box: 3x3", *ROWS]), "p.txt:8: a header after 7 rows, expected 9 rows"),
        ("\n".join([ROWS[0], LINE + ":1"]), "p.txt:2: another puzzle after 1 row, expected 9 rows"),
        (LINE[:80], f"p.txt:1: 80 cells, expected 81 for a 9x9 grid on one line; {BLANK}"),
        (LINE + ".", f"p.txt:1: 82 cells, expected 81 for a 9x9 grid on one line; {BLANK}"),
        ("." * 26 + "\n" + "." * 26, "p.txt:1: 26 cells in a row, expected at most 25"),
        ("." * 676, "p.txt:1: 676 cells, expected at most 625 for a 25x25 grid"),
        ("." * 10_001, "p.txt:1: 10001 characters in a row of cells, expected at most 10000"),
        (":1", f"p.txt:1: 0 cells, expected 1 for a 1x1 grid on one line; {BLANK}"),
        (LINE + ":many", "p.txt:1: 'many' after the colon, expected the number of solutions"),
        (LINE + ":-1", "p.txt:1: '-1' after the colon, expected the number of solutions"),
        (LINE + ":1:123", f"p.txt:1: 3 cells, expected 81; {BLANK}"),
        (f"{LINE}:1:{LINE}", "p.txt:1: a solution with a blank in it, expected every cell filled"),
        (f"{LINE}:0:{'1' * 81}", "p.txt:1: 1 solutions, but count is 0"),
        ("# box: two\n" + LINE, "p.txt:1: box 'two', expected rows x columns, such as 2x3"),
        ("# box: 2x2\n" + LINE, "p.txt:2: box 2x2, expected one of 9 cells"),
        ("# size: 26\n" + LINE, "p.txt:1: size '26', expected 1 to 25"),
        ("# size: nine\n" + LINE, "p.txt:1: size 'nine', expected 1 to 25"),
        ("# size: 4\n" + LINE, f"p.txt:2: 81 cells, expected 4; {BLANK}"),
        ("# family: kakuro\n" + LINE, "p.txt:1: family 'kakuro', expected sudoku or latin"),
        ("# diagonals: both\n" + LINE, "p.txt:1: diagonals 'both', expected yes or no"),
        (
            "# family: latin\n# diagonals\n" + LINE,
            "p.txt:3: a Latin square has no boxes, regions or diagonals; expected family sudoku",
        ),
        ("# regions: AA/AB\n....", "p.txt:2: region A has 3 cells, expected 2"),
        ("[[1, 2], [2, 1]", "p.txt:1: the end of the list, expected a closing bracket"),
        ("[[1, 2]], [2, 1]]", "p.txt:1: ] without its opening bracket"),
        ("[[1, 2],\n [2, cat]]", f"p.txt:2: 'cat' is not a cell, expected a digit or a letter A to P; {BLANK}"),
    ],
)
def test_the_message_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_text(text, "p.txt", "p")
    assert str(error.value) == message
    assert "\n" not in message


def test_a_line_end_of_another_kind_does_not_move_the_line_number() -> None:
    for end in ("\n", "\r\n", "\r"):
        with pytest.raises(InputError, match=r"^p.txt:4: 8 cells"):
            read_text(changed(4, ROWS[3][:8]).replace("\n", end), "p.txt", "p")


def test_one_grid_is_one_grid() -> None:
    assert read_grid("1...............\n" + "................\n" * 15, "p", 1)[0][0] == 1
    with pytest.raises(InputError, match=r"^p:3: 2 grids, expected 1$"):
        read_grid(f"{LINE}\n{LINE}", "p", 3)
    with pytest.raises(InputError, match=r"^p:3: a header for box in the grid, expected a key box$"):
        read_grid(f"# box: 3x3\n{LINE}", "p", 3)
