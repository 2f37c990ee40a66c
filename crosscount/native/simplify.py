"""From the constraints a person writes to the few shapes that the searchers handle.

Cells that occur twice in a scope are merged, constraints on one cell become part of its domain, those on two cells
become edges, and values become bits. Nothing is propagated here: givens stay givens, so node counts are those of the
search alone.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from crosscount.puzzles.constraints import AllDifferent, Constraint, Linear, Product, Relation, Table
from crosscount.puzzles.engine import Unavailable
from crosscount.puzzles.puzzle import Puzzle

WIDTH = 64
"""Values a cell may have, and values a table holds: the bits of a word."""

HUGE = 1 << 62
"""Sums must stay below it; products stick at it."""


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The sum, or product, of each cell's weight stands in `relation` to `target`."""

    scope: tuple[int, ...]
    is_product: bool
    weights: list[list[int]]
    relation: Relation
    target: int


@dataclass(frozen=True, slots=True)
class TupleTable:
    """`rows` holds bits, one row a tuple, no row twice."""

    scope: tuple[int, ...]
    allowed: bool
    rows: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Wide:
    """An all-different whose values do not fit into one table: each value has a number below `size`."""

    scope: tuple[int, ...]
    numbers: list[list[int]]
    size: int


@dataclass(slots=True)
class Simple:
    """A puzzle in these shapes. `edges[u, v][bit of u]` is the mask of v's values that go with it."""

    tables: list[tuple[int, ...]]
    table: list[int]
    domains: list[int]
    groups: list[tuple[int, ...]] = field(default_factory=list)
    edges: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    nary: list[Arithmetic | TupleTable | Wide] = field(default_factory=list)
    contradiction: bool = False

    def values(self, v: int) -> tuple[int, ...]:
        return self.tables[self.table[v]]


def simplify(puzzle: Puzzle) -> Simple:
    simple = _with_tables(puzzle)
    relations: dict[object, tuple[tuple[int, ...], tuple[int, ...]]] = {}
    for constraint in dict.fromkeys(puzzle.constraints):
        cells = tuple(dict.fromkeys(constraint.scope))
        if isinstance(constraint, AllDifferent) and len(cells) < len(constraint.scope):
            simple.contradiction = True  # a cell differs from itself
        elif not cells:
            simple.contradiction |= not constraint.holds(())
        elif len(cells) == 1:
            v, repeat = cells[0], len(constraint.scope)
            simple.domains[v] &= _mask(constraint.holds([x] * repeat) for x in simple.values(v))
        elif isinstance(constraint, AllDifferent) and len({simple.table[v] for v in cells}) == 1:
            if cells not in simple.groups:
                simple.groups.append(cells)
        elif len(cells) == 2:
            _add_edge(simple, constraint, cells, relations)
        else:
            _add_nary(simple, constraint, cells)
    return simple


def _with_tables(puzzle: Puzzle) -> Simple:
    """Cells linked by all-different constraints share a table where the values of all of them fit."""
    leader = list(range(len(puzzle.domains)))

    def find(v: int) -> int:
        while leader[v] != v:
            leader[v] = leader[leader[v]]
            v = leader[v]
        return v

    for constraint in puzzle.constraints:
        if isinstance(constraint, AllDifferent):
            for u, v in zip(constraint.scope, constraint.scope[1:], strict=False):
                leader[find(u)] = find(v)
    together: dict[int, set[int]] = {}
    for v, domain in enumerate(puzzle.domains):
        together.setdefault(find(v), set()).update(domain)
    numbers: dict[tuple[int, ...], int] = {}
    table, domains = [], []
    for v, domain in enumerate(puzzle.domains):
        shared = tuple(sorted(together[find(v)]))
        values = shared if len(shared) <= WIDTH else domain
        table.append(numbers.setdefault(values, len(numbers)))
        domains.append(signed(sum(1 << values.index(x) for x in domain)))
    return Simple(list(numbers), table, domains)


def signed(word: int) -> int:
    """The same 64 bits as a signed number."""
    return word - (1 << WIDTH) if word >> (WIDTH - 1) else word


def _mask(flags: Iterable[bool]) -> int:
    return signed(sum(1 << b for b, flag in enumerate(flags) if flag))


def _meaning(constraint: Constraint, cells: tuple[int, ...]) -> object:
    """Equal for constraints that mean the same on other cells: queens repeat few relations many times."""
    places = tuple(cells.index(v) for v in constraint.scope)
    match constraint:
        case AllDifferent():
            return places, "different"
        case Linear():
            return places, constraint.coefficients, constraint.relation, constraint.value
        case Product():
            return places, "product", constraint.relation, constraint.value
        case Table():
            return places, constraint.tuples, constraint.allowed


