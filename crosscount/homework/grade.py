"""Every submission on every case, several at once; whatever happens to one of them, the others are graded."""

import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Condition, Thread

from crosscount.homework.assignment import Assignment, Case, Subject
from crosscount.homework.attempt import Attempt
from crosscount.homework.journal import Journal
from crosscount.homework.judge import not_run
from crosscount.homework.reference import Reference
from crosscount.homework.results import CaseResult, SubmissionResult
from crosscount.homework.sandbox import Sandbox
from crosscount.homework.sanity import flags
from crosscount.homework.shrink import Kind, kind_of, prepare, shrink
from crosscount.homework.submissions import Submission

TICK = 0.1
FAULT = "a fault of ours: "

Watch = Callable[["Grading"], None]
"""Told many times a second, in the thread that called `run`."""


class Grading:
    """Work for a few threads: the programs run in processes of their own, and the threads wait for them."""

    def __init__(
        self,
        assignment: Assignment,
        reference: Reference,
        submissions: Sequence[Submission],
        sandbox: Sandbox,
        journal: Journal,
        jobs: int | None = None,
    ) -> None:
        self.assignment, self.reference, self.submissions = assignment, reference, submissions
        self.sandbox, self.journal = sandbox, journal
        self.jobs = jobs or os.cpu_count() or 1
        self.digests = {submission.name: submission.digest() for submission in submissions}
        self.found: dict[tuple[str, str], CaseResult] = {}
        self.changed = Condition()
        self.waiting: deque[tuple[Submission, Case]] = deque()
        self.left: dict[str, int] = {}
        self.busy = 0
        self.is_cut_short = False

    @property
    def total(self) -> int:
        """Cases, of all submissions that can be run."""
        return len(self.assignment.cases) * sum(not submission.trouble for submission in self.submissions)

    @property
    def done(self) -> int:
        """Those of them that are finished."""
        return len(self.found)

    def run(self, watch: Watch | None = None) -> list[SubmissionResult]:
        """Grade everything. After an interrupt what is finished is there, and the rest was not run."""
        self._recall()
        # Daemons: after an interrupt nobody waits for them, and what they started ends with this process.
        threads = [Thread(target=self._work, daemon=True) for _ in range(self.jobs)]
        try:
            for thread in threads:
                thread.start()
            while True:
                with self.changed:
                    if not self.waiting and not self.busy:
                        break
                    self.changed.wait(TICK)
                if watch is not None:
                    watch(self)
        except KeyboardInterrupt:
            self.is_cut_short = True
            with self.changed:
                self.waiting.clear()
        if watch is not None:
            watch(self)
        return self.results()

    def results(self) -> list[SubmissionResult]:
        """What is known so far, in the order of the submissions."""
        return [self.result(submission) for submission in self.submissions]

    def result(self, submission: Submission) -> SubmissionResult:
        """What is known so far about one of them."""
        with self.changed:
            cases = tuple(
                self.found.get((submission.name, case.name)) or not_run(case, submission.trouble)
                for case in self.assignment.cases
            )
        return SubmissionResult(
            submission.name,
            str(submission.path),
            cases,
            flags(self.assignment, cases),
            submission.trouble,
            self.digests[submission.name],
        )

    def _recall(self) -> None:
        """Take what earlier runs finished, and line up the rest."""
        for submission in self.submissions:
            if submission.trouble:
                continue
            digest = self.digests[submission.name]
            for case in self.assignment.cases:
                known = self.journal.cases.get((digest, case.name))
                if known is None:
                    self.waiting.append((submission, case))
                else:
                    self.found[submission.name, case.name] = known
            self.left[submission.name] = sum(waiting is submission for waiting, _ in self.waiting)
            if not self.left[submission.name] and digest not in self.journal.done:
                # All cases are there, but not what comes after them: the last one is looked at again.
                case = self.assignment.cases[-1]
                self.found.pop((submission.name, case.name))
                self.waiting.append((submission, case))
                self.left[submission.name] = 1

    def _work(self) -> None:
        """The life of a thread."""
        while True:
            with self.changed:
                if not self.waiting:
                    return
                submission, case = self.waiting.popleft()
                self.busy += 1
            try:
                self._grade(submission, case)
            finally:
                with self.changed:
                    self.busy -= 1
                    self.changed.notify_all()

    def _grade(self, submission: Submission, case: Case) -> None:
        attempt = Attempt(self.assignment, submission, self.sandbox)
        digest = self.digests[submission.name]
        try:
            result = attempt.run(case, self.reference.of(case))
            self.journal.add(digest, result)
        except Exception as error:
            result = not_run(case, f"{FAULT}{type(error).__name__}: {error}")
        with self.changed:
            self.found[submission.name, case.name] = result
            self.left[submission.name] -= 1
            is_last = not self.left[submission.name]
        if is_last:
            try:
                self._shrink(attempt)
                self.journal.finish(digest)
            except Exception as error:
                broken = replace(result, notes=(*result.notes, f"{FAULT}{type(error).__name__}: {error}"))
                with self.changed:
                    self.found[submission.name, case.name] = broken

    def _shrink(self, attempt: Attempt) -> None:
        """For each thing that goes wrong with each algorithm, the smallest puzzle that shows it."""
        submission = attempt.submission
        groups: dict[tuple[str, Kind], Case] = {}
        for case in self.assignment.cases:
            kind = kind_of(self.found[submission.name, case.name])
            if kind is not None:
                groups.setdefault((case.algorithm, kind), case)
        hints: list[Subject] = []
        if groups:
            prepare(self.assignment)
        until = time.perf_counter() + self.assignment.shrink_seconds
        for k, case in enumerate(groups.values()):
            if self.is_cut_short or not self.assignment.shrink_seconds:
                return
            # Whoever comes later often fails on the same small puzzle, and needs less.
            seconds = (until - time.perf_counter()) / (1 if k == len(groups) - 1 else 2)
            failed = self.found[submission.name, case.name]
            found = shrink(attempt, case, self.reference.of(case), failed, seconds, hints)
            if found is None:
                continue
            small, subject = found
            hints.insert(0, subject)
            with self.changed:
                result = self.found[submission.name, case.name] = replace(failed, small=small)
            self.journal.add(self.digests[submission.name], result)
