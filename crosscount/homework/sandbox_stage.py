"""One run, in a process of its own that the program cannot reach.

The grader writes one line of JSON to its standard input and keeps that open: when it closes, the grader has gone, and
the stage stops the program and clears up. The answer is one line of JSON on standard output.
"""

import base64
import json
import os
import stat
import sys
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from crosscount.homework import sandbox_bubblewrap, sandbox_files, sandbox_place
from crosscount.homework.sandbox_files import Unusable
from crosscount.homework.sandbox_place import Place
from crosscount.homework.sandbox_run import Limits, Outcome, Run
from crosscount.homework.sandbox_start import bubblewrapped, plain

_EXECUTABLE = (b"#!", b"\x7fELF")


@dataclass(frozen=True, slots=True)
class Request:
    argv: list[str]
    program: str
    inputs: dict[str, bytes]
    limits: Limits
    disk: int
    files: int
    collected: int
    collect: list[str]
    bwrap: str | None
    """None: without a sandbox."""
    can: dict[str, bool]
    in_memory: bool
    filter: bytes | None
    python: str | None
    path: str
    """PATH, where there is no sandbox."""

    @classmethod
    def read(cls, line: bytes) -> "Request":
        said: dict[str, Any] = json.loads(line)
        said["inputs"] = {name: base64.b64decode(content) for name, content in said["inputs"].items()}
        said["filter"] = base64.b64decode(said["filter"]) if said["filter"] else None
        said["limits"] = Limits(**said["limits"])
        return cls(**said)


def main() -> None:
    """Perform runs until there is nobody left who asks for one."""
    os.umask(0o022)
    with suppress(BrokenPipeError):
        while line := _line():
            child = os.fork()
            if child == 0:
                _answer(line)
            if status := os.waitpid(child, 0)[1]:
                fault = f"the sandbox's stage ended with {os.waitstatus_to_exitcode(status)}"
                os.write(1, json.dumps({"fault": fault}).encode() + b"\n")


def _line() -> bytes:
    """The next request, or nothing when the grader has gone.

    Read without a buffer, which would hide that: while a run goes on, nothing comes but the end.
    """
    line = b""
    while not line.endswith(b"\n"):
        data = os.read(0, 1 << 20)
        if not data:
            return b""
        line += data
    return line


def _answer(line: bytes) -> NoReturn:
    """Perform one run and end; each has a process of its own, because it enters namespaces that one cannot leave."""
    try:
        said = _said(perform(Request.read(line)))
    except Exception:
        said = json.dumps({"fault": traceback.format_exc()})
    try:
        with open(1, "w", encoding="utf-8", closefd=False) as answers:
            answers.write(f"{said}\n")
        os._exit(0)
    finally:
        os._exit(1)


def perform(request: Request) -> Outcome:
    """The whole run; nothing of it is left afterwards but the outcome."""
    place: Place | None = None
    source = -1
    try:
        # Opened before anything is mounted: the submission may lie where we mount.
        source = os.open(request.program, os.O_RDONLY | os.O_CLOEXEC)
        size, entries = sandbox_files.measure(source)
        if size > sandbox_files.LARGEST_SUBMISSION:
            most = sandbox_files.LARGEST_SUBMISSION
            raise Unusable(f"the submission has {size} bytes, at most {most} are copied")
        place = _place(request, size, entries)
        return _performed(request, place, source)
    except Unusable as error:
        return Outcome("could not start", notes=[str(error)])
    except OSError as error:
        return Outcome("could not start", notes=[f"the sandbox could not be made: {error}"])
    finally:
        if source >= 0:
            os.close(source)
        if place is not None:
            with suppress(OSError):
                place.clear()


