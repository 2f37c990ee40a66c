"""Uniformly random solutions, from the memory of a counting search.

At each choice a value is drawn with a probability of exactly what it leaves over what all of them leave, in whole
numbers, so that every solution is equally likely. What was dropped from the memory is counted again.
"""

import random
from collections.abc import Generator
from itertools import accumulate

from crosscount.native.count import Counter, Counting, begin, memory_for
from crosscount.native.count_board import component, first_open, is_full
from crosscount.native.count_limbs import to_int
from crosscount.native.count_search import descend, take_part
from crosscount.puzzles.engine import Limits
from crosscount.puzzles.puzzle import Puzzle

REMEMBERED = 1 << 16
"""Choices whose numbers are kept, so that drawing again costs little."""
ENDLESS = 1 << 62


class Sampler:
    """Draws from the solutions of a puzzle that has been counted; it has at least one."""

    def __init__(self, counter: Counter) -> None:
        self.counter = counter
        self._total = counter.known  # drawing counts again, and leaves the counter at something smaller
        self.shares: dict[bytes, list[tuple[int, int]]] = {}

    @property
    def total(self) -> int:
        """How many solutions there are to draw from."""
        return self._total

    def draw(self, random: random.Random) -> list[int]:
        """One solution."""
        self._fill(0, random)
        found = self.counter.root.row.tolist()
        for place, v in enumerate(self.counter.order):
            found[v] = int(self.counter.spots.row[place])
        return [self.counter.layout.values[x] for x in found]

    def _fill(self, d: int, random: random.Random) -> None:
        """Fill what stands at depth d."""
        c = self.counter
        if is_full(c.spots, d):
            return
        rest = c.search.rest[d]
        rest[:] = c.spots.open[d]
        if not component(c.board, c.spots, d, c.nary, rest, c.search.rest[d + 1], c.search.todo):
            while rest.any():
                take_part(c.board, c.spots, c.nary, c.search, d)
                self._choose(d + 1, random)
            return
        self._choose(d, random)

    def _choose(self, d: int, random: random.Random) -> None:
        c = self.counter
        v = int(first_open(c.spots, d))
        shares = self._shares(d, v)
        drawn = random.randrange(sum(share for _, share in shares))
        ends = accumulate(share for _, share in shares)
        x = next(x for (x, _), end in zip(shares, ends, strict=True) if drawn < end)
        descend(c.board, c.spots, c.nary, d, v, x)
        self._fill(d + 1, random)

    def _shares(self, d: int, v: int) -> list[tuple[int, int]]:
        """The values of cell v that leave something, with how much."""
        c = self.counter
        key = self._exactly(d)
        if key in self.shares:
            return self.shares[key]
        shares = []
        for x in range(len(c.layout.values)):
            if c.spots.sets[d, x, v >> 6] >> (v & 63) & 1 and descend(c.board, c.spots, c.nary, d, v, x):
                c.enter(d + 1)
                c.drive(d + 1, ENDLESS)
                shares.append((x, to_int(c.search.result)))
        if len(self.shares) < REMEMBERED:
            self.shares[key] = shares
        return shares

    def _exactly(self, d: int) -> bytes:
        """What stands at depth d, names and all: the hash would take other names for the same."""
        c = self.counter
        exactly = c.spots.open[d].tobytes() + c.spots.sets[d].tobytes()
        if c.nary is not None:
            n = c.nary
            exactly += n.partial[d].tobytes() + n.alive[d].tobytes() + n.valid[d].tobytes()
        return exactly


def sampler(puzzle: Puzzle, limits: Limits) -> Generator[Counting, None, Sampler | None]:
    """Count, yielding now and then, and return what draws; None where there is no solution. Stopped at a limit."""
    begun = begin(puzzle, memory_for(limits))
    if begun is None:
        return None
    counting = Counting(begun, limits)
    yield from counting
    counter = counting.counter
    return Sampler(counter) if counter.known else None
