"""Whoever is killed, nothing is left: no process, no folder."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from crosscount.homework import sandbox_place
from crosscount.homework.escapes.scene import left_behind
from crosscount.homework.sandbox import Allowance, Fault, Staged, unsafe
from crosscount.homework.sandbox_client import Stage, close_idle

PATIENCE = 20.0
"""Seconds in which what must happen happens, on the slowest machine."""
SLEEPER = "import os, sys, time\nif os.fork() == 0: os.setsid()\nprint('up', flush=True)\ntime.sleep(300)\n"
DAEMON = """\
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(300)
    os._exit(0)
os.wait()
os.makedirs("a/b")
os.chmod("a/b", 0)
os.chmod("a", 0)
"""
GRADER = """\
import sys
from pathlib import Path
from crosscount.homework.sandbox import Allowance, bubblewrap, unsafe
sandbox = unsafe() if sys.argv[1] == "unsafe" else bubblewrap()
sandbox.run(["python3", "solver.py", sys.argv[3]], Path(sys.argv[2]), {}, Allowance(seconds=300))
"""


def until(condition: Callable[[], object]) -> bool:
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        if condition():
            return True
        time.sleep(0.02)
    return False


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary files: one that nobody else uses, so that it must be empty in the end.

    Not below `tmp_path`, which only its owner may enter, and made after it, because that asks where to be, too.
    """
    with tempfile.TemporaryDirectory(prefix="crosscount-test-") as folder:
        os.chmod(folder, 0o711)
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        close_idle()
        yield Path(folder)
        close_idle()


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    folder = tmp_path / "submission"
    folder.mkdir()
    (folder / "solver.py").write_text(SLEEPER)
    return folder


@pytest.fixture
def token(request: pytest.FixtureRequest) -> str:
    return f"crosscount-test-{os.getpid()}-{abs(hash(request.node.nodeid))}"


def nothing_is_left(token: str, folder: Path) -> bool:
    return until(lambda: not left_behind(token) and not list(folder.iterdir()))


@pytest.mark.parametrize("kind", [pytest.param("bubblewrap", marks=pytest.mark.sandbox), "unsafe"])
def test_nothing_is_left_when_the_grader_is_killed(
    kind: str, request: pytest.FixtureRequest, temporary: Path, submission: Path, token: str
) -> None:
    if kind == "bubblewrap":
        request.getfixturevalue("strong")
    with subprocess.Popen([sys.executable, "-c", GRADER, kind, str(submission), token]) as grader:
        # The grader itself has the token on its command line, and so has the program, twice.
        assert until(lambda: len(left_behind(token)) >= 3)
        grader.kill()
    assert nothing_is_left(token, temporary)


@pytest.mark.sandbox
@pytest.mark.parametrize("in_memory", [True, False], ids=["in memory", "on disk"])
def test_nothing_is_left_when_the_stage_is_killed(
    in_memory: bool, strong: Staged, temporary: Path, submission: Path, token: str
) -> None:
    sandbox = replace(strong, in_memory=in_memory)
    faults: list[str] = []

    def run() -> None:
        try:
            sandbox.run(["python3", "solver.py", token], submission, {}, Allowance(seconds=300))
        except Fault as fault:
            faults.append(str(fault))

    thread = threading.Thread(target=run)
    thread.start()
    assert until(lambda: is_up(token))
    os.kill(stage_of(left_behind(token)), signal.SIGKILL)
    thread.join(PATIENCE)
    assert faults == ["the sandbox's stage ended with -9"]
    assert until(lambda: not left_behind(token))
    sandbox_place.sweep()
    assert list(temporary.iterdir()) == []
    # The next run finds a stage again.
    assert sandbox.run(["true"], submission, {}, Allowance()).code == 0


def is_up(token: str) -> bool:
    """Whether the program itself runs, and not only bubblewrap, which ties its life to ours late in its own."""
    words = [Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") for pid in left_behind(token)]
    return sum(b"python" in command[0] for command in words if command[0]) >= 2


def stage_of(pids: list[int]) -> int:
    """The process of ours that performs the run: the first ancestor that is a Python of ours."""
    pid = min(pids)
    while "sandbox_stage" not in Path(f"/proc/{pid}/cmdline").read_text():
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return pid


@pytest.mark.parametrize("kind", [pytest.param("bubblewrap", marks=pytest.mark.sandbox), "unsafe"])
def test_nothing_is_left_when_the_grader_loses_interest(
    kind: str, request: pytest.FixtureRequest, temporary: Path, submission: Path, token: str
) -> None:
    sandbox = request.getfixturevalue("strong") if kind == "bubblewrap" else unsafe()
    assert isinstance(sandbox, Staged)
    stage = Stage()
    asked = sandbox._request(["python3", "solver.py", token], submission, {}, Allowance(seconds=300), [])

    def ask() -> None:
        with pytest.raises(Fault):
            stage.ask(asked)

    thread = threading.Thread(target=ask)
    thread.start()
    assert until(lambda: len(left_behind(token)) >= 2)
    assert stage.process.stdin is not None
    stage.process.stdin.close()  # as Ctrl-C does
    thread.join(PATIENCE)
    assert stage.process.wait(PATIENCE) is not None
    assert left_behind(token) == []
    assert list(temporary.iterdir()) == []
    assert stage.process.stdout is not None
    stage.process.stdout.close()


def test_without_a_sandbox_too_a_daemon_goes_with_the_program(temporary: Path, submission: Path, token: str) -> None:
    (submission / "solver.py").write_text(DAEMON)
    assert unsafe().run(["python3", "solver.py", token], submission, {}, Allowance()).how == "exited"
    assert left_behind(token) == []
    assert list(temporary.iterdir()) == []


def test_folders_of_the_dead_are_swept_and_those_of_the_living_are_not(temporary: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    for pid in (gone.pid, os.getpid()):
        (temporary / f"crosscount-run-{pid}-x" / "work").mkdir(parents=True)
    (temporary / f"crosscount-run-{gone.pid}-x" / "work").chmod(0)
    (temporary / "crosscount-other").mkdir()
    unsafe()
    assert sorted(path.name for path in temporary.iterdir()) == ["crosscount-other", f"crosscount-run-{os.getpid()}-x"]
