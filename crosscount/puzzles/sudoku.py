"""Sudoku of any size and box shape, jigsaw regions, and diagonals."""

import re
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

from crosscount.puzzles.constraints import AllDifferent
from crosscount.puzzles.latin import Grid, blank_grid, domains, rows_and_columns, square
from crosscount.puzzles.puzzle import Drawing, Puzzle

Box = tuple[int, int]
"""Rows and columns of one box."""

Regions = tuple[tuple[str, ...], ...]
"""Rows of region labels, one for each cell."""


@dataclass(frozen=True, slots=True)
class Sudoku:
    """A Latin square in which every box, or every jigsaw region, also holds every value once.

    `box` None means `default_box`. `regions` replace the boxes. With `diagonals` both long diagonals count too.
    """

    grid: Grid
    box: Box | None = None
    regions: Regions | None = None
    diagonals: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "grid", square(self.grid))
        if self.box is not None and self.regions is not None:
            raise ValueError("both box and regions, expected one of them")
        if self.box is not None:
            height, width = self.box
            if height < 1 or width < 1 or height * width != self.size:
                raise ValueError(f"box {height}x{width}, expected one of {self.size} cells")
            object.__setattr__(self, "box", (height, width))
        if self.regions is not None:
            object.__setattr__(self, "regions", _jigsaw(self.regions, self.size))

    @classmethod
    def blank(cls, n: int, box: Box | None = None, regions: Regions | None = None, diagonals: bool = False) -> "Sudoku":
        return cls(blank_grid(n), box, regions, diagonals)

    @property
    def size(self) -> int:
        return len(self.grid)

    @property
    def box_shape(self) -> Box | None:
        """Rows and columns of a box; None where regions take the place of boxes."""
        return None if self.regions is not None else self.box or default_box(self.size)

    def puzzle(self, name: str) -> Puzzle:
        n = self.size
        constraints, regions = _structure(n, self.box_shape, self.regions, bool(self.diagonals))
        return Puzzle(name, domains(self.grid), constraints, Drawing.grid(n, n, regions), self)


def default_box(n: int) -> Box:
    """The most square box of n cells with no more rows than columns: 2x3 for 6, 3x3 for 9, 1x7 for 7."""
    height = next(h for h in range(isqrt(n), 0, -1) if n % h == 0)
    return height, n // height


def _jigsaw(rows: Regions, n: int) -> Regions:
    regions = tuple(tuple(str(label) for label in row) for row in rows)
    if len(regions) != n:
        raise ValueError(f"{len(regions)} rows of regions, expected {n}")
    for r, row in enumerate(regions, 1):
        if len(row) != n:
            raise ValueError(f"row {r} of the regions has {len(row)} cells, expected {n}")
    labels = [label for row in regions for label in row]
    for label in dict.fromkeys(labels):
        if not re.fullmatch(r"\w+", label):
            raise ValueError(f"region label {label!r}, expected letters and digits")
        if labels.count(label) != n:
            raise ValueError(f"region {label} has {labels.count(label)} cells, expected {n}")
    return regions


@lru_cache(maxsize=256)
def _structure(
    n: int, box: Box | None, regions: Regions | None, diagonals: bool
) -> tuple[tuple[AllDifferent, ...], tuple[int, ...]]:
    """The constraints and, for drawing, the region of each cell. Cached: files hold many puzzles of one shape."""
    constraints = list(rows_and_columns(n))
    of_cell: tuple[int, ...] = ()
    if regions is not None:
        labels = [label for row in regions for label in row]
        order = list(dict.fromkeys(labels))
        of_cell = tuple(order.index(label) for label in labels)
        names = [f"region {label}" for label in order]
    elif box is not None and 1 not in box:
        # A box of one row or one column is a row or a column: the constraint is already there.
        height, width = box
        across = n // width
        of_cell = tuple(r // height * across + c // width for r in range(n) for c in range(n))
        names = [f"box {b + 1}" for b in range(n)]
    else:
        names = []
    for b, label in enumerate(names):
        constraints.append(AllDifferent(tuple(v for v in range(n * n) if of_cell[v] == b), label))
    if diagonals:
        constraints.append(AllDifferent(tuple(i * n + i for i in range(n)), "main diagonal"))
        constraints.append(AllDifferent(tuple(i * n + n - 1 - i for i in range(n)), "anti-diagonal"))
    return tuple(constraints), of_cell
