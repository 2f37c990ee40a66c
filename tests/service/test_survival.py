"""Whatever is killed, at whatever moment: every accepted job ends once, with the right answer."""

import os
import random
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from crosscount.puzzles.errors import InputError
from crosscount.puzzles.read import read_one
from crosscount.service.jobs import lock_folder
from tests.service.conftest import Service, children, eventually

JOBS, KILLS = (200, 10) if os.environ.get("CROSSCOUNT_FULL") else (20, 1)
"""The full number takes two minutes; docs/service.md says how it is run."""
PUZZLES = {"@course-1": 2, "@course-2": 48, "@course-3": 413, "@queens-6": 4, "@queens-8": 92, "@four-1": None}


def questions() -> list[tuple[str, dict[str, Any]]]:
    """As many different ones as there are jobs: the same puzzle under another limit is another question."""
    found = []
    for k in range(JOBS):
        puzzle = list(PUZZLES)[k % len(PUZZLES)]
        if k % 4 == 0:
            found.append(("compare", {"puzzle": puzzle, "engines": ["bt", "sat", "gac"], "time_limit": 50 + k / 100}))
        else:
            found.append(("count", {"puzzle": puzzle, "engine": "fc-mrv", "time_limit": 50 + k / 100}))
    return found


def expected(puzzle: str) -> int | None:
    claim = read_one(puzzle).expect
    return None if claim is None else claim.exactly


def submit(service: Service) -> list[str]:
    """The addresses of all jobs, each accepted before anything is killed."""
    found = []
    for k, (operation, request) in enumerate(questions()):
        with service.client(f"127.0.1.{k % 20 + 1}") as client:
            answer = client.post(f"/api/{operation}", json=request)
        assert answer.status_code in (200, 202), answer.text
        found.append(answer.headers["location"])
    assert len(set(found)) == JOBS
    return found


def open_jobs(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "jobs.sqlite3", timeout=10)) as db:
        found = db.execute("SELECT count(*) FROM jobs WHERE status IN ('queued', 'running')").fetchone()
    return int(found[0])


def has_at_most(folder: Path, count: int) -> bool:
    return open_jobs(folder) <= count


def is_attempt(client: httpx.Client, address: str, attempt: int) -> bool:
    found: bool = client.get(address).json()["attempts"] == attempt
    return found


def kill_worker(service: Service, rng: random.Random) -> None:
    """One of those that run a job, or the one that starts them."""
    with suppress(StopIteration, ProcessLookupError):
        pool = service.pool()
        victims = [*children(pool), pool]
        os.kill(rng.choice(victims), signal.SIGKILL)


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that each test here leaves dead or alive."""
    service = Service(tmp_path_factory.mktemp("mortal") / "data", "--workers", "2")
    yield service
    service.kill()


def test_killing_workers_and_the_service_loses_no_job_and_answers_none_twice(mortal: Service) -> None:
    rng = random.Random(JOBS)
    service, folder = mortal, mortal.folder
    addresses = submit(service)
    # Time for some of the work between two kills, but not for all of it.
    for kill in range(KILLS):
        left = JOBS - (kill + 1) * JOBS // (KILLS + 1)
        eventually(partial(has_at_most, folder, left), 60)
        kill_worker(service, rng)
        time.sleep(rng.random() / 2)
        service.kill()
        service.start()
    eventually(lambda: open_jobs(folder) == 0, 120)
    with service.client() as client:
        jobs = [client.get(address).json() for address in addresses]
    for (_, request), job in zip(questions(), jobs, strict=True):
        assert job["status"] == "done", job
        count = PUZZLES[request["puzzle"]]
        assert job["result"]["count"] == (expected(request["puzzle"]) if count is None else count)
    with closing(sqlite3.connect(folder / "jobs.sqlite3")) as db:
        told = db.execute("SELECT job, count(*) FROM events WHERE kind = 'done' GROUP BY job").fetchall()
    assert [times for _, times in told] == [1] * JOBS


def test_stopping_puts_jobs_in_flight_back_and_the_next_start_runs_them(mortal: Service) -> None:
    service = mortal
    with service.client() as client:
        job = client.post("/api/count", json={"puzzle": "@course-5", "engine": "bf", "time_limit": 200}).json()
        address = job["links"]["self"]
        eventually(lambda: client.get(address).json()["status"] == "running")
        pool = service.pool()
        with client.stream("GET", f"{address}/events") as stream, suppress(httpx.HTTPError):
            assert stream.status_code == 200
            assert service.stop() == 0
    eventually(lambda: not Path(f"/proc/{pool}").exists())
    with closing(sqlite3.connect(service.folder / "jobs.sqlite3")) as db:
        left = db.execute("SELECT status, attempts, holder FROM jobs WHERE status != 'done'").fetchall()
    assert left == [("queued", 0, None)]
    service.start()
    with service.client() as client:
        found = eventually(lambda: (now := client.get(address).json())["status"] == "running" and now)
        assert found["attempts"] == 1
        with pytest.raises(InputError, match="another service uses it"):
            lock_folder(service.folder)
        # Nothing of a service that is killed goes on without it.
        pool = service.pool()
        (worker,) = eventually(lambda: children(pool))
        service.kill()
        eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in (pool, worker)))


def test_a_job_whose_process_always_dies_fails_with_the_reason(service: Service) -> None:
    with service.client() as client:
        job = client.post("/api/count", json={"puzzle": "@course-5", "engine": "bf", "time_limit": 100}).json()
        address = job["links"]["self"]
        for attempt in range(1, 6):
            eventually(partial(is_attempt, client, address, attempt))
            (worker,) = eventually(lambda: children(service.pool()))
            os.kill(worker, signal.SIGKILL)
        found = eventually(lambda: (now := client.get(address).json())["status"] == "failed" and now)
        assert found["reason"] == "the process that ran it was killed by SIGKILL, at the last of 5 attempts"
        assert client.get("/health").json()["status"] == "ok"
        # Asked again it gets another chance.
        again = client.post("/api/count", json={"puzzle": "@course-5", "engine": "bf", "time_limit": 100}).json()
        assert again["id"] != job["id"]
        client.delete(again["links"]["self"])
