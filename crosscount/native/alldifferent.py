"""All-different, made consistent by matching and strongly connected components (Régin, 1994).

mate: the value matched with each open cell, as a bit.  owner: the open cell matched with each value.
Only open cells take part: what filled ones forbid is gone from `live` already. Components are found by closing the
reachability of values under Warshall's rule, one word a value, which for 64 values beats a depth-first search.
"""

from typing import NamedTuple

import numpy as np

from crosscount.native.compiled import inlined, jit, lowest, popcount
from crosscount.native.consistency import State, shrink
from crosscount.native.model import WIDE, Ints, Model, zeros
from crosscount.native.simplify import WIDTH


class Scratch(NamedTuple):
    """Only `match` means anything between two calls: a matching of a subset of values is one of all of them."""

    match: Ints  # [place in group] the value last matched there, as a bit
    place: Ints  # [open cell] its place in the group
    live: Ints  # [open cell]
    mate: Ints  # [open cell]
    owner: Ints  # [value]
    reached_by: Ints  # [value] the open cell from which the augmenting path came to it
    queue: Ints
    reach: Ints  # [value] the values that a chain of moves from its owner leads to

    @staticmethod
    def of(m: Model) -> "Scratch":
        widest = max([WIDTH, *m.target[m.kind == WIDE].tolist()])
        sizes = np.concatenate([np.diff(m.group_at), np.diff(m.scope_at), [1]])
        cells = int(sizes.max())
        return Scratch(
            match=zeros(len(m.group)),
            place=zeros(cells),
            live=zeros(cells),
            mate=zeros(cells),
            owner=zeros(widest),
            reached_by=zeros(widest),
            queue=zeros(max(cells, widest) + 1),
            reach=zeros(WIDTH),
        )


@inlined
def revise(m: Model, s: State, g: int) -> bool:
    """Make group g consistent; False when a cell has no value left."""
    d = s.different
    size, smallest, union = 0, 65, 0
    for place in range(m.group_at[g], m.group_at[g + 1]):
        live = s.live[m.group[place]]
        if live & (live - 1) != 0:
            d.place[size] = place
            d.live[size] = live
            size += 1
            union |= live
            smallest = min(smallest, popcount(live))
    # With as many values as cells in every cell, whatever one takes leaves the others enough (Hall).
    if smallest >= size:
        return True
    if popcount(union) < size:
        return False
    taken = matching(d, size)
    return taken != 0 and prune(m, s, g, size, union, taken)


@inlined
def matching(d: Scratch, size: int) -> int:
    """Match every open cell with a value of its own; the values used, or 0 where that is impossible."""
    taken = 0
    for i in range(size):
        bit = d.match[d.place[i]] & d.live[i] & ~taken
        if bit != 0:
            d.owner[lowest(bit)] = i
        d.mate[i] = bit
        taken |= bit
    for i in range(size):
        if d.mate[i] == 0:
            bit = augment(d, i, taken)
            if bit == 0:
                return 0
            taken |= bit
    for i in range(size):
        d.match[d.place[i]] = d.mate[i]
    return taken


@inlined
def augment(d: Scratch, start: int, taken: int) -> int:
    """Give cell `start` a value by moving others along an alternating path; the value newly used, or 0."""
    d.queue[0] = start
    head, tail, seen = 0, 1, 0
    while head < tail:
        i = d.queue[head]
        head += 1
        new = d.live[i] & ~seen
        free = new & ~taken
        if free != 0:
            bit = free & -free
            gained = bit
            while True:
                left = d.mate[i]
                d.mate[i] = bit
                d.owner[lowest(bit)] = i
                if i == start:
                    return gained
                bit = left
                i = d.reached_by[lowest(left)]
        seen |= new
        while new != 0:
            b = lowest(new)
            new &= new - 1
            d.reached_by[b] = i
            d.queue[tail] = d.owner[b]
            tail += 1
    return 0


@inlined
def prune(m: Model, s: State, g: int, size: int, union: int, taken: int) -> bool:
    """Remove every value that no maximum matching uses (Berge): on no alternating cycle, on no path to a free value.

    A chain of moves is a cell taking another's value, whose owner takes the next. It must end in a free value or
    where it began.
    """
    d = s.different
    free = union & ~taken
    for i in range(size):
        d.reach[lowest(d.mate[i])] = d.live[i] & ~d.mate[i]
    for k in range(size):
        through = d.mate[k]
        onward = d.reach[lowest(through)]
        for i in range(size):
            b = lowest(d.mate[i])
            if d.reach[b] & through != 0:
                d.reach[b] |= onward
    loose = free
    for i in range(size):
        if d.reach[lowest(d.mate[i])] & free != 0:
            loose |= d.mate[i]
    for i in range(size):
        kept = d.live[i] & (loose | d.mate[i])
        if kept != d.live[i]:
            for k in range(size):
                if d.reach[lowest(d.mate[k])] & d.mate[i] != 0:
                    kept |= d.mate[k]
            kept &= d.live[i]
            if kept != d.live[i]:
                shrink(m, s, m.group[d.place[i]], kept, g)
    return True


@jit
def revise_wide(m: Model, s: State, c: int) -> bool:
    """Make an all-different consistent whose values do not fit into one word; False when a cell has none left.

    Values go by number. A value is kept where the cell that owns it can be matched anew without it.
    """
    d = s.different
    size = 0
    for place in range(m.scope_at[c], m.scope_at[c + 1]):
        live = s.live[m.scope[place]]
        if live & (live - 1) != 0:
            d.place[size] = place
            d.live[size] = live
            d.mate[size] = -1
            size += 1
    for number in range(m.target[c]):
        d.owner[number] = -1
    for i in range(size):
        end = chain_to_free(m, d, i, i, -1, m.target[c])
        if end < 0:
            return False
        while True:
            mover = d.reached_by[end]
            left = d.mate[mover]
            d.mate[mover] = end
            d.owner[end] = mover
            if mover == i:
                break
            end = left
    groups = len(m.group_at) - 1
    for i in range(size):
        kept = 0
        rest = d.live[i]
        while rest != 0:
            bit = rest & -rest
            rest ^= bit
            number = m.weight[d.place[i] * WIDTH + lowest(bit)]
            owner = d.owner[number]
            if owner < 0 or owner == i or chain_to_free(m, d, owner, i, number, m.target[c]) >= 0:
                kept |= bit
        if kept != d.live[i]:
            shrink(m, s, m.scope[d.place[i]], kept, groups + c)
    return True


@jit
def chain_to_free(m: Model, d: Scratch, start: int, mover: int, banned: int, numbers: int) -> int:
    """Where a chain of moves from `start` ends that does not use value `banned`, or -1.

    It ends in a value that is free, or that `mover`, who took the banned one, has left; it never passes `mover`.
    """
    for number in range(numbers):
        d.reached_by[number] = -1
    d.queue[0] = start
    head, tail = 0, 1
    while head < tail:
        i = d.queue[head]
        head += 1
        rest = d.live[i]
        while rest != 0:
            number = m.weight[d.place[i] * WIDTH + lowest(rest)]
            rest &= rest - 1
            if number == banned or d.reached_by[number] >= 0:
                continue
            d.reached_by[number] = i
            if d.owner[number] < 0 or (d.owner[number] == mover and start != mover):
                return number
            d.queue[tail] = d.owner[number]
            tail += 1
    return -1
