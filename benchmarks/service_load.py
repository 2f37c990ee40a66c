"""A load on the service: many clients with small puzzles while two heavy jobs run, and how it bears that.

Every client calls from an address of its own (127.0.1.1, 127.0.1.2, ...), because quotas and fairness are per client.
A separate process asks for /health all the time. Ends with code 1 where a job was lost or answered wrongly, or health
took longer than 100 ms at the 99th percentile.
"""

import argparse
import asyncio
import itertools
import json
import multiprocessing
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx

PUZZLES = {"@course-1": 2, "@course-2": 48, "@course-3": 413, "@queens-6": 4, "@queens-8": 92, "@latin-4": 576}
HEAVY = [{"puzzle": name, "time_limit": 300} for name in ("@course-5", "@blank-10")]
HEALTH_EVERY = 0.02
HEALTH_WITHIN = 0.1
WAIT = 60


@dataclass
class Tally:
    """What the clients saw."""

    seconds: list[float] = field(default_factory=list)
    asked: int = 0
    wrong: list[str] = field(default_factory=list)
    refused: int = 0
    by_operation: Counter[str] = field(default_factory=Counter)


def question(number: int) -> tuple[str, dict[str, Any], int]:
    """An operation, its request and the right count. No two are the same question: the time limit differs."""
    puzzle, count = list(PUZZLES.items())[number % len(PUZZLES)]
    limit = 30 + number / 10_000
    if number % 5 == 0:
        return "compare", {"puzzle": puzzle, "engines": ["bt", "gac", "sat"], "time_limit": limit}, count
    return "count", {"puzzle": puzzle, "engine": ("fc-mrv", "gac", "sat")[number % 3], "time_limit": limit}, count


async def client(url: str, address: str, numbers: Iterator[int], until: float, tally: Tally) -> None:
    """One question after another; each waits for its answer."""
    transport = httpx.AsyncHTTPTransport(local_address=address)
    async with httpx.AsyncClient(base_url=url, transport=transport, timeout=WAIT + 10) as http:
        while time.monotonic() < until:
            operation, request, count = question(next(numbers))
            begun = time.monotonic()
            answer = await http.post(f"/api/{operation}", params={"wait": WAIT}, json=request)
            if answer.status_code == 429:
                tally.refused += 1
                await asyncio.sleep(float(answer.headers["retry-after"]))
                continue
            tally.asked += 1
            job = answer.json()
            if answer.status_code != 200 or job["status"] != "done" or job["result"]["count"] != count:
                tally.wrong.append(answer.text[:300])
            tally.by_operation[operation] += 1
            tally.seconds.append(time.monotonic() - begun)


def probe(url: str, until: float, result: "Connection[Any, Any]") -> None:
    """Ask for /health again and again, and send how long each answer took."""
    found = []
    with httpx.Client(base_url=url, transport=httpx.HTTPTransport(local_address="127.0.2.1"), timeout=30) as http:
        while time.monotonic() < until:
            begun = time.perf_counter()
            answer = http.get("/health")
            assert answer.status_code == 200
            found.append(time.perf_counter() - begun)
            time.sleep(HEALTH_EVERY)
    result.send(found)


@contextmanager
def started(folder: Path) -> Iterator[str]:
    """A service of our own, ready to run jobs."""
    log = folder / "log"
    command = [sys.executable, "-m", "crosscount", "serve", "--port", "0", "--data", str(folder / "data")]
    with log.open("w") as stream:
        process = subprocess.Popen(command, stderr=stream)
    try:
        while (found := re.search(r"http://[^\s,]+:\d+", log.read_text())) is None:
            time.sleep(0.1)
        while httpx.get(f"{found[0]}/health").json()["status"] != "ok":
            time.sleep(0.2)
        yield found[0]
    finally:
        process.terminate()
        process.wait(30)


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def show(name: str, values: list[float]) -> None:
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
    shown = "  ".join(f"{word} {1000 * percentile(values, share):.1f} ms" for word, share in shares.items())
    print(f"{name:<8} {len(values):>6}  {shown}")


async def load(url: str, clients: int, seconds: float) -> Tally:
    tally = Tally()
    until = time.monotonic() + seconds
    numbers = itertools.count()
    await asyncio.gather(*(client(url, f"127.0.1.{k + 1}", numbers, until, tally) for k in range(clients)))
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, started(Path(folder)) as url:
        heavy = []
        for k, request in enumerate(HEAVY):
            with httpx.Client(base_url=url, transport=httpx.HTTPTransport(local_address=f"127.0.3.{k + 1}")) as http:
                heavy.append(http.post("/api/compare", json=request).json()["links"]["self"])
        receiving, sending = multiprocessing.Pipe(duplex=False)
        prober = multiprocessing.Process(target=probe, args=(url, time.monotonic() + options.seconds, sending))
        prober.start()
        tally = asyncio.run(load(url, options.clients, options.seconds))
        health = receiving.recv()
        prober.join()
        still = [httpx.get(url + address).json()["status"] for address in heavy]
    print(f"{options.clients} clients for {options.seconds:g} s, two heavy jobs ({', '.join(still)} at the end)")
    print(f"{tally.asked} jobs ({json.dumps(tally.by_operation)}), {tally.asked / options.seconds:.1f} a second,")
    print(f"{len(tally.wrong)} lost or wrong, {tally.refused} refused")
    show("answers", tally.seconds)
    show("health", health)
    for text in tally.wrong[:5]:
        print("wrong:", text)
    within = percentile(health, 0.99) <= HEALTH_WITHIN
    print(f"health within {1000 * HEALTH_WITHIN:g} ms at the 99th percentile: {'yes' if within else 'no'}")
    return 0 if within and not tally.wrong else 1


if __name__ == "__main__":
    sys.exit(main())
