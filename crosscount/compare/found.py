"""What one engine has found so far: counted, checked, and kept while it is small.

bucket: solutions fall into 2^16 of them by their fingerprint. Where a set is too large to keep, its buckets show where
two sets differ, and a second run keeps just those.
"""

from collections.abc import Set

import numpy as np

from crosscount.compare import digest
from crosscount.compare.check import Checker
from crosscount.compare.digest import Words
from crosscount.puzzles.engine import Solutions, solution_dtype
from crosscount.puzzles.puzzle import Puzzle

BUCKETS = 1 << 16
A_FEW = 16
"""Buckets to look into: more than one, because one lie may be a missing and a repeated solution at once."""
KEEP = 64 << 20
"""Bytes of solutions that are kept for each engine."""


class Found:
    """Fill it with `add`. With `only`, nothing is kept outside of those buckets."""

    def __init__(self, puzzle: Puzzle, keep: int = KEEP, only: Set[int] | None = None) -> None:
        self.checker = Checker(puzzle)
        self.cells = len(puzzle.domains)
        self.dtype = solution_dtype(puzzle)
        self.room = keep
        self.only = None if only is None else np.array(sorted(only), np.int64)
        self.count = 0
        self.digest = 0
        self.invalid = 0
        self.first_invalid: tuple[int, ...] | None = None
        self.is_kept = True
        self.is_ordered = False
        self._kept: list[Solutions] = []
        self._prints: list[Words] = []
        self.bucket_count = np.zeros(BUCKETS, np.int64)
        self.bucket_sum = np.zeros((BUCKETS, 2), np.uint64)

    def add(self, solutions: Solutions) -> None:
        """Take in a batch, whatever is in it; ValueError where it does not have one integer for each cell."""
        if solutions.ndim != 2 or solutions.shape[1] != self.cells:
            raise ValueError(f"a batch of shape {solutions.shape}, expected {self.cells} values a solution")
        if solutions.dtype.kind not in "iu":
            raise ValueError(f"values of type {solutions.dtype}, expected integers")
        if not len(solutions):
            return
        columns = np.ascontiguousarray(solutions.T, np.int64)
        good = self.checker.good(columns)
        prints = digest.fingerprints(columns)
        self.count += len(solutions)
        self.digest = (self.digest + digest.total(prints)) % (1 << 128)
        if not good.all():
            if self.first_invalid is None:
                self.first_invalid = tuple(int(x) for x in solutions[int(np.argmin(good))])
            self.invalid += int(np.count_nonzero(~good))
            solutions, prints = solutions[good], prints[good]
        buckets = (prints[:, 0] % np.uint64(BUCKETS)).astype(np.int64)
        np.add.at(self.bucket_count, buckets, 1)
        np.add.at(self.bucket_sum, buckets, prints)
        if self.only is not None:
            wanted = np.isin(buckets, self.only)
            solutions, prints = solutions[wanted], prints[wanted]
        self._keep(solutions.astype(self.dtype), prints)

    def _keep(self, solutions: Solutions, prints: Words) -> None:
        if not self.is_kept:
            return
        self.room -= solutions.nbytes + prints.nbytes
        if self.room < 0:
            self.is_kept = False
            self._kept.clear()
            self._prints.clear()
        else:
            self.is_ordered = False
            self._kept.append(solutions)
            self._prints.append(prints)

    @property
    def kept(self) -> Solutions:
        """The valid ones, in no promised order."""
        return self.in_order()[0]

    def in_order(self) -> tuple[Solutions, Words]:
        """The valid ones and their fingerprints, ordered by the latter: equal sets become equal arrays."""
        if not self._kept:
            return np.empty((0, self.cells), self.dtype), np.empty((0, 2), np.uint64)
        if not self.is_ordered:
            solutions, prints = np.concatenate(self._kept), np.concatenate(self._prints)
            # In place of what was there, because there is a lot of it.
            self._kept.clear()
            order = np.lexsort((prints[:, 1], prints[:, 0]))
            self._kept, self._prints = [solutions[order]], [prints[order]]
            self.is_ordered = True
        return self._kept[0], self._prints[0]

    def differing_buckets(self, other: "Found") -> set[int]:
        """A few buckets in which the valid solutions of the two are not the same; none where no bucket differs."""
        differs = (self.bucket_count != other.bucket_count) | np.any(self.bucket_sum != other.bucket_sum, axis=1)
        return set(np.flatnonzero(differs)[:A_FEW].tolist())

    def overfull_buckets(self, other: "Found") -> set[int]:
        """A few buckets that hold more here than in `other`."""
        return set(np.flatnonzero(self.bucket_count > other.bucket_count)[:A_FEW].tolist())
