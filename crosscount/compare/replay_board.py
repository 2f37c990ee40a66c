"""What a search shows while it runs, and the puzzle in the shapes that it works on.

mask: one bit a value; bit b of cell v stands for `tables[v][b]`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from crosscount.native.simplify import Arithmetic, Simple, TupleTable, Wide, simplify
from crosscount.puzzles.constraints import RELATIONS
from crosscount.puzzles.puzzle import Puzzle

WORD = (1 << 64) - 1

Kind = Literal["start", "place", "dead end", "back", "solution", "end"]


class Event(NamedTuple):
    """A step of a search, told right after the board has been brought up to date."""

    kind: Kind
    cell: int | None = None
    broken: tuple[int, ...] = ()
    because: str = ""


@dataclass(slots=True)
class Board:
    """Written by a search as it goes. Marks are the values that a cell may still take, or that are still to try."""

    names: tuple[str, ...]
    tables: list[tuple[int, ...]]
    values: list[int | None]
    marks: list[int]
    nodes: int = 0
    solutions: int = 0

    @staticmethod
    def of(puzzle: Puzzle) -> "Board":
        """The givens, and nothing else yet."""
        values = [domain[0] if len(domain) == 1 else None for domain in puzzle.domains]
        return Board(puzzle.names, list(puzzle.domains), values, [0] * len(values))

    def solved(self) -> Event:
        self.solutions += 1
        return Event("solution", because=f"every cell is filled: solution {self.solutions}")

    def back(self, v: int, before: int | None) -> Event:
        """Cell v is left open again."""
        where = "the search is over" if before is None else f"back to {self.names[before]}"
        return Event("back", v, because=f"{self.names[v]} has no value left to try: {where}")

    def ended(self) -> Event:
        found = "1 solution" if self.solutions == 1 else f"{self.solutions} solutions"
        return Event("end", because=f"nothing is left to try: exactly {found}, {self.nodes} nodes")


def bits(mask: int) -> Iterator[int]:
    """The places of the bits that are set, the lowest first."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


class Rules:
    """A simplified puzzle with the constraints of each cell at hand. Masks are not negative here."""

    def __init__(self, puzzle: Puzzle) -> None:
        simple: Simple = simplify(puzzle)
        n = len(simple.domains)
        self.contradiction = simple.contradiction
        self.tables = [simple.values(v) for v in range(n)]
        self.domains = [mask & WORD for mask in simple.domains]
        self.peers: list[list[int]] = [sorted(_peers(simple, v)) for v in range(n)]
        self.edges: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in range(n)]
        for (u, v), partners in simple.edges.items():
            self.edges[u].append((v, tuple(mask & WORD for mask in partners)))
        self.nary = simple.nary
        self.nary_of: list[list[int]] = [[] for _ in range(n)]
        for c, constraint in enumerate(simple.nary):
            for v in constraint.scope:
                self.nary_of[v].append(c)

    def is_given(self, v: int) -> bool:
        return self.domains[v].bit_count() <= 1

    def completions(self, c: int, v: int, live: list[int]) -> int:
        """The values of v that satisfy nary constraint c, every other cell of which has one value in `live`."""
        constraint = self.nary[c]
        match constraint:
            case Arithmetic():
                total = 1 if constraint.is_product else 0
                own: list[int] = []
                for u, weights in zip(constraint.scope, constraint.weights, strict=True):
                    if u == v:
                        own = weights
                        continue
                    weight = weights[live[u].bit_length() - 1]
                    total = total * weight if constraint.is_product else total + weight
                holds = RELATIONS[constraint.relation]
                results = ((b, total * own[b] if constraint.is_product else total + own[b]) for b in bits(live[v]))
                return sum(1 << b for b, result in results if holds(result, constraint.target))
            case TupleTable():
                place = constraint.scope.index(v)
                fixed = [(p, live[u].bit_length() - 1) for p, u in enumerate(constraint.scope) if u != v]
                rows = (row for row in constraint.rows.tolist() if all(row[p] == b for p, b in fixed))
                matched = 0
                for row in rows:
                    matched |= 1 << row[place]
                return live[v] & (matched if constraint.allowed else ~matched)
            case Wide():
                return live[v]  # the same is there as edges


def _peers(simple: Simple, v: int) -> set[int]:
    return {u for scope in simple.groups if v in scope for u in scope if u != v}
