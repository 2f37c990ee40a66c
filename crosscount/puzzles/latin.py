"""Latin squares: every value once in every row and every column."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from crosscount.puzzles.constraints import AllDifferent
from crosscount.puzzles.puzzle import Drawing, Puzzle

LARGEST = 25
"""The longest side of a grid: values past 9 are letters, and text has letters up to P = 25."""

Grid = tuple[tuple[int, ...], ...]
"""Rows of values, 0 for a blank."""


@dataclass(frozen=True, slots=True)
class Latin:
    """An n x n grid, n from 1 to 25; 0 is a blank. Givens that contradict each other leave no solution."""

    grid: Grid

    def __post_init__(self) -> None:
        object.__setattr__(self, "grid", square(self.grid))

    @classmethod
    def blank(cls, n: int) -> "Latin":
        return cls(blank_grid(n))

    @property
    def size(self) -> int:
        return len(self.grid)

    def puzzle(self, name: str) -> Puzzle:
        n = self.size
        return Puzzle(name, domains(self.grid), rows_and_columns(n), Drawing.grid(n, n), self)


def blank_grid(n: int) -> Grid:
    return ((0,) * n,) * n


def square(rows: Sequence[Sequence[int]]) -> Grid:
    """`rows` as a grid; ValueError where it is not square, too large, or a value does not fit."""
    grid = tuple(tuple(int(x) for x in row) for row in rows)
    n = len(grid)
    if not 1 <= n <= LARGEST:
        raise ValueError(f"{n} rows, expected 1 to {LARGEST}")
    for r, row in enumerate(grid, 1):
        if len(row) != n:
            raise ValueError(f"row {r} has {len(row)} cells, expected {n}")
        for c, value in enumerate(row, 1):
            if not 0 <= value <= n:
                raise ValueError(f"r{r}c{c} is {value}, expected 1 to {n}, or 0 for a blank")
    return grid


def domains(grid: Grid) -> tuple[tuple[int, ...], ...]:
    every = tuple(range(1, len(grid) + 1))
    return tuple((value,) if value else every for row in grid for value in row)


@lru_cache(maxsize=32)
def rows_and_columns(n: int) -> tuple[AllDifferent, ...]:
    rows = [AllDifferent(tuple(range(r * n, r * n + n)), f"row {r + 1}") for r in range(n)]
    columns = [AllDifferent(tuple(range(c, n * n, n)), f"column {c + 1}") for c in range(n)]
    return (*rows, *columns)
