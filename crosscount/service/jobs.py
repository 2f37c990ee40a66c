"""The one way to jobs, for the API and for the pages: ask, look, wait, cancel.

SQLite is used in one thread of its own, so that the event loop never waits for a disk.
"""

import asyncio
import fcntl
import json
import os
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from pydantic import ValidationError

from crosscount.puzzles.errors import InputError
from crosscount.service.metrics import Metrics
from crosscount.service.models import REQUESTS, Operation
from crosscount.service.problem import Problem
from crosscount.service.reader import Readers, Turns
from crosscount.service.settings import Settings
from crosscount.service.store import Artifact, Event, Job, Store
from crosscount.service.supervisor import Supervisor

__all__ = ["Artifact", "Event", "Job", "Jobs", "Page"]

LOOK_EVERY = 1.0
"""Seconds after which a waiter looks again though nobody told it to."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the solutions that are kept."""

    total: int
    """How many are kept."""
    complete: bool
    """Whether these are all there are."""
    solutions: list[tuple[int, ...]]


class Jobs:
    """Open it, use it from one event loop, close it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.readers = Readers(settings)
        self.turns = Turns(settings.jobs_per_client)
        self.supervisor = Supervisor(settings, self._changed)
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self.waiters: dict[str, set[asyncio.Event]] = {}
        self.closing = False
        self.open_jobs = {"queued": 0, "running": 0}
        """As of a moment ago: who asks how we are must not wait for a disk."""
        self.looking: asyncio.Task[None] | None = None
        self.store: Store
        self.lock: int

    async def open(self) -> None:
        """InputError where the folder cannot be used, or another service uses it."""
        self.lock = lock_folder(self.settings.data)
        self.store = await self._stored(lambda: Store(self.settings.data))
        self.supervisor.start()
        self.looking = asyncio.create_task(self._look_around())
        self.readers.start()

    def let_go(self) -> None:
        """Whoever waits for a job, or listens to its events, is told nothing more."""
        self.closing = True
        for events in self.waiters.values():
            for event in events:
                event.set()

    async def close(self) -> None:
        """What runs goes back into the queue."""
        self.let_go()
        if self.looking is not None:
            self.looking.cancel()
        await self.supervisor.close()
        await self.readers.close()
        await self._stored(self.store.close)
        self.thread.shutdown()
        os.close(self.lock)

    async def look(
        self, operation: Operation, request: Mapping[str, Any], client: str = ""
    ) -> tuple[dict[str, Any], str]:
        """The request with its defaults, and the key of its question; Problem where it cannot be answered."""
        try:
            asked = REQUESTS[operation].model_validate(request).model_dump()
        except ValidationError as error:
            raise Problem(422, _sentence(error)) from None
        self._check_limits(asked)
        async with self.turns.of(client):
            return asked, await self.readers.key(operation, asked)

    async def submit(self, operation: Operation, request: Mapping[str, Any], client: str) -> Job:
        """The job that answers this question: a new one, or the one that has it already."""
        asked, key = await self.look(operation, request, client)
        known = await self._stored(lambda: self.store.known(key, client))
        if known is not None:
            self.metrics.asked(operation, "known")
            return known
        job = await self._stored(lambda: self._add(key, operation, asked, client))
        self.metrics.asked(operation, "new")
        self.supervisor.wake()
        return job

    def _add(self, key: str, operation: Operation, asked: dict[str, Any], client: str) -> Job:
        if self.store.unfinished(client) >= self.settings.jobs_per_client:
            self.metrics.asked(operation, "refused")
            most = self.settings.jobs_per_client
            raise Problem(429, f"{most} jobs of yours wait or run, expected fewer; wait or cancel", retry_after=5)
        if self.store.unfinished() >= self.settings.queue:
            self.metrics.asked(operation, "refused")
            raise Problem(429, f"{self.settings.queue} jobs wait or run already, expected fewer", retry_after=30)
        return self.store.add(key, operation, asked, client)

    async def get(self, identity: str) -> Job:
        job = await self._stored(lambda: self.store.get(identity))
        if job is None:
            raise Problem(404, f"no job is called {identity}")
        return job

    async def wait(self, identity: str, seconds: float) -> Job:
        """The job, once it has ended or after so many seconds."""
        until = asyncio.get_running_loop().time() + seconds
        with _Waiter(self.waiters, identity) as changed:
            while True:
                changed.clear()
                job = await self.get(identity)
                left = until - asyncio.get_running_loop().time()
                if job.is_finished or left <= 0 or self.closing:
                    return job
                await _at_most(changed, min(left, LOOK_EVERY))

    async def cancel(self, identity: str, client: str) -> Job:
        """End a job that nobody else waits for. What has ended stays as it is."""
        await self.get(identity)
        ended = await self._stored(lambda: self.store.cancel(identity, client))
        if ended is None:
            raise Problem(403, "this job was asked for by somebody else, who alone can cancel it")
        if ended:
            self.supervisor.wake()
            self._changed(identity, "cancelled")
        return await self.get(identity)

    async def has_told_all(self, identity: str, after: int) -> bool:
        """Whether nothing will ever happen after the event of this number."""
        job = await self.get(identity)
        return job.is_finished and not await self._stored(partial(self.store.events, identity, after))

    async def events(self, identity: str, after: int = 0) -> AsyncIterator[Event | None]:
        """What happened after the event of this number, and what happens, until the job has ended.

        None now and then, where nothing happens: the moment to see whether anybody still listens.
        """
        await self.get(identity)
        with _Waiter(self.waiters, identity) as changed:
            while not self.closing:
                changed.clear()
                events = await self._stored(partial(self.store.events, identity, after))
                for event in events:
                    yield event
                    after = event.seq
                    if event.kind == "done":
                        return
                if not events and await self.has_told_all(identity, after):
                    return
                if not await _at_most(changed, LOOK_EVERY):
                    yield None

    async def solutions(self, identity: str, offset: int = 0, limit: int = 100) -> Page:
        """Solutions in ascending order, each with a value for each cell."""
        job = await self.get(identity)
        return await self._stored(lambda: self._page(job, offset, limit))

    def _page(self, job: Job, offset: int, limit: int) -> Page:
        found: list[tuple[int, ...]] = []
        for start, count, content in self.store.chunks(job.id, offset, limit):
            rows = np.frombuffer(content, job.dtype).reshape(count, -1)
            found += [tuple(row) for row in rows[max(0, offset - start) : offset + limit - start].tolist()]
        return Page(job.kept, job.kept_all, found)

    async def artifact(self, identity: str, name: str) -> Artifact | None:
        """A file of an answer: `cells`, `certificate`, `svg`; None where there is none."""
        return await self._stored(lambda: self.store.artifact(identity, name))

    async def cells(self, identity: str) -> dict[str, Any] | None:
        """For each cell, how often each value occurs; None where nobody has counted."""
        found = await self.artifact(identity, "cells")
        return None if found is None else json.loads(found.content)

    def _check_limits(self, asked: dict[str, Any]) -> None:
        settings = self.settings
        if asked.get("time_limit", 0) > settings.seconds:
            raise Problem(422, f"time_limit is {asked['time_limit']:g} s, expected at most {settings.seconds:g}")
        if "max_memory" in asked:
            # Less than what was asked for is what an engine may find anyway.
            asked["max_memory"] = min(asked["max_memory"], settings.memory_mb)

    def _changed(self, identity: str, ended: str = "") -> None:
        if ended:
            self.metrics.ended(ended)
        for event in self.waiters.get(identity, ()):
            event.set()

    async def _look_around(self) -> None:
        while True:
            self.open_jobs = await self._stored(self.store.open_jobs)
            await asyncio.sleep(LOOK_EVERY)

    async def _stored(self, use: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.thread, use)


class _Waiter:
    """An event that is set whenever something happens to a job."""

    def __init__(self, waiters: dict[str, set[asyncio.Event]], identity: str) -> None:
        self.waiters, self.identity, self.event = waiters, identity, asyncio.Event()

    def __enter__(self) -> asyncio.Event:
        self.waiters.setdefault(self.identity, set()).add(self.event)
        return self.event

    def __exit__(self, *_: object) -> None:
        mine = self.waiters[self.identity]
        mine.discard(self.event)
        if not mine:
            del self.waiters[self.identity]


async def _at_most(event: asyncio.Event, seconds: float) -> bool:
    """Whether the event came within so many seconds."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return False
    return True


def lock_folder(folder: Path) -> int:
    """One service a folder: the lock goes with the process, however that ends."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}, expected a folder that can be written") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise InputError(f"{folder}: another service uses it, expected a folder of its own") from None
    return lock


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'request'}: {first['msg']}"
