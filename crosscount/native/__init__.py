"""Handwritten search over flat arrays and bitmasks, compiled with numba."""

from collections.abc import Iterator
from importlib import import_module

from crosscount.puzzles.engine import Batch, Engine, Limits
from crosscount.puzzles.puzzle import Puzzle


def _compiled(name: str, module: str, title: str, node: str) -> Engine:
    # Numba takes longer to import than most commands take to run, so only those that search do it.
    def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        from crosscount.native import search as driver

        return driver.search(name, import_module(f"crosscount.native.{module}").SOLVER, puzzle, limits)

    def warm(puzzle: Puzzle) -> None:
        from crosscount.native import search as driver

        driver.warm(name, import_module(f"crosscount.native.{module}").SOLVER, puzzle)

    return Engine(name, "native", title, node, search, warm=warm)


def _singles(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    from crosscount.native.singles import search

    return search(puzzle, limits)


def _count(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    from crosscount.native.count import search

    return search(puzzle, limits)


def _warm_count(puzzle: Puzzle) -> None:
    from crosscount.native.count import warm

    warm(puzzle)


_COUNTS = "counts without listing: search that remembers what it has already counted"

_ENGINES = [
    _compiled("gt", "gt", "generate and test: every combination, checked when full", "a full grid tested"),
    Engine("singles", "native", "never guesses: fills cells with one value left", "an empty cell looked at", _singles),
    _compiled("bf", "bf", "brute force: reading order, every value, check after placing", "a value tried"),
    _compiled("bt", "bt", "backtracking: reading order, values no filled cell forbids", "an assignment made"),
    _compiled("fc-mrv", "fc", "forward checking, fewest values left first", "an assignment made"),
    _compiled("gac", "gac", "generalised arc consistency, fewest values left first", "an assignment made"),
    Engine("count", "native", _COUNTS, "a subproblem", _count, counts_only=True, warm=_warm_count),
]

ENGINES: dict[str, Engine] = {engine.name: engine for engine in _ENGINES}
