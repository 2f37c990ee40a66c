"""One engine in this process: every batch is handed on as it comes, and what it did is told at the end."""

import time
from collections.abc import Generator

from crosscount.compare import digest
from crosscount.compare.found import Found
from crosscount.compare.runs import Run, Status
from crosscount.puzzles.engine import Batch, Engine, Limits, Stopped, Unavailable
from crosscount.puzzles.puzzle import Puzzle


def run_alone(engine: Engine, puzzle: Puzzle, limits: Limits) -> Generator[Batch, None, Run]:
    """Batches as the engine yields them, each checked; the return value is the run. An interrupt ends it early."""
    begun = time.perf_counter()
    found = Found(puzzle, keep=0)
    nodes, search_seconds, count = None, 0.0, None
    status: Status = "complete"
    reason = ""
    search = engine.search(puzzle, limits)
    try:
        for batch in search:
            nodes, search_seconds = batch.nodes, batch.seconds
            found.add(batch.solutions)
            count = batch.count if engine.counts_only else found.count
            if found.first_invalid is not None:
                wrong = "; ".join(map(str, puzzle.violated(found.first_invalid)[:3]))
                status, reason = "failed", f"reported a grid that is not a solution: {wrong}"
                break
            yield batch
    except Stopped as stopped:
        status, reason = "stopped", stopped.reason
    except Unavailable as unavailable:
        status, reason = "skipped", str(unavailable)
    except KeyboardInterrupt:
        status, reason = "stopped", "interrupted"
    finally:
        if hasattr(search, "close"):
            search.close()
    shown = None if engine.counts_only or status == "skipped" else digest.shown(found.digest)
    seconds = time.perf_counter() - begun
    return Run(engine.name, engine.family, status, reason, count, shown, None, nodes, seconds, search_seconds)
