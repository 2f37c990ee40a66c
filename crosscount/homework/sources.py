"""What a program left: the texts in which an answer may be, the most likely first."""

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from crosscount.homework.assignment import STDOUT
from crosscount.homework.sandbox import Ended

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07")
# Whatever else a terminal would obey; a report is read in one.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
NAMES = {"utf-8": "", "utf-8-sig": "UTF-8 with a byte order mark", "utf-16": "UTF-16", "gb18030": "GBK"}
"""How an encoding is called; the usual one needs no word."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text and where it stood: a path in the run's folder, or `stdout`."""

    name: str
    text: str
    encoding: str = ""
    """Where it was not plain UTF-8."""

    def __str__(self) -> str:
        return f"{self.name} ({self.encoding})" if self.encoding else self.name


def decode(data: bytes) -> tuple[str, str]:
    """A text, whatever it is encoded in, and the encoding where it is not the usual one. Colours are taken out."""
    marked = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)
    for encoding in (marked,) if marked else ("utf-8", "gb18030"):
        try:
            return _plain(data.decode(encoding)), NAMES[encoding]
        except UnicodeDecodeError:
            continue
    return _plain(data.decode("utf-8", "replace")), "not UTF-8"


def _plain(text: str) -> str:
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", _ESCAPES.sub("", text))


def collected(patterns: Sequence[str], number: str) -> list[str]:
    """The patterns of file names that a run should bring back."""
    return [pattern.replace("{n}", number) for pattern in patterns if pattern != STDOUT]


def sources(ended: Ended, patterns: Sequence[str], number: str) -> Iterator[Source]:
    """Every text that some pattern names, in the order of the patterns; what was printed comes where `stdout` stands.

    Several files of one pattern: those higher up first, then by name.
    """
    seen: set[str] = set()
    for pattern in patterns:
        if pattern == STDOUT:
            names = [STDOUT] if ended.stdout.strip() else []
        else:
            wanted = pattern.replace("{n}", number).lower()
            names = sorted((path for path in ended.files if _fits(path, wanted)), key=lambda p: (p.count("/"), p))
        for name in names:
            if name not in seen:
                seen.add(name)
                yield Source(name, *decode(ended.stdout if name == STDOUT else ended.files[name]))


def _fits(path: str, pattern: str) -> bool:
    path = path.lower()
    return fnmatchcase(path, pattern) or fnmatchcase(path.rpartition("/")[2], pattern)
