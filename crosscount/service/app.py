"""The application: routes, what holds for all of them, and what lives as long as they do."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.staticfiles import StaticFiles

import crosscount
from crosscount.puzzles.errors import InputError
from crosscount.service import api, pages, plain
from crosscount.service.event_stream import Streams
from crosscount.service.jobs import Jobs
from crosscount.service.problem import Problem
from crosscount.service.security import Guard, problem_response
from crosscount.service.settings import Settings

DESCRIPTION = """\
How many solutions does this puzzle have, and which? Unlike engines list them all and are compared.

A question is a job: asked with POST, it is answered in the same request when that waits long enough (`?wait=10`), or
later at its address. The same question asked twice is one job.
"""
ROUTERS = (api.router, plain.router, pages.router)


def create_app(settings: Settings) -> FastAPI:
    """Everything that `crosscount serve` serves. The jobs are run while the application lives, and only then."""
    jobs = Jobs(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await jobs.open()
        yield
        await jobs.close()

    # Their pages of documentation load scripts from elsewhere; ours is a page of docs/.
    app = FastAPI(
        title="crosscount",
        version=crosscount.__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.jobs = jobs
    app.state.settings = settings
    app.state.streams = Streams(settings.streams_per_client)
    for router in ROUTERS:
        app.include_router(router, include_in_schema=router is not pages.router)
    static = resources.files("crosscount.service") / "static"
    if static.is_dir():
        app.mount("/static", StaticFiles(directory=str(static)), "static")
    app.add_exception_handler(Problem, _on_problem)
    app.add_exception_handler(InputError, _on_input_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_middleware(Guard, settings=settings, metrics=jobs.metrics)
    return app


def answer(request: Request, problem: Problem, headers: dict[str, str] | None = None) -> Response:
    """A page for a person, problem+json for a program."""
    page = getattr(pages, "problem_page", None)
    path = request.url.path
    if page is not None and "text/html" in request.headers.get("accept", "") and not path.startswith("/api/"):
        found: Response = page(request, problem)
        found.headers.update({**(headers or {}), **problem.headers})
        return found
    return problem_response(problem, headers)


async def _on_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return answer(request, error)


async def _on_input_error(request: Request, error: Exception) -> Response:
    return answer(request, Problem(422, str(error)))


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    errors: list[dict[str, Any]] = [
        {"where": ".".join(map(str, one["loc"])), "message": one["msg"]} for one in error.errors()
    ]
    first = f"{errors[0]['where']}: {errors[0]['message']}" if errors else "the request cannot be read"
    return answer(request, Problem(422, first, errors=errors[:20]))


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(_methods(request))
    return answer(request, Problem(error.status_code, str(error.detail)), headers)


def _methods(request: Request) -> list[str]:
    """What may be done at an address, by all of its routes; Starlette names those of the first one."""
    found: set[str] = set()
    for router in ROUTERS:
        for route in router.routes:
            if route.matches(request.scope)[0] is not Match.NONE:
                found |= getattr(route, "methods", None) or set()
    return sorted(found)
