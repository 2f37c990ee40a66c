"""A puzzle as flat arrays and bitmasks, which is all that the compiled searchers see.

Bit b of a cell's mask stands for `values[table[v], b]`. Cells that share an all-different share a table wherever its
values fit into 64 bits, so that "equal" is "the same bit" there.

group: an all-different over cells of one table.  peers: all cells that share a group with a cell.
edge: any other constraint between two cells, as a row of allowed partners for each value (`allow`).
nary: a constraint on three cells or more that is not a group; its cells are distinct.
Lists of lists are stored end to end: those of i are `x[x_at[i]:x_at[i + 1]]`.
"""

from collections.abc import Sequence, Sized
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from crosscount.native.simplify import HUGE, WIDTH, Arithmetic, Simple, TupleTable, Wide, simplify
from crosscount.puzzles.engine import Unavailable
from crosscount.puzzles.puzzle import Puzzle

Ints = NDArray[np.int64]

RELATION_CODES = {"==": 0, "!=": 1, "<=": 2, "<": 3, ">=": 4, ">": 5}
SUM, PRODUCT, TABLE, WIDE = 0, 1, 2, 3


class Model(NamedTuple):
    """What a kernel gets. See the vocabulary above; sizes are in the comments."""

    domain: Ints  # [cell] mask
    group_at: Ints
    group: Ints  # cells of each group
    groups_of_at: Ints
    groups_of: Ints  # groups of each cell
    peer_at: Ints
    peer: Ints  # peers of each cell
    edge_at: Ints
    edge_to: Ints  # the other cell, for each cell
    edge_row: Ints  # where that edge's relation starts in allow
    edge_back: Ints  # where the same relation, seen from the other cell, starts
    allow: Ints  # [relation * WIDTH + bit] mask of partners
    scope_at: Ints
    scope: Ints  # cells of each nary constraint; a place is an index into this
    nary_of_at: Ints
    nary_of: Ints  # nary constraints of each cell
    kind: Ints  # [nary] SUM, PRODUCT, TABLE or WIDE
    relation: Ints  # [nary] a RELATION_CODE; for TABLE 0 allowed, 1 forbidden
    target: Ints  # [nary] what the sum or product is compared with; for WIDE how many values there are
    weight: Ints  # [place * WIDTH + bit] what the value adds, or multiplies by; for WIDE a number for the value
    words: Ints  # [nary] for TABLE: words in a set of tuples
    support_at: Ints  # [place] for TABLE: where the sets of this place start, one a bit
    support: Ints  # sets of tuples that hold a value at a place


AnyModel = TypeVar("AnyModel")


class Flat(NamedTuple, Generic[AnyModel]):
    """A model and what is needed to read its answers; `contradiction` says that a constraint on nothing fails."""

    model: AnyModel
    table: Ints  # [cell]
    values: Ints  # [table, bit]
    contradiction: bool


def zeros(length: int) -> Ints:
    return np.zeros(length, np.int64)


def starts(lists: Sequence[Sized]) -> Ints:
    """Where each list begins when all are stored end to end, and where the last one ends."""
    at = zeros(len(lists) + 1)
    np.cumsum([len(row) for row in lists], out=at[1:])
    return at


