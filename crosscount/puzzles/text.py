"""Sudoku text: reading puzzles in all the shapes that people write them, and writing them.

Which shape a file has is decided like this, and never by its name:

- A line with more than 25 cells is a whole grid. So is a line with a tail (`puzzle:count` or `puzzle:count:solution`).
- Otherwise a line of n cells is a row of an n x n grid, and the grid is complete after n rows. Blank lines, comments
  and drawn lines may stand anywhere in it; a title or a header may not.
- A line of 4, 9, 16 or 25 cells could also be a whole 2x2, 3x3, 4x4 or 5x5 grid. It is when no value of the lines that
  follow each other is larger than 2, 3, 4 or 5, and their number is not a multiple of their length. 16 lines of 16
  cells (or 25 of 25) are also taken as whole grids where no spaces separate the cells and not all are blank.
- The header `# size: 16` settles it.

A header holds for all puzzles below it, until the next headers replace it.
"""

import re
from collections import Counter
from dataclasses import dataclass
from math import isqrt

from crosscount.puzzles.answer import read_answer
from crosscount.puzzles.cells import A_BLANK, Gap, Header, Item, Row, items, row, rows_of, shorten
from crosscount.puzzles.errors import InputError, at
from crosscount.puzzles.expect import Entry, Expect
from crosscount.puzzles.latin import LARGEST, Grid, Latin
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.sudoku import Regions, Sudoku, default_box

__all__ = ["read_answer", "read_grid", "read_text", "region_rows", "to_grid", "to_line"]


@dataclass(slots=True)
class Settings:
    """What the headers say; a value that nobody said is None or False."""

    family: str = "sudoku"
    size: int | None = None
    box: tuple[int, int] | None = None
    regions: Regions | None = None
    diagonals: bool = False

    def update(self, header: Header, place: str) -> None:
        value = header.value.lower()
        if header.key == "family":
            if value not in ("sudoku", "latin"):
                raise at(place, header.line, f"family {header.value!r}, expected sudoku or latin")
            self.family = value
        elif header.key == "size":
            if not (value.isdecimal() and len(value) < 3 and 1 <= int(value) <= LARGEST):
                raise at(place, header.line, f"size {header.value!r}, expected 1 to {LARGEST}")
            self.size = int(value)
        elif header.key == "box":
            shape = re.fullmatch(r"(\d{1,2})\s*[x*,]\s*(\d{1,2})", value)
            if shape is None:
                raise at(place, header.line, f"box {header.value!r}, expected rows x columns, such as 2x3")
            self.box = int(shape[1]), int(shape[2])
        elif header.key == "diagonals":
            if value not in ("", "yes", "true", "no", "false"):
                raise at(place, header.line, f"diagonals {header.value!r}, expected yes or no")
            self.diagonals = value in ("", "yes", "true")
        else:
            self.regions = region_rows(header.value.split("/"))

    def build(self, grid: list[tuple[int, ...]]) -> Sudoku | Latin:
        if self.family == "latin":
            if self.box or self.regions or self.diagonals:
                raise ValueError("a Latin square has no boxes, regions or diagonals; expected family sudoku")
            return Latin(tuple(grid))
        return Sudoku(tuple(grid), self.box, self.regions, self.diagonals)


def region_rows(lines: list[str]) -> Regions:
    """Region labels, a row a line: one character each, or words with spaces between them."""
    rows = [line.replace(",", " ").split() for line in lines]
    return tuple(tuple(words[0]) if len(words) == 1 and len(words[0]) == len(rows) else tuple(words) for words in rows)


def read_text(text: str, place: str, name: str, first_line: int = 1) -> list[Entry]:
    """Every puzzle in `text`, at least one. Several are called name#1, name#2 and so on.

    InputError, with `place` and the line, where anything is not as the module describes it.
    """
    if not text.strip():
        raise at(place, None, "empty, expected a puzzle")
    found = _Reader(items(text, place, first_line), place).read()
    if not found:
        raise at(place, None, "no row of cells, expected a puzzle")
    names = [name] if len(found) == 1 else [f"{name}#{k}" for k in range(1, len(found) + 1)]
    return [Entry(f.puzzle(n), e, place, line) for (f, e, line), n in zip(found, names, strict=True)]


