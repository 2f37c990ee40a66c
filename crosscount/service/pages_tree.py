"""Game trees: the form, the drawn tree, its steps for the player, and a student's answer beside it."""

import asyncio
import re
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from crosscount.compare.replay_tree import replay_tree, to_object
from crosscount.puzzles.gametree import RULE_TEXT, Rule
from crosscount.puzzles.tree_files import example_names
from crosscount.service.api import JobId, client_of, jobs_of
from crosscount.service.jobs import Job, Jobs
from crosscount.service.pages_render import fields, page
from crosscount.service.problem import Problem
from crosscount.service.reading import read_tree

router = APIRouter()
MOST_STEPPED = 1_500
"""Nodes of a tree that is stepped through; a larger one is only drawn."""
EXAMPLE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


@router.get("/tree")
async def tree_form(request: Request) -> Response:
    return _form(dict(request.query_params))


@router.post("/tree")
async def ask_tree(request: Request) -> Response:
    """Ask, and go on to the job; the form again, with what is wrong, where it cannot be asked."""
    sent = dict(await fields(request))
    answer = sent.get("answer", "").strip()
    if answer and ":" not in answer and not answer.startswith("{"):
        answer = f"visited: {' '.join(answer.split())}"  # nothing but leaves: those that were visited
    body = {
        "tree": sent.get("tree", "").strip() or sent.get("bundled", ""),
        "cutoff": sent.get("cutoff") or None,
        "root": sent.get("root") or None,
        "answer": answer or None,
    }
    try:
        if not body["tree"]:
            raise Problem(422, "Nothing was pasted; paste a game tree or pick a bundled one.")
        job = await jobs_of(request).submit("tree", body, client_of(request))
    except Problem as problem:
        return _form(sent, problem.detail, problem.status)
    return RedirectResponse(f"/jobs/{job.id}", 303)


@router.get("/jobs/{job_id}/tree.svg")
async def tree_svg(job_id: JobId, request: Request) -> Response:
    """The drawing as a file, for print."""
    found = await jobs_of(request).artifact(job_id, "svg")
    if found is None:
        raise Problem(404, "this job has no drawing")
    headers = {"Content-Disposition": f'attachment; filename="{job_id}.svg"'}
    return Response(found.content, media_type=found.media_type, headers=headers)


@router.get("/jobs/{job_id}/tree.json")
async def tree_json(job_id: JobId, request: Request) -> Any:
    """Alpha-beta on the tree, step by step, for the player."""
    job = await jobs_of(request).get(job_id)
    if job.operation != "tree":
        raise Problem(404, "this job is not about a game tree")
    return {"steps": await asyncio.to_thread(_steps, job)}


def _steps(job: Job) -> list[list[Any]]:
    found = read_tree(job.request["tree"], job.request["root"])
    if len(found.tree) > MOST_STEPPED:
        raise Problem(413, f"{len(found.tree)} nodes, expected at most {MOST_STEPPED} to step through")
    rule: Rule = job.request["cutoff"] or found.rule or "le"
    return to_object(replay_tree(found.tree, rule))


async def tree_context(jobs: Jobs, job: Job) -> dict[str, Any]:
    """What the page of a tree job shows."""
    drawn = await jobs.artifact(job.id, "svg") if job.is_finished else None
    svg = "" if drawn is None else embedded(drawn.content.decode())
    nodes = 0 if job.result is None else int(job.result["nodes"])
    return {
        "name": job.request["tree"] if len(job.request["tree"]) <= 60 else "game tree",
        "svg": svg,
        "engines": [] if job.result is None else job.result["engines"],
        "findings": [] if job.result is None else job.result["findings"],
        "notes": [] if job.result is None else job.result.get("answer", {}).get("notes", []),
        "steps": bool(svg) and nodes <= MOST_STEPPED and job.request["answer"] is None,
        "every": "400ms",
        "rules": RULE_TEXT,
    }


def embedded(svg: str) -> str:
    """The drawing as part of a page: the page's stylesheet takes the place of its own."""
    return _STYLE.sub("", svg, count=1).replace("<svg ", '<svg class="tree" ', 1)


def _form(sent: dict[str, str], error: str = "", status: int = 200) -> Response:
    return page(
        "tree.html",
        status,
        error=error,
        tree=sent.get("tree", ""),
        bundled=sent.get("bundled", ""),
        cutoff=sent.get("cutoff", ""),
        root=sent.get("root", ""),
        answer=sent.get("answer", ""),
        examples=[f"@{name}" for name in example_names()],
        example=EXAMPLE,
    )
