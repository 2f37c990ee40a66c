"""What is right, certified before the first program runs: unlike engines must agree, puzzle by puzzle.

Nothing of this ever enters the sandbox.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from crosscount.compare.audit import Auditor
from crosscount.compare.comparison import Comparing
from crosscount.compare.engines import find
from crosscount.compare.gate import FOR_MANY
from crosscount.compare.gate_suite import JUDGES, some, truth
from crosscount.compare.runs import Comparison, Verdict
from crosscount.compare.tree_run import compare_tree
from crosscount.compare.words import sentence
from crosscount.homework.assignment import Ask, Assignment, Case, Subject
from crosscount.puzzles.engine import Limits
from crosscount.puzzles.errors import InputError, at
from crosscount.puzzles.gametree import GameTree, Rule
from crosscount.puzzles.puzzle import Puzzle

MEMORY = 2 << 30
MOST_LISTED = 5_000
"""Solutions of a puzzle on the way to a small one; with more it is not small."""

Grid = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """About one puzzle."""

    sample: Grid | None
    """A solution; None where there is none."""
    count: int | None = None
    """Exactly; None where nobody asked."""
    solutions: frozenset[Grid] | None = None
    """All of them; None where nobody asked, or where they are too many to keep."""

    @property
    def words(self) -> str:
        """What a person expects to read."""
        if self.count is not None:
            return f"exactly {self.count} solution{'' if self.count == 1 else 's'}"
        return "no solution" if self.sample is None else "a solution"


Known = Truth | Auditor


class Reference:
    """The truth about every case of an assignment."""

    def __init__(self, known: dict[str, Known]) -> None:
        self.known = known

    def of(self, case: Case) -> Known:
        """The truth about a case."""
        return self.known[case.name]


def certify(assignment: Assignment, tell: Callable[[str], None] | None = None) -> Reference:
    """Find out what is right about every case; InputError where engines do not finish in the assignment's time."""
    known: dict[str, Known] = {}
    by_puzzle: dict[Puzzle, Truth] = {}
    names = dict.fromkeys((*JUDGES, *FOR_MANY))
    with Comparing([find(name) for name in names]) as comparing:
        for case in assignment.cases:
            if tell is not None:
                tell(case.name)
            if isinstance(case.subject, GameTree):
                known[case.name] = _tree(case, case.subject)
                continue
            needs_all = _needs_all([c for c in assignment.cases if c.subject == case.subject])
            if case.subject not in by_puzzle:
                certifying = _Certifying(comparing, assignment, case)
                by_puzzle[case.subject] = certifying.every(case.subject) if needs_all else certifying.any(case.subject)
            known[case.name] = by_puzzle[case.subject]
    return Reference(known)


def _needs_all(cases: Iterable[Case]) -> bool:
    return any(ask in (Ask.ALL, Ask.COUNT) for case in cases for ask in case.asked)


def _tree(case: Case, tree: GameTree) -> Auditor:
    comparison = compare_tree(tree, case.rule)
    if comparison.findings:
        raise RuntimeError(f"{case.name}: {comparison.findings[0].because}")
    return comparison.auditor


class _Certifying:
    def __init__(self, comparing: Comparing, assignment: Assignment, case: Case) -> None:
        self.comparing, self.assignment, self.case = comparing, assignment, case
        self.limits = Limits(seconds=assignment.certify_seconds, memory=MEMORY)

    def every(self, puzzle: Puzzle) -> Truth:
        """How many solutions there are, and which."""
        comparison = self.compare(puzzle, FOR_MANY, self.limits)
        if comparison.verdict is not Verdict.AGREE or comparison.count is None:
            raise self.undecided(comparison, "all its solutions counted")
        kept = next((run.solutions for run in comparison.runs if run.solutions is not None), None)
        if kept is None:
            return Truth(self.any(puzzle).sample, comparison.count)
        solutions = frozenset(tuple(row) for row in kept.tolist())
        return Truth(min(solutions, default=None), comparison.count, solutions)

    def any(self, puzzle: Puzzle) -> Truth:
        """One solution, which needs no second engine because it can be checked; or that there is none, which does."""
        comparison = self.compare(puzzle, JUDGES, replace(self.limits, solutions=1))
        for run in comparison.runs:
            for row in [] if run.solutions is None else run.solutions.tolist():
                if not puzzle.violated(row):
                    return Truth(tuple(row))
        if comparison.verdict is Verdict.AGREE and comparison.count == 0:
            return Truth(None, 0, frozenset())
        raise self.undecided(comparison, "a solution, or that it has none")

    def compare(self, puzzle: Puzzle, names: tuple[str, ...], limits: Limits) -> Comparison:
        comparison = self.comparing.compare(puzzle, [find(name) for name in names], limits)
        if any(run.reason == "interrupted" for run in comparison.runs):
            raise KeyboardInterrupt
        if comparison.verdict is Verdict.DISAGREE:
            raise RuntimeError(f"our own engines disagree on {puzzle.name}: {comparison.because}")
        return comparison

    def undecided(self, comparison: Comparison, wanted: str) -> InputError:
        what = f"{self.case.name}: {sentence(comparison)}"
        seconds = f"{self.assignment.certify_seconds:g} s"
        expected = f"expected {wanted} within {seconds}; certify_seconds may be raised"
        return at(self.assignment.place, self.case.line, f"{what}, {expected}")


def certify_small(subject: Subject, needs_all: bool, rule: Rule) -> Known | None:
    """The truth about a puzzle on the way to a small one, in this process; None where it has too many solutions."""
    if isinstance(subject, GameTree):
        return Auditor(subject, rule)
    found = some(subject, MOST_LISTED + 1 if needs_all else 1)
    if not needs_all and found:
        return Truth(min(found))
    if len(found) > MOST_LISTED:
        return None
    solutions = truth(subject)
    return Truth(min(solutions, default=None), len(solutions), solutions)
