"""The process that runs jobs: takes those whose turn it is, a process for each, and says how they ended.

It is single-threaded and does little itself, so that it can fork. Everything it knows is in the store: it can be killed
at any moment, and the next one goes on.
"""

import gc
import logging
import os
import secrets
import shutil
import signal
import sys
import time
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from crosscount.compare.worker import FORK, resident
from crosscount.service.certificate import FOLDER as UNFINISHED
from crosscount.service.leases import Leases
from crosscount.service.perform import perform
from crosscount.service.settings import MB, Settings
from crosscount.service.store import LONG, QUICK, Ending, Job
from crosscount.service.warm import warm

TICK = 0.25
BEAT = 1.0
TIDY = 60.0
DAY = 24 * 3600.0
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

    def __init__(self, job: Job, settings: Settings) -> None:
        self.job = job
        self.lane = job.lane
        self.begun = time.monotonic()
        self.told: set[str] = set()
        self.connection, there = FORK.Pipe(duplex=False)
        self.process = FORK.Process(target=_work, args=(job, settings, there, self.connection.fileno()), daemon=False)
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

    def slow_down(self) -> None:
        """From now on everything else comes first."""
        for pid in [self.process.pid, *_below(self.process.pid)]:
            try:
                os.setpriority(os.PRIO_PROCESS, pid or 0, NICE + NICER)
            except OSError:  # it has just ended
                continue

    def over_limit(self) -> str | None:
        """Why it must not go on; None where it may."""
        if time.monotonic() > self.deadline:
            return f"took longer than {self.deadline - self.begun:g} s"
        if resident(self.process.pid) > self.memory:
            return f"used more than {self.memory // MB} MB of memory"
        return None


class Pool:
    """Slots for jobs in two lanes."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        holder = f"{os.getpid()}-{secrets.token_hex(4)}"
        self.store = Leases(settings.data, holder, settings.workers, settings.lease_seconds)
        self.running: dict[str, Running] = {}
        self.beaten = self.tidied = self.enforced = 0.0
        self.woken = True
        """Whether there may be something new in the store."""

    def run(self) -> None:
        """Until standard input ends."""
        # Whoever starts this holds the folder's lock: whatever runs there now, nobody runs.
        for identity in self.store.recover(self.settings.attempts, alone=True):
            _say(identity)
        shutil.rmtree(self.settings.data / UNFINISHED, ignore_errors=True)
        warm(self.settings.engine_module)
        # What is there now stays: looking through it again would only copy it in every fork.
        gc.collect()
        gc.freeze()
        _say("ready")
        while self._listen():
            self._beat()
            self._enforce()
            if self.woken:
                self.woken = False
                for lane in (QUICK, LONG):
                    self._fill(lane)
        for running in self.running.values():
            running.kill()
            self.store.release(running.job)
        self.store.close()

    def _fill(self, lane: int) -> None:
        """Start jobs while the lane has room."""
        while (job := self.store.claim(lane)) is not None:
            self.running[job.id] = Running(job, self.settings)
            _say(job.id)

    def _listen(self) -> bool:
        """Take in what the jobs have to say; False when the service has ended."""
        by_connection: dict[Any, Running] = {running.connection: running for running in self.running.values()}
        stdin = sys.stdin.fileno()
        for ready in wait([stdin, *by_connection], TICK):
            if ready in by_connection:
                self._hear(by_connection[ready])
            elif os.read(stdin, 65536):
                self.woken = True
            else:
                return False
        return True

    def _hear(self, running: Running) -> None:
        try:
            kind, content = running.connection.recv()
        except (EOFError, OSError):
            self._lost(running)
            return
        if kind == "progress":
            self.store.report(running.job, content, running.news(content))
            _say(running.job.id)
        else:
            self._stop(running)
            self._finish(running, content)

    def _stop(self, running: Running) -> None:
        """Its slot is free for the next one."""
        running.kill()
        del self.running[running.job.id]
        self.woken = True

    def _lost(self, running: Running) -> None:
        """The process is gone in the middle of the job. Another one may be luckier, a few times."""
        running.process.join(1)
        code = running.process.exitcode or 0
        why = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"exited with code {code}"
        self._stop(running)
        if running.job.attempts >= self.settings.attempts:
            self._fail(running, f"the process that ran it {why}, at the last of {running.job.attempts} attempts")
        else:
            self.store.release(running.job, excused=False)
            _say(running.job.id)

    def _fail(self, running: Running, why: str) -> None:
        self._finish(running, Ending("failed", why, summary={"reason": why}))

    def _finish(self, running: Running, ending: Ending) -> None:
        if self.store.finish(running.job, ending, running.news(ending.progress)):
            _say(f"{running.job.id} {ending.status}")

    def _beat(self) -> None:
        """Show that we live, and end the jobs that are no longer ours: cancelled, or taken away."""
        now = time.monotonic()
        if self.woken or now - self.beaten > BEAT:
            self.beaten = now
            # Jobs may have come while nobody could tell us.
            self.woken = True
            ours = self.store.heartbeat()
            _say("beat")
            for running in [running for running in self.running.values() if running.job.id not in ours]:
                self._stop(running)
        if now - self.tidied > TIDY:
            self.tidied = now
            self.store.recover(self.settings.attempts, alone=False)
            self.store.drop_solutions(self.settings.solutions_bytes)
            self.store.forget_turns(DAY)

    def _enforce(self) -> None:
        """Hold every job to its limits, a few times a second."""
        now = time.monotonic()
        if now - self.enforced < TICK:
            return
        self.enforced = now
        for running in list(self.running.values()):
            why = running.over_limit()
            if why is not None:
                self._stop(running)
                self._fail(running, why)
            elif running.lane == QUICK and now - running.begun > self.settings.quick_seconds:
                self._leave_quick_lane(running)

    def _leave_quick_lane(self, running: Running) -> None:
        """Go on in the other lane if there is room. If there is none, and others wait, begin again there later."""
        if self.store.promote(running.job):
            running.lane = LONG
            running.slow_down()
            self.woken = True
        elif self.store.waiting(QUICK):
            self._stop(running)
            self.store.release(running.job, lane=LONG)
            _say(running.job.id)


def _work(job: Job, settings: Settings, connection: "Connection[Any, Any]", other_end: int) -> None:
    """The life of the process of one job."""
    os.setsid()
    os.close(other_end)
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
    except Exception as error:
        traceback.print_exc()
        why = f"a fault of ours: {type(error).__name__}: {error}"[:500]
        ending = Ending("failed", why, summary={"reason": why})
    connection.send(("end", ending))
    # Skip what Python would do at exit: it belongs to the pool.
    os._exit(0)


def _below(pid: int | None) -> list[int]:
    """The processes that a process has started, and theirs."""
    try:
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    return [*children, *(below for child in children for below in _below(child))]


def _say(line: str) -> None:
    """To the service; if that is gone, standard input has ended too and we will see it."""
    with suppress(BrokenPipeError):
        os.write(1, f"{line}\n".encode())


def main() -> None:
    # The first start compiles for a minute or two, and whoever waits for it should know.
    logging.basicConfig(format="crosscount: %(message)s")
    logging.getLogger("crosscount").setLevel(logging.INFO)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.nice(NICE)
    Pool(Settings.from_json(sys.argv[1])).run()


if __name__ == "__main__":
    main()
