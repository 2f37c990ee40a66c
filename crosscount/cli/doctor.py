"""`crosscount doctor`: what works on this machine, and which promises of the sandbox hold."""

import json
import platform
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import typer

from crosscount import __version__
from crosscount.cli.style import FAILED, PASSED, UNDECIDED, AsJson

if TYPE_CHECKING:
    from crosscount.compare.screen import Screen

_FOUR = "1234341221434321"
"""A full grid of 4x4: every engine has exactly one solution to find."""
_NO_SANDBOX = "install it, or run programs that you trust with `crosscount grade --unsafe`"


def doctor(as_json: AsJson = False) -> None:
    """Try everything on this machine: the engines, and every way out of the sandbox that we know.

    Exit codes: 0 everything holds, 1 a promise or an engine is broken, 3 there is no sandbox to try.
    """
    with _waiting("trying the engines"):
        engines = _engines()
    with _waiting("trying to get out of the sandbox"):
        sandbox = _sandbox()
    found: dict[str, Any] = {
        "crosscount": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "engines": engines,
        "sandbox": sandbox,
    }
    found["verdict"] = _verdict(found)
    if as_json:
        typer.echo(json.dumps(found))
    else:
        _show(found)
    raise typer.Exit({"passed": PASSED, "failed": FAILED, "undecided": UNDECIDED}[found["verdict"]])


def _waiting(words: str) -> AbstractContextManager[object]:
    from crosscount.compare.screen import Screen

    screen = Screen(stderr=True)
    return screen.status(f"{words} ...") if sys.stderr.isatty() else nullcontext()


def _engines() -> list[dict[str, str]]:
    """Each engine on one small puzzle: available, missing (with what installs it), or broken."""
    from crosscount.compare.engines import engines
    from crosscount.puzzles.engine import Limits, Unavailable
    from crosscount.puzzles.read import read_one

    puzzle = read_one(_FOUR).puzzle
    said = []
    for engine in engines().values():
        status, because = "available", ""
        try:
            found = 0
            for batch in engine.search(puzzle, Limits()):
                found = batch.count if batch.count is not None else found + len(batch.solutions)
            if found != 1:
                status, because = "broken", f"finds {found} solutions of a full grid, expected 1"
        except Unavailable as error:
            status, because = "missing", str(error)
        except Exception as error:
            # A damaged package fails in any way it likes; that is what this command is for.
            status, because = "broken", f"{type(error).__name__}: {error}"
        said.append({"name": engine.name, "status": status, "because": because})
    return said


def _sandbox() -> dict[str, Any]:
    from crosscount.homework.escapes import ESCAPES, Scene, attempt
    from crosscount.homework.sandbox import bubblewrap, why_no_bubblewrap
    from crosscount.homework.sandbox_health import mechanisms, visible

    sandbox = bubblewrap()
    if sandbox is None:
        why = why_no_bubblewrap()
        return {"available": False, "because": why, "mechanisms": {}, "promises": [], "programs": {}}
    with Scene() as scene:
        findings = [attempt(escape, sandbox, scene) for escape in ESCAPES]
    promises = [
        {
            "name": finding.escape.name,
            "promise": finding.escape.promise,
            "holds": finding.holds,
            "because": finding.broken or "",
            "by": finding.escape.by,
        }
        for finding in findings
    ]
    return {
        "available": True,
        "because": "",
        "mechanisms": mechanisms(sandbox),
        "promises": promises,
        "programs": visible(sandbox),
    }


def _verdict(found: dict[str, Any]) -> str:
    is_broken = any(engine["status"] == "broken" for engine in found["engines"])
    if is_broken or any(not promise["holds"] for promise in found["sandbox"]["promises"]):
        return "failed"
    return "passed" if found["sandbox"]["available"] else "undecided"


def _show(found: dict[str, Any]) -> None:
    from crosscount.compare.screen import Screen, table

    screen = Screen()
    screen.print(f"crosscount {found['crosscount']}, Python {found['python']}, {found['system']}\n")
    rows = table("engine", "status", "")
    for engine in found["engines"]:
        rows.add_row(engine["name"], engine["status"], engine["because"])
    screen.print(rows)
    screen.print()
    sandbox = found["sandbox"]
    if not sandbox["available"]:
        screen.print(f"no sandbox: {sandbox['because']}")
        screen.print(f"crosscount grade refuses to run programs without one: {_NO_SANDBOX}")
        return
    _show_pairs(screen, ("sandbox", ""), sandbox["mechanisms"])
    rows = table("promise", "", "kept by")
    for promise in sandbox["promises"]:
        rows.add_row(promise["promise"], "holds" if promise["holds"] else "BROKEN", promise["by"])
    screen.print(rows)
    for promise in sandbox["promises"]:
        if not promise["holds"]:
            screen.print(f"BROKEN: {promise['promise']}. A program could: {promise['because']}")
    screen.print()
    _show_pairs(screen, ("inside", "version"), sandbox["programs"])
    kept = sum(promise["holds"] for promise in sandbox["promises"])
    screen.print(f"{found['verdict']}: {kept} of {len(sandbox['promises'])} promises of the sandbox hold")


def _show_pairs(screen: "Screen", names: tuple[str, str], pairs: dict[str, str]) -> None:
    from crosscount.compare.screen import table

    rows = table(*names)
    for name, said in pairs.items():
        rows.add_row(name, said)
    screen.print(rows)
    screen.print()
