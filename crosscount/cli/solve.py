"""`crosscount solve`: one engine, one solution or all of them, as they are found."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from crosscount.cli.style import FAILED, PASSED, UNDECIDED, AsJson, PuzzleArgument, TimeLimit, watched

if TYPE_CHECKING:
    from crosscount.compare.runs import Run

BEGUN = time.perf_counter()
"""As near to the start of the program as we get: what the course calls the total clock time begins here."""


def solve(
    puzzle: PuzzleArgument,
    engine: Annotated[str, typer.Argument(metavar="ENGINE", help="See `crosscount engines`.", show_default=False)],
    every: Annotated[bool, typer.Option("--all", help="List every solution, as it is found.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after this many solutions (1 without --all).")] = None,
    time_limit: TimeLimit = None,
    max_nodes: Annotated[int | None, typer.Option(min=0, help="Stop after this many nodes.")] = None,
    files: Annotated[
        bool, typer.Option("--files", help="For puzzleN.txt, write solutionN.txt and performanceN.txt here.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Solve with one engine: the first solution, or all of them."""
    from pathlib import Path

    from crosscount.cli.course import write_files
    from crosscount.cli.listing import JsonListing, TextListing
    from crosscount.compare.engines import find
    from crosscount.compare.solo import run_alone
    from crosscount.puzzles.engine import Limits
    from crosscount.puzzles.read import read_one
    from crosscount.puzzles.whole_file import expect_writable

    subject = read_one(puzzle).puzzle
    chosen = find(engine)
    wanted = limit if limit is not None else None if every else 1
    limits = Limits(seconds=time_limit, solutions=wanted, nodes=max_nodes)
    if files:
        expect_writable("--files", Path("solution.txt"))
    listing = JsonListing(subject) if as_json else TextListing(subject, boxes=watched())
    running = run_alone(chosen, subject, limits)
    try:
        while True:
            listing.add(next(running))
    except StopIteration as stop:
        run: Run = stop.value
    total_seconds = time.perf_counter() - BEGUN
    listing.close(run, total_seconds)
    if files:
        write_files(subject, listing.first, run, total_seconds)
    raise typer.Exit(exit_code(run))


def exit_code(run: "Run") -> int:
    """Passed where it did what was asked; a limit that nobody asked to reach leaves the question open."""
    if run.status == "complete" or run.reason == "solutions":
        return PASSED
    return FAILED if run.status == "failed" else UNDECIDED
