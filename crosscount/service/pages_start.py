"""The start page: paste a puzzle, type one, or pick one; choose engines and limits; run."""

from collections.abc import Callable
from functools import cache
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from crosscount.puzzles import collection
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.puzzle import Puzzle
from crosscount.service.api import client_of, jobs_of
from crosscount.service.models import EngineBody, Operation
from crosscount.service.pages_ask import EXAMPLE, KINDS, Ask, edit, read_ask
from crosscount.service.pages_grid import givens
from crosscount.service.pages_render import fields, page
from crosscount.service.pages_words import grouped
from crosscount.service.plain import cached_engines
from crosscount.service.problem import Problem
from crosscount.service.reading import accepted_puzzle

router = APIRouter()
SIZES = (4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 25)


@router.get("/")
async def start(request: Request) -> Response:
    """An empty form, or one that the address fills in: `?edit=@course-3`, `?kind=latin&size=6`."""
    asked = request.query_params
    if "edit" in asked:
        return _form(request, edit(asked["edit"] or asked.get("bundled", EXAMPLE)))
    return _form(request, read_ask(list(asked.multi_items())))


@router.get("/login")
async def login(request: Request) -> Response:
    """Where browsers are sent that have no token yet."""
    return page("login.html", next=request.query_params.get("next", "/")[:1000])


@router.post("/compare")
async def compare(request: Request) -> Response:
    """Ask, and go on to the job; the form again, with what is wrong, where it cannot be asked."""
    return await _ask(request, "compare", lambda ask: ask.request(_usual(request)))


@router.post("/check")
async def check(request: Request) -> Response:
    """As `compare`, for the answer that stands in the form."""
    return await _ask(request, "check", Ask.check_request)


async def _ask(request: Request, operation: Operation, body: Callable[[Ask], dict[str, Any]]) -> Response:
    ask = read_ask(await fields(request))
    try:
        job = await jobs_of(request).submit(operation, body(ask), client_of(request))
    except InputError as error:
        return _form(request, ask, str(error), 422)
    except Problem as problem:
        return _form(request, ask, problem.detail, problem.status)
    return RedirectResponse(f"/jobs/{job.id}", 303)


@router.post("/preview")
async def preview(request: Request) -> Response:
    """What the form's puzzle looks like, or why it is none: asked for while somebody types."""
    ask = read_ask(await fields(request))
    try:
        if ask.source == "paste" and not ask.text.strip():
            return page("part_preview.html", puzzle=None, error="", svg="", about="")
        body = ask.request(_usual(request))
        asked, _ = await jobs_of(request).look("compare", body)
    except (InputError, Problem) as error:
        return page("part_preview.html", puzzle=None, error=str(error), svg="", about="")
    puzzle = accepted_puzzle(asked["puzzle"], asked["number"])
    return page("part_preview.html", puzzle=puzzle, error="", svg=givens(puzzle), about=about(puzzle))


def about(puzzle: Puzzle) -> str:
    """One line that says what was read."""
    given = sum(len(domain) == 1 for domain in puzzle.domains)
    cells = len(puzzle.domains)
    drawing = puzzle.drawing
    kind = type(puzzle.family).__name__ if puzzle.family is not None else "Cells and constraints"
    shape = f", {drawing.rows}×{drawing.columns}" if drawing is not None and drawing.rows else ""  # noqa: RUF001 - as on paper
    return f"{kind}{shape}: {cells} cells, {given} given, {len(puzzle.constraints)} constraints"


def _usual(request: Request) -> list[str]:
    return [engine.name for engine in _engines(request) if engine.default]


def _engines(request: Request) -> list[EngineBody]:
    return cached_engines(request.app.state.settings.engine_module)


def _form(request: Request, ask: Ask, error: str = "", status: int = 200) -> Response:
    engines = _engines(request)
    chosen = set(ask.engines) or {engine.name for engine in engines if engine.default}
    example = collection.entry("course-3").puzzle
    return page(
        "start.html",
        status,
        ask=ask,
        error=error,
        engines=engines,
        chosen=chosen,
        kinds=KINDS,
        sizes=sorted({*SIZES, ask.size}),
        bundled=_bundled(),
        example=givens(example),
        most_seconds=request.app.state.settings.seconds,
    )


@cache
def _bundled() -> list[tuple[str, list[tuple[str, str]]]]:
    """(group, [(name, what it is)]) for the list of bundled puzzles."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name in collection.names():
        entry = collection.entry(name)
        count = None if entry.expect is None else entry.expect.exactly
        words = f"{name} – {entry.title}" if entry.title else name  # noqa: RUF001 - a dash between words
        if count is not None and count < 10**7:
            words += f" ({grouped(count)})"
        family = type(entry.puzzle.family).__name__ if entry.puzzle.family is not None else "Other puzzles"
        groups.setdefault(family, []).append((f"@{name}", words))
    return list(groups.items())
