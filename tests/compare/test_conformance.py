"""Every engine through the one suite; and the suite itself can fail."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from crosscount.compare.conformance import CHECKS, Check
from crosscount.compare.engines import engines
from crosscount.native import ENGINES
from crosscount.puzzles.engine import Batch, Engine, Limits, Unavailable
from crosscount.puzzles.puzzle import Puzzle

# Gives up instead of guessing, so it cannot list everything.
LISTERS = [engine for engine in engines().values() if engine.name != "singles"]


@pytest.mark.parametrize("engine", LISTERS, ids=lambda engine: engine.name)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_engine(engine: Engine, check: Check) -> None:
    try:
        check(engine)
    except Unavailable as unavailable:
        pytest.skip(str(unavailable))


def _forgets_the_last(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    for batch in ENGINES["bt"].search(puzzle, limits):
        yield replace(batch, solutions=batch.solutions[:-1])


def _says_everything_twice(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    for batch in ENGINES["bt"].search(puzzle, limits):
        yield batch
        yield batch


def _never_stops(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    return ENGINES["bt"].search(puzzle, Limits(nodes=limits.nodes))


@pytest.mark.parametrize(
    ("search", "failed"),
    [
        (_forgets_the_last, "a_full_grid_is_its_own_solution"),
        (_says_everything_twice, "no_cells_have_one_solution"),
        (_never_stops, "a_limit_is_not_completeness"),
    ],
    ids=lambda x: x.__name__.strip("_") if callable(x) else "",
)
def test_a_broken_engine_fails(search: object, failed: str) -> None:
    broken = replace(ENGINES["bt"], name="broken", search=search)  # type: ignore[arg-type]
    check = next(check for check in CHECKS if check.__name__ == failed)
    with pytest.raises(AssertionError, match="broken"):
        check(broken)
