"""Sums, products and tables of several cells, as part of a residual puzzle.

What has been filled in is carried as a partial sum or product, or as the set of tuples that agree with it. Values are
pruned by bounds, by divisibility and by the tuples left. A constraint that can no longer fail is not alive, and then
plays no part in what makes two residual puzzles the same.
"""

from typing import NamedTuple

from crosscount.native.arithmetic import EQUAL, UNEQUAL, possible, spread
from crosscount.native.compiled import inlined, jit, lowest
from crosscount.native.count_board import CHANGED, DEAD, QUIET, Board, Spots, copy_row, mixed
from crosscount.native.model import PRODUCT, SUM, Ints
from crosscount.native.nary import times
from crosscount.native.simplify import HUGE


class Nary(NamedTuple):
    """The constraints, numbered as in the model; a place is a cell in the scope of one of them."""

    of_at: Ints
    of: Ints  # places of each cell
    constraint: Ints  # [place]
    cell: Ints  # [place]; -1 for one that is filled at the root
    scope_at: Ints  # [constraint] its first place
    scope_mask: Ints  # [constraint, word]
    kind: Ints
    relation: Ints
    target: Ints
    weight: Ints  # [place, value] what the value adds, or multiplies by
    words_at: Ints  # [constraint] where its set of tuples begins in `valid`
    support: Ints  # [place, value, word] the tuples that hold the value at the place, as words of `valid`
    tuple_at: Ints  # [constraint]
    tuple_value: Ints  # [tuple_at + tuple * arity + place in scope]
    partial: Ints  # [depth, constraint]
    left: Ints  # [depth, constraint] open cells
    alive: Ints  # [depth, constraint]
    valid: Ints  # [depth, word]
    low: Ints  # [place in scope] scratch
    high: Ints


@inlined
def copy_down(n: Nary, depth: int) -> None:
    copy_row(n.partial[depth + 1], n.partial[depth])
    copy_row(n.left[depth + 1], n.left[depth])
    copy_row(n.alive[depth + 1], n.alive[depth])
    copy_row(n.valid[depth + 1], n.valid[depth])


@jit
def keep_part(n: Nary, d: int, part: Ints) -> None:
    """Constraints that concern none of these cells are not alive at depth d."""
    for c in range(len(n.kind)):
        meets = 0
        for w in range(len(part)):
            meets |= n.scope_mask[c, w] & part[w]
        if meets == 0:
            n.alive[d, c] = 0


@jit
def note_placed(n: Nary, p: Spots, d: int, first: int) -> None:
    """Carry over the cells filled since `first`."""
    for i in range(first, p.filled[0]):
        v = p.placed[i]
        x = p.row[v]
        for k in range(n.of_at[v], n.of_at[v + 1]):
            q = n.of[k]
            c = n.constraint[q]
            n.left[d, c] -= 1
            if n.kind[c] == SUM:
                n.partial[d, c] += n.weight[q, x]
            elif n.kind[c] == PRODUCT:
                n.partial[d, c] = times(n.partial[d, c], n.weight[q, x])
            else:
                at = n.words_at[c]
                for w in range(at, n.words_at[c + 1]):
                    n.valid[d, w] &= n.support[q, x, w - at]


@jit
def revise_all(m: Board, n: Nary, p: Spots, d: int) -> int:
    """Prune by every constraint that is alive, once."""
    did = QUIET
    for c in range(len(n.kind)):
        if n.alive[d, c] == 0:
            continue
        if n.kind[c] == SUM:
            outcome = revise_sum(n, p, d, c)
        elif n.kind[c] == PRODUCT:
            outcome = revise_product(n, p, d, c)
        elif n.relation[c] == 0:
            outcome = revise_allowed(n, p, d, c)
        else:
            outcome = revise_forbidden(n, p, d, c)
        if outcome == DEAD:
            return DEAD
        did |= outcome
    return did


@inlined
def is_open(p: Spots, d: int, v: int) -> bool:
    return v >= 0 and p.open[d, v >> 6] >> (v & 63) & 1 != 0


@inlined
def may(p: Spots, d: int, v: int, x: int) -> bool:
    return p.sets[d, x, v >> 6] >> (v & 63) & 1 != 0


