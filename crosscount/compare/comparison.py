"""Engines side by side on the same puzzles, and what that proves."""

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import wait

from crosscount.compare.found import KEEP, Found
from crosscount.compare.judge import Report, conclude, count_findings, own_findings, set_findings
from crosscount.compare.runs import Comparison, Finding
from crosscount.compare.worker import Job, Worker
from crosscount.puzzles.engine import Engine, Limits
from crosscount.puzzles.puzzle import Puzzle

TICK = 0.05
DEFAULT_LIMITS = Limits(seconds=60.0, memory=2 << 30)


def compare(
    puzzle: Puzzle, engines: Sequence[Engine], limits: Limits = DEFAULT_LIMITS, jobs: int | None = None
) -> Comparison:
    """Run every engine on the puzzle, each in a process of its own, and judge what they found."""
    with Comparing(engines, jobs) as comparing:
        return comparing.compare(puzzle, engines, limits)


@dataclass(slots=True)
class Progress:
    """What a person may want to see while a comparison runs."""

    puzzle: Puzzle
    jobs: list[Job] = field(default_factory=list)


Watch = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Task:
    """One puzzle of many, with the engines that compare it."""

    puzzle: Puzzle
    engines: Sequence[Engine]
    limits: Limits = DEFAULT_LIMITS


