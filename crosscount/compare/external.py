"""Somebody else's program as an engine: it reads a puzzle file and prints solutions.

`{puzzle}` in the command becomes the path of a file: sudoku text for sudokus and Latin squares, TOML for everything
else; `{toml}` is always TOML, `{line}` the puzzle itself on one line. Standard output is read while it runs: one
solution a line, or a grid over several; lines that begin with # are passed over. Ending with exit code 0 claims that
there are no more solutions.
"""

import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np

from crosscount.puzzles.engine import Batch, Engine, Limits, Stopped, Unavailable, solution_dtype
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.puzzle import Puzzle

ROWS = 4096
"""Solutions in a batch, at the most."""
SHOW = 0.1


def command_engine(text: str) -> Engine:
    """An engine from `NAME=command`; InputError where that cannot be run."""
    name, _, command = text.partition("=")
    name = name.strip()
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"--engine-cmd {text!r}: {error}") from None
    if not name or not words:
        raise InputError(
            f"--engine-cmd {text!r}: found no {'command' if name else 'name'}, expected NAME='cmd {{puzzle}}'"
        )
    if not any(place in command for place in ("{puzzle}", "{toml}", "{line}")):
        raise InputError(f"--engine-cmd {text!r}: found no {{puzzle}}, expected it where the file's name goes")

    def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        return _search(words, puzzle, limits)

    return Engine(name, "external", f"the program {words[0]}", "-", search)


def _search(words: list[str], puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="crosscount-") as folder:
        command = _fill_in(words, puzzle, Path(folder))
        with tempfile.TemporaryFile() as errors:
            try:
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
            except OSError as error:
                raise Unavailable(f"{command[0]}: {error.strerror}") from None
            try:
                assert process.stdout is not None
                yield from _read(process.stdout, puzzle, limits, begun)
                if process.wait() != 0:
                    raise RuntimeError(f"exit code {process.returncode}: {_last_line(errors)}")
            finally:
                process.kill()
                process.wait()


def _fill_in(words: list[str], puzzle: Puzzle, folder: Path) -> list[str]:
    """The command with the files it asks for, which are written now."""
    from crosscount.puzzles.latin import Latin
    from crosscount.puzzles.sudoku import Sudoku
    from crosscount.puzzles.text import to_grid, to_line
    from crosscount.puzzles.toml_write import to_toml

    is_text = isinstance(puzzle.family, Sudoku | Latin)
    toml, text = folder / "puzzle.puzzle.toml", folder / "puzzle.txt"
    toml.write_text(to_toml(puzzle), encoding="utf-8")
    if is_text:
        text.write_text(to_grid(puzzle), encoding="utf-8")
    line = to_line(puzzle) if is_text else ""
    paths = {"{puzzle}": str(text if is_text else toml), "{toml}": str(toml), "{line}": line}
    filled = []
    for word in words:
        for place, path in paths.items():
            word = word.replace(place, path)
        filled.append(word)
    return filled


def _read(stdout: IO[bytes], puzzle: Puzzle, limits: Limits, begun: float) -> Iterator[Batch]:
    """Solutions as they are printed; ValueError, with the line, where one has not a value for each cell."""
    cells = len(puzzle.domains)
    dtype = np.promote_types(solution_dtype(puzzle), np.int32)
    rows: list[list[int]] = []
    values: list[int] = []
    found, shown = 0, begun
    for number, raw in enumerate(stdout, 1):
        line = raw.decode("utf-8", "replace").strip()
        if not line or line.startswith("#"):
            continue
        values += _values(line, cells, number)
        if len(values) > cells:
            raise ValueError(f"line {number}: {len(values)} values, expected {cells} for a solution")
        if len(values) == cells:
            rows.append(values)
            values = []
        now = time.perf_counter()
        enough = limits.solutions is not None and found + len(rows) >= limits.solutions
        if enough or len(rows) == ROWS or now - shown > SHOW:
            found += len(rows)
            yield Batch(np.array(rows, dtype).reshape(len(rows), cells), None, now - begun)
            rows, shown = [], now
        if enough:
            raise Stopped("solutions")
        if limits.seconds is not None and now - begun > limits.seconds:
            raise Stopped("time")
    if values:
        raise ValueError(f"the output ends after {len(values)} of {cells} values")
    yield Batch(np.array(rows, dtype).reshape(len(rows), cells), None, time.perf_counter() - begun)


def _values(line: str, cells: int, number: int) -> list[int]:
    words = line.replace(",", " ").replace("|", " ").split()
    try:
        if len(words) == 1 and len(line) > 1 and line.isalnum():
            return [int(character, 36) for character in line]
        return [int(word) for word in words]
    except ValueError:
        found = line if len(line) < 40 else line[:37] + "..."
        raise ValueError(f"line {number}: {found!r}, expected the values of a solution ({cells} cells)") from None


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "nothing on standard error"
