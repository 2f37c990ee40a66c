"""`crosscount doctor`: what holds on this machine, told so that a person and a script can act on it."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from crosscount.compare import engines as engine_table
from crosscount.homework import escapes, sandbox
from crosscount.puzzles.engine import Batch, Engine, Limits, Unavailable
from crosscount.puzzles.puzzle import Puzzle

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def no_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are tried once, in the test of the whole."""
    monkeypatch.setattr(engine_table, "engines", dict)


@pytest.fixture
def probing() -> Iterator[None]:
    """What was found out about this machine is forgotten before and after."""
    sandbox._strongest.cache_clear()
    yield
    sandbox._strongest.cache_clear()


def strong() -> sandbox.Staged:
    found = sandbox.bubblewrap()
    if not isinstance(found, sandbox.Staged):
        if "bubblewrap" in os.environ.get("CROSSCOUNT_REQUIRE", "").split(","):
            pytest.fail(str(sandbox.why_no_bubblewrap()))
        pytest.skip(str(sandbox.why_no_bubblewrap()))
    return found


@pytest.mark.sandbox
def test_every_promise_is_tried_and_every_engine(call: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    strong()
    # That all of them hold is tested beside the escapes.
    monkeypatch.setattr(escapes, "ESCAPES", escapes.ESCAPES[::5])
    ran = call("doctor", "--json")
    found = json.loads(ran.stdout)
    assert (ran.returncode, found["verdict"]) == (0, "passed"), found
    promises = found["sandbox"]["promises"]
    assert [promise["name"] for promise in promises] == [escape.name for escape in escapes.ESCAPES]
    assert all(promise["holds"] for promise in promises)
    assert found["sandbox"]["mechanisms"]["bubblewrap"]
    assert "Python 3" in found["sandbox"]["programs"]["python3"]
    assert {"bt", "sat", "cpsat"} <= {one["name"] for one in found["engines"] if one["status"] == "available"}


@pytest.mark.sandbox
@pytest.mark.usefixtures("no_engines")
def test_a_broken_promise_is_shown_with_what_a_program_could_do(call: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    weak = replace(strong(), filter=None)
    chosen = tuple(escape for escape in escapes.ESCAPES if escape.name in ("home folder", "the filter"))
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: weak)
    monkeypatch.setattr(escapes, "ESCAPES", chosen)
    monkeypatch.setenv("COLUMNS", "80")
    ran = call("doctor")
    assert ran.returncode == 1
    lines = ran.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    (held,) = [line.split() for line in lines if line.startswith("your home folder is not there ")]
    (broken,) = [line.split() for line in lines if line.startswith("no process without the filter ")]
    assert ("holds" in held, "BROKEN" in broken) == (True, True)
    assert "A program could: find a process without a filter" in " ".join(ran.stdout.split())
    assert lines[-1] == "failed: 1 of 2 promises of the sandbox hold"
    assert "system calls  not filtered" in ran.stdout


@pytest.mark.usefixtures("no_engines", "probing")
def test_without_bubblewrap_it_says_what_to_install(call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = call("doctor")
    assert ran.returncode == 3
    assert "apt install bubblewrap" in " ".join(ran.stdout.split())
    assert "--unsafe" in ran.stdout
    assert json.loads(call("doctor", "--json").stdout)["verdict"] == "undecided"


@pytest.mark.usefixtures("no_engines", "probing")
def test_a_bubblewrap_that_cannot_make_a_sandbox_is_no_sandbox(
    call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bwrap = tmp_path / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    bwrap.chmod(0o755)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and folder.name.startswith(("pytest", "popen", "test")):
            folder.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    ran = call("doctor")
    assert ran.returncode == 3
    assert "cannot make a sandbox here: bwrap: No permissions to create new namespace" in " ".join(ran.stdout.split())


@pytest.mark.usefixtures("probing")
def test_an_engine_is_available_missing_or_broken(call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = engine_table.find("bt")

    def missing(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        raise Unavailable("clingo is not installed; pip install 'crosscount[asp]'")

    def twice(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        yield from good.search(puzzle, limits)
        yield from good.search(puzzle, limits)

    def damaged(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        raise ImportError("libsolver.so.9: cannot open shared object file")

    made = {search.__name__: Engine(search.__name__, "native", "", "", search) for search in (missing, twice, damaged)}
    monkeypatch.setenv("PATH", str(tmp_path))
    for names, code in ((["missing"], 3), (["missing", "twice", "damaged"], 1)):
        monkeypatch.setattr(engine_table, "engines", lambda names=names: {name: made[name] for name in names})
        ran = call("doctor", "--json")
        assert ran.returncode == code
    assert json.loads(ran.stdout)["engines"] == [
        {"name": "missing", "status": "missing", "because": "clingo is not installed; pip install 'crosscount[asp]'"},
        {"name": "twice", "status": "broken", "because": "finds 2 solutions of a full grid, expected 1"},
        {
            "name": "damaged",
            "status": "broken",
            "because": "ImportError: libsolver.so.9: cannot open shared object file",
        },
    ]
