"""Somebody's own Python function as an engine.

It is given a puzzle as people write them: rows of integers with 0 for a blank, one line of text, or our `Puzzle`. It
returns the first solution, all solutions, or how many there are:

    first   a grid, a flat list or a line of text; None, False or [] where there is none; True where it has filled in
            the grid that it was given
    all     any iterable of such solutions, also a generator
    count   an integer
"""

import inspect
import logging
import operator
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Literal

import numpy as np

from crosscount.puzzles.cells import VALUES, shorten
from crosscount.puzzles.engine import Batch, Engine, Limits
from crosscount.puzzles.puzzle import Puzzle

Takes = Literal["grid", "line", "puzzle"]
Returns = Literal["first", "all", "count"]
Function = Callable[[Any], Any]

ENOUGH = 100_000
"""Solutions that are taken from one call. A generator may be endless."""
SAID = "returns: "
_LARGEST = 1 << 62
_log = logging.getLogger("crosscount")


class Raised(Exception):
    """The function raised an exception; the message says which and where."""


class NoAnswer(Exception):
    """What the function returned can be no answer; the message says what it was."""


def takes_of(function: Function) -> Takes:
    """What the function wants, as the annotation of its first parameter says it; rows where it says nothing."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return "grid"
    wanted = parameters[0].annotation if parameters else None
    name = wanted if isinstance(wanted, str) else getattr(wanted, "__name__", "")
    return {"str": "line", "Puzzle": "puzzle"}.get(name.rpartition(".")[2], "grid")  # type: ignore[return-value]


def name_of(function: Function) -> str:
    """What to call it in a sentence."""
    name = getattr(function, "__name__", "") or type(function).__name__
    return "your solver" if name == "<lambda>" else name


def solver_engine(function: Function, takes: Takes, returns: Returns | None = None) -> Engine:
    """The function as an engine. Without `returns` the answer's own shape decides, and is noted as a log message."""

    def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        begun = time.perf_counter()
        given = as_given(puzzle, takes)
        form, content = _Answer(puzzle, given, returns).read(_call(function, given))
        _log.info(SAID + form)
        rows = content if isinstance(content, list) else []
        solutions = np.array(rows, np.int64).reshape(len(rows), len(puzzle.domains))
        count = content if isinstance(content, int) else None
        yield Batch(solutions, None, time.perf_counter() - begun, count)

    return Engine(name_of(function), "yours", "your function", "-", search, counts_only=returns == "count")


def as_given(puzzle: Puzzle, takes: Takes) -> Any:
    """The puzzle as the function wants it; a new object every time, because it may be filled in."""
    if takes == "puzzle":
        return puzzle
    assert puzzle.drawing is not None
    values = [domain[0] if len(domain) == 1 else 0 for domain in puzzle.domains]
    columns = puzzle.drawing.columns
    if takes == "grid":
        return [values[i : i + columns] for i in range(0, len(values), columns)]
    return "".join(str(x) if x < 10 else chr(ord("A") + x - 10) for x in values)


def _call(function: Function, given: Any) -> Any:
    try:
        returned = function(given)
        if inspect.isgenerator(returned) or isinstance(returned, Iterator):
            # Its body runs only now, and what it raises is the function's own doing.
            returned = list(islice(returned, ENOUGH))
    except (Exception, SystemExit) as error:
        raise Raised(_where(error)) from None
    return returned


def _where(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return "it called exit()"
    message = " ".join(str(error).split())
    # The last place but those of the standard library would be best; the last one is never wrong.
    last = traceback.extract_tb(error.__traceback__)[-1]
    file = last.filename.replace("\\", "/").rpartition("/")[2]
    words = f"{type(error).__name__}: {shorten(message, 300)}" if message else type(error).__name__
    return f"{words} ({file}, line {last.lineno}, in {last.name})"


class _Answer:
    """Reads what came back. `given` is looked at where the function says that it has filled it in."""

    def __init__(self, puzzle: Puzzle, given: Any, returns: Returns | None) -> None:
        self.puzzle, self.given, self.returns = puzzle, given, returns
        self.cells = len(puzzle.domains)

    def read(self, value: Any) -> tuple[Returns, "list[list[int]] | int"]:
        """The form of the answer, and its solutions or their number."""
        if hasattr(value, "tolist"):
            value = value.tolist()
        if isinstance(value, bool) or value is None or value == "":
            return self.filled_in(value)
        number = _integer(value)
        if number is not None:
            if self.returns not in (None, "count"):
                raise NoAnswer(f"it returned {shorten(repr(value))}, expected {self.expected()}")
            return "count", number
        if self.returns == "count":
            raise NoAnswer(f"it returned {shorten(repr(value))}, expected a whole number")
        if self.returns != "all" or self.cells == 0:
            one = self.solution(value)
            if one is not None:
                return self.returns or "first", [one]
        if not isinstance(value, Iterable) or isinstance(value, str | bytes):
            raise NoAnswer(f"it returned {shorten(repr(value))}, expected {self.expected()}")
        several = list(islice(value, ENOUGH))
        if self.returns == "first" and several:
            raise NoAnswer(f"it returned {shorten(repr(value))}, expected {self.expected()}")
        return self.returns or "all", [self.each(item) for item in several]

    def filled_in(self, value: bool | str | None) -> tuple[Returns, "list[list[int]] | int"]:
        if self.returns == "count":
            raise NoAnswer(f"it returned {value!r}, expected a whole number")
        form = self.returns or "first"
        if not value:
            return form, []
        one = self.solution(self.given)
        if one is None:
            raise NoAnswer(f"it returned True, expected {self.expected()}")
        return form, [one]

    def each(self, value: Any) -> list[int]:
        one = self.solution(value.tolist() if hasattr(value, "tolist") else value)
        if one is None:
            raise NoAnswer(f"it returned {shorten(repr(value))} among the solutions, expected {self.shape()}")
        return one

    def solution(self, value: Any) -> list[int] | None:
        """One solution, flat; None where this is not the shape of one."""
        flat = self.row(value, self.cells)
        drawing = self.puzzle.drawing
        if flat is not None or drawing is None or not drawing.is_grid:
            return flat
        if not isinstance(value, list | tuple) or len(value) != drawing.rows:
            return None
        rows = [self.row(item, drawing.columns) for item in value]
        return None if None in rows else [x for row in rows if row is not None for x in row]

    def row(self, value: Any, length: int) -> list[int] | None:
        if isinstance(value, str):
            value = [VALUES.get(c) for c in "".join(value.split())]
        if hasattr(value, "tolist"):
            value = value.tolist()
        if not isinstance(value, list | tuple) or len(value) != length:
            return None
        numbers = [_integer(x) for x in value]
        return None if None in numbers else [x for x in numbers if x is not None]

    def shape(self) -> str:
        drawing = self.puzzle.drawing
        if drawing is not None and drawing.is_grid:
            return f"a grid: {drawing.rows} lists of {drawing.columns} integers"
        return f"a list of {self.cells} integers"

    def expected(self) -> str:
        if self.returns == "all":
            return f"a list of solutions, each {self.shape()}"
        return self.shape() + (" or None" if self.returns else ", a list of them, or their number")


def _integer(value: Any) -> int | None:
    """An integer of any library; None for anything else, and for what no cell could hold."""
    if isinstance(value, bool):
        return None
    try:
        number = operator.index(value)
    except TypeError:
        return None
    return number if -_LARGEST < number < _LARGEST else None