@inlined
def remove(p: Spots, d: int, v: int, x: int) -> None:
    p.sets[d, x, v >> 6] &= ~(1 << (v & 63))
    p.fresh_values[0] |= 1 << (x & 63)


@jit
def measure(n: Nary, p: Spots, d: int, c: int) -> None:
    """The least and the largest that each open cell adds, or multiplies by."""
    first = n.scope_at[c]
    for q in range(first, n.scope_at[c + 1]):
        v = n.cell[q]
        if is_open(p, d, v):
            word, shift = v >> 6, v & 63
            low, high = HUGE, -HUGE
            for x in range(p.sets.shape[1]):
                if p.sets[d, x, word] >> shift & 1 != 0:
                    low = min(low, n.weight[q, x])
                    high = max(high, n.weight[q, x])
            n.low[q - first], n.high[q - first] = low, high


@inlined
def is_settled(n: Nary, d: int, c: int, low: int, high: int) -> bool:
    """Whether the constraint can no longer fail, given the bounds of its result."""
    relation = n.relation[c]
    return n.left[d, c] == 0 or not possible(low, high, relation ^ 1 if relation < 2 else 7 - relation, n.target[c])


@jit
def revise_sum(n: Nary, p: Spots, d: int, c: int) -> int:
    relation, target, first = n.relation[c], n.target[c], n.scope_at[c]
    measure(n, p, d, c)
    low, high = n.partial[d, c], n.partial[d, c]
    for q in range(first, n.scope_at[c + 1]):
        if is_open(p, d, n.cell[q]):
            low += n.low[q - first]
            high += n.high[q - first]
    if not possible(low, high, relation, target):
        return DEAD
    if is_settled(n, d, c, low, high):
        n.alive[d, c] = 0
        return QUIET
    if n.left[d, c] == 1:
        n.alive[d, c] = 0  # with one cell left, what is done now is all it can do
    elif relation == UNEQUAL:
        return QUIET
    did = QUIET
    for q in range(first, n.scope_at[c + 1]):
        v = n.cell[q]
        if not is_open(p, d, v):
            continue
        others_low, others_high = low - n.low[q - first], high - n.high[q - first]
        # Every value lies between the least and the largest, so where both fit all of them do.
        if n.left[d, c] > 1 and (
            possible(others_low + n.low[q - first], others_high + n.low[q - first], relation, target)
            and possible(others_low + n.high[q - first], others_high + n.high[q - first], relation, target)
        ):
            continue
        for x in range(p.sets.shape[1]):
            w = n.weight[q, x]
            if may(p, d, v, x) and not possible(others_low + w, others_high + w, relation, target):
                remove(p, d, v, x)
                did = CHANGED
    return did


@jit
def bounds_without(n: Nary, p: Spots, d: int, c: int, but: int) -> tuple[int, int]:
    """Bounds of the partial product together with every open cell, except for the place `but`."""
    first = n.scope_at[c]
    low, high = n.partial[d, c], n.partial[d, c]
    for q in range(first, n.scope_at[c + 1]):
        if q != but and is_open(p, d, n.cell[q]):
            low, high = spread(low, high, n.low[q - first], n.high[q - first])
    return low, high


@jit
def revise_product(n: Nary, p: Spots, d: int, c: int) -> int:
    relation, target = n.relation[c], n.target[c]
    measure(n, p, d, c)
    low, high = bounds_without(n, p, d, c, -1)
    if not possible(low, high, relation, target):
        return DEAD
    if is_settled(n, d, c, low, high):
        n.alive[d, c] = 0
        return QUIET
    if n.left[d, c] == 1:
        n.alive[d, c] = 0
    did = QUIET
    for q in range(n.scope_at[c], n.scope_at[c + 1]):
        v = n.cell[q]
        if not is_open(p, d, v):
            continue
        low, high = bounds_without(n, p, d, c, q)
        for x in range(p.sets.shape[1]):
            if may(p, d, v, x):
                w = n.weight[q, x]
                least, most = spread(low, high, w, w)
                so_far = times(n.partial[d, c], w)
                divides = relation != EQUAL or target == 0 or (so_far != 0 and target % so_far == 0)
                if not divides or not possible(least, most, relation, target):
                    remove(p, d, v, x)
                    did = CHANGED
    return did


