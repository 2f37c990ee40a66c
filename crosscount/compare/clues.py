"""Extra clues that leave a puzzle one solution, as few as can be found.

A clue is a cell and its value. Given all solutions, a set of clues makes the puzzle unique where exactly one solution
has them all: it hits every difference between that solution and any other. Greedy choice and leaving out what is not
needed give a small set; trying all smaller sets, as far as the budget reaches, shows whether it is a smallest one.

Where there are too many solutions to list, clues are taken from one of them, each the one that rules out the most of
what a search still finds, until it finds nothing else; then, again, what is not needed is left out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from crosscount.puzzles.engine import Solutions
from crosscount.puzzles.puzzle import Puzzle

Codes = NDArray[np.int64]
"""One row a solution, one column an open cell; what stands there says cell and value at once."""

Find = Callable[[Puzzle, int], Solutions | Sequence[Sequence[int]]]

BUDGET = 300_000_000
"""Entries of the list that may be looked at: a second or two."""
SAMPLE = 500
"""Solutions that a search finds before the next clue is chosen."""
STARTS = 24
"""Clues that the greedy choice is begun with in turn."""


@dataclass(frozen=True, slots=True)
class Clues:
    """Cells with their values. `is_smallest`: no smaller set exists; otherwise none smaller was found."""

    clues: tuple[tuple[int, int], ...]
    is_smallest: bool


class _Spent(Exception):
    """The budget is used up."""


def extra_clues(solutions: Solutions | Sequence[Sequence[int]], budget: int = BUDGET) -> Clues:
    """A small set of clues that exactly one of these solutions has; they are all there are, and each is there once."""
    rows = np.asarray(solutions)
    if not len(rows):
        raise ValueError("no solutions, expected at least one")
    if len(rows) == 1:
        return Clues((), True)
    table = _Table(rows)
    best = min((table.greedy(code) for code in table.rarest(STARTS)), key=len)
    is_smallest, spending = True, _Budget(budget)
    try:
        for size in range(1, len(best)):
            found = table.search(table.codes, 0, size, spending)
            if found is not None:
                best = found
                break
    except _Spent:
        is_smallest = False
    return Clues(tuple(sorted(table.meaning[code] for code in best)), is_smallest)


def with_clues(puzzle: Puzzle, clues: Sequence[tuple[int, int]]) -> Puzzle:
    """The puzzle with these cells given."""
    given = dict(clues)
    domains = tuple((given[v],) if v in given else domain for v, domain in enumerate(puzzle.domains))
    return replace(puzzle, domains=domains, family=None)


def clues_by_search(puzzle: Puzzle, targets: Sequence[Sequence[int]], find: Find) -> Clues:
    """A small set of clues that leaves the puzzle one of the `targets`, which are solutions of it, and no other.

    `find(puzzle, n)` lists n solutions, or all where there are fewer.
    """
    best = min((_towards(puzzle, target, find) for target in targets), key=len)
    # Where there are two solutions a clue is needed; that two are needed is not shown here.
    return Clues(tuple(best), len(best) <= 1)


def _towards(puzzle: Puzzle, target: Sequence[int], find: Find) -> list[tuple[int, int]]:
    aim = np.asarray(target)
    clues: list[tuple[int, int]] = []
    while len(others := np.asarray(find(with_clues(puzzle, clues), SAMPLE))) > 1:
        v = int(np.argmax(np.count_nonzero(others != aim, axis=0)))
        clues.append((v, int(aim[v])))
    for clue in clues[:]:
        fewer = [other for other in clues if other != clue]
        if len(find(with_clues(puzzle, fewer), 2)) == 1:
            clues = fewer
    return sorted(clues)


@dataclass(slots=True)
class _Budget:
    left: int

    def spend(self, entries: int) -> None:
        self.left -= entries
        if self.left < 0:
            raise _Spent


class _Table:
    """The solutions in codes: a clue is a code, and a row has it or has it not."""

    def __init__(self, rows: Solutions) -> None:
        self.meaning: list[tuple[int, int]] = []
        columns = []
        for v, column in enumerate(rows.T):
            values, places = np.unique(column, return_inverse=True)
            if len(values) > 1:
                columns.append(places.ravel() + len(self.meaning))
                self.meaning += [(v, int(x)) for x in values]
        self.codes: Codes = np.ascontiguousarray(np.array(columns, np.int64).T)
        self.column_of = {c: k for k, column in enumerate(columns) for c in np.unique(column).tolist()}

    def counts(self, codes: Codes) -> Codes:
        return np.bincount(codes.ravel(), minlength=len(self.meaning))

    def rarest(self, most: int) -> list[int]:
        """The codes that the fewest rows have, the first of them first."""
        return [int(code) for code in np.argsort(self.counts(self.codes), kind="stable")[:most]]

    def having(self, codes: Codes, code: int) -> Codes:
        rows: Codes = codes[codes[:, self.column_of[code]] == code]
        return rows

    def greedy(self, first: int) -> list[int]:
        """Clues that each leave as few rows as possible, then without those that are not needed."""
        chosen = [first]
        left = self.having(self.codes, first)
        while len(left) > 1:
            counts = self.counts(left)
            counts[counts == 0] = len(left)
            chosen.append(int(np.argmin(counts)))
            left = self.having(left, chosen[-1])
        for code in chosen[:]:
            others = [c for c in chosen if c != code]
            left = self.codes
            for c in others:
                left = self.having(left, c)
            if len(left) == 1:
                chosen = others
        return chosen

    def search(self, codes: Codes, start: int, size: int, budget: _Budget) -> list[int] | None:
        """So many clues, of the columns from `start` on, that one of these rows has alone; None where there are none.

        Every set of that size is tried, so None is a proof.
        """
        budget.spend(codes[:, start:].size + 100)
        counts = self.counts(codes[:, start:])
        if size == 1:
            single = np.flatnonzero(counts == 1)
            return [int(single[0])] if len(single) else None
        # With one clue fewer than columns left there is nothing to choose from.
        for k in range(start, codes.shape[1] - size + 1):
            for code in np.unique(codes[:, k]).tolist():
                if counts[code] < len(codes):
                    found = self.search(self.having(codes, code), k + 1, size - 1, budget)
                    if found is not None:
                        return [code, *found]
        return None
