"""An assignment: how a program is called, on what, what is asked of it, and what that is worth."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from crosscount.homework.sandbox import Allowance
from crosscount.puzzles.gametree import GameTree, Rule
from crosscount.puzzles.puzzle import Puzzle

Subject = Puzzle | GameTree
"""What a program is run on."""
TimeUnit = Literal["ns", "us", "ms", "s"]
STDOUT = "stdout"
"""Among the places of an answer: what the program prints."""


class Ask(StrEnum):
    """What can be asked of a program."""

    ONE = "one solution"
    ALL = "all solutions"
    COUNT = "count"
    VALUE = "value"
    MOVE = "move"
    VISITED = "visited"
    NODES = "nodes"
    TIME = "time"


OF_PUZZLES = frozenset({Ask.ONE, Ask.ALL, Ask.COUNT})
OF_TREES = frozenset({Ask.VALUE, Ask.MOVE, Ask.VISITED})
OF_BOTH = frozenset({Ask.NODES, Ask.TIME})


@dataclass(frozen=True, slots=True)
class Places:
    """Where answers may be: patterns of file names, in any folder and any case, and `stdout`. The first counts."""

    solution: tuple[str, ...] = ("solution{n}.txt", "*solution{n}*", "*solution*", "*answer*", STDOUT)
    performance: tuple[str, ...] = (
        "performance{n}.txt",
        "*p?*formance{n}*",
        "*p?*formance*",
        "*solution{n}*",
        STDOUT,
    )
    time_unit: TimeUnit = "ms"
    """What a time without a unit is in."""


@dataclass(frozen=True, slots=True)
class Writing:
    """How a sudoku or a Latin square is written for the programs; a game tree is nested lists, the rest is TOML."""

    blank: str = "0"
    shape: Literal["grid", "line"] = "grid"


@dataclass(frozen=True, slots=True)
class Rubric:
    """How the points of a case are divided among what it asks, and what is let pass."""

    weights: Mapping[Ask, float] = field(default_factory=dict)
    """In proportion to these; 1 where nothing is said."""
    share: bool = False
    """Whether some of all solutions are worth some of the points."""
    needless: bool = False
    """Whether a search may visit leaves that alpha-beta skips."""

    def parts(self, asked: tuple[Ask, ...], points: float) -> dict[Ask, float]:
        """The points for each thing asked; together they are `points`."""
        weights = {ask: self.weights.get(ask, 1.0) for ask in asked}
        whole = sum(weights.values())
        if whole == 0:
            return dict.fromkeys(asked, points / len(asked))
        return {ask: points * weight / whole for ask, weight in weights.items()}


@dataclass(frozen=True, slots=True)
class Case:
    """One run of a program, and what is asked of it."""

    name: str
    subject: Subject
    file: str
    """What the file with the puzzle is called where the program runs."""
    number: str
    algorithm: str
    asked: tuple[Ask, ...]
    points: float
    allowance: Allowance
    rule: Rule = "lt"
    """Of game trees: what alpha-beta skips under this rule, a search must skip. `lt` skips less, so it is for all."""
    line: int | None = None
    """Where the assignment says it."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What is in an assignment file."""

    place: str
    title: str
    programs: tuple[str, ...]
    """Names and patterns of the program in a folder; the first that fits is taken. Empty: whatever can be run."""
    run: Mapping[str, tuple[str, ...]]
    """The words of the command by the ending of the program's name; under "" for all others."""
    cases: tuple[Case, ...]
    places: Places
    writing: Writing
    rubric: Rubric
    shrink_seconds: float
    """For making failing puzzles small, for each submission."""
    certify_seconds: float
    """For finding out what is right, for each engine and puzzle."""
    digest: str
    """Of everything that a verdict depends on."""

    @property
    def points(self) -> float:
        """What a submission can get at the most."""
        return sum(case.points for case in self.cases)

    def command(self, ending: str) -> tuple[str, ...] | None:
        """The words for a program whose name ends like this; None where the assignment knows none."""
        return self.run.get(ending.removeprefix(".").lower(), self.run.get(""))