@jit
def revise_allowed(n: Nary, p: Spots, d: int, c: int) -> int:
    """Only tuples whose every value is still there count, and only values of such a tuple stay."""
    first, last, at = n.scope_at[c], n.scope_at[c + 1], n.words_at[c]
    some = 0
    for w in range(at, n.words_at[c + 1]):
        tuples = n.valid[d, w]
        for q in range(first, last):
            if is_open(p, d, n.cell[q]):
                found = 0
                for x in range(p.sets.shape[1]):
                    if may(p, d, n.cell[q], x):
                        found |= n.support[q, x, w - at]
                tuples &= found
        n.valid[d, w] = tuples
        some |= tuples
    if some == 0:
        return DEAD
    if n.left[d, c] <= 1:
        n.alive[d, c] = 0  # with one cell left, what is done now is all it can do
    did = QUIET
    for q in range(first, last):
        if is_open(p, d, n.cell[q]):
            for x in range(p.sets.shape[1]):
                if may(p, d, n.cell[q], x):
                    found = 0
                    for w in range(at, n.words_at[c + 1]):
                        found |= n.valid[d, w] & n.support[q, x, w - at]
                    if found == 0:
                        remove(p, d, n.cell[q], x)
                        did = CHANGED
    return did


@jit
def revise_forbidden(n: Nary, p: Spots, d: int, c: int) -> int:
    """Prunes the last open cell; before that, only tells when no forbidden tuple is left."""
    first, last, at = n.scope_at[c], n.scope_at[c + 1], n.words_at[c]
    some = 0
    for w in range(at, n.words_at[c + 1]):
        some |= n.valid[d, w]
    if some == 0 or n.left[d, c] == 0:
        n.alive[d, c] = 0
        return QUIET if some == 0 else DEAD
    if n.left[d, c] > 1:
        return QUIET
    n.alive[d, c] = 0  # after this it cannot fail
    did = QUIET
    for q in range(first, last):
        if is_open(p, d, n.cell[q]):
            for x in range(p.sets.shape[1]):
                if may(p, d, n.cell[q], x):
                    found = 0
                    for w in range(at, n.words_at[c + 1]):
                        found |= n.valid[d, w] & n.support[q, x, w - at]
                    if found != 0:
                        remove(p, d, n.cell[q], x)
                        did = CHANGED
    return did


@jit
def hash_nary(m: Board, n: Nary, p: Spots, d: int) -> tuple[int, int]:
    """128 bits for what is carried; for a table, for its tuples as far as their cells are open, in no order."""
    low, up = 0, 0
    for c in range(len(n.kind)):
        if n.alive[d, c] == 0:
            continue
        a, b = m.factors[0, 0] + 2 * c, m.factors[0, 1] - 2 * c
        if n.kind[c] == SUM or n.kind[c] == PRODUCT:
            a = mixed(a ^ n.partial[d, c], m.factors[0, 1])
            b = mixed(b + n.partial[d, c], m.factors[0, 0])
        else:
            at, first = n.words_at[c], n.scope_at[c]
            arity = n.scope_at[c + 1] - first
            for w in range(at, n.words_at[c + 1]):
                tuples = n.valid[d, w]
                while tuples != 0:
                    t = (w - at) * 64 + lowest(tuples)
                    tuples &= tuples - 1
                    e, f = m.factors[0, 0], m.factors[0, 1]
                    for q in range(arity):
                        if is_open(p, d, n.cell[first + q]):
                            x = n.tuple_value[n.tuple_at[c] + t * arity + q]
                            e = mixed(e ^ (x * 4096 + q + 1), m.factors[0, 1])
                            f = mixed(f + (x * 4096 + q + 1), m.factors[0, 0])
                    a += mixed(e, f ^ m.factors[0, 0])
                    b += mixed(f, e ^ m.factors[0, 1])
        low += mixed(a, b ^ m.factors[0, 1])
        up += mixed(b, a ^ m.factors[0, 0])
    return low, up
