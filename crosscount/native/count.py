"""Counting without listing: search that remembers what it has already counted.

Residual puzzles that are the same have the same count; so have those that differ by the names of values that no
constraint tells apart; components that no longer share a constraint multiply. `count_search` is the search,
`count_memory` what it remembers, `count_board` and `count_nary` are what a residual puzzle is, `count_order` chooses
the order of the cells.
"""

import time
from collections.abc import Iterator

import numpy as np

from crosscount.native import count_memory
from crosscount.native.compiled import saying_so
from crosscount.native.count_board import Board, Spots
from crosscount.native.count_limbs import to_int
from crosscount.native.count_model import Flags, Layout, Root, arrange, lay_out
from crosscount.native.count_nary import Nary
from crosscount.native.count_order import best_order, residuals
from crosscount.native.count_record import Record
from crosscount.native.count_search import (
    DEPTH,
    DONE,
    LARGER,
    LONGER,
    NODES,
    PENDING,
    RESULT_ID,
    SIZE,
    WIDER,
    Search,
    advance,
    enter,
    settle,
)
from crosscount.native.count_state import at_least, closed, fresh, widen
from crosscount.native.model import Ints, flatten
from crosscount.puzzles.engine import Batch, Limits, Stopped, StopReason, solution_dtype
from crosscount.puzzles.puzzle import Puzzle

MEMORY = 768 << 20
"""Bytes for the table where no limit is given; it is doubled only as it fills."""
PATIENCE = 1 << 17
"""Subproblems counted in reading order before another order is looked for."""
SLICE = 0.01
QUIET = 0.1
"""Seconds between two looks at the limits, and between two batches."""


class Counter:
    """A counting search of the cells in one order, driven step by step.

    `memory` and `recording` are bytes: for the table, and for a record of the search, of which 0 makes none.
    """

    def __init__(self, layout: Layout, root: Root, order: list[int], memory: int = MEMORY, recording: int = 0) -> None:
        self.layout, self.root, self.order, self.memory, self.recording = layout, root, order, memory, recording
        self.board: Board
        self.spots: Spots
        self.nary: Nary | None
        self.board, self.spots, self.nary = arrange(layout, root, order)
        self.search: Search = fresh(self.spots, memory)
        self.room = len(layout.values) * (len(order) + 1) + 1
        self.record = Record.empty(len(self.spots.open), self.room) if recording else None
        self.begun = False

    @property
    def nodes(self) -> int:
        return int(self.search.registers[NODES])

    @property
    def is_done(self) -> bool:
        registers = self.search.registers
        return self.begun and bool(registers[DEPTH] < 0) and bool(registers[PENDING])

    @property
    def known(self) -> int:
        """The count where it is done, otherwise how many there are at least."""
        return to_int(self.search.result) if self.is_done else at_least(self.search)

    @property
    def closed(self) -> float:
        return 1.0 if self.is_done else closed(self.search)

    @property
    def last(self) -> int:
        """The number of what was counted last in the record: where it is done, of the whole puzzle."""
        return int(self.search.registers[RESULT_ID])

    def run(self, stop: int) -> bool:
        """Search on until `stop` subproblems in all; whether everything is counted. Stopped where memory runs out."""
        if not self.begun:
            self.begun = True
            self.enter(0)
        return self.drive(0, stop)

    def enter(self, depth: int) -> None:
        """Begin to count what stands at this depth."""
        self.search.registers[DEPTH] = depth - 1
        self.search.registers[PENDING] = 0
        enter(self.board, self.spots, self.nary, self.search, depth, False)

    def drive(self, base: int, stop: int) -> bool:
        """Count what was entered at depth `base`; whether that is done."""
        while True:
            reason = advance(self.board, self.spots, self.nary, self.search, self.record, base, stop)
            if reason == WIDER:
                self.search = widen(self.search, self.memory)
            elif reason == LARGER:
                count_memory.double(self.search.table, int(self.search.registers[SIZE]))
                self.search.registers[SIZE] *= 2
            elif reason == LONGER and self.record is not None:
                if 2 * self.record.bytes > self.recording:
                    raise Stopped("memory")
                self.record = self.record.longer(self.room)
            else:
                return reason == DONE


def settled(layout: Layout) -> tuple[Root, list[int]] | None:
    """Everything filled that is forced from the start, and the open cells; None where that leaves no solution."""
    n = layout.start.shape[1]
    cells = list(range(n))
    board, spots, nary = arrange(layout, Root.of(layout), cells)
    if not settle(board, spots, nary, 0, 0):
        return None
    carried = (
        (nary.partial, nary.left, nary.alive, nary.valid) if nary is not None else (np.zeros((1, 0), np.int64),) * 4
    )
    start = _unpacked(spots.sets[0], n)
    root = Root(spots.row, start, spots.used[0].copy(), *(array[0].copy() for array in carried))
    return root, np.flatnonzero(_unpacked(spots.open, n)[0]).tolist()


