"""The one way in: a path, `-`, a puzzle on one line, or `@name` from the bundled collection."""

import errno
import os
import re
import sys
from typing import BinaryIO

from crosscount.puzzles import collection
from crosscount.puzzles.cells import VALUES, shorten
from crosscount.puzzles.errors import at
from crosscount.puzzles.expect import Entry, Expect
from crosscount.puzzles.text import read_text

__all__ = ["Entry", "Expect", "read", "read_answer_text", "read_one", "read_source_text"]

MOST_BYTES = 16 * 2**20
MOST_LINES = 1_000_000
"""About 200,000 puzzles. More than that is refused before anybody waits for it."""

_PICKED = re.compile(r"(.+)#(\d{1,9})", re.DOTALL)
_INLINE = re.compile("[" + re.escape("".join(VALUES)) + r"\s|,;+\-=\u2500-\u257f:\[\]()#]+")
_DIMACS = re.compile(r"^p\s+cnf\b", re.MULTILINE)
_TOML = re.compile(r"^\s*family\s*=", re.MULTILINE)


def read(source: str, stdin: BinaryIO | None = None) -> list[Entry]:
    """Every puzzle that `source` names, at least one; InputError, in one line, for anything else.

    `file#3` picks the third puzzle of a file. A file is looked for first, then a puzzle on one line.
    """
    if source.startswith("@"):
        return [collection.entry(source[1:])]
    picked = None if os.path.exists(source) else _PICKED.fullmatch(source)
    if picked and (picked[1] == "-" or os.path.exists(picked[1])):
        entries = read(picked[1], stdin)
        number = int(picked[2])
        if not 1 <= number <= len(entries):
            raise at(picked[1], None, f"puzzle {number}, but it holds {len(entries)}; expected 1 to {len(entries)}")
        return [entries[number - 1]]
    if source == "-":
        return parse(_decode(_stdin(stdin), "stdin"), "stdin", "stdin")
    if os.path.exists(source):
        return parse(read_source_text(source), source, _stem(source))
    if _is_inline(source):
        return read_text(source, "puzzle", "puzzle")
    raise at(shorten(source, 200), None, "no such file, expected a path, - for standard input, a puzzle or @name")


def read_one(source: str, stdin: BinaryIO | None = None) -> Entry:
    """The one puzzle that `source` names; InputError where it holds several."""
    entries = read(source, stdin)
    if len(entries) > 1:
        name = shorten(source, 200)
        raise at(name, None, f"holds {len(entries)} puzzles, expected 1; {name}#1 is the first of them")
    return entries[0]


def parse(text: str, place: str, name: str) -> list[Entry]:
    """The puzzles in `text`: TOML, DIMACS or sudoku text."""
    if place.endswith((".cnf", ".dimacs")) or _DIMACS.search(text[:100_000]):
        from crosscount.puzzles.dimacs_file import from_dimacs

        return [Entry(from_dimacs(text, place, name), file=place)]
    if place.endswith(".toml") or _TOML.search(text[:100_000]):
        from crosscount.puzzles.toml_file import read_toml

        if not text.strip():
            raise at(place, None, "empty, expected a puzzle")
        return [read_toml(text, place, name)]
    return read_text(text, place, name)


def read_source_text(path: str) -> str:
    """The text of a file; InputError where there is none, or it is not text, or too large to be puzzles."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        reasons = {errno.EISDIR: "a directory, expected a file", errno.EACCES: "no permission to read it"}
        reasons[errno.ENOENT] = "no such file"
        raise at(path, None, reasons.get(error.errno or 0, error.strerror or str(error))) from None
    except ValueError as error:
        raise at(repr(path), None, str(error)) from None
    return _decode(data, path)


def read_answer_text(source: str) -> tuple[str, str]:
    """The text of an answer, and what to call it in errors: a path, `-`, or the answer itself on one line."""
    if source == "-":
        return _decode(_stdin(None), "stdin"), "stdin"
    if not os.path.exists(source) and _INLINE.fullmatch(source):
        return source, "answer"
    return read_source_text(source), source


def _stdin(stdin: BinaryIO | None) -> bytes:
    stream = stdin if stdin is not None else sys.stdin.buffer
    return stream.read(MOST_BYTES + 1)


def _decode(data: bytes, place: str) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        # What redirecting gives on some Windows shells.
        encoding, name = "utf-16", "UTF-16"
    elif b"\0" in data[:100_000]:
        raise at(place, None, "binary data, expected a puzzle as text")
    else:
        encoding, name = "utf-8-sig", "UTF-8"
    if len(data) > MOST_BYTES:
        raise at(place, None, f"more than {MOST_BYTES >> 20} MB, expected fewer puzzles in one file")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise at(place, line, f"byte 0x{data[error.start]:02x}, expected {name} text") from None
    if "\0" in text:
        raise at(place, None, "binary data, expected a puzzle as text")
    if text.count("\n") > MOST_LINES:
        raise at(place, None, f"more than {MOST_LINES} lines, expected fewer puzzles in one file")
    return text


def _stem(path: str) -> str:
    name = os.path.basename(path)
    for ending in (".puzzle.toml", ".toml", ".cnf", ".dimacs", ".txt", ".sdk", ".sudoku", ".csv", ".json"):
        if name.lower().endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return os.path.splitext(name)[0] or name


def _is_inline(source: str) -> bool:
    """Whether somebody meant a puzzle and not a path: nothing but cells and what stands between them."""
    cells = sum(c in VALUES for c in source)
    return _INLINE.fullmatch(source) is not None and (cells >= 16 or "\n" in source or " " in source.strip())
