"""The command line: one thin command for each call.

Commands import what they need when they run, so that `crosscount --help` answers at once.
"""

import logging
import os
import sys
from typing import Annotated, NoReturn

import typer

from crosscount import __version__
from crosscount.cli.check import check
from crosscount.cli.compare import compare
from crosscount.cli.count import count
from crosscount.cli.lists import engines, formats
from crosscount.cli.solve import solve
from crosscount.cli.style import BAD_INPUT, OUR_FAULT, UNDECIDED
from crosscount.puzzles.errors import InputError

app = typer.Typer(
    name="crosscount",
    help="How many solutions does this puzzle have, and which? Unlike engines list them all and are compared.\n\n"
    "PUZZLE is a path, - for standard input, the puzzle itself on one line, or @name from the bundled collection.\n\n"
    "Exit codes: 0 agree or passed, 1 disagree or failed, 2 bad input, 3 undecided, 4 a fault of ours.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (compare, count, solve, check, engines, formats):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"crosscount {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    # What a library logs, such as that it compiles, a person at the command line should see.
    log = logging.getLogger("crosscount")
    log.setLevel(logging.INFO)
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("crosscount: %(message)s"))
    log.handlers = [handler]


def main() -> NoReturn:
    """Run the command; bad input ends in one line and code 2, a fault of ours in one line and code 4."""
    try:
        app()
    except InputError as error:
        code = _fail(str(error), BAD_INPUT)
    except KeyboardInterrupt:
        code = _fail("interrupted", UNDECIDED)
    except BrokenPipeError:
        # Whoever read our output has seen enough. Nothing more may be written, not even by Python at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = UNDECIDED
    except Exception as error:
        if os.environ.get("CROSSCOUNT_DEBUG"):
            raise
        code = _fail(
            f"a fault of ours: {type(error).__name__}: {error} (CROSSCOUNT_DEBUG=1 shows where; please report it)",
            OUR_FAULT,
        )
    sys.exit(code)


def _fail(message: str, code: int) -> int:
    sys.stderr.write(f"crosscount: {message}\n")
    return code
