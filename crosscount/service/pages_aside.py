"""Replays are worked out aside, in a process of their own with hard limits: the service itself stays at hand.

The process reads one JSON object, writes one, and ends. Importing and compiling what gac needs is its business alone.
"""

import asyncio
import json
import os
import resource
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections import OrderedDict
from contextlib import suppress
from typing import Any

from crosscount.service.problem import Problem

SECONDS = 60.0
"""The first replay of gac on a machine compiles; after that it is a second."""
MEMORY = 4 << 30
AT_ONCE = 2
MOST_WAITING = 20
REMEMBERED = 24


class Aside:
    """Replays by what they depend on, the latest ones remembered."""

    def __init__(self) -> None:
        self.known: OrderedDict[tuple[str, int | None, str], bytes] = OrderedDict()
        self.room = asyncio.Semaphore(AT_ONCE)
        self.waiting = 0

    async def replay(self, text: str, number: int | None, engine: str) -> bytes:
        """The JSON of a replay; Problem where there is none."""
        key = text, number, engine
        if key in self.known:
            self.known.move_to_end(key)
            return self.known[key]
        if self.waiting >= MOST_WAITING:
            raise Problem(429, f"{MOST_WAITING} replays wait already, expected fewer", retry_after=5)
        self.waiting += 1
        try:
            async with self.room:
                # Somebody else may have asked for the same meanwhile.
                film = self.known.get(key) or await _work({"puzzle": text, "number": number, "engine": engine})
        finally:
            self.waiting -= 1
        self.known[key] = film
        if len(self.known) > REMEMBERED:
            self.known.popitem(last=False)
        return film


async def _work(asked: dict[str, Any]) -> bytes:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "crosscount.service.pages_aside"),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        start_new_session=True,
    )
    try:
        out, _ = await asyncio.wait_for(process.communicate(json.dumps(asked).encode()), SECONDS)
    except TimeoutError:
        raise Problem(503, f"the replay took more than {SECONDS:g} s", retry_after=10) from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode != 0:
        raise Problem(422, "the replay took too much time or memory, expected a smaller puzzle")
    if out.startswith(b'{"wrong"'):
        raise Problem(422, json.loads(out)["wrong"])
    return out


def main() -> None:
    from crosscount.compare.replay import replay, to_object
    from crosscount.puzzles.engine import Unavailable
    from crosscount.puzzles.errors import InputError
    from crosscount.service.reading import accepted_puzzle

    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # Whatever becomes of the service, this ends; and while it lasts, the service comes first.
    resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS), int(SECONDS)))
    os.nice(5)
    try:
        film = replay(accepted_puzzle(asked["puzzle"], asked["number"]), asked["engine"])
        told = to_object(film)
    except (InputError, Unavailable) as wrong:
        told = {"wrong": str(wrong)}
    json.dump(told, sys.stdout, separators=(",", ":"))


if __name__ == "__main__":
    main()
