"""What one engine did, what is wrong with it, and what follows."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from crosscount.puzzles.engine import Solutions
from crosscount.puzzles.puzzle import Puzzle

Status = Literal["complete", "stopped", "failed", "skipped"]
Kind = Literal["invalid", "missing", "duplicate", "count", "crashed"]


@dataclass(frozen=True, slots=True)
class Run:
    """What one engine did on one puzzle within its limits. Complete means that it claims there are no more."""

    engine: str
    family: str
    status: Status
    reason: str = ""
    count: int | None = None
    """Solutions reported; None where it cannot tell."""
    digest: str | None = None
    """Of the set of them, in any order; None from engines that only count."""
    solutions: Solutions | None = None
    """All of them, while they fit; no order is promised."""
    nodes: int | None = None
    seconds: float = 0.0
    search_seconds: float = 0.0


class Verdict(StrEnum):
    AGREE = "agree"
    DISAGREE = "disagree"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong, with a witness that a person can check by hand."""

    kind: Kind
    engine: str
    because: str
    witness: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The runs of one puzzle and what they prove together.

    `count` is what an unblamed complete run claims; `at_least` is the number of distinct solutions that were checked.
    """

    puzzle: Puzzle
    runs: tuple[Run, ...]
    findings: tuple[Finding, ...]
    verdict: Verdict
    because: str
    count: int | None
    exact: bool
    at_least: int
