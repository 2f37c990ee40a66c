"""From a puzzle to bitboards, for any order of the cells that are open.

Everything about sets of cells is kept as a matrix of booleans, one column a cell, so that another order of the cells is
another order of the columns. Values are numbered over all cells, in ascending order.
"""

import random
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from crosscount.native.count_board import Board, Spots
from crosscount.native.count_nary import Nary
from crosscount.native.model import PRODUCT, TABLE, WIDE, Flat, Ints, Model, chain, starts, zeros
from crosscount.native.simplify import WIDTH, signed

Flags = NDArray[np.bool_]
Ban = tuple[int, int]
"""A value that is forbidden, and in which cells, as a row of `Layout.masks`."""


@dataclass(frozen=True, slots=True)
class Constraints:
    """Those on three cells or more that are no all-different; see `Nary`."""

    scopes: list[list[int]]
    kind: Ints
    relation: Ints
    target: Ints
    weight: Ints  # [place, value]
    words_at: Ints
    support: Ints  # [place, value, word]
    tuples: list[list[int]]  # [constraint] values by number, tuple after tuple
    possible: Ints  # [word] the tuples all of whose values can occur


@dataclass(frozen=True, slots=True)
class Layout:
    """A puzzle before its cells are put into an order."""

    values: tuple[int, ...]
    start: Flags  # [value, cell]
    peers: Flags  # [cell, cell]
    links: Flags
    bans: list[list[tuple[Ban, ...]]]  # [cell][value]
    masks: Flags  # [row, cell]
    full: Flags  # [full group, cell]
    full_values: Ints
    scopes: Flags  # [group or other constraint, cell]
    interchangeable: bool
    nary: Constraints | None

    def by_cells_alone(self) -> "Layout":
        """The same, for a search that fills only cells with one value left, not the last cell for a value."""
        return replace(self, full=self.full[:0], full_values=self.full_values[:0])

    def keeping_names(self) -> "Layout":
        """The same, for a search in which no value is renamed."""
        return replace(self, interchangeable=False)


def lay_out(flat: Flat[Model]) -> Layout:
    m = flat.model
    n = len(m.domain)
    bits = [
        {int(flat.values[flat.table[v], b]): b for b in range(WIDTH) if int(m.domain[v]) >> b & 1} for v in range(n)
    ]
    values = tuple(sorted({x for row in bits for x in row})) or (0,)
    number = {x: i for i, x in enumerate(values)}
    places = [{number[x]: b for x, b in row.items()} for row in bits]
    start = np.zeros((len(values), n), np.bool_)
    for v in range(n):
        start[list(places[v]), v] = True
    groups = lists(m.group_at, m.group)
    kept = [c for c in range(len(m.kind)) if m.kind[c] != WIDE]  # the wide ones are edges too
    scopes = [lists(m.scope_at, m.scope)[c] for c in kept]
    peers = np.zeros((n, n), np.bool_)
    for group in groups:
        peers[np.ix_(group, group)] = True
    np.fill_diagonal(peers, False)
    bans, masks = _bans(m, places, len(values), peers)
    links = np.zeros((n, n), np.bool_)
    for v in range(n):
        links[v, m.edge_to[m.edge_at[v] : m.edge_at[v + 1]]] = True
    full = [g for g in groups if len(values) <= WIDTH and start[:, g].any(axis=1).sum() == len(g)]
    full_values = [signed(sum(1 << int(x) for x in np.flatnonzero(start[:, g].any(axis=1)))) for g in full]
    edges = [sorted((v, int(u))) for v in range(n) for u in np.flatnonzero(links[v]) if v < u]
    return Layout(
        values,
        start,
        peers,
        links,
        bans,
        masks,
        _flags(full, n),
        np.array(full_values, np.int64),
        _flags([*groups, *scopes, *edges], n),
        not kept and _all_say_different(m, places),
        _constraints(m, kept, scopes, places, len(values)) if kept else None,
    )


def lists(at: Ints, items: Ints) -> list[list[int]]:
    return [items[at[i] : at[i + 1]].tolist() for i in range(len(at) - 1)]


