"""The handwritten searchers against dancing links in C, listing every solution of @course-4 in the same run.

python -m benchmarks.searchers [PUZZLE]
"""

import resource
import sys
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from crosscount.native import ENGINES
from crosscount.puzzles.engine import Limits, Stopped
from crosscount.puzzles.families import Sudoku
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.read import read_one

SEARCHERS = ("bf", "bt", "fc-mrv", "gac")
ROUNDS = 3
"""The best of so many: a machine that is busy with something else only adds time."""


def exact_cover_rows(puzzle: Puzzle) -> NDArray[np.int32]:
    """A sudoku as an exact cover: one row for each value a cell may have."""
    assert isinstance(puzzle.family, Sudoku), "exact cover is written here for sudokus"
    n = len(puzzle.family.grid)
    rows, columns = puzzle.family.box_shape or (1, n)
    found = []
    for cell, domain in enumerate(puzzle.domains):
        r, c = divmod(cell, n)
        box = r // rows * (n // columns) + c // columns
        for value in domain:
            row = np.zeros(4 * n * n, np.int32)
            row[[cell, n * n + r * n + value - 1, 2 * n * n + c * n + value - 1, 3 * n * n + box * n + value - 1]] = 1
            found.append(row)
    return np.array(found)


def dancing_links(puzzle: Puzzle) -> tuple[int, float]:
    """Solutions and seconds of the PyPI package exact-cover, without the set-up."""
    from exact_cover import get_all_solutions

    rows = exact_cover_rows(puzzle)
    begun = time.perf_counter()
    found: Any = get_all_solutions(rows)
    return len(found), time.perf_counter() - begun


def search(name: str, puzzle: Puzzle) -> tuple[int, int, float]:
    """Solutions, nodes and seconds; compiled before."""
    count = nodes = 0
    begun = time.perf_counter()
    for batch in ENGINES[name].search(puzzle, Limits()):
        count += len(batch.solutions)
        nodes = batch.nodes or 0
    return count, nodes, time.perf_counter() - begun


def memory_after(nodes: int) -> int:
    """Megabytes that this process has held at the most, after a search of so many nodes."""
    try:
        for _ in ENGINES["bt"].search(read_one("@norvig-impossible").puzzle, Limits(nodes=nodes)):
            pass
    except Stopped:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main(source: str = "@course-4") -> None:
    console = Console(highlight=False)
    held = memory_after(10**8)
    console.print(f"a search stopped after 10^8 nodes: this process held {held} MB at the most (goal: under 300)\n")
    puzzle = read_one(source).puzzle
    try:
        count, theirs = dancing_links(puzzle)
    except ImportError:
        sys.exit("exact-cover is missing: pip install 'crosscount[bench]'")
    table = Table(title=f"every solution of {source}", title_justify="left", box=None, pad_edge=False)
    for heading in ("engine", "solutions", "nodes", "seconds", "solutions/s", "times as fast as dancing links"):
        table.add_column(heading, justify="left" if heading == "engine" else "right")
    table.add_row("exact-cover (C)", str(count), "-", f"{theirs:.3f}", f"{count / theirs:.0f}", "1")
    for name in SEARCHERS:
        warm = ENGINES[name].warm
        assert warm is not None
        warm(puzzle)
        found, nodes, seconds = min((search(name, puzzle) for _ in range(ROUNDS)), key=lambda result: result[2])
        assert found == count, f"{name} finds {found}, exact-cover {count}"
        table.add_row(
            name, str(found), str(nodes), f"{seconds:.3f}", f"{found / seconds:.0f}", f"{theirs / seconds:.1f}"
        )
    console.print(table)


if __name__ == "__main__":
    main(*sys.argv[1:2])
