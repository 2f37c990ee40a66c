"""The gate: every claim of a collection, each checked by engines of at least two unlike families.

A claim passes where two families finished and agree with it, or where enough distinct solutions were found and checked
one by one. It fails where it is refuted, and where engines disagree. Everything else is undecided, and not green.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from crosscount.compare.comparison import DEFAULT_LIMITS, Comparing, Task
from crosscount.compare.engines import find
from crosscount.compare.gate_cache import Cache, puzzle_key, tree_key
from crosscount.compare.gate_claim import Claim, Ruling, decide, found
from crosscount.compare.gate_difference import no_solution, refuted
from crosscount.compare.gate_read import PuzzleSubject, Subject, TreeSubject
from crosscount.compare.gate_result import EngineFact, Facts, Outcome, Result
from crosscount.compare.gate_tree import tree_facts, tree_result
from crosscount.compare.runs import Comparison, Run, Verdict
from crosscount.puzzles.engine import Engine, Limits

USUAL = ("gac", "cpsat")
"""Two unlike families, both quick on small puzzles."""
FOR_MANY = ("gac", "sat")
"""And two that list many solutions several times faster."""
MANY = 2000
ALL = ("gac", "cpsat", "sat")
"""All three where one of the two cannot run on a puzzle."""

Watch = Callable[[int, int], None]
"""Told how many of how many are done, many times a second."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How claims are checked. Without `engines` it is the usual two; a `cache` of None remembers nothing."""

    engines: tuple[Engine, ...] = ()
    limits: Limits = DEFAULT_LIMITS
    jobs: int | None = None
    cache: Cache | None = None

    @property
    def is_repeatable(self) -> bool:
        """Whether engines are known by their version. A program of somebody else may change and not say so."""
        return all(engine.family != "external" for engine in self.engines)


def check(subjects: Sequence[Subject], settings: Settings, watch: Watch | None = None) -> list[Result]:
    """A result for each claim, in the same order. After an interrupt those that are left are undecided."""
    with Gate(settings) as gate:
        return gate.check(subjects, watch)