def _flags(rows: list[list[int]], n: int) -> Flags:
    flags = np.zeros((len(rows), n), np.bool_)
    for flag, row in zip(flags, rows, strict=True):
        flag[row] = True
    return flags


def _bans(
    m: Model, places: list[dict[int, int]], values: int, peers: Flags
) -> tuple[list[list[tuple[Ban, ...]]], Flags]:
    """What each value in each cell forbids, and the masks, each stored once."""
    n = len(places)
    rows: dict[bytes, int] = {}
    bans: list[list[tuple[Ban, ...]]] = []
    for v in range(n):
        of_cell: list[tuple[Ban, ...]] = []
        for x in range(values):
            taken: dict[int, Flags] = {}
            if x in places[v]:
                if peers[v].any():
                    taken[x] = peers[v].copy()
                for i in range(m.edge_at[v], m.edge_at[v + 1]):
                    u, partners = int(m.edge_to[i]), int(m.allow[m.edge_row[i] + places[v][x]])
                    for y, b in places[u].items():
                        if not partners >> b & 1:
                            taken.setdefault(y, np.zeros(n, np.bool_))[u] = True
            of_cell.append(tuple((y, rows.setdefault(mask.tobytes(), len(rows))) for y, mask in sorted(taken.items())))
        bans.append(of_cell)
    return bans, np.array([np.frombuffer(mask, np.bool_) for mask in rows], np.bool_).reshape(len(rows), n)


def _all_say_different(m: Model, places: list[dict[int, int]]) -> bool:
    """Whether every edge only asks for two different values: then any two values can change their names."""
    return all(
        bool(int(m.allow[m.edge_row[i] + b]) >> c & 1) == (x != y)
        for v, of_v in enumerate(places)
        for i in range(m.edge_at[v], m.edge_at[v + 1])
        for x, b in of_v.items()
        for y, c in places[m.edge_to[i]].items()
    )


def _constraints(
    m: Model, kept: list[int], scopes: list[list[int]], places: list[dict[int, int]], values: int
) -> Constraints:
    sizes = [int(m.words[c]) if m.kind[c] == TABLE else 0 for c in kept]
    words_at = starts([range(size) for size in sizes])
    total = sum(map(len, scopes))
    weight = np.zeros((total, values), np.int64)
    support = np.zeros((total, values, max([1, *sizes])), np.int64)
    possible = zeros(int(words_at[-1]))
    tuples: list[list[int]] = []
    place = 0
    for c, scope, size, at in zip(kept, scopes, sizes, words_at.tolist(), strict=False):
        rows = np.full((int(m.target[c]) if size else 0, len(scope)), -1)
        for k, v in enumerate(scope):
            p = int(m.scope_at[c]) + k
            for x, b in places[v].items():
                weight[place, x] = m.weight[p * WIDTH + b]
                if size:
                    first = int(m.support_at[p]) + b * size
                    support[place, x, :size] = m.support[first : first + size]
                    rows[_members(m.support[first : first + size], len(rows)), k] = x
            place += 1
        tuples.append(rows.ravel().tolist())
        possible[at : at + size] = packed(np.all(rows >= 0, axis=1).reshape(1, -1), size)[0]
    return Constraints(
        scopes, m.kind[kept], m.relation[kept], m.target[kept], weight, words_at, support, tuples, possible
    )


def _members(words: Ints, size: int) -> Flags:
    return np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little")[:size].astype(np.bool_)


def packed(flags: Flags, words: int) -> Ints:
    """Rows of flags as rows of words, 64 a word."""
    padded = np.zeros((len(flags), words * WIDTH), np.bool_)
    padded[:, : flags.shape[1]] = flags
    return np.packbits(padded, axis=1, bitorder="little").view(np.int64).reshape(len(flags), words)