def read_grid(text: str, place: str, first_line: int = 1) -> Grid:
    """The one grid in `text`; what headers would say is said elsewhere, so there may be none."""
    lines = items(text, place, first_line)
    for item in lines:
        if isinstance(item, Header):
            raise at(place, item.line, f"a header for {item.key} in the grid, expected a key {item.key}")
    found = _Reader(lines, place, single=True).read()
    if len(found) != 1:
        raise at(place, first_line, f"{len(found)} grids, expected 1")
    return found[0][0].grid


class _Reader:
    """Walks over the items of a text. `here` is the index of the next one."""

    def __init__(self, items: list[Item], place: str, single: bool = False) -> None:
        self.items, self.place, self.single, self.here = items, place, single, 0
        # A run of lines is looked at once, so that reading a long file stays linear.
        self.run_end = 0
        self.run_is_whole = False

    def read(self) -> list[tuple[Sudoku | Latin, Expect | None, int]]:
        found: list[tuple[Sudoku | Latin, Expect | None, int]] = []
        settings = Settings()
        replace = False
        while self.here < len(self.items):
            item = self.items[self.here]
            if isinstance(item, Row):
                replace = True
                found.append(self.puzzle(item, settings))
                continue
            if isinstance(item, Header):
                if replace:
                    settings, replace = Settings(), False
                settings.update(item, self.place)
            self.here += 1
        return found

    def puzzle(self, first: Row, settings: Settings) -> tuple[Sudoku | Latin, Expect | None, int]:
        expect = None
        n = settings.size or 0
        if self.is_whole_grid(first, n):
            n = n or self.side(first)
            self.here += 1
            _check(first, n * n, n, self.place)
            grid = [first.cells[r * n : r * n + n] for r in range(n)]
            if first.tail is not None:
                expect = _expectation(first, n, self.place)
        else:
            grid = self.rows(n or self.row_length(first))
        try:
            return settings.build(grid), expect, first.line
        except ValueError as error:
            raise at(self.place, first.line, str(error)) from None

    def is_whole_grid(self, first: Row, size: int) -> bool:
        cells = len(first.cells)
        if size:
            return first.tail is not None or cells == size * size > size
        if first.tail is not None or cells > LARGEST:
            return True
        if cells <= 1 or isqrt(cells) ** 2 != cells:
            return False
        if self.here >= self.run_end:
            run = self.lines_alike(first)
            self.run_is_whole = self.are_whole_grids(run, cells)
        return self.run_is_whole

    def are_whole_grids(self, run: list[Row], cells: int) -> bool:
        """Whether these lines of 4, 9, 16 or 25 cells are a grid each; the module says how that is decided."""
        peak = max(max(row.cells, default=0) for row in run)
        if peak > isqrt(cells) or any(len(row.cells) != cells for row in run):
            return False
        if len(run) % cells != 0:
            return True
        return not self.single and cells > 9 and peak > 0 and not run[0].spaced

    def lines_alike(self, first: Row) -> list[Row]:
        """The lines that may belong together: up to a title, a header, a tail or a longer line than any row.

        Blank lines do not part them, unless the lines after one have another length.
        """
        run: list[Row] = []
        here = self.here
        while here < len(self.items):
            block = self.block(here, len(self.items))
            if run and any(len(row.cells) != len(first.cells) for row in block):
                break
            run += block
            here += len(block)
            item = self.items[here] if here < len(self.items) else None
            if not isinstance(item, Gap) or item.title:
                break
            here += 1
        self.run_end = here
        return run

    def block(self, start: int, most: int) -> list[Row]:
        """The rows from `start` on with nothing between them, no more than `most`."""
        rows: list[Row] = []
        for here in range(start, min(start + most, len(self.items))):
            item = self.items[here]
            if not isinstance(item, Row) or item.tail is not None or len(item.cells) > LARGEST:
                break
            rows.append(item)
        return rows

    def row_length(self, first: Row) -> int:
        """The length that the rows here agree on: the first row's, unless most of its neighbours have another."""
        lengths = [len(row.cells) for row in self.block(self.here, 2 * LARGEST)]
        if len(set(lengths[: lengths[0]])) == 1:
            return lengths[0]
        return Counter(lengths).most_common(1)[0][0]

    def side(self, row: Row) -> int:
        """The n of a grid of n x n cells on one line."""
        cells = len(row.cells)
        n = isqrt(cells)
        if n * n == cells and 1 <= n <= LARGEST:
            return n
        below = self.items[self.here + 1] if self.here + 1 < len(self.items) else None
        if cells > LARGEST and isinstance(below, Row) and len(below.cells) == cells:
            raise at(self.place, row.line, f"{cells} cells in a row, expected at most {LARGEST}")
        if cells > LARGEST**2:
            most = f"{LARGEST**2} for a {LARGEST}x{LARGEST} grid"
            raise at(self.place, row.line, f"{cells} cells, expected at most {most}")
        near = max(1, n if cells - n * n <= (n + 1) ** 2 - cells else n + 1)
        expected = f"expected {near * near} for a {near}x{near} grid on one line"
        raise at(self.place, row.line, f"{cells} cells, {expected}; {A_BLANK}")

    def rows(self, n: int) -> list[tuple[int, ...]]:
        grid: list[tuple[int, ...]] = []
        line = 0
        while len(grid) < n:
            item = self.items[self.here] if self.here < len(self.items) else None
            if isinstance(item, Row) and item.tail is None:
                line = item.line
                _check(item, n, n, self.place)
                grid.append(item.cells)
            elif item is None:
                raise at(self.place, line, f"{rows_of(len(grid))} of {n} cells, expected {n}")
            elif isinstance(item, Row | Header) or item.title:
                what = repr(shorten(item.title)) if isinstance(item, Gap) else "another puzzle"
                what = "a header" if isinstance(item, Header) else what
                raise at(self.place, item.line, f"{what} after {rows_of(len(grid))}, expected {n} rows")
            self.here += 1
        return grid


