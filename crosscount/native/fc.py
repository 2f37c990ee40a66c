"""Forward checking with minimum remaining values.

live: the values a cell may still take; one bit for a filled cell.  trail: (cell, live before) to undo, oldest first.
An open cell stands in a doubly linked list in reading order, so that choosing does not look at filled ones.

A constraint on three cells or more prunes when one of its cells is left open (nFC0 of Bessière, Meseguer, Freuder and
Larrosa, 2002); all-different constraints and those on two cells prune at once.
"""

from typing import NamedTuple

import numpy as np

from crosscount.native.compiled import inlined, jit, lowest, popcount
from crosscount.native.model import Ints, Model, zeros
from crosscount.native.nary import completions
from crosscount.native.search import DEAD, DEPTH, NODES, Rows, Solver

TRAIL = 2
"""Register: how long the trail is."""


class State(NamedTuple):
    live: Ints
    after: Ints  # [cell] the next open cell; index n is both ends of the list
    before: Ints
    is_open: Ints
    left: Ints  # [nary] open cells
    cell: Ints  # [depth] the cell chosen there
    remaining: Ints  # [depth] the values still to try there
    mark: Ints  # [depth] how long the trail was before the value now tried
    trail_cell: Ints
    trail_live: Ints
    row: Rows
    registers: Ints


def prepare(m: Model) -> State:
    """Givens filled and propagated; the depth is DEAD where that leaves a cell without values."""
    n = len(m.domain)
    given = (m.domain & (m.domain - 1)) == 0
    order = np.flatnonzero(~given)
    after, before = np.full(n + 1, n), np.full(n + 1, n)
    ring = np.concatenate([[n], order, [n]])
    after[ring[:-1]] = ring[1:]
    before[ring[1:]] = ring[:-1]
    left = zeros(len(m.kind))
    for c in range(len(m.kind)):
        left[c] = np.count_nonzero(~given[m.scope[m.scope_at[c] : m.scope_at[c + 1]]])
    # Every entry of the trail took at least one value from a cell, or fixed it.
    longest = int(sum(int(mask).bit_count() if mask >= 0 else 64 for mask in m.domain)) + 2 * n + 1
    s = State(
        m.domain.copy(),
        after,
        before,
        (~given).astype(np.int64),
        left,
        zeros(len(order) + 1),
        zeros(len(order) + 1),
        zeros(len(order) + 1),
        zeros(longest),
        zeros(longest),
        np.zeros(n, np.uint8),
        zeros(4),
    )
    begin(m, s, np.flatnonzero(given))
    return s


@jit
def begin(m: Model, s: State, givens: Ints) -> None:
    alive = True
    for v in givens:
        alive = alive and s.live[v] != 0 and check_pairs(m, s, v)
        s.row[v] = lowest(s.live[v]) if alive else 0
    for c in range(len(m.kind)):
        alive = alive and (s.left[c] > 1 or check_nary(m, s, c))
    s.registers[TRAIL] = 0  # nothing undoes this
    s.registers[DEPTH] = 0 if alive else DEAD
    if alive and len(s.cell) > 1:
        choose(m, s, 0)


@inlined
def choose(m: Model, s: State, depth: int) -> None:
    """Take the open cell with the fewest values, the first of them, out of the list."""
    end = len(s.live)
    v = s.after[end]
    best, fewest = v, popcount(s.live[v])
    while fewest > 1 and v != end:
        size = popcount(s.live[v])
        if size < fewest:
            best, fewest = v, size
        v = s.after[v]
    s.cell[depth] = best
    s.remaining[depth] = s.live[best]
    s.mark[depth] = s.registers[TRAIL]
    s.is_open[best] = 0
    s.after[s.before[best]] = s.after[best]
    s.before[s.after[best]] = s.before[best]
    for i in range(m.nary_of_at[best], m.nary_of_at[best + 1]):
        s.left[m.nary_of[i]] -= 1


@inlined
def give_back(m: Model, s: State, depth: int) -> None:
    """The reverse of `choose`; the list closes around the cell as it was, last out first in."""
    v = s.cell[depth]
    s.is_open[v] = 1
    s.after[s.before[v]] = v
    s.before[s.after[v]] = v
    for i in range(m.nary_of_at[v], m.nary_of_at[v + 1]):
        s.left[m.nary_of[i]] += 1


@inlined
def shrink(s: State, v: int, live: int) -> bool:
    """Leave v these values; False when that is none."""
    top = s.registers[TRAIL]
    s.trail_cell[top] = v
    s.trail_live[top] = s.live[v]
    s.registers[TRAIL] = top + 1
    s.live[v] = live
    return live != 0


@inlined
def undo(s: State, mark: int) -> None:
    for i in range(s.registers[TRAIL] - 1, mark - 1, -1):
        s.live[s.trail_cell[i]] = s.trail_live[i]
    s.registers[TRAIL] = mark


@inlined
def check_pairs(m: Model, s: State, v: int) -> bool:
    """Take from other cells what the value of v forbids; False when one has none left.

    Filled cells need no test of their own: what they forbid is gone from v already.
    """
    bit = s.live[v]
    for i in range(m.peer_at[v], m.peer_at[v + 1]):
        u = m.peer[i]
        if s.live[u] & bit != 0 and not shrink(s, u, s.live[u] ^ bit):
            return False
    b = lowest(bit)
    for i in range(m.edge_at[v], m.edge_at[v + 1]):
        u = m.edge_to[i]
        kept = s.live[u] & m.allow[m.edge_row[i] + b]
        if kept != s.live[u] and not shrink(s, u, kept):
            return False
    return True


@jit
def check_nary(m: Model, s: State, c: int) -> bool:
    """Prune the one open cell of c; where there is none, any cell tells whether c holds."""
    v = m.scope[m.scope_at[c]]
    for p in range(m.scope_at[c], m.scope_at[c + 1]):
        if s.is_open[m.scope[p]] != 0:
            v = m.scope[p]
    kept = completions(m, c, v, s.live)
    return kept == s.live[v] or shrink(s, v, kept)


@inlined
def assign(m: Model, s: State, v: int, bit: int) -> bool:
    """Fill v and check forward; False when that empties a cell."""
    s.row[v] = lowest(bit)
    if s.live[v] != bit:
        shrink(s, v, bit)
    if not check_pairs(m, s, v):
        return False
    for i in range(m.nary_of_at[v], m.nary_of_at[v + 1]):
        if s.left[m.nary_of[i]] == 1 and not check_nary(m, s, m.nary_of[i]):
            return False
    return True


@jit
def advance(m: Model, s: State, out: Rows, stop: int) -> int:
    """Search on until `out` is full, `stop` nodes are made in all, or none are left; how many rows were written."""
    found = 0
    depth = s.registers[DEPTH]
    nodes = s.registers[NODES]
    full = len(s.cell) - 1
    while depth >= 0 and found < len(out):
        if depth == full:
            for v in range(len(s.row)):
                out[found, v] = s.row[v]
            found += 1
        elif s.remaining[depth] != 0:
            if nodes == stop:
                break
            undo(s, s.mark[depth])
            rest = s.remaining[depth]
            bit = rest & -rest
            s.remaining[depth] = rest ^ bit
            nodes += 1
            if assign(m, s, s.cell[depth], bit):
                depth += 1
                if depth < full:
                    choose(m, s, depth)
            continue
        else:
            undo(s, s.mark[depth])
            give_back(m, s, depth)
        depth -= 1
    s.registers[DEPTH] = depth
    s.registers[NODES] = nodes
    return found


SOLVER = Solver(prepare, advance)
