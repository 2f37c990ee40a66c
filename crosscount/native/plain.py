"""Constraints on plain values, checked cell by cell: what generate-and-test and brute force look at.

It shares nothing with the bitmask model of the cleverer searchers, so that the two can be held against each other.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crosscount.native.compiled import inlined
from crosscount.native.model import RELATION_CODES, Flat, Ints, chain
from crosscount.native.nary import related, times
from crosscount.native.simplify import HUGE, WIDTH
from crosscount.puzzles.constraints import AllDifferent, Linear, Product, Table
from crosscount.puzzles.engine import Unavailable
from crosscount.puzzles.puzzle import Puzzle

DIFFERENT, LINEAR, PRODUCT, TABLE = 0, 1, 2, 3

Flags = NDArray[np.uint8]


class Plain(NamedTuple):
    """Lists of lists are stored end to end, as in `model`; those of cell v and of constraint c start at `…_at`."""

    domain_at: Ints
    domain: Ints  # values of each cell
    scope_at: Ints
    scope: Ints  # cells of each constraint
    of_at: Ints
    of: Ints  # constraints of each cell, each once
    kind: Ints
    relation: Ints  # for TABLE 0 allowed, 1 forbidden
    target: Ints
    coefficient: Ints  # along scope, for LINEAR
    rows_at: Ints
    rows: Ints  # the tuples of each TABLE, sorted, end to end


def flatten(puzzle: Puzzle) -> Flat[Plain]:
    """The puzzle as written; Unavailable where a cell has more than 64 values or a sum may pass 2^62."""
    _refuse_huge(puzzle)
    of: list[list[int]] = [[] for _ in puzzle.domains]
    kinds, relations, targets, coefficients, rows = [], [], [], [], []
    for c, constraint in enumerate(puzzle.constraints):
        for v in dict.fromkeys(constraint.scope):
            of[v].append(c)
        relation, target = 0, 0
        factors = [0] * len(constraint.scope)
        tuples: list[int] = []
        match constraint:
            case AllDifferent():
                kinds.append(DIFFERENT)
            case Linear():
                kinds.append(LINEAR)
                relation, target = RELATION_CODES[constraint.relation], constraint.value
                factors = list(constraint.coefficients)
            case Product():
                kinds.append(PRODUCT)
                relation, target = RELATION_CODES[constraint.relation], constraint.value
            case Table():
                kinds.append(TABLE)
                relation = 0 if constraint.allowed else 1
                tuples = [x for row in sorted(constraint.tuples) for x in row]
        relations.append(relation)
        targets.append(target)
        coefficients.extend(factors)
        rows.append(tuples)
    plain = Plain(
        *chain(puzzle.domains),
        *chain([c.scope for c in puzzle.constraints]),
        *chain(of),
        np.array(kinds, np.int64),
        np.array(relations, np.int64),
        np.array(targets, np.int64),
        np.array(coefficients, np.int64),
        *chain(rows),
    )
    # A table a cell, so that what the search writes is an index into the cell's own domain.
    values = np.zeros((max(1, len(puzzle.domains)), WIDTH), np.int64)
    for v, domain in enumerate(puzzle.domains):
        values[v, : len(domain)] = domain
    contradiction = not all(c.holds(()) for c in puzzle.constraints if not c.scope)
    return Flat(plain, np.arange(len(puzzle.domains)), values, contradiction)


def _refuse_huge(puzzle: Puzzle) -> None:
    for name, domain in zip(puzzle.names, puzzle.domains, strict=True):
        if len(domain) > WIDTH:
            raise Unavailable(f"{name} has {len(domain)} values; the handwritten searchers take at most {WIDTH}")
    largest = [max((abs(x) for x in domain), default=0) for domain in puzzle.domains]
    for constraint in puzzle.constraints:
        if isinstance(constraint, Linear):
            bound = sum(abs(k) * largest[v] for k, v in zip(constraint.coefficients, constraint.scope, strict=True))
            numbers = [bound, constraint.value]
        elif isinstance(constraint, Product):
            numbers = [constraint.value]
        elif isinstance(constraint, Table):
            numbers = [x for row in constraint.tuples for x in row]
        else:
            numbers = []
        if any(abs(x) >= HUGE for x in [*numbers, *(largest[v] for v in constraint.scope)]):
            raise Unavailable("a number may pass 2^62; the handwritten searchers compute in 64 bits")


@inlined
def all_different(p: Plain, c: int, v: int, value: Ints, filled: Flags) -> bool:
    """No filled cell of c, other than v, holds what v holds."""
    times_seen = 0
    for i in range(p.scope_at[c], p.scope_at[c + 1]):
        u = p.scope[i]
        if u == v:
            times_seen += 1
        elif filled[u] != 0 and value[u] == value[v]:
            return False
    return times_seen == 1  # a cell that stands there twice cannot differ from itself


@inlined
def in_table(p: Plain, c: int, value: Ints) -> bool:
    """Binary search among the sorted tuples."""
    start, width = p.scope_at[c], p.scope_at[c + 1] - p.scope_at[c]
    low, high = 0, (p.rows_at[c + 1] - p.rows_at[c]) // width
    while low < high:
        middle = (low + high) // 2
        difference = 0
        for i in range(width):
            difference = value[p.scope[start + i]] - p.rows[p.rows_at[c] + middle * width + i]
            if difference != 0:
                break
        if difference == 0:
            return True
        if difference < 0:
            high = middle
        else:
            low = middle + 1
    return False


@inlined
def holds(p: Plain, c: int, value: Ints) -> bool:
    """Whether c holds; every cell of its scope is filled. Not for all-different constraints."""
    if p.kind[c] == TABLE:
        return in_table(p, c, value) == (p.relation[c] == 0)
    total = 0 if p.kind[c] == LINEAR else 1
    for i in range(p.scope_at[c], p.scope_at[c + 1]):
        x = value[p.scope[i]]
        total = total + p.coefficient[i] * x if p.kind[c] == LINEAR else times(total, x)
    return related(total, p.relation[c], p.target[c])


@inlined
def allowed(p: Plain, v: int, value: Ints, filled: Flags) -> bool:
    """Whether v's value breaks no constraint: all-different among filled cells, the others once all are filled."""
    for i in range(p.of_at[v], p.of_at[v + 1]):
        c = p.of[i]
        if p.kind[c] == DIFFERENT:
            if not all_different(p, c, v, value, filled):
                return False
        else:
            full = True
            for j in range(p.scope_at[c], p.scope_at[c + 1]):
                if filled[p.scope[j]] == 0:
                    full = False
                    break
            if full and not holds(p, c, value):
                return False
    return True
