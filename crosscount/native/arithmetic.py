"""Sums and products, made consistent through a decision diagram of their partial results.

A layer of the diagram holds the distinct partial sums, or products, of the first few open cells; an arc is one value
of the next cell. Values on no arc of a path from the first layer to an accepted end have no support. Beyond ARCS arcs
the bounds of the cells are reasoned with instead.
"""

from typing import NamedTuple

import numpy as np

from crosscount.native.compiled import inlined, jit, lowest
from crosscount.native.consistency import State, shrink
from crosscount.native.model import PRODUCT, SUM, Ints, Model, zeros
from crosscount.native.nary import related, times
from crosscount.native.simplify import HUGE, WIDTH

ARCS = 1 << 14
SLOTS = 1 << 15

EQUAL, UNEQUAL, AT_MOST, LESS, AT_LEAST = 0, 1, 2, 3, 4


class Scratch(NamedTuple):
    place: Ints  # [open cell] its place in scope
    low: Ints  # [open cell] the least and the largest it adds, or multiplies by
    high: Ints
    low_after: Ints  # [open cell] the same for the sum of those after it
    high_after: Ints
    kept: Ints  # [open cell]
    total: Ints  # [diagram node] the partial result
    alive: Ints  # [diagram node] whether a path leads on to an accepted end
    tail: Ints  # [arc]
    head: Ints
    value: Ints  # [arc] which value of which open cell, as cell * WIDTH + bit
    slot: Ints  # hash table of the nodes of one layer
    stamp: Ints  # [slot] which layer it was filled for
    clock: Ints  # [1]

    @staticmethod
    def of(m: Model) -> "Scratch":
        used = bool(np.any((m.kind == SUM) | (m.kind == PRODUCT)))
        cells = max([1, *np.diff(m.scope_at).tolist()]) + 1
        arcs, slots = (ARCS + 2, SLOTS) if used else (1, 1)
        lengths = [cells] * 6 + [arcs] * 5 + [slots] * 2 + [1]
        return Scratch(*(zeros(length) for length in lengths))


@jit
def revise(m: Model, s: State, a: Scratch, c: int) -> bool:
    """Make a sum or product consistent; False when a cell has no value left."""
    is_product = m.kind[c] == PRODUCT
    fixed = 1 if is_product else 0
    size = 0
    for place in range(m.scope_at[c], m.scope_at[c + 1]):
        live = s.live[m.scope[place]]
        if live & (live - 1) == 0:
            w = m.weight[place * WIDTH + lowest(live)]
            fixed = times(fixed, w) if is_product else fixed + w
        else:
            a.place[size] = place
            measure(m, a, size, live)
            size += 1
    if size == 0:
        return related(fixed, m.relation[c], m.target[c])
    # For sums, bounds say all there is to say about inequalities, and about != as the weights of a cell differ.
    exact = (is_product or m.relation[c] == EQUAL) and diagram(m, s, a, c, size, fixed, is_product)
    if not exact:
        bounds(m, s, a, c, size, fixed, is_product)
    # Bounds that moved may let others move; what came from a diagram, or is an inequality, is at its fixpoint.
    source = len(m.group_at) - 1 + c if exact or (not is_product and m.relation[c] != EQUAL) else -1
    for i in range(size):
        v = m.scope[a.place[i]]
        if a.kept[i] != s.live[v] and not shrink(m, s, v, a.kept[i], source):
            return False
    return True


@inlined
def measure(m: Model, a: Scratch, i: int, live: int) -> None:
    a.low[i], a.high[i] = HUGE, -HUGE
    while live != 0:
        w = m.weight[a.place[i] * WIDTH + lowest(live)]
        live &= live - 1
        a.low[i] = min(a.low[i], w)
        a.high[i] = max(a.high[i], w)


