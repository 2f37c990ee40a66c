"""Reading answers: filled grids, lists of values, queens on a board."""

import re
from itertools import chain

from crosscount.puzzles.cells import A_BLANK, Gap, Row, is_list, items, list_rows, rows_of, shorten, split_lines
from crosscount.puzzles.errors import at
from crosscount.puzzles.latin import Latin
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.sudoku import Sudoku

Answers = list[tuple[int, ...]]

_TITLE = re.compile(r"[^\W\d_]{2,}")
_QUEEN = re.compile("[Qq♛♕]")
_NAMED = re.compile(r"\w\s*=")
_PAIR = re.compile(r"([^\s=,;]+)\s*=\s*(-?\d+)")


def read_answer(text: str, puzzle: Puzzle, place: str = "answer") -> Answers:
    """Every answer in `text`, at least one, each with a value for each cell of `puzzle`.

    For a sudoku or a Latin square: the shapes of sudoku text, and lists. A blank becomes 0, and a value may be too
    large: what an answer has wrong is for `Puzzle.violated` to say. For other puzzles: integers, one answer a line or
    one over several lines; `name=value` pairs; for queens also the board. InputError where the shape does not fit.
    """
    if not text.strip() and puzzle.domains:
        raise at(place, None, "empty, expected an answer")
    if isinstance(puzzle.family, Sudoku | Latin):
        found = _grids(text, puzzle.family.size, place)
    elif _NAMED.search(text):
        found = _pairs(text, puzzle, place)
    elif puzzle.drawing is not None and puzzle.drawing.board and _QUEEN.search(text):
        found = _boards(text, len(puzzle.domains), place)
    else:
        found = _lists(text, len(puzzle.domains), place)
    if not found:
        raise at(place, None, "no row of cells, expected an answer")
    return found


def _grids(text: str, n: int, place: str) -> Answers:
    found: Answers = []
    grid: list[Row] = []
    for item in items(text, place):
        if isinstance(item, Gap) and item.title and grid:
            raise at(place, item.line, f"{shorten(item.title)!r} after {rows_of(len(grid))}, expected {n} rows")
        if not isinstance(item, Row):
            continue
        if len(item.cells) == n * n and not grid:
            found.append(item.cells)
            continue
        if len(item.cells) != n:
            expected = f"{n}" if grid else f"{n} in a row or {n * n} in all"
            raise at(place, item.line, f"{len(item.cells)} cells, expected {expected}; {A_BLANK}")
        grid.append(item)
        if len(grid) == n:
            found.append(tuple(chain.from_iterable(row.cells for row in grid)))
            grid = []
    if grid:
        raise at(place, grid[-1].line, f"{rows_of(len(grid))} of {n} cells, expected {n}")
    return found


def _lines(text: str, place: str) -> list[tuple[int, str]]:
    """The lines that may hold values, without comments, titles and blank lines."""
    if is_list(text):
        return list(list_rows(text, place))
    lines = ((number, line.split("#", 1)[0].strip()) for number, line in enumerate(split_lines(text), 1))
    return [(number, line) for number, line in lines if line]


def _lists(text: str, cells: int, place: str) -> Answers:
    if cells == 0:
        return [()]
    found: Answers = []
    values: list[int] = []
    last = 1
    for number, line in _lines(text, place):
        if _TITLE.match(line) and not values:
            continue
        last = number
        values += _integers(line, cells, place, number)
        if len(values) > cells:
            raise at(place, number, f"{len(values)} values, expected {cells}")
        if len(values) == cells:
            found.append(tuple(values))
            values = []
    if values:
        raise at(place, last, f"{len(values)} values, expected {cells}")
    return found


def _integers(line: str, cells: int, place: str, number: int) -> list[int]:
    tokens = re.sub("[,;|]", " ", line).split()
    if len(tokens) == 1 and cells > 1 and len(tokens[0]) == cells and tokens[0].isascii() and tokens[0].isdigit():
        return [int(digit) for digit in tokens[0]]
    for token in tokens:
        if not re.fullmatch(r"[-+]?[0-9]{1,19}", token):
            raise at(place, number, f"{shorten(token)!r}, expected an integer")
    return [int(token) for token in tokens]


def _pairs(text: str, puzzle: Puzzle, place: str) -> Answers:
    """Answers as name=value; one ends where every cell has its value."""
    index = {name: v for v, name in enumerate(puzzle.names)}
    found: Answers = []
    values: dict[int, int] = {}
    last = 1
    for last, line in _lines(text, place):
        if _PAIR.sub("", line).strip(" ,;\t"):
            raise at(place, last, f"{shorten(line)!r}, expected name=value pairs")
        for name, value in _PAIR.findall(line):
            if name not in index:
                raise at(place, last, f"no cell is called {shorten(name)!r}, expected one of {_some(puzzle.names)}")
            if index[name] in values:
                raise at(place, last, f"{name} a second time, expected each cell once")
            values[index[name]] = int(value)
            if len(values) == len(index):
                found.append(tuple(values[v] for v in range(len(index))))
                values = {}
    if values:
        missing = next(name for name, v in index.items() if v not in values)
        raise at(place, last, f"{len(values)} values, expected {len(index)}: {missing} is missing")
    return found


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")


def _boards(text: str, n: int, place: str) -> Answers:
    """Boards of n lines, each with one queen; every other mark is an empty square."""
    found: Answers = []
    rows: list[int] = []
    last = 1
    for number, line in _lines(text, place):
        squares = re.sub(r"[\s|,;]|[│┃║]", "", line)
        queens = _QUEEN.findall(squares)
        if not rows and not (queens and len(squares) == n):
            if not queens or _TITLE.match(line):
                continue
            raise at(place, number, f"{len(squares)} squares, expected {n}")
        if re.fullmatch("[-+=─-╿]*", squares):
            continue
        last = number
        if len(squares) != n or len(queens) != 1:
            raise at(place, number, f"{len(squares)} squares with {len(queens)} queens, expected {n} with one queen")
        rows.append(next(c for c, mark in enumerate(squares, 1) if _QUEEN.match(mark)))
        if len(rows) == n:
            found.append(tuple(rows))
            rows = []
    if rows:
        raise at(place, last, f"{rows_of(len(rows))} of the board, expected {n}")
    return found
