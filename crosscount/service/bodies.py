"""From what the service knows to what it answers."""

import re
from datetime import UTC, datetime

from crosscount.compare.as_json import number
from crosscount.puzzles import collection
from crosscount.service.models import EngineBody, JobBody, JobLinks, JobProgress, PuzzleBody
from crosscount.service.reading import known_engines
from crosscount.service.store import Job

_WAIT = re.compile(r"(?:^|[,;\s])wait\s*=\s*\"?(\d{1,4})\b", re.IGNORECASE)


def as_job_body(job: Job) -> JobBody:
    here = f"/api/jobs/{job.id}"
    return JobBody(
        id=job.id,
        operation=job.operation,
        status=job.status,
        reason=job.reason,
        position=job.position,
        attempts=job.attempts,
        created=_time(job.created) or "",
        started=_time(job.started),
        finished=_time(job.finished),
        request=job.request,
        progress=None if job.progress is None else JobProgress.model_validate(job.progress),
        result=job.result,
        links=JobLinks(self=here, events=f"{here}/events", solutions=f"{here}/solutions", page=f"/jobs/{job.id}"),
    )


def _time(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def prefer_wait(header: str | None) -> float:
    """The seconds of `Prefer: wait=N` (RFC 7240); 0 where it does not say that."""
    found = _WAIT.search(header or "")
    return float(found[1]) if found else 0.0


def engine_bodies(module: str = "") -> list[EngineBody]:
    from crosscount.compare.engines import DEFAULT

    return [
        EngineBody(
            name=engine.name,
            family=engine.family,
            title=engine.title,
            node=engine.node,
            counts_only=engine.counts_only,
            default=engine.name in DEFAULT,
        )
        for engine in known_engines(module).values()
    ]


def puzzle_bodies() -> list[PuzzleBody]:
    """The bundled puzzles."""
    from crosscount.puzzles.toml_write import to_toml

    found = []
    for name in collection.names():
        entry = collection.entry(name)
        found.append(
            PuzzleBody(
                name=f"@{name}",
                title=entry.title,
                family=type(entry.puzzle.family).__name__.lower() if entry.puzzle.family is not None else "csp",
                cells=len(entry.puzzle.domains),
                count=number(entry.expect.exactly) if entry.expect is not None else None,
                text=to_toml(entry.puzzle, entry.expect, entry.title),
            )
        )
    return found
