"""The pages for people: server-drawn, with htmx where something moves, and of use without any script."""

from fastapi import APIRouter, Request, Response

from crosscount.service import pages_job, pages_replay, pages_start, pages_tree
from crosscount.service.pages_render import is_partial, page
from crosscount.service.problem import Problem

router = APIRouter()
for part in (pages_start, pages_job, pages_replay, pages_tree):
    router.include_router(part.router)


def problem_page(request: Request, problem: Problem) -> Response:
    """What is wrong, for a person."""
    name = "part_problem.html" if is_partial(request) else "problem.html"
    return page(name, problem.status, problem=problem)
