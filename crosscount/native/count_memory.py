"""The memory of the counting search: which residual puzzles have been counted, and what came out.

A residual puzzle is known by a hash of 128 bits. Entries stand in buckets of four; a bucket is chosen by the low bits
of the hash, so that when the table is doubled each bucket splits in two, in place. Once the table is as large as it
may become, a new entry takes the place of the one in its bucket that was cheapest to count, or is dropped itself.

An entry is a row of int64: hash low, hash high, note, count (one word or more). The note is 0 for an empty place,
otherwise `id << 8 | 1 + log2(effort)`: the effort is the number of subproblems that counting took, the id is used by
whoever records the search.
"""

import numpy as np

from crosscount.native.compiled import inlined, jit
from crosscount.native.count_limbs import widened
from crosscount.native.model import Ints

PLACES = 4
LOW, HIGH, NOTE, COUNT = 0, 1, 2, 3
"""The columns of an entry; the count has all that are left."""
SMALLEST = 1 << 10
"""Entries to begin with."""


def allocate(bytes_at_most: int, words: int) -> Ints:
    """An empty table; the system gives memory only for what is written to."""
    size = SMALLEST
    while 2 * size * 8 * (COUNT + words) <= bytes_at_most:
        size *= 2
    return np.zeros((size, COUNT + words), np.int64)


def widen(table: Ints, words: int, bytes_at_most: int, used: int) -> Ints:
    """The first `used` rows of the table with room for more words of count; no smaller than it was in rows used."""
    wider = allocate(bytes_at_most, words)
    if len(wider) < used:
        wider = np.zeros((used, COUNT + words), np.int64)
    wider[:used, :COUNT] = table[:used, :COUNT]
    wider[:used, COUNT:] = widened(table[:used, COUNT:], words)
    return wider


@inlined
def find(table: Ints, size: int, low: int, high: int) -> int:
    """The row of this hash, or -1. `size` rows of the table are in use."""
    first = (low & (size // PLACES - 1)) * PLACES
    for i in range(first, first + PLACES):
        if table[i, LOW] == low and table[i, HIGH] == high and table[i, NOTE] != 0:
            return i
    return -1


@inlined
def note(effort: int, number: int) -> int:
    level = 1
    while effort > 1:
        effort >>= 1
        level += 1
    return number << 8 | level


@inlined
def store(table: Ints, size: int, low: int, high: int, note: int, count: Ints) -> int:
    """Keep a count; 1 where it took an empty place, 0 where it replaced another or was dropped."""
    first = (low & (size // PLACES - 1)) * PLACES
    place, cheapest = -1, note & 255
    new = 0
    for i in range(first, first + PLACES):
        if table[i, NOTE] == 0:
            place, new = i, 1
            break
        if table[i, NOTE] & 255 <= cheapest:
            place, cheapest = i, table[i, NOTE] & 255
    if place >= 0:
        table[place, LOW] = low
        table[place, HIGH] = high
        table[place, NOTE] = note
        for k in range(len(count)):
            table[place, COUNT + k] = count[k]
    return new


@jit
def double(table: Ints, size: int) -> None:
    """Spread the entries of the first `size` rows over twice as many; the rows after them are empty."""
    for first in range(0, size, PLACES):
        stay, go = first, first + size
        for i in range(first, first + PLACES):
            if table[i, NOTE] == 0:
                continue
            if table[i, LOW] & (size // PLACES) != 0:
                to = go
                go += 1
            else:
                to = stay
                stay += 1
            if to != i:
                for k in range(table.shape[1]):
                    table[to, k] = table[i, k]
                table[i, NOTE] = 0
