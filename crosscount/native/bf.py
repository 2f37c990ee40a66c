"""Brute force: cells in reading order, every value of the domain, checked after it is placed.

tried: for each depth, how many values of that cell have been placed.  row: the index of each cell's value.
"""

from typing import NamedTuple

import numpy as np

from crosscount.native.compiled import jit
from crosscount.native.model import Ints, zeros
from crosscount.native.plain import Flags, Plain, allowed, flatten
from crosscount.native.search import DEAD, DEPTH, NODES, Rows, Solver


class State(NamedTuple):
    order: Ints  # [depth] open cells
    tried: Ints
    value: Ints
    filled: Flags
    row: Rows
    registers: Ints


def prepare(p: Plain) -> State:
    """Givens filled; the depth is DEAD where they contradict each other."""
    sizes = np.diff(p.domain_at)
    n = len(sizes)
    order = np.flatnonzero(sizes != 1)
    s = State(
        order,
        zeros(len(order) + 1),
        zeros(n),
        np.zeros(n, np.uint8),
        np.zeros(n, np.uint8),
        zeros(4),
    )
    begin(p, s, np.flatnonzero(sizes == 1))
    return s


@jit
def begin(p: Plain, s: State, givens: Ints) -> None:
    for v in givens:
        s.value[v] = p.domain[p.domain_at[v]]
        s.filled[v] = 1
        if not allowed(p, v, s.value, s.filled):
            s.registers[DEPTH] = DEAD


@jit
def advance(p: Plain, s: State, out: Rows, stop: int) -> int:
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
        else:
            v = s.order[depth]
            i = p.domain_at[v] + s.tried[depth]
            if i < p.domain_at[v + 1]:
                if nodes == stop:
                    break
                nodes += 1
                s.row[v] = s.tried[depth]
                s.tried[depth] += 1
                s.value[v] = p.domain[i]
                s.filled[v] = 1
                if allowed(p, v, s.value, s.filled):
                    depth += 1
                    s.tried[depth] = 0
                continue
            s.filled[v] = 0
        depth -= 1
    s.registers[DEPTH] = depth
    s.registers[NODES] = nodes
    return found


SOLVER = Solver(prepare, advance, flatten)
