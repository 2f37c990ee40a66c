"""Engines that misbehave, which services under test know besides the real ones."""

import os
import signal
import time
from collections.abc import Iterator

from crosscount.native import ENGINES as NATIVE
from crosscount.puzzles.engine import Batch, Engine, Limits
from crosscount.puzzles.puzzle import Puzzle


def _lies(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    """Changes a cell of the first solution that gac finds."""
    for k, batch in enumerate(NATIVE["gac"].search(puzzle, limits)):
        solutions = batch.solutions.copy()
        if k == 0 and len(solutions):
            row = solutions[0]
            free = next(v for v, domain in enumerate(puzzle.domains) if len(domain) > 1)
            row[free] = next(x for x in puzzle.domains[free] if x != row[free])
        yield Batch(solutions, batch.nodes, batch.seconds)


def _hangs(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    yield from ()
    time.sleep(3600)


def _dies(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    yield from ()
    os.kill(os.getpid(), signal.SIGSEGV)


def _swells(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    """Takes memory, a little at a time, until it is stopped."""
    yield from ()
    taken = []
    while True:
        taken.append(b"x" * (64 << 20))
        time.sleep(0.005)


ENGINES = {
    engine.name: engine
    for engine in (
        Engine("liar", "lies", "changes a cell of one solution", "nothing", _lies),
        Engine("hangs", "lies", "never comes back", "nothing", _hangs),
        Engine("dies", "lies", "ends with a signal", "nothing", _dies),
        Engine("swells", "lies", "takes all memory there is", "nothing", _swells),
    )
}