def _check(row: Row, cells: int, n: int, place: str) -> None:
    if len(row.cells) != cells:
        raise at(place, row.line, f"{len(row.cells)} cells, expected {cells}; {A_BLANK}")
    if max(row.cells) > n:
        token = next(t for t, value in zip(row.tokens, row.cells, strict=True) if value > n)
        raise at(place, row.line, f"{token} is too large for a {n}x{n} grid, expected 1 to {n}; {A_BLANK}")


def _expectation(first: Row, n: int, place: str) -> Expect:
    count, _, answer = (first.tail or "").partition(":")
    count, answer = count.strip(), answer.strip()
    if not (count.isascii() and count.isdigit() and len(count) <= 4000):
        raise at(place, first.line, f"{shorten(count)!r} after the colon, expected the number of solutions")
    if not answer:
        return Expect(int(count))
    solution = row(answer, place, first.line)
    _check(solution, n * n, n, place)
    if 0 in solution.cells or solution.tail is not None:
        raise at(place, first.line, "a solution with a blank in it, expected every cell filled")
    try:
        return Expect(int(count), solutions=(solution.cells,))
    except ValueError as error:
        raise at(place, first.line, str(error)) from None


def to_line(puzzle: Puzzle) -> str:
    """The cells on one line, a character each: `.` for a blank, letters past 9. What a header says is not in it."""
    values = (value for line in _family(puzzle).grid for value in line)
    return "".join("." if not x else str(x) if x < 10 else chr(ord("A") + x - 10) for x in values)


def to_grid(puzzle: Puzzle) -> str:
    """The rows with spaces between the cells, below the headers they need; reading it gives the same puzzle."""
    family = _family(puzzle)
    lines = []
    if isinstance(family, Latin):
        lines.append("# family: latin")
    else:
        if family.box_shape not in (None, default_box(family.size)):
            lines.append("# box: {}x{}".format(*(family.box_shape or ())))
        if family.regions is not None:
            short = all(len(label) == 1 for labels in family.regions for label in labels)
            lines.append("# regions: " + "/".join(("" if short else " ").join(labels) for labels in family.regions))
        if family.diagonals:
            lines.append("# diagonals")
    lines += [" ".join(str(value or ".") for value in line) for line in family.grid]
    return "\n".join(lines) + "\n"


def _family(puzzle: Puzzle) -> Sudoku | Latin:
    family = puzzle.family
    if isinstance(family, Sudoku | Latin) and family.puzzle(puzzle.name) == puzzle:
        return family
    raise InputError(f"{puzzle.name} is not a sudoku or a Latin square, expected one to write as text; use TOML")