def chain(lists: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Lists of ints as (starts, all of them end to end)."""
    return starts(lists), np.array([x for row in lists for x in row], np.int64)


def flatten(puzzle: Puzzle) -> Flat[Model]:
    """The puzzle as arrays; Unavailable where a cell has more than 64 values or a sum may pass 2^62."""
    for name, domain in zip(puzzle.names, puzzle.domains, strict=True):
        if len(domain) > WIDTH:
            raise Unavailable(f"{name} has {len(domain)} values; the handwritten searchers take at most {WIDTH}")
        if domain and max(-domain[0], domain[-1]) >= HUGE:
            raise Unavailable(f"{name} has a value past 2^62; the handwritten searchers compute in 64 bits")
    simple = simplify(puzzle)
    n = len(puzzle.domains)
    groups_of: list[list[int]] = [[] for _ in range(n)]
    peers: list[set[int]] = [set() for _ in range(n)]
    for g, scope in enumerate(simple.groups):
        for v in scope:
            groups_of[v].append(g)
            peers[v].update(u for u in scope if u != v)
    nary_of: list[list[int]] = [[] for _ in range(n)]
    for c, constraint in enumerate(simple.nary):
        for v in constraint.scope:
            nary_of[v].append(c)
    values = np.zeros((max(1, len(simple.tables)), WIDTH), np.int64)
    for t, table in enumerate(simple.tables):
        values[t, : len(table)] = table
    model = Model(
        np.array(simple.domains, np.int64),
        *chain(simple.groups),
        *chain(groups_of),
        *chain([sorted(p) for p in peers]),
        *_edges(simple, n),
        *chain([c.scope for c in simple.nary]),
        *chain(nary_of),
        *_nary(simple),
    )
    return Flat(model, np.array(simple.table, np.int64), values, simple.contradiction)


def _edges(simple: Simple, n: int) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Each edge in both directions, relations that are the same stored once."""
    rows: dict[tuple[int, ...], int] = {}
    edges: list[list[tuple[int, int, int]]] = [[] for _ in range(n)]
    for (u, v), partners in simple.edges.items():
        forth = rows.setdefault(partners, len(rows))
        back = rows.setdefault(simple.edges[v, u], len(rows))
        edges[u].append((v, forth * WIDTH, back * WIDTH))
    columns = np.array([edge for row in edges for edge in row], np.int64).reshape(-1, 3)
    allow = np.zeros((max(1, len(rows)), WIDTH), np.int64)
    for partners, row in rows.items():
        allow[row, : len(partners)] = partners
    edge_to, edge_row, edge_back = np.ascontiguousarray(columns.T)
    return starts(edges), edge_to, edge_row, edge_back, allow.ravel()


def _nary(simple: Simple) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints, Ints]:
    """kind, relation, target, weight, words, support_at, support."""
    kinds, relations, targets, words = [], [], [], []
    weights: list[list[int]] = []
    support_at: list[int] = []
    supports: list[Ints] = [zeros(1)]
    start = 1
    for c in simple.nary:
        match c:
            case Arithmetic():
                kinds.append(PRODUCT if c.is_product else SUM)
                relations.append(RELATION_CODES[c.relation])
                targets.append(c.target)
                words.append(0)
                weights.extend(c.weights)
                support_at.extend([0] * len(c.scope))
            case Wide():
                kinds.append(WIDE)
                relations.append(0)
                targets.append(c.size)
                words.append(0)
                weights.extend(c.numbers)
                support_at.extend([0] * len(c.scope))
            case TupleTable():
                kinds.append(TABLE)
                relations.append(0 if c.allowed else 1)
                targets.append(len(c.rows))
                words.append(max(1, (len(c.rows) + WIDTH - 1) // WIDTH))
                weights.extend([[]] * len(c.scope))
                for place in range(len(c.scope)):
                    support_at.append(start)
                    sets = _sets(c.rows[:, place], words[-1])
                    supports.append(sets)
                    start += len(sets)
    weight = np.zeros((max(1, len(weights)), WIDTH), np.int64)
    for place, row in enumerate(weights):
        weight[place, : len(row)] = row
    return (
        np.array(kinds, np.int64),
        np.array(relations, np.int64),
        np.array(targets, np.int64),
        weight.ravel(),
        np.array(words, np.int64),
        np.array(support_at, np.int64),
        np.concatenate(supports),
    )


def _sets(bits: Ints, words: int) -> Ints:
    """For each bit the set of rows that hold it, as `words` words."""
    sets = np.zeros((WIDTH, words), np.uint64)
    rows = np.arange(len(bits), dtype=np.uint64)
    np.bitwise_or.at(sets, (bits, (rows // WIDTH).astype(np.int64)), np.uint64(1) << (rows % np.uint64(WIDTH)))
    return sets.view(np.int64).ravel()
