"""A program while it runs: started, watched, stopped with every process it has begotten."""

import ctypes
import json
import os
import resource
import select
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from crosscount.homework import sandbox_watch

LOOK = 0.02
"""Seconds between two looks at what the processes use."""
MEASURE = 0.2
"""Seconds between two looks at what is written, or at all processes of the machine."""
STARTING = 30.0
"""Seconds within which bubblewrap must have made the sandbox."""
_LINGER = 2.0
"""Seconds for the last output of killed processes to arrive."""
_PR_SET_CHILD_SUBREAPER = 36
_NO_PROGRAM = b"bwrap: execvp "
_SIGNALS = {int(one): one.name for one in signal.Signals}
_LIMIT_NO_PROGRAM = b"bwrap: execvp "
_SIGNALS = {int(signal.SIGXCPU): "timed out", int(signal.SIGXFSZ): "too much disk"}


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


def bubblewrapped(
    bwrap: Sequence[str],
    said: Sequence[str],
    argv: Sequence[str],
    bpf: bytes | None,
    user: int | None,
    limits: Limits,
) -> "Run":
    """Start `argv` in bubblewrap; the limits bind before the first instruction of it runs."""
    _adopt_orphans()
    info_in, info_out = os.pipe()
    held_in, held_out = os.pipe()
    passed = [info_out, held_in]
    options = [*said, "--info-fd", str(info_out), "--block-fd", str(held_in)]
    if bpf is not None:
        passed.append(_readable(bpf))
        options += ["--seccomp", str(passed[-1])]
    # Through a pipe, because the program can read the command line of its first process, and that holds our paths.
    passed.append(_readable(b"".join(os.fsencode(word) + b"\0" for word in options)))
    process = subprocess.Popen(
        [*bwrap, "--args", str(passed[-1]), "--", *argv],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=passed,
        env={},
        cwd="/",
        user=user,
        group=user,
        extra_groups=None if user is None else [],
    )
    for fd in passed:
        os.close(fd)
    begun = time.monotonic()
    init = _init(info_in)
    os.close(info_in)
    if init is not None:
        _limit_as(user, init, limits)
        begun = time.monotonic()
        os.write(held_out, b"x")
    os.close(held_out)
    return Run(process, limits, begun, wrapped=True, init=init)


def plain(argv: Sequence[str], cwd: Path, environment: Mapping[str, str], limits: Limits) -> "Run":
    """Start `argv` as an ordinary program of this user."""
    _adopt_orphans()
    process = subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=dict(environment),
        start_new_session=True,
        preexec_fn=lambda: _limit(0, limits),  # the stage has one thread, so this is safe
    )
    return Run(process, limits, time.monotonic(), wrapped=False)


def _adopt_orphans() -> None:
    """Whatever a program leaves behind becomes our child, so that it can be found and waited for."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _readable(content: bytes) -> int:
    """An open file with this content."""
    fd = os.memfd_create("crosscount")
    os.write(fd, content)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _init(info: int) -> int | None:
    """The first process of the sandbox, as it is known outside; None where bubblewrap gave up."""
    said, until = b"", time.monotonic() + STARTING
    while b"}" not in said:
        left = until - time.monotonic()
        if left <= 0 or not select.select([info], [], [], left)[0]:
            return None
        data = os.read(info, 4096)
        if not data:
            return None
        said += data
    return int(json.loads(said)["child-pid"])


def _limit_as(user: int | None, pid: int, limits: Limits) -> None:
    """Set limits of a process that belongs to `user`: root may do that only with a capability, its owner always."""
    if user is None:
        _limit(pid, limits)
        return
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
            _limit(pid, limits)
            os._exit(0)
        finally:
            os._exit(1)
    if os.waitpid(child, 0)[1] != 0:
        raise OSError("the limits could not be set")


def _limit(pid: int, limits: Limits) -> None:
    """Limits of the kernel's for each process that will descend from this one (0: from us)."""
    cpu = int(limits.cpu_seconds) + 1
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: cpu,
        resource.RLIMIT_FSIZE: limits.file_size,
        resource.RLIMIT_NOFILE: 512,
        # A backstop for one process that takes too much at once. Not RLIMIT_AS: Java and Node reserve far more room
        # than they use. Not the limit itself: whoever passes that is told so instead of being refused.
        resource.RLIMIT_DATA: 2 * limits.memory + (1 << 30),
        # In a namespace of users of its own, only the processes inside are counted; the first is bubblewrap's.
        resource.RLIMIT_NPROC: limits.processes + 1,
    }
    if pid == 0:
        # Outside, it would count everything that this user runs.
        del wanted[resource.RLIMIT_NPROC]
    for which, most in wanted.items():
        hard = resource.getrlimit(which)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        if pid == 0:
            resource.setrlimit(which, (most, most))
        else:
            resource.prlimit(pid, which, (most, most))


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
            return None  # it is ending just now
        self.memory = max(self.memory, used.memory)
        if used.memory > self.limits.memory:
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
        largest = used.ru_maxrss << 10 if sys.platform == "linux" else used.ru_maxrss
        outcome = Outcome(
            seconds=seconds,
            cpu_seconds=used.ru_utime + used.ru_stime,
            memory=max(self.memory, largest),
            stdout=bytes(self.output[1][: self.limits.output]),
            stderr=bytes(self.output[2][: self.limits.output]),
        )
        code = self.process.returncode
        if passed is not None:
            outcome.how = passed
        elif self.wrapped and (self.init is None or (code == 1 and outcome.stderr.startswith(_NO_PROGRAM))):
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


def _why_not_started(stderr: bytes) -> str:
    said = stderr.decode("utf-8", "replace").strip()
    if not stderr.startswith(_NO_PROGRAM):
        return said or "bubblewrap did not start"
    hint = "; does its first line name an interpreter that is there, and end without a carriage return?"
    return said.removeprefix(_NO_PROGRAM.decode()) + (hint if "No such file" in said else "")


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
