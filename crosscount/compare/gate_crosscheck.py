"""A function of somebody's own through the suite: the first thing that is wrong with it, on a puzzle made small.

The function runs in a process of its own, so that one that never ends, or takes its process with it, fails like others.
"""

import time
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Literal

from crosscount.compare.comparison import TICK
from crosscount.compare.found import Found
from crosscount.compare.gate_difference import side_by_side
from crosscount.compare.gate_solver import SAID, Function, Returns, Takes, as_given, name_of, solver_engine, takes_of
from crosscount.compare.gate_suite import Set, Trial, some, suite, truth
from crosscount.compare.minimise import minimise
from crosscount.compare.words import solutions as counted
from crosscount.compare.worker import Job, Worker
from crosscount.puzzles.draw import draw
from crosscount.puzzles.engine import Engine, Limits
from crosscount.puzzles.puzzle import Puzzle

Kind = Literal["invalid", "invented", "missing", "duplicate", "count", "raised", "no answer", "slow"]
BUDGET = 20.0
"""Seconds for making a failing puzzle small."""
MEMORY = 4 << 30


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong on one puzzle; the witness is the grid that shows it, with what to write above it."""

    kind: Kind
    sentence: str
    witness: tuple[int, ...] | None = None
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """The function is wrong, and this is how anybody can see it."""

    puzzle: Puzzle
    solutions: Set
    fault: Fault
    takes: Takes
    name: str
    trial: str
    """The name of the puzzle in the suite that it failed on."""

    def __str__(self) -> str:
        puzzle, fault = self.puzzle, self.fault
        blocks = [("the puzzle", draw(puzzle))]
        if fault.witness is not None:
            blocks.append((fault.heading, draw(puzzle, fault.witness)))
        elif self.solutions and fault.kind in ("raised", "slow", "no answer", "invented", "count"):
            only = "its solution" if len(self.solutions) == 1 else "one of its solutions"
            blocks.append((only, draw(puzzle, min(self.solutions))))
        right = counted(len(self.solutions)) if self.solutions else "no solution"
        lines = [f"{self.name} {fault.sentence}", "", side_by_side(blocks), "", f"This puzzle has {right}."]
        lines.append(
            f"It is as small as we could make {self.trial!r}, with the same thing going wrong. To see it again:"
        )
        lines += ["", f"    {self.call()}"]
        return "\n".join(lines)

    def call(self) -> str:
        """Python that shows the same."""
        if self.takes == "puzzle":
            return f"{self.name}({self.puzzle!r})"
        return f"{self.name}({as_given(self.puzzle, self.takes)!r})"


def crosscheck(
    function: Function,
    takes: Takes | None = None,
    returns: Returns | None = None,
    size: int = 9,
    time_limit: float = 10.0,
) -> Failure | None:
    """None where the function is right on every puzzle of the suite; otherwise the first failure, made small.

    Where nobody says it, the annotation of its parameter says what it takes, and its answer to the first puzzle what it
    returns. `size` is that of the sudokus. The time limit is for one puzzle.
    """
    wanted = takes or takes_of(function)
    trials = suite(wanted, size)
    early = None
    if returns is None:
        returns, early = _form(function, wanted, trials[0], time_limit)
    with _Runner(solver_engine(function, wanted, returns), returns) as runner:
        for trial in trials:
            fault = early or runner.fault(trial.puzzle, trial.solutions, time_limit)
            if fault is not None:
                small, fault = _small(runner, trial, fault, wanted, time_limit)
                return Failure(small.puzzle, small.solutions, fault, wanted, name_of(function), trial.puzzle.name)
    return None


def _form(function: Function, takes: Takes, trial: Trial, time_limit: float) -> tuple[Returns, Fault | None]:
    """What the function returns, seen on a puzzle with several solutions; or why it gives no answer."""
    with _Runner(solver_engine(function, takes), "first") as runner:
        job = runner.run(trial.puzzle, time_limit)
    said = next((note.removeprefix(SAID) for note in job.notes if note.startswith(SAID)), "first")
    form: Returns = "all" if said == "all" else "count" if said == "count" else "first"
    return form, no_answer(job, time_limit)


def no_answer(job: Job, seconds: float) -> Fault | None:
    """What kept the function from answering; None where it has answered."""
    assert job.run is not None
    if job.run.status == "stopped":
        return Fault("slow", f"was still running after {seconds:g} s, and was stopped.")
    if job.run.status != "failed":
        return None
    kind, _, words = job.run.reason.partition(": ")
    if kind == "Raised":
        return Fault("raised", f"raised an exception: {words}")
    if kind == "NoAnswer":
        return Fault("no answer", f"gave no answer: {words}.")
    return Fault("raised", f"ended its process: {job.run.reason}")


class _Runner:
    """One process for many calls, and a new one after it had to be ended."""

    def __init__(self, engine: Engine, form: Returns) -> None:
        self.engine, self.form = engine, form
        self.worker: Worker | None = None

    def __enter__(self) -> "_Runner":
        return self

    def __exit__(self, *_: object) -> None:
        if self.worker is not None and self.worker.is_alive:
            self.worker.kill()

    def run(self, puzzle: Puzzle, seconds: float) -> Job:
        """One call; the job that comes back has its run."""
        if self.worker is None or not self.worker.is_alive:
            self.worker = Worker([self.engine], [])
        found = None if self.engine.counts_only else Found(puzzle)
        job = Job(self.engine, 0, puzzle, Limits(seconds=seconds, memory=MEMORY), found)
        self.worker.give(job)
        while job.run is None:
            if wait([self.worker.connection], TICK):
                self.worker.receive()
            if job.run is None:
                self.worker.enforce_limits(time.perf_counter())
        return job

    def fault(self, puzzle: Puzzle, solutions: Set, seconds: float) -> Fault | None:
        """What is wrong with the answer to this puzzle."""
        job = self.run(puzzle, seconds)
        fault = no_answer(job, seconds)
        if fault is not None:
            return fault
        if job.found is None:
            return _wrong_count(job.count, len(solutions))
        return _wrong_solutions(puzzle, job.found, solutions, self.form)


def _wrong_count(count: int | None, expected: int) -> Fault | None:
    if count == expected:
        return None
    return Fault("count", f"counts {counted(count or 0)}, but there {'is' if expected == 1 else 'are'} {expected}.")


def _wrong_solutions(puzzle: Puzzle, found: Found, solutions: Set, form: Returns) -> Fault | None:
    if found.first_invalid is not None:
        witness = found.first_invalid
        first, *others = puzzle.violated(witness)
        broken = f"{first}, and more" if others else str(first)
        kind: Kind = "invalid" if solutions else "invented"
        sentence = f"returned a grid that is not a solution: {broken}."
        if not solutions:
            sentence = f"returned a grid for a puzzle that has no solution: {broken}."
        return Fault(kind, sentence, witness, "it returned")
    rows = [tuple(row) for row in found.kept.tolist()]
    repeated = sorted(row for row in set(rows) if rows.count(row) > 1)
    if repeated:
        times = rows.count(repeated[0])
        many = "twice" if times == 2 else f"{times} times"
        return Fault("duplicate", f"returned the same solution {many}.", repeated[0], f"returned {many}")
    missing = sorted(solutions - set(rows))
    if form == "first" and (rows or not solutions):
        return None
    if missing and not rows:
        return Fault("missing", f"found no solution, but there {_is(len(missing))}.", missing[0], "it did not find")
    if missing:
        sentence = f"misses {len(missing)} of {counted(len(solutions))}."
        return Fault("missing", sentence, missing[0], "it did not find")
    return None


def _is(count: int) -> str:
    return "is one" if count == 1 else f"are {count}"


def _small(runner: _Runner, trial: Trial, fault: Fault, takes: Takes, time_limit: float) -> tuple[Trial, Fault]:
    """The puzzle made small, and the fault on it, which is of the same kind."""
    # Waiting the whole time for every try would take an hour; the caller waits that long for the last one.
    patience = min(time_limit, 1.0) if fault.kind == "slow" else time_limit
    anchor = fault.witness if fault.witness in trial.solutions else min(trial.solutions, default=None)

    def fails(smaller: Puzzle) -> bool:
        if not trial.solutions and some(smaller, 1):
            return False  # and it may have more solutions than anybody could list
        known = truth(smaller) if trial.solutions else trial.solutions
        again = runner.fault(smaller, known, patience)
        return again is not None and again.kind == fault.kind

    puzzle = minimise(trial.puzzle, fails, anchor, BUDGET, drop_constraints=takes == "puzzle")
    solutions = truth(puzzle) if trial.solutions else trial.solutions
    # Once more: the sentence must be about the puzzle that is shown, and somebody slow must be slow for the whole time.
    again = runner.fault(puzzle, solutions, time_limit)
    if again is None or again.kind != fault.kind:
        return trial, fault
    return Trial(puzzle, solutions), again
