"""What is refused, and how; and that one client costs another nothing."""

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.service.conftest import Service, eventually

HEAVY = {"engine": "bf", "time_limit": 300}


def problem(answer: httpx.Response, status: int) -> str:
    """The detail of a refusal in the form that every refusal has."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == status
    assert body["title"]
    detail: str = body["detail"]
    return detail


def count(api: httpx.Client, puzzle: str, **more: object) -> httpx.Response:
    return api.post("/api/count", json={"puzzle": puzzle, **more})


def test_what_is_no_puzzle_is_told_with_place_and_expectation(api: httpx.Client) -> None:
    assert "expected" in problem(count(api, "1 2 3\n4 5"), 422)
    assert problem(count(api, "@course-33"), 422).startswith("@course-33: no such puzzle; did you mean")
    assert "did you mean fc-mrv" in problem(count(api, "@course-1", engine="fc-mvr"), 422)
    assert "holds 2 puzzles" in problem(count(api, "." * 16 + "\n1" + "." * 15), 422)
    assert count(api, "." * 16 + "\n1" + "." * 15, number=2, engine="bt").status_code < 300
    assert "expected 1 to 2" in problem(count(api, "." * 16 + "\n1" + "." * 15, number=3), 422)
    assert "time_limit" in problem(count(api, "@course-1", time_limit=301), 422)
    assert "body.limit" in problem(count(api, "@course-1", limit=3), 422)


def test_a_path_of_the_server_is_never_read(api: httpx.Client, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("." * 16)
    for path in (str(secret), f"{secret}#1", "-", "/etc/passwd"):
        problem(count(api, path), 422)
        problem(api.post("/api/check", json={"puzzle": "." * 16, "answer": path}), 422)
        problem(api.post("/api/tree", json={"tree": path}), 422)
    problem(api.post("/api/tree", json={"tree": f"@../../{secret.with_suffix('')}"}), 422)
    problem(api.post("/api/tree", json={"tree": f'family = "tree"\nfile = "{secret}"'}), 422)


def test_no_program_of_other_people_is_run(api: httpx.Client) -> None:
    for name in ("mine=touch /tmp/x", "sat:touch", "external"):
        problem(api.post("/api/compare", json={"puzzle": "@course-1", "engines": [name]}), 422)
    body = {"puzzle": "@course-1", "engine_cmd": ["mine=touch /tmp/x"]}
    assert "engine_cmd" in problem(api.post("/api/compare", json=body), 422)


def test_puzzles_beyond_the_bounds_are_too_large(api: httpx.Client) -> None:
    assert "expected at most 1000" in problem(count(api, "p cnf 1001 0\n"), 413)
    wide = 'family = "csp"\n[cells]\nx = "1..30001"\n'
    assert "expected at most 30000" in problem(count(api, wide), 413)
    huge = 'family = "csp"\n[cells]\n' + "".join(f'x{k} = "1..1000000"\n' for k in range(3000))
    problem(count(api, huge), 413)
    assert "20000" in problem(api.post("/api/tree", json={"tree": "[" + "1," * 20_001 + "1]"}), 413)
    # Whoever read that has been replaced.
    assert count(api, "@course-1", engine="bt").status_code < 300


def test_a_body_that_is_too_large_is_refused_while_it_comes(service: Service, api: httpx.Client) -> None:
    body = json.dumps({"puzzle": "." * (1 << 20)}).encode()
    assert "1048576 bytes" in problem(api.post("/api/count", content=body), 413)

    def chunks() -> Iterator[bytes]:
        for k in range(0, len(body), 1 << 16):
            yield body[k : k + (1 << 16)]

    assert "1048576 bytes" in problem(
        api.post("/api/count", content=chunks(), headers={"Content-Type": "application/json"}), 413
    )


def test_headers_are_on_every_answer(api: httpx.Client) -> None:
    for answer in (api.get("/health"), api.get("/nowhere"), api.post("/api/count", json={}), api.put("/health")):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers


def test_a_page_of_another_site_can_do_nothing(api: httpx.Client) -> None:
    own = str(api.base_url).rstrip("/")
    body = {"puzzle": "@course-1", "engine": "bt"}
    for origin in ("http://example.org", "null", "http://[", own.replace("127.0.0.1", "localhost")):
        problem(api.post("/api/count", json=body, headers={"Origin": origin}), 403)
    assert api.post("/api/count", json=body, headers={"Origin": own}).status_code < 300
    # A name that is rebound to this machine.
    problem(api.get("/health", headers={"Host": "example.org"}), 421)
    assert api.get("/health", headers={"Host": "localhost:1"}).status_code == 200
    # What a form of another site could send without asking first.
    problem(api.post("/api/count", content=json.dumps(body), headers={"Content-Type": "text/plain"}), 422)


def test_it_listens_to_this_machine_alone(service: Service) -> None:
    address = urlsplit(service.url)
    assert address.hostname == "127.0.0.1"
    assert address.port is not None
    elsewhere = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    for name in elsewhere:
        with socket.socket() as knock:
            assert knock.connect_ex((str(name), address.port)) != 0


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with little room and a token."""
    folder = tmp_path_factory.mktemp("small")
    token = folder / "token"
    token.write_text("open sesame\n")
    options = ("--token-file", str(token), "--jobs-per-client", "3", "--max-queue", "5", "--workers", "2")
    running = Service(folder / "data", *options)
    running.await_ready()
    yield running
    assert running.stop() == 0