@dataclass(frozen=True, slots=True)
class Root:
    """What is open, and what is carried, when the search begins."""

    row: Ints  # [cell] the number of its value, where it is filled
    start: Flags  # [value, cell]
    used: Ints  # [full group]
    partial: Ints  # [constraint]
    left: Ints
    alive: Ints
    valid: Ints

    @staticmethod
    def of(layout: Layout) -> "Root":
        """Nothing filled yet."""
        nary = layout.nary
        row, used = zeros(layout.start.shape[1]), zeros(len(layout.full))
        if nary is None:
            return Root(row, layout.start, used, zeros(0), zeros(0), zeros(0), zeros(0))
        left = np.array([len(scope) for scope in nary.scopes], np.int64)
        partial = (nary.kind == PRODUCT).astype(np.int64)  # the empty product is 1
        return Root(row, layout.start, used, partial, left, np.ones_like(left), nary.possible)


def arrange(layout: Layout, root: Root, order: list[int]) -> tuple[Board, Spots, Nary | None]:
    """The board for this order of the open cells, with the root at depth 0."""
    n, values = len(order), len(layout.values)
    words = max(1, -(-n // WIDTH))
    ban_lists = [ban for v in order for ban in layout.bans[v]]
    full_of = [np.flatnonzero(layout.full[:, v]).tolist() for v in order]
    r = random.Random("factors")
    odd = [[signed(r.getrandbits(64) | 1) for _ in range(2)] for _ in range(words)]
    seeds = [[signed(r.getrandbits(64)) for _ in range(2)] for _ in range(values)]
    board = Board(
        packed(root.start[:, order], words),
        packed(layout.peers[np.ix_(order, order)], words),
        packed(layout.links[np.ix_(order, order)], words),
        starts(ban_lists),
        np.array([y for ban in ban_lists for y, _ in ban], np.int64),
        np.array([row for ban in ban_lists for _, row in ban], np.int64),
        packed(layout.masks[:, order], words),
        packed(layout.full[:, order], words),
        *chain(full_of),
        layout.full_values,
        np.array([seeds[0]] * values if layout.interchangeable else seeds, np.int64),
        np.array(odd, np.int64),
    )
    # Below each choice there is at most one product, and each of its parts has a choice of its own.
    depths = 2 * n + 3
    full = len(layout.full)
    spots = Spots(
        np.zeros((depths, values, words), np.int64),
        np.zeros((depths, words), np.int64),
        np.zeros((depths, full), np.int64),
        zeros(full),
        zeros(1),
        zeros(n),
        zeros(n + 1),
        zeros(1),
    )
    spots.sets[0] = board.start
    spots.open[0] = packed(np.ones((1, n), np.bool_), words)[0]
    spots.used[0] = root.used
    return board, spots, _nary(layout.nary, root, order, words, depths) if layout.nary is not None else None


def _nary(c: Constraints, root: Root, order: list[int], words: int, depths: int) -> Nary:
    position = {v: i for i, v in enumerate(order)}
    cells = [position.get(v, -1) for scope in c.scopes for v in scope]
    of: list[list[int]] = [[] for _ in order]
    for place, v in enumerate(cells):
        if v >= 0:
            of[v].append(place)
    within = [[position[v] for v in scope if v in position] for scope in c.scopes]
    count, widest = len(c.scopes), max(map(len, c.scopes))
    tuple_at, tuple_value = chain(c.tuples)
    nary = Nary(
        *chain(of),
        np.repeat(np.arange(count), [len(scope) for scope in c.scopes]),
        np.array(cells, np.int64),
        starts(c.scopes),
        packed(_flags(within, len(order)), words),
        c.kind,
        c.relation,
        c.target,
        c.weight,
        c.words_at,
        c.support,
        tuple_at,
        tuple_value,
        np.zeros((depths, count), np.int64),
        np.zeros((depths, count), np.int64),
        np.zeros((depths, count), np.int64),
        np.zeros((depths, len(root.valid)), np.int64),
        zeros(widest),
        zeros(widest),
    )
    nary.partial[0], nary.left[0], nary.alive[0], nary.valid[0] = root.partial, root.left, root.alive, root.valid
    return nary
