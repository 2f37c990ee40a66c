"""What a judge is given, and what it says."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from crosscount.homework.assignment import STDOUT, Ask, Assignment, Case
from crosscount.homework.reference import Known
from crosscount.homework.results import Board, Verdict
from crosscount.homework.sandbox import Ended
from crosscount.homework.sources import Source, sources

T = TypeVar("T")
MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Ruling:
    """On one thing that was asked."""

    verdict: Verdict
    share: float = 0.0
    """Of its points."""
    evidence: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    expected: str = ""
    actual: str = ""
    boards: tuple[Board, ...] = ()
    drawing: str = ""
    notes: tuple[str, ...] = ()
    nodes: int | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """One thing asked, and everything that could answer it."""

    ask: Ask
    assignment: Assignment
    case: Case
    ended: Ended
    known: Known

    def sources(self) -> Iterator[Source]:
        """The texts in which the answer may be, the most likely first."""
        places = self.assignment.places
        patterns = places.performance if self.ask in (Ask.NODES, Ask.TIME) else places.solution
        return sources(self.ended, patterns, self.case.number)

    def first(self, read: Callable[[str], T | None]) -> tuple[Source, T] | None:
        """The first text that says something, and what it says."""
        for source in self.sources():
            found = read(source.text)
            if found is not None:
                return source, found
        return None

    def missing(self, what: str, expected: str, trouble: tuple[str, ...] = ()) -> Ruling:
        """No text says anything; where we looked is the evidence."""
        places = self.assignment.places
        patterns = places.performance if self.ask in (Ask.NODES, Ask.TIME) else places.solution
        looked = [source.name for source in self.sources()]
        others = sorted(set(self.ended.files) - set(looked))
        said = f"no {what} was found"
        if looked:
            said += f" in {', '.join(looked[:MOST_NAMED])}"
        elif STDOUT in patterns:
            said += ": nothing was printed, and no file is called like "
            said += " or ".join(pattern.replace("{n}", self.case.number) for pattern in patterns[:1])
        else:
            said += f": no file is called like {patterns[0].replace('{n}', self.case.number)}"
        files = (f"files that were written: {', '.join(others[:MOST_NAMED])}",) if others else ()
        return Ruling(Verdict.NO_ANSWER, evidence=(said, *trouble, *files), expected=expected, actual="no answer")


def passed(read: tuple[str, ...], expected: str, actual: str, **more: object) -> Ruling:
    """Nothing is wrong."""
    return Ruling(Verdict.PASSED, 1.0, (), read, expected, actual, **more)  # type: ignore[arg-type]
