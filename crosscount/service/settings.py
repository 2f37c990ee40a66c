"""What whoever starts the service decides, and every bound that keeps one client from costing another anything."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

MB = 1 << 20


def _cores() -> int:
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Settings:
    """All of it has a default but the folder."""

    data: Path
    workers: int = field(default_factory=_cores)
    """Jobs at once in each lane: so many that are quick, and as many that turned out to be long."""
    engines_at_once: int = field(default_factory=_cores)
    """Processes that one job may have."""
    token: str = ""
    """A bearer token that every request must bring; empty where none is needed."""
    hosts: tuple[str, ...] = ()
    """Names by which the service may be called; empty where any will do. Keeps out pages that rebind their name."""

    body_bytes: int = MB
    cells: int = 1_000
    values: int = 30_000
    """Of all domains together."""
    entries: int = 200_000
    """Of all constraints together: cells of scopes and values of tables."""
    tree_nodes: int = 20_000
    seconds: float = 300.0
    """The longest time limit that may be asked for, for each engine."""
    memory_mb: int = 2048
    """The most memory that may be asked for, for each engine."""

    queue: int = 2_000
    """Jobs that wait or run, of all clients together."""
    jobs_per_client: int = 20
    streams_per_client: int = 20
    """Event streams that one client may hold open."""
    wait_seconds: float = 60.0
    """The longest that a request may wait for its job."""

    quick_seconds: float = 4.0
    """After so long a job has to leave the quick lane, so that the next one never waits longer for it."""
    lease_seconds: float = 30.0
    """Without a sign of life for so long, whoever runs a job is taken for dead."""
    attempts: int = 5
    """Deaths of its process after which a job has failed."""
    solutions_kept: int = 100_000
    """For each job."""
    certificate_bytes: int = 64 * MB
    solutions_bytes: int = 4096 * MB
    """For all jobs: beyond, solutions and files of the oldest results are dropped; the results themselves stay."""
    engine_module: str = ""
    """A module whose `ENGINES` join the known ones: how tests bring an engine that lies."""

    def to_json(self) -> str:
        """For the processes that the service starts; the token is not their business."""
        return json.dumps({**asdict(self), "data": str(self.data), "token": ""})

    @staticmethod
    def from_json(text: str) -> "Settings":
        given = json.loads(text)
        return Settings(**{**given, "data": Path(given["data"]), "hosts": tuple(given["hosts"])})
