"""`crosscount gate`: every expectation of a collection, for CI."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crosscount.cli.style import BAD_INPUT, FAILED, OUR_FAULT, PASSED, UNDECIDED

if TYPE_CHECKING:
    from crosscount.compare.gate_read import Selection
    from crosscount.compare.gate_result import Result
    from crosscount.puzzles.engine import Engine

CODES = {
    "passed": PASSED,
    "failed": FAILED,
    "undecided": UNDECIDED,
    "bad file": BAD_INPUT,
    "fault of ours": OUR_FAULT,
}


def gate(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Files, folders or @names; the current folder if none is given."),
    ] = None,
    engines: Annotated[
        str | None, typer.Option(help="Names, separated by commas; without it two unlike and quick ones.")
    ] = None,
    engine_cmd: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=CMD", help="Also a program of yours, as in `compare`; nothing is cached then."),
    ] = None,
    time_limit: Annotated[float, typer.Option(metavar="SECONDS", min=0, help="For each engine and puzzle.")] = 60.0,
    max_memory: Annotated[int, typer.Option(metavar="MB", min=1, help="For each engine; it is killed above.")] = 2048,
    jobs: Annotated[int | None, typer.Option(min=1, help="Engines at once; as many as there are cores.")] = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            envvar="CROSSCOUNT_CACHE",
            help="Where answers are kept; the user's cache folder if not given.",
        ),
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor write answers.")] = False,
    skip_unclaimed: Annotated[
        bool, typer.Option("--skip-unclaimed", help="Puzzles that claim nothing are named and skipped, not an error.")
    ] = False,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a JUnit report.")] = None,
    github: Annotated[
        bool, typer.Option("--github", help="Annotations and a step summary for GitHub Actions.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line for each claim.")] = False,
) -> None:
    """Check what puzzle files claim (count, unique, at_least, solutions, value) with at least two unlike engines.

    Exit codes, the worst decides: 4 a fault of ours, 2 a bad file or nothing to check, 1 failed, 3 undecided, 0 passed.
    """
    from crosscount.compare.gate import Settings, check
    from crosscount.compare.gate_read import select
    from crosscount.compare.gate_result import Result, worst
    from crosscount.compare.gate_table import Bar
    from crosscount.puzzles.engine import Limits
    from crosscount.puzzles.whole_file import expect_writable

    if junit is not None:
        expect_writable("--junit", junit)
    limits = Limits(seconds=time_limit, memory=max_memory << 20)
    kept = None if no_cache else _cache(cache)
    settings = Settings(_engines(engines, engine_cmd or []), limits, jobs, kept)
    selection = select(paths or ["."], skip_unclaimed)
    subjects = [item for item in selection.items if not isinstance(item, Result)]
    with Bar() as bar:
        checked = iter(check(subjects, settings, bar.watch))
    results = [item if isinstance(item, Result) else next(checked) for item in selection.items]
    if kept is not None and kept.trouble:
        typer.echo(f"crosscount: the cache is not used: {kept.trouble}", err=True)
    _report(results, selection, paths or ["."], junit, github, as_json)
    raise typer.Exit(CODES[str(worst(results))])


def _report(
    results: "list[Result]", selection: "Selection", paths: list[str], junit: Path | None, github: bool, as_json: bool
) -> None:
    from crosscount.compare.gate_result import to_object
    from crosscount.compare.gate_table import show
    from crosscount.compare.screen import Screen

    if as_json:
        for result in results:
            typer.echo(json.dumps(to_object(result)))
    elif results:
        show(results, selection.unclaimed, Screen())
    if not results:
        skipped = f" ({len(selection.unclaimed)} claim nothing)" if selection.unclaimed else ""
        typer.echo(f"crosscount: {', '.join(paths)}: nothing to check{skipped}, which is not a pass", err=True)
    if junit is not None:
        from crosscount.compare.junit import write_report

        write_report(results, junit)
    if github:
        from crosscount.compare.github import annotations, write_summary

        for line in annotations(results, os.environ.get("GITHUB_WORKSPACE")):
            # Objects on standard output must stay alone there; GitHub reads both.
            typer.echo(line, err=as_json)
        write_summary(results, selection.unclaimed, os.environ.get("GITHUB_STEP_SUMMARY"))


def _engines(names: str | None, commands: list[str]) -> "tuple[Engine, ...]":
    from crosscount.compare.engines import engines as known
    from crosscount.compare.engines import find
    from crosscount.compare.external import command_engine
    from crosscount.compare.gate import USUAL
    from crosscount.puzzles.errors import InputError

    if names is None and not commands:
        return ()
    # A name given twice is one engine.
    wanted = USUAL if names is None else tuple(name for name in names.split(",") if name.strip())
    chosen = list(dict.fromkeys(find(name) for name in wanted))
    external = [command_engine(command) for command in commands]
    for engine in external:
        if engine.name in known() or sum(engine.name == other.name for other in external) > 1:
            raise InputError(f"--engine-cmd {engine.name}: there is an engine of this name, expected another one")
    families = {engine.family for engine in [*chosen, *external]}
    if len(families) < 2:
        only = f"only the family {families.pop()}" if families else "no engine"
        raise InputError(f"--engines: {only}, expected engines of two families; `crosscount engines` lists them")
    return (*chosen, *external)


def _cache(folder: Path | None) -> "Cache":
    from crosscount.compare.gate_cache import Cache, default_folder

    return Cache(default_folder() if folder is None else folder)


if TYPE_CHECKING:
    from crosscount.compare.gate_cache import Cache
