"""The side of the store that runs jobs: take one, say how far it is, say how it ended."""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from crosscount.service.store import LONG, Ending, Job, Store

FAIR = """
SELECT jobs.id FROM jobs
LEFT JOIN (SELECT client, count(*) AS busy FROM jobs WHERE status = 'running' AND lane = :lane GROUP BY client) AS now
    ON now.client = jobs.client
LEFT JOIN turns ON turns.client = jobs.client
WHERE status = 'queued' AND lane = :lane AND coalesce(busy, 0) < :most
ORDER BY coalesce(busy, 0), coalesce(turns.at, 0), jobs.created LIMIT 1
"""
"""Whoever has the fewest jobs running comes first, then whoever was not served for longest, then who asked first."""


class Leases(Store):
    """The store as `holder` sees it, who runs up to `slots` jobs in each lane."""

    def __init__(self, folder: Path, holder: str, slots: int, lease_seconds: float) -> None:
        # What a power cut takes back here is found out again; only the kill of a process must lose nothing.
        super().__init__(folder, synchronous="NORMAL")
        self.holder, self.slots, self.lease_seconds = holder, slots, lease_seconds

    def claim(self, lane: int) -> Job | None:
        """The job whose turn it is, now running; None where the lane is full or nobody waits.

        One client alone never fills a lane, so that whoever comes next need not wait until somebody else is done.
        """
        with self._writing() as db:
            busy = db.execute("SELECT count(*) FROM jobs WHERE status = 'running' AND lane = ?", (lane,)).fetchone()[0]
            if busy >= self.slots:
                return None
            row = db.execute(FAIR, {"lane": lane, "most": max(1, self.slots - 1)}).fetchone()
            if row is None:
                return None
            now = time.time()
            db.execute(
                "UPDATE jobs SET status = 'running', holder = ?, lease = ?, attempts = attempts + 1,"
                " started = ?, progress = NULL WHERE id = ?",
                (self.holder, now + self.lease_seconds, now, row[0]),
            )
            db.execute("INSERT OR REPLACE INTO turns SELECT client, ? FROM jobs WHERE id = ?", (now, row[0]))
            job = self.get(row[0])
            assert job is not None
            self._tell(job.id, "started", {"attempt": job.attempts})
        return job

    def heartbeat(self) -> set[str]:
        """Renew every lease; the jobs that are still ours."""
        self.connection.execute(
            "UPDATE jobs SET lease = ? WHERE holder = ? AND status = 'running'",
            (time.time() + self.lease_seconds, self.holder),
        )
        rows = self.connection.execute("SELECT id FROM jobs WHERE holder = ? AND status = 'running'", (self.holder,))
        return {identity for (identity,) in rows}

    def report(self, job: Job, progress: Mapping[str, Any], ended: Sequence[dict[str, Any]]) -> None:
        """How far a job is, and the engines that have ended since the last report."""
        with self._writing() as db:
            ours = db.execute(
                "UPDATE jobs SET progress = ?, lease = ?" + self._if_ours(),
                (json.dumps(progress), time.time() + self.lease_seconds, *self._me(job)),
            ).rowcount
            if ours:
                for engine in ended:
                    self._tell(job.id, "engine", engine)
                self._tell(job.id, "progress", progress)

    def promote(self, job: Job) -> bool:
        """Move a job that takes long into the other lane, if there is room."""
        with self._writing() as db:
            busy = db.execute("SELECT count(*) FROM jobs WHERE status = 'running' AND lane = ?", (LONG,)).fetchone()[0]
            mine = db.execute(
                "SELECT count(*) FROM jobs WHERE status = 'running' AND lane = ? AND client = ?", (LONG, job.client)
            ).fetchone()[0]
            if busy >= self.slots or mine >= max(1, self.slots - 1):
                return False
            return bool(db.execute("UPDATE jobs SET lane = ?" + self._if_ours(), (LONG, *self._me(job))).rowcount)

    def waiting(self, lane: int) -> bool:
        """Whether anybody waits for a slot of a lane."""
        sql = "SELECT EXISTS (SELECT 1 FROM jobs WHERE status = 'queued' AND lane = ?)"
        return bool(self.connection.execute(sql, (lane,)).fetchone()[0])

    def release(self, job: Job, *, lane: int | None = None, excused: bool = True) -> None:
        """Back into the queue. Excused where it was not the job's fault: then it does not count as an attempt."""
        with self._writing() as db:
            db.execute(
                "UPDATE jobs SET status = 'queued', holder = NULL, lease = NULL, progress = NULL, started = NULL,"
                " lane = coalesce(?, lane), attempts = attempts - ?" + self._if_ours(),
                (lane, int(excused), *self._me(job)),
            )

    def finish(self, job: Job, ending: Ending, ended: Sequence[dict[str, Any]] = ()) -> bool:
        """Say how it ended; False where that is no longer ours to say, and then nothing changes.

        `ended` are the engines that have ended since the last report.
        """
        kept = sum(count for count, _ in ending.chunks)
        size = sum(len(content) for _, content in ending.chunks)
        size += sum(len(artifact.content) for artifact in ending.artifacts.values())
        with self._writing() as db:
            result = None if ending.result is None else json.dumps(ending.result, allow_nan=False)
            progress = None if ending.progress is None else json.dumps(ending.progress)
            ours = db.execute(
                "UPDATE jobs SET status = ?, reason = ?, result = ?, progress = coalesce(?, progress), finished = ?,"
                " holder = NULL, lease = NULL, kept = ?, kept_all = ?, kept_bytes = ?, dtype = ?" + self._if_ours(),
                (
                    *(ending.status, ending.reason, result, progress, time.time()),
                    *(kept, int(ending.kept_all), size, ending.dtype),
                    *self._me(job),
                ),
            ).rowcount
            if not ours:
                return False
            start = 0
            for count, content in ending.chunks:
                db.execute("INSERT INTO solutions VALUES (?, ?, ?, ?)", (job.id, start, count, content))
                start += count
            for name, artifact in ending.artifacts.items():
                row = (job.id, name, artifact.media_type, artifact.content)
                db.execute("INSERT OR REPLACE INTO artifacts VALUES (?, ?, ?, ?)", row)
            for engine in ended:
                self._tell(job.id, "engine", engine)
            self._tell(job.id, "done", {"status": ending.status, **ending.summary})
        return True

    def recover(self, attempts: int, *, alone: bool) -> list[str]:
        """Take back what others were running when they died; what has cost too many lives has failed.

        `alone` says that there is no other holder, whatever the leases say; otherwise they must have run out.
        """
        others = "status = 'running' AND holder != ?1 AND lease < ?2"
        dead = (self.holder, float("inf") if alone else time.time())
        with self._writing() as db:
            failed = db.execute(
                f"SELECT id, attempts FROM jobs WHERE {others} AND attempts >= ?3", (*dead, attempts)
            ).fetchall()
            for identity, times in failed:
                why = f"the process that ran it died {times} times"
                db.execute(
                    "UPDATE jobs SET status = 'failed', reason = ?, finished = ?, holder = NULL WHERE id = ?",
                    (why, time.time(), identity),
                )
                self._tell(identity, "done", {"status": "failed", "reason": why})
            back = db.execute(
                "UPDATE jobs SET status = 'queued', holder = NULL, lease = NULL, progress = NULL, started = NULL"
                f" WHERE {others} RETURNING id",
                dead,
            ).fetchall()
        return [identity for (identity, *_) in [*failed, *back]]

    def drop_solutions(self, most_bytes: int) -> int:
        """Make room: solutions and files of the oldest results go first. How many results lost theirs."""
        (total,) = self.connection.execute(
            "SELECT coalesce(sum(kept_bytes), 0) FROM jobs WHERE kept_bytes > 0"
        ).fetchone()
        dropped = 0
        oldest = self.connection.execute("SELECT id, kept_bytes FROM jobs WHERE kept_bytes > 0 ORDER BY finished")
        for identity, size in oldest.fetchall() if total > most_bytes else ():
            if total <= most_bytes:
                break
            with self._writing() as db:
                db.execute("DELETE FROM solutions WHERE job = ?", (identity,))
                db.execute("DELETE FROM artifacts WHERE job = ?", (identity,))
                db.execute("UPDATE jobs SET kept = 0, kept_all = 0, kept_bytes = 0 WHERE id = ?", (identity,))
            total -= size
            dropped += 1
        return dropped

    def forget_turns(self, seconds: float) -> None:
        """Whoever was not served for so long is as good as new."""
        self.connection.execute("DELETE FROM turns WHERE at < ?", (time.time() - seconds,))

    def _me(self, job: Job) -> tuple[str, str, int]:
        return job.id, self.holder, job.attempts

    @staticmethod
    def _if_ours() -> str:
        return " WHERE id = ? AND holder = ? AND attempts = ? AND status = 'running'"
