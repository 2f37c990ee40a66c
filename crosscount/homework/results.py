"""What grading found out. Everything here can be written as JSON and read back, so that reports need nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Verdict(StrEnum):
    """On one case, or on one thing that it asks."""

    PASSED = "passed"
    WRONG = "wrong answer"
    NO_ANSWER = "no answer"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    TOO_MUCH = "too much output"
    CRASHED = "crashed"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Board:
    """A grid to be drawn: a text and a mark for each cell, row by row."""

    title: str
    columns: int
    values: tuple[str, ...]
    marks: tuple[str, ...]
    """`given`, `wrong`, `changed`, `differs`, `blank`, or nothing."""
    regions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that was asked: the verdict, and the evidence for it."""

    ask: str
    verdict: Verdict
    points: float
    most: float
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Small:
    """The smallest failing puzzle that was found."""

    size: str
    """In words: `a 4x4 grid with 1 empty cell`."""
    text: str
    """The file that the program was given."""
    verdict: Verdict
    expected: str
    actual: str
    evidence: tuple[str, ...]
    command: str
    """Typed beside the program, it shows the same again."""
    is_minimal: bool
    """Whether every smaller one that can be made of it was tried; otherwise time was up."""
    boards: tuple[Board, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseResult:
    """All that is known about one case of one submission."""

    case: str
    verdict: Verdict
    points: float
    most: float
    parts: tuple[Part, ...] = ()
    read: tuple[str, ...] = ()
    """What was understood, and where it stood."""
    expected: str = ""
    actual: str = ""
    boards: tuple[Board, ...] = ()
    drawing: str = ""
    """A game tree with the search in it."""
    notes: tuple[str, ...] = ()
    ended: str = ""
    """How the run ended."""
    stderr: str = ""
    """Its last lines."""
    seconds: float = 0.0
    nodes: int | None = None
    """As claimed."""
    open_cells: int | None = None
    small: Small | None = None

    @property
    def evidence(self) -> tuple[str, ...]:
        """Why points were lost, in the order of what was asked; what several parts have in common only once."""
        return tuple(dict.fromkeys(line for part in self.parts for line in part.evidence))


@dataclass(frozen=True, slots=True)
class SubmissionResult:
    """One student."""

    name: str
    path: str
    cases: tuple[CaseResult, ...]
    flags: tuple[str, ...] = ()
    """What looks odd about the claims; nobody loses points for it."""
    trouble: str = ""
    """Why nothing could be run."""
    digest: str = field(default="", compare=False)

    @property
    def points(self) -> float:
        """What it got."""
        return sum(case.points for case in self.cases)

    @property
    def most(self) -> float:
        """What it could have got."""
        return sum(case.most for case in self.cases)

    @property
    def is_finished(self) -> bool:
        """Whether every case was looked at; one without a program is."""
        return bool(self.trouble) or all(case.verdict is not Verdict.NOT_RUN or case.ended for case in self.cases)

    @property
    def is_full(self) -> bool:
        """Whether nothing was deducted."""
        return self.is_finished and not self.trouble and all(case.verdict is Verdict.PASSED for case in self.cases)


def shown_points(points: float) -> str:
    """At most two decimals, and none that are 0."""
    return f"{round(points, 2):g}" if abs(points) < 1e6 else f"{points:.2f}"


def tally(results: Sequence[SubmissionResult]) -> str:
    """The line at the end: how many got everything, and whether something was not looked at."""
    full = sum(result.is_full for result in results)
    noun = "submission" if len(results) == 1 else "submissions"
    left = sum(not result.is_finished for result in results)
    cut = f"; cut short, {left} not finished" if left else ""
    return f"{len(results)} {noun}: {full} with all points, {len(results) - full} without{cut}"