class Gate:
    """Workers for a series of checks: starting them takes longer than most puzzles do. Use it in a `with`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.engines = settings.engines or tuple(find(name) for name in ALL)
        self.comparing = Comparing(self.engines, settings.jobs)

    def __enter__(self) -> "Gate":
        return self

    def __exit__(self, *_: object) -> None:
        self.comparing.close()

    def check(self, subjects: Sequence[Subject], watch: Watch | None = None) -> list[Result]:
        """As the function."""
        return _Check(self, subjects, watch).run()

    def first_choice(self, claim: Claim) -> tuple[Engine, ...]:
        """The engines that try a claim first: those that were asked for, or two that suit it."""
        names = FOR_MANY if claim.limit > MANY else USUAL
        return self.settings.engines or tuple(find(name) for name in names)


class _Check:
    def __init__(self, gate: Gate, subjects: Sequence[Subject], watch: Watch | None) -> None:
        self.subjects, self.settings, self.watch = subjects, gate.settings, watch
        self.gate, self.comparing = gate, gate.comparing
        self.cache = self.settings.cache if self.settings.is_repeatable else None
        self.results: dict[int, Result] = {}
        self.keys: dict[int, str] = {}

    def run(self) -> list[Result]:
        try:
            self.recall()
            open_puzzles = []
            for number, subject in enumerate(self.subjects):
                if number in self.results:
                    continue
                if isinstance(subject, TreeSubject):
                    self.check_tree(number, subject)
                elif not self.refute_listed(number, subject):
                    open_puzzles.append(number)
            self.check_puzzles(self.check_puzzles(open_puzzles), is_last=True)
        except KeyboardInterrupt:
            self.comparing.close()
        if self.cache is not None:
            self.cache.flush()
        return [self.results.get(number) or _interrupted(subject) for number, subject in enumerate(self.subjects)]

    def recall(self) -> None:
        """Take from the cache what is there."""
        if self.cache is None:
            return
        for number, subject in enumerate(self.subjects):
            if isinstance(subject, TreeSubject):
                self.keys[number] = tree_key(subject.entry.tree, subject.entry.rule, self.settings.limits)
            else:
                limits = self.limits(subject.claim)
                self.keys[number] = puzzle_key(subject.puzzle, subject.claim, self.gate.engines, limits)
        known = self.cache.find(list(dict.fromkeys(self.keys.values())))
        for number, subject in enumerate(self.subjects):
            facts = known.get(self.keys[number])
            if facts is None:
                continue
            begun = time.perf_counter()
            if isinstance(subject, TreeSubject):
                self.results[number] = tree_result(subject, facts, begun, cached=True)
            else:
                self.results[number] = _puzzle_result(subject, facts, 0.0, cached=True)

    def keep(self, number: int, result: Result) -> None:
        """A new result; an answer is remembered."""
        self.results[number] = result
        is_answer = result.outcome in (Outcome.PASSED, Outcome.FAILED)
        if self.cache is not None and result.facts is not None and is_answer and not result.facts.findings:
            self.cache.add(self.keys[number], result.facts)
        self.tick()

    def tick(self) -> None:
        if self.watch is not None:
            self.watch(len(self.results), len(self.subjects))

    def limits(self, claim: Claim) -> Limits:
        return replace(self.settings.limits, solutions=claim.limit)

    def check_tree(self, number: int, subject: TreeSubject) -> None:
        begun = time.perf_counter()
        try:
            self.keep(number, tree_result(subject, tree_facts(subject.entry, self.settings.limits), begun))
        except Exception as error:
            self.keep(number, _fault(subject, error))

    def refute_listed(self, number: int, subject: PuzzleSubject) -> bool:
        """Whether some listed solution is none: then no engine is needed."""
        for listed in subject.claim.solutions:
            wrong = subject.puzzle.violated(listed)
            if wrong:
                because = f"a listed solution is none: {'; '.join(map(str, wrong[:3]))}"
                ruling = Ruling(Outcome.FAILED, "solutions", because)
                self.keep(number, _result(subject, ruling, "", no_solution(subject.puzzle, listed)))
                return True
        return False

    def check_puzzles(self, numbers: Sequence[int], is_last: bool = False) -> list[int]:
        """Check these puzzles; the numbers of those that need one more engine, unless this was the last attempt."""
        again: list[int] = []
        for place, comparison in self.comparing.compare_many(self.tasks(numbers, is_last), self.tick):
            number = numbers[place]
            subject = self.subjects[number]
            assert isinstance(subject, PuzzleSubject)
            skipped = any(run.status == "skipped" for run in comparison.runs)
            has_more = not is_last and not self.settings.engines
            if comparison.verdict is Verdict.UNDECIDED and skipped and has_more:
                again.append(number)
                continue
            try:
                seconds = sum(run.seconds for run in comparison.runs)
                self.keep(number, _puzzle_result(subject, facts_of(comparison, subject.claim), seconds))
            except Exception as error:
                self.keep(number, _fault(subject, error))
        return again

    def tasks(self, numbers: Sequence[int], is_last: bool) -> Iterator[Task]:
        for number in numbers:
            subject = self.subjects[number]
            assert isinstance(subject, PuzzleSubject)
            engines = self.gate.engines if is_last else self.gate.first_choice(subject.claim)
            yield Task(subject.puzzle, engines, self.limits(subject.claim))


def facts_of(comparison: Comparison, claim: Claim) -> Facts:
    """What a comparison proves, and the grids that are needed to show that the claim is wrong."""
    engines = tuple(EngineFact(run.engine, run.family, run.status, run.reason, run.count) for run in comparison.runs)
    agreed = comparison.count if comparison.verdict is Verdict.AGREE else None
    findings = tuple(f for f in comparison.findings if not _ran_out_of_memory(f.engine, comparison.runs))
    because = comparison.because
    if comparison.findings and not findings:
        because = "; ".join(f.because for f in comparison.findings)
    listing = [run for run in comparison.runs if run.digest is not None]
    kept = [run.solutions for run in listing if run.solutions is not None]
    proved = agreed or 0
    if agreed is None and len(kept) == len(listing):
        # Runs that only count prove nothing: nobody has seen their solutions.
        union = max((len(rows) for rows in kept), default=0)
        proved = comparison.at_least if len(listing) == len(comparison.runs) else union
    elif agreed is None:
        because += "; there are more solutions than can be kept and told apart"
    facts = Facts(agreed, proved, because, engines, findings=findings)
    if findings or decide(claim, facts).outcome is not Outcome.FAILED or not any(map(len, kept)):
        return facts
    rows = [tuple(row) for row in np.unique(np.concatenate(kept), axis=0).tolist()]
    listed = set(claim.solutions)
    unlisted = next((row for row in rows if row not in listed), None) if listed else None
    return replace(facts, examples=tuple(rows[:2]), unlisted=unlisted)


def _ran_out_of_memory(engine: str, runs: Sequence[Run]) -> bool:
    """Whether that is all that is wrong with this engine: a limit was reached, which is nobody's mistake."""
    run = next(run for run in runs if run.engine == engine)
    return run.status == "failed" and run.reason.startswith(("used more than", "out of memory"))


def _puzzle_result(subject: PuzzleSubject, facts: Facts, seconds: float, cached: bool = False) -> Result:
    if facts.findings:
        ruling = Ruling(Outcome.FAILED, "", f"the engines disagree: {facts.findings[0].because}")
    else:
        ruling = decide(subject.claim, facts)
    difference = refuted(subject.puzzle, subject.claim, facts) if ruling.outcome is Outcome.FAILED else ""
    result = _result(subject, ruling, found(facts), difference)
    return replace(result, facts=facts, seconds=seconds, cached=cached)


def _result(subject: PuzzleSubject, ruling: Ruling, known: str, difference: str = "") -> Result:
    line = subject.line_of(ruling.key)
    claim = str(subject.claim)
    return Result(subject.file, line, subject.name, claim, ruling.outcome, ruling.because, known, difference)


def _fault(subject: Subject, error: Exception) -> Result:
    because = f"{type(error).__name__}: {error} (please report it)"
    return Result(subject.file, subject.line, subject.name, _claimed(subject), Outcome.FAULT, because)


def _interrupted(subject: Subject) -> Result:
    because = "interrupted before it was checked"
    return Result(subject.file, subject.line, subject.name, _claimed(subject), Outcome.UNDECIDED, because, "unknown")


def _claimed(subject: Subject) -> str:
    if isinstance(subject, PuzzleSubject):
        return str(subject.claim)
    return f"value = {subject.entry.value}"
