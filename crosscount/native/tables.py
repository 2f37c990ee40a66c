"""Tables, made consistent by the sets of tuples that support each value."""

from typing import NamedTuple

import numpy as np

from crosscount.native.compiled import jit, lowest, popcount
from crosscount.native.consistency import State, shrink
from crosscount.native.model import Ints, Model, zeros
from crosscount.native.nary import times


class Scratch(NamedTuple):
    valid: Ints  # [word] the tuples all of whose values are still there
    kept: Ints  # [place in scope]

    @staticmethod
    def of(m: Model) -> "Scratch":
        words = max([1, *m.words.tolist()])
        cells = max([1, *np.diff(m.scope_at).tolist()])
        return Scratch(zeros(words), zeros(cells))


@jit
def revise(m: Model, s: State, t: Scratch, c: int) -> bool:
    """Make table c consistent; False when a cell has no value left."""
    words = m.words[c]
    first, last = m.scope_at[c], m.scope_at[c + 1]
    combinations = 1
    for place in range(first, last):
        combinations = times(combinations, popcount(s.live[m.scope[place]]))
    for word in range(words):
        valid = -1
        for place in range(first, last):
            found = 0
            rest = s.live[m.scope[place]]
            while rest != 0:
                found |= m.support[m.support_at[place] + lowest(rest) * words + word]
                rest &= rest - 1
            valid &= found
        t.valid[word] = valid
    # All are judged before any is removed: a count of forbidden tuples must not mix the two.
    for place in range(first, last):
        live = s.live[m.scope[place]]
        others = combinations // popcount(live)
        kept = 0
        rest = live
        while rest != 0:
            bit = rest & -rest
            rest ^= bit
            if supported(m, t, c, m.support_at[place] + lowest(bit) * words, others):
                kept |= bit
        t.kept[place - first] = kept
    groups = len(m.group_at) - 1
    for place in range(first, last):
        v = m.scope[place]
        kept = t.kept[place - first]
        if kept != s.live[v] and not shrink(m, s, v, kept, groups + c):
            return False
    return True


@jit
def supported(m: Model, t: Scratch, c: int, start: int, others: int) -> bool:
    """Whether a value, whose set begins at `start`, occurs in an allowed tuple, or in one that is not forbidden.

    `others` is the number of ways to choose the other cells: forbidden tuples must leave one of them.
    """
    count = 0
    for word in range(m.words[c]):
        tuples = m.support[start + word] & t.valid[word]
        if tuples != 0 and m.relation[c] == 0:
            return True
        count += popcount(tuples)
    return m.relation[c] != 0 and count < others
