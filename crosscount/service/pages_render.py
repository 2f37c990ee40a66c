"""Templates and the files that pages load: everything from this package, nothing from elsewhere."""

import hashlib
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from crosscount import __version__
from crosscount.service.pages_words import grouped, plural, shown_seconds
from crosscount.service.problem import Problem

MOST_FIELDS = 2_000
"""A grid of 25x25 has 625 cells."""


@cache
def _environment() -> Environment:
    found = Environment(
        loader=PackageLoader("crosscount.service"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update(grouped=grouped, plural=plural, seconds=shown_seconds)
    found.globals.update(asset=asset, version=__version__)
    return found


def page(template: str, status: int = 200, /, **context: Any) -> HTMLResponse:
    """A template as an answer; a browser asks again every time, because a job moves on."""
    body = _environment().get_template(template).render(context)
    return HTMLResponse(body, status, {"Cache-Control": "no-store"})


@cache
def asset(name: str) -> str:
    """The address of a static file, which changes with what is in it."""
    file = resources.files("crosscount.service").joinpath("static", *name.split("/"))
    return f"/static/{name}?v={hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"


async def fields(request: Request) -> list[tuple[str, str]]:
    """What a form sent; Problem where it is no form."""
    try:
        text = (await request.body()).decode()
        return parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise Problem(422, f"the form cannot be read: {error}") from None


def is_partial(request: Request) -> bool:
    """Whether htmx asks for a part of the page."""
    return request.headers.get("hx-request") == "true"
