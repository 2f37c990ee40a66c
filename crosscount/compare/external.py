"""Somebody else's program as an engine: it reads a puzzle file and prints solutions.

`{puzzle}` in the command becomes the path of a file: sudoku text for sudokus and Latin squares, TOML for everything
else; `{toml}` is always TOML, `{line}` the puzzle itself on one line. Standard output is read while it runs: one
solution a line, or one over several lines; values are separated by spaces, commas or bars, or stand without anything
between them as one character each. Frames and lines that begin with # are passed over. Ending with exit code 0 claims
that there are no more solutions.
"""

import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np

from crosscount.puzzles.cells import shorten
from crosscount.puzzles.engine import Batch, Engine, Limits, Stopped, Unavailable
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.puzzle import Puzzle

ROWS = 4096
"""Solutions in a batch, at the most."""
LONGEST = 1 << 20
"""Bytes in a line."""
SHOW = 0.1
"""Seconds between two batches, roughly."""
PLACES = ("{puzzle}", "{toml}", "{line}")
_FRAME = re.compile(r"[-+=|\s\u2500-\u257f]*")
_BARS = re.compile(r"[,;|\u2500-\u257f]")


class Unreadable(Exception):
    """The program prints something that is not a solution; the message gives the line."""


class Ended(Exception):
    """The program ended as if something had gone wrong; the message says how."""


def command_engine(text: str) -> Engine:
    """An engine from `NAME=command`; InputError where that cannot be run."""
    name, _, command = text.partition("=")
    name, shown = name.strip(), f"--engine-cmd {shorten(text, 100)!r}"
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{shown}: {error}") from None
    if not name or not words:
        raise InputError(f"{shown}: found no {'command' if name else 'name'}, expected NAME='cmd {{puzzle}}'")
    if not any(place in command for place in PLACES):
        raise InputError(f"{shown}: found no {{puzzle}}, expected it where the file's name goes")
    # A program that is not there proves nothing, so it must not look like one that was compared.
    if shutil.which(words[0]) is None:
        raise InputError(f"{shown}: no program {words[0]!r} that can be run")

    def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        return _search(words, puzzle, limits)

    return Engine(name, "external", f"the program {words[0]}", "-", search)


def _search(words: list[str], puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="crosscount-") as folder, tempfile.TemporaryFile() as errors:
        command = _fill_in(words, puzzle, Path(folder))
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors) as process:
            try:
                assert process.stdout is not None
                yield from _Output(puzzle, limits, begun).read(process.stdout)
                if process.wait() != 0:
                    raise Ended(f"{_ending(process.returncode)}: {_last_line(errors)}")
            finally:
                process.kill()


def _fill_in(words: list[str], puzzle: Puzzle, folder: Path) -> list[str]:
    """The command with the files it asks for, which are written now."""
    from crosscount.puzzles.latin import Latin
    from crosscount.puzzles.sudoku import Sudoku
    from crosscount.puzzles.text import to_grid, to_line
    from crosscount.puzzles.toml_write import to_toml

    is_text = isinstance(puzzle.family, Sudoku | Latin)
    if not is_text and any("{line}" in word for word in words):
        raise Unavailable("{line} is for sudokus and Latin squares; {toml} holds any puzzle")
    toml, text = folder / "puzzle.puzzle.toml", folder / "puzzle.txt"
    toml.write_text(to_toml(puzzle), encoding="utf-8")
    if is_text:
        text.write_text(to_grid(puzzle), encoding="utf-8")
    line = to_line(puzzle) if is_text else ""
    contents = {"{puzzle}": str(text if is_text else toml), "{toml}": str(toml), "{line}": line}
    filled = []
    for word in words:
        for place, content in contents.items():
            word = word.replace(place, content)
        filled.append(word)
    return filled


class _Output:
    """Solutions as they are printed; Unreadable, with the line, where one has not a value for each cell."""

    def __init__(self, puzzle: Puzzle, limits: Limits, begun: float) -> None:
        self.cells = len(puzzle.domains)
        self.limits = limits
        self.begun = begun
        self.values: list[int] = []
        self.rows: list[list[int]] = []
        self.found = 0
        drawing = puzzle.drawing
        # A row of a grid, or all of it, may stand without anything between the values.
        self.compact = {self.cells} if drawing is None or not drawing.is_grid else {self.cells, drawing.columns}
        if any(not 0 <= x < 36 for domain in puzzle.domains for x in domain):
            self.compact = set()

    def read(self, stdout: IO[bytes]) -> Iterator[Batch]:
        shown = self.begun
        for number, line in _lines(stdout):
            try:
                self._take(line, number)
            except Unreadable:
                # What it printed before it went wrong is still judged.
                yield self._batch()
                raise
            now = time.perf_counter()
            enough = self.found + len(self.rows) == self.limits.solutions
            if enough or len(self.rows) == ROWS or now - shown > SHOW:
                yield self._batch()
                shown = now
            if enough:
                raise Stopped("solutions")
            if self.limits.seconds is not None and now - self.begun > self.limits.seconds:
                raise Stopped("time")
        yield self._batch()
        if self.values:
            raise Unreadable(f"the output ends after {len(self.values)} of {self.cells} values")

    def _take(self, line: str, number: int) -> None:
        if line.startswith("#") or _FRAME.fullmatch(line):
            return
        self.values += self._values(line, number)
        if len(self.values) > self.cells:
            raise Unreadable(f"line {number}: {len(self.values)} values, expected {self.cells} for a solution")
        if len(self.values) == self.cells:
            self.rows.append(self.values)
            self.values = []

    def _batch(self) -> Batch:
        # Any value may come, not only one of the puzzle's; it is for the comparison to say that it is wrong.
        solutions = np.array(self.rows, np.int64).reshape(len(self.rows), self.cells)
        self.found += len(self.rows)
        self.rows = []
        return Batch(solutions, None, time.perf_counter() - self.begun)

    def _values(self, line: str, number: int) -> list[int]:
        words = _BARS.sub(" ", line).split()
        joined = "".join(words)
        try:
            if (len(words) == 1 or _BARS.search(line)) and len(words) < len(joined) in self.compact:
                return [int(character, 36) for character in joined]
            values = [int(word) for word in words]
            if all(-(1 << 63) <= value < 1 << 63 for value in values):
                return values
        except ValueError:
            pass
        raise Unreadable(f"line {number}: {shorten(line)!r}, expected the values of a solution ({self.cells} cells)")


def _lines(stdout: IO[bytes]) -> Iterator[tuple[int, str]]:
    """Lines as they come, with their numbers.

    An empty one now and then where none come: a program that hangs has a limit, too. One that never ends a line is not
    waited for.
    """
    number, rest, data = 0, b"", b"-"
    while data:
        if not select.select([stdout], [], [], SHOW)[0]:
            yield number, ""
            continue
        data = os.read(stdout.fileno(), 1 << 16)
        *lines, rest = (rest + data).split(b"\n")
        if not data or len(rest) > LONGEST:
            lines, rest = [*lines, rest], b""
        for line in lines:
            number += 1
            yield number, line.decode("utf-8", "replace").strip()


def _ending(code: int) -> str:
    return f"exit code {code}" if code > 0 else f"killed by {signal.Signals(-code).name}"


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "nothing on standard error"
