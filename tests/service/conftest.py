"""Real services in processes of their own, spoken to over HTTP."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).parents[2]
SERVE = (sys.executable, "-m", "crosscount", "serve", "--port", "0")


class Service:
    """`crosscount serve` on a free port. Clients differ by the address of this machine that they call from."""

    def __init__(self, folder: Path, *options: str, **environment: str) -> None:
        self.folder, self.options, self.environment = folder, options, environment
        self.start()

    def start(self) -> None:
        self.log = self.folder.with_suffix(".log")
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*SERVE, "--data", str(self.folder), *self.options],
                env={**os.environ, **self.environment},
                cwd=ROOT,
                stderr=log,
            )
        self.url: str = eventually(self._announced)[0]

    def _announced(self) -> re.Match[str] | None:
        said = self.log.read_text()
        assert self.process.poll() is None, f"the service did not start: {said}"
        return re.search(r"http://[^\s,]+:\d+", said)

    def await_ready(self) -> None:
        """The first start after a change of the engines compiles them."""
        eventually(lambda: httpx.get(f"{self.url}/health").json()["status"] == "ok", 300)

    def client(self, address: str = "127.0.0.1", **options: Any) -> httpx.Client:
        return httpx.Client(
            base_url=self.url, transport=httpx.HTTPTransport(local_address=address), timeout=60, **options
        )

    def ask(self, operation: str, wait: float = 30, **request: Any) -> dict[str, Any]:
        """The job, once it has ended."""
        with self.client() as client:
            answer = client.post(f"/api/{operation}", params={"wait": wait}, json=request)
        assert answer.status_code == 200, answer.text
        job: dict[str, Any] = answer.json()
        return job

    def pool(self) -> int:
        """The process that runs jobs."""
        return next(pid for pid in children(self.process.pid) if b"crosscount.service.pool" in command(pid))

    def kill(self) -> None:
        self.process.kill()
        self.end()

    def stop(self) -> int:
        """As Ctrl-C or a service manager would."""
        self.process.send_signal(signal.SIGTERM)
        return self.end()

    def end(self) -> int:
        return self.process.wait(20)


def children(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def command(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def eventually(what: Callable[[], Any], seconds: float = 30) -> Any:
    """What `what` returns, as soon as that is true."""
    until = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < until, "it never came true"
        time.sleep(0.05)
    return found


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One for all tests that leave it as it was."""
    running = Service(
        tmp_path_factory.mktemp("service"),
        *("--workers", "2"),
        CROSSCOUNT_TEST_ENGINES="tests.service.engines_for_tests",
    )
    running.await_ready()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def api(service: Service) -> Iterator[httpx.Client]:
    with service.client() as client:
        yield client
