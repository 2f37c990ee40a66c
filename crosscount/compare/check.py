"""Is every row a solution? Whole batches at once, sharing nothing with the engines but the puzzle."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from crosscount.compare.digest import Columns
from crosscount.puzzles.constraints import AllDifferent, Constraint, Linear, Product, Relation, Table
from crosscount.puzzles.puzzle import Puzzle

Good = NDArray[np.bool_]
"""One flag a row."""
SAFE = 1 << 62
RELATIONS: dict[Relation, Callable[[NDArray[np.int64], int], Good]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}


class Checker:
    """Checks batches of one puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.low = min((domain[0] for domain in puzzle.domains if domain), default=0)
        self.high = max((domain[-1] for domain in puzzle.domains if domain), default=0)
        # One bit a value: cells differ exactly where adding their bits is the same as joining them.
        self.fits_word = self.high - self.low < 63

    def good(self, columns: Columns) -> Good:
        """Which solutions are; `columns` has one row a cell."""
        rows = columns.shape[1]
        good = self._in_domains(columns, rows)
        # What is outside of its domain may be any number; it is judged, so nothing is computed with it.
        columns = columns if good.all() else np.where(good, columns, self.low)
        bits = np.left_shift(1, columns - self.low) if self.fits_word else columns
        for constraint in self.puzzle.constraints:
            good &= self._holds(constraint, columns, bits, rows)
        return good

    def _in_domains(self, columns: Columns, rows: int) -> Good:
        good = np.ones(rows, np.bool_)
        for column, domain in zip(columns, self.puzzle.domains, strict=True):
            if domain and domain[-1] - domain[0] == len(domain) - 1:
                good &= (column >= domain[0]) & (column <= domain[-1])
            else:
                good &= np.isin(column, np.array(domain, np.int64))
        return good

    def _holds(self, constraint: Constraint, columns: Columns, bits: Columns, rows: int) -> Good:
        scope = list(constraint.scope)
        if not scope:
            return np.full(rows, constraint.holds(()))
        match constraint:
            case AllDifferent():
                if self.fits_word and len(scope) < 64:
                    return np.asarray(np.add.reduce(bits[scope]) == np.bitwise_or.reduce(bits[scope]), np.bool_)
                ordered = np.sort(columns[scope], axis=0)
                return np.asarray(np.all(ordered[1:] != ordered[:-1], axis=0), np.bool_)
            case Linear():
                largest = max(abs(self.low), abs(self.high))
                if sum(abs(c) for c in constraint.coefficients) * largest < SAFE and abs(constraint.value) < SAFE:
                    total = np.zeros(rows, np.int64)
                    for coefficient, v in zip(constraint.coefficients, scope, strict=True):
                        total += coefficient * columns[v]
                    return RELATIONS[constraint.relation](total, constraint.value)
            case Product():
                if max(abs(self.low), abs(self.high), 2) ** len(scope) < SAFE and abs(constraint.value) < SAFE:
                    return RELATIONS[constraint.relation](np.multiply.reduce(columns[scope]), constraint.value)
            case Table():
                found = np.zeros(rows, np.bool_)
                wanted = np.array([t for t in constraint.tuples if _fits(t)], np.int64).reshape(-1, len(scope))
                if len(wanted):
                    found = np.isin(_as_one(columns[scope].T), _as_one(wanted))
                return found if constraint.allowed else ~found
        # Numbers past 64 bits: exact, and slow.
        return np.array([constraint.holds(row) for row in columns[scope].T.tolist()], np.bool_)


def _fits(row: tuple[int, ...]) -> bool:
    """Whether a cell can hold such values at all."""
    return all(-SAFE < x < SAFE for x in row)


def _as_one(rows: Columns) -> NDArray[np.void]:
    """Each row as one value that can be compared."""
    rows = np.ascontiguousarray(rows)
    return rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
