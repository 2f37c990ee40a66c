"""Game trees in Newick's notation: ((3,12,8)B,(2,4,6)C,(14,5,2)D)A;

A leaf is a number, or a name with its value where Newick has the branch length: win:1. Text in square brackets is a
comment, text in single quotes a name with any characters.
"""

import re
from typing import NoReturn

from crosscount.puzzles.errors import at
from crosscount.puzzles.gametree import GameTree, TreeBuilder, Value, parse_value

TOKEN = re.compile(r"\[[^\]]*\]?|'(?:[^']|'')*'?|[(),:;]|[^\s()\[\]',:;]+|\]")


def parse_newick(text: str, place: str, root_maximises: bool | None = None) -> GameTree:
    """The tree, or an InputError with line and column."""
    return _Reader(text, place).read(root_maximises)


class _Reader:
    def __init__(self, text: str, place: str) -> None:
        self.text = text
        self.place = place
        self.builder = TreeBuilder(place)
        self.tokens: list[str] = []
        self.starts: list[int] = []
        for match in TOKEN.finditer(text):
            token = match.group()
            if token[0] == "[":
                if not token.endswith("]"):
                    self._fail_at(match.start(), "a comment without its end", "']'")
                continue
            self.tokens.append(token)
            self.starts.append(match.start())

    def read(self, root_maximises: bool | None) -> GameTree:
        builder, open_nodes, k = self.builder, [], 0
        above = -1
        while True:
            # A node starts here.
            while self._peek(k) == "(":
                above = builder.add(above)
                open_nodes.append(above)
                k += 1
            k = self._leaf(k, above)
            # A node has just ended: go up as far as the closing brackets say.
            while open_nodes and self._peek(k) == ")":
                node = open_nodes.pop()
                builder.close(node)
                k = self._inner_label(k + 1, node)
                above = builder.parent[node]
            if not open_nodes:
                break
            if self._peek(k) != ",":
                self._fail(k, "',' or ')'")
            k += 1
        if self._peek(k) != ";":
            self._fail(k, "';' after the last bracket")
        if k + 1 < len(self.tokens):
            self._fail(k + 1, "one tree and nothing after its ';'")
        return builder.finish(root_maximises)

    def _leaf(self, k: int, above: int) -> int:
        label = self._label(k)
        k += label is not None
        if self._peek(k) == ":":
            node = self.builder.add(above, self._number(k + 1))
            if label is not None:
                self.builder.names[node] = label
            return k + 2
        if label is None:
            self._fail(k, "a leaf with its value: a number, or name:number")
        self.builder.add(above, self._number(k - 1))
        return k

    def _inner_label(self, k: int, node: int) -> int:
        label = self._label(k)
        if label is not None:
            self.builder.names[node] = label
            k += 1
        if self._peek(k) == ":":
            self._fail(k, "a value at leaves only", found="a value at a node with children")
        return k

    def _label(self, k: int) -> str | None:
        token = self._peek(k)
        if token == "" or token in "(),:;]":
            return None
        if token[0] != "'":
            return token
        if len(token) < 2 or not token.endswith("'"):
            self._fail(k, "the quote that ends a name")
        return token[1:-1].replace("''", "'")

    def _number(self, k: int) -> Value:
        try:
            return parse_value(self._peek(k))
        except ValueError:
            self._fail(k, "a number: a leaf is a number, or name:number")

    def _peek(self, k: int) -> str:
        return self.tokens[k] if k < len(self.tokens) else ""

    def _fail(self, k: int, expected: str, found: str | None = None) -> NoReturn:
        ended = k >= len(self.tokens)
        start = len(self.text.rstrip()) if ended else self.starts[k]
        if found is None:
            found = "the end of the file" if ended else f"'{self.tokens[k][:30]}'"
        self._fail_at(start, found, expected)

    def _fail_at(self, start: int, found: str, expected: str) -> NoReturn:
        line = self.text.count("\n", 0, start) + 1
        column = start - self.text.rfind("\n", 0, start)
        raise at(self.place, line, f"column {column}: found {found}, expected {expected}")
