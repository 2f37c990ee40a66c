"""What is wrong with a request, as RFC 9457 has it."""

from typing import Any

TITLES = {
    400: "Bad request",
    401: "A token is needed",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Not possible now",
    410: "No longer kept",
    413: "Too large",
    415: "Unsupported media type",
    421: "Wrong host",
    422: "Cannot be read",
    429: "Too many requests",
    500: "A fault of ours",
    503: "Not ready",
}
MEDIA_TYPE = "application/problem+json"


class Problem(Exception):
    """Ends a request with this status; `detail` says what was found and what was expected."""

    def __init__(
        self, status: int, detail: str, *, retry_after: int | None = None, errors: list[dict[str, Any]] | None = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.title = TITLES.get(status, "Not possible")
        self.detail = detail
        self.retry_after = retry_after
        self.errors = errors

    @property
    def headers(self) -> dict[str, str]:
        headers = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        return headers | ({"WWW-Authenticate": "Bearer"} if self.status == 401 else {})

    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "type": "about:blank",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
        }
        return found if self.errors is None else {**found, "errors": self.errors}
