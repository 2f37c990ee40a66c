"""A student's answer about a game tree: any of value, visited, pruned and move.

As JSON: {"value": 1, "visited": [0, 5, -3], "pruned": ["/0/1"], "move": 0}. As text, a line each, `#` for comments:

    value: 1
    visited: 0 5 -3
    pruned: /0/1 C
    move: 0

Numbers among `visited` and `pruned` are leaf values; texts are names or addresses of nodes (`/` the root, `/0/2` the
third child of its first child). `move` is an index from 0, the name of a move, or the name of the node it leads to.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crosscount.puzzles.errors import InputError, at
from crosscount.puzzles.gametree import Value, parse_value

KEYS = ("value", "visited", "pruned", "move")

Item = Value | str
"""A leaf by its value, or a node by its name or address."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Each part is None where the student does not say it."""

    place: str
    value: Value | None = None
    visited: tuple[Item, ...] | None = None
    pruned: tuple[Item, ...] | None = None
    move: int | str | None = None


def load_answer(path: str) -> Answer:
    """The answer in a file, as JSON or as text."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise InputError(f"{path}: cannot be read ({wrong}), expected an answer") from None
    return parse_answer(text, path)


def parse_answer(text: str, place: str) -> Answer:
    """The answer in a text whose format shows in its first character."""
    fields = _json_fields(text, place) if text.lstrip()[:1] == "{" else _text_fields(text, place)
    if not fields:
        raise at(place, None, f"found an empty answer, expected at least one of {', '.join(KEYS)}")
    return Answer(place, **fields)


def _json_fields(text: str, place: str) -> dict[str, Any]:
    try:
        raw = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise at(place, wrong.lineno, f"column {wrong.colno}: {wrong.msg}, expected JSON") from None
    except RecursionError:
        raise at(place, None, "found deeply nested lists, expected flat ones") from None
    fields: dict[str, Any] = {}
    for key, given in raw.items():
        if key not in KEYS:
            raise at(place, None, f"found the key {key!r}, expected one of {', '.join(KEYS)}")
        if key in ("visited", "pruned"):
            if not isinstance(given, list):
                raise at(place, None, f"found {key} {given!r:.40}, expected a list")
            fields[key] = tuple(_item(entry, key, place) for entry in given)
        elif key == "value":
            fields[key] = _value(_scalar(given, key, place), place, None)
        else:
            fields[key] = _move(_scalar(given, key, place), place, None)
    return fields


def _text_fields(text: str, place: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for number, line in enumerate(text.split("\n"), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        key, colon, rest = line.partition(":")
        key = key.strip().lower()
        if not colon or key not in KEYS:
            expected = ", ".join(f"{known}:" for known in KEYS)
            raise at(place, number, f"found {line[:40]!r}, expected a line that starts with one of {expected}")
        if key in fields:
            raise at(place, number, f"found {key} a second time, expected each once")
        words = rest.replace(",", " ").split()
        if key in ("visited", "pruned"):
            fields[key] = tuple(_number_or_name(word) for word in words)
        elif len(words) != 1:
            raise at(place, number, f"found {len(words)} words after {key}:, expected one")
        else:
            fields[key] = _value(words[0], place, number) if key == "value" else _move(words[0], place, number)
    return fields


def _item(entry: Any, key: str, place: str) -> Item:
    if isinstance(entry, bool) or not isinstance(entry, int | float | str):
        raise at(place, None, f"found {entry!r:.40} in {key}, expected a leaf value, a name or an address")
    return _number_or_name(entry) if isinstance(entry, str) and "inf" in entry.lower() else entry


def _number_or_name(word: str) -> Item:
    try:
        return parse_value(word)
    except ValueError:
        return word


def _scalar(given: Any, key: str, place: str) -> str:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        raise at(place, None, f"found {key} {given!r:.40}, expected a number or a text")
    return str(given)


def _value(word: str, place: str, line: int | None) -> Value:
    try:
        return parse_value(word)
    except ValueError:
        raise at(place, line, f"found value {word!r}, expected a number") from None


def _move(word: str, place: str, line: int | None) -> int | str:
    if word.startswith("-") and word[1:].isdecimal():
        raise at(place, line, f"found move {word}, expected an index from 0 or a name")
    return int(word) if word.isdecimal() else word
