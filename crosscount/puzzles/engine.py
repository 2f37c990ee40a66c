"""The one shape of every engine, ours or foreign: a function from a puzzle and limits to batches of solutions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from crosscount.puzzles.puzzle import Puzzle

Solutions = NDArray[np.signedinteger[Any]]
"""One row a solution, one column a cell, in the dtype of `solution_dtype`."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a run must stop; None means never. Memory is in bytes."""

    seconds: float | None = None
    solutions: int | None = None
    nodes: int | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """What an engine hands out as it goes, a few times a second even when there is nothing new to show."""

    solutions: Solutions
    """Those found since the last batch; no rows is fine."""
    nodes: int | None
    """All so far; None where the engine cannot tell."""
    seconds: float
    """Spent searching so far, without preparing and compiling."""
    count: int | None = None
    """Only from engines that count without listing: how many are known so far."""
    closed: float | None = None
    """Which fraction of the search space needs no more looking at, where the engine can tell."""


StopReason = Literal["time", "solutions", "nodes", "memory", "gave up"]


class Stopped(Exception):
    """An engine ends without claiming that there are no more solutions."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason = reason


class Unavailable(Exception):
    """An engine cannot run here or not on this puzzle; the message says why and what would help."""


@dataclass(frozen=True, slots=True)
class Engine:
    """`search` is a generator. Exhausting it claims completeness; it raises `Stopped` at a limit."""

    name: str
    family: str
    title: str
    node: str
    """What this engine counts as a node."""
    search: Callable[[Puzzle, Limits], Iterator[Batch]]
    counts_only: bool = False
    warm: Callable[[Puzzle], None] | None = None
    """Compile or load what `search` will need for this puzzle. Not under any limit, so that a first run is like a
    second one."""


def solution_dtype(puzzle: Puzzle) -> np.dtype[np.signedinteger[Any]]:
    """The smallest signed integer that holds every value of the puzzle."""
    values = [x for domain in puzzle.domains if domain for x in (domain[0], domain[-1])] or [0]
    for dtype in (np.int8, np.int16, np.int32, np.int64):
        if np.iinfo(dtype).min <= min(values) and max(values) <= np.iinfo(dtype).max:
            return np.dtype(dtype)
    raise Unavailable("a value does not fit into 64 bits")
