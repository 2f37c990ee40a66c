"""Replays and clues are worked out aside, in a process of their own with hard limits: the service stays at hand.

The process reads one JSON object, writes one, and ends. Importing and compiling what gac needs is its business alone.
"""

import asyncio
import json
import os
import resource
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections import OrderedDict
from contextlib import suppress
from typing import Any

from starlette.requests import Request

from crosscount.puzzles.puzzle import Puzzle
from crosscount.service.problem import Problem

SECONDS = 60.0
"""The first replay of gac on a machine compiles; after that it is a second."""
CLUE_SECONDS = 20.0
TARGETS, APART = 20, 100
"""Solutions that clues are looked for in turn, and how many lie between two of them: neighbours are much alike."""
MEMORY = 4 << 30
AT_ONCE = 2
MOST_WAITING = 20
REMEMBERED = 24


class Aside:
    """Answers by what they depend on, the latest ones remembered."""

    def __init__(self) -> None:
        self.known: OrderedDict[str, bytes] = OrderedDict()
        self.room = asyncio.Semaphore(AT_ONCE)
        self.waiting = 0

    async def replay(self, text: str, number: int | None, engine: str) -> bytes:
        """The JSON of a replay; Problem where there is none."""
        return await self._answer({"do": "replay", "puzzle": text, "number": number, "engine": engine})

    async def clues(self, text: str, number: int | None) -> list[tuple[int, int]]:
        """Clues that make the puzzle unique, few of them; Problem where none are found in time."""
        found = json.loads(await self._answer({"do": "clues", "puzzle": text, "number": number}))
        return [(v, x) for v, x in found["clues"]]

    async def _answer(self, asked: dict[str, Any]) -> bytes:
        key = json.dumps(asked)
        if key in self.known:
            self.known.move_to_end(key)
            return self.known[key]
        if self.waiting >= MOST_WAITING:
            raise Problem(429, f"{MOST_WAITING} others wait for the same, expected fewer", retry_after=5)
        self.waiting += 1
        try:
            async with self.room:
                # Somebody else may have asked for the same meanwhile.
                answer = self.known.get(key) or await _work(key)
        finally:
            self.waiting -= 1
        self.known[key] = answer
        if len(self.known) > REMEMBERED:
            self.known.popitem(last=False)
        return answer


def aside_of(request: Request) -> Aside:
    """The one of the application."""
    state = request.app.state
    if not hasattr(state, "aside"):
        state.aside = Aside()
    found: Aside = state.aside
    return found


async def _work(asked: str) -> bytes:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "crosscount.service.pages_aside"),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        start_new_session=True,
    )
    try:
        out, _ = await asyncio.wait_for(process.communicate(asked.encode()), SECONDS)
    except TimeoutError:
        raise Problem(503, f"it took more than {SECONDS:g} s", retry_after=10) from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode != 0:
        raise Problem(422, "it took too much time or memory, expected a smaller puzzle")
    if out.startswith(b'{"wrong"'):
        raise Problem(422, json.loads(out)["wrong"])
    return out


def main() -> None:
    from crosscount.puzzles.engine import Unavailable
    from crosscount.puzzles.errors import InputError
    from crosscount.service.reading import accepted_puzzle

    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # Whatever becomes of the service, this ends; and while it lasts, the service comes first.
    resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS), int(SECONDS)))
    os.nice(5)
    try:
        puzzle = accepted_puzzle(asked["puzzle"], asked["number"])
        told = _replay(puzzle, asked["engine"]) if asked["do"] == "replay" else _clues(puzzle)
    except (InputError, Unavailable) as wrong:
        told = {"wrong": str(wrong)}
    json.dump(told, sys.stdout, separators=(",", ":"))


def _replay(puzzle: Puzzle, engine: str) -> dict[str, Any]:
    from crosscount.compare.replay import replay, to_object

    return to_object(replay(puzzle, engine))


def _clues(puzzle: Puzzle) -> dict[str, Any]:
    from crosscount.compare.clues import clues_by_search
    from crosscount.native import ENGINES
    from crosscount.puzzles.engine import Limits, Stopped, Unavailable

    until = time.monotonic() + CLUE_SECONDS

    def find(clued: Puzzle, most: int) -> list[list[int]]:
        rows: list[list[int]] = []
        try:
            for batch in ENGINES["gac"].search(clued, Limits(max(0.0, until - time.monotonic()), most)):
                rows += batch.solutions.tolist()
        except Stopped as stopped:
            if stopped.reason != "solutions":
                raise Unavailable(f"no clues were found within {CLUE_SECONDS:g} s") from None
        return rows

    first = find(puzzle, TARGETS * APART)
    if not first:
        raise Unavailable("there is no solution")
    return {"clues": clues_by_search(puzzle, first[::APART], find).clues}


if __name__ == "__main__":
    main()
