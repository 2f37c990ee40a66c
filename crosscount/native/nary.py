"""Constraints on several cells, seen from the one cell that is still open."""

from crosscount.native.compiled import inlined, jit, lowest
from crosscount.native.model import PRODUCT, SUM, TABLE, Ints, Model
from crosscount.native.simplify import HUGE, WIDTH


@inlined
def times(a: int, b: int) -> int:
    """The product, stuck at plus or minus HUGE where it would pass it; only a zero brings it back."""
    if a == 0 or b == 0:
        return 0
    if abs(a) > HUGE // abs(b):
        return HUGE if (a > 0) == (b > 0) else -HUGE
    return a * b


@inlined
def related(a: int, relation: int, b: int) -> bool:
    """Whether a stands in the relation of this code to b."""
    if relation == 0:
        return a == b
    if relation == 1:
        return a != b
    if relation == 2:
        return a <= b
    if relation == 3:
        return a < b
    if relation == 4:
        return a >= b
    return a > b


@jit
def completions(m: Model, c: int, v: int, live: Ints) -> int:
    """The values of v that satisfy the nary constraint c, every other cell of which has one value in `live`."""
    if m.kind[c] == TABLE:
        return table_completions(m, c, v, live)
    if m.kind[c] != SUM and m.kind[c] != PRODUCT:
        return live[v]  # a wide all-different is also there as edges, which say the same here
    is_product = m.kind[c] == PRODUCT
    total = 1 if is_product else 0
    place = 0
    for p in range(m.scope_at[c], m.scope_at[c + 1]):
        if m.scope[p] == v:
            place = p
        else:
            w = m.weight[p * WIDTH + lowest(live[m.scope[p]])]
            total = times(total, w) if is_product else total + w
    kept = 0
    rest = live[v]
    while rest != 0:
        bit = rest & -rest
        rest ^= bit
        w = m.weight[place * WIDTH + lowest(bit)]
        if related(times(total, w) if is_product else total + w, m.relation[c], m.target[c]):
            kept |= bit
    return kept


@jit
def table_completions(m: Model, c: int, v: int, live: Ints) -> int:
    """As `completions`, for a table: intersect the tuples that agree with every other cell."""
    matched = 0
    words = m.words[c]
    for word in range(words):
        tuples = -1  # all
        place = 0
        for p in range(m.scope_at[c], m.scope_at[c + 1]):
            if m.scope[p] == v:
                place = p
            else:
                tuples &= m.support[m.support_at[p] + lowest(live[m.scope[p]]) * words + word]
        rest = live[v] & ~matched if tuples != 0 else 0
        while rest != 0:
            bit = rest & -rest
            rest ^= bit
            if m.support[m.support_at[place] + lowest(bit) * words + word] & tuples != 0:
                matched |= bit
    return matched if m.relation[c] == 0 else live[v] & ~matched
