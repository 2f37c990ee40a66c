"""Solutions in whatever a student's program prints: grids, lists, digits, boxes, between words and other numbers.

Nothing here is judged. A line that cannot be a row of the puzzle is passed over; rows that stand together and are as
many as the puzzle has make a grid. What was left over is told, so that a student sees why a grid was not found.
"""

import re
from dataclasses import dataclass
from itertools import chain

from crosscount.homework.read_numbers import short_lines
from crosscount.puzzles.answer import read_answer
from crosscount.puzzles.cells import BLANKS, VALUES
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.latin import Latin
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.sudoku import Sudoku

Grid = tuple[int, ...]

_NONE = re.compile(
    r"\bno\s+(?:valid\s+|possible\s+|more\s+)?(?:solutions?|answers?)\b|\bno\s+such\s+solution|\bunsolvable\b"
    r"|\bunsat(?:isfiable)?\b|\binfeasible\b|\b0\s+solutions?\b|\bsolutions?\s*[:=]\s*(?:none|0)\b"
    r"|\b(?:not|cannot\s+be|can't\s+be|could\s+not\s+be)\s+(?:solvable|solved)\b|\bimpossible\b|无解|没有解|沒有解",
    re.IGNORECASE,
)
_LABEL = re.compile(r"""[\s{"']*([^\W\d_][^:=\[\(]{0,60}?)["'\s]*[:=]\s*(?=\S)""")
_GRID_WORD = re.compile(r"solution|solved|answer|result|grid|board|sudoku|row|line|解", re.IGNORECASE)
_PUZZLE_WORD = re.compile(r"puzzle|input|initial|original|given|unsolved|before|problem|题", re.IGNORECASE)
_SOLUTION_WORD = re.compile(r"soluti|solved|answer|result|after|解", re.IGNORECASE)
_MARKS = "-+=|:.'*`," + "".join(map(chr, range(0x2500, 0x2580)))
_RULES = frozenset("-=" + "".join(map(chr, range(0x2500, 0x2580))))
_BRACKETS = "[](){},;|"
_BETWEEN = re.compile("[\\s,;|\u00a6\u2500-\u257f\\[\\](){}\"']+")


@dataclass(frozen=True, slots=True)
class Solutions:
    """What one text says about the solutions of a puzzle."""

    grids: tuple[Grid, ...] = ()
    """Full or not, right or not, in the order of the text."""
    says_none: bool = False
    """Whether it claims that there is no solution."""
    left_over: str = ""
    """Why there may be one grid fewer than the student thinks."""


def read_solutions(text: str, puzzle: Puzzle) -> Solutions:
    """Every grid in the text that fits the puzzle; the puzzle itself, printed before its solution, is none."""
    if isinstance(puzzle.family, Sudoku | Latin):
        scan = _Scan(puzzle.family.size)
        scan.read(text)
        grids, left_over = _without_puzzle(scan.grids), scan.left_over
    else:
        grids, left_over = _others(text, puzzle)
    return Solutions(
        tuple(grids), not grids and _NONE.search(short_lines(text)) is not None, "" if grids else left_over
    )


def _without_puzzle(found: list[tuple[str, Grid]]) -> list[Grid]:
    """Among several grids, those that are called a puzzle, or that have blanks, are not meant as solutions."""
    if len(found) > 1:
        called = [not _PUZZLE_WORD.search(title) or bool(_SOLUTION_WORD.search(title)) for title, _ in found]
        if any(called):
            found = [item for item, is_meant in zip(found, called, strict=True) if is_meant]
    full = [grid for _, grid in found if 0 not in grid]
    return full or [grid for _, grid in found]


class _Scan:
    """Lines in, grids out. `rows` are those of the grid that is not complete yet."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.rows: list[list[int]] = []
        self.title = ""
        self.grids: list[tuple[str, Grid]] = []
        self.left_over = ""

    def read(self, text: str) -> None:
        for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
            self.take(line, number)
        self.drop("the end of the text", None)

    def take(self, line: str, number: int) -> None:
        if _is_frame(line):
            return
        if line.lstrip().startswith("#"):
            self.title = line
            return
        cells = self.cells(line)
        n = self.size
        if cells is not None and len(cells) == n:
            self.rows.append(cells)
            if len(self.rows) == n:
                self.add(tuple(chain.from_iterable(self.rows)))
        elif cells is not None and cells and len(cells) % (n * n) == 0:
            self.drop("a whole grid on one line", number)
            for start in range(0, len(cells), n * n):
                self.add(tuple(cells[start : start + n * n]))
        else:
            found = f"{len(cells)} cells in a row" if cells is not None else "other text"
            self.drop(found, number)
            if cells is not None and len(cells) > 1:
                self.left_over = self.left_over or f"line {number} has {len(cells)} cells, a row has {n}"
            self.title = line

    def add(self, grid: Grid) -> None:
        self.grids.append((self.title, grid))
        self.rows = []

    def drop(self, before: str, number: int | None) -> None:
        """Rows that did not become a grid."""
        if self.rows:
            where = before if number is None else f"{before} in line {number}"
            self.left_over = self.left_over or f"{len(self.rows)} of {self.size} rows, then {where}"
            self.rows = []

    def cells(self, line: str) -> list[int] | None:
        """The cells of a line, also behind a word and a colon; None where it holds anything else."""
        cells = self.plain_cells(line)
        if cells is not None:
            return cells
        label = _LABEL.match(line)
        if label is None:
            return None
        cells = self.plain_cells(line[label.end() :])
        if cells is None or (len(cells) < self.size**2 and not _GRID_WORD.search(label[1])):
            return None
        # `Number of solutions: 1234` is no row of a 4x4 grid, though it looks like one.
        if len(cells) == self.size and re.search(r"number|count|total|#|nodes|time", label[1], re.IGNORECASE):
            return None
        self.title = label[1] if not self.rows else self.title
        return cells

    def plain_cells(self, line: str) -> list[int] | None:
        words = [word for word in _BETWEEN.split(line) if word]
        n = self.size
        if len(words) == n or (len(words) > n and len(words) % (n * n) == 0):
            values = [_value(word) for word in words]
        else:
            joined = "".join(words)
            if len(joined) not in (n, n * n) and not (words and all(len(w) == len(words[0]) for w in words)):
                values = [_value(word) for word in words]
            else:
                values = [VALUES.get(character) for character in joined]
        return None if None in values or not values else [value for value in values if value is not None]


def _is_frame(line: str) -> bool:
    """Whether a line only draws: a rule between boxes, brackets, or nothing. Dots alone are blank cells."""
    bare = "".join(line.split())
    return not bare.strip(_BRACKETS) or (not bare.strip(_MARKS) and not _RULES.isdisjoint(bare))


def _value(word: str) -> int | None:
    if word in VALUES:
        return VALUES[word]
    if BLANKS.issuperset(word):
        return 0
    if re.fullmatch(r"\d{1,4}(?:\.0*)?", word, re.ASCII):
        return int(float(word))
    return None


def _others(text: str, puzzle: Puzzle) -> tuple[list[Grid], str]:
    """Puzzles that are no grid of values: as `read_answer` has it, with or without the lines that are only words."""
    without = "\n".join(line for line in text.splitlines() if not re.match(r"\s*[^\W\d_]{2,}[^=]*$", line))
    trouble = ""
    for attempt in (text, without):
        try:
            return list(read_answer(attempt, puzzle, "answer")), ""
        except InputError as error:
            trouble = trouble or str(error)
    return [], trouble
