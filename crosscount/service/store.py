"""Jobs in SQLite: what was asked, who runs it, what came of it.

A job is `queued`, then `running` under a lease that its holder renews, then `done`, `failed` or `cancelled` for good.
Only the holder of the lease may say how a job ended, and only once: whoever lost it writes into the void. So a process
can be killed at any moment, and the worst that happens is that work is done again.

lane: 0 for jobs that may be quick, 1 for those that turned out not to be.
"""

import json
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from crosscount.service.models import Operation, Status
from crosscount.service.store_schema import SCHEMA

FILE = "jobs.sqlite3"
PATIENCE = 10.0
"""Seconds to wait for another process that is writing."""
QUICK, LONG = 0, 1
FINISHED = ("done", "failed", "cancelled")
COLUMNS = (
    "id, operation, request, client, status, lane, attempts, created, started, finished, reason, progress, result,"
    " kept, kept_all, dtype"
)


@dataclass(frozen=True, slots=True)
class Job:
    """One question and what is known about it."""

    id: str
    operation: Operation
    request: dict[str, Any]
    client: str
    status: Status
    lane: int
    attempts: int
    created: float
    started: float | None
    finished: float | None
    reason: str
    progress: dict[str, Any] | None
    result: dict[str, Any] | None
    kept: int
    """Solutions that can be paged through."""
    kept_all: bool
    dtype: str
    position: int | None = None
    """How many jobs of the queue were there before it; None where it does not wait."""

    @property
    def is_finished(self) -> bool:
        return self.status in FINISHED


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a job; `seq` only ever grows."""

    seq: int
    kind: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file that belongs to an answer."""

    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Ending:
    """How a job ended, and all that is kept of it."""

    status: Status
    reason: str = ""
    result: dict[str, Any] | None = None
    summary: dict[str, Any] = field(default_factory=dict)
    """What the last event says."""
    chunks: Sequence[tuple[int, bytes]] = ()
    """Solutions: how many, and their values one after another."""
    dtype: str = ""
    kept_all: bool = False
    artifacts: Mapping[str, Artifact] = field(default_factory=dict)
    progress: dict[str, Any] | None = None
    """How far it was in the end: every engine with its status."""


