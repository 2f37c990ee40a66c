"""What the propagators of `gac` share: the state of a search, and the two queues of work.

cells: those whose values changed since their pairs were looked at.  tasks: groups and nary constraints to revise.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crosscount.native.compiled import inlined, lowest
from crosscount.native.model import Ints, Model, zeros

if TYPE_CHECKING:
    from crosscount.native import alldifferent, arithmetic, tables

TRAIL = 2
"""Register: how long the trail is."""


class Queue(NamedTuple):
    """A ring in which nothing waits twice."""

    waiting: Ints  # [item] 0 or 1
    ring: Ints
    first: Ints  # [1]
    size: Ints  # [1]

    @staticmethod
    def full(items: int) -> "Queue":
        """Everything waits."""
        ring = np.arange(max(1, items))
        return Queue(np.ones(items, np.int64), ring, zeros(1), np.array([items]))


class Nary(NamedTuple):
    sums: "arithmetic.Scratch"
    tuples: "tables.Scratch"


class State(NamedTuple):
    live: Ints
    cell: Ints  # [depth] the cell chosen there
    remaining: Ints  # [depth] the values still to try there
    mark: Ints  # [depth] how long the trail was before that
    trail_cell: Ints
    trail_live: Ints
    cells: Queue
    tasks: Queue
    different: "alldifferent.Scratch"
    nary: Nary | None  # None where there are no such constraints
    registers: Ints

    @staticmethod
    def of(m: Model, different: "alldifferent.Scratch", nary: Nary | None) -> "State":
        """Nothing searched yet, and everything still to be revised."""
        n = len(m.domain)
        # Every entry of the trail took at least one value from a cell.
        longest = sum((int(mask) & (1 << 64) - 1).bit_count() for mask in m.domain) + 1
        return State(
            m.domain.copy(),
            zeros(n + 1),
            zeros(n + 1),
            zeros(n + 1),
            zeros(longest),
            zeros(longest),
            Queue.full(n),
            Queue.full(len(m.group_at) - 1 + len(m.kind)),
            different,
            nary,
            zeros(8),
        )


@inlined
def push(queue: Queue, item: int) -> None:
    if queue.waiting[item] == 0:
        queue.waiting[item] = 1
        place = queue.first[0] + queue.size[0]
        if place >= len(queue.ring):
            place -= len(queue.ring)
        queue.ring[place] = item
        queue.size[0] += 1


@inlined
def pop(queue: Queue) -> int:
    item: int = queue.ring[queue.first[0]]
    queue.waiting[item] = 0
    queue.first[0] += 1
    if queue.first[0] == len(queue.ring):
        queue.first[0] = 0
    queue.size[0] -= 1
    return item


@inlined
def shrink(m: Model, s: State, v: int, live: int, source: int) -> bool:
    """Leave v these values and queue what that concerns, but for the task `source`; False when none is left."""
    top = s.registers[TRAIL]
    s.trail_cell[top] = v
    s.trail_live[top] = s.live[v]
    s.registers[TRAIL] = top + 1
    s.live[v] = live
    push(s.cells, v)
    for i in range(m.groups_of_at[v], m.groups_of_at[v + 1]):
        if m.groups_of[i] != source:
            push(s.tasks, m.groups_of[i])
    groups = len(m.group_at) - 1
    for i in range(m.nary_of_at[v], m.nary_of_at[v + 1]):
        if groups + m.nary_of[i] != source:
            push(s.tasks, groups + m.nary_of[i])
    return live != 0


@inlined
def partners(m: Model, row: int, live: int, wanted: int) -> int:
    """Which of `wanted` go with at least one of `live` under the relation at `row`."""
    found = 0
    while live != 0 and found != wanted:
        found |= m.allow[row + lowest(live)] & wanted
        live &= live - 1
    return found


@inlined
def revise_pairs(m: Model, s: State, v: int) -> bool:
    """Take from other cells what no value of v goes with; False when one has none left."""
    live = s.live[v]
    if live & (live - 1) == 0:
        for i in range(m.peer_at[v], m.peer_at[v + 1]):
            u = m.peer[i]
            if s.live[u] & live != 0 and not shrink(m, s, u, s.live[u] ^ live, -1):
                return False
    for i in range(m.edge_at[v], m.edge_at[v + 1]):
        u = m.edge_to[i]
        kept = partners(m, m.edge_row[i], live, s.live[u])
        if kept != s.live[u] and not shrink(m, s, u, kept, -1):
            return False
    return True
