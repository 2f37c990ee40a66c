"""What a file claims, how many solutions it takes to decide it, and the decision."""

from dataclasses import dataclass

from crosscount.compare.gate_result import Facts, Outcome
from crosscount.compare.words import solutions as counted
from crosscount.puzzles.cells import shorten
from crosscount.puzzles.expect import Expect

LOOK_ON = 1000
"""A claim of N solutions is refuted by one more. Engines look on a little further, because `exactly 3` says more than
`at least 2`."""

CLAIMS = "count, unique, at_least, solutions or, for a game tree, value"


@dataclass(frozen=True, slots=True)
class Claim:
    """`exactly` None where no number is claimed; `key` is the word in the file that claims it."""

    exactly: int | None = None
    key: str = "count"
    at_least: int | None = None
    several_or_none: bool = False
    solutions: tuple[tuple[int, ...], ...] = ()

    @property
    def limit(self) -> int:
        """After so many solutions an engine may stop: they are enough to decide."""
        if self.exactly is not None:
            return self.exactly + LOOK_ON
        return max(1, self.at_least or 0, 2 * self.several_or_none)

    def __str__(self) -> str:
        parts = []
        if self.exactly is not None:
            words = {"unique": "unique", "solutions": f"exactly the {len(self.solutions)} listed"}
            # A published count may have thousands of digits.
            parts.append(words.get(self.key, f"count = {shorten(str(self.exactly))}"))
        if self.at_least is not None:
            parts.append(f"at least {shorten(str(self.at_least))}")
        if self.several_or_none:
            parts.append("not unique")
        if self.solutions and self.key != "solutions":
            parts.append(f"{len(self.solutions)} listed")
        return ", ".join(parts)


def claim_of(expect: Expect | None) -> Claim | None:
    """The claim, or None where nothing is claimed.

    Solutions that are listed without any other word about their number are claimed to be all of them.
    """
    if expect is None:
        return None
    listed = tuple(sorted(set(expect.solutions or ())))
    exactly, key = expect.exactly, "unique" if expect.unique else "count"
    if expect.solutions is not None and exactly is None and expect.at_least is None and expect.unique is None:
        exactly, key = len(listed), "solutions"
    if exactly is None and expect.at_least is None and expect.unique is None:
        return None
    return Claim(exactly, key, expect.at_least, expect.unique is False, listed)


@dataclass(frozen=True, slots=True)
class Ruling:
    """The outcome, the key of the claim that it is about, and one sentence of why."""

    outcome: Outcome
    key: str
    because: str


def decide(claim: Claim, facts: Facts) -> Ruling:
    """What the facts make of the claim. Findings, and listed solutions that are none, are for the caller."""
    rulings = []
    if claim.exactly is not None:
        rulings.append(_exactly(claim, claim.exactly, facts))
    if claim.at_least is not None:
        rulings.append(_at_least(claim.at_least, facts))
    if claim.several_or_none:
        rulings.append(_not_unique(facts))
    for outcome in (Outcome.FAILED, Outcome.UNDECIDED):
        for ruling in rulings:
            if ruling.outcome is outcome:
                return ruling
    return rulings[0]


def _exactly(claim: Claim, expected: int, facts: Facts) -> Ruling:
    if facts.count == expected:
        return Ruling(Outcome.PASSED, claim.key, facts.because)
    if facts.count is None and facts.proved <= expected:
        return Ruling(Outcome.UNDECIDED, claim.key, facts.because)
    return Ruling(Outcome.FAILED, claim.key, f"expected exactly {counted(expected)}, found {found(facts)}")


def _at_least(expected: int, facts: Facts) -> Ruling:
    if max(facts.proved, facts.count or 0) >= expected:
        because = facts.because if facts.count is not None else f"{counted(facts.proved)}, each checked"
        return Ruling(Outcome.PASSED, "at_least", because)
    if facts.count is None:
        return Ruling(Outcome.UNDECIDED, "at_least", facts.because)
    return Ruling(Outcome.FAILED, "at_least", f"expected at least {counted(expected)}, found {found(facts)}")


def _not_unique(facts: Facts) -> Ruling:
    if facts.proved >= 2 or facts.count == 0:
        because = facts.because if facts.count is not None else f"{counted(facts.proved)}, each checked"
        return Ruling(Outcome.PASSED, "unique", because)
    if facts.count is None:
        return Ruling(Outcome.UNDECIDED, "unique", facts.because)
    return Ruling(Outcome.FAILED, "unique", f"expected none or several solutions, found {found(facts)}")


def found(facts: Facts) -> str:
    """The number of solutions as it is known."""
    if facts.count is not None:
        return f"exactly {counted(facts.count)}"
    return f"at least {counted(facts.proved)}" if facts.proved else "unknown"
