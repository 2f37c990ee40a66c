"""A thousand bodies that nobody should send: each is refused, none is a fault of ours."""

import json
import random
from typing import Any

import httpx

BODIES = 1000
SEED = 8
GOOD: dict[str, dict[str, Any]] = {
    "compare": {"puzzle": "@course-1", "engines": ["bt", "sat"], "time_limit": 5},
    "count": {"puzzle": "@course-1", "engine": "bt", "time_limit": 5},
    "check": {"puzzle": "." * 16, "answer": "1234 3412 2143 4321"},
    "solve": {"puzzle": "@course-1", "engine": "bt"},
    "tree": {"tree": "[[3, 5], [2, 9]]", "cutoff": "le"},
}
ODD: tuple[Any, ...] = (
    *(None, True, -1, 10**400, 0.5, float("nan"), float("inf"), -float("inf"), [], {}, [[]], [None], "", " ", "\0"),
    *("\ud800", "\u202e@course-1", "@", "@@", "@../x", "#", "p cnf", "p cnf -1 0", "p cnf 1 1\n9 0", "family = ", "[["),
    *('family = "csp"', 'family = "tree"', 'family = "sudoku"\ngrid = 3', "[" * 5000, "(" * 5000, "{" * 5000),
    *(
        '{"a":' * 3000,
        "1" * 5000,
        "9 " * 80,
        "1 1 " * 7,
        "é" * 16,
        "\U0001d7d9" * 16,
        "\n" * 999,
        "Q" * 16,
        "-" * 16,
        "12345!",
    ),
)


def malformed(rng: random.Random) -> tuple[str, bytes]:
    """A body that cannot be answered: no JSON, JSON of another shape, or the right shape with nonsense in it."""
    operation, good = rng.choice(list(GOOD.items()))
    key = rng.choice(list(good))
    match rng.randrange(6):
        case 0:
            return operation, rng.randbytes(rng.randrange(200))
        case 1:
            whole = json.dumps(good).encode()
            return operation, whole[: rng.randrange(len(whole))]
        case 2:
            return operation, json.dumps(rng.choice([x for x in ODD if x != {}])).encode()
        case 3:
            return operation, json.dumps({k: v for k, v in good.items() if k != "puzzle" and k != "tree"}).encode()
        case 4:
            return operation, json.dumps({**good, f"{key}{rng.randrange(9)}": rng.choice(ODD)}).encode()
        case _:
            subject = "tree" if operation == "tree" else "puzzle"
            return operation, json.dumps({**good, subject: rng.choice(ODD)}).encode()


def test_malformed_bodies_are_refused_and_break_nothing(api: httpx.Client) -> None:
    rng = random.Random(SEED)
    for _ in range(BODIES):
        operation, body = malformed(rng)
        answer = api.post(f"/api/{operation}", content=body, headers={"Content-Type": "application/json"})
        assert 400 <= answer.status_code < 500, (operation, body[:200], answer.text)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["detail"]
    for operation, good in GOOD.items():
        answer = api.post(f"/api/{operation}", params={"wait": 30}, json=good)
        assert answer.json()["status"] == "done", answer.text
