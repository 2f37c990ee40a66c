"""Game trees as flat arrays, and what their value means.

Nodes are numbered in the order in which a left-to-right walk meets them: node 0 is the root, the subtree of node i is
i .. end[i]-1, its first child is i+1, and the next sibling of a child c is end[c]. No tree is too deep for that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from crosscount.puzzles.errors import InputError, at

Value = int | float
"""Of a leaf, for the maximising player; infinities are fine, not-a-number is not."""

Rule = Literal["le", "lt"]
"""When a search stops looking at a node: `le` where beta <= alpha, `lt` only where beta < alpha."""

RULE_TEXT: dict[Rule, str] = {"le": "beta <= alpha", "lt": "beta < alpha"}


@dataclass(frozen=True, slots=True)
class GameGraph:
    """Positions and who moves, children after parents or not; a tree is one, and so are the states of a game."""

    children: Sequence[Sequence[int]]
    values: Sequence[Value | None]
    maximises: Sequence[bool]
    root: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class GameTree:
    """One entry a node in each list; `values[i]` is None exactly at the nodes with children."""

    end: list[int]
    parent: list[int]
    """-1 at the root."""
    values: list[Value | None]
    maximises: list[bool]
    names: dict[int, str] = field(default_factory=dict)
    moves: dict[int, str] = field(default_factory=dict)
    """What the move into a node is called, where the file says it."""
    place: str = "tree"

    def __len__(self) -> int:
        return len(self.end)

    def children(self, node: int) -> list[int]:
        """From left to right; none at a leaf."""
        found, child, stop = [], node + 1, self.end[node]
        while child < stop:
            found.append(child)
            child = self.end[child]
        return found

    def leaves(self, node: int = 0) -> list[int]:
        """The leaves at or below a node, from left to right."""
        values = self.values
        return [i for i in range(node, self.end[node]) if values[i] is not None]

    def ancestors(self, node: int) -> Iterator[int]:
        """The parent first, the root last."""
        while (node := self.parent[node]) >= 0:
            yield node

    def path(self, node: int) -> str:
        """The address of a node: `/` is the root, `/0/2` the third child of its first child."""
        steps = []
        while (above := self.parent[node]) >= 0:
            steps.append(self.children(above).index(node))
            node = above
        return "/" + "/".join(map(str, reversed(steps)))

    def label(self, node: int) -> str:
        """How to call a node in a sentence: its name and address, or its address alone."""
        name = self.names.get(node)
        return self.path(node) if name is None else f"{name} ({self.path(node)})"

    def graph(self) -> GameGraph:
        """The same tree for those who want children spelled out."""
        children: list[list[int]] = [[] for _ in self.end]
        for node in range(1, len(self.end)):
            children[self.parent[node]].append(node)
        return GameGraph(children, self.values, self.maximises)


def backed_up(tree: GameTree, leaf_values: Sequence[Value | None] | None = None) -> list[Value]:
    """The minimax value of every node: the one definition that all searches are held against.

    `leaf_values` stands in for the tree's own (one entry a node, None at nodes with children).
    """
    worth = list(tree.values if leaf_values is None else leaf_values)
    parent, maximises = tree.parent, tree.maximises
    # A node comes before its descendants, so that going backwards every node is final when it is looked at.
    for node in range(len(worth) - 1, 0, -1):
        above = parent[node]
        mine, best = worth[node], worth[above]
        if best is None or (mine > best if maximises[above] else mine < best):  # type: ignore[operator]
            worth[above] = mine
    return worth  # type: ignore[return-value]


def optimal_moves(tree: GameTree, worth: Sequence[Value]) -> tuple[int, ...]:
    """The indices of all root moves that keep the value of the root."""
    return tuple(k for k, child in enumerate(tree.children(0)) if worth[child] == worth[0])


class TreeBuilder:
    """Nodes as a reader meets them; `finish` makes the tree or says what is missing."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.end: list[int] = []
        self.parent: list[int] = []
        self.values: list[Value | None] = []
        self.names: dict[int, str] = {}
        self.moves: dict[int, str] = {}
        self.movers: dict[int, bool] = {}
        """True where the file says that the maximising player moves, False for the other."""

    def add(self, parent: int, value: Value | None = None) -> int:
        """A new node, after everything added so far; give it its value later where it is not known yet."""
        node = len(self.end)
        self.end.append(node + 1)
        self.parent.append(parent)
        self.values.append(value)
        return node

    def close(self, node: int) -> None:
        """No more nodes below this one."""
        self.end[node] = len(self.end)

    def finish(self, root_maximises: bool | None) -> GameTree:
        """Movers alternate except where the file names them; the root maximises unless someone says otherwise."""
        given = self.movers.get(0)
        if given is not None and root_maximises is not None and given != root_maximises:
            said, asked = ("max", "min") if given else ("min", "max")
            raise at(self.place, None, f"the root is a {said} node, expected {asked} as asked for")
        parent, movers = self.parent, self.movers
        first = given if given is not None else root_maximises is not False
        maximises = [first]
        for node in range(1, len(parent)):
            mover = movers.get(node) if movers else None
            maximises.append(not maximises[parent[node]] if mover is None else mover)
        return GameTree(self.end, parent, self.values, maximises, self.names, self.moves, self.place)


def parse_value(text: str) -> Value:
    """A number as people write it: 3, -0.5, 2e3, inf, -Infinity, ∞. ValueError says what is wrong with it."""
    plain = text.replace("∞", "inf")
    if "_" in plain or not plain.isascii():
        raise ValueError("not a number")
    try:
        return int(plain)
    except ValueError:
        pass
    try:
        number = float(plain)
    except ValueError:
        raise ValueError("not a number") from None
    if number != number:
        raise ValueError("not a number")
    if number in (float("inf"), float("-inf")) and "inf" not in plain.lower():
        raise ValueError("too large for a decimal number; write inf for an infinite value")
    return number


def show_value(value: Value) -> str:
    """3 for 3 and for 3.0, ∞ for infinity."""
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "-∞"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def find_node(tree: GameTree, text: str) -> int:
    """The node with this name or this address (`/0/2`); InputError where there is none or more than one."""
    if text.startswith("/"):
        node = 0
        for step in filter(None, text.split("/")):
            below = tree.children(node)
            if not step.isdecimal() or int(step) >= len(below):
                raise InputError(
                    f"{tree.place}: no node {text}: {tree.path(node)} has {len(below)} children, "
                    f"found {step!r}, expected a number from 0 to {len(below) - 1}"
                    if below
                    else f"{tree.place}: no node {text}: {tree.path(node)} is a leaf"
                )
            node = below[int(step)]
        return node
    found = [node for node, name in tree.names.items() if name == text]
    if len(found) == 1:
        return found[0]
    if found:
        addresses = " ".join(tree.path(node) for node in found[:5])
        raise InputError(f"{tree.place}: {len(found)} nodes are called {text!r}, expected one of {addresses}")
    raise InputError(f"{tree.place}: no node is called {text!r}, expected a name or an address such as /0/1")
