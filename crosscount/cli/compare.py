"""`crosscount compare`: all engines, one verdict."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from crosscount.cli.style import FAILED, PASSED, UNDECIDED, AsJson

if TYPE_CHECKING:
    from crosscount.compare.runs import Comparison
    from crosscount.puzzles.engine import Engine

CODES = {"agree": PASSED, "disagree": FAILED, "undecided": UNDECIDED}


def compare(
    puzzles: Annotated[
        list[str],
        typer.Argument(metavar="PUZZLE...", help="Paths, -, puzzles on one line, or @names.", show_default=False),
    ],
    engines: Annotated[str | None, typer.Option(help="Names, separated by commas; see `crosscount engines`.")] = None,
    engine_cmd: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=CMD",
            help="Also a program of yours, as NAME='cmd {puzzle}': it reads the file and prints solutions.",
        ),
    ] = None,
    time_limit: Annotated[float, typer.Option(metavar="SECONDS", min=0, help="For each engine and puzzle.")] = 60.0,
    max_solutions: Annotated[int | None, typer.Option(min=1, help="Stop each engine after this many.")] = None,
    max_memory: Annotated[int, typer.Option(metavar="MB", min=1, help="For each engine; it is killed above.")] = 2048,
    jobs: Annotated[int | None, typer.Option(min=1, help="Engines at once; as many as there are cores.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run every engine on each puzzle and say whether they found the same solutions."""
    from crosscount.compare.comparison import Comparing
    from crosscount.compare.live import Display
    from crosscount.puzzles.engine import Limits
    from crosscount.puzzles.read import read

    subjects = [entry.puzzle for source in puzzles for entry in read(source)]
    chosen = _choose(engines, engine_cmd or [])
    limits = Limits(seconds=time_limit, solutions=max_solutions, memory=max_memory << 20)
    everything = list({engine.name: engine for subject in subjects for engine in chosen(subject)}.values())
    display = Display(len(subjects), quiet=as_json)
    verdicts = []
    with Comparing(everything, jobs) as comparing, display:
        for subject in subjects:
            result = comparing.compare(subject, chosen(subject), limits, display.watch)
            verdicts.append(str(result.verdict))
            if as_json:
                typer.echo(_line(result))
            else:
                display.show(result)
            if any(run.reason == "interrupted" for run in result.runs):
                display.interrupted(len(subjects) - len(verdicts))
                verdicts.append("undecided")  # nobody knows what the rest would have shown
                break
    worst = next((v for v in ("disagree", "undecided") if v in verdicts), "agree")
    raise typer.Exit(CODES[worst])


def _line(result: "Comparison") -> str:
    from crosscount.compare import as_json

    return json.dumps(as_json.comparison(result))


def _choose(names: str | None, commands: list[str]) -> "Chooser":
    from crosscount.compare.engines import engines as known
    from crosscount.compare.engines import find, usual
    from crosscount.compare.external import command_engine
    from crosscount.puzzles.errors import InputError

    # A name given twice is one engine.
    wanted = [] if names is None else list(dict.fromkeys(find(name) for name in names.split(",") if name.strip()))
    if names is not None and not wanted:
        raise InputError("--engines is empty, expected names separated by commas")
    external: list[Engine] = []
    for command in commands:
        engine = command_engine(command)
        if engine.name in known() or engine.name in {other.name for other in external}:
            raise InputError(f"--engine-cmd {engine.name}: there is an engine of this name, expected another one")
        external.append(engine)
    return lambda puzzle: [*(wanted or usual(puzzle)), *external]


if TYPE_CHECKING:
    from collections.abc import Callable

    from crosscount.puzzles.puzzle import Puzzle

    Chooser = Callable[[Puzzle], list[Engine]]
