"""The replay page: two searches side by side on the puzzle of a job."""

import json
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from crosscount.puzzles.puzzle import Puzzle
from crosscount.service.api import JobId, jobs_of
from crosscount.service.draw import Look, draw, spoken, values_of
from crosscount.service.pages_aside import aside_of
from crosscount.service.pages_render import page
from crosscount.service.pages_start import about
from crosscount.service.pages_words import verdict
from crosscount.service.problem import Problem
from crosscount.service.reading import accepted_puzzle
from crosscount.service.store import Job

router = APIRouter()
SEARCHERS = {
    "bf": "brute force",
    "bt": "backtracking",
    "fc-mrv": "forward checking",
    "gac": "arc consistency",
}
EngineName = Annotated[str, Query(max_length=20)]
Step = Annotated[int, Query(ge=0, le=1_000_000)]


@router.get("/jobs/{job_id}/replay")
async def replay_page(
    job_id: JobId, request: Request, left: EngineName = "bt", right: EngineName = "fc-mrv", step: Step = 0
) -> Response:
    """Drawn at `step`, for browsers without scripts; with them, the player goes on from there."""
    job = await _with_puzzle(request, job_id)
    puzzle = _puzzle(job)
    sides = []
    for side, engine in (("left", left), ("right", right)):
        if engine not in SEARCHERS:
            raise Problem(422, f"engine {engine[:20]!r} has no replay, expected one of {', '.join(SEARCHERS)}")
        svg, words, nodes = await _drawn(request, job, puzzle, engine, step)
        sides.append({"side": side, "engine": engine, "svg": svg, "words": words, "nodes": nodes})
    return page(
        "replay.html",
        job=job,
        name=puzzle.name,
        about=about(puzzle),
        verdict=verdict(job),
        lists=job.operation != "check",
        sides=sides,
        searchers=SEARCHERS,
        step=step,
        left=left,
        right=right,
    )


@router.get("/jobs/{job_id}/replay.json")
async def replay_json(job_id: JobId, request: Request, engine: EngineName) -> Response:
    """The steps of one search, for the player."""
    job = await _with_puzzle(request, job_id)
    return Response(await _film(request, job, engine), media_type="application/json")


async def _with_puzzle(request: Request, job_id: str) -> Job:
    job = await jobs_of(request).get(job_id)
    if job.operation == "tree":
        raise Problem(404, "a game tree is stepped through on its own page")
    return job


def _puzzle(job: Job) -> Puzzle:
    return accepted_puzzle(job.request["puzzle"], job.request["number"])


async def _film(request: Request, job: Job, engine: str) -> bytes:
    return await aside_of(request).replay(job.request["puzzle"], job.request["number"], engine)


async def _drawn(request: Request, job: Job, puzzle: Puzzle, engine: str, step: int) -> tuple[str, str, int]:
    """The grid at a step, what happened there, and the nodes so far. The start needs no replay."""
    label = f"{engine}, {SEARCHERS[engine]}"
    if step == 0:
        givens = [domain[0] if len(domain) == 1 else None for domain in puzzle.domains]
        return draw(puzzle, values_of(puzzle), f"{label}. {spoken(puzzle, givens)}", slots=True), "the givens", 0
    steps = json.loads(await _film(request, job, engine))["steps"][: step + 1]
    values: list[int | None] = [None] * len(puzzle.domains)
    marks: list[list[int]] = [[] for _ in puzzle.domains]
    for *_, changes in steps:
        for cell, value, small in changes:
            values[cell], marks[cell] = value, small
    kind, cell, _, nodes, broken, because, _ = steps[-1]
    looks = []
    for v, domain in enumerate(puzzle.domains):
        style = "given" if len(domain) == 1 else "found"
        style += " current" if v == cell else ""
        style += " broken" if kind == "dead end" and v in broken else ""
        value = values[v]
        small = {} if value is not None else dict.fromkeys(marks[v], 0.6)
        looks.append(Look("" if value is None else str(value), style, small))
    return draw(puzzle, looks, f"{label}. {spoken(puzzle, values)}"), because, nodes
