"""What OpenAPI says about answers, with examples that are real ones."""

from typing import Any

from crosscount.service.models import JobBody, ProblemBody
from crosscount.service.problem import MEDIA_TYPE, TITLES

Responses = dict[int | str, dict[str, Any]]
"""As FastAPI wants them."""

DETAILS = {
    400: "There was an error parsing the body",
    401: "expected Authorization: Bearer with the token of this service",
    403: "this job was asked for by somebody else, who alone can cancel it",
    404: "no job is called aBcDeFgHiJkLmNoP",
    409: "the job has not ended, expected one that has",
    413: "puzzle: 1200 cells, expected at most 1000",
    421: "the host 'example.org' is not known here",
    422: "puzzle:4: 8 cells, expected 9; a blank is 0 . _ * or x",
    429: "20 jobs of yours wait or run, expected fewer; wait or cancel",
}

ENGINE_BT = {
    "name": "bt",
    "family": "native",
    "status": "complete",
    "reason": "",
    "count": 2,
    "digest": "89753542b22f690ee35d27a51b32c420",
    "nodes": 246,
    "seconds": 0.021,
    "search_seconds": 0.0001,
}
JOB_EXAMPLE = {
    "id": "aBcDeFgHiJkLmNoP",
    "operation": "count",
    "status": "done",
    "reason": "",
    "position": None,
    "attempts": 1,
    "created": "2026-03-01T12:00:00.000+00:00",
    "started": "2026-03-01T12:00:00.010+00:00",
    "finished": "2026-03-01T12:00:00.090+00:00",
    "request": {
        "puzzle": "@course-1",
        "number": None,
        "engine": "bt",
        "time_limit": 60.0,
        "cells": False,
        "certificate": "none",
    },
    "progress": None,
    "result": {
        "puzzle": "course-1",
        "verdict": "undecided",
        "because": "one engine alone proves nothing",
        "count": 2,
        "exact": True,
        "at_least": 2,
        "engines": [ENGINE_BT],
        "findings": [],
    },
    "links": {
        "self": "/api/jobs/aBcDeFgHiJkLmNoP",
        "events": "/api/jobs/aBcDeFgHiJkLmNoP/events",
        "solutions": "/api/jobs/aBcDeFgHiJkLmNoP/solutions",
        "page": "/jobs/aBcDeFgHiJkLmNoP",
    },
}
STREAM_EXAMPLE = (
    'id: 1\nevent: started\ndata: {"attempt": 1}\n\n'
    'id: 3\nevent: done\ndata: {"status": "done", "verdict": "agree", "count": 2}\n\n'
)


def answers(*statuses: int) -> Responses:
    """The problems that a route may answer with, besides those that any may."""
    return {
        status: {
            "description": TITLES[status],
            "model": ProblemBody,
            "content": {MEDIA_TYPE: {"example": _problem(status)}},
        }
        for status in sorted({400, 401, 421, 422, *statuses})
    }


def _problem(status: int) -> dict[str, Any]:
    return {"type": "about:blank", "title": TITLES[status], "status": status, "detail": DETAILS[status]}


def _job(description: str) -> dict[str, Any]:
    return {
        "description": description,
        "model": JobBody,
        "content": {"application/json": {"example": JOB_EXAMPLE}},
    }


def _with_location(described: dict[str, Any]) -> dict[str, Any]:
    location = {"description": "The address of the job", "schema": {"type": "string"}}
    return {**described, "headers": {"Location": location}}


ASKING: Responses = {
    200: _with_location(_job("The job has ended; its result is the answer")),
    202: _with_location(_job("The job waits or runs")),
    **answers(403, 413, 429),
}
JOB: Responses = {200: _job("The job"), **answers(404)}
READING: Responses = answers(404, 409)
EVENTS: Responses = {
    200: {"description": "Events", "content": {"text/event-stream": {"example": STREAM_EXAMPLE}}},
    204: {"description": "The job has ended, and this was its last event"},
    **answers(404, 429),
}
NDJSON: Responses = {
    200: {
        "description": "A page, or a line for each",
        "content": {"application/x-ndjson": {"example": "[[1, 2], [2, 1]]\n"}},
    },
    **READING,
}
CERTIFICATE: Responses = {
    200: {"description": "The certificate", "content": {"application/gzip": {}}},
    **READING,
}
