"""The files and lines that the course asks of a solver."""

import re
from collections.abc import Sequence
from pathlib import Path

from crosscount.compare.runs import Run
from crosscount.compare.words import close
from crosscount.puzzles.draw import draw
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.whole_file import write_whole


def performance(run: Run, total_seconds: float) -> str:
    """The three lines of performanceN.txt; times are in milliseconds."""
    nodes = "unknown" if run.nodes is None else run.nodes
    return (
        f"Total clock time: {total_seconds * 1000:.3f} ms\n"
        f"Search clock time: {run.search_seconds * 1000:.3f} ms\n"
        f"Number of nodes generated: {nodes}\n"
    )


def write_files(puzzle: Puzzle, solution: Sequence[int] | None, run: Run, total_seconds: float) -> None:
    """Write solutionN.txt and performanceN.txt into the current folder.

    N is the number at the end of the puzzle's name. Where no solution was found, the first file says so: one
    that is left over from another run would be taken for this one.
    """
    found = re.search(r"\d+$", puzzle.name)
    number = found[0] if found else ""
    text = f"# {close(run)}" if solution is None else draw(puzzle, solution, boxes=False)
    write_whole(Path(f"solution{number}.txt"), text + "\n")
    write_whole(Path(f"performance{number}.txt"), performance(run, total_seconds))
