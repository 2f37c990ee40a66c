"""One engine in this process: every batch is handed on as it comes, and what it did is told at the end."""

import signal
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from crosscount.compare import digest
from crosscount.compare.found import Found
from crosscount.compare.runs import Run, Status
from crosscount.puzzles.engine import Batch, Engine, Limits, Stopped, Unavailable
from crosscount.puzzles.puzzle import Puzzle


def run_alone(engine: Engine, puzzle: Puzzle, limits: Limits) -> Generator[Batch, None, Run]:
    """Batches as the engine yields them, each checked; the return value is the run.

    An interrupt ends it early, and never in the middle of a batch: what was counted is what was handed on.
    """
    begun = time.perf_counter()
    found = Found(puzzle, keep=0)
    nodes, search_seconds, count = None, 0.0, None
    status: Status = "complete"
    reason = ""
    search = iter(engine.search(puzzle, limits))
    try:
        with _interrupts() as interrupt:
            while (batch := interrupt.next(search)) is not None:
                nodes, search_seconds = batch.nodes, batch.seconds
                found.add(batch.solutions)
                count = batch.count if engine.counts_only else found.count
                if found.first_invalid is not None:
                    wrong = "; ".join(map(str, puzzle.violated(found.first_invalid)[:3]))
                    status, reason = "failed", f"reported a grid that is not a solution: {wrong}"
                    break
                yield batch
    except Stopped as stopped:
        status, reason = "stopped", stopped.reason
    except Unavailable as unavailable:
        status, reason = "skipped", str(unavailable)
    except KeyboardInterrupt:
        status, reason = "stopped", "interrupted"
    except Exception as error:
        # PySAT catches Ctrl-C itself and makes an error of its own of it.
        if "keyboard interrupt" not in str(error):
            raise
        status, reason = "stopped", "interrupted"
    finally:
        if hasattr(search, "close"):
            search.close()
    shown = None if engine.counts_only or status == "skipped" else digest.shown(found.digest)
    seconds = time.perf_counter() - begun
    return Run(engine.name, engine.family, status, reason, count, shown, None, nodes, seconds, search_seconds)


class _Interrupt:
    """Lets Ctrl-C through while the engine works, and keeps it for later while somebody prints what was found."""

    def __init__(self) -> None:
        self.came = False
        self.may_raise = False

    def note(self, number: int, frame: FrameType | None) -> None:
        # A second one means that the person has lost patience.
        if self.may_raise or self.came:
            raise KeyboardInterrupt
        self.came = True

    def next(self, search: Iterator[Batch]) -> Batch | None:
        self.may_raise = True
        if self.came:
            raise KeyboardInterrupt
        batch = next(search, None)
        self.may_raise = False
        return batch


@contextmanager
def _interrupts() -> Iterator[_Interrupt]:
    """Take the place of Python's own handler, where that is in force and this thread may replace it."""
    interrupt = _Interrupt()
    before = signal.getsignal(signal.SIGINT)
    mine = current_thread() is main_thread() and before is signal.default_int_handler
    if mine:
        signal.signal(signal.SIGINT, interrupt.note)
    try:
        yield interrupt
    finally:
        if mine:
            signal.signal(signal.SIGINT, before)
