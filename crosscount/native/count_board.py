"""Residual puzzles as bitboards: for each value, the open cells that may still take it.

Cells are numbered in the order in which the search fills them, so the next one is the lowest bit that is set. Values
are numbered over all cells, in ascending order.

sets: [value] the cells that may take it.  ban: what a value in a cell forbids elsewhere, as (value, set of cells).
full group: an all-different with as many cells as values, so that each value must stand somewhere.
A set of cells is `words` int64 of 64 cells each. Whatever has a depth is copied when the search goes down, so that
nothing needs to be undone.
"""

from typing import TYPE_CHECKING, NamedTuple

from crosscount.native.compiled import inlined, jit, lowest, popcount
from crosscount.native.count_limbs import high
from crosscount.native.model import Ints

if TYPE_CHECKING:
    from crosscount.native.count_nary import Nary

DEAD, QUIET, CHANGED = -1, 0, 1
"""What a rule did: found a cell or a value without a place, nothing, or something."""


class Board(NamedTuple):
    """A puzzle, for one order of its cells."""

    start: Ints  # [value, word] sets at the root
    peers: Ints  # [cell, word] cells that share an all-different
    links: Ints  # [cell, word] cells that share another constraint on two cells
    ban_at: Ints  # [cell * values + value]
    ban_value: Ints
    ban_mask: Ints  # [ban] a row of masks
    masks: Ints  # [row, word]
    full: Ints  # [full group, word]
    full_of_at: Ints
    full_of: Ints  # full groups of each cell
    full_values: Ints  # [full group] the values that must stand in it
    seeds: Ints  # [value, 2] where the hash of a value's set begins: the same for values that may be renamed
    factors: Ints  # [word, 2] odd numbers to multiply with


class Spots(NamedTuple):
    """The residual puzzle at every depth, and what is new in the one that is being settled."""

    sets: Ints  # [depth, value, word]
    open: Ints  # [depth, word]
    used: Ints  # [depth, full group] mask of the values that stand in it
    fresh_groups: Ints  # [full group] 1 where a cell was filled
    fresh_values: Ints  # [1] mask of the values that lost a place
    row: Ints  # [cell] the value placed there last; right for the filled cells of the present branch
    placed: Ints  # [place] cells filled while settling, oldest first
    filled: Ints  # [1] how many those are


@inlined
def mixed(a: int, b: int) -> int:
    """Both halves of the product folded together, so that every bit of the result depends on every bit."""
    return a * b ^ high(a, b)


@inlined
def copy_row(to: Ints, row: Ints) -> None:
    # An assignment of slices would allocate.
    for i in range(len(row)):
        to[i] = row[i]


@inlined
def copy_down(p: Spots, depth: int) -> None:
    """What stands at `depth` also stands one below."""
    for x in range(p.sets.shape[1]):
        copy_row(p.sets[depth + 1, x], p.sets[depth, x])
    copy_row(p.open[depth + 1], p.open[depth])
    copy_row(p.used[depth + 1], p.used[depth])


@inlined
def place(m: Board, p: Spots, d: int, v: int, x: int) -> None:
    """Fill cell v with value x at depth d, and take from the other cells what that forbids."""
    word, bit = v >> 6, 1 << (v & 63)
    values = p.sets.shape[1]
    for y in range(values):
        p.sets[d, y, word] &= ~bit
    p.open[d, word] &= ~bit
    p.row[v] = x
    p.placed[p.filled[0]] = v
    p.filled[0] += 1
    for k in range(m.ban_at[v * values + x], m.ban_at[v * values + x + 1]):
        y, row = m.ban_value[k], m.ban_mask[k]
        p.fresh_values[0] |= 1 << (y & 63)
        for w in range(p.open.shape[1]):
            p.sets[d, y, w] &= ~m.masks[row, w]
    for k in range(m.full_of_at[v], m.full_of_at[v + 1]):
        p.used[d, m.full_of[k]] |= 1 << x  # full groups have no more than 64 values
        p.fresh_groups[m.full_of[k]] = 1


@inlined
def place_singles(m: Board, p: Spots, d: int) -> int:
    """Fill every cell that has one value left; DEAD where a cell has none."""
    did = QUIET
    values = p.sets.shape[1]
    for w in range(p.open.shape[1]):
        once, twice = 0, 0
        for y in range(values):
            cells = p.sets[d, y, w]
            twice |= once & cells
            once |= cells
        if p.open[d, w] & ~once != 0:
            return DEAD
        single = p.open[d, w] & ~twice
        if single != 0:
            did = CHANGED
            for y in range(values):
                cells = p.sets[d, y, w] & single
                while cells != 0:
                    place(m, p, d, w * 64 + lowest(cells), y)
                    # Filling one may have taken the only value from another, which the next round finds empty.
                    single &= ~(cells & -cells)
                    cells = p.sets[d, y, w] & single
    return did


