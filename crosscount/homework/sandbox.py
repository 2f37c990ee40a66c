"""Running a program that nobody vouches for: what it is given, what it may use up, what it left behind.

A run has one folder, private and writable, which is also the current folder. It holds a copy of the submission and,
laid over it, the inputs, which the program cannot change. So a program may write beside itself, beside the puzzle,
into the current folder or into a sub-folder of it: all of that is read back. Relative paths in a command mean that
folder, and `HERE` in a command becomes its absolute path.
"""

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol

from crosscount.homework import sandbox_bubblewrap, sandbox_client, sandbox_filter, sandbox_place
from crosscount.homework.sandbox_client import Fault as Fault

HERE = "{here}"
"""In a word of a command: the absolute path of the run's folder."""

MIB = 1 << 20

How = Literal[
    "exited",
    "killed by a signal",
    "timed out",
    "out of memory",
    "too much output",
    "too much disk",
    "could not start",
]


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one run may use up, all its processes together."""

    seconds: float = 10.0
    """By the clock on the wall."""
    cpu_seconds: float | None = None
    """Of all processes; None: as many as `seconds`, for each of two cores."""
    memory: int = 512 * MIB
    processes: int = 128
    """Threads count as well."""
    disk: int = 64 * MIB
    """Bytes that it may write, beside what the submission has already."""
    files: int = 1000
    """Files and folders that it may make."""
    output: int = 4 * MIB
    """Bytes of standard output, and as many of standard error."""
    collected: int = MIB
    """Bytes of one file that is read back; at most 100 files are."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended and what it left."""

    how: How
    code: int | None = None
    """The exit code, where it exited."""
    signal: str | None = None
    """The name of the signal that ended it, such as SIGSEGV."""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    memory: int | None = None
    """The most that all processes held at once, as far as it was seen."""
    stdout: bytes = b""
    stderr: bytes = b""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Paths in the run's folder, with /, and contents: the regular files that match `collect` and that are new or
    changed since the submission was copied."""
    notes: tuple[str, ...] = ()
    """What a person should know: `solution1.txt is a symbolic link: not read`, or why it could not start."""


class Sandbox(Protocol):
    """A way to run a program, from any thread.

    `run` never raises because of what the program does; `Fault` is for our own failures.
    """

    @property
    def name(self) -> str: ...

    @property
    def sees(self) -> str:
        """What a program that `has` finds is, to end a sentence with: "a program that ..."."""
        ...

    def has(self, program: str) -> bool:
        """Whether this name or absolute path can be the first word of a command."""
        ...

    def run(
        self,
        argv: Sequence[str],
        program: Path,
        inputs: Mapping[str, bytes],
        allowance: Allowance,
        collect: Sequence[str] = (),
    ) -> Ended:
        """Run `argv` in a folder with a copy of `program`, a folder's content or one file, and with `inputs`.

        argv: a command whose paths are relative to the run's folder, or begin with `HERE`. `python` and `python3` mean
        the interpreter of the sandbox. A first word such as `./solver` is the submission's own file.
        inputs: relative path -> content. It replaces a file of that name in the submission.
        collect: patterns of `fnmatch`, matched with the path and with the bare name, in any case.
        """
        ...


NOT_PROTECTED = (
    "the network: a program can reach it",
    "files: a program can read and change whatever you can, other submissions and the expected answers among them",
    "your processes: a program can see, signal and stop them",
    "the number of processes: a fork bomb has no limit of its own",
    "memory and disk: only looked at a few times a second, and programs that leave the folder are not seen",
)
"""What a run without a sandbox leaves open."""


@dataclass(frozen=True, slots=True)
class Staged:
    """Runs programs in stages: `sandbox_stage`, a process of ours that stands between them and the grader."""

    name: str
    bwrap: str | None
    """The path of bubblewrap; None: without a sandbox."""
    can: Mapping[str, bool] = field(default_factory=dict)
    in_memory: bool = False
    filter: bytes | None = None
    python: Path | None = None
    """The prefix of the Python that programs see, where that is not the system's."""

    @property
    def sees(self) -> str:
        return "is installed here" if self.bwrap is None else "can be seen inside the sandbox"

    def has(self, program: str) -> bool:
        if program in ("python", "python3"):
            return True
        found = shutil.which(program) if self.bwrap is None else sandbox_bubblewrap.find(program)
        return found is not None

    def run(
        self,
        argv: Sequence[str],
        program: Path,
        inputs: Mapping[str, bytes],
        allowance: Allowance,
        collect: Sequence[str] = (),
    ) -> Ended:
        if not argv:
            return Ended("could not start", notes=("the command is empty",))
        return _ended(sandbox_client.ask(self._request(argv, program, inputs, allowance, collect)))

    def _request(
        self,
        argv: Sequence[str],
        program: Path,
        inputs: Mapping[str, bytes],
        allowance: Allowance,
        collect: Sequence[str],
    ) -> dict[str, object]:
        cpu = allowance.cpu_seconds
        return {
            "argv": list(argv),
            "program": os.path.abspath(program),
            "inputs": {name: base64.b64encode(content).decode() for name, content in inputs.items()},
            "limits": {
                "seconds": allowance.seconds,
                "cpu_seconds": 2 * allowance.seconds if cpu is None else cpu,
                "memory": allowance.memory,
                "processes": allowance.processes,
                "file_size": allowance.disk,
                "output": allowance.output,
            },
            "disk": allowance.disk,
            "files": allowance.files,
            "collected": allowance.collected,
            "collect": list(collect),
            "bwrap": self.bwrap,
            "can": dict(self.can),
            "in_memory": self.in_memory,
            "filter": base64.b64encode(self.filter).decode() if self.filter else None,
            "python": str(self.python) if self.python else None,
            "path": os.environ.get("PATH", os.defpath),
        }


