"""Between a solver that calls back from a thread of its own and a generator that hands out batches."""

from collections import deque
from threading import Condition
from typing import Generic, TypeVar

from crosscount.encodings.tally import BEAT, ROWS

FULL = 4 * ROWS
"""Rows that wait at most; then the solver waits too, so that a slow reader does not fill the memory."""

Row = TypeVar("Row")


class Stream(Generic[Row]):
    """Rows on their way from the solver's thread to the reader's.

    A deque needs no lock for appending and taking; the lock is only for waiting.
    """

    def __init__(self) -> None:
        self.changed = Condition()
        self.rows: deque[Row] = deque()
        self.ended = False
        self.stopping = False

    def put(self, row: Row) -> bool:
        """Called by the solver. False asks it to stop."""
        self.rows.append(row)
        if len(self.rows) % ROWS == 0:
            with self.changed:
                self.changed.notify_all()
                self.changed.wait_for(lambda: self.stopping or len(self.rows) < FULL)
        return not self.stopping

    def end(self) -> None:
        """Called by the solver: there is nothing more to come."""
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def take(self) -> list[Row]:
        """Called by the reader: what has come; waits a little for more."""
        with self.changed:
            self.changed.wait_for(lambda: self.ended or len(self.rows) >= ROWS, BEAT / 2)
            rows = [self.rows.popleft() for _ in range(len(self.rows))]
            self.changed.notify_all()
            return rows

    def stop(self) -> None:
        """Called by the reader: no row will be taken any more."""
        with self.changed:
            self.stopping = True
            self.changed.notify_all()
