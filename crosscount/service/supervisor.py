"""Keeps the process alive that runs the jobs, and hears from it.

Lines from it: `ready`, `beat` at least every second, and the id of a job to which something has happened, followed by
how it ended if that is what happened. A line to it means that there is something to look at in the store; when its
standard input ends it gives everything back and ends.
"""

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress

from crosscount.service.settings import Settings

log = logging.getLogger(__name__)
STOP_SECONDS = 10.0
LONGEST_PAUSE = 5.0


class Supervisor:
    """`changed` is called with the id of every job to which something happens, and with its status if it has ended."""

    def __init__(self, settings: Settings, changed: Callable[[str, str], None]) -> None:
        self.settings, self.changed = settings, changed
        self.process: Process | None = None
        self.task: asyncio.Task[None] | None = None
        self.restarts = 0
        self.is_ready = False

    def start(self) -> None:
        self.task = asyncio.create_task(self._keep_alive())

    def wake(self) -> None:
        """Somebody has asked or cancelled. If it cannot be told, it looks by itself before long."""
        if self.process is not None and self.process.stdin is not None and self.process.returncode is None:
            with suppress(ConnectionError, RuntimeError):
                self.process.stdin.write(b"\n")

    async def close(self) -> None:
        """Let it give back what it runs; after a while without asking."""
        if self.task is not None:
            self.task.cancel()
            with suppress(asyncio.CancelledError):
                await self.task
        if self.process is not None and self.process.returncode is None:
            assert self.process.stdin is not None
            if not self.is_ready:
                # It compiles, and has nothing to give back.
                await self._kill()
                return
            self.process.stdin.close()
            try:
                await asyncio.wait_for(self.process.wait(), STOP_SECONDS)
            except TimeoutError:
                await self._kill()

    async def _keep_alive(self) -> None:
        pause = 0.1
        while True:
            begun = asyncio.get_running_loop().time()
            await self._live()
            self.is_ready = False
            self.restarts += 1
            # One that dies at once must not cost all the time there is.
            lived = asyncio.get_running_loop().time() - begun
            pause = 0.1 if lived > 10 else min(2 * pause, LONGEST_PAUSE)
            log.warning("the process that runs jobs has ended; started again in %.1f s", pause)
            await asyncio.sleep(pause)

    async def _live(self) -> None:
        """From the start of the process to its end."""
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "crosscount.service.pool", self.settings.to_json()),
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        while True:
            try:
                patience = self.settings.lease_seconds if self.is_ready else None
                line = await asyncio.wait_for(self.process.stdout.readline(), patience)
            except TimeoutError:
                log.warning("the process that runs jobs shows no sign of life; it is killed")
                break
            match line.decode().split():
                case []:
                    break
                case ["ready"]:
                    self.is_ready = True
                case ["beat"]:
                    pass
                case [identity, *ended]:
                    self.changed(identity, " ".join(ended))
        await self._kill()

    async def _kill(self) -> None:
        assert self.process is not None
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
