"""Smaller game trees, one step at a time, the largest steps first.

A step keeps who moves where, so that a file of nested lists still means the same: a node may become one of its
grandchildren, a leaf with its own minimax value, or lose a child. Then values become smaller.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from crosscount.puzzles.gametree import GameTree, TreeBuilder, Value, backed_up


@dataclass(frozen=True, slots=True)
class Node:
    """A tree without names: a value, or children."""

    maximises: bool
    worth: Value
    """Of the leaf, or by minimax."""
    children: tuple["Node", ...] = ()


def size_of_tree(tree: GameTree) -> str:
    """In words."""
    leaves = len(tree.leaves())
    return "a tree with 1 leaf" if leaves == 1 else f"a tree with {leaves} leaves"


def smaller_trees(tree: GameTree) -> Iterator[GameTree]:
    """Every tree that is one step smaller; each has fewer nodes, or as many and smaller values."""
    root = _node(tree)
    for path in _paths(root):
        for smaller in _in_place_of(_at(root, path)):
            yield _tree(_replaced(root, path, smaller))
    yield from _smaller_values(root)


def _in_place_of(node: Node) -> Iterator[Node]:
    """What may stand in the place of an inner node, the smallest first."""
    if not node.children:
        return
    yield Node(node.maximises, node.worth)
    for child in node.children:
        for grandchild in child.children:
            if grandchild.maximises == node.maximises or not grandchild.children:
                yield grandchild
    if len(node.children) > 1:
        for k in range(len(node.children)):
            yield Node(node.maximises, node.worth, node.children[:k] + node.children[k + 1 :])


def _smaller_values(root: Node) -> Iterator[GameTree]:
    values = sorted(set(_leaf_values(root)))
    small = list(range(len(values)))
    if values != small and sum(map(_size, small)) < sum(map(_size, values)):
        yield _tree(root, {value: k for k, value in enumerate(values)})
    for path in _paths(root):
        leaf = _at(root, path)
        if leaf.children:
            continue
        for value in (0, 1, -1):
            if _size(value) < _size(leaf.worth):
                yield _tree(_replaced(root, path, Node(leaf.maximises, value)))


def _size(value: Value) -> float:
    # A negative value is a little larger than the positive one, so that there is always an end to it.
    return abs(value) + (0.25 if value < 0 else 0.0)


def _node(tree: GameTree) -> Node:
    """Built from the last node to the first, because trees may be deeper than Python's stack."""
    worth = backed_up(tree)
    built: dict[int, Node] = {}
    for i in range(len(tree) - 1, -1, -1):
        built[i] = Node(tree.maximises[i], worth[i], tuple(built[child] for child in tree.children(i)))
    return built[0]


def _tree(root: Node, rank: Mapping[Value, Value] | None = None) -> GameTree:
    """The tree of these nodes; with `rank`, other values at its leaves."""
    put = {} if rank is None else rank
    builder = TreeBuilder("tree")
    work: list[tuple[Node, int] | int] = [(root, -1)]
    while work:
        step = work.pop()
        if isinstance(step, int):
            builder.close(step)
            continue
        node, above = step
        here = builder.add(above, None if node.children else put.get(node.worth, node.worth))
        if node.children:
            builder.movers[here] = node.maximises
            work.append(here)
            work.extend((child, here) for child in reversed(node.children))
    return builder.finish(None if 0 in builder.movers else root.maximises)


def _paths(root: Node) -> Iterator[tuple[int, ...]]:
    """The places of all nodes, those near the root first."""
    level: list[tuple[tuple[int, ...], Node]] = [((), root)]
    while level:
        yield from (path for path, _ in level)
        level = [((*path, k), child) for path, node in level for k, child in enumerate(node.children)]


def _at(root: Node, path: tuple[int, ...]) -> Node:
    for k in path:
        root = root.children[k]
    return root


def _replaced(root: Node, path: tuple[int, ...], new: Node) -> Node:
    nodes = [root]
    for k in path:
        nodes.append(nodes[-1].children[k])
    for k, node in zip(reversed(path), reversed(nodes[:-1]), strict=True):
        new = Node(node.maximises, node.worth, (*node.children[:k], new, *node.children[k + 1 :]))
    return new


def _leaf_values(root: Node) -> Iterator[Value]:
    work = [root]
    while work:
        node = work.pop()
        if not node.children:
            yield node.worth
        work.extend(node.children)