class Store:
    """One connection. Not for two threads at once, and not to be carried into a forked process."""

    def __init__(self, folder: Path, *, synchronous: str = "FULL") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.connection = sqlite3.connect(
            folder / FILE, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        self.connection.execute("PRAGMA journal_mode=WAL")
        # A job that was accepted is on the disk, not only on its way there: it survives a power cut too.
        self.connection.execute(f"PRAGMA synchronous={synchronous}")
        self.connection.executescript(SCHEMA)

    def close(self) -> None:
        self.connection.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing, and nobody else in between."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield self.connection
            self.connection.execute("COMMIT")
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise

    # Asking

    def known(self, key: str, client: str) -> Job | None:
        """The job that has this question already; from now on this client waits for it too."""
        with self._writing() as db:
            row = db.execute(
                "SELECT id FROM jobs WHERE key = ? AND status IN ('queued', 'running', 'done')", (key,)
            ).fetchone()
            if row is None:
                return None
            db.execute("INSERT OR IGNORE INTO asks VALUES (?, ?)", (row[0], client))
        return self.get(row[0])

    def unfinished(self, client: str | None = None) -> int:
        """Jobs that wait or run: of one client, or of all."""
        sql = "SELECT count(*) FROM jobs WHERE status IN ('queued', 'running')"
        if client is None:
            return int(self.connection.execute(sql).fetchone()[0])
        return int(self.connection.execute(sql + " AND client = ?", (client,)).fetchone()[0])

    def add(self, key: str, operation: Operation, request: Mapping[str, Any], client: str) -> Job:
        """A new job, or the one that somebody else asked for in the meantime."""
        identity = secrets.token_urlsafe(12)
        with self._writing() as db:
            db.execute(
                "INSERT OR IGNORE INTO jobs (id, key, operation, request, client, status, created)"
                " VALUES (?, ?, ?, ?, ?, 'queued', ?)",
                (identity, key, operation, json.dumps(request), client, time.time()),
            )
            (identity,) = db.execute(
                "SELECT id FROM jobs WHERE key = ? AND status IN ('queued', 'running', 'done')", (key,)
            ).fetchone()
            db.execute("INSERT OR IGNORE INTO asks VALUES (?, ?)", (identity, client))
        job = self.get(identity)
        assert job is not None
        return job

    def cancel(self, identity: str, client: str) -> bool | None:
        """True where the job ends by this; False where it goes on for others or had ended; None for a stranger."""
        with self._writing() as db:
            askers = {asker for (asker,) in db.execute("SELECT client FROM asks WHERE job = ?", (identity,))}
            if client not in askers:
                return None
            if askers == {client}:
                ended = db.execute(
                    "UPDATE jobs SET status = 'cancelled', finished = ?, holder = NULL, lease = NULL"
                    " WHERE id = ? AND status IN ('queued', 'running')",
                    (time.time(), identity),
                ).rowcount
                if ended:
                    self._tell(identity, "done", {"status": "cancelled"})
                return bool(ended)
            # From now on it is at the expense of somebody who still wants it.
            db.execute("DELETE FROM asks WHERE job = ? AND client = ?", (identity, client))
            heir = min(askers - {client})
            db.execute("UPDATE jobs SET client = ? WHERE id = ? AND client = ?", (heir, identity, client))
        return False

    # Reading

    def get(self, identity: str) -> Job | None:
        row = self.connection.execute(f"SELECT {COLUMNS} FROM jobs WHERE id = ?", (identity,)).fetchone()
        if row is None:
            return None
        position = None
        if row[4] == "queued":
            before = "SELECT count(*) FROM jobs WHERE status = 'queued' AND lane = ? AND created < ?"
            position = self.connection.execute(before, (row[5], row[7])).fetchone()[0]
        return _job(row, position)

    def events(self, identity: str, after: int) -> list[Event]:
        rows = self.connection.execute(
            "SELECT seq, kind, data FROM events WHERE job = ? AND seq > ? ORDER BY seq", (identity, after)
        )
        return [Event(seq, kind, json.loads(data)) for seq, kind, data in rows]

    def chunks(self, identity: str, offset: int, limit: int) -> list[tuple[int, int, bytes]]:
        """The rows that hold solutions from `offset` on, up to `limit`: place of the first, how many, their bytes."""
        rows = self.connection.execute(
            "SELECT start, count, content FROM solutions"
            " WHERE job = ? AND start < ? AND start + count > ? ORDER BY start",
            (identity, offset + limit, offset),
        )
        return [(start, count, content) for start, count, content in rows]

    def artifact(self, identity: str, name: str) -> Artifact | None:
        row = self.connection.execute(
            "SELECT media_type, content FROM artifacts WHERE job = ? AND name = ?", (identity, name)
        ).fetchone()
        return None if row is None else Artifact(*row)

    def open_jobs(self) -> dict[str, int]:
        """How many jobs wait and how many run."""
        sql = "SELECT status, count(*) FROM jobs WHERE status IN ('queued', 'running') GROUP BY status"
        return {"queued": 0, "running": 0, **dict(self.connection.execute(sql).fetchall())}

    def _tell(self, identity: str, kind: str, data: Mapping[str, Any]) -> None:
        """An event, inside of a transaction. Of progress only the latest is of any interest."""
        db = self.connection
        if kind in ("progress", "done"):
            db.execute("DELETE FROM events WHERE job = ? AND kind = 'progress'", (identity,))
        elif kind == "started":
            # What an earlier attempt has told is void.
            db.execute("DELETE FROM events WHERE job = ?", (identity,))
        db.execute("UPDATE jobs SET seq = seq + 1 WHERE id = ?", (identity,))
        db.execute("INSERT INTO events SELECT id, seq, ?, ? FROM jobs WHERE id = ?", (kind, json.dumps(data), identity))


def _job(row: Sequence[Any], position: int | None) -> Job:
    values = list(row)
    values[2] = json.loads(row[2])
    values[11], values[12] = (None if text is None else json.loads(text) for text in row[11:13])
    values[14] = bool(row[14])
    return replace(Job(*values), position=position)