def _add_edge(
    simple: Simple,
    constraint: Constraint,
    cells: tuple[int, ...],
    known: dict[object, tuple[tuple[int, ...], tuple[int, ...]]],
) -> None:
    u, v = cells
    key = (_meaning(constraint, cells), simple.table[u], simple.table[v])
    if key not in known:
        xs, ys = simple.values(u), simple.values(v)
        places = [cells.index(w) for w in constraint.scope]

        def goes(x: int, y: int) -> bool:
            return constraint.holds([(x, y)[p] for p in places])

        forth = tuple(_mask(goes(x, y) for y in ys) for x in xs)
        back = tuple(_mask(goes(x, y) for x in xs) for y in ys)
        known[key] = (forth, back)
    forth, back = known[key]
    _meet(simple, (u, v), forth)
    _meet(simple, (v, u), back)


def _meet(simple: Simple, edge: tuple[int, int], partners: tuple[int, ...]) -> None:
    """Several constraints on the same two cells are one edge."""
    known = simple.edges.get(edge)
    simple.edges[edge] = partners if known is None else tuple(a & b for a, b in zip(known, partners, strict=True))


def _add_nary(simple: Simple, constraint: Constraint, cells: tuple[int, ...]) -> None:
    times = Counter(constraint.scope)
    match constraint:
        case AllDifferent():
            _add_wide(simple, cells)
        case Linear():
            totals = Counter[int]()
            for v, coefficient in zip(constraint.scope, constraint.coefficients, strict=True):
                totals[v] += coefficient
            used = tuple(v for v in cells if totals[v] != 0)
            bound = sum(max((abs(totals[v] * x) for x in simple.values(v)), default=0) for v in used)
            if bound >= HUGE or abs(constraint.value) >= HUGE:
                raise Unavailable("a linear constraint may pass 2^62; the handwritten searchers compute in 64 bits")
            # Fewer than three cells may be left, but three are not required of an Arithmetic.
            weights = [[totals[v] * x for x in simple.values(v)] for v in used]
            _add_arithmetic(simple, Arithmetic(used, False, weights, constraint.relation, constraint.value))
        case Product():
            if abs(constraint.value) >= HUGE:
                raise Unavailable("a product is compared past 2^62; the handwritten searchers compute in 64 bits")
            weights = [[max(-HUGE, min(HUGE, x ** times[v])) for x in simple.values(v)] for v in cells]
            _add_arithmetic(simple, Arithmetic(cells, True, weights, constraint.relation, constraint.value))
        case Table():
            simple.nary.append(_table(simple, constraint, cells))


def _add_arithmetic(simple: Simple, constraint: Arithmetic) -> None:
    if constraint.scope:
        simple.nary.append(constraint)
    else:  # every coefficient cancelled
        simple.contradiction |= not Linear((), (), constraint.relation, constraint.target).holds(())


def _add_wide(simple: Simple, cells: tuple[int, ...]) -> None:
    numbers: dict[int, int] = {}
    for v in cells:
        for x in simple.values(v):
            numbers.setdefault(x, len(numbers))
    simple.nary.append(Wide(cells, [[numbers[x] for x in simple.values(v)] for v in cells], len(numbers)))
    for u, v in combinations(cells, 2):
        xs, ys = simple.values(u), simple.values(v)
        _meet(simple, (u, v), tuple(_mask(x != y for y in ys) for x in xs))
        _meet(simple, (v, u), tuple(_mask(x != y for x in xs) for y in ys))


def _table(simple: Simple, constraint: Table, cells: tuple[int, ...]) -> TupleTable:
    """Rows that can occur at all, as bits, one column a distinct cell."""
    places = [constraint.scope.index(v) for v in cells]
    bits = [{x: b for b, x in enumerate(simple.values(v))} for v in cells]
    rows: set[tuple[int, ...]] = set()
    for row in constraint.tuples:
        seen = dict(zip(constraint.scope, row, strict=True))
        # A cell that stands twice in the scope cannot have two values.
        if all(seen[v] == x for v, x in zip(constraint.scope, row, strict=True)):
            values = [row[p] for p in places]
            if all(x in known for x, known in zip(values, bits, strict=True)):
                rows.add(tuple(known[x] for x, known in zip(values, bits, strict=True)))
    ordered = np.array(sorted(rows), np.int64).reshape(len(rows), len(cells))
    return TupleTable(cells, constraint.allowed, ordered)
