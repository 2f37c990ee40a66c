"""Extra clues make a puzzle unique, and are as few as is said."""

from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
import pytest

from crosscount.compare.clues import clues_by_search, extra_clues, with_clues
from crosscount.native import ENGINES
from crosscount.puzzles.engine import Limits, Stopped
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.read import read_one


def solutions(puzzle: Puzzle) -> list[list[int]]:
    return np.concatenate([batch.solutions for batch in ENGINES["gac"].search(puzzle, Limits())]).tolist()  # type: ignore[no-any-return]


def fewest(rows: list[list[int]]) -> int:
    """By trying every set of cells, with the values of every solution."""
    cells = range(len(rows[0]))
    for size in range(len(rows[0]) + 1):
        for chosen in combinations(cells, size):
            seen = [tuple(row[v] for v in chosen) for row in rows]
            if any(seen.count(values) == 1 for values in seen):
                return size
    raise AssertionError("two rows are the same")


@pytest.mark.parametrize(("name", "size"), [("course-1", 1), ("course-3", 2), ("blank-4", 4), ("queens-8", 2)])
def test_the_puzzle_with_the_clues_has_one_solution(name: str, size: int) -> None:
    puzzle = read_one(f"@{name}").puzzle
    found = extra_clues(solutions(puzzle))
    assert (len(found.clues), found.is_smallest) == (size, True)
    given = dict(found.clues)
    clued = replace(puzzle, domains=tuple((given[v],) if v in given else d for v, d in enumerate(puzzle.domains)))
    assert len(solutions(clued)) == 1


def test_no_smaller_set_exists_where_that_is_said() -> None:
    r = Random(7)
    for _ in range(200):
        rows = sorted({tuple(r.randrange(3) for _ in range(5)) for _ in range(r.randint(1, 40))})
        found = extra_clues(rows)
        having = [row for row in rows if all(row[v] == x for v, x in found.clues)]
        assert len(having) == 1
        assert found.is_smallest
        assert len(found.clues) == fewest([list(row) for row in rows])


def test_without_a_budget_the_set_is_only_the_smallest_found() -> None:
    rows = solutions(read_one("@blank-4").puzzle)
    found = extra_clues(rows, budget=1000)
    assert not found.is_smallest
    assert len([row for row in rows if all(row[v] == x for v, x in found.clues)]) == 1
    for left_out in found.clues:
        others = [clue for clue in found.clues if clue != left_out]
        assert len([row for row in rows if all(row[v] == x for v, x in others)]) > 1


@pytest.mark.parametrize("name", ["course-1", "course-3", "course-4", "blank-9", "queens-10", "magic-3"])
def test_clues_are_found_without_a_list_of_all_solutions(name: str) -> None:
    puzzle = read_one(f"@{name}").puzzle
    found = clues_by_search(puzzle, some_of(puzzle, 2), some_of)
    assert len(solutions(with_clues(puzzle, found.clues))) == 1
    assert found.is_smallest == (len(found.clues) == 1)
    for left_out in found.clues:
        fewer = with_clues(puzzle, [clue for clue in found.clues if clue != left_out])
        assert len(some_of(fewer, 2)) == 2


def some_of(puzzle: Puzzle, most: int) -> list[list[int]]:
    rows: list[list[int]] = []
    with suppress(Stopped):
        for batch in ENGINES["gac"].search(puzzle, Limits(solutions=most)):
            rows += batch.solutions.tolist()
    return rows


def test_a_unique_puzzle_needs_no_clue() -> None:
    assert extra_clues([[1, 2, 3]]).clues == ()


def test_without_solutions_there_is_nothing_to_choose() -> None:
    with pytest.raises(ValueError, match="no solutions"):
        extra_clues(np.empty((0, 4), np.int8))
