"""Game trees as JSON: nested lists of numbers, objects, or a table of named nodes.

Python's own json module recurses, so that a tree some thousands deep would stop it; this reader keeps its own stack.
A frame of that stack is (kind, node): kind LIST for a node written as a list, OBJECT for one written as an object,
CHILDREN for the list behind "children".
"""

import json
import re
from itertools import islice
from typing import NoReturn

from crosscount.puzzles.errors import InputError, at
from crosscount.puzzles.gametree import GameTree, TreeBuilder, Value, parse_value
from crosscount.puzzles.tree_table import tree_from_table

TOKEN = re.compile(r'[\[\]{},:]|"(?:[^"\\\n]|\\.)*"|[^\s\[\]{},:"]+|"')
"""Every character that is not a blank belongs to some token, so that nothing is skipped unseen."""

LIST, OBJECT, CHILDREN = range(3)
KEYS = ("name", "value", "children", "mover", "move")
A_NODE = "a number, a list or an object"


def parse_json_tree(text: str, place: str, root_maximises: bool | None = None) -> GameTree:
    """The tree, or an InputError with line and column."""
    return _Reader(text, place).read(root_maximises)


class _Reader:
    """Tokens are plain strings; where one stands is only worked out for an error."""

    def __init__(self, text: str, place: str) -> None:
        self.text = text
        self.place = place
        self.tokens: list[str] = TOKEN.findall(text)
        self.builder = TreeBuilder(place)
        self.stack: list[tuple[int, int]] = []
        self.keys: dict[int, set[str]] = {}
        """The keys seen so far of each object that is still open."""

    def read(self, root_maximises: bool | None) -> GameTree:
        tokens, builder, stack = self.tokens, self.builder, self.stack
        if tokens[:1] == ["{"] and tokens[1:2] in (['"nodes"'], ['"root"']):
            return self._table(root_maximises)
        end, parents, values = builder.end, builder.parent, builder.values
        k = self._node(0, -1)
        count = len(tokens)
        while stack:
            # Here a node or a key has just ended: a comma or the end of the frame must follow.
            token = tokens[k] if k < count else None
            kind = stack[-1][0]
            if token == ",":
                if kind == OBJECT:
                    k, opened = self._key(k + 1)
                    k = self._node(k, stack[-1][1]) if opened else k
                    continue
                # A number among a list's children is by far the most common thing in a large tree.
                above, k = stack[-1][1], k + 1
                try:
                    number = int(tokens[k])
                except (ValueError, IndexError):
                    k = self._node(k, above)
                    continue
                end.append(len(end) + 1)
                parents.append(above)
                values.append(number if "_" not in tokens[k] else self._number(k))
                k += 1
            elif token == ("}" if kind == OBJECT else "]"):
                self._close(k)
                k += 1
            else:
                self._fail(k, "',' or '}'" if kind == OBJECT else "',' or ']'")
        if k < count:
            self._fail(k, "nothing after the tree")
        return builder.finish(root_maximises)

    def _node(self, k: int, above: int) -> int:
        """Read or open the node that starts at token k; the index of the token behind what was read.

        What opens inside what has just opened is followed down here, so that our stack grows and Python's does not.
        """
        while True:
            token = self._token(k, A_NODE)
            if token == "[":
                above = self.builder.add(above)
                self.stack.append((LIST, above))
                if self._token(k + 1, A_NODE) == "]":
                    self._fail(k + 1, "at least one child: a node needs a value or children", found="an empty list")
                k += 1
                continue
            if token == "{":
                node = self.builder.add(above)
                self.stack.append((OBJECT, node))
                self.keys[node] = set()
                if self._token(k + 1, "a key") == "}":
                    self._fail(k + 1, "a node with a value or children", found="an empty object")
                k, opened = self._key(k + 1)
                if opened:
                    above = node
                    continue
                return k
            self.builder.add(above, self._number(k))
            return k + 1

    def _key(self, k: int) -> tuple[int, bool]:
        """Read `"key": value` at token k into the open object; the index behind, and whether a child starts there."""
        node = self.stack[-1][1]
        token = self._token(k, "a key")
        key = self._string(k, "a key: one of " + ", ".join(KEYS))
        if key not in KEYS:
            self._fail(k, "one of " + ", ".join(KEYS), found=f"the key {token}")
        if key in self.keys[node]:
            self._fail(k, "each key once", found=f"{token} a second time")
        self.keys[node].add(key)
        if self._token(k + 1, "':'") != ":":
            self._fail(k + 1, "':'")
        k += 2
        if key == "children":
            if "value" in self.keys[node]:
                self._fail(k - 2, "one of the two", found="both a value and children")
            if self._token(k, "a list of children") != "[":
                self._fail(k, "a list of children")
            if self._token(k + 1, A_NODE) == "]":
                self._fail(k + 1, "at least one child, or a value instead", found="no children")
            self.stack.append((CHILDREN, node))
            return k + 1, True
        if key == "value":
            if "children" in self.keys[node]:
                self._fail(k - 2, "one of the two", found="both a value and children")
            self.builder.values[node] = self._number(k)
        elif key == "mover":
            mover = self._string(k, '"max" or "min"')
            if mover not in ("max", "min"):
                self._fail(k, '"max" or "min"')
            self.builder.movers[node] = mover == "max"
        else:
            table = self.builder.names if key == "name" else self.builder.moves
            table[node] = self._string(k, "a text in quotes")
        return k + 1, False

    def _close(self, k: int) -> None:
        kind, node = self.stack.pop()
        if kind == OBJECT:
            if not self.keys.pop(node) & {"value", "children"}:
                named = f"the node {self.builder.names[node]!r}" if node in self.builder.names else "a node"
                self._fail(k, "one of the two", found=f"{named} without a value or children")
        else:
            self.builder.close(node)

    def _number(self, k: int) -> Value:
        token = self.tokens[k]
        inner = token[1:-1] if len(token) > 1 and token[0] == '"' else token
        try:
            value = parse_value(inner)
        except ValueError as wrong:
            expected = A_NODE if str(wrong) == "not a number" else f"a smaller one ({wrong})"
            self._fail(k, expected)
        if inner is not token and abs(value) != float("inf"):
            self._fail(k, 'a number without quotes (only "inf" and "-inf" may have them)')
        return value

    def _string(self, k: int, expected: str) -> str:
        token = self._token(k, expected)
        if token[0] != '"' or len(token) < 2:
            self._fail(k, expected)
        try:
            return str(json.loads(token))
        except json.JSONDecodeError:
            self._fail(k, "a text in quotes with JSON's own escapes")

    def _token(self, k: int, expected: str) -> str:
        if k >= len(self.tokens):
            self._fail(k, expected)
        return self.tokens[k]

    def _fail(self, k: int, expected: str, found: str | None = None) -> NoReturn:
        """Raise the InputError for the token with this index, or for the end of the text."""
        match = next(islice(TOKEN.finditer(self.text), k, None), None)
        start = len(self.text.rstrip()) if match is None else match.start()
        line = self.text.count("\n", 0, start) + 1
        column = start - (self.text.rfind("\n", 0, start) + 1) + 1
        if found is None:
            found = "the end of the file" if match is None else _shorten(match.group())
        raise at(self.place, line, f"column {column}: found {found}, expected {expected}")

    def _table(self, root_maximises: bool | None) -> GameTree:
        try:
            table = json.loads(self.text)
        except json.JSONDecodeError as wrong:
            message = f"column {wrong.colno}: {wrong.msg}, expected JSON"
            raise at(self.place, wrong.lineno, message) from None
        except RecursionError:
            raise InputError(f"{self.place}: found nested nodes, expected a table of nodes without nesting") from None
        return tree_from_table(table, self.place, root_maximises)


def _shorten(token: str) -> str:
    text = token if len(token) <= 30 else token[:27] + "..."
    return text if text.startswith('"') else f"'{text}'"
