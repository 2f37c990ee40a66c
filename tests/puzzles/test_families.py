"""The families: which constraints they build, and what they refuse."""

import pickle
from pathlib import Path

import pytest

from crosscount.puzzles.constraints import AllDifferent
from crosscount.puzzles.families import FAMILIES, Latin, Queens, Sudoku
from crosscount.puzzles.puzzle import Drawing, Puzzle
from crosscount.puzzles.read import read_one
from crosscount.puzzles.sudoku import default_box
from crosscount.puzzles.text import read_answer

DATA = Path(__file__).parent.parent / "data"


def labels(puzzle: Puzzle) -> list[str]:
    return [constraint.label for constraint in puzzle.constraints]


@pytest.mark.parametrize(
    ("n", "box"),
    [
        *[(1, (1, 1)), (4, (2, 2)), (6, (2, 3)), (7, (1, 7)), (8, (2, 4)), (9, (3, 3)), (10, (2, 5))],
        *[(12, (3, 4)), (15, (3, 5)), (16, (4, 4)), (20, (4, 5)), (25, (5, 5))],
    ],
)
def test_the_default_box_is_the_most_square(n: int, box: tuple[int, int]) -> None:
    assert default_box(n) == box


@pytest.mark.parametrize("n", range(1, 26))
def test_every_size_has_every_unit(n: int) -> None:
    puzzle = Sudoku.blank(n).puzzle("blank")
    boxes = 0 if 1 in default_box(n) else n
    assert len(puzzle.constraints) == 2 * n + boxes
    assert all(len(constraint.scope) == n for constraint in puzzle.constraints)
    assert all(domain == tuple(range(1, n + 1)) for domain in puzzle.domains)
    for v in range(n * n):
        assert sum(v in constraint.scope for constraint in puzzle.constraints) == 2 + bool(boxes)


def test_constraints_come_as_rows_columns_boxes_diagonals() -> None:
    puzzle = Sudoku.blank(6, diagonals=True).puzzle("x")
    units = [f"{unit} {i}" for unit in ("row", "column", "box") for i in range(1, 7)]
    assert labels(puzzle) == [*units, "main diagonal", "anti-diagonal"]
    scopes = {constraint.label: constraint.scope for constraint in puzzle.constraints}
    assert scopes["row 2"] == (6, 7, 8, 9, 10, 11)
    assert scopes["column 2"] == (1, 7, 13, 19, 25, 31)
    assert scopes["box 2"] == (3, 4, 5, 9, 10, 11)
    assert scopes["box 3"] == (12, 13, 14, 18, 19, 20)
    assert scopes["main diagonal"] == (0, 7, 14, 21, 28, 35)
    assert scopes["anti-diagonal"] == (5, 10, 15, 20, 25, 30)


@pytest.mark.parametrize("box", [(2, 3), (3, 2), (1, 6), (6, 1)])
def test_a_box_of_one_row_or_column_adds_nothing(box: tuple[int, int]) -> None:
    puzzle = Sudoku.blank(6, box=box).puzzle("b")
    assert len(puzzle.constraints) == (12 if 1 in box else 18)
    assert puzzle.drawing is not None
    assert bool(puzzle.drawing.regions) is (1 not in box)


def test_tall_boxes_are_numbered_in_reading_order() -> None:
    puzzle = Sudoku.blank(6, box=(3, 2)).puzzle("b")
    scopes = {constraint.label: constraint.scope for constraint in puzzle.constraints}
    assert scopes["box 2"] == (2, 3, 8, 9, 14, 15)
    assert scopes["box 4"] == (18, 19, 24, 25, 30, 31)


def test_jigsaw_regions_take_the_place_of_boxes() -> None:
    regions = tuple(map(tuple, ("BBBA", "BCAA", "CCDA", "CDDD")))
    puzzle = Sudoku.blank(4, regions=regions).puzzle("j")
    assert labels(puzzle)[8:] == ["region B", "region A", "region C", "region D"]
    assert puzzle.constraints[8].scope == (0, 1, 2, 4)
    assert puzzle.drawing == Drawing.grid(4, 4, (0, 0, 0, 1, 0, 2, 1, 1, 2, 2, 3, 1, 2, 3, 3, 3))


def test_a_latin_square_has_rows_and_columns_only() -> None:
    puzzle = Latin(((1, 0, 0), (0, 0, 0), (0, 0, 2))).puzzle("l")
    assert labels(puzzle) == [f"{unit} {i}" for unit in ("row", "column") for i in (1, 2, 3)]
    assert puzzle.domains[0] == (1,)
    assert puzzle.domains[8] == (2,)
    assert puzzle.domains[1] == (1, 2, 3)


