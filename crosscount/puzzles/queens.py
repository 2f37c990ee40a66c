"""The n queens: one queen a row, none attacks another."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from crosscount.puzzles.constraints import AllDifferent, Constraint, Linear
from crosscount.puzzles.puzzle import Drawing, Puzzle

LARGEST_BOARD = 64


@dataclass(frozen=True, slots=True)
class Queens:
    """Cell i is row i + 1, its value the column of that row's queen, from 1. `placed` gives columns by row, from 1.

    `placed` may be passed as a mapping; it is kept as sorted pairs, so that a family stays a value.
    """

    size: int
    placed: Mapping[int, int] | tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.size <= LARGEST_BOARD:
            raise ValueError(f"size {self.size}, expected 0 to {LARGEST_BOARD}")
        placed = tuple(sorted(dict(self.placed).items()))
        for row, column in placed:
            for what, found in (("row", row), ("column", column)):
                if not 1 <= found <= self.size:
                    raise ValueError(f"a queen placed in {what} {found}, expected 1 to {self.size}")
        object.__setattr__(self, "placed", placed)

    def puzzle(self, name: str) -> Puzzle:
        n = self.size
        placed = dict(self.placed)
        every = tuple(range(1, n + 1))
        domains = tuple((placed[row],) if row in placed else every for row in range(1, n + 1))
        constraints: list[Constraint] = [AllDifferent(tuple(range(n)), "the list of columns")]
        for i, j in combinations(range(n), 2):
            label = f"queens in rows {i + 1} and {j + 1} share a diagonal"
            constraints += [Linear((i, j), (1, -1), "!=", d, label) for d in (i - j, j - i)]
        drawing = Drawing(tuple(f"q{row}" for row in range(1, n + 1)), n, n, board=True)
        return Puzzle(name, domains, tuple(constraints), drawing, self)
