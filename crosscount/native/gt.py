"""Generate and test: every combination of values, like an odometer, checked only when the grid is full.

row: the index of each cell's value.  The last cell turns fastest.
"""

from typing import NamedTuple

import numpy as np

from crosscount.native.compiled import jit
from crosscount.native.model import Ints, zeros
from crosscount.native.plain import Flags, Plain, allowed, flatten
from crosscount.native.search import DEAD, DEPTH, NODES, Rows, Solver


class State(NamedTuple):
    value: Ints
    filled: Flags  # always all of them
    row: Rows
    registers: Ints


def prepare(p: Plain) -> State:
    n = len(p.domain_at) - 1
    s = State(zeros(n), np.ones(n, np.uint8), np.zeros(n, np.uint8), zeros(4))
    if np.any(np.diff(p.domain_at) == 0):
        s.registers[DEPTH] = DEAD
    else:
        s.value[:] = p.domain[p.domain_at[:-1]]
    return s


@jit
def advance(p: Plain, s: State, out: Rows, stop: int) -> int:
    """Test on until `out` is full, `stop` grids are tested in all, or none are left; how many rows were written."""
    found = 0
    nodes = s.registers[NODES]
    n = len(s.row)
    while s.registers[DEPTH] >= 0 and found < len(out) and nodes < stop:
        nodes += 1
        good = True
        for v in range(n):
            good = good and allowed(p, v, s.value, s.filled)
        if good:
            for v in range(n):
                out[found, v] = s.row[v]
            found += 1
        v = n - 1
        while v >= 0:
            s.row[v] += 1
            if p.domain_at[v] + s.row[v] < p.domain_at[v + 1]:
                s.value[v] = p.domain[p.domain_at[v] + s.row[v]]
                break
            s.row[v] = 0
            s.value[v] = p.domain[p.domain_at[v]]
            v -= 1
        if v < 0:
            s.registers[DEPTH] = DEAD
    s.registers[NODES] = nodes
    return found


SOLVER = Solver(prepare, advance, flatten)