def test_contradictory_givens_are_a_puzzle() -> None:
    puzzle = Sudoku(((1, 1, 0, 0), (0,) * 4, (0,) * 4, (0,) * 4)).puzzle("c")
    assert puzzle.domains[:2] == ((1,), (1,))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Sudoku(()), "0 rows, expected 1 to 25"),
        (lambda: Sudoku.blank(26), "26 rows, expected 1 to 25"),
        (lambda: Latin.blank(0), "0 rows, expected 1 to 25"),
        (lambda: Latin(((0, 0), (0,))), "row 2 has 1 cells, expected 2"),
        (lambda: Latin(((0, 3), (0, 0))), "r1c2 is 3, expected 1 to 2, or 0 for a blank"),
        (lambda: Latin(((0, -1), (0, 0))), "r1c2 is -1, expected 1 to 2, or 0 for a blank"),
        (lambda: Sudoku.blank(6, box=(2, 2)), "box 2x2, expected one of 6 cells"),
        (lambda: Sudoku.blank(4, box=(-2, -2)), "box -2x-2, expected one of 4 cells"),
        (lambda: Sudoku.blank(2, box=(1, 2), regions=(("A", "A"), ("B", "B"))), "both box and regions"),
        (lambda: Sudoku.blank(2, regions=(("A", "A"),)), "1 rows of regions, expected 2"),
        (lambda: Sudoku.blank(2, regions=(("A", "A"), ("B",))), "row 2 of the regions has 1 cells, expected 2"),
        (lambda: Sudoku.blank(2, regions=(("A", "A"), ("A", "B"))), "region A has 3 cells, expected 2"),
        (lambda: Sudoku.blank(2, regions=(("A", "A"), ("/", "/"))), "region label '/', expected letters and digits"),
        (lambda: Queens(65), "size 65, expected 0 to 64"),
        (lambda: Queens(-1), "size -1, expected 0 to 64"),
        (lambda: Queens(4, {5: 1}), "a queen placed in row 5, expected 1 to 4"),
        (lambda: Queens(4, {1: 0}), "a queen placed in column 0, expected 1 to 4"),
    ],
)
def test_what_families_refuse(build: object, message: str) -> None:
    assert callable(build)
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        build()


def test_queens_attack_along_columns_and_diagonals() -> None:
    puzzle = Queens(4).puzzle("q")
    assert isinstance(puzzle.constraints[0], AllDifferent)
    assert len(puzzle.constraints) == 1 + 2 * 6
    assert puzzle.violated((2, 4, 1, 3)) == []
    assert [str(v) for v in puzzle.violated((1, 3, 1, 3))] == [
        "the list of columns holds 1 twice (q1, q3) and 3 twice (q2, q4)",
    ]
    assert [str(v) for v in puzzle.violated((2, 4, 3, 1))] == [
        "queens in rows 2 and 3 share a diagonal: q2 - q3 is 1, expected anything but 1",
    ]
    assert [str(v) for v in Queens(3).puzzle("q").violated((1, 3, 2))] == [
        "queens in rows 2 and 3 share a diagonal: q2 - q3 is 1, expected anything but 1",
    ]


@pytest.mark.parametrize("n", [0, 1])
def test_degenerate_boards(n: int) -> None:
    puzzle = Queens(n).puzzle("q")
    assert puzzle.violated((1,) * n) == []


def test_placed_queens_are_givens() -> None:
    family = Queens(4, {3: 1, 1: 2})
    assert family.placed == ((1, 2), (3, 1))
    assert family.puzzle("q").domains == ((2,), (1, 2, 3, 4), (1,), (1, 2, 3, 4))
    assert Queens(4, ((1, 2), (3, 1))) == family


@pytest.mark.parametrize("family", [Sudoku.blank(9), Latin.blank(4), Queens(5, {1: 1})])
def test_a_puzzle_survives_pickling(family: Sudoku | Latin | Queens) -> None:
    puzzle = family.puzzle("p")
    copy = pickle.loads(pickle.dumps(puzzle))
    assert copy == puzzle
    assert copy.family == family
    assert hash(family) == hash(copy.family)
    assert type(family) in FAMILIES.values()


def test_the_published_wrong_answer_breaks_four_boxes() -> None:
    puzzle = read_one("@course-3").puzzle
    [answer] = read_answer((DATA / "course_3.wrong_answer.txt").read_text(), puzzle)
    assert [str(violation) for violation in puzzle.violated(answer)] == [
        "box 1 holds 4 twice (r2c3, r3c2)",
        "box 2 holds 2 twice (r1c5, r2c6)",
        "box 7 holds 2 twice (r7c2, r8c3)",
        "box 8 holds 4 twice (r8c6, r9c5)",
    ]


def test_a_changed_given_and_an_impossible_value_are_named() -> None:
    puzzle = Sudoku(((1, 0), (0, 0))).puzzle("s")
    assert [str(v) for v in puzzle.violated((2, 1, 1, 0))] == [
        "r1c1 is given as 1, the answer has 2",
        "r2c2 holds 0, expected 1 to 2",
    ]
    assert [str(v) for v in puzzle.violated((1, 2, 2))] == ["3 values for 4 cells"]
