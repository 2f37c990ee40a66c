"""A failing puzzle made small, so that a person can solve it by hand and see what went wrong.

Small means few blank cells: cells are filled in from one of the solutions. A puzzle without a solution is made small
the other way round, by taking out givens until the contradiction stands alone. Constraints are dropped where they are
not what makes the puzzle what it is.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from crosscount.puzzles.puzzle import Puzzle

Fails = Callable[[Puzzle], bool]
"""Whether the same thing still goes wrong."""


class Budget:
    """Seconds after which the smallest puzzle so far has to do."""

    def __init__(self, seconds: float) -> None:
        self.until = time.perf_counter() + seconds

    @property
    def left(self) -> float:
        return self.until - time.perf_counter()

    @property
    def is_spent(self) -> bool:
        return self.left < 0


def minimise(
    puzzle: Puzzle, fails: Fails, solution: Sequence[int] | None, seconds: float, drop_constraints: bool = False
) -> Puzzle:
    """The smallest failing puzzle found within the time; `puzzle` itself fails.

    `solution` is one of its own, and stays one; None where it has none, and then it keeps having none only as far as
    `fails` sees to it.
    """
    budget = Budget(seconds)
    if drop_constraints:
        puzzle = _without_constraints(puzzle, fails, budget)
    if solution is not None:
        return _filled_in(puzzle, solution, fails, budget)
    return _blanked(puzzle, fails, budget)


def _filled_in(puzzle: Puzzle, solution: Sequence[int], fails: Fails, budget: Budget) -> Puzzle:
    blank = [v for v, domain in enumerate(puzzle.domains) if len(domain) > 1]

    def fill(cells: Sequence[int], before: Puzzle) -> Puzzle:
        chosen = set(cells)
        domains = tuple((solution[v],) if v in chosen else domain for v, domain in enumerate(before.domains))
        return replace(before, domains=domains)

    return _reduce(puzzle, blank, fill, fails, budget)


def _blanked(puzzle: Puzzle, fails: Fails, budget: Budget) -> Puzzle:
    every = tuple(sorted({x for domain in puzzle.domains for x in domain}))
    given = [v for v, domain in enumerate(puzzle.domains) if len(domain) == 1]
    if puzzle.drawing is not None and puzzle.drawing.is_grid:
        every = tuple(range(1, puzzle.drawing.columns + 1))

    def blank(cells: Sequence[int], before: Puzzle) -> Puzzle:
        chosen = set(cells)
        return replace(before, domains=tuple(every if v in chosen else d for v, d in enumerate(before.domains)))

    return _reduce(puzzle, given, blank, fails, budget)


def _without_constraints(puzzle: Puzzle, fails: Fails, budget: Budget) -> Puzzle:
    def drop(numbers: Sequence[int], before: Puzzle) -> Puzzle:
        gone = {id(puzzle.constraints[k]) for k in numbers}
        return replace(before, constraints=tuple(c for c in before.constraints if id(c) not in gone))

    return _reduce(puzzle, range(len(puzzle.constraints)), drop, fails, budget)


def _reduce(
    puzzle: Puzzle,
    parts: Sequence[int],
    without: Callable[[Sequence[int], Puzzle], Puzzle],
    fails: Fails,
    budget: Budget,
) -> Puzzle:
    """Take away as many of the parts as possible: all at once, then halves, and so on down to single ones."""
    left = list(parts)
    size = len(left)
    while size and not budget.is_spent:
        for chunk in _chunks(left, size):
            if budget.is_spent:
                break
            smaller = without(chunk, puzzle)
            if fails(smaller):
                puzzle = smaller
                left = [part for part in left if part not in set(chunk)]
        size = min(size // 2, len(left))
    return puzzle


def _chunks(parts: Sequence[int], size: int) -> Iterator[list[int]]:
    parts = list(parts)
    for start in range(0, len(parts), size):
        yield parts[start : start + size]
