"""One engine at work in a process of its own.

The process inherits the engines, so that any callable can be one; it is given puzzles one after another and sends back
messages: ready, batch, note, and how it ended. Whatever happens to it is the status of a run and nothing else.
"""

import logging
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from crosscount.compare.found import Found
from crosscount.compare.memory import holds_more
from crosscount.compare.runs import Run, Status
from crosscount.puzzles.engine import Batch, Engine, Limits, Stopped, Unavailable
from crosscount.puzzles.puzzle import Puzzle

GRACE = 0.75
"""Seconds after its limit in which an engine may still stop by itself; then it is killed."""
# Any callable is an engine, also one that cannot be pickled; only a fork hands it over as it is.
FORK = get_context("fork")


@dataclass(slots=True)
class Job:
    """One engine on one puzzle, and what has come of it so far."""

    engine: Engine
    index: int
    puzzle: Puzzle
    limits: Limits
    found: Found | None
    begun: float = 0.0
    ready: float | None = None
    nodes: int | None = None
    search_seconds: float = 0.0
    count: int | None = None
    run: Run | None = None
    notes: list[str] = field(default_factory=list)

    def take(self, batch: Batch) -> None:
        self.nodes, self.search_seconds = batch.nodes, batch.seconds
        if self.found is not None:
            self.found.add(batch.solutions)
            self.count = self.found.count
        elif batch.count is not None:
            self.count = batch.count

    def end(self, status: Status, reason: str = "") -> Run:
        from crosscount.compare import digest

        found = self.found
        has_set = found is not None and status in ("complete", "stopped")
        self.run = Run(
            self.engine.name,
            self.engine.family,
            status,
            reason,
            count=None if status == "skipped" else self.count,
            digest=digest.shown(found.digest) if found is not None and has_set else None,
            solutions=found.kept if found is not None and has_set and found.is_kept else None,
            nodes=self.nodes,
            seconds=time.perf_counter() - self.begun if self.begun else 0.0,
            search_seconds=self.search_seconds,
        )
        return self.run


class Worker:
    """A process that runs engines, one job at a time."""

    def __init__(self, engines: Sequence[Engine], others: Sequence["Worker"]) -> None:
        self.connection, there = FORK.Pipe()
        # Only this process holds the other end of the lifeline, so that it breaks when this process ends, however.
        lifeline, self.lifeline = os.pipe()
        inherited = [end for worker in (self, *others) for end in (worker.connection.fileno(), worker.lifeline)]
        # No daemon: an engine may have processes of its own.
        self.process = FORK.Process(target=_serve, args=(engines, there, lifeline, inherited), daemon=False)
        # A Ctrl-C is for the parent, also in the moment in which there are two of it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        there.close()
        os.close(lifeline)
        self.job: Job | None = None

    def give(self, job: Job) -> None:
        self.job = job
        job.begun = time.perf_counter()
        with suppress(OSError):  # it may have died while it waited; whoever reads from it will notice
            self.connection.send((job.index, job.puzzle, job.limits))

    def receive(self) -> bool:
        """Take in one message; True when that ended the job."""
        job = self.job
        assert job is not None
        try:
            kind, *content = self.connection.recv()
            match kind:
                case "ready":
                    job.ready = time.perf_counter()
                case "batch":
                    job.take(Batch(*content))
                case "note":
                    job.notes.append(content[0])
                case _:
                    job.end(kind, content[0])
                    self.job = None
                    return True
        except EOFError:
            self.lose("it ended without a word")
            return True
        except (ValueError, OverflowError) as error:
            self.kill()
            job.end("failed", f"returned what is not a batch of solutions: {error}")
            self.job = None
            return True
        return False

    def lose(self, why: str) -> None:
        """The process is gone in the middle of a job."""
        self.process.join(1)
        code = self.process.exitcode
        if code is not None and code < 0:
            why = f"killed by {signal.Signals(-code).name}"
        elif code:
            why = f"exited with code {code}"
        self.kill()
        if self.job is not None:
            self.job.end("failed", why)
            self.job = None

    def enforce_limits(self, now: float) -> bool:
        """Kill the process where it is past a limit of its job; True when that ended the job."""
        job = self.job
        if job is None:
            return False
        if job.limits.memory is not None and holds_more(self.process.pid, job.limits.memory):
            self.kill()
            job.end("failed", f"used more than {job.limits.memory >> 20} MB of memory")
        elif job.limits.seconds is not None and job.ready is not None and now - job.ready > job.limits.seconds + GRACE:
            self.kill()
            job.end("stopped", "time")
        else:
            return False
        self.job = None
        return True

    def kill(self) -> None:
        """End the process and everything that it started."""
        pid = self.process.pid
        if pid is not None:
            try:
                os.killpg(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                self.process.kill()  # it had not yet made a group of its own
        self.process.join()
        if not self.connection.closed:
            self.connection.close()
            os.close(self.lifeline)

    @property
    def is_alive(self) -> bool:
        return not self.connection.closed and self.process.is_alive()


class _Notes(logging.Handler):
    def __init__(self, connection: "Connection[Any, Any]") -> None:
        super().__init__()
        self.connection = connection

    def emit(self, record: logging.LogRecord) -> None:
        self.connection.send(("note", record.getMessage()))


def _serve(
    engines: Sequence[Engine], connection: "Connection[Any, Any]", lifeline: int, inherited: Sequence[int]
) -> None:
    """The life of a worker process."""
    # A group of its own: Ctrl-C reaches only the parent, which can end all of the group at once.
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for end in inherited:
        os.close(end)
    Thread(target=_follow, args=(lifeline,), daemon=True).start()
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    sys.stdin = open(os.devnull)  # noqa: SIM115  # for the life of the process
    log = logging.getLogger("crosscount")
    log.setLevel(logging.INFO)
    log.handlers = [_Notes(connection)]
    try:
        while True:
            index, puzzle, limits = connection.recv()
            connection.send(_run(engines[index], puzzle, limits, connection))
    except (EOFError, OSError):
        # The parent is gone. Skip what Python would do at exit: it belongs to the parent.
        os._exit(0)


def _follow(lifeline: int) -> None:
    """End this process, and what it started, when the parent has ended."""
    os.read(lifeline, 1)
    os.killpg(0, signal.SIGKILL)


def _run(engine: Engine, puzzle: Puzzle, limits: Limits, connection: "Connection[Any, Any]") -> tuple[Status, str]:
    try:
        if engine.warm is not None:
            engine.warm(puzzle)
        connection.send(("ready",))
        for batch in engine.search(puzzle, limits):
            connection.send(("batch", batch.solutions, batch.nodes, batch.seconds, batch.count))
    except Stopped as stopped:
        return "stopped", stopped.reason
    except Unavailable as unavailable:
        return "skipped", str(unavailable)
    except (BrokenPipeError, ConnectionResetError):
        raise
    except MemoryError:
        return "failed", "out of memory"
    except Exception as error:
        return "failed", f"{type(error).__name__}: {error}".splitlines()[0]
    return "complete", ""
