"""Running a program that nobody vouches for: what it is given, what it may use up, what it left behind.

A run has one folder, private and writable, which is also the current folder. It holds a copy of the submission and,
laid over it, the inputs, which the program cannot change. So a program may write beside itself, beside the puzzle,
into the current folder or into a sub-folder of it: all of that is read back. Relative paths in a command mean that
folder, and `HERE` in a command becomes its absolute path.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

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
    files: Mapping[str, bytes] | None = None
    """Paths in the run's folder, with /, and contents: the regular files that match `collect` and that are new or
    changed since the submission was copied."""
    notes: tuple[str, ...] = ()
    """What a person should know: `solution1.txt is a symbolic link: not read`, or why it could not start."""


class Sandbox(Protocol):
    """A way to run a program; `run` never raises because of what the program does."""

    @property
    def name(self) -> str: ...

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
