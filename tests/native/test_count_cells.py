"""Counts per cell and random solutions, against listing."""

import random
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

from crosscount.compare.conformance import by_definition, random_puzzles
from crosscount.native import ENGINES
from crosscount.native.count_cells import CellCounts, count_cells
from crosscount.native.count_sample import Sampler, sampler
from crosscount.puzzles import collection
from crosscount.puzzles.engine import Limits, Stopped
from crosscount.puzzles.families import Latin, Sudoku
from crosscount.puzzles.puzzle import Puzzle


def result(steps: Generator[Any, None, Any]) -> Any:
    try:
        while True:
            next(steps)
    except StopIteration as stop:
        return stop.value


def cells(puzzle: Puzzle) -> CellCounts:
    found: CellCounts = result(count_cells(puzzle, Limits()))
    return found


def drawing(puzzle: Puzzle) -> Sampler | None:
    found: Sampler | None = result(sampler(puzzle, Limits()))
    return found


def listed(puzzle: Puzzle) -> list[list[int]]:
    return [row for batch in ENGINES["gac"].search(puzzle, Limits()) for row in batch.solutions.tolist()]


def tallied(puzzle: Puzzle, solutions: list[list[int]]) -> tuple[dict[int, int], ...]:
    return tuple(dict(Counter(solution[v] for solution in solutions)) for v in range(len(puzzle.domains)))


def test_counts_per_cell_are_those_from_listing() -> None:
    for puzzle in random_puzzles(31, 500):
        solutions = [list(solution) for solution in by_definition(puzzle)]
        found = cells(puzzle)
        assert found.total == len(solutions)
        assert found.cells == tallied(puzzle, solutions), puzzle


@pytest.mark.parametrize("name", ["course-1", "course-2", "course-3", "course-4", "queens-8", "magic-3", "australia"])
def test_counts_per_cell_of_the_collection(name: str) -> None:
    puzzle = collection.entry(name).puzzle
    solutions = listed(puzzle)
    found = cells(puzzle)
    assert found.cells == tallied(puzzle, solutions)
    same = {v: solutions[0][v] for v in range(len(puzzle.domains)) if len({s[v] for s in solutions}) == 1}
    assert found.backbone == same
    clue = found.next_clue
    assert clue is not None
    expected = {v: sum(n * n for n in counts.values()) for v, counts in enumerate(found.cells) if len(counts) > 1}
    assert expected[clue] == min(expected.values())


def test_a_blank_puzzle_has_every_value_equally_often() -> None:
    found = cells(Latin.blank(6).puzzle("latin"))
    assert found.cells == (dict.fromkeys(range(1, 7), 812_851_200 // 6),) * 36
    blank = collection.entry("blank-6").puzzle
    one = Sudoku(((1, 0, 0, 0, 0, 0), *((0,) * 6,) * 5)).puzzle("one given")
    given = cells(one)
    assert cells(blank).total == 6 * given.total
    assert given.cells[0] == {1: given.total}
    assert all(sum(counts.values()) == given.total for counts in given.cells)
    assert len(set(given.cells[1].values())) == 1


def test_counts_per_cell_past_64_bits() -> None:
    found = cells(Puzzle("free", ((1, 2, 3, 4),) * 70, ()))
    assert found.total == 4**70
    assert found.cells == (dict.fromkeys((1, 2, 3, 4), 4**69),) * 70


def test_a_record_too_large_for_its_memory_stops() -> None:
    with pytest.raises(Stopped, match="memory"):
        result(count_cells(collection.entry("course-4").puzzle, Limits(memory=1 << 20)))


@pytest.mark.parametrize(("name", "draws"), [("course-1", 2000), ("course-3", 413 * 10)])
def test_every_solution_is_equally_likely(name: str, draws: int) -> None:
    puzzle = collection.entry(name).puzzle
    solutions = {tuple(solution) for solution in listed(puzzle)}
    source = drawing(puzzle)
    assert source is not None
    r = random.Random(20)
    seen = Counter(tuple(source.draw(r)) for _ in range(draws))
    assert set(seen) <= solutions
    expected = draws / len(solutions)
    chi_square = sum((seen[solution] - expected) ** 2 / expected for solution in solutions)
    freedom = len(solutions) - 1
    # Four standard deviations above the mean; with this seed the outcome is always the same.
    assert chi_square < freedom + 4 * (2 * freedom) ** 0.5


def test_what_is_drawn_is_a_solution_whatever_the_constraints() -> None:
    r = random.Random(4)
    for puzzle in random_puzzles(32, 200):
        solutions = by_definition(puzzle)
        source = drawing(puzzle)
        assert (source is None) == (not solutions)
        if source is not None:
            assert {tuple(source.draw(r)) for _ in range(20)} <= solutions


def test_the_same_seed_draws_the_same() -> None:
    puzzle = collection.entry("latin-5").puzzle
    first, second = drawing(puzzle), drawing(puzzle)
    assert first is not None
    assert second is not None
    assert [first.draw(random.Random(7)) for _ in range(3)] == [second.draw(random.Random(7)) for _ in range(3)]
