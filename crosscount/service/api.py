"""The routes for programs. Every answer is JSON but streams, certificates and metrics."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request, Response
from starlette.responses import StreamingResponse

from crosscount.compare.as_json import rows
from crosscount.service.bodies import as_job_body, prefer_wait
from crosscount.service.event_stream import EventStream
from crosscount.service.examples import ASKING, CERTIFICATE, EVENTS, JOB, NDJSON, READING, answers
from crosscount.service.jobs import Job, Jobs
from crosscount.service.models import (
    CellsBody,
    CheckRequest,
    CompareRequest,
    CountRequest,
    JobBody,
    Operation,
    Question,
    SolutionsBody,
    SolveRequest,
    TreeRequest,
)
from crosscount.service.problem import Problem
from crosscount.service.reading import accepted_puzzle
from crosscount.service.settings import Settings

router = APIRouter(prefix="/api", tags=["questions and jobs"])
NDJSON_TYPE = "application/x-ndjson"
PAGE = 100
AT_ONCE = 1_000
"""Solutions that are read from the store at a time."""
ANSWERED, ACCEPTED = 200, 202

Wait = Annotated[
    float | None, Query(ge=0, le=3600, allow_inf_nan=False, description="Seconds to wait for the answer", examples=[10])
]
Prefer = Annotated[str | None, Header(description="wait=SECONDS does the same", examples=["wait=10"])]
JobId = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="From the job", examples=["aBcDeFgHiJkLmNoP"])
]
LastEventId = Annotated[str | None, Header(max_length=100, description="Go on after this event", examples=["3"])]
Offset = Annotated[int, Query(ge=0, le=10**12, description="Solutions to skip", examples=[0])]
Limit = Annotated[int, Query(ge=1, le=1_000, description="Solutions on one page", examples=[100])]


def jobs_of(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


def client_of(request: Request) -> str:
    """Who asks: an address, and for IPv6 the network that one customer usually has."""
    host = request.client.host if request.client is not None else "unknown"
    return ":".join(host.split(":")[:4]) if ":" in host else host


async def _ask(
    operation: Operation,
    question: Question,
    request: Request,
    response: Response,
    wait: float | None,
    prefer: str | None,
) -> JobBody:
    jobs = jobs_of(request)
    settings: Settings = request.app.state.settings
    job = await jobs.submit(operation, question.model_dump(), client_of(request))
    seconds = min(wait if wait is not None else prefer_wait(prefer), settings.wait_seconds)
    if seconds > 0 and not job.is_finished:
        job = await jobs.wait(job.id, seconds)
    response.status_code = ANSWERED if job.is_finished else ACCEPTED
    response.headers["Location"] = f"/api/jobs/{job.id}"
    return as_job_body(job)


@router.post("/compare", responses=ASKING, status_code=ACCEPTED)
async def compare(
    question: CompareRequest, request: Request, response: Response, wait: Wait = None, prefer: Prefer = None
) -> JobBody:
    """Run every engine on a puzzle and say whether they found the same solutions."""
    return await _ask("compare", question, request, response, wait, prefer)


@router.post("/count", responses=ASKING, status_code=ACCEPTED)
async def count(
    question: CountRequest, request: Request, response: Response, wait: Wait = None, prefer: Prefer = None
) -> JobBody:
    """How many solutions, according to one engine; with a certificate where one is asked for."""
    return await _ask("count", question, request, response, wait, prefer)


@router.post("/check", responses=ASKING, status_code=ACCEPTED)
async def check(
    question: CheckRequest, request: Request, response: Response, wait: Wait = None, prefer: Prefer = None
) -> JobBody:
    """Is this answer a solution? If not, every broken constraint is named."""
    return await _ask("check", question, request, response, wait, prefer)


@router.post("/solve", responses=ASKING, status_code=ACCEPTED)
async def solve(
    question: SolveRequest, request: Request, response: Response, wait: Wait = None, prefer: Prefer = None
) -> JobBody:
    """Solve with one engine: the first solution, or all of them."""
    return await _ask("solve", question, request, response, wait, prefer)


@router.post("/tree", responses=ASKING, status_code=ACCEPTED)
async def tree(
    question: TreeRequest, request: Request, response: Response, wait: Wait = None, prefer: Prefer = None
) -> JobBody:
    """Every leaf that alpha-beta visits and prunes, held against exhaustive minimax."""
    return await _ask("tree", question, request, response, wait, prefer)


@router.get("/jobs/{job_id}", responses=JOB)
async def job(job_id: JobId, request: Request, wait: Wait = None) -> JobBody:
    """How far a job is, and its answer."""
    settings: Settings = request.app.state.settings
    return as_job_body(await jobs_of(request).wait(job_id, min(wait or 0, settings.wait_seconds)))


@router.delete("/jobs/{job_id}", responses=answers(403, 404))
async def cancel(job_id: JobId, request: Request) -> JobBody:
    """Cancel a job, unless others wait for it too. What has ended stays as it is."""
    return as_job_body(await jobs_of(request).cancel(job_id, client_of(request)))


@router.get("/jobs/{job_id}/events", responses=EVENTS, response_class=StreamingResponse)
async def events(job_id: JobId, request: Request, last_event_id: LastEventId = None) -> Response:
    """Server-sent events: started, progress (each engine's count so far), engine (one has ended), done (verdict)."""
    jobs = jobs_of(request)
    after = int(last_event_id) if last_event_id is not None and _is_number(last_event_id) else 0
    if await jobs.has_told_all(job_id, after):
        # A browser would ask again and again; this ends it.
        return Response(status_code=204)
    return EventStream(jobs.events(job_id, after), request.app.state.streams, client_of(request))


@router.get("/jobs/{job_id}/solutions", responses=NDJSON, response_model=SolutionsBody)
async def solutions(
    job_id: JobId,
    request: Request,
    offset: Offset = 0,
    limit: Limit = PAGE,
    accept: Annotated[str | None, Header(description="application/x-ndjson streams all of them")] = None,
) -> Any:
    """The solutions that are kept, in ascending order: a page of them, or all from `offset` on as NDJSON."""
    jobs = jobs_of(request)
    job = await _with_solutions(jobs, job_id)
    if accept is not None and NDJSON_TYPE in accept:
        return StreamingResponse(_solution_lines(jobs, job, offset), media_type=NDJSON_TYPE)
    page = await jobs.solutions(job_id, offset, limit)
    following = offset + len(page.solutions)
    more = following < page.total and page.solutions
    return SolutionsBody(
        job=job_id,
        offset=offset,
        total=page.total,
        complete=page.complete,
        solutions=await asyncio.to_thread(_as_rows, job, page.solutions),
        next=f"/api/jobs/{job_id}/solutions?offset={following}&limit={limit}" if more else None,
    )


def _as_rows(job: Job, solutions: list[tuple[int, ...]]) -> list[Any]:
    puzzle = accepted_puzzle(job.request["puzzle"], job.request["number"])
    return [rows(puzzle, solution) for solution in solutions]


def _as_lines(job: Job, solutions: list[tuple[int, ...]]) -> str:
    return "".join(json.dumps(solution) + "\n" for solution in _as_rows(job, solutions))


async def _solution_lines(jobs: Jobs, job: Job, offset: int) -> AsyncIterator[str]:
    while (page := await jobs.solutions(job.id, offset, AT_ONCE)).solutions:
        yield await asyncio.to_thread(_as_lines, job, page.solutions)
        offset += len(page.solutions)


async def _with_solutions(jobs: Jobs, job_id: str) -> Job:
    job = await jobs.get(job_id)
    if job.operation not in ("compare", "count", "solve"):
        raise Problem(404, f"a job of {job.operation} has no solutions")
    if not job.is_finished:
        raise Problem(409, "the job has not ended, expected one that has", retry_after=1)
    return job


@router.get("/jobs/{job_id}/cells", responses=READING, response_model=CellsBody)
async def cells(job_id: JobId, request: Request) -> Any:
    """For each cell, in how many solutions each value occurs."""
    return await _artifact(request, job_id, "cells")


@router.get("/jobs/{job_id}/certificate", responses=CERTIFICATE, response_class=Response)
async def certificate(job_id: JobId, request: Request) -> Response:
    """What a separate checker can check the count by; `crosscount verify` reads it."""
    return await _artifact(request, job_id, "certificate", f"{job_id}.crosscount.gz")


async def _artifact(request: Request, job_id: str, name: str, filename: str | None = None) -> Response:
    jobs = jobs_of(request)
    job = await jobs.get(job_id)
    if not job.is_finished:
        raise Problem(409, "the job has not ended, expected one that has", retry_after=1)
    found = await jobs.artifact(job_id, name)
    if found is None:
        raise Problem(404, f"this job has no {name}")
    headers = {} if filename is None else {"Content-Disposition": f'attachment; filename="{filename}"'}
    return Response(found.content, media_type=found.media_type, headers=headers)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 18
