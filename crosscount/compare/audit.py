"""Is what a search says about a game tree right, and may it have skipped what it skipped?

Nothing here trusts a search. The value is held against minimax; the move against every optimal one; the visited leaves
against what a walk from left to right can do; and the pruning against the only thing that justifies pruning: whatever
the skipped leaves are worth, the root is worth the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from crosscount.compare.audit_pruning import find_unjustified, root_range
from crosscount.native.gamesearch import search_tree
from crosscount.puzzles.game_trace import Trace
from crosscount.puzzles.gametree import RULE_TEXT, GameTree, Rule, Value, backed_up, optimal_moves, show_value

Kind = Literal["value", "move", "order", "pruning", "answer", "generated"]


@dataclass(frozen=True, slots=True)
class TreeFinding:
    """Something wrong, with a witness that a person can check by hand."""

    kind: Kind
    engine: str
    because: str
    witness: dict[str, Any] = field(default_factory=dict)
    """Only what JSON can hold."""
    node: int | None = None
    """Where to look in a drawing."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What is to be audited; None for what is not claimed."""

    engine: str
    value: Value | None = None
    move: int | None = None
    visited: Sequence[int] | None = None
    """Leaves, in order."""
    researches: int = 0
    """How often the order may go back to the left: 0 for a search in one pass."""
    in_order: bool = True
    """False where only the set of leaves is known and not their order."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What is wrong, and what is worth saying though it is not wrong."""

    findings: tuple[TreeFinding, ...]
    notes: tuple[str, ...]
    needless: tuple[int, ...]
    """Leaves visited that a search under the named rule skips."""

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