def test_the_token_is_needed_for_all_but_health(small: Service) -> None:
    with small.client() as stranger:
        assert "Bearer" in problem(stranger.get("/api/engines"), 401)
        problem(stranger.get("/api/engines", headers={"Authorization": "Bearer open sesam"}), 401)
        problem(stranger.get("/api/engines", headers={b"Authorization": "Bearer ä".encode()}), 401)
        problem(stranger.get("/metrics"), 401)
        problem(stranger.get("/openapi.json"), 401)
        assert stranger.get("/health").status_code == 200
        page = stranger.get("/jobs/x", headers={"Accept": "text/html"})
        assert (page.status_code, page.headers["location"]) == (303, "/login?next=/jobs/x")
        assert stranger.get("/api/engines", headers={"Authorization": "Bearer open sesame"}).status_code == 200


def test_a_browser_gets_a_cookie_for_the_token(small: Service) -> None:
    with small.client() as browser:
        problem(browser.post("/login", data={"token": "guess"}), 401)
        for target, where in (("/jobs/x", "/jobs/x"), ("//example.org", "/"), ("https://example.org", "/")):
            answer = browser.post("/login", data={"token": "open sesame", "next": target})
            assert (answer.status_code, answer.headers["location"]) == (303, where)
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert "sesame" not in cookie
        assert browser.get("/api/engines").status_code == 200


def test_quotas_are_of_each_client_and_others_are_served_meanwhile(small: Service) -> None:
    token = {"Authorization": "Bearer open sesame"}
    with small.client("127.0.0.2", headers=token) as greedy, small.client("127.0.0.3", headers=token) as other:
        mine = [count(greedy, f"@{name}", **HEAVY) for name in ("course-5", "blank-9", "blank-10")]
        assert [answer.status_code for answer in mine] == [202] * 3
        refused = count(greedy, "@sixteen", **HEAVY)
        assert "3 jobs of yours" in problem(refused, 429)
        assert int(refused.headers["retry-after"]) > 0
        # What is known already costs nothing.
        assert count(greedy, "@course-5", **HEAVY).status_code == 202
        eventually(lambda: other.get("/health").json()["running"] >= 1)
        # One client never has all the slots, so another's small job is answered at once.
        for name in ("course-1", "course-2", "course-3"):
            answer = other.post("/api/count", params={"wait": 30}, json={"puzzle": f"@{name}", "engine": "bt"})
            assert answer.json()["status"] == "done"
        heavy = [count(other, f"@{name}", **HEAVY) for name in ("sixteen", "blank-8")]
        with small.client("127.0.0.4", headers=token) as third:
            assert "5 jobs wait or run" in problem(count(third, "@latin-6", **HEAVY), 429)
        for client, answers in ((greedy, mine), (other, heavy)):
            for answer in answers:
                assert client.delete(answer.headers["location"]).json()["status"] == "cancelled"


def test_who_sends_what_takes_long_to_read_holds_up_only_themselves(service: Service) -> None:
    huge = {"puzzle": 'family = "csp"\n[cells]\n' + "".join(f'x{k} = "1..1000000"\n' for k in range(3000))}

    async def race() -> None:
        async with AsyncExitStack() as stack:
            greedy, other = [
                await stack.enter_async_context(
                    httpx.AsyncClient(
                        base_url=service.url, transport=httpx.AsyncHTTPTransport(local_address=address), timeout=60
                    )
                )
                for address in ("127.0.0.5", "127.0.0.6")
            ]
            slow = [asyncio.create_task(greedy.post("/api/count", json=huge)) for _ in range(3)]
            await asyncio.sleep(0.2)
            answer = await other.post("/api/check", json={"puzzle": "." * 16, "answer": "1" * 16})
            assert answer.status_code < 300
            assert not all(task.done() for task in slow)
            for task in slow:
                task.cancel()
            await asyncio.gather(*slow, return_exceptions=True)

    asyncio.run(race())
