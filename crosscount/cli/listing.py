"""Solutions on standard output while they are found, as grids or as JSON."""

import json
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from crosscount.cli.course import performance
from crosscount.compare import as_json as objects
from crosscount.compare.runs import Run
from crosscount.compare.words import close
from crosscount.puzzles.draw import draw
from crosscount.puzzles.engine import Batch, Solutions
from crosscount.puzzles.puzzle import Puzzle

PROGRESS = 0.25
"""Seconds between two lines of progress."""


class Listing(ABC):
    """Remembers the first solution and, where a person watches but sees no solutions, tells how far it is."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.first: Sequence[int] | None = None
        self.count = 0
        self.told = time.perf_counter()
        self.tells = sys.stderr.isatty() and not sys.stdout.isatty()

    def add(self, batch: Batch) -> None:
        if len(batch.solutions):
            if self.first is None:
                self.first = batch.solutions[0].tolist()
            self.count += len(batch.solutions)
            self.show(batch.solutions)
        if self.tells and time.perf_counter() - self.told > PROGRESS:
            self.told = time.perf_counter()
            nodes = "" if batch.nodes is None else f", {batch.nodes} nodes"
            sys.stderr.write(f"\r\x1b[K{self.count} solutions{nodes}, {batch.seconds:.1f} s")
            sys.stderr.flush()

    @abstractmethod
    def show(self, solutions: Solutions) -> None:
        """Print them; `count` includes them already."""

    @abstractmethod
    def close(self, run: Run, total_seconds: float) -> None:
        """Print how it ended."""

    def end(self) -> None:
        if self.tells:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class TextListing(Listing):
    """Grids one after another, a blank line between them; drawn with boxes for a person, plain for a program."""

    def __init__(self, puzzle: Puzzle, boxes: bool) -> None:
        super().__init__(puzzle)
        self.boxes = boxes

    def show(self, solutions: Solutions) -> None:
        drawing = self.puzzle.drawing
        if not self.boxes and drawing is not None and drawing.is_grid and _one_digit(solutions):
            sys.stdout.write(_plain(solutions, drawing.columns))
        else:
            for solution in solutions.tolist():
                sys.stdout.write(draw(self.puzzle, solution, self.boxes) + "\n\n")
        sys.stdout.flush()

    def close(self, run: Run, total_seconds: float) -> None:
        self.end()
        sys.stdout.write(close(run) + "\n" + performance(run, total_seconds))
        sys.stdout.flush()


class JsonListing(Listing):
    """One object, its solutions written as they come; it is closed properly whatever ends the run."""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle)
        sys.stdout.write('{"solutions": [')

    def show(self, solutions: Solutions) -> None:
        before = ", " if self.count > len(solutions) else ""
        texts = (json.dumps(objects.rows(self.puzzle, solution)) for solution in solutions.tolist())
        sys.stdout.write(before + ", ".join(texts))

    def close(self, run: Run, total_seconds: float) -> None:
        self.end()
        rest = json.dumps(objects.single(self.puzzle, run))
        sys.stdout.write("], " + rest.removeprefix("{") + "\n")
        sys.stdout.flush()


def _one_digit(solutions: Solutions) -> bool:
    return bool(solutions.min(initial=0) >= 0 and solutions.max(initial=0) <= 9)


def _plain(solutions: Solutions, columns: int) -> str:
    """What `draw` without boxes gives, for many grids at once: `draw` would take longer than the search."""
    count, cells = solutions.shape
    text = np.full((count, cells // columns, columns, 2), ord(" "), np.uint8)
    text[..., 0] = solutions.reshape(text.shape[:3]).astype(np.uint8) + ord("0")
    text[:, :, -1, 1] = ord("\n")
    grids = np.full((count, 2 * cells + 1), ord("\n"), np.uint8)
    grids[:, :-1] = text.reshape(count, 2 * cells)
    return grids.tobytes().decode("ascii")
