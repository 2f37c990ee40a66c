"""Where the solutions of a puzzle differ: for each cell, which values occur in how many of them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from crosscount.puzzles.engine import Solutions


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """`cells[v][x]` of the `total` solutions give cell v the value x; values in no solution are left out.

    Exact means that `total` is the number of all solutions there are.
    """

    total: int
    cells: tuple[Mapping[int, int], ...]
    exact: bool

    @property
    def open_cells(self) -> list[int]:
        """The cells in which two solutions differ."""
        return [v for v, counts in enumerate(self.cells) if len(counts) > 1]

    def openness(self, v: int) -> float:
        """How little is known about a cell: 0 where all solutions have one value there, 1 where all are as likely.

        It is the entropy of the values over that of the cell in which the most values occur, all as often.
        """
        counts = self.cells[v]
        most = max((len(other) for other in self.cells), default=1)
        if len(counts) < 2:
            return 0.0
        shares = [count / self.total for count in counts.values()]
        return -sum(share * math.log(share) for share in shares) / math.log(most)

    @property
    def rarest(self) -> tuple[int, int, int] | None:
        """The cell and value that the fewest solutions have, the first of them, and how many; None: nothing is open."""
        rare = ((count, v, x) for v in self.open_cells for x, count in self.cells[v].items())
        found = min(rare, default=None)
        return None if found is None else (found[1], found[2], found[0])


def of_solutions(solutions: Solutions | Sequence[Sequence[int]], exact: bool) -> Ambiguity:
    """Counted from a list, each solution once in it; exact where it is all of them."""
    rows = np.asarray(solutions)
    counted = (np.unique(column, return_counts=True) for column in rows.T)
    cells = tuple(dict(zip(values.tolist(), counts.tolist(), strict=True)) for values, counts in counted)
    return Ambiguity(len(rows), cells, exact)


def of_counts(total: int, cells: Iterable[Mapping[int, int]]) -> Ambiguity:
    """From an engine that counts without listing."""
    return Ambiguity(total, tuple(dict(sorted(counts.items())) for counts in cells), True)
