"""From what a student wrote to a claim about leaves.

People name leaves by their values, and values repeat. Such a list is read with good will: if some walk from left to
right meets leaves with these values in this order, the student is taken to have walked it, and among several such walks
one whose pruning is justified.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from crosscount.compare.audit import Auditor, Claim, TreeFinding
from crosscount.compare.audit_pruning import is_justified
from crosscount.native.gamesearch import search_tree
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.gametree import GameTree, find_node, show_value
from crosscount.puzzles.tree_answer import Answer, Item

ENGINE = "answer"
MOST_READINGS = 2000


def claim_of_answer(auditor: Auditor, answer: Answer) -> tuple[Claim, list[TreeFinding]]:
    """What the answer claims, and what is wrong already with how it says it."""
    tree = auditor.tree
    findings: list[TreeFinding] = []
    visited: list[int] | None = None
    if answer.visited is not None:
        visited = _visited(auditor, answer.visited, findings)
    pruned = None if answer.pruned is None else _pruned_leaves(tree, answer.pruned)
    in_order = visited is not None
    if pruned is not None and visited is not None:
        findings += _contradictions(auditor, visited, pruned)
    elif pruned is not None and answer.visited is None:
        visited = [leaf for leaf in tree.leaves() if leaf not in pruned]
    move = None if answer.move is None else _move(tree, answer.move)
    return Claim(ENGINE, answer.value, move, visited, in_order=in_order), findings


def _visited(auditor: Auditor, items: Sequence[Item], findings: list[TreeFinding]) -> list[int] | None:
    tree = auditor.tree
    if not all(isinstance(item, str) for item in items):
        return _read_values(auditor, items, findings)
    leaves = []
    for item in items:
        node = find_node(tree, str(item))
        if tree.values[node] is None:
            raise InputError(f"visited: found {item}, a node with children, expected leaves")
        leaves.append(node)
    return leaves


def _read_values(auditor: Auditor, items: Sequence[Item], findings: list[TreeFinding]) -> list[int] | None:
    """Leaves whose values (or names) follow each other like these, or None and a finding."""
    tree = auditor.tree
    fits = [_fits(tree, item) for item in items]
    rules = (search_tree(tree, "alphabeta", rule).leaves for rule in (auditor.rule, "le", "lt"))
    for usual in (*rules, tree.leaves()):
        if len(usual) == len(items) and all(fit(leaf) for fit, leaf in zip(fits, usual, strict=True)):
            return list(usual)
    # before[k][leaf]: the leaves that a walk can have visited as number k - 1 when it visits this one as number k.
    before: list[dict[int, list[int]]] = []
    for k, fit in enumerate(fits):
        last = before[-1] if before else {}
        here: dict[int, list[int]] = {}
        for leaf in last:
            for after in _continuations(tree, leaf):
                if fit(after):
                    here.setdefault(after, []).append(leaf)
        if not before and fit(_leftmost(tree, 0)):
            here[_leftmost(tree, 0)] = []
        if not here:
            findings.append(_no_such_walk(auditor, items, k, last))
            return None
        before.append(here)
    first: list[int] | None = None
    for reading in islice(_walks(before), MOST_READINGS):
        first = reading if first is None else first
        seen = bytearray(len(tree))
        for leaf in reading:
            seen[leaf] = 1
        if is_justified(tree, seen):
            return reading
    return first


def _fits(tree: GameTree, item: Item) -> Callable[[int], bool]:
    """Whether a leaf is the one meant: by node where it was named, by value otherwise."""
    if isinstance(item, str):
        node = find_node(tree, item)
        return lambda leaf: leaf == node
    return lambda leaf: tree.values[leaf] == item


def _leftmost(tree: GameTree, node: int) -> int:
    while tree.values[node] is None:
        node += 1
    return node


def _continuations(tree: GameTree, leaf: int) -> list[int]:
    """The leaves that a search may visit right after this one: the next branch of the parent, or of one higher up."""
    found = []
    node = leaf
    while (above := tree.parent[node]) >= 0:
        if tree.end[node] < tree.end[above]:
            found.append(_leftmost(tree, tree.end[node]))
        node = above
    return found


def _walks(before: list[dict[int, list[int]]]) -> Iterator[list[int]]:
    """Every way back from the last leaf to the first, as a walk from first to last."""
    if not before:
        yield []
        return
    work = [[leaf] for leaf in reversed(before[-1])]
    while work:
        tail = work.pop()
        if len(tail) == len(before):
            yield tail[::-1]
        else:
            work.extend([*tail, leaf] for leaf in before[-len(tail)][tail[-1]])


def _no_such_walk(auditor: Auditor, items: Sequence[Item], k: int, last: dict[int, list[int]]) -> TreeFinding:
    tree = auditor.tree
    after = sorted({leaf for node in last for leaf in _continuations(tree, node)}) if k else [_leftmost(tree, 0)]
    where = f"after {k} leaves ({' '.join(_word(item) for item in items[:k][-6:])})" if k else "at the start"
    can = " or ".join(auditor.leaf_label(leaf) for leaf in after[:5]) if after else "nothing: the tree ends there"
    because = f"visited has {_word(items[k])} {where}, where a search from left to right can only go on to {can}"
    witness = {"position": k, "found": _word(items[k]), "possible": [tree.path(leaf) for leaf in after[:20]]}
    return TreeFinding("order", ENGINE, because, witness, after[0] if after else None)


def _word(item: Item) -> str:
    return item if isinstance(item, str) else show_value(item)


def _pruned_leaves(tree: GameTree, items: Sequence[Item]) -> set[int]:
    pruned: set[int] = set()
    for item in items:
        if isinstance(item, str):
            pruned.update(tree.leaves(find_node(tree, item)))
            continue
        fitting = [leaf for leaf in tree.leaves() if tree.values[leaf] == item]
        if len(fitting) != 1:
            raise InputError(
                f"pruned: found {show_value(item)}, the value of {len(fitting)} leaves, "
                "expected a value that one leaf has, a name, or an address such as /0/1"
            )
        pruned.add(fitting[0])
    return pruned


def _contradictions(auditor: Auditor, visited: Sequence[int], pruned: set[int]) -> list[TreeFinding]:
    both = [leaf for leaf in visited if leaf in pruned]
    known = set(visited) | pruned
    neither = [leaf for leaf in auditor.tree.leaves() if leaf not in known]
    findings = []
    for leaves, what in ((both, "both visited and pruned"), (neither, "neither visited nor pruned")):
        if leaves:
            more = f", and {len(leaves) - 1} more" if len(leaves) > 1 else ""
            because = f"leaf {auditor.leaf_label(leaves[0])} is {what}{more}"
            witness = {"leaves": [auditor.tree.path(leaf) for leaf in leaves[:20]]}
            findings.append(TreeFinding("answer", ENGINE, because, witness, leaves[0]))
    return findings


def _move(tree: GameTree, move: int | str) -> int:
    children = tree.children(0)
    if isinstance(move, int):
        return move
    named = [k for k, child in enumerate(children) if tree.moves.get(child) == move]
    named = named or [k for k, child in enumerate(children) if move in (tree.names.get(child), f"/{k}")]
    if len(named) != 1:
        known = ", ".join(tree.moves.get(child, tree.names.get(child, str(k))) for k, child in enumerate(children))
        raise InputError(f"move: found {move!r}, the name of {len(named)} moves, expected one of {known}")
    return named[0]
