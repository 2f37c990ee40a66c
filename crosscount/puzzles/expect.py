"""What a file says about the solutions of its puzzle."""

from dataclasses import dataclass

from crosscount.puzzles.puzzle import Puzzle


@dataclass(frozen=True, slots=True)
class Expect:
    """A claim about a puzzle's solutions; None means that nothing is claimed.

    `unique` True claims exactly one solution, False claims none or several. `solutions` alone claims exactly these;
    beside another claim, that each of them is a solution. `source` says where the count was published.
    """

    count: int | None = None
    at_least: int | None = None
    unique: bool | None = None
    solutions: tuple[tuple[int, ...], ...] | None = None
    source: str = ""

    def __post_init__(self) -> None:
        for word, number in (("count", self.count), ("at_least", self.at_least)):
            if number is not None and number < 0:
                raise ValueError(f"{word} is {number}, expected 0 or more")
        if self.unique is not None and self.count is not None and self.unique != (self.count == 1):
            raise ValueError(f"unique is {str(self.unique).lower()}, but count is {self.count}")
        most = 1 if self.unique else self.count
        if most is None:
            return
        if self.at_least is not None and self.at_least > most:
            raise ValueError(f"at_least is {self.at_least}, but count is {most}")
        if self.solutions is not None and len(set(self.solutions)) > most:
            raise ValueError(f"{len(set(self.solutions))} solutions, but count is {most}")

    @property
    def exactly(self) -> int | None:
        """The number of solutions where it is claimed, as a count or as unique."""
        return 1 if self.unique else self.count


@dataclass(frozen=True, slots=True)
class Entry:
    """One puzzle as it was read: what is claimed about it, and where it stands."""

    puzzle: Puzzle
    expect: Expect | None = None
    file: str = ""
    line: int | None = None
    title: str = ""

    @property
    def place(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"
