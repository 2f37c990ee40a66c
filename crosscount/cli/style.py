"""What all commands share: exit codes, and the option and argument types that several of them have."""

import sys
from typing import Annotated

import typer

PASSED, FAILED, BAD_INPUT, UNDECIDED, OUR_FAULT = 0, 1, 2, 3, 4

PuzzleArgument = Annotated[
    str, typer.Argument(metavar="PUZZLE", help="A path, -, the puzzle on one line, or @name.", show_default=False)
]
TimeLimit = Annotated[
    float | None, typer.Option("--time-limit", metavar="SECONDS", min=0, help="Stop after this long.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]


def watched() -> bool:
    """Whether a person is looking at standard output."""
    return sys.stdout.isatty()
