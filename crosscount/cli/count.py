"""`crosscount count`: how many, with one engine; cell by cell; with a certificate."""

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crosscount.cli.solve import exit_code
from crosscount.cli.style import UNDECIDED, AsJson, PuzzleArgument, TimeLimit

if TYPE_CHECKING:
    from collections.abc import Callable

    from crosscount.compare.as_json import Object
    from crosscount.compare.certify import Kind
    from crosscount.compare.runs import Run
    from crosscount.native.count_cells import CellCounts
    from crosscount.puzzles.engine import Engine, Limits
    from crosscount.puzzles.puzzle import Puzzle

    Tell = Callable[[str], None]


class CertificateKind(StrEnum):
    COUNTING = "counting"
    LISTING = "listing"


def count(
    puzzle: PuzzleArgument,
    engine: Annotated[str, typer.Option(help="See `crosscount engines`.")] = "count",
    cells: Annotated[bool, typer.Option("--cells", help="Also in how many solutions each cell holds each value.")] = (
        False
    ),
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a proof of the count, for `crosscount verify`.")
    ] = None,
    kind: Annotated[
        CertificateKind | None,
        typer.Option(help="Of the certificate: a graph of what was counted, or all solutions; else what suits."),
    ] = None,
    time_limit: TimeLimit = None,
    max_memory: Annotated[
        int | None, typer.Option(metavar="MB", min=1, help="For what the engine remembers.", show_default="768")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """How many solutions, exactly, without listing them."""
    from crosscount.compare import as_json as objects
    from crosscount.compare import cell_counts
    from crosscount.compare.engines import find
    from crosscount.compare.screen import Screen
    from crosscount.compare.words import close
    from crosscount.puzzles.engine import Limits
    from crosscount.puzzles.errors import InputError
    from crosscount.puzzles.read import read_one
    from crosscount.puzzles.whole_file import expect_writable

    subject = read_one(puzzle).puzzle
    chosen = find(engine)
    if cells and chosen.name != "count":
        raise InputError(f"--cells with --engine {chosen.name}, expected the engine count")
    if kind is not None and certificate is None:
        raise InputError("--kind without --certificate, expected both or neither")
    if certificate is not None:
        expect_writable("--certificate", certificate)
    limits = Limits(seconds=time_limit, memory=None if max_memory is None else max_memory << 20)
    tallies: list[CellCounts] = []
    # A spinner needs a terminal; rich shows nothing where there is none.
    with Screen(stderr=True).status(f"{subject.name}: {chosen.name}") as status:
        run = _run(cell_counts.recording(tallies) if cells else chosen, subject, limits, status.update)
        proof = None
        if certificate is not None and run.status == "complete":
            proof = _certify(certificate, None if kind is None else kind.value, subject, run, limits, status.update)
    if as_json:
        extra = objects.cell_counts(subject, tallies[0]) if tallies else {}
        extra |= {} if proof is None else {"certificate": proof}
        typer.echo(json.dumps(objects.single(subject, run) | extra))
    else:
        typer.echo(f"{subject.name}: {close(run)}, by {run.engine} in {run.search_seconds:.3f} s")
        if tallies:
            cell_counts.show(subject, tallies[0])
        if proof is not None:
            typer.echo(_sentence(proof))
    sys.stdout.flush()
    raise typer.Exit(UNDECIDED if proof is not None and proof["file"] is None else exit_code(run))


def _run(engine: "Engine", puzzle: "Puzzle", limits: "Limits", tell: "Tell") -> "Run":
    from crosscount.compare.solo import run_alone

    running = run_alone(engine, puzzle, limits)
    total = 0
    try:
        while True:
            batch = next(running)
            total = batch.count if batch.count is not None else total + len(batch.solutions)
            closed = f", {batch.closed:.1%} of the search space" if batch.closed is not None else ""
            tell(f"{puzzle.name}: {engine.name}, at least {total} so far{closed}, {batch.seconds:.1f} s")
    except StopIteration as stop:
        run: Run = stop.value
        return run


def _certify(path: Path, kind: "Kind | None", puzzle: "Puzzle", run: "Run", limits: "Limits", tell: "Tell") -> "Object":
    """What was written, or why nothing was."""
    from crosscount.compare.certify import certify
    from crosscount.puzzles.engine import Stopped, Unavailable

    assert run.count is not None  # the run is complete
    try:
        made = certify(path, puzzle, run.count, kind, limits, lambda line: tell(f"{puzzle.name}: certificate, {line}"))
    except Stopped as stopped:
        return {"file": None, "kind": kind, "bytes": None, "reason": f"stopped: {stopped.reason}"}
    except Unavailable as unavailable:
        return {"file": None, "kind": kind, "bytes": None, "reason": str(unavailable)}
    except KeyboardInterrupt:
        return {"file": None, "kind": kind, "bytes": None, "reason": "interrupted"}
    return {"file": str(path), "kind": made, "bytes": path.stat().st_size, "reason": ""}


def _sentence(proof: "Object") -> str:
    if proof["file"] is None:
        return f"no certificate was written ({proof['reason']})"
    return f"{proof['kind']} certificate: {proof['file']}, {proof['bytes']} bytes; `crosscount verify` checks it"