def _ended(said: dict[str, Any]) -> Ended:
    for name in ("stdout", "stderr"):
        said[name] = base64.b64decode(said[name])
    said["files"] = {name: base64.b64decode(content) for name, content in said["files"].items()}
    said["notes"] = tuple(said["notes"])
    return Ended(**said)


def bubblewrap(python: Path | None = None) -> Sandbox | None:
    """The strongest sandbox that works here, or None; `why_no_bubblewrap` then says why.

    python: the prefix of the Python that programs shall see instead of the system's.
    """
    found = _strongest(python)
    return None if isinstance(found, str) else found


def why_no_bubblewrap() -> str | None:
    """What is missing, in a sentence, or None where bubblewrap works."""
    found = _strongest(None)
    return found if isinstance(found, str) else None


def unsafe() -> Sandbox:
    """Runs programs as they are, in a folder of their own and with limits; see `NOT_PROTECTED`."""
    sandbox_place.sweep()
    return Staged("none", None)


@cache
def _strongest(python: Path | None) -> Staged | str:
    """Each way is tried with a real run, the strongest first."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return "bubblewrap is not installed (bwrap is not on the PATH): apt install bubblewrap"
    sandbox_place.sweep()
    if python is None and sandbox_bubblewrap.interpreter() is None:
        python = Path(sys.base_prefix)
    helped = subprocess.run([bwrap, "--help"], capture_output=True, text=True, check=False).stdout
    can = {option: option in helped for option in ("--disable-userns",)}
    why = ""
    for in_memory in (True, False):
        for bpf in (sandbox_filter.program(), None):
            tried = Staged("bubblewrap", bwrap, can, in_memory, bpf, python)
            ended = tried.run(["true"], Path(__file__), {}, Allowance())
            if ended.how == "exited" and ended.code == 0:
                return tried
            why = why or "; ".join(ended.notes) or ended.how
    return f"bubblewrap is installed and cannot make a sandbox here: {why}"
