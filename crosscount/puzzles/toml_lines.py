"""Where in a TOML text a key stands. tomllib does not tell, and an error message must."""

import re
from collections.abc import Sequence

Path = tuple[str | int, ...]

_KEY = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_KEYS = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_TABLE = re.compile(rf"\s*(\[\[?)\s*({_KEYS})\s*\]")
_ASSIGNED = re.compile(rf"\s*({_KEYS})\s*=")
_TRIPLE = re.compile('"""|' + "'''")


def locate(text: str, path: Sequence[str | int]) -> int | None:
    """The line of the key `path`, or of the closest table around it that has a line; None where none has."""
    wanted = tuple(path)
    table: Path = ()
    seen: dict[Path, int] = {}
    best, line = 0, None
    quote = ""
    for number, content in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        # A line within a multi-line string is not a key, whatever it looks like.
        within = bool(quote)
        for mark in _TRIPLE.findall(content):
            quote = "" if quote == mark else quote or mark
        if within:
            continue
        header = _TABLE.match(content)
        assigned = _ASSIGNED.match(content)
        if header:
            table = _parts(header[2])
            if header[1] == "[[":
                seen[table] = seen.get(table, -1) + 1
                table = (*table, seen[table])
            here = table
        elif assigned:
            here = table + _parts(assigned[1])
        else:
            continue
        if len(here) > best and here == wanted[: len(here)]:
            best, line = len(here), number
    return line


def _parts(keys: str) -> Path:
    return tuple(part[1:-1] if part[0] in "\"'" else part for part in re.findall(_KEY, keys))
