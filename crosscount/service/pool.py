"""The process that runs jobs: takes those whose turn it is, a process for each, and says how they ended.

It is single-threaded and does little itself, so that it can fork. Everything it knows is in the store: it can be killed
at any moment, and the next one goes on.
"""

import fcntl
import gc
import logging
import os
import secrets
import shutil
import signal
import sys
import time
from contextlib import suppress
from multiprocessing.connection import wait
from typing import Any

from crosscount.service.certificate import FOLDER as UNFINISHED
from crosscount.service.leases import Leases
from crosscount.service.running import NICE, Running
from crosscount.service.settings import Settings
from crosscount.service.store import LONG, QUICK, Ending
from crosscount.service.warm import warm

LOCK = "pool.lock"
TICK = 0.25
BEAT = 1.0
TIDY = 60.0
DAY = 24 * 3600.0


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
        alone = self._await_predecessor()
        if alone is None:
            return
        for identity in self.store.recover(self.settings.attempts, alone=alone):
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

    def _await_predecessor(self) -> bool | None:
        """True once the process before this one is gone, False where its leases have run out, None if we must end.

        A service that was killed and started again has two of these for a moment; the old one may not yet know.
        """
        self.lock = os.open(self.settings.data / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        until = time.monotonic() + self.settings.lease_seconds
        while time.monotonic() < until:
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if not self._listen():
                    return None
            else:
                return True
        return False

    def _fill(self, lane: int) -> None:
        """Start jobs while the lane has room."""
        while (job := self.store.claim(lane)) is not None:
            self.running[job.id] = Running(job, self.settings, self.lock)
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
            running.give_way()
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
            self.woken = True
        elif self.store.waiting(QUICK):
            self._stop(running)
            self.store.release(running.job, lane=LONG)
            _say(running.job.id)


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
