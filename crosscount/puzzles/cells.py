"""Sudoku text, line by line: which lines hold cells, and what the cells are.

A cell is a digit, a letter (A = 10 to P = 25, either case), a number where spaces or commas separate the cells, or a
blank: `0 . _ * x X`. Lines of `| - + = :` and of box-drawing characters are decoration. `#` starts a comment; some
comments are headers. A line that starts with a word and cannot be a row of cells is a title.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from crosscount.puzzles.errors import InputError, at

BLANKS = frozenset("0._*xX")
VALUES = dict.fromkeys(BLANKS, 0) | {str(d): d for d in range(1, 10)}
VALUES |= {c: i + 10 for i in range(16) for c in (chr(ord("A") + i), chr(ord("a") + i))}

LONGEST_LINE = 10_000
"""A 25x25 grid on one line has room to spare; what is longer is no puzzle, and not worth a second look."""

A_BLANK = "a blank is 0 . _ * or x"

_LINE_END = re.compile(r"\r\n|\r|\n")
_BARS = re.compile("[|\u00a6\u2500-\u257f]")
# Dots and stars are the corners of a rule in some files; a row of blanks has nothing horizontal in it.
_RULE = re.compile("(?=.*[-=─━═┄┅┈┉╌╍╴╶╸╺╼╾])[-+=|:.'*`,\\s\u2500-\u257f]+")
_WORD = re.compile(r"[^\W\d_]{2,}[\W\d]*(?:\s|$)")
_HEADER = re.compile(r"#\s*(?:(box|size|diagonals|family|regions)\s*[:=]\s*(.*?)|(diagonals))\s*$", re.IGNORECASE)
_LIST = re.compile(r"""(?:[#][^\n\r]*[\n\r]|\s)*[\[(]\s*[\[(\])\d\-"'._*]""")
_CHUNK = re.compile(r"""[\[\]()]|[^\[\]()]+""")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of cells. `tail` is what follows the first colon, as in `puzzle:count:solution`."""

    line: int
    cells: tuple[int, ...]
    tokens: tuple[str, ...]
    """The cells as they were written, for error messages."""
    spaced: bool
    tail: str | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """A comment that says something about the puzzles below it."""

    line: int
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Gap:
    """A blank line, or a title where `title` is not empty."""

    line: int
    title: str = ""


Item = Row | Header | Gap


def items(text: str, place: str, first_line: int = 1) -> list[Item]:
    """What each line of `text` is; InputError at the first that is nothing."""
    if _LIST.match(text):
        return [row(content, place, line) for line, content in list_rows(text, place, first_line) if _cells(content)]
    return [_item(line, place, number) for number, line in enumerate(split_lines(text), first_line) if not _rule(line)]


def split_lines(text: str) -> list[str]:
    """Lines as editors count them; str.splitlines would also split at form feeds and other rarities."""
    return _LINE_END.split(text)


def is_list(text: str) -> bool:
    """Whether `text` is a bracketed list, as Python, JSON and numpy print them."""
    return _LIST.match(text) is not None


def list_rows(text: str, place: str, first_line: int = 1) -> Iterator[tuple[int, str]]:
    """The innermost lists of a bracketed list, each with the line where it starts; a quoted string counts as one."""
    # A comment may hold a bracket; its line end stays, so that lines still count.
    text = re.sub(r"#[^\r\n]*", "", text)
    depth = 0
    line = first_line
    for chunk in _CHUNK.findall(text):
        if chunk in "[(":
            depth += 1
        elif chunk in "])":
            depth -= 1
            if depth < 0:
                raise at(place, line, f"{chunk} without its opening bracket")
        else:
            start = line + len(_LINE_END.findall(chunk[: len(chunk) - len(chunk.lstrip())]))
            content = _LINE_END.sub(" ", chunk).strip(" \t,;")
            strings = re.findall(r"""["']([^"']*)["']""", content)
            for found in strings or [content]:
                if found.strip():
                    yield start, found
            line += len(_LINE_END.findall(chunk))
    if depth:
        raise at(place, line, "the end of the list, expected a closing bracket")


def _rule(line: str) -> bool:
    return _RULE.fullmatch(line) is not None


def _cells(content: str) -> bool:
    return bool(_BARS.sub(" ", content).strip())


def _item(line: str, place: str, number: int) -> Item:
    header = _HEADER.match(line.strip())
    if header:
        return Header(number, (header[1] or header[3]).lower(), (header[2] or "").strip())
    content = line.split("#", 1)[0].strip()
    if not _cells(content):
        # A comment between two rows is not a gap, but a gap means nothing within a grid.
        return Gap(number)
    if not _WORD.match(content.strip("[]")):
        return row(content, place, number)
    try:
        found = row(content, place, number)
    except InputError:
        return Gap(number, content)
    # `Page 3` could be five cells, but a row of five has no P = 25.
    return found if max(found.cells, default=0) <= len(found.cells) else Gap(number, content)


def row(content: str, place: str, number: int) -> Row:
    """One line of cells; InputError where a character is none."""
    if len(content) > LONGEST_LINE:
        raise at(place, number, f"{len(content)} characters in a row of cells, expected at most {LONGEST_LINE}")
    body, colon, tail = content.partition(":")
    tokens = [
        token
        for field in re.split("[,;]", _BARS.sub(" ", body))
        for token in (field.split() or ["."] * bool(re.search("[,;]", body)))
    ]
    spaced = _is_spaced(tokens)
    if not spaced:
        tokens = list("".join(tokens))
    cells = tuple(_value(token, place, number) for token in tokens)
    return Row(number, cells, tuple(tokens), spaced, tail.strip() if colon else None)


def _is_spaced(tokens: list[str]) -> bool:
    """Whether each token is one cell; otherwise each character is, and the spaces only group them.

    Groups are longer than one character, so a token of one character settles it. Tokens that all have two or more
    are groups (`534 678 912`), unless there are ten or more, all numbers: only such grids need two digits.
    """
    if any(len(token) == 1 for token in tokens):
        return len(tokens) > 1
    numbers = all((token.isascii() and token.isdigit()) or BLANKS.issuperset(token) for token in tokens)
    return numbers and len(tokens) >= 10


def _value(token: str, place: str, number: int) -> int:
    if token in VALUES:
        return VALUES[token]
    if BLANKS.issuperset(token):
        return 0
    if token.isascii() and token.isdigit() and len(token) <= 4:
        return int(token)
    raise at(place, number, f"{shorten(token)!r} is not a cell, expected a digit or a letter A to P; {A_BLANK}")


def shorten(text: str, width: int = 40) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


def rows_of(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"
