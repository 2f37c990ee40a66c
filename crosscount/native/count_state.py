"""The state of a counting search: made, widened, read."""

import numpy as np

from crosscount.native import count_memory
from crosscount.native.count_board import Spots
from crosscount.native.count_limbs import to_int, widened
from crosscount.native.count_search import CELL, COLUMNS, DEPTH, SIZE, TRIED, WIDTH, Search
from crosscount.native.model import Ints, zeros

REGISTERS = 8


def fresh(spots: Spots, memory: int) -> Search:
    """Nothing counted, one word a count; the table may take so many bytes."""
    depths, words = spots.open.shape
    registers = zeros(REGISTERS)
    registers[DEPTH] = -1
    registers[SIZE] = count_memory.SMALLEST
    return Search(
        np.zeros((depths, COLUMNS), np.int64),
        np.zeros((depths, 1), np.int64),
        zeros(1),
        zeros(2),
        np.zeros((depths, words), np.int64),
        zeros(words),
        _allocate(memory),
        np.full(2, -1),
        registers,
    )


def _allocate(memory: int) -> Ints:
    while True:
        try:
            return count_memory.allocate(memory, 1)
        except MemoryError:
            if memory < count_memory.SMALLEST:
                raise
            memory //= 2


def widen(s: Search, memory: int) -> Search:
    """The same search with twice as many words a count."""
    words = 2 * len(s.result)
    size = int(s.registers[SIZE])
    return s._replace(
        total=widened(s.total, words),
        result=widened(s.result, words),
        scratch=zeros(2 * words),
        table=count_memory.widen(s.table, words, memory, size),
    )


def at_least(s: Search) -> int:
    """How many solutions the frames are sure of: sums so far, and products whose last component is being counted."""
    known = 0
    for d in range(int(s.registers[DEPTH]), -1, -1):
        if s.frame[d, CELL] >= 0:
            known += to_int(s.total[d])
        else:
            known *= to_int(s.total[d]) if not s.rest[d].any() else 0
    return known


def closed(s: Search) -> float:
    """Which fraction of the search space needs no more looking at, each value of a cell being an equal part of it."""
    share, done = 1.0, 0.0
    for d in range(int(s.registers[DEPTH]) + 1):
        if s.frame[d, CELL] >= 0:
            done += share * int(s.frame[d, TRIED]) / int(s.frame[d, WIDTH])
            share /= int(s.frame[d, WIDTH])
    return done