@inlined
def place_hidden(m: Board, p: Spots, d: int) -> int:
    """Fill the last cell for a value in a full group; DEAD where a value has none. Looks only at what is fresh."""
    did = QUIET
    for g in range(len(m.full)):
        missing = m.full_values[g] & ~p.used[d, g]
        if p.fresh_groups[g] == 0:
            missing &= p.fresh_values[0]
        while missing != 0:
            x = lowest(missing)
            missing &= missing - 1
            places, v = 0, 0
            for w in range(p.open.shape[1]):
                cells = p.sets[d, x, w] & m.full[g, w]
                if cells != 0:
                    places += popcount(cells)
                    v = w * 64 + lowest(cells)
            if places == 0:
                return DEAD
            if places == 1:
                place(m, p, d, v, x)
                did = CHANGED
    return did


@jit
def keep_part(m: Board, p: Spots, d: int) -> None:
    """Full groups, seen from a component: only the values that its own cells may take must stand in them.

    Where there are more such values than cells, another component has too few and no solution; this one may then not
    rely on the group, or it would be remembered with less than its own count.
    """
    for g in range(len(m.full)):
        cells, live = 0, 0
        for w in range(p.open.shape[1]):
            cells += popcount(p.open[d, w] & m.full[g, w])
        for x in range(p.sets.shape[1]):
            for w in range(p.open.shape[1]):
                if p.sets[d, x, w] & m.full[g, w] != 0:
                    live |= 1 << x
        p.used[d, g] = ~live if popcount(live) == cells else -1


@inlined
def forget_fresh(p: Spots) -> None:
    for g in range(len(p.fresh_groups)):
        p.fresh_groups[g] = 0
    p.fresh_values[0] = 0


@inlined
def is_full(p: Spots, d: int) -> bool:
    some = 0
    for w in range(p.open.shape[1]):
        some |= p.open[d, w]
    return some == 0


@inlined
def first_open(p: Spots, d: int) -> int:
    """The next cell in the order; some cell is open."""
    w = 0
    while p.open[d, w] == 0:
        w += 1
    return w * 64 + lowest(p.open[d, w])


@jit
def hash_sets(m: Board, p: Spots, d: int) -> tuple[int, int]:
    """128 bits that are the same, whatever the order of values with the same seed.

    Each value's set is hashed by itself and the hashes are added: a sum has no order. An empty set adds nothing.
    """
    low, up = 0, 0
    for x in range(p.sets.shape[1]):
        a, b = m.seeds[x, 0], m.seeds[x, 1]
        some = 0
        for w in range(p.open.shape[1]):
            cells = p.sets[d, x, w]
            some |= cells
            a = mixed(a ^ cells, m.factors[w, 0])
            b = mixed(b + cells, m.factors[w, 1])
        if some != 0:
            low += mixed(a, b ^ m.factors[0, 0])
            up += mixed(b, a ^ m.factors[0, 1])
    return low, up


@jit
def component(m: Board, p: Spots, d: int, nary: "Nary | None", rest: Ints, part: Ints, todo: Ints) -> bool:
    """Fill `part` with the cells of `rest` that hang together with its first; whether that is all of them.

    Two cells hang together where they share an all-different and a value, an edge, or a constraint on several cells.
    """
    words = len(rest)
    for w in range(words):
        part[w] = 0
        todo[w] = 0
    for w in range(words):
        if rest[w] != 0:
            todo[w] = rest[w] & -rest[w]
            break
    w = 0
    while w < words:
        if todo[w] == 0:
            w += 1
            continue
        bit = todo[w] & -todo[w]
        v = w * 64 + lowest(bit)
        todo[w] ^= bit
        part[w] |= bit
        here = w
        for k in range(words):
            near = 0
            if m.peers[v, k] != 0:
                for x in range(p.sets.shape[1]):
                    if p.sets[d, x, here] & bit != 0:
                        near |= p.sets[d, x, k]
            near = near & m.peers[v, k] | m.links[v, k]
            if nary is not None:
                for i in range(nary.of_at[v], nary.of_at[v + 1]):
                    c = nary.constraint[nary.of[i]]
                    if nary.alive[d, c] != 0:
                        near |= nary.scope_mask[c, k]
            near &= rest[k] & ~part[k]
            todo[k] |= near
            if near != 0 and k < w:
                w = k
    others = 0
    for k in range(words):
        others |= rest[k] & ~part[k]
    return others == 0
