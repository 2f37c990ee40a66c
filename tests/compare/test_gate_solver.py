"""Functions of other people: what they are given, what they may return, and the puzzles they are put through."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from crosscount.compare.gate_solver import NoAnswer, Raised, Returns, as_given, name_of, solver_engine, takes_of
from crosscount.compare.gate_suite import suite, truth
from crosscount.compare.minimise import minimise
from crosscount.puzzles.constraints import AllDifferent, Linear
from crosscount.puzzles.engine import Limits
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.sudoku import Sudoku

GRID = ((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 0))
FULL = [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]
FLAT = [x for row in FULL for x in row]
PUZZLE = Sudoku(GRID).puzzle("p")


def answer(value: Any, returns: Returns | None = None) -> tuple[list[list[int]], int | None]:
    """What is made of a function that returns this: solutions, and a count where it is one."""
    (batch,) = solver_engine(lambda grid: value, "grid", returns).search(PUZZLE, Limits())
    return batch.solutions.tolist(), batch.count


@pytest.mark.parametrize(
    "value",
    [FULL, FLAT, tuple(FLAT), np.array(FULL), np.array(FLAT), "1234341221434321", ["1234", "3412", "2143", "4321"]],
)
def test_shapes_of_one_solution(value: Any) -> None:
    assert answer(value) == ([FLAT], None)
    assert answer(value, "first") == ([FLAT], None)
    assert answer([value]) == ([FLAT], None)
    assert answer([value, value], "all") == ([FLAT, FLAT], None)


@pytest.mark.parametrize("value", [None, False, [], (), ""])
def test_shapes_of_no_solution(value: Any) -> None:
    assert answer(value) == ([], None)


def test_counts() -> None:
    assert answer(3) == ([], 3)
    assert answer(np.int64(3), "count") == ([], 3)
    assert answer(0) == ([], 0)


@pytest.mark.parametrize(
    ("value", "returns"),
    [
        ("no idea", None),
        (3.5, None),
        ([1, 2], None),
        ([[1, 2], [3, 4]], None),
        ([FULL, "x"], "all"),
        ([*FLAT[:-1], 2**70], "first"),
        ([*FLAT[:-1], "1"], "first"),
        (3, "first"),
        (3, "all"),
        (FULL, "count"),
        (True, "count"),
        (None, "count"),
        ([FULL], "first"),
        (object(), None),
    ],
)
def test_what_can_be_no_answer(value: Any, returns: Returns | None) -> None:
    with pytest.raises(NoAnswer, match=r"it returned .*, expected "):
        answer(value, returns)


def test_an_endless_generator_is_not_read_to_its_end() -> None:
    def endless(grid: list[list[int]]) -> Iterator[list[list[int]]]:
        while True:
            yield FULL

    (batch,) = solver_engine(endless, "grid").search(PUZZLE, Limits())
    assert len(batch.solutions) == 100_000


def test_a_function_may_fill_in_what_it_was_given() -> None:
    def fills(grid: list[list[int]]) -> bool:
        grid[3][3] = 1
        return True

    engine = solver_engine(fills, "grid")
    for _ in range(2):
        (batch,) = engine.search(PUZZLE, Limits())
        assert batch.solutions.tolist() == [FLAT]


def test_an_exception_says_where() -> None:
    def raises(grid: list[list[int]]) -> None:
        raise KeyError("row\n7")

    with pytest.raises(Raised, match=r"^KeyError: .*row.*7.* \(test_gate_solver.py, line \d+, in raises\)$"):
        list(solver_engine(raises, "grid").search(PUZZLE, Limits()))


def test_what_a_function_takes_and_is_called() -> None:
    def line(text: str) -> str:
        return text

    def rows(grid: list[list[int]]) -> None: ...

    def any_puzzle(puzzle: Puzzle) -> None: ...

    def quoted(puzzle: "Puzzle") -> None: ...

    assert [takes_of(f) for f in (line, rows, any_puzzle, quoted, lambda x: x)] == [
        "line",
        "grid",
        "puzzle",
        "puzzle",
        "grid",
    ]
    assert name_of(line) == "line"
    assert name_of(lambda x: x) == "your solver"
    assert as_given(PUZZLE, "line") == "1234341221434320"
    assert as_given(PUZZLE, "grid") == [list(row) for row in GRID]
    assert as_given(PUZZLE, "puzzle") is PUZZLE


@pytest.mark.parametrize("size", [4, 6])
def test_the_suite_has_every_kind_of_puzzle(size: int) -> None:
    trials = suite("grid", size)
    counts = [len(trial.solutions) for trial in trials]
    assert counts[0] > 1
    assert {0, 1} <= set(counts)
    assert max(counts) > 10
    assert max(counts) <= 60
    for trial in trials:
        assert len(trial.puzzle.domains) == size * size
        assert not any(trial.puzzle.violated(solution) for solution in trial.solutions)
    assert suite("grid", size) is trials


def test_a_suite_of_tiny_grids_is_refused() -> None:
    with pytest.raises(ValueError, match="size is 3, expected 4 to 25"):
        suite("grid", 3)


def test_the_suite_for_any_puzzle_knows_the_truth() -> None:
    trials = suite("puzzle", 9)
    assert len(trials[0].solutions) == 2
    assert len(trials) > 60


def test_minimise_fills_in_what_does_not_matter() -> None:
    blank = Sudoku.blank(4).puzzle("blank")

    def corner_is_open(puzzle: Puzzle) -> bool:
        return len(puzzle.domains[0]) > 1 and len(puzzle.domains[9]) > 1

    small = minimise(blank, corner_is_open, FLAT, 60)
    assert [v for v, domain in enumerate(small.domains) if len(domain) > 1] == [0, 9]
    assert tuple(FLAT) in truth(small)


def test_minimise_takes_out_givens_where_there_is_no_solution() -> None:
    rows = [list(row) for row in FULL]
    rows[3][3] = 4
    small = minimise(Sudoku(tuple(map(tuple, rows))).puzzle("p"), lambda puzzle: not truth_has_any(puzzle), None, 60)
    given = [domain[0] for domain in small.domains if len(domain) == 1]
    assert given == [4, 4]


def truth_has_any(puzzle: Puzzle) -> bool:
    from crosscount.compare.gate_suite import some

    return bool(some(puzzle, 1))


def test_minimise_drops_constraints() -> None:
    wanted = Linear((0, 1), (1, 1), "==", 3)
    puzzle = Puzzle("p", ((1, 2),) * 3, (AllDifferent((0, 1)), wanted, AllDifferent((1, 2))))
    small = minimise(puzzle, lambda p: wanted in p.constraints, (1, 2, 1), 60, drop_constraints=True)
    assert small.constraints == (wanted,)


def test_minimise_gives_up_when_its_time_is_spent() -> None:
    assert minimise(PUZZLE, lambda puzzle: True, FLAT, -1) == PUZZLE