class Auditor:
    """The truth about one tree, worked out once and held against any number of claims."""

    def __init__(self, tree: GameTree, rule: Rule = "le") -> None:
        self.tree = tree
        self.rule: Rule = rule
        self.worth = backed_up(tree)
        self.value = self.worth[0]
        self.optimal = optimal_moves(tree, self.worth)
        self.reference = search_tree(tree, "alphabeta", rule)
        """The plain search under the rule: what it skips, a claim may skip without a second look."""
        self._needed = frozenset(self.reference.leaves)

    def audit(self, claim: Claim) -> Audit:
        """All that is wrong with a claim; a wrong value does not hide wrong pruning."""
        findings = [*self._check_value(claim), *self._check_move(claim)]
        notes: list[str] = []
        needless: tuple[int, ...] = ()
        if claim.visited is not None:
            findings += self._check_order(claim)
            seen = bytearray(len(self.tree))
            for leaf in claim.visited:
                seen[leaf] = 1
            findings += self._check_pruning(claim, seen)
            needless = tuple(leaf for leaf in dict.fromkeys(claim.visited) if leaf not in self._needed)
            notes += self._note_needless(needless)
            if not any(finding.kind == "pruning" for finding in findings):
                notes += self._notes(claim, seen)
        return Audit(tuple(findings), tuple(notes), needless)

    def _check_value(self, claim: Claim) -> list[TreeFinding]:
        if claim.value is None or claim.value == self.value:
            return []
        because = f"the value is said to be {show_value(claim.value)}, minimax gives {show_value(self.value)}"
        witness = {"claimed": plain(claim.value), "minimax": plain(self.value)}
        return [TreeFinding("value", claim.engine, because, witness)]

    def _check_move(self, claim: Claim) -> list[TreeFinding]:
        if claim.move is None or claim.move in self.optimal:
            return []
        children = self.tree.children(0)
        if not 0 <= claim.move < len(children):
            because = f"move {claim.move} does not exist, the root has {len(children)}"
            return [TreeFinding("move", claim.engine, because, {"move": claim.move, "optimal": list(self.optimal)})]
        child = children[claim.move]
        best = " or ".join(self.move_label(k) for k in self.optimal)
        because = (
            f"move {self.move_label(claim.move)} is worth {show_value(self.worth[child])}, "
            f"{best} is worth {show_value(self.value)}"
        )
        witness = {"move": claim.move, "worth": plain(self.worth[child]), "optimal": list(self.optimal)}
        return [TreeFinding("move", claim.engine, because, witness, child)]

    def _check_order(self, claim: Claim) -> list[TreeFinding]:
        """Could some search from left to right have met these leaves, in this order?"""
        assert claim.visited is not None
        returns = 0
        for before, leaf in zip(claim.visited, claim.visited[1:], strict=False) if claim.in_order else ():
            returns += leaf <= before
            if returns > claim.researches:
                what = "again" if leaf == before else f"after {self.leaf_label(before)}, which is further right"
                because = f"leaf {self.leaf_label(leaf)} is visited {what}; a search from left to right cannot do that"
                witness = {"leaf": self.tree.path(leaf), "after": self.tree.path(before)}
                return [TreeFinding("order", claim.engine, because, witness, leaf)]
        return self._check_prefix(claim)

    def _check_prefix(self, claim: Claim) -> list[TreeFinding]:
        """A search cuts the rest of a node's children: it never comes back for a later one."""
        assert claim.visited is not None
        tree = self.tree
        entered = bytearray(len(tree))
        for leaf in claim.visited:
            node = leaf
            while node >= 0 and not entered[node]:
                entered[node] = 1
                node = tree.parent[node]
        fault: tuple[int, int] | None = None
        for node in range(len(tree)):
            if not entered[node]:
                continue
            skipped = None
            for child in tree.children(node):
                if not entered[child]:
                    skipped = child if skipped is None else skipped
                elif skipped is not None:
                    # The leftmost fault is the one that the search came to first.
                    fault = min(fault or (skipped, child), (skipped, child))
                    break
        if fault is None:
            return []
        because = (
            f"branch {tree.label(fault[0])} is skipped but its later sibling {tree.label(fault[1])} is visited; "
            "a cutoff skips all that is left of a node"
        )
        witness = {"skipped": tree.path(fault[0]), "visited": tree.path(fault[1])}
        return [TreeFinding("order", claim.engine, because, witness, fault[0])]

    def _check_pruning(self, claim: Claim, seen: bytearray) -> list[TreeFinding]:
        tree = self.tree
        fault = find_unjustified(tree, seen, self.value)
        if fault is None:
            return []
        branches = [node for node in range(fault.cut.start, fault.cut.stop) if self._beside(node, fault.cut.start)]
        count = sum(tree.values[node] is not None for node in range(fault.cut.start, fault.cut.stop))
        many = len(branches) > 1
        what = f"all {'their' if many else 'its'} {count} leaves" if count > 1 else "its leaf"
        also = f" and those of {_plural(fault.earlier, 'cut')} before" if fault.earlier else ""
        subject = (
            f"branches {tree.label(branches[0])} to {tree.label(branches[-1])} are"
            if many
            else f"branch {tree.label(branches[0])} is"
        )
        because = (
            f"{subject} pruned without right: with {what}{also} at {show_value(fault.leaf_value)} "
            f"the root is worth {show_value(fault.root_value)}, not {show_value(self.value)}"
        )
        witness = {
            "branch": tree.path(branches[0]),
            "branches": len(branches),
            "leaf_value": plain(fault.leaf_value),
            "with_earlier_cuts": fault.earlier,
            "root_value": plain(fault.root_value),
            "minimax": plain(self.value),
        }
        return [TreeFinding("pruning", claim.engine, because, witness, branches[0])]

    def _beside(self, node: int, first: int) -> bool:
        return self.tree.parent[node] == self.tree.parent[first]

    def _note_needless(self, needless: Sequence[int]) -> list[str]:
        if not needless:
            return []
        shown = ", ".join(self.leaf_label(leaf) for leaf in needless[:8])
        more = f" and {len(needless) - 8} more" if len(needless) > 8 else ""
        count = _plural(len(needless), "leaf", "leaves")
        return [f"too little pruning: {count} that {RULE_TEXT[self.rule]} would skip: {shown}{more}"]

    def _notes(self, claim: Claim, seen: bytearray) -> list[str]:
        notes = []
        missing = sum(not seen[leaf] for leaf in self._needed)
        if missing:
            count = _plural(missing, "leaf", "leaves")
            notes.append(f"more pruning than {RULE_TEXT[self.rule]} gives ({count}), and justified all the same")
        if claim.move is not None and claim.move in self.optimal and not self._proves_move(claim.move, seen):
            notes.append(
                f"move {self.move_label(claim.move)} is optimal, but the visited leaves do not show it: "
                "with other values at the skipped leaves it would not be"
            )
        return notes

    def _proves_move(self, move: int, seen: bytearray) -> bool:
        child = self.tree.children(0)[move]
        low, high = root_range(self.tree, seen)
        return (low if self.tree.maximises[0] else high)[child] == self.value

    def leaf_label(self, leaf: int) -> str:
        """A leaf by value and name or address: `5 at /0/1`."""
        value = self.tree.values[leaf]
        assert value is not None
        return f"{show_value(value)} at {self.tree.label(leaf)}"

    def move_label(self, move: int) -> str:
        """A root move by index, and by name where the file has one."""
        child = self.tree.children(0)[move]
        name = self.tree.moves.get(child, self.tree.names.get(child))
        return str(move) if name is None else f"{move} ({name})"


def _plural(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def claim_of(trace: Trace[int]) -> Claim:
    """What one of our own searches claims."""
    return Claim(trace.engine, trace.value, trace.move, trace.leaves, trace.researches)


def plain(value: Value) -> Value | str:
    """A value for JSON, which has no infinities."""
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return value
