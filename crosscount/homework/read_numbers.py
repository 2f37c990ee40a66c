"""Numbers in what a program prints: how many solutions, how many nodes, how long."""

import re
from dataclasses import dataclass

from crosscount.homework.assignment import TimeUnit

_NUMBER = r"[-+]?\d[\d,_']*(?:\.\d+)?(?:[eE][-+]?\d+)?"
_COUNTED = (
    re.compile(
        rf"(?:number|count|total)\s*(?:of|#)?\s*(?:all\s+|the\s+)?solutions?[^\d\n:=]*[:=\s]\s*({_NUMBER})", re.I
    ),
    re.compile(
        rf"solutions?\s*(?:found|count(?:ed)?|total|in\s+total|number)\s*[:=]?\s*({_NUMBER})(?!\s*\S*s\b)", re.I
    ),
    re.compile(rf"({_NUMBER})\s+(?:distinct\s+|different\s+|valid\s+|possible\s+|total\s+)*solutions?\b", re.I),
    re.compile(rf"^\s*solutions\s*[:=]\s*({_NUMBER})\s*$", re.I | re.M),
    re.compile(rf"\bcount(?:er)?\s*[:=]?\s*({_NUMBER})", re.I),
    re.compile(rf"(?:解|解的个数|个数)\s*[:\uff1a=]\s*({_NUMBER})"),
)
_BARE = re.compile(rf"\s*({_NUMBER})\s*")
_NODES = (
    re.compile(rf"({_NUMBER})\s+(?:\w+\s+)?nodes?\b(?!\s*[:=])", re.I),
    re.compile(rf"node[^\d\n-]{{0,40}}({_NUMBER})|(?:结点|节点)\D{{0,10}}({_NUMBER})", re.I),
)
_TIME = re.compile(
    rf"(?:time|clock|elapsed|duration|took|时间|耗时)[^\d\n-]{{0,40}}?({_NUMBER})[^\S\n]*"
    r"(nanoseconds?|ns|microseconds?|us|µs|μs|milliseconds?|millis|msecs?|ms|seconds?|secs?|s|minutes?|min|毫秒|秒)?(?![a-z])",
    re.I,
)
_UNIT_IN_LABEL = re.compile(
    r"(?:\(|\[|\bin\s+)(ns|us|µs|ms|s|sec|secs|seconds?|milliseconds?|microseconds?|nanoseconds?)\b", re.I
)
_UNITS = {"n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "s": 1.0, "毫": 1e-3, "秒": 1.0}
_BY_NAME: dict[TimeUnit, float] = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


MOST_TEXT = 50_000
LONGEST_LINE = 200
"""Characters. Nobody says a number in a longer line, and a pattern must not be led astray by one of a megabyte."""
MOST_DIGITS = 100


def short_lines(text: str) -> str:
    """The lines that a person would write, the last ones where there are too many."""
    return "\n".join(line for line in text[-MOST_TEXT:].splitlines() if len(line) <= LONGEST_LINE)


@dataclass(frozen=True, slots=True)
class Time:
    """A time as it was claimed."""

    label: str
    seconds: float
    shown: str
    """As it was written, with the unit that it was taken to be in where it had none."""
    has_unit: bool


def number(text: str) -> float | int | None:
    """A number as people write it, with or without separators between thousands."""
    plain = re.sub(r"[,_']", "", text)
    try:
        return int(plain) if re.fullmatch(rf"[-+]?\d{{1,{MOST_DIGITS}}}", plain) else float(plain)
    except (ValueError, OverflowError):
        return None


def read_count(text: str) -> int | None:
    """How many solutions the text says there are; the last time that it says so. A number alone is one, too."""
    text = short_lines(text)
    for pattern in _COUNTED:
        found = [number(match[1]) for match in pattern.finditer(text)]
        if found and isinstance(found[-1], int):
            return found[-1]
    bare = [_BARE.fullmatch(line) for line in text.splitlines() if line.strip()]
    if len(bare) == 1 and bare[0] is not None:
        value = number(bare[0][1])
        return value if isinstance(value, int) else None
    return None


def read_nodes(text: str) -> int | None:
    """How many nodes were explored, generated or counted; in a file of bare numbers it is the last one."""
    text = short_lines(text)
    for line in text.splitlines():
        match = next(filter(None, (pattern.search(line) for pattern in _NODES)), None)
        value = number(next(filter(None, match.groups()))) if match else None
        if value is not None and value == value and abs(value) != float("inf"):
            return int(value)
    bare = _bare_numbers(text)
    return int(bare[-1]) if len(bare) in (1, 2, 3) and float(bare[-1]).is_integer() else None


def read_times(text: str, unit: TimeUnit) -> list[Time]:
    """Every time that is claimed; without a unit it is taken to be in `unit`."""
    text = short_lines(text)
    found = []
    for match in _TIME.finditer(text):
        value = number(match[1])
        if value is None or value < 0:
            continue
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start(1)]
        within = _UNIT_IN_LABEL.search(before)
        label = " ".join(re.sub(r"[^\w\s]", " ", before).split())[-40:]
        found.append(_time(label, value, match[2] or (within[1] if within else None), unit))
    if not found:
        bare = _bare_numbers(text)
        found = [_time("time", value, None, unit) for value in bare[:-1]] if len(bare) in (2, 3) else []
    return found


def _time(label: str, value: float, written: str | None, unit: TimeUnit) -> Time:
    scale = _BY_NAME[unit] if written is None else _scale(written)
    shown = f"{value:g} {written}" if written else f"{value:g} (no unit, taken as {unit})"
    return Time(label, value * scale, shown, written is not None)


def _scale(written: str) -> float:
    word = written.lower()
    if word.startswith("mi"):
        return 1e-6 if word.startswith("mic") else 1e-3 if word.startswith("mil") else 60.0
    return 1e-3 if word.startswith("m") else _UNITS[word[0]]


def _bare_numbers(text: str) -> list[float | int]:
    """The numbers of a text that holds one on each line and nothing else; none where it holds anything else."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or len(lines) > 3:
        return []
    found = [number(match[1]) for line in lines if (match := _BARE.fullmatch(line))]
    return [value for value in found if value is not None] if len(found) == len(lines) else []
