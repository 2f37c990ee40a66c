"""Solutions that were drawn, on standard output as they come."""

import json
import sys
from abc import ABC, abstractmethod

from crosscount.compare import as_json as objects
from crosscount.compare.words import LIMITS, solutions
from crosscount.puzzles.draw import draw
from crosscount.puzzles.puzzle import Puzzle, Solution


class Drawn(ABC):
    """Counts what was drawn. `close` is told the number of all solutions, None where it is not known, and why."""

    def __init__(self, puzzle: Puzzle, seed: int) -> None:
        self.puzzle, self.seed, self.number = puzzle, seed, 0

    def add(self, solution: Solution) -> None:
        self.number += 1
        self.show(solution)

    @abstractmethod
    def show(self, solution: Solution) -> None:
        """Print it; `number` includes it already."""

    @abstractmethod
    def close(self, total: int | None, reason: str) -> None:
        """Print how it ended."""


class TextDrawn(Drawn):
    """Grids with a blank line between them, and a sentence."""

    def __init__(self, puzzle: Puzzle, seed: int, boxes: bool) -> None:
        super().__init__(puzzle, seed)
        self.boxes = boxes

    def show(self, solution: Solution) -> None:
        sys.stdout.write(draw(self.puzzle, solution, self.boxes) + "\n\n")

    def close(self, total: int | None, reason: str) -> None:
        name = self.puzzle.name
        if total is None:
            sys.stdout.write(f"{name}: nothing drawn (stopped: {LIMITS.get(reason, reason)})\n")
        elif total == 0:
            sys.stdout.write(f"{name}: exactly 0 solutions, nothing to draw\n")
        else:
            also = f" (stopped: {reason})" if reason else ""
            sys.stdout.write(f"{name}: {self.number} drawn from exactly {solutions(total)}, seed {self.seed}{also}\n")


class JsonDrawn(Drawn):
    """One object, its solutions written as they come."""

    def __init__(self, puzzle: Puzzle, seed: int) -> None:
        super().__init__(puzzle, seed)
        sys.stdout.write('{"solutions": [')

    def show(self, solution: Solution) -> None:
        before = ", " if self.number > 1 else ""
        sys.stdout.write(before + json.dumps(objects.rows(self.puzzle, solution)))

    def close(self, total: int | None, reason: str) -> None:
        rest = {
            "puzzle": self.puzzle.name,
            "count": objects.number(total),
            "exact": total is not None,
            "drawn": self.number,
            "seed": self.seed,
            "reason": reason,
        }
        sys.stdout.write("], " + json.dumps(rest).removeprefix("{") + "\n")
