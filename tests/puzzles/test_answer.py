"""Reading answers to puzzles of every family."""

import pytest

from crosscount.puzzles.constraints import AllDifferent
from crosscount.puzzles.draw import draw
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.families import Queens, Sudoku
from crosscount.puzzles.puzzle import Drawing, Puzzle
from crosscount.puzzles.read import read_one
from crosscount.puzzles.text import read_answer

FOUR = Sudoku.blank(4).puzzle("four")
SOLVED = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
QUEENS = Queens(8).puzzle("queens")
PLACED = (1, 5, 8, 6, 3, 7, 2, 4)
LETTERS = Puzzle("letters", ((-3, 0, 12),) * 3, (AllDifferent((0, 1, 2)),), Drawing(("S", "E", "a b")))


@pytest.mark.parametrize(
    "text",
    [
        "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n",
        "1234\r\n3412\r\n2143\r\n4321",
        "1234341221434321",
        "12|34\n34|12\n--+--\n21|43\n43|21",
        "[[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]",
        "[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]",
        "Solution 1\n1234\n3412\n\n2143\n4321\nnodes: 12",
        draw(FOUR, SOLVED),
        draw(FOUR, SOLVED, boxes=False),
    ],
)
def test_a_grid_in_every_shape(text: str) -> None:
    assert read_answer(text, FOUR) == [SOLVED]


def test_several_grids() -> None:
    text = "Solution 1\n1234\n3412\n2143\n4321\n\nSolution 2\n1234341221434321\n"
    assert read_answer(text, FOUR) == [SOLVED, SOLVED]


def test_a_blank_or_a_large_value_is_a_wrong_answer_not_a_bad_file() -> None:
    [answer] = read_answer("1234\n34.2\n2143\n432A", FOUR)
    assert answer[6] == 0
    assert [str(v) for v in FOUR.violated(answer)] == [
        "r2c3 holds 0, expected 1 to 4",
        "r4c4 holds 10, expected 1 to 4",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "1 5 8 6 3 7 2 4",
        "15863724",
        "1,5,8,6,3,7,2,4\n",
        "[1, 5, 8, 6, 3, 7, 2, 4]",
        "\n".join(map(str, PLACED)),
        "q1=1 q2=5 q3=8 q4=6 q5=3 q6=7 q7=2 q8=4",
        draw(QUEENS, PLACED),
        draw(QUEENS, PLACED, boxes=False),
        draw(QUEENS, PLACED).replace(" ", ""),
        draw(QUEENS, PLACED).replace("Q", "♛").replace(".", "_"),
        "Solution 1:\n" + draw(QUEENS, PLACED),
    ],
)
def test_queens_in_every_shape(text: str) -> None:
    assert read_answer(text, QUEENS) == [PLACED]


def test_several_boards_and_lists() -> None:
    board = draw(QUEENS, PLACED)
    assert read_answer(f"{board}\n\n{board}", QUEENS) == [PLACED, PLACED]
    assert read_answer("1 5 8 6 3 7 2 4\n# and\n15863724", QUEENS) == [PLACED, PLACED]


@pytest.mark.parametrize("text", ["-3 0 12", "[-3, 0, 12]", "-3\n0\n12", "S=-3\nE = 0, aB=12"])
def test_values_of_a_csp(text: str) -> None:
    puzzle = Puzzle("letters", LETTERS.domains, (), Drawing(("S", "E", "aB")))
    assert read_answer(text, puzzle) == [(-3, 0, 12)]


def test_a_puzzle_without_cells_has_one_answer() -> None:
    puzzle = Puzzle("nothing", (), ())
    assert read_answer("", puzzle) == [()]
    assert read_answer("[]", puzzle) == [()]


def test_letters_by_name() -> None:
    puzzle = read_one("@send-more-money").puzzle
    assert read_answer("S=9 E=5 N=6 D=7\nM=1 O=0 R=8 Y=2", puzzle) == [(9, 5, 6, 7, 1, 0, 8, 2)]


@pytest.mark.parametrize(
    ("puzzle", "text", "message"),
    [
        (FOUR, "", "answer: empty, expected an answer"),
        (FOUR, "# nothing", "answer: no row of cells, expected an answer"),
        (FOUR, "123\n", "answer:1: 3 cells, expected 4 in a row or 16 in all; a blank is 0 . _ * or x"),
        (FOUR, "1234\n123\n", "answer:2: 3 cells, expected 4; a blank is 0 . _ * or x"),
        (FOUR, "1234\n3412\n", "answer:2: 2 rows of 4 cells, expected 4"),
        (FOUR, "1234\nSolution 2\n", "answer:2: 'Solution 2' after 1 row, expected 4 rows"),
        (FOUR, "12?4", "answer:1: '?' is not a cell, expected a digit or a letter A to P; a blank is 0 . _ * or x"),
        (QUEENS, "1 5 8", "answer:1: 3 values, expected 8"),
        (QUEENS, "1 5 8 6 3 7 2 4 1", "answer:1: 9 values, expected 8"),
        (QUEENS, "1 5 8 6 3 7 2 cat", "answer:1: 'cat', expected an integer"),
        (QUEENS, "hello", "answer: no row of cells, expected an answer"),
        (QUEENS, "Q . . .", "answer:1: 4 squares, expected 8"),
        (QUEENS, "Q.......\nQQ......", "answer:2: 8 squares with 2 queens, expected 8 with one queen"),
        (QUEENS, "Q.......\n", "answer:1: 1 row of the board, expected 8"),
        (QUEENS, "q1=1", "answer:1: 1 values, expected 8: q2 is missing"),
        (QUEENS, "q1=1 q1=2", "answer:1: q1 a second time, expected each cell once"),
        (QUEENS, "q1=cat", "answer:1: 'q1=cat', expected name=value pairs"),
        (QUEENS, "q9=1", "answer:1: no cell is called 'q9', expected one of q1, q2, q3, q4, q5, q6, ..."),
    ],
)
def test_answers_that_do_not_fit(puzzle: Puzzle, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_answer(text, puzzle)
    assert str(error.value) == message
