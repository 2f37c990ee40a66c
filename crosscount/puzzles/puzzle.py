"""A puzzle: cells, a finite domain for each, and constraints between them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from crosscount.puzzles.constraints import Constraint

if TYPE_CHECKING:
    from crosscount.puzzles.families import Family

Solution = Sequence[int]
"""One value for each cell, in the order in which the puzzle declares them."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """How a person sees the cells; no engine looks at it.

    A grid has rows and columns, and draws a line between cells of different regions. A board (`board` True) is drawn
    with one piece a row, in the column that the cell's value names. Without rows the cells are a plain list.
    """

    names: tuple[str, ...]
    rows: int = 0
    columns: int = 0
    regions: tuple[int, ...] = ()
    board: bool = False

    @staticmethod
    def grid(rows: int, columns: int, regions: tuple[int, ...] = ()) -> "Drawing":
        names = tuple(f"r{r + 1}c{c + 1}" for r in range(rows) for c in range(columns))
        return Drawing(names, rows, columns, regions)

    @property
    def is_grid(self) -> bool:
        return self.rows > 0 and not self.board


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken constraint, a changed given or an impossible value: where, and one sentence of why."""

    cells: tuple[int, ...]
    because: str

    def __str__(self) -> str:
        return self.because


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Immutable. A given is a cell whose domain has one value; an empty domain makes a puzzle with no solution."""

    name: str
    domains: tuple[tuple[int, ...], ...]
    constraints: tuple[Constraint, ...]
    drawing: Drawing | None = None
    family: "Family | None" = field(default=None, compare=False)
    """What built this puzzle, for writing it back in the family's own format."""

    def __post_init__(self) -> None:
        # Engines try values in ascending order, so the order is part of what a domain is.
        ascending = tuple(tuple(sorted({int(x) for x in domain})) for domain in self.domains)
        object.__setattr__(self, "domains", ascending)
        object.__setattr__(self, "constraints", tuple(self.constraints))
        for constraint in self.constraints:
            for v in constraint.scope:
                if not 0 <= v < len(ascending):
                    raise ValueError(f"{constraint} names cell {v}, but there are {len(ascending)} cells")
        if self.drawing is not None and len(self.drawing.names) != len(ascending):
            raise ValueError(f"{len(self.drawing.names)} names for {len(ascending)} cells")

    @property
    def names(self) -> tuple[str, ...]:
        """What a person calls each cell."""
        if self.drawing is not None:
            return self.drawing.names
        return tuple(f"x{v + 1}" for v in range(len(self.domains)))

    def violated(self, solution: Solution) -> list[Violation]:
        """Everything that is wrong with `solution`; an empty list means that it is a solution."""
        if len(solution) != len(self.domains):
            return [Violation((), f"{len(solution)} values for {len(self.domains)} cells")]
        found = []
        names = self.names
        for v, (value, domain) in enumerate(zip(solution, self.domains, strict=True)):
            if value not in domain:
                found.append(Violation((v,), _outside(names[v], value, domain)))
        for constraint in self.constraints:
            values = [solution[v] for v in constraint.scope]
            if not constraint.holds(values):
                because = constraint.broken(values, [names[v] for v in constraint.scope])
                found.append(Violation(constraint.scope, because))
        return found


def _outside(name: str, value: int, domain: tuple[int, ...]) -> str:
    if not domain:
        return f"{name} holds {value}, but no value is possible there"
    if len(domain) == 1:
        return f"{name} is given as {domain[0]}, the answer has {value}"
    if domain == tuple(range(domain[0], domain[-1] + 1)):
        return f"{name} holds {value}, expected {domain[0]} to {domain[-1]}"
    return f"{name} holds {value}, expected one of {', '.join(map(str, domain))}"
