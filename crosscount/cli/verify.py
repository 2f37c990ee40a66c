"""`crosscount verify`: re-check a certified count."""

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from crosscount.cli.style import FAILED, PASSED, AsJson


def verify(
    certificate: Annotated[
        Path, typer.Argument(metavar="CERTIFICATE", help="A file from `count --certificate`.", show_default=False)
    ],
    puzzle: Annotated[
        str | None,
        typer.Argument(metavar="[PUZZLE]", help="It must be the certificate of this puzzle.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Does the certificate prove its count? Runs a checker that shares no code with the engines."""
    from crosscount.compare import as_json as objects
    from crosscount.compare import verify_certificate as checker
    from crosscount.compare.certify import is_about
    from crosscount.compare.screen import Screen
    from crosscount.puzzles.errors import InputError
    from crosscount.puzzles.read import read_one

    subject = None if puzzle is None else read_one(puzzle).puzzle
    begun = time.perf_counter()
    name, count, reason, size = "", None, "", ""
    try:
        with Screen(stderr=True).status(f"checking {certificate}"):
            header, count, size = checker.verify(str(certificate))
        name = str(header["puzzle"])
        if subject is not None and not is_about(header, subject):
            reason = (
                f"it is a certificate of {name}, whose cells, values or constraints are not those of {subject.name}"
            )
    except checker.Rejected as rejected:
        reason = str(rejected)
    except OSError as error:
        raise InputError(f"{certificate}: {error.strerror or error}, expected a certificate") from None
    if as_json:
        seconds = round(time.perf_counter() - begun, 6)
        typer.echo(json.dumps(objects.verified(str(certificate), name, count, size, reason, seconds)))
    elif reason:
        typer.echo(f"{certificate}: rejected: {reason}")
    else:
        solutions = "solution" if count == 1 else "solutions"
        typer.echo(f"{certificate}: accepted: {name}: exactly {count} {solutions} ({size})")
    raise typer.Exit(FAILED if reason else PASSED)
