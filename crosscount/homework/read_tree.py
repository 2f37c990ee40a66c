"""What a program says about a game tree, in its own words."""

import re
from dataclasses import replace

from crosscount.puzzles.errors import InputError
from crosscount.puzzles.gametree import Value, parse_value
from crosscount.puzzles.tree_answer import Answer, Item, parse_answer

_NUMBER = r"[-+]?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+|inf(?:inity)?|∞)"
_VALUE = re.compile(
    rf"(?:value|minimax|result|utility|score|best|root|答案|值)\b[^\d\n:=-]{{0,40}}?(?:[:=]|\bis\b|->|\s)\s*({_NUMBER})\b",
    re.I,
)
_VISITED = re.compile(
    r"(?:visited|evaluated|explored|examined|leaves|leafs|order)\b[^\n:=\[]{0,40}[:=]?\s*([\[({]?[^\n]*)", re.I
)
_PRUNED = re.compile(r"(?:pruned|cut\s*off|skipped)\b[^\n:=\[]{0,40}[:=]\s*([^\n]*)", re.I)
_MOVE = re.compile(r"(?:best\s+)?(?:move|action|choice)\b[^\n:=]{0,20}[:=]\s*(\S+)", re.I)
_BARE = re.compile(rf"\s*({_NUMBER})\s*")
_WORDS = re.compile(r"[\s,;\[\](){}\"']+")


def read_tree_answer(text: str) -> Answer:
    """Value, visited and pruned leaves, move: whatever the text says of it, in our own format or in any other."""
    try:
        return parse_answer(text, "answer")
    except InputError:
        pass
    value = _value(text)
    visited = _items(_VISITED, text)
    pruned = _items(_PRUNED, text)
    move = _MOVE.search(text)
    answer = Answer("answer", value, visited, pruned)
    if move is not None:
        word = move[1].strip("[](){},;\"'.")
        answer = replace(answer, move=int(word) if word.isdecimal() else word)
    return answer


def _value(text: str) -> Value | None:
    """The last value that is named; a number alone is one, too."""
    found = [match[1] for line in text.splitlines() if not _is_list(line) for match in _VALUE.finditer(line)]
    if not found:
        bare = [match[1] for line in text.splitlines() if (match := _BARE.fullmatch(line))]
        found = bare if len(bare) == 1 else []
    try:
        return parse_value(found[-1]) if found else None
    except ValueError:
        return None


def _is_list(line: str) -> bool:
    return _VISITED.match(line.strip()) is not None or _PRUNED.match(line.strip()) is not None


def _items(pattern: re.Pattern[str], text: str) -> tuple[Item, ...] | None:
    """The longest list behind such a word: a line may also say how many there were."""
    lists = [_list(match[1]) for match in pattern.finditer(text)]
    found = [items for items in lists if items is not None]
    return max(found, key=len) if found else None


def _list(text: str) -> tuple[Item, ...] | None:
    items: list[Item] = []
    for word in _WORDS.split(text):
        if not word or word in ("->", "→", "|"):
            continue
        try:
            items.append(parse_value(word))
        except ValueError:
            if not word.startswith("/"):
                return None
            items.append(word)
    return tuple(items)