def _place(request: Request, size: int, entries: int) -> Place:
    if not request.in_memory:
        return sandbox_place.on_disk(drop=request.bwrap is not None)
    # The inputs are there twice: as they are shown, and as the empty files over which they are shown.
    given = sum(-(-len(content) // sandbox_files.PAGE) * sandbox_files.PAGE for content in request.inputs.values())
    folders = sum(name.count("/") + 1 for name in request.inputs)
    return sandbox_place.in_memory(size + given + request.disk, entries + 2 * folders + request.files)


def _performed(request: Request, place: Place, source: int) -> Outcome:
    work = os.open(place.root / "work", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        notes = sandbox_files.copy(source, os.path.basename(request.program), work)
        if request.bwrap is None:
            sandbox_files.lay(request.inputs, work)
        else:
            sandbox_files.lay(dict.fromkeys(request.inputs, b""), work)
            given = os.open(place.root / "given", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            sandbox_files.lay(request.inputs, given)
            os.close(given)
        argv = _command(request, place, work)
        before = sandbox_files.stamps(work)
        run = _start(request, place, argv)
        already = (0, 0) if place.bounded else sandbox_files.taken(work)
        outcome = run.watch(lambda: place.full(request.disk + already[0], request.files + already[1]))
        files, more = sandbox_files.read_back(work, request.collect, before, request.collected)
        outcome.files = {name: content for name, content in files.items() if name not in request.inputs}
        outcome.notes = notes + more + outcome.notes
        return outcome
    finally:
        os.close(work)


def _command(request: Request, place: Place, work: int) -> list[str]:
    """The command with the paths that hold inside; Unusable where there is no such program."""
    here = str(place.root / "work") if request.bwrap is None else sandbox_bubblewrap.WORK
    argv = [word.replace("{here}", here) for word in request.argv]
    first = argv[0]
    if first.startswith(f"{here}/") or ("/" in first and not first.startswith("/")):
        _make_executable(work, first.removeprefix(f"{here}/"))
    elif request.bwrap is None:
        argv[0] = _outside(first, request)
    elif not _is_inside(first, request):
        raise Unusable(f"no program {first!r} inside the sandbox")
    return argv


def _is_inside(first: str, request: Request) -> bool:
    if first in ("python", "python3"):
        return request.python is not None or sandbox_bubblewrap.interpreter() is not None
    return sandbox_bubblewrap.find(first) is not None


def _outside(first: str, request: Request) -> str:
    if first in ("python", "python3"):
        return sys.executable
    for folder in request.path.split(":"):
        if os.access(os.path.join(folder, first), os.X_OK):
            return os.path.join(folder, first)
    raise Unusable(f"no program {first!r} on the PATH")


def _make_executable(work: int, path: str) -> None:
    """Archives lose the bit that says a file may be run, so it is set again for what plainly is a program."""
    try:
        file = os.open(os.path.normpath(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=work)
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}; expected a program of the submission") from None
    try:
        found = os.fstat(file)
        if stat.S_ISREG(found.st_mode) and os.read(file, 4).startswith(_EXECUTABLE):
            os.fchmod(file, found.st_mode & 0o777 | 0o111)
        elif not found.st_mode & 0o111 or not stat.S_ISREG(found.st_mode):
            raise Unusable(f"{path} is {sandbox_files.kind(found.st_mode)}, expected a program that can be run")
    finally:
        os.close(file)


def _start(request: Request, place: Place, argv: list[str]) -> Run:
    if request.bwrap is None:
        environment = {"PATH": request.path, "HOME": str(place.root / "tmp"), "LANG": "C.UTF-8"}
        return plain(argv, Path(place.root / "work"), environment, request.limits)
    python = sandbox_place.show_python(place, request.python) if request.python else None
    sandbox_place.hand_over(place)
    said = sandbox_bubblewrap.options(place, list(request.inputs), python, request.can)
    return bubblewrapped([request.bwrap], said, argv, request.filter, place.drops_to, request.limits)


def _said(outcome: Outcome) -> str:
    return json.dumps(
        {
            "how": outcome.how,
            "code": outcome.code,
            "signal": outcome.signal,
            "seconds": outcome.seconds,
            "cpu_seconds": outcome.cpu_seconds,
            "memory": outcome.memory,
            "stdout": base64.b64encode(outcome.stdout).decode(),
            "stderr": base64.b64encode(outcome.stderr).decode(),
            "files": {name: base64.b64encode(content).decode() for name, content in outcome.files.items()},
            "notes": outcome.notes,
        }
    )
