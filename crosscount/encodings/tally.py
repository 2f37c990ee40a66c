"""What every engine here does with its clock and its limits."""

from collections.abc import Iterator, Sequence
from time import monotonic

import numpy as np

from crosscount.puzzles.engine import Batch, Limits, Solutions, Stopped, StopReason, solution_dtype
from crosscount.puzzles.puzzle import Puzzle

BEAT = 0.2
"""Seconds between batches, so that whoever watches sees at least four a second."""
ROWS = 4096
"""Solutions in a batch, where they come quickly."""


class Tally:
    """The solutions found but not yet handed out, and how far the limits are.

    The time limit counts from the moment this is made; `seconds` counts from `start`, after the model has been built.
    """

    def __init__(self, puzzle: Puzzle, limits: Limits) -> None:
        self.limits = limits
        self.found = 0
        self.waiting: list[Solutions] = []
        self.rows_waiting = 0
        self.nothing: Solutions = np.empty((0, len(puzzle.domains)), solution_dtype(puzzle))
        now = monotonic()
        self.deadline = None if limits.seconds is None else now + limits.seconds
        self.started = self.last = now

    def start(self) -> None:
        self.started = self.last = monotonic()

    @property
    def room(self) -> int | None:
        """How many more solutions may be found; None where there is no limit."""
        return None if self.limits.solutions is None else self.limits.solutions - self.found

    def left(self) -> float | None:
        """Seconds to the time limit; None where there is none."""
        return None if self.deadline is None else max(0.0, self.deadline - monotonic())

    def add(self, rows: Solutions | Sequence[Sequence[int]]) -> None:
        """Keep rows for the next batch, but no more of them than the limit allows."""
        room = self.room
        kept = np.asarray(rows, self.nothing.dtype).reshape(len(rows), self.nothing.shape[1])[:room]
        self.found += len(kept)
        self.rows_waiting += len(kept)
        self.waiting.append(kept)

    def due(self) -> bool:
        """Is it time to hand out a batch?"""
        return self.rows_waiting >= ROWS or monotonic() - self.last >= BEAT

    def batch(self, nodes: int | None, count: int | None = None) -> Batch:
        """Everything that waits."""
        rows = np.concatenate(self.waiting) if self.waiting else self.nothing
        self.waiting, self.rows_waiting = [], 0
        self.last = monotonic()
        return Batch(rows, nodes, self.last - self.started, count)

    def reached(self, nodes: int | None) -> StopReason | None:
        """The limit that has been reached, if any."""
        if self.room is not None and self.room <= 0:
            return "solutions"
        if self.limits.nodes is not None and nodes is not None and nodes >= self.limits.nodes:
            return "nodes"
        if self.deadline is not None and monotonic() >= self.deadline:
            return "time"
        return None

    def pulse(self, nodes: int | None) -> Iterator[Batch]:
        """A batch where one is due; the last one and then `Stopped` where a limit has been reached."""
        reason = self.reached(nodes)
        if reason is not None or self.due():
            yield self.batch(nodes)
        if reason is not None:
            raise Stopped(reason)
