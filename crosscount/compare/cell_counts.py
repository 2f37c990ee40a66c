"""In how many solutions each cell holds each value: as an engine, and as a grid for people."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from rich.box import SQUARE
from rich.measure import Measurement
from rich.table import Table

from crosscount.compare.screen import Screen, table
from crosscount.compare.words import solutions
from crosscount.native import ENGINES
from crosscount.puzzles.engine import Batch, Engine, Limits, solution_dtype
from crosscount.puzzles.puzzle import Puzzle

if TYPE_CHECKING:
    from crosscount.native.count_cells import CellCounts

ANY_WIDTH = 1 << 16


def recording(results: "list[CellCounts]") -> Engine:
    """The counting engine, which puts the counts per cell into `results` when it has counted everything."""

    def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        from crosscount.native.count_cells import count_cells

        nothing = np.empty((0, len(puzzle.domains)), solution_dtype(puzzle))
        nodes, seconds = 0, 0.0
        steps = count_cells(puzzle, limits)
        while True:
            try:
                at = next(steps)
            except StopIteration as stop:
                results.append(stop.value)
                yield Batch(nothing, nodes, seconds, stop.value.total, 1.0)
                return
            nodes, seconds = at.nodes, at.seconds
            yield Batch(nothing, nodes, seconds, at.at_least(), at.counter.closed)

    return replace(ENGINES["count"], search=search)


def show(puzzle: Puzzle, counts: "CellCounts") -> None:
    """Each cell with its values and how often they occur; a value that never changes stands alone."""
    screen = Screen()
    if not counts.total:
        screen.print("no cell has a value: there is no solution")
        return
    texts = [_cell(of) for of in counts.cells]
    grid = _grid(puzzle, texts)
    if not screen.is_terminal:
        screen.width = ANY_WIDTH  # what is piped to a file is as wide as it must be
    if grid is None or Measurement.get(screen, screen.options.update(max_width=ANY_WIDTH), grid).maximum > screen.width:
        grid = table("cell", "value:solutions")
        for name, text in zip(puzzle.names, texts, strict=True):
            grid.add_row(name, " ".join(text.split()))
    screen.print(grid)
    screen.print(f"backbone: {len(counts.backbone)} of {len(counts.cells)} cells are the same in every solution")
    clue = counts.next_clue
    if clue is not None:
        left, total = counts.left_by(clue)
        average = solutions(left // total) if left % total == 0 else f"{left / total:.1f} solutions"
        screen.print(f"most informative next clue: {puzzle.names[clue]}, which leaves {average} on average")


def _grid(puzzle: Puzzle, texts: list[str]) -> Table | None:
    drawing = puzzle.drawing
    if drawing is None or not drawing.is_grid:
        return None
    grid = table(*(f"c{c + 1}" for c in range(drawing.columns)))
    grid.show_header, grid.show_lines, grid.box, grid.pad_edge = False, True, SQUARE, True
    for r in range(drawing.rows):
        grid.add_row(*texts[r * drawing.columns : (r + 1) * drawing.columns])
    return grid


def _cell(of: dict[int, int]) -> str:
    if len(of) == 1:
        return str(next(iter(of)))
    return "\n".join(f"{value}:{times}" for value, times in of.items())
