"""For each cell of a puzzle, in how many solutions it holds which value: from a list, or counted without one."""

import json

import numpy as np

from crosscount.compare import as_json
from crosscount.native.count_cells import CellCounts, count_cells
from crosscount.puzzles.engine import Limits, Solutions, Stopped, Unavailable
from crosscount.puzzles.puzzle import Puzzle
from crosscount.service.settings import MB
from crosscount.service.store import Artifact

MEMORY = 1024 * MB
"""For the record of a search from which the cells are counted."""

__all__ = ["CellCounts", "cells_file", "counted", "listed"]


def listed(solutions: Solutions) -> CellCounts:
    """From all solutions, a row each."""
    columns = (np.unique(column, return_counts=True) for column in solutions.T)
    cells = (dict(zip(values.tolist(), counts.tolist(), strict=True)) for values, counts in columns)
    return CellCounts(len(solutions), tuple(cells))


def counted(puzzle: Puzzle, limits: Limits) -> CellCounts | None:
    """Without listing them; None where that takes too much."""
    counting = count_cells(puzzle, Limits(limits.seconds, memory=MEMORY))
    try:
        while True:
            next(counting)
    except StopIteration as stop:
        found: CellCounts = stop.value
        return found
    except (Stopped, Unavailable):
        return None


def cells_file(source: str, counts: CellCounts) -> Artifact:
    """What the address `cells` of a job gives."""
    cells = [{str(value): as_json.number(times) for value, times in of.items()} for of in counts.cells]
    found = {"exact": True, "source": source, "total": as_json.number(counts.total), "cells": cells}
    return Artifact("application/json", json.dumps(found).encode())
