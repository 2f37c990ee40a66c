"""A fingerprint of each solution, and a digest of a set of them that does not depend on their order.

A fingerprint is 128 bits: two sums over the cells of the value times a fixed random word, modulo 2^64, each stirred by
the finaliser of splitmix64 (Steele, Lea and Flood, 2014). The digest of a set is the sum of its fingerprints modulo
2^128, so a solution that comes twice changes it. Two different sets have the same digest by accident with a probability
of about 2^-120; nobody is kept from making them collide on purpose.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Columns = NDArray[np.int64]
"""One row a cell, so that a cell's values lie side by side."""
Words = NDArray[np.uint64]

_SEED = 0x243F6A8885A308D3  # the first digits of pi: nothing up our sleeve
_WORD = (1 << 64) - 1


def fingerprints(columns: Columns) -> Words:
    """One row of two words for each solution; `columns` has one row a cell."""
    cells, rows = columns.shape
    high, low = np.ones(rows, np.uint64), np.ones(rows, np.uint64)
    for values, (a, b) in zip(columns.view(np.uint64), _keys(cells), strict=True):
        high += values * a
        low += values * b
    high, low = _stir(high), _stir(low)
    # Each word depends on both sums, so that 128 bits are 128 bits.
    return np.stack([_stir(high + low), _stir(high ^ (low << np.uint64(1)))], axis=1)


def total(prints: Words) -> int:
    """The digest of the solutions with these fingerprints, to be added modulo 2^128."""
    # Sums of 32-bit halves cannot overflow, so that carries are not lost.
    low_half, high_half = prints & np.uint64(0xFFFFFFFF), prints >> np.uint64(32)
    high, low = (int(x) + (int(y) << 32) for x, y in zip(low_half.sum(axis=0), high_half.sum(axis=0), strict=True))
    return ((high << 64) + low) % (1 << 128)


def shown(digest: int) -> str:
    """A digest as people and JSON see it."""
    return f"{digest:032x}"


@lru_cache(maxsize=16)
def _keys(cells: int) -> Words:
    """Two random odd words for each cell, the same on every machine."""
    state, words = _SEED, []
    for _ in range(2 * cells):
        state = (state + 0x9E3779B97F4A7C15) & _WORD
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _WORD
        words.append((z ^ (z >> 31)) | 1)
    return np.array(words, np.uint64).reshape(cells, 2)


def _stir(x: Words) -> Words:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
