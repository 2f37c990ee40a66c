"""A process that reads what strangers send, within hard limits, and those who talk to it.

One JSON object a line in both directions: operation and request there, the key of the question or what is wrong with
it back. Whatever takes too long or too much memory ends the process and nothing else.
"""

import asyncio
import json
import resource
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from crosscount.puzzles.errors import InputError
from crosscount.service.models import Operation
from crosscount.service.problem import Problem
from crosscount.service.settings import MB, Settings

SECONDS = 5.0
MEMORY = 2048 * MB
"""Of address space, most of which imported libraries reserve and never touch."""
LONGEST_LINE = 32 * MB


class Readers:
    """A few reader processes, made when they are needed and made again when they die."""

    def __init__(self, settings: Settings, size: int = 2) -> None:
        self.settings = settings
        self.idle: asyncio.LifoQueue[Process | None] = asyncio.LifoQueue()
        for _ in range(size):
            self.idle.put_nowait(None)
        self.all: set[Process] = set()
        self.starting: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Have one ready before the first question comes."""
        self.starting = asyncio.create_task(self._have_one())

    async def _have_one(self) -> None:
        self.idle.put_nowait(await self.idle.get() or await self._start())

    async def key(self, operation: Operation, request: dict[str, Any]) -> str:
        """The key of a question; Problem where it is too large or makes no sense."""
        process = await self.idle.get()
        answer: dict[str, Any] | None = None
        try:
            if process is None:
                process = await self._start()
            line = json.dumps([operation, request]).encode() + b"\n"
            answer = await asyncio.wait_for(self._ask(process, line), SECONDS)
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError) as error:
            why = f"took more than {SECONDS:g} s" if isinstance(error, TimeoutError) else "took too much memory"
            raise Problem(413, f"reading it {why}, expected something smaller") from None
        finally:
            if answer is None:
                # Also where the client went away: the answer to its question must not become another's.
                self._end(process)
            self.idle.put_nowait(None if answer is None else process)
        if "key" in answer:
            return str(answer["key"])
        raise Problem(answer["status"], answer["detail"])

    async def _ask(self, process: Process, line: bytes) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line)
        await process.stdin.drain()
        answer: dict[str, Any] = json.loads(await process.stdout.readuntil(b"\n"))
        return answer

    async def _start(self) -> Process:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "crosscount.service.reader", self.settings.to_json()),
            stdin=PIPE,
            stdout=PIPE,
            limit=LONGEST_LINE,
            start_new_session=True,
        )
        self.all.add(process)
        assert process.stdout is not None
        # Importing takes its time and is nobody's fault.
        await process.stdout.readuntil(b"\n")
        return process

    def _end(self, process: Process | None) -> None:
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            self.all.discard(process)

    async def close(self) -> None:
        """End every process; nothing is left behind."""
        if self.starting is not None:
            self.starting.cancel()
        for process in list(self.all):
            self._end(process)
            await process.wait()


class Turns:
    """One text of a client is read at a time, so that nobody keeps all readers busy."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def of(self, client: str) -> AsyncIterator[None]:
        """Problem where too many of this client's wait already."""
        lock, waiting = self.locks.get(client, (asyncio.Lock(), 0))
        if waiting >= self.most:
            raise Problem(429, f"{self.most} requests of yours are being read, expected fewer", retry_after=1)
        self.locks[client] = lock, waiting + 1
        try:
            async with lock:
                yield
        finally:
            lock, waiting = self.locks.pop(client)
            if waiting > 1:
                self.locks[client] = lock, waiting - 1


def main() -> None:
    """Answer until standard input ends."""
    settings = Settings.from_json(sys.argv[1])
    from crosscount.compare.gate_cache import versions
    from crosscount.service.reading import known_engines

    versions()
    known_engines(settings.engine_module)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # It is read by strangers: whatever a library prints must not get in between.
    out, sys.stdout = sys.stdout, sys.stderr
    out.write("ready\n")
    out.flush()
    for line in sys.stdin:
        out.write(json.dumps(_answer(line, settings)) + "\n")
        out.flush()


def _answer(line: str, settings: Settings) -> dict[str, Any]:
    from crosscount.service.reading import TooLarge, question_key

    operation, request = json.loads(line)
    try:
        return {"key": question_key(operation, request, settings)}
    except TooLarge as error:
        return {"status": 413, "detail": str(error)}
    except InputError as error:
        return {"status": 422, "detail": str(error)}
    except (MemoryError, RecursionError):
        return {"status": 413, "detail": "reading it took too much memory, expected something smaller"}
    except Exception as error:
        return {"status": 500, "detail": f"a fault of ours: {type(error).__name__}: {error}"[:500]}


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