class Comparing:
    """Workers for a series of comparisons, as many as there are cores. Close it, or use it in a `with`."""

    def __init__(self, engines: Sequence[Engine], jobs: int | None = None, keep: int = KEEP) -> None:
        self.engines = list(engines)
        self.size = jobs or os.cpu_count() or 1
        self.keep = keep
        self.workers: list[Worker] = []

    def __enter__(self) -> "Comparing":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process; nothing is left behind."""
        for worker in self.workers:
            if worker.is_alive:
                worker.kill()
        self.workers.clear()

    def compare(
        self, puzzle: Puzzle, engines: Sequence[Engine], limits: Limits = DEFAULT_LIMITS, watch: Watch | None = None
    ) -> Comparison:
        """One puzzle. An interrupt ends the engines that still run and judges what there is."""
        jobs = [self._job(engine, puzzle, limits) for engine in engines]
        try:
            for _ in self._work(jobs):
                if watch is not None:
                    watch(Progress(puzzle, jobs))
        except KeyboardInterrupt:
            self.interrupt(jobs)
        return self.judge(puzzle, jobs, limits)

    def compare_many(
        self, tasks: Iterable[Task], tick: Callable[[], None] | None = None
    ) -> Iterator[tuple[int, Comparison]]:
        """Many puzzles, so that no worker ever waits for the slowest engine on one of them.

        Each comparison comes with its place in `tasks`, as soon as it is known and so in no promised order. `tick` is
        called many times a second. After an interrupt, close this.
        """
        coming = enumerate(tasks)
        waiting: deque[Job] = deque()
        under_way: dict[int, tuple[Task, list[Job]]] = {}
        while True:
            # A job has tables of its own, so they are made when they are about to be needed.
            while len(waiting) < self.size and (following := next(coming, None)) is not None:
                number, task = following
                jobs = [self._job(engine, task.puzzle, task.limits) for engine in task.engines]
                under_way[number] = task, jobs
                waiting.extend(jobs)
            if not under_way:
                return
            self._advance(waiting)
            if tick is not None:
                tick()
            for number in [n for n, (_, jobs) in under_way.items() if all(job.run is not None for job in jobs)]:
                task, jobs = under_way.pop(number)
                yield number, self.judge(task.puzzle, jobs, task.limits)

    def _job(self, engine: Engine, puzzle: Puzzle, limits: Limits, only: set[int] | None = None) -> Job:
        # What falls into a few buckets of 2^16 is small, whatever the whole is.
        found = None if engine.counts_only else Found(puzzle, self.keep if only is None else KEEP, only)
        return Job(engine, self.engines.index(engine), puzzle, limits, found)

    def interrupt(self, jobs: Sequence[Job]) -> None:
        """End what still runs; those runs count as stopped."""
        self.close()
        for job in jobs:
            if job.run is None:
                job.end("stopped" if job.begun else "skipped", "interrupted")

    def _work(self, jobs: Sequence[Job]) -> Iterator[None]:
        """Bring every job to its end, yielding now and then."""
        waiting = deque(jobs)
        while waiting or any(worker.job for worker in self.workers):
            self._advance(waiting)
            yield

    def _advance(self, waiting: deque[Job]) -> None:
        """Give out work, and take in what has come of it."""
        self._hire(waiting)
        busy = {worker.connection: worker for worker in self.workers if worker.job is not None}
        for connection in wait(list(busy), TICK):
            busy[connection].receive()  # type: ignore[index]  # it is one of those that were passed
        now = time.perf_counter()
        for worker in busy.values():
            worker.enforce_limits(now)
        self.workers = [worker for worker in self.workers if not worker.connection.closed]

    def _hire(self, waiting: deque[Job]) -> None:
        """Give jobs to free workers, and make workers while there are fewer than allowed."""
        for worker in self.workers:
            if waiting and worker.job is None:
                worker.give(waiting.popleft())
        while waiting and len(self.workers) < self.size:
            worker = Worker(self.engines, self.workers)
            self.workers.append(worker)
            worker.give(waiting.popleft())

    def judge(self, puzzle: Puzzle, jobs: Sequence[Job], limits: Limits) -> Comparison:
        """The verdict on finished jobs."""
        reports = [Report(job.run, _listing(job)) for job in jobs if job.run is not None]
        findings = own_findings(puzzle, reports)
        listing = [report for report in reports if report.found is not None]
        if all(report.found.is_kept for report in listing if report.found is not None):
            more, known = set_findings(puzzle, listing)
        else:
            more, known = self._large_findings(puzzle, listing, limits)
        findings += more
        blamed = {finding.engine for finding in findings}
        findings += count_findings(reports, known, blamed)
        return conclude(puzzle, reports, findings, known)

    def _large_findings(self, puzzle: Puzzle, reports: list[Report], limits: Limits) -> tuple[list[Finding], int]:
        """As `set_findings`, where some sets were too large to keep: run again, keeping only where they differ."""
        groups: dict[tuple[int, int, str], list[Report]] = {}
        for report in reports:
            if report.lists_all and report.found is not None:
                groups.setdefault((report.found.count, report.found.digest, report.run.status), []).append(report)
        stopped = [report for report in reports if not report.lists_all]
        ones = [members[0] for members in groups.values()]
        buckets = _where_they_differ(ones, stopped)
        known = max((report.found.count - report.found.invalid for report in reports if report.found), default=0)
        if not buckets:
            return [], known
        again = [*ones, *(report for report in stopped if report.found is not None and report.found.count)]
        engines = {engine.name: engine for engine in self.engines}
        jobs = [self._job(engines[report.run.engine], puzzle, limits, buckets) for report in again]
        for _ in self._work(jobs):
            pass
        rerun = [Report(job.run, _listing(job)) for job in jobs if job.run is not None]
        findings, _ = set_findings(puzzle, [report for report in rerun if report.found is not None])
        if not findings:
            names = [report.run.engine for report in ones]
            because = "the sets differ, but a second run did not show where: the engine does not repeat itself"
            findings = [Finding("count", name, f"{name}: {because}") for name in names]
        everybody = {m[0].run.engine: [report.run.engine for report in m] for m in groups.values()}
        spread = [
            Finding(f.kind, name, f.because.replace(f.engine, name, 1), f.witness)
            for f in findings
            for name in everybody.get(f.engine, [f.engine])
        ]
        return spread, min((report.run.count or 0 for report in ones), default=known)


def _listing(job: Job) -> Found | None:
    """What a run listed, where that proves anything: also of one that failed later, each solution is checked."""
    return job.found if job.run is not None and job.run.status != "skipped" else None


def _where_they_differ(ones: Sequence[Report], stopped: Sequence[Report]) -> set[int]:
    """Buckets in which two complete runs differ, or in which a stopped one has more than a complete one."""
    buckets: set[int] = set()
    complete = [report.found for report in ones if report.found is not None]
    for i, found in enumerate(complete):
        for other in complete[i + 1 :]:
            buckets |= found.differing_buckets(other)
        for report in stopped:
            if report.found is not None:
                buckets |= report.found.overfull_buckets(found)
    return buckets
