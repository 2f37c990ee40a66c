"""The command line: one thin command for each call.

Commands import what they need when they run, so that `crosscount --help` answers at once.
"""

import errno
import io
import logging
import os
import signal
import sys
from contextlib import suppress
from typing import Annotated, NoReturn

import typer

from crosscount import __version__
from crosscount.cli.check import check
from crosscount.cli.cnf import cnf
from crosscount.cli.compare import compare
from crosscount.cli.count import count
from crosscount.cli.doctor import doctor
from crosscount.cli.game import game
from crosscount.cli.gate import gate
from crosscount.cli.grade import grade
from crosscount.cli.lists import engines, formats
from crosscount.cli.sample import sample
from crosscount.cli.serve import serve
from crosscount.cli.solve import solve
from crosscount.cli.style import BAD_INPUT, OUR_FAULT, PASSED, UNDECIDED
from crosscount.cli.tree import tree
from crosscount.cli.verify import verify
from crosscount.puzzles.errors import InputError

app = typer.Typer(
    name="crosscount",
    help="How many solutions does this puzzle have, and which? Unlike engines list them all and are compared.\n\n"
    "PUZZLE is a path, - for standard input, the puzzle itself on one line, or @name from the bundled collection.\n\n"
    "Exit codes: 0 agree or passed, 1 disagree or failed, 2 bad input, 3 undecided, 4 a fault of ours.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (
    compare,
    count,
    verify,
    sample,
    solve,
    check,
    gate,
    grade,
    tree,
    game,
    cnf,
    serve,
    engines,
    formats,
    doctor,
):
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
    _prepare()
    try:
        code = _run(sys.argv[1:] or ["--help"])
        sys.stdout.flush()
    except InputError as error:
        code = _fail(str(error), BAD_INPUT)
    except KeyboardInterrupt:
        code = _fail("interrupted", UNDECIDED)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in (errno.EPIPE, errno.ENOSPC):
            code = _give_up_output(error)
        elif os.environ.get("CROSSCOUNT_DEBUG"):
            raise
        else:
            where = "(CROSSCOUNT_DEBUG=1 shows where; please report it)"
            code = _fail(f"a fault of ours: {type(error).__name__}: {error} {where}", OUR_FAULT)
    sys.exit(code)


def _prepare() -> None:
    # Started with a closed standard output there is none, and nobody to print for.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  # for as long as we run
    # Some terminals cannot show the lines of a box; a question mark is better than no grid at all.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    # Whoever asks us to end, a CI job out of time for instance, wants what is known so far as much as with Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def _run(arguments: list[str]) -> int:
    """The command without typer's own idea of exit codes: it would make 1 of a closed pipe, and 130 of Ctrl-C."""
    command = typer.main.get_command(app)
    try:
        with command.make_context("crosscount", list(arguments)) as context:
            command.invoke(context)
    except typer.Exit as ended:
        return ended.exit_code
    except Exception as error:
        # An error in usage. Its class is typer's or click's, depending on the version of typer.
        if not hasattr(error, "format_message"):
            raise
        asked = getattr(error, "ctx", None)
        path = "crosscount" if asked is None else asked.command_path
        return _fail(f"{error.format_message().rstrip('.')}; `{path} --help` shows how it is used", BAD_INPUT)
    return PASSED


def _give_up_output(error: OSError) -> int:
    """Nobody reads on, or there is no room: nothing more may be written, not even by Python at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if error.errno == errno.EPIPE:
        return UNDECIDED  # whoever read has seen enough; that is no reason for a message
    return _fail(f"standard output: {error.strerror}", BAD_INPUT)


def _fail(message: str, code: int) -> int:
    with suppress(OSError):  # nobody may be listening there either
        sys.stderr.write(f"crosscount: {' '.join(message.splitlines())}\n")
    return code