@jit
def diagram(m: Model, s: State, a: Scratch, c: int, size: int, fixed: int, is_product: bool) -> bool:
    """Fill `kept` exactly; False where the diagram has too many arcs."""
    target, relation = m.target[c], m.relation[c]
    a.low_after[size - 1] = 0
    a.high_after[size - 1] = 0
    for i in range(size - 1, 0, -1):
        a.low_after[i - 1] = a.low_after[i] + a.low[i]
        a.high_after[i - 1] = a.high_after[i] + a.high[i]
    a.total[0] = fixed
    first, nodes, arcs = 0, 1, 0
    for i in range(size):
        last = nodes
        a.clock[0] += 1
        for node in range(first, last):
            rest = s.live[m.scope[a.place[i]]]
            while rest != 0:
                b = lowest(rest)
                rest &= rest - 1
                w = m.weight[a.place[i] * WIDTH + b]
                if is_product:
                    total = times(a.total[node], w)
                    if target == 0 and relation <= UNEQUAL:
                        total = 0 if total == 0 else 1  # only that is asked
                    if relation == EQUAL and target != 0 and (total == 0 or target % total != 0):
                        continue
                else:
                    total = a.total[node] + w
                    if total + a.low_after[i] > target or total + a.high_after[i] < target:
                        continue
                if arcs == ARCS:
                    return False
                head = node_of(a, total, nodes)
                if head == nodes:
                    a.total[nodes] = total
                    nodes += 1
                a.tail[arcs] = node
                a.head[arcs] = head
                a.value[arcs] = i * WIDTH + b
                arcs += 1
        first = last
    for node in range(nodes):
        a.alive[node] = 1 if node >= first and related(a.total[node], relation, target) else 0
    for i in range(size):
        a.kept[i] = 0
    for arc in range(arcs - 1, -1, -1):
        if a.alive[a.head[arc]] != 0:
            a.alive[a.tail[arc]] = 1
            a.kept[a.value[arc] // WIDTH] |= 1 << (a.value[arc] % WIDTH)
    return True


@inlined
def node_of(a: Scratch, total: int, new: int) -> int:
    """The node of the layer under construction that stands for `total`; `new`, entered, where there is none."""
    slot = (total * 0x9E3779B97F4A7C1 >> 20) & (SLOTS - 1)
    while a.stamp[slot] == a.clock[0]:
        if a.total[a.slot[slot]] == total:
            return a.slot[slot]
        slot = (slot + 1) & (SLOTS - 1)
    a.stamp[slot] = a.clock[0]
    a.slot[slot] = new
    return new


@jit
def bounds(m: Model, s: State, a: Scratch, c: int, size: int, fixed: int, is_product: bool) -> None:
    """Fill `kept` with the values that fit between the bounds of what the other cells make."""
    low_total, high_total = fixed, fixed
    for i in range(size):
        low_total += a.low[i]
        high_total += a.high[i]
    for i in range(size):
        low, high = low_total - a.low[i], high_total - a.high[i]
        if is_product:
            low, high = fixed, fixed
            for k in range(size):
                if k != i:
                    low, high = spread(low, high, a.low[k], a.high[k])
        a.kept[i] = 0
        rest = s.live[m.scope[a.place[i]]]
        while rest != 0:
            bit = rest & -rest
            rest ^= bit
            w = m.weight[a.place[i] * WIDTH + lowest(bit)]
            if is_product:
                least, most = spread(low, high, w, w)
            else:
                least, most = low + w, high + w
            if possible(least, most, m.relation[c], m.target[c]):
                a.kept[i] |= bit


@inlined
def spread(a: int, b: int, c: int, d: int) -> tuple[int, int]:
    """The least and the largest product of something between a and b with something between c and d."""
    ac, ad, bc, bd = times(a, c), times(a, d), times(b, c), times(b, d)
    return min(min(ac, ad), min(bc, bd)), max(max(ac, ad), max(bc, bd))


@inlined
def possible(least: int, most: int, relation: int, target: int) -> bool:
    """Whether something between `least` and `most` stands in the relation to the target."""
    if relation == EQUAL:
        return least <= target <= most
    if relation == UNEQUAL:
        return least != most or least != target
    return related(least if relation in (AT_MOST, LESS) else most, relation, target)
