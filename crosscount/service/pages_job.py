"""The page of a job, which is its permanent link: verdict, engines, findings; its solutions; its ambiguity."""

import asyncio
import csv
import io
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from crosscount.puzzles.answer import read_answer
from crosscount.puzzles.puzzle import Puzzle
from crosscount.service.api import JobId, Offset, client_of, jobs_of
from crosscount.service.draw_chart import Bar, bars, count_tick, seconds_tick
from crosscount.service.jobs import Job, Jobs
from crosscount.service.pages_ambiguity import ambiguity_of
from crosscount.service.pages_grid import FindingView, answer, finding, givens, solution
from crosscount.service.pages_render import is_partial, page
from crosscount.service.pages_start import about
from crosscount.service.pages_tree import tree_context
from crosscount.service.pages_words import grouped, rows, shown_seconds, verdict
from crosscount.service.problem import Problem
from crosscount.service.reading import accepted_puzzle

router = APIRouter()
PAGE = 12
"""Solutions on one page."""
FOR_NEAREST = 1_000
"""Solutions among which the one nearest to a finding is looked for."""
LISTING = ("compare", "count", "solve")
"""Operations whose jobs may have solutions."""


@router.get("/jobs/{job_id}")
async def job_page(job_id: JobId, request: Request) -> Response:
    job = await jobs_of(request).get(job_id)
    return page("job_tree.html" if job.operation == "tree" else "job.html", **await _context(request, job))


@router.get("/jobs/{job_id}/live")
async def live(job_id: JobId, request: Request) -> Response:
    """The part of the page that moves; a browser without scripts gets the whole page."""
    if not is_partial(request):
        return RedirectResponse(f"/jobs/{job_id}", 303)
    job = await jobs_of(request).get(job_id)
    return page("part_live_tree.html" if job.operation == "tree" else "part_live.html", **await _context(request, job))


@router.post("/jobs/{job_id}/cancel")
async def cancel(job_id: JobId, request: Request) -> Response:
    await jobs_of(request).cancel(job_id, client_of(request))
    return RedirectResponse(f"/jobs/{job_id}", 303)