def _unpacked(words: Ints, n: int) -> Flags:
    octets = np.ascontiguousarray(words).view(np.uint8)
    return np.unpackbits(octets, axis=-1, bitorder="little")[..., :n].astype(np.bool_)


def warm(puzzle: Puzzle) -> None:
    """Compile, or load from the cache, what counting this puzzle needs."""
    begin(puzzle, 0)


def begin(puzzle: Puzzle, memory: int) -> Counter | None:
    """A search that has not begun, with everything compiled; None where it is plain that there is no solution."""
    flat = flatten(puzzle)
    if flat.contradiction:
        return None
    layout = lay_out(flat)
    with saying_so("count"):
        found = settled(layout)
        if found is None:
            return None
        root, cells = found
        counter = Counter(layout, root, cells, memory)
        counter.run(0)
        count_memory.double(np.zeros((8, count_memory.COUNT + 1), np.int64), 4)
        if cells:
            residuals(layout, root, cells, 1)
    return counter


def filling_order(puzzle: Puzzle) -> list[int]:
    """All cells, in the order that leaves the fewest residual puzzles, where only cells with one value are filled."""
    cells = list(range(len(puzzle.domains)))
    flat = flatten(puzzle)
    layout = None if flat.contradiction else lay_out(flat).by_cells_alone()
    found = None if layout is None else settled(layout)
    if layout is None or found is None:
        return cells
    order = best_order(layout, *found)
    return [*order, *sorted({*cells} - {*order})]


def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    """How many solutions the puzzle has; see `Engine`. The last batch has the exact count."""
    nothing = np.empty((0, len(puzzle.domains)), solution_dtype(puzzle))
    begun = begin(puzzle, memory_for(limits))
    if begun is None:
        yield Batch(nothing, 0, 0.0, 0, 1.0)
        return
    counting = Counting(begun, limits)
    for _ in counting:
        yield Batch(nothing, counting.nodes, counting.seconds, counting.at_least(), counting.counter.closed)
    yield Batch(nothing, counting.nodes, counting.seconds, counting.counter.known, 1.0)


def memory_for(limits: Limits) -> int:
    """Bytes that the table may take: half of the limit, because a process is more than its table."""
    return MEMORY if limits.memory is None else min(MEMORY, limits.memory // 2)


class Counting:
    """A search that changes to a better order when reading order takes long, in slices, with limits in between."""

    def __init__(self, counter: Counter, limits: Limits) -> None:
        self.counter, self.limits = counter, limits
        self.has_chosen = False
        self.before = 0
        """Subproblems counted in an order that was given up."""
        self.best = 0
        self.step = 256
        self.begun = self.told = time.perf_counter()
        self.seconds = 0.0

    def __iter__(self) -> "Iterator[Counting]":
        """Itself a few times a second until all is counted; Stopped at a limit."""
        while not self.counter.is_done:
            reason = self.reached()
            if reason is not None or self.is_time_to_tell:
                yield self
            if reason is not None:
                raise Stopped(reason)
            self.advance()

    @property
    def nodes(self) -> int:
        return self.before + self.counter.nodes

    @property
    def is_time_to_tell(self) -> bool:
        now = time.perf_counter()
        if now - self.told < QUIET:
            return False
        self.told = now
        return True

    def at_least(self) -> int:
        self.best = max(self.best, self.counter.known)
        return self.best

    def reached(self) -> StopReason | None:
        """The limit that is used up, if one is."""
        if self.limits.seconds is not None and time.perf_counter() - self.begun >= self.limits.seconds:
            return "time"
        if self.limits.nodes is not None and self.nodes >= self.limits.nodes:
            return "nodes"
        return None

    def advance(self) -> None:
        """Search on for about a slice."""
        begun = time.perf_counter()
        if not self.has_chosen and self.counter.nodes >= PATIENCE:
            self.has_chosen = True
            self.choose()
        stop = self.counter.nodes + self.step
        if self.limits.nodes is not None:
            stop = min(stop, self.limits.nodes - self.before)
        self.counter.run(stop)
        took = time.perf_counter() - begun
        self.seconds += took
        # Twice as far next time when that was soon done, half as far when it took long.
        if took > SLICE:
            self.step = max(1, self.step // 2)
        elif took < SLICE / 2:
            self.step *= 2

    def choose(self) -> None:
        """Go on in the order that looks best, from the start where it is another one."""
        counter = self.counter
        deadline = None if self.limits.seconds is None else self.begun + self.limits.seconds
        order = best_order(counter.layout, counter.root, counter.order, deadline)
        if order != counter.order:
            self.at_least()
            self.before += counter.nodes
            self.counter = Counter(counter.layout, counter.root, order, counter.memory, counter.recording)
