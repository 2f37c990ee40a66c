"""How a compiled search is driven: in slices of a few milliseconds, with limits in between."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crosscount.native.compiled import saying_so
from crosscount.native.model import Flat, Ints, flatten
from crosscount.puzzles.engine import Batch, Limits, Solutions, Stopped, StopReason, solution_dtype
from crosscount.puzzles.puzzle import Puzzle

Rows = NDArray[np.uint8]
"""Solutions as bit indices, one row each."""

DEPTH, NODES = 0, 1
"""Registers that every state has."""
DEAD = -1
"""The depth of a search that is over."""

SLICE = 0.004
QUIET = 0.1
"""Seconds between two looks at the limits, and between two batches when nothing is found."""
BATCH = 4096


@dataclass(frozen=True, slots=True)
class Solver:
    """A resumable search: `prepare(model)` makes a state, `advance(model, state, out, stop)` moves it on."""

    prepare: Callable[[Any], Any]
    advance: Callable[[Any, Any, Rows, int], int]
    flatten: Callable[[Puzzle], Flat[Any]] = flatten


def _start(name: str, solver: Solver, flat: Flat[Any]) -> Any:
    """The state of a search that has not begun, with everything compiled."""
    with saying_so(name):
        state = solver.prepare(flat.model)
        nowhere = np.empty((0, len(flat.table)), np.uint8)
        solver.advance(flat.model, state, nowhere, 0)
    return state


def warm(name: str, solver: Solver, puzzle: Puzzle) -> None:
    """Compile, or load from the cache, what a search of this puzzle needs."""
    flat = solver.flatten(puzzle)
    if not flat.contradiction:
        _start(name, solver, flat)


def search(name: str, solver: Solver, puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    """Every solution of the puzzle, in batches; see `Engine`."""
    dtype = solution_dtype(puzzle)
    flat = solver.flatten(puzzle)
    if flat.contradiction:
        yield Batch(np.empty((0, len(puzzle.domains)), dtype), 0, 0.0)
        return
    decode = Decoder(flat, dtype)
    state = _start(name, solver, flat)
    registers: Ints = state.registers
    out = np.empty((BATCH, len(puzzle.domains)), np.uint8)
    begun = shown = now = time.perf_counter()
    step, found, searched = 16, 0, 0.0
    while registers[DEPTH] >= 0:
        reason = _reached(limits, now - begun, found, int(registers[NODES]))
        if reason is not None:
            yield Batch(decode(out[:0]), int(registers[NODES]), searched)
            raise Stopped(reason)
        room = BATCH if limits.solutions is None else min(BATCH, limits.solutions - found)
        stop = int(registers[NODES]) + step
        rows = solver.advance(flat.model, state, out[:room], stop if limits.nodes is None else min(stop, limits.nodes))
        found += rows
        took = time.perf_counter() - now
        now += took
        searched += took
        # Twice as far next time when that was soon done, half as far when it took long.
        if took > SLICE:
            step = max(1, step // 2)
        elif took < SLICE / 2 and registers[NODES] == stop:
            step *= 2
        if rows or now - shown > QUIET or registers[DEPTH] < 0:
            shown = now
            yield Batch(decode(out[:rows]), int(registers[NODES]), searched)
            now = time.perf_counter()
    if found == 0 and registers[NODES] == 0:
        yield Batch(decode(out[:0]), 0, searched)  # nothing to search, which is worth a word too


def _reached(limits: Limits, seconds: float, found: int, nodes: int) -> StopReason | None:
    """The limit that is used up, if one is."""
    if limits.seconds is not None and seconds >= limits.seconds:
        return "time"
    if limits.solutions is not None and found >= limits.solutions:
        return "solutions"
    if limits.nodes is not None and nodes >= limits.nodes:
        return "nodes"
    return None


class Decoder:
    """From bit indices to values."""

    def __init__(self, flat: Flat[Any], dtype: np.dtype[np.signedinteger[Any]]) -> None:
        self.dtype = dtype
        self.offsets = flat.table * flat.values.shape[1]
        self.values = flat.values.ravel().astype(dtype)
        used = flat.values[0]
        size = int(np.count_nonzero(used[1:] > used[:-1])) + 1
        self.one_table = len(flat.values) == 1
        # The common case, values that follow each other, is one addition.
        self.is_shift = self.one_table and bool(np.all(np.diff(used[:size]) == 1)) and dtype == np.int8

    def __call__(self, rows: Rows) -> Solutions:
        if self.is_shift:
            return np.add(rows.view(np.int8), self.values[0])
        return self.values[rows] if self.one_table else self.values[rows + self.offsets]
