"""The one question about pruning: could the skipped leaves have changed the answer?

Minimax is monotone: raising a leaf never lowers the root. So if the root is worth the same with all skipped leaves at
minus infinity and with all of them at plus infinity, it is worth the same for everything in between.
"""

import math
from dataclasses import dataclass

from crosscount.puzzles.gametree import GameTree, Value, backed_up


@dataclass(frozen=True, slots=True)
class Cut:
    """Branches next to each other below one node, none of which was looked into: what one cutoff skips."""

    start: int
    """The first of the branches."""
    stop: int
    """One behind the last node of the last of them."""


@dataclass(frozen=True, slots=True)
class Unjustified:
    """A cut that must not be made, and how to see it."""

    cut: Cut
    leaf_value: Value
    """Put all the leaves that it skips here …"""
    earlier: int
    """… and those of so many cuts before it, …"""
    root_value: Value
    """… and the root is worth this, which is not its value."""


def root_range(tree: GameTree, seen: bytearray) -> tuple[list[Value], list[Value]]:
    """The least and the most that each node can be worth, given only the leaves that were seen."""
    low = [-math.inf if value is not None and not seen[node] else value for node, value in enumerate(tree.values)]
    high = [math.inf if value is not None and not seen[node] else value for node, value in enumerate(tree.values)]
    return backed_up(tree, low), backed_up(tree, high)


def is_justified(tree: GameTree, seen: bytearray) -> bool:
    """Whether the leaves that were seen settle the value of the root."""
    low, high = root_range(tree, seen)
    return low[0] == high[0]


def find_cuts(tree: GameTree, seen: bytearray) -> list[Cut]:
    """The largest pieces without a seen leaf, from left to right."""
    count = [0]
    for node, value in enumerate(tree.values):
        count.append(count[-1] + (value is not None and seen[node]))
    cuts: list[Cut] = []
    node = 0
    while node < len(tree):
        if count[tree.end[node]] != count[node]:
            node += 1
            continue
        before = cuts[-1] if cuts else None
        if before is not None and before.stop == node and tree.parent[before.start] == tree.parent[node]:
            cuts[-1] = Cut(before.start, tree.end[node])
        else:
            cuts.append(Cut(node, tree.end[node]))
        node = tree.end[node]
    return cuts


def find_unjustified(tree: GameTree, seen: bytearray, value: Value) -> Unjustified | None:
    """The first cut, from left to right, that was made without right; None where all of them may be.

    A cut may be made if the root keeps its value whatever the leaves are worth that it and the cuts before it skip,
    with all other leaves as they are. More skipped leaves never make the root more certain, so the first fault can be
    found by halving.
    """
    if is_justified(tree, seen):
        return None
    cuts = find_cuts(tree, seen)
    low, high = 0, len(cuts) - 1  # the first fault is among cuts[low .. high]
    while low < high:
        middle = (low + high) // 2
        if _holds_without(tree, cuts[: middle + 1]):
            low = middle + 1
        else:
            high = middle
    return _witness(tree, cuts, low, value)


def _holds_without(tree: GameTree, cuts: list[Cut]) -> bool:
    """Whether the leaves outside these cuts settle the root."""
    seen = bytearray(b"\1" * len(tree))
    for cut in cuts:
        seen[cut.start : cut.stop] = bytes(cut.stop - cut.start)
    return is_justified(tree, seen)


def _witness(tree: GameTree, cuts: list[Cut], first: int, value: Value) -> Unjustified:
    # With all leaves in question at v the root is worth max(a, min(v, b)) for some a <= b: the median of a, v and b.
    # So a v just beyond the value shows the change in its direction if any v does. The cut alone is the better
    # witness; where only several of them together can change the root, the leaves of all of them get v.
    for start in (first, 0):
        for v in _beyond(value):
            values = list(tree.values)
            for cut in cuts[start : first + 1]:
                for node in range(cut.start, cut.stop):
                    if values[node] is not None:
                        values[node] = v
            root = backed_up(tree, values)[0]
            if root != value:
                return Unjustified(cuts[first], v, first - start, root)
    raise AssertionError("the root can change, so one of its neighbours must be reachable")


def _beyond(value: Value) -> tuple[Value, ...]:
    """A value above and one below, small numbers where possible."""
    if value in (math.inf, -math.inf):
        return (0,)
    above = value + 1 if value + 1 > value else math.nextafter(value, math.inf)
    below = value - 1 if value - 1 < value else math.nextafter(value, -math.inf)
    return above, below
