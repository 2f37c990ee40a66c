"""The command as somebody else sees it: arguments in; exit code, standard output and standard error out."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from crosscount.cli import main

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# What a person has set for their own terminal must not change what a test sees.
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name not in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "CROSSCOUNT_DEBUG", "TTY_COMPATIBLE")
}


def without_notes(errors: str) -> str:
    """Standard error without what only the first run after a change says."""
    return "".join(line for line in errors.splitlines(True) if not line.startswith("crosscount: compiling "))


@pytest.fixture
def command() -> list[str]:
    return [sys.executable, "-m", "crosscount"]


@pytest.fixture
def environment() -> dict[str, str]:
    return dict(ENVIRONMENT)


@pytest.fixture
def crosscount(tmp_path: Path, command: list[str]) -> Run:
    """The command in a process of its own, in an empty folder."""

    def run(*arguments: str, given: str = "", **changes: str) -> "subprocess.CompletedProcess[str]":
        environment = ENVIRONMENT | changes
        ran = subprocess.run(
            [*command, *arguments], input=given, text=True, capture_output=True, cwd=tmp_path, env=environment
        )
        ran.stderr = without_notes(ran.stderr)
        return ran

    return run


@pytest.fixture
def call(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The same in this process: no start-up to wait for, for commands that start no processes."""

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["crosscount", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        code = ended.value.code
        assert isinstance(code, int)
        return subprocess.CompletedProcess(arguments, code, shown.out, without_notes(shown.err))

    return run
