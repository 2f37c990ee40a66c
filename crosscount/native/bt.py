"""Chronological backtracking: cells in reading order, only values that no filled cell forbids.

live: one bit for a filled cell, 0 for an open one.  used: for each group, the values its filled cells hold.
remaining: for each depth, the values still to try there.  row: the value of each cell as a bit index.
"""

from typing import NamedTuple

import numpy as np

from crosscount.native.compiled import inlined, jit, lowest
from crosscount.native.model import Ints, Model, chain, zeros
from crosscount.native.nary import completions
from crosscount.native.search import DEAD, DEPTH, NODES, Rows, Solver


class State(NamedTuple):
    order: Ints  # [depth] open cells
    full_at: Ints
    full: Ints  # nary constraints that are full once this cell is filled, for each cell
    live: Ints
    used: Ints
    remaining: Ints
    row: Rows
    registers: Ints


def prepare(m: Model) -> State:
    """Givens filled, nothing searched yet; the depth is DEAD where the givens contradict each other."""
    n = len(m.domain)
    given = (m.domain & (m.domain - 1)) == 0
    order = np.flatnonzero(~given)
    full: list[list[int]] = [[] for _ in range(n)]
    for c in range(len(m.kind)):
        scope = m.scope[m.scope_at[c] : m.scope_at[c + 1]]
        is_open = ~given[scope]
        last = scope[is_open].max() if is_open.any() else scope.max()
        full[last].append(c)
    s = State(
        order,
        *chain(full),
        zeros(n),
        zeros(len(m.group_at)),
        zeros(len(order) + 1),
        np.zeros(n, np.uint8),
        zeros(4),
    )
    begin(m, s, np.flatnonzero(given))
    return s


@jit
def begin(m: Model, s: State, givens: Ints) -> None:
    for v in givens:
        bit = candidates(m, s, v)
        if bit == 0:
            s.registers[DEPTH] = DEAD
            return
        fill(m, s, v, bit)
    if len(s.order) > 0:
        s.remaining[0] = candidates(m, s, s.order[0])


@inlined
def fill(m: Model, s: State, v: int, bit: int) -> None:
    s.live[v] = bit
    s.row[v] = lowest(bit)
    for i in range(m.groups_of_at[v], m.groups_of_at[v + 1]):
        s.used[m.groups_of[i]] |= bit


@inlined
def empty(m: Model, s: State, v: int) -> None:
    bit = s.live[v]
    s.live[v] = 0
    for i in range(m.groups_of_at[v], m.groups_of_at[v + 1]):
        s.used[m.groups_of[i]] &= ~bit


@inlined
def candidates(m: Model, s: State, v: int) -> int:
    """The values of v that no filled cell forbids."""
    found = m.domain[v]
    for i in range(m.groups_of_at[v], m.groups_of_at[v + 1]):
        found &= ~s.used[m.groups_of[i]]
    for i in range(m.edge_at[v], m.edge_at[v + 1]):
        partner = s.live[m.edge_to[i]]
        if partner != 0:
            found &= m.allow[m.edge_back[i] + lowest(partner)]
    for i in range(s.full_at[v], s.full_at[v + 1]):
        if found != 0:
            s.live[v] = found
            found = completions(m, s.full[i], v, s.live)
            s.live[v] = 0
    return found


@jit
def advance(m: Model, s: State, out: Rows, stop: int) -> int:
    """Search on until `out` is full, `stop` nodes are made in all, or none are left; how many rows were written."""
    found = 0
    depth = s.registers[DEPTH]
    nodes = s.registers[NODES]
    full = len(s.order)
    while depth >= 0 and found < len(out):
        if depth == full:
            for v in range(len(s.row)):
                out[found, v] = s.row[v]
            found += 1
        elif s.remaining[depth] != 0:
            if nodes == stop:
                break
            rest = s.remaining[depth]
            bit = rest & -rest
            s.remaining[depth] = rest ^ bit
            nodes += 1
            fill(m, s, s.order[depth], bit)
            depth += 1
            if depth < full:
                s.remaining[depth] = candidates(m, s, s.order[depth])
            continue
        depth -= 1
        if depth >= 0:
            empty(m, s, s.order[depth])
    s.registers[DEPTH] = depth
    s.registers[NODES] = nodes
    return found


SOLVER = Solver(prepare, advance)
