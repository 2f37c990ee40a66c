"""Never guesses: round after round, the cells that have one value left are filled."""

import time
from collections.abc import Iterator

import numpy as np

from crosscount.puzzles.constraints import AllDifferent, Constraint
from crosscount.puzzles.engine import Batch, Limits, Stopped, solution_dtype
from crosscount.puzzles.puzzle import Puzzle

Grid = list[int | None]
"""The value of each filled cell."""


def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    """The solution, nothing where a cell has no value left, or `Stopped` where every open cell has several."""
    begun = time.perf_counter()
    dtype = solution_dtype(puzzle)
    nothing = np.empty((0, len(puzzle.domains)), dtype)
    of: list[list[Constraint]] = [[] for _ in puzzle.domains]
    for constraint in puzzle.constraints:
        for v in dict.fromkeys(constraint.scope):
            of[v].append(constraint)
    grid: Grid = [domain[0] if len(domain) == 1 else None for domain in puzzle.domains]
    nodes = 0
    while None in grid:
        fills: dict[int, int] = {}
        for v in (v for v, value in enumerate(grid) if value is None):
            if limits.seconds is not None and time.perf_counter() - begun >= limits.seconds:
                raise Stopped("time")
            if limits.nodes is not None and nodes >= limits.nodes:
                raise Stopped("nodes")
            nodes += 1
            left = [x for x in puzzle.domains[v] if all(_goes(c, v, x, grid) for c in of[v])]
            if not left:
                yield Batch(nothing, nodes, time.perf_counter() - begun)
                return
            if len(left) == 1:
                fills[v] = left[0]
        yield Batch(nothing, nodes, time.perf_counter() - begun)
        if not fills:
            raise Stopped("gave up")
        for v, x in fills.items():
            grid[v] = x
    # Two cells filled in one round, or two givens, may contradict each other.
    solution = [x for x in grid if x is not None]
    rows = nothing if puzzle.violated(solution) else np.array([solution], dtype)
    yield Batch(rows, nodes, time.perf_counter() - begun)
    if limits.solutions is not None and len(rows) >= limits.solutions:
        raise Stopped("solutions")


def _goes(constraint: Constraint, v: int, x: int, grid: Grid) -> bool:
    """Whether no filled cell forbids x in v."""
    values = [x if u == v else grid[u] for u in constraint.scope]
    filled = [value for value in values if value is not None]
    if isinstance(constraint, AllDifferent) or len(filled) == len(values):
        return constraint.holds(filled)
    return True
