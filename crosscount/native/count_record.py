"""The counting search written down: a directed acyclic graph of subproblems.

A node is a choice (its cell, and an edge for each value that leaves something) or a product (an edge for each
component). A node is numbered when it is finished, so that edges lead to smaller numbers; SOLVED is where nothing is
left to fill. An edge of a choice also lists what was filled on the way, the choice itself first.

What a frame has collected waits on a stack until the frame is finished: what is below it comes and goes in between.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crosscount.native.compiled import inlined
from crosscount.native.count_board import Spots
from crosscount.native.model import Ints, zeros

Small = NDArray[np.int32]
"""Half the memory of the other arrays: the record is what limits a recorded search."""

NODES, EDGES, FILLS, WAITING, WAITING_FILLS = range(5)
"""Sizes: of the graph, and of the stack."""


class Record(NamedTuple):
    cell: Small  # [node] in the order of the search; -1 for a product
    edge_at: Small  # [node + 1] its first edge
    value: Small  # [edge] number of the value
    child: Small  # [edge] a node, or SOLVED
    fill_at: Small  # [edge + 1]
    fill: Small  # cell * values + value
    waiting_value: Small
    waiting_child: Small
    waiting_fills: Small  # [waiting edge] how many fills it has
    waiting_fill: Small
    edge_mark: Ints  # [depth] how high the stacks were when the frame was opened
    fill_mark: Ints
    sizes: Ints

    @staticmethod
    def empty(depths: int, room: int) -> "Record":
        """Nothing recorded; `room` is more than one step of the search can need."""
        lists = [np.zeros(2 * room, np.int32) for _ in range(10)]
        return Record._make([*lists, zeros(depths), zeros(depths), zeros(5)])

    @property
    def bytes(self) -> int:
        return sum(array.nbytes for array in self)

    def longer(self, room: int) -> "Record":
        """Twice as long where `room` would not fit any more."""
        used = self.sizes.tolist()
        need = [used[NODES], used[NODES], used[EDGES], used[EDGES], used[EDGES], used[FILLS]]
        need += [used[WAITING]] * 3 + [used[WAITING_FILLS]]
        grown = [
            np.concatenate([array, np.zeros(len(array), np.int32)]) if length + room >= len(array) else array
            for array, length in zip(self[:10], need, strict=True)
        ]
        return Record._make([*grown, *self[10:]])


@inlined
def has_room(r: Record, room: int) -> bool:
    return (
        r.sizes[NODES] + room < len(r.cell)
        and r.sizes[EDGES] + room < len(r.value)
        and r.sizes[FILLS] + room < len(r.fill)
        and r.sizes[WAITING] + room < len(r.waiting_value)
        and r.sizes[WAITING_FILLS] + room < len(r.waiting_fill)
    )


@inlined
def open_frame(r: Record, d: int) -> None:
    r.edge_mark[d] = r.sizes[WAITING]
    r.fill_mark[d] = r.sizes[WAITING_FILLS]


@inlined
def add_fills(r: Record, p: Spots) -> None:
    """What has just been placed waits; its edge comes when its child has been counted."""
    top = r.sizes[WAITING_FILLS]
    for i in range(p.filled[0]):
        v = p.placed[i]
        r.waiting_fill[top + i] = v * p.sets.shape[1] + p.row[v]
    r.sizes[WAITING_FILLS] = top + p.filled[0]


@inlined
def add_edge(r: Record, d: int, value: int, child: int) -> None:
    """The child of the frame at depth d that has just been counted; fills that no edge has yet are its own."""
    top = r.sizes[WAITING]
    before = r.fill_mark[d]
    for i in range(r.edge_mark[d], top):
        before += r.waiting_fills[i]
    r.waiting_value[top] = value
    r.waiting_child[top] = child
    r.waiting_fills[top] = r.sizes[WAITING_FILLS] - before
    r.sizes[WAITING] = top + 1


@inlined
def close_frame(r: Record, d: int, cell: int) -> int:
    """Move what has waited into the graph; the number of the node."""
    node, edge, fill = r.sizes[NODES], r.sizes[EDGES], r.sizes[FILLS]
    r.cell[node] = cell
    r.edge_at[node] = edge
    taken = r.fill_mark[d]
    for i in range(r.edge_mark[d], r.sizes[WAITING]):
        r.value[edge] = r.waiting_value[i]
        r.child[edge] = r.waiting_child[i]
        r.fill_at[edge] = fill
        for _ in range(r.waiting_fills[i]):
            r.fill[fill] = r.waiting_fill[taken]
            fill += 1
            taken += 1
        edge += 1
    r.edge_at[node + 1] = edge
    r.fill_at[edge] = fill
    r.sizes[NODES] = node + 1
    r.sizes[EDGES] = edge
    r.sizes[FILLS] = fill
    r.sizes[WAITING] = r.edge_mark[d]
    r.sizes[WAITING_FILLS] = r.fill_mark[d]
    return node
