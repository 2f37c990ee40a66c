"""A counting certificate, made and checked at once, as an engine: a count that does not rest on the searchers.

What decides is the separate checker, which works out every residual puzzle again. So a count on which it agrees with
another family is decided, however many solutions there are.
"""

import time
from collections.abc import Iterator

import numpy as np

from crosscount.compare import verify_certificate as checker
from crosscount.compare.certify import Graph, problem, why_not_counting
from crosscount.puzzles.engine import Batch, Engine, Limits, Unavailable, solution_dtype
from crosscount.puzzles.puzzle import Puzzle

FAMILY = "checker"


def engine() -> Engine:
    title = "a counting certificate, accepted by the separate checker"
    return Engine("certificate", FAMILY, title, "a residual puzzle", search, counts_only=True)


def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    """The count that the checker accepts; Unavailable for constraints that it does not count."""
    from crosscount.native.count import filling_order

    reason = why_not_counting(puzzle)
    if reason is not None:
        raise Unavailable(reason)
    nothing = np.empty((0, len(puzzle.domains)), solution_dtype(puzzle))
    begun = time.perf_counter()
    graph = Graph(puzzle, filling_order(puzzle), limits)
    yield Batch(nothing, 0, 0.0, 0)
    body = ([str(word) for word in line] for line in graph.lines())
    count, _ = checker.check_counting(problem(puzzle), body)
    yield Batch(nothing, graph.done, time.perf_counter() - begun, count, 1.0)
