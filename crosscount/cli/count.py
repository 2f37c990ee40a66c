"""`crosscount count`: how many, with one engine."""

import json
import sys
from typing import Annotated

import typer

from crosscount.cli.solve import exit_code
from crosscount.cli.style import AsJson, PuzzleArgument, TimeLimit


def count(
    puzzle: PuzzleArgument,
    engine: Annotated[str | None, typer.Option(help="See `crosscount engines`; gac by default.")] = None,
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
) -> None:
    """How many solutions, according to one engine."""
    from rich.console import Console

    from crosscount.compare import as_json as objects
    from crosscount.compare.engines import engines, find
    from crosscount.compare.runs import Run
    from crosscount.compare.solo import run_alone
    from crosscount.compare.words import close
    from crosscount.puzzles.engine import Limits
    from crosscount.puzzles.read import read_one

    subject = read_one(puzzle).puzzle
    chosen = find(engine or ("count" if "count" in engines() else "gac"))
    running = run_alone(chosen, subject, Limits(seconds=time_limit))
    console = Console(stderr=True)
    total = 0
    # A spinner needs a terminal; rich shows nothing where there is none.
    with console.status(f"{subject.name}: {chosen.name}") as status:
        try:
            while True:
                batch = next(running)
                total = batch.count if batch.count is not None else total + len(batch.solutions)
                status.update(f"{subject.name}: {chosen.name}, at least {total} so far, {batch.seconds:.1f} s")
        except StopIteration as stop:
            run: Run = stop.value
    if as_json:
        typer.echo(json.dumps(objects.single(subject, run)))
    else:
        typer.echo(f"{subject.name}: {close(run)}, by {run.engine} in {run.search_seconds:.3f} s")
    sys.stdout.flush()
    raise typer.Exit(exit_code(run))
