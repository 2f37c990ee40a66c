"""What is the same for everybody: engines, bundled puzzles, health, metrics; and the way in for a browser."""

from functools import cache
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import RedirectResponse

import crosscount
from crosscount.service.api import jobs_of
from crosscount.service.bodies import engine_bodies, puzzle_bodies
from crosscount.service.examples import answers
from crosscount.service.metrics import CONTENT_TYPE
from crosscount.service.models import EngineBody, Health, PuzzleBody
from crosscount.service.problem import Problem
from crosscount.service.security import COOKIE, cookie_value, is_token
from crosscount.service.settings import Settings

router = APIRouter(tags=["the service"])
WEEK = 7 * 24 * 3600
cached_engines = cache(engine_bodies)
cached_puzzles = cache(puzzle_bodies)


@router.get("/api/engines", responses=answers())
def engines(request: Request) -> list[EngineBody]:
    """The engines, their families and what each counts as a node."""
    settings: Settings = request.app.state.settings
    return cached_engines(settings.engine_module)


@router.get("/api/puzzles", responses=answers())
def puzzles() -> list[PuzzleBody]:
    """The bundled puzzles."""
    return cached_puzzles()


@router.get("/health", responses=answers())
async def health(request: Request) -> Health:
    """Whether jobs are being run. Needs no token."""
    jobs = jobs_of(request)
    supervisor = jobs.supervisor
    return Health(
        status="ok" if supervisor.is_ready else "degraded" if supervisor.restarts else "starting",
        version=crosscount.__version__,
        queued=jobs.open_jobs["queued"],
        running=jobs.open_jobs["running"],
        restarts=supervisor.restarts,
    )


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"description": "Prometheus text", "content": {"text/plain": {}}}, **answers()},
)
async def metrics(request: Request) -> Response:
    """For Prometheus."""
    jobs = jobs_of(request)
    text = jobs.metrics.text(jobs.open_jobs, jobs.supervisor.restarts, jobs.supervisor.is_ready)
    return Response(text, media_type=CONTENT_TYPE)


@router.post("/login", include_in_schema=False)
async def login(
    request: Request,
    token: Annotated[str, Form(max_length=1000)] = "",
    next_page: Annotated[str, Form(alias="next", max_length=1000)] = "/",
) -> Response:
    """Give a browser a cookie for the token, because it cannot send the token itself."""
    settings: Settings = request.app.state.settings
    if not settings.token or not is_token(token, settings):
        raise Problem(401, "this is not the token of this service")
    target = urlsplit(next_page)
    here = next_page.startswith("/") and not next_page.startswith(("//", "/\\")) and not target.netloc
    response = RedirectResponse(next_page if here else "/", 303)
    secure = request.url.scheme == "https"
    response.set_cookie(
        COOKIE, cookie_value(settings.token), WEEK, path="/", secure=secure, httponly=True, samesite="strict"
    )
    return response