@router.get("/jobs/{job_id}/engines.csv")
async def engines_csv(job_id: JobId, request: Request) -> Response:
    """The engines of a finished job, for a spreadsheet."""
    job = await _finished(request, job_id)
    out = io.StringIO()
    columns = ("name", "family", "status", "reason", "count", "nodes", "seconds", "search_seconds")
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows((job.result or {}).get("engines", []))
    headers = {"Content-Disposition": f'attachment; filename="{job_id}.csv"'}
    return Response(out.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/jobs/{job_id}/solutions")
async def solutions(job_id: JobId, request: Request, offset: Offset = 0) -> Response:
    """The solutions as grids, a page of them."""
    jobs = jobs_of(request)
    job = await _listing(jobs, job_id)
    found = await jobs.solutions(job_id, offset, PAGE)
    puzzle = _puzzle(job)
    grids = _grids(puzzle, found.solutions, offset)
    return page(
        "solutions.html",
        **_frame(job, puzzle),
        grids=grids,
        found=found,
        offset=offset,
        size=PAGE,
        last=max(0, (found.total - 1) // PAGE * PAGE),
    )


@router.get("/jobs/{job_id}/map")
async def ambiguity(job_id: JobId, request: Request) -> Response:
    """The ambiguity map, and the extra clues that make the puzzle unique."""
    jobs = jobs_of(request)
    job = await _listing(jobs, job_id)
    puzzle = _puzzle(job)
    found = await ambiguity_of(request, job, puzzle)
    return page("map.html", **_frame(job, puzzle), map=found)


@router.post("/jobs/{job_id}/count")
async def count_cells(job_id: JobId, request: Request) -> Response:
    """Count the same puzzle cell by cell, with all the time there is; its map is exact once that has finished."""
    jobs = jobs_of(request)
    job = await _listing(jobs, job_id)
    asked = {"puzzle": job.request["puzzle"], "number": job.request["number"], "cells": True}
    counting = await jobs.submit("count", {**asked, "time_limit": jobs.settings.seconds}, client_of(request))
    return RedirectResponse(f"/jobs/{counting.id}/map", 303)


@router.get("/jobs/{job_id}/print")
async def printable(job_id: JobId, request: Request) -> Response:
    """Everything about a job on paper: result, findings, chart, map and the first solutions."""
    jobs = jobs_of(request)
    job = await _listing(jobs, job_id)
    puzzle = _puzzle(job)
    found = await jobs.solutions(job_id, 0, PAGE)
    grids = _grids(puzzle, found.solutions, 0)
    mapped = await ambiguity_of(request, job, puzzle)
    return page("print.html", **await _context(request, job), map=mapped, grids=grids, found=found)


def _grids(puzzle: Puzzle, solutions: Sequence[Sequence[int]], offset: int) -> list[tuple[int, str]]:
    """Numbered drawings; in each, what differs from the one before is marked."""
    drawn = []
    before: Sequence[int] | None = None
    for number, values in enumerate(solutions, offset + 1):
        differs = {} if before is None else {v: "differs" for v, x in enumerate(values) if x != before[v]}
        drawn.append((number, solution(puzzle, values, f"Solution {number}", differs)))
        before = values
    return drawn


async def _finished(request: Request, job_id: str) -> Job:
    job = await jobs_of(request).get(job_id)
    if not job.is_finished:
        raise Problem(409, "the job has not ended, expected one that has", retry_after=1)
    return job


async def _listing(jobs: Jobs, job_id: str) -> Job:
    job = await jobs.get(job_id)
    if job.operation not in LISTING:
        raise Problem(404, f"a job of {job.operation} has no solutions")
    return job


def _puzzle(job: Job) -> Puzzle:
    return accepted_puzzle(job.request["puzzle"], job.request["number"])


def _frame(job: Job, puzzle: Puzzle) -> dict[str, Any]:
    """What every page about a job shows around its own matter."""
    return {"job": job, "name": puzzle.name, "about": about(puzzle), "verdict": verdict(job), "lists": True}


async def _context(request: Request, job: Job) -> dict[str, Any]:
    if job.operation == "tree":
        return {"job": job, "verdict": verdict(job), "lists": False, **await tree_context(jobs_of(request), job)}
    puzzle = _puzzle(job)
    found: dict[str, Any] = {
        **_frame(job, puzzle),
        "lists": job.operation in LISTING,
        "givens": givens(puzzle),
        "rows": rows(job),
        "findings": [],
        "answers": [],
        "charts": None,
        "every": _every(job),
    }
    if job.operation == "check":
        answers = read_answer(job.request["answer"], puzzle)
        found["answers"] = [answer(puzzle, values) for values in answers[:PAGE]]
    elif job.result is not None:
        found["findings"] = await _findings(jobs_of(request), job, puzzle)
        found["charts"] = _charts(job.result["engines"])
    return found


def _every(job: Job) -> str:
    """How soon to look again: often at first, and less so the longer it takes."""
    spent = 0.0 if job.progress is None else float(job.progress["seconds"])
    return "400ms" if spent < 5 else "1s" if spent < 60 else "3s"


async def _findings(jobs: Jobs, job: Job, puzzle: Puzzle) -> list[FindingView]:
    assert job.result is not None
    found = job.result["findings"]
    if not found:
        return []
    others = (await jobs.solutions(job.id, 0, FOR_NEAREST)).solutions
    return await asyncio.to_thread(lambda: [finding(puzzle, one, others) for one in found])


def _charts(engines: list[dict[str, Any]]) -> dict[str, str] | None:
    """Nodes and seconds of the engines that ran."""
    ran = [entry for entry in engines if entry["status"] != "skipped"]
    if not ran:
        return None
    nodes = [Bar(e["name"], e["nodes"], grouped(e["nodes"]), e["status"]) for e in ran]
    times = [Bar(e["name"], e["seconds"], shown_seconds(e["seconds"]), e["status"]) for e in ran]
    spoken_nodes = ", ".join(f"{bar.name} {bar.text}" for bar in nodes)
    spoken_times = ", ".join(f"{bar.name} {bar.text}" for bar in times)
    return {
        "nodes": bars(nodes, f"Nodes, logarithmic scale: {spoken_nodes}", count_tick),
        "seconds": bars(times, f"Time, logarithmic scale: {spoken_times}", seconds_tick),
    }
