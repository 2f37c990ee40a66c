"""What holds for every request, whatever it asks for: host, origin, token, size; and headers on every answer.

Written for ASGI itself: a body that is too large must be refused while it comes in, and streams must pass untouched.
"""

import hashlib
import hmac
import logging
import time
from collections.abc import Mapping
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from crosscount.service.metrics import Metrics
from crosscount.service.problem import MEDIA_TYPE, Problem
from crosscount.service.settings import Settings

log = logging.getLogger(__name__)
COOKIE = "crosscount"
OPEN_PATHS = ("/health", "/login", "/static/")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
METHODS = (*SAFE_METHODS, "POST", "DELETE")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not no-referrer: a form would then name no origin, and be refused as a stranger's.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Lets a request through, or answers it with what is wrong."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self.app, self.settings, self.metrics = app, settings, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()
        answered = False
        body = _Body(receive, self.settings.body_bytes)

        async def send_guarded(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store")
                self._count(scope, message["status"], time.perf_counter() - begun)
            await send(message)

        try:
            refusal = self._refuse(HTTPConnection(scope))
            if refusal is None:
                await self.app(scope, body.receive, send_guarded)
            else:
                await refusal(scope, receive, send_guarded)
        except Exception:
            log.exception("%s %r", scope["method"], scope["path"])
            if not answered:
                fault = Problem(500, "a fault of ours; whoever runs the service finds more in its log")
                await problem_response(fault)(scope, receive, send_guarded)

    def _refuse(self, request: HTTPConnection) -> Response | None:
        headers = request.headers
        host = _host(headers.get("host", ""))
        if self.settings.hosts and host not in self.settings.hosts:
            return problem_response(Problem(421, f"the host {host!r:.100} is not known here"))
        method, path = request.scope["method"], request.scope["path"]
        if method not in SAFE_METHODS and not _same_origin(headers):
            return problem_response(Problem(403, "the request comes from a page of another site"))
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self.settings.body_bytes:
            return problem_response(too_large(self.settings.body_bytes))
        if self.settings.token and not path.startswith(OPEN_PATHS) and not self._has_token(request):
            if method == "GET" and "text/html" in headers.get("accept", ""):
                return RedirectResponse(f"/login?next={quote(path)}", 303)
            return problem_response(Problem(401, "expected Authorization: Bearer with the token of this service"))
        return None

    def _has_token(self, request: HTTPConnection) -> bool:
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and is_token(given.strip(), self.settings):
            return True
        return hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), cookie_value(self.settings.token).encode())

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        # The pattern of the address and not the address: there is no end of those.
        route = getattr(scope.get("route"), "path", "other")
        method = scope["method"] if scope["method"] in METHODS else "other"
        self.metrics.answered(method, route, status, seconds)


class _Body:
    """A body that ends the request once it is too large."""

    def __init__(self, receive: Receive, most: int) -> None:
        self.inner, self.most, self.size = receive, most, 0

    async def receive(self) -> Message:
        message = await self.inner()
        if message["type"] == "http.request":
            self.size += len(message.get("body", b""))
            if self.size > self.most:
                # FastAPI makes a 400 of any other exception.
                raise HTTPException(413, too_large(self.most).detail)
        return message


def too_large(most: int) -> Problem:
    return Problem(413, f"the body is larger than {most} bytes, expected a smaller one")


def is_token(given: str, settings: Settings) -> bool:
    """In the same time whatever is given, so that nobody can guess letter by letter."""
    return hmac.compare_digest(given.encode(), settings.token.encode())


def cookie_value(token: str) -> str:
    """What a browser is given for the token: it proves that the token was known, and does not contain it."""
    return hashlib.sha256(b"crosscount cookie " + token.encode()).hexdigest()


def problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    return JSONResponse(problem.body(), problem.status, {**(headers or {}), **problem.headers}, media_type=MEDIA_TYPE)


def _host(header: str) -> str:
    """The name without its port; an IPv6 address without its brackets."""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""


def _same_origin(headers: Headers) -> bool:
    """Programs send no Origin; a browser does, and it must be this service's own."""
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""
    except ValueError:
        return False
