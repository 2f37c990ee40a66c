"""What somebody fills in on the start page, and the question that it makes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from crosscount.puzzles import collection
from crosscount.puzzles.cells import VALUES
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.latin import LARGEST, Latin
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.queens import Queens
from crosscount.puzzles.sudoku import Sudoku, default_box
from crosscount.puzzles.toml_write import to_toml

Source = Literal["paste", "grid", "bundled"]
Kind = Literal["sudoku", "diagonal", "latin", "queens"]

KINDS: dict[Kind, str] = {
    "sudoku": "Sudoku",
    "diagonal": "Sudoku with diagonals",
    "latin": "Latin square",
    "queens": "Queens",
}
SECONDS = 10.0
EXAMPLE = "@course-3"


@dataclass(frozen=True, slots=True)
class Ask:
    """The form as it stands; what cannot be used is kept, so that it can be corrected."""

    source: Source = "paste"
    text: str = ""
    bundled: str = EXAMPLE
    kind: Kind = "sudoku"
    size: int = 9
    cells: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()
    time_limit: str = f"{SECONDS:g}"
    max_solutions: str = ""
    number: str = ""
    answer: str = ""

    @property
    def grid(self) -> list[list[str]]:
        """The editor's rows, blank where nothing was typed."""
        n = self.size
        padded = [*self.cells, *[""] * (n * n)][: n * n]
        return [padded[r * n : (r + 1) * n] for r in range(n)]

    @property
    def box(self) -> tuple[int, int]:
        """Rows and columns of the boxes that the editor draws; (0, 0) for none."""
        return default_box(self.size) if self.kind in ("sudoku", "diagonal") else (0, 0)

    def puzzle_text(self) -> str:
        """The puzzle as a request has it; InputError where there is none."""
        if self.source == "bundled":
            return self.bundled
        if self.source == "grid":
            return to_toml(self._edited())
        if not self.text.strip():
            raise InputError("Nothing was pasted; paste a puzzle, type one into the grid, or pick a bundled one.")
        return self.text

    def _edited(self) -> Puzzle:
        rows = [[_value(text, self.size) for text in row] for row in self.grid]
        try:
            if self.kind == "queens":
                placed = {r: row.index(1) + 1 for r, row in enumerate(_marked(self.grid), 1) if 1 in row}
                return Queens(self.size, placed).puzzle("grid")
            if self.kind == "latin":
                return Latin(tuple(map(tuple, rows))).puzzle("grid")
            return Sudoku(tuple(map(tuple, rows)), diagonals=self.kind == "diagonal").puzzle("grid")
        except ValueError as error:
            raise InputError(f"The grid: {error}") from None

    def request(self, usual: Sequence[str]) -> dict[str, Any]:
        """The body of a comparison; `usual` are the engines that run when none are named."""
        asked = self._puzzle()
        asked["time_limit"] = _number(self.time_limit, "Seconds", SECONDS)
        if self.max_solutions.strip():
            asked["max_solutions"] = int(_number(self.max_solutions, "Solutions", 0))
        if self.engines and set(self.engines) != set(usual):
            asked["engines"] = list(self.engines)
        return {**asked, "cells": True}

    def check_request(self) -> dict[str, Any]:
        """The body of a check; InputError where there is no answer."""
        if not self.answer.strip():
            raise InputError("No answer to check; write the filled grid, or the values one after another.")
        return {**self._puzzle(), "answer": self.answer}

    def _puzzle(self) -> dict[str, Any]:
        asked: dict[str, Any] = {"puzzle": self.puzzle_text()}
        if self.number.strip() and self.source == "paste":
            asked["number"] = int(_number(self.number, "Puzzle number", 1))
        return asked


@dataclass(slots=True)
class _Reading:
    single: dict[str, str] = field(default_factory=dict)
    cells: list[str] = field(default_factory=list)
    engines: list[str] = field(default_factory=list)


def read_ask(sent: Sequence[tuple[str, str]]) -> Ask:
    """The form out of its fields; whatever is missing or makes no sense is as on an empty form."""
    found = _Reading()
    for key, value in sent:
        if key == "cell":
            found.cells.append(value.strip()[:2])
        elif key == "engines":
            found.engines.append(value[:100])
        else:
            found.single[key] = value
    single = found.single
    ask = Ask(
        text=single.get("text", ""),
        bundled=single.get("bundled", EXAMPLE)[:100],
        cells=tuple(found.cells),
        engines=tuple(found.engines),
        time_limit=single.get("time_limit", f"{SECONDS:g}")[:20],
        max_solutions=single.get("max_solutions", "")[:20],
        number=single.get("number", "")[:20],
        answer=single.get("answer", ""),
    )
    source, kind, size = single.get("source", "paste"), single.get("kind", "sudoku"), single.get("size", "9")
    if source in ("paste", "grid", "bundled"):
        ask = replace(ask, source=source)  # type: ignore[arg-type]  # one of the three
    if kind in KINDS:
        ask = replace(ask, kind=kind)
    if size.isascii() and size.isdigit() and 1 <= int(size) <= LARGEST:
        ask = replace(ask, size=int(size))
    return ask


def edit(name: str) -> Ask:
    """The editor with a bundled puzzle in it; the bundled one itself where it does not fit a grid."""
    puzzle = collection.entry(name.removeprefix("@")).puzzle
    family = puzzle.family
    if isinstance(family, Sudoku) and family.regions is None and family.box_shape == default_box(family.size):
        kind: Kind = "diagonal" if family.diagonals else "sudoku"
    elif isinstance(family, Latin):
        kind = "latin"
    else:
        return Ask("bundled", bundled=f"@{puzzle.name}")
    cells = tuple("" if x == 0 else str(x) for row in family.grid for x in row)
    return Ask("grid", bundled=f"@{puzzle.name}", kind=kind, size=family.size, cells=cells)


def _value(text: str, size: int) -> int:
    """A number, or a letter past 9; 0 for a blank."""
    text = text.strip()
    if not text or text in ".0_*":
        return 0
    if text.isascii() and text.isdigit():
        return int(text)
    value = VALUES.get(text.upper()) or VALUES.get(text)
    return size + 1 if value is None else int(value)


def _marked(grid: list[list[str]]) -> list[list[int]]:
    return [[1 if text.strip() not in ("", ".", "0") else 0 for text in row] for row in grid]


def _number(text: str, what: str, default: float) -> float:
    if not text.strip():
        return default
    try:
        found = float(text.replace(",", ""))
    except ValueError:
        found = -1.0
    if not 0 < found < 1e12:
        raise InputError(f"{what}: found {text[:20]!r}, expected a number above 0.")
    return found
