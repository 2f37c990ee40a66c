"""What the gate says about one claim: an outcome, where it stands, why, and what was proved."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from crosscount.compare.as_json import number
from crosscount.compare.runs import Finding


class Outcome(StrEnum):
    """Every claim has one of these. Only passed is green."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"
    BAD_FILE = "bad file"
    FAULT = "fault of ours"


WORST_FIRST = (Outcome.FAULT, Outcome.BAD_FILE, Outcome.FAILED, Outcome.UNDECIDED, Outcome.PASSED)


@dataclass(frozen=True, slots=True)
class EngineFact:
    """What became of one engine: enough to see who vouches for an answer, and who was skipped."""

    name: str
    family: str
    status: str
    reason: str = ""
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """What was proved about a puzzle or a tree, whatever is claimed about it."""

    count: int | None = None
    """The number of solutions, where two unlike families agree on all of them."""
    proved: int = 0
    """Distinct solutions that were found and checked."""
    because: str = ""
    """Why the number is known, or why it is not."""
    engines: tuple[EngineFact, ...] = ()
    examples: tuple[tuple[int, ...], ...] = ()
    """The first two solutions in the order of their values, where they are few enough to be kept."""
    unlisted: tuple[int, ...] | None = None
    """The first solution that the claim does not list, where it lists any."""
    findings: tuple[Finding, ...] = ()
    value: int | float | None = None
    """Of a game tree."""


@dataclass(frozen=True, slots=True)
class Result:
    """One claim and what became of it. `line` is where the claim stands; None where the whole file is meant."""

    file: str
    line: int | None
    name: str
    claim: str
    outcome: Outcome
    because: str
    found: str = ""
    difference: str = ""
    """Grids side by side, for a person."""
    facts: Facts | None = None
    seconds: float = 0.0
    cached: bool = False

    @property
    def place(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


def worst(results: Iterable[Result]) -> Outcome:
    """The outcome that decides for all of them; of nothing at all, that is a bad file: nothing was checked."""
    found = {result.outcome for result in results}
    return next((outcome for outcome in WORST_FIRST if outcome in found), Outcome.BAD_FILE)


def tally(results: Sequence[Result]) -> str:
    """`1999 passed, 1 failed`: how many there are of each outcome, and how many of them were known before."""
    counts = {outcome: sum(result.outcome is outcome for result in results) for outcome in reversed(WORST_FIRST)}
    parts = []
    for outcome, count in counts.items():
        if count or outcome is Outcome.PASSED:
            plural = "s" if outcome in (Outcome.BAD_FILE, Outcome.FAULT) and count != 1 else ""
            words = f"fault{plural} of ours" if outcome is Outcome.FAULT else f"{outcome}{plural}"
            parts.append(f"{count} {words}")
    cached = sum(result.cached for result in results)
    return ", ".join(parts) + (f" ({cached} from the cache)" if cached else "")


def to_object(result: Result) -> dict[str, Any]:
    """The object that `--json` prints for one claim."""
    facts = result.facts or Facts()
    known: dict[str, Any] = {
        "count": number(facts.count),
        "exact": facts.count is not None,
        "at_least": number(facts.proved),
    }
    if facts.value is not None:
        known = {"value": str(facts.value) if abs(facts.value) == float("inf") else facts.value}
    return {
        "file": result.file,
        "line": result.line,
        "puzzle": result.name,
        "outcome": str(result.outcome),
        "expect": result.claim,
        "found": result.found,
        "because": result.because,
        **known,
        "engines": [{**asdict(engine), "count": number(engine.count)} for engine in facts.engines],
        "findings": [asdict(finding) for finding in facts.findings],
        "difference": result.difference,
        "cached": result.cached,
        "seconds": round(result.seconds, 6),
    }


def facts_object(facts: Facts) -> dict[str, Any]:
    """Facts without findings, for the cache; whole numbers of any size are fine there."""
    return asdict(replace(facts, findings=()))


def facts_from(stored: Any) -> Facts:
    """The inverse of `facts_object`; any exception means that this was not written by it."""
    return Facts(
        count=None if stored["count"] is None else int(stored["count"]),
        proved=int(stored["proved"]),
        because=str(stored["because"]),
        engines=tuple(EngineFact(**engine) for engine in stored["engines"]),
        examples=tuple(tuple(map(int, row)) for row in stored["examples"]),
        unlisted=None if stored["unlisted"] is None else tuple(map(int, stored["unlisted"])),
        value=stored["value"],
    )
