"""A program while it runs: watched, and stopped with every process it has begotten."""

import os
import resource
import select
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from crosscount.homework import sandbox_watch

LOOK = 0.02
"""Seconds between two looks at what the processes use."""
MEASURE = 0.2
"""Seconds between two looks at what is written, or at all processes of the machine."""
_LINGER = 2.0
"""Seconds for the last output of killed processes to arrive."""
SELF = "sandbox"
"""How the shell that starts the program calls itself when it cannot."""
_SIGNALS = {int(one): one.name for one in signal.Signals}
_LIMIT_SIGNALS = {int(signal.SIGXCPU): "timed out", int(signal.SIGXFSZ): "too much disk"}


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: float
    cpu_seconds: float
    memory: int
    processes: int
    file_size: int
    output: int


@dataclass(slots=True)
class Outcome:
    how: str = "exited"
    code: int | None = None
    signal: str | None = None
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    memory: int | None = None
    stdout: bytes = b""
    stderr: bytes = b""
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


class Run:
    """A started program."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        limits: Limits,
        begun: float,
        wrapped: bool,
        init: int | None = None,
    ) -> None:
        self.process = process
        self.limits = limits
        self.begun = begun
        self.wrapped = wrapped
        self.init = init
        """The first process of the sandbox; None without one, and where bubblewrap gave up."""
        self.init_fd = _open_pid(init) if init is not None else None
        self.output = {1: bytearray(), 2: bytearray()}
        self.memory = 0
        self.cpu_seconds = 0.0
        self.looked = self.measured = begun

    def watch(self, full: Callable[[], bool]) -> Outcome:
        """Wait for the end, which comes when the program ends or passes a limit; every process is gone then.

        full: has it written too much? SystemExit where the grader has gone.
        """
        with selectors.DefaultSelector() as selector:
            assert self.process.stdout is not None
            assert self.process.stderr is not None
            selector.register(self.process.stdout, selectors.EVENT_READ, 1)
            selector.register(self.process.stderr, selectors.EVENT_READ, 2)
            selector.register(sys.stdin, selectors.EVENT_READ, "grader")
            ended = _open_pid(self.process.pid)
            if ended is not None:
                selector.register(ended, selectors.EVENT_READ, "ended")
            try:
                passed = self._until_end(selector, full)
            finally:
                seconds = time.monotonic() - self.begun
                self._stop()
                if ended is not None:
                    selector.unregister(ended)
                    os.close(ended)
            if not self._drain(selector) and passed is None:
                passed = "too much output"
        if passed is None and full():
            passed = "too much disk"
        return self._outcome(passed, seconds)

    def _until_end(self, selector: selectors.BaseSelector, full: Callable[[], bool]) -> str | None:
        """The limit that was passed, or None when the program ended by itself."""
        while True:
            for key, _ in selector.select(LOOK):
                if key.data == "grader":
                    raise SystemExit("the grader has gone")
                if key.data != "ended" and not self._read(selector, key):
                    return "too much output"
            if self.process.poll() is not None:
                return None
            now = time.monotonic()
            if now - self.begun > self.limits.seconds:
                return "timed out"
            if now - self.looked >= LOOK and (passed := self._look(now)):
                return passed
            if now - self.measured >= MEASURE:
                self.measured = now
                if full():
                    return "too much disk"

    def _read(self, selector: selectors.BaseSelector, key: selectors.SelectorKey) -> bool:
        """Take what has been printed; False when it is too much."""
        data = os.read(key.fd, 1 << 16)
        if not data:
            selector.unregister(key.fileobj)
        into = self.output[key.data]
        into += data[: self.limits.output - len(into) + 1]
        return len(into) <= self.limits.output

    def _look(self, now: float) -> str | None:
        """What all processes use together, against the limits."""
        self.looked = now
        try:
            if self.init is not None:
                proc = sandbox_watch.inside(self.init)
                used = sandbox_watch.usage(proc, sandbox_watch.pids(proc), self.limits.memory)
            else:
                # This looks at every process of the machine: not as often.
                self.looked = now + MEASURE
                used = sandbox_watch.usage("/proc", sandbox_watch.below(os.getpid()), self.limits.memory)
        except OSError:
            return None  # it is being made, or ending just now
        held = used.memory + (0 if self.init is None else sandbox_watch.sockets(self.init))
        self.memory = max(self.memory, held)
        self.cpu_seconds = max(self.cpu_seconds, used.cpu_seconds)
        if held > self.limits.memory:
            return "out of memory"
        if used.cpu_seconds > self.limits.cpu_seconds:
            return "timed out"
        return None

    def _stop(self) -> None:
        """Kill every process and wait until each is gone."""
        if self.init_fd is not None:
            # With the first process of a namespace the kernel ends all others, before this one can be waited for.
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.init_fd, signal.SIGKILL)
            select.select([self.init_fd], [], [])
            os.close(self.init_fd)
            self.init_fd = None
        if not self.wrapped:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        _end_orphans()

    def _drain(self, selector: selectors.BaseSelector) -> bool:
        """Read what is still in the pipes; False when that is too much."""
        until = time.monotonic() + _LINGER
        while len(selector.get_map()) > 1 and time.monotonic() < until:
            for key, _ in selector.select(LOOK):
                if key.data == "grader":
                    raise SystemExit("the grader has gone")
                if not self._read(selector, key):
                    return False
        return True

    def _outcome(self, passed: str | None, seconds: float) -> Outcome:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        unit = 1024 if sys.platform == "linux" else 1
        # Before it became the program, each process was a copy of this one: as much as that says nothing.
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        largest = max(self.memory, used.ru_maxrss * unit if used.ru_maxrss > own else 0)
        outcome = Outcome(
            seconds=seconds,
            # Processes that the kernel ended with their namespace are in no one's sum.
            cpu_seconds=max(self.cpu_seconds, used.ru_utime + used.ru_stime),
            memory=largest or None,
            stdout=bytes(self.output[1][: self.limits.output]),
            stderr=bytes(self.output[2][: self.limits.output]),
        )
        code = self.process.returncode
        if passed is not None:
            outcome.how = passed
        elif self.wrapped and (self.init is None or (code in (126, 127) and _is_ours(outcome.stderr))):
            outcome.how = "could not start"
            outcome.notes.append(_why_not_started(outcome.stderr))
        elif code < 0 or (self.wrapped and code - 128 in _SIGNALS):
            # bubblewrap tells of signals as shells do.
            number = -code if code < 0 else code - 128
            outcome.how = _LIMIT_SIGNALS.get(number, "killed by a signal")
            outcome.signal = _SIGNALS.get(number, str(number))
        else:
            outcome.code = code
        return outcome


def _is_ours(stderr: bytes) -> bool:
    return stderr.startswith(f"{SELF}: ".encode())


def _why_not_started(stderr: bytes) -> str:
    said = stderr.decode("utf-8", "replace").strip()
    if not _is_ours(stderr):
        return said or "bubblewrap did not start"
    # sandbox: 1: exec: program: not found
    words = said.partition("exec: ")[2]
    hint = "; does its first line name an interpreter that is there, and end without a carriage return?"
    return words + (hint if "not found" in said or "No such file" in said else "")


def _open_pid(pid: int) -> int | None:
    with suppress(OSError, AttributeError):
        return os.pidfd_open(pid)
    return None


def _end_orphans() -> None:
    """Kill and wait for whatever has become our child, until there is none."""
    while True:
        if sys.platform == "linux":
            for pid in sandbox_watch.below(os.getpid()):
                with suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
