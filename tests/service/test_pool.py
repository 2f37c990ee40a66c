"""The process that runs jobs, by itself: lanes, and the change from one to the next."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crosscount.service.models import CountRequest
from crosscount.service.settings import Settings
from crosscount.service.store import LONG, QUICK, Job, Store
from tests.service.conftest import children, eventually

Pool = subprocess.Popen[str]


def started(settings: Settings) -> Pool:
    command = [sys.executable, "-m", "crosscount.service.pool", settings.to_json()]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def said(pool: Pool, line: str) -> None:
    """Wait until it says this."""
    assert pool.stdout is not None
    for spoken in pool.stdout:
        if spoken.strip() == line:
            return
    raise AssertionError(f"it ended without saying {line}")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, workers=1, engines_at_once=1, quick_seconds=0.5)


@pytest.fixture
def pools() -> Iterator[list[Pool]]:
    running: list[Pool] = []
    yield running
    for pool in running:
        with pool:
            pool.kill()


def ask(store: Store, client: str, puzzle: str, engine: str) -> Job:
    request = CountRequest(puzzle=puzzle, engine=engine, time_limit=200).model_dump()
    return store.add(f"{client} {puzzle}", "count", request, client)


def look(store: Store, job: Job) -> Any:
    found = store.get(job.id)
    assert found is not None
    return found


def test_long_jobs_make_way_and_the_next_pool_takes_over(settings: Settings, pools: list[Pool]) -> None:
    store = Store(settings.data)
    first, second = (ask(store, client, "@course-5", "bf") for client in ("anna", "bert"))
    pools.append(started(settings))
    said(pools[0], "ready")
    # The first one goes on in the lane for long jobs; the second keeps the quick slot while nobody else wants it.
    eventually(lambda: (look(store, first).lane, look(store, second).status) == (LONG, "running"))
    eventually(lambda: look(store, second).progress is not None)
    # It gives way to everything else.
    eventually(lambda: any(os.getpriority(os.PRIO_PROCESS, pid) == 19 for pid in children(pools[0].pid)))
    small = ask(store, "carl", "@course-1", "bt")
    done = eventually(lambda: (now := look(store, small)).is_finished and now)
    assert (done.status, done.result["count"]) == ("done", 2)
    moved = look(store, second)
    assert (moved.status, moved.lane, moved.attempts) == ("queued", LONG, 0)
    assert look(store, first).status == "running"
    assert store.cancel(first.id, "anna")
    eventually(lambda: look(store, second).status == "running")
    # Another pool waits until this one is gone, and touches nothing before.
    pools.append(started(replace(settings, attempts=9)))
    third = ask(store, "dora", "@course-2", "bt")
    eventually(lambda: look(store, third).is_finished)
    holder = store.connection.execute("SELECT holder FROM jobs WHERE id = ?", (second.id,)).fetchone()
    assert holder[0].startswith(f"{pools[0].pid}-")
    pools[0].kill()
    said(pools[1], "ready")
    again = eventually(lambda: (now := look(store, second)).status == "running" and now)
    assert (again.lane, again.attempts) == (LONG, 2)
    # When the service ends, so does the pool, and gives everything back.
    assert pools[1].stdin is not None
    pools[1].stdin.close()
    assert pools[1].wait(20) == 0
    assert look(store, second).status == "queued"
    assert look(store, small).lane == QUICK
