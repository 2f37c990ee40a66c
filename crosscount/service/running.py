"""A job under way: the process that works on it, held to its limits from outside."""

import os
import signal
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from crosscount.compare.memory import below, holds_more
from crosscount.compare.worker import FORK
from crosscount.service.perform import perform
from crosscount.service.settings import MB, Settings
from crosscount.service.store import LONG, Ending, Job

NICE, NICER = 10, 9
OWN_MEMORY = 1536 * MB
"""For a job, besides what its engines may use."""
SLACK = 120.0
"""Seconds for a job, besides what its engines may use: compiling, and running again to see where two sets differ."""
MOST_ENGINES = 10
"""Of a comparison that names none."""
KILL_FIRST = "900"
"""Where the machine runs out of memory, the kernel takes a job and not the service."""


class Running:
    """A job and the process that works on it."""

    def __init__(self, job: Job, settings: Settings, lock: int) -> None:
        self.job = job
        self.lane = job.lane
        self.begun = time.monotonic()
        self.told: set[str] = set()
        self.nice: dict[int, int] = {}
        """How far each process of the job gives way to others."""
        self.connection, there = FORK.Pipe(duplex=False)
        inherited = (lock, self.connection.fileno())
        self.process = FORK.Process(target=_work, args=(job, settings, there, inherited), daemon=False)
        self.process.start()
        there.close()
        at_once = settings.engines_at_once
        self.memory = OWN_MEMORY + at_once * job.request.get("max_memory", settings.memory_mb) * MB
        engines = len(job.request.get("engines") or range(MOST_ENGINES))
        self.deadline = self.begun + SLACK + 2 * engines * job.request.get("time_limit", 0.0)

    def news(self, progress: dict[str, Any] | None) -> list[dict[str, Any]]:
        """The engines that have ended, each told once."""
        engines = [] if progress is None else progress["engines"]
        new = [e for e in engines if e["status"] not in ("waiting", "running") and e["name"] not in self.told]
        self.told |= {engine["name"] for engine in new}
        return new

    def kill(self) -> None:
        """End the process and all below it: engines notice that it is gone."""
        self.process.kill()
        self.process.join()
        self.connection.close()

    def give_way(self) -> None:
        """Let the service, and quicker jobs, come first. New processes keep joining, so it is called now and then."""
        nice = NICE + NICER if self.lane == LONG else NICE
        for pid in [self.process.pid or 0, *below(self.process.pid)]:
            if self.nice.get(pid) == nice:
                continue
            with suppress(OSError):  # it has just ended, or is to be asked again later
                os.setpriority(os.PRIO_PROCESS, pid, nice)
                # Every session is a group of its own to the scheduler, which weighs groups before processes.
                group = Path(f"/proc/{pid}/autogroup")
                if group.exists():
                    group.write_text(str(nice))
                self.nice[pid] = nice

    def over_limit(self) -> str | None:
        """Why it must not go on; None where it may."""
        if time.monotonic() > self.deadline:
            return f"took longer than {self.deadline - self.begun:g} s"
        if holds_more(self.process.pid, self.memory):
            return f"used more than {self.memory // MB} MB of memory"
        return None


def _work(job: Job, settings: Settings, connection: "Connection[Any, Any]", inherited: Sequence[int]) -> None:
    """The life of the process of one job."""
    os.setsid()
    for descriptor in inherited:
        os.close(descriptor)
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(quiet, stream)
    pool = os.getppid()
    # Without the pool nobody wants the answer. A timer and no thread, because engines are forked from here.
    signal.signal(signal.SIGALRM, lambda *_: None if os.getppid() == pool else os._exit(1))
    signal.setitimer(signal.ITIMER_REAL, 1.0, 1.0)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(KILL_FIRST)
    if job.lane == LONG:
        os.nice(NICER)
    try:
        ending = perform(job.operation, job.request, settings, lambda progress: connection.send(("progress", progress)))
    except BrokenPipeError:
        os._exit(1)
    except MemoryError:
        ending = Ending("failed", "out of memory", summary={"reason": "out of memory"})
    except Exception as error:
        traceback.print_exc()
        why = f"a fault of ours: {type(error).__name__}: {error}"[:500]
        ending = Ending("failed", why, summary={"reason": why})
    connection.send(("end", ending))
    # Skip what Python would do at exit: it belongs to the pool.
    os._exit(0)
