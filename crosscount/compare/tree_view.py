"""What there is to draw of a searched tree, for the terminal and for paper alike."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from crosscount.compare.audit_pruning import root_range
from crosscount.compare.tree_run import TreeComparison
from crosscount.puzzles.gametree import GameTree, Value, show_value


@dataclass(frozen=True, slots=True)
class TreeView:
    """One search on one tree: ours, or a student's where the answer says which leaves were visited."""

    tree: GameTree
    title: str
    entered: bytearray
    """1 for the nodes that the search came to."""
    low: list[Value]
    high: list[Value]
    """What the visited leaves prove about each node: worth at least, worth at most."""
    cutoffs: dict[int, tuple[Value, Value]]
    """(alpha, beta) at the nodes where the search skipped the rest."""
    line: frozenset[int]
    """The nodes of the chosen line, from the root to a leaf."""
    needless: frozenset[int] = frozenset()
    faults: frozenset[int] = frozenset()
    """Where findings point."""

    def text(self, node: int) -> str:
        """The value of a node as far as the search knows it: 3, ≤2, ≥5; nothing where it never came."""
        value = self.tree.values[node]
        if value is not None:
            return show_value(value)
        if not self.entered[node]:
            return ""
        low, high = self.low[node], self.high[node]
        if low == high:
            return show_value(low)
        if low == -math.inf:
            return "?" if high == math.inf else f"≤{show_value(high)}"
        return f"≥{show_value(low)}" if high == math.inf else f"{show_value(low)}..{show_value(high)}"

    def is_cut(self, node: int) -> bool:
        """Whether the search turned away from this node at its parent."""
        above = self.tree.parent[node]
        return not self.entered[node] and (above < 0 or bool(self.entered[above]))


def view(comparison: TreeComparison) -> TreeView:
    """The student's search where it is known, otherwise alpha-beta under the rule."""
    tree, reference = comparison.tree, comparison.auditor.reference
    ours = comparison.answer_visited is None
    visited: Iterable[int] = reference.leaves if comparison.answer_visited is None else comparison.answer_visited
    seen = bytearray(len(tree))
    entered = bytearray(len(tree))
    for leaf in visited:
        seen[leaf] = 1
        node = leaf
        while node >= 0 and not entered[node]:
            entered[node] = 1
            node = tree.parent[node]
    low, high = root_range(tree, seen)
    cutoffs = {
        cut.state: (cut.alpha, cut.beta)
        for cut in reference.cutoffs
        if ours or (entered[cut.state] and not all(entered[child] for child in tree.children(cut.state)))
    }
    count, total = sum(seen), len(tree.leaves())
    whose = "" if ours else "as answered: "
    sign = "≤" if comparison.rule == "le" else "<"
    title = (
        f"{tree.place}: value {show_value(comparison.value)}, {whose}{count} of {total} leaves visited, "
        f"cut at beta {sign} alpha"
    )
    needless = frozenset() if comparison.answer is None else frozenset(comparison.answer.needless)
    # Without a list of visited leaves it is our own search that is drawn, and nothing in it is wrong.
    faults = frozenset(f.node for f in comparison.findings if f.node is not None and f.engine == "answer" and not ours)
    line = _line(tree, entered, low, high)
    return TreeView(tree, title, entered, low, high, cutoffs, line, needless, faults)


def _line(tree: GameTree, entered: bytearray, low: list[Value], high: list[Value]) -> frozenset[int]:
    """From the root down by the first child that is known to be worth what its parent is, as far as that goes."""
    node, line = 0, [0]
    while tree.values[node] is None:
        exact = [c for c in tree.children(node) if entered[c] and low[c] == high[c] == low[node] == high[node]]
        if not exact:
            break
        node = exact[0]
        line.append(node)
    return frozenset(line)
