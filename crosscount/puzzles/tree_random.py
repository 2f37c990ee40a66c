"""Trees made up for tests and benchmarks: random shapes, uniform ones, and uniform ones in perfect order."""

from collections.abc import Sequence
from random import Random

from crosscount.puzzles.gametree import GameTree, TreeBuilder, Value, backed_up

INF = float("inf")
PALETTES: tuple[Sequence[Value], ...] = (
    range(-9, 10),
    range(1000),
    (0, 1),
    (7,),
    (-1.5, 0.25, 0.5, 1, 1.75, 2),
    (-INF, -1, 0, 1, INF),
    (10**30, 10**30 + 1, -(10**30), 1e30, 0),
)
"""What leaves may be worth: spread out, full of ties, all equal, decimal, infinite, too close for a float."""


def random_tree(rng: Random, most_leaves: int = 40) -> GameTree:
    """Any shape: a lone leaf, a chain, a broom, bushy, lopsided; movers in turn or now and then out of turn."""
    palette = rng.choice(PALETTES)
    depth, width = rng.choice((0, 1, 2, 3, 3, 4, 4, 5, 6, 8)), rng.randint(1, 5)
    stop, odd = rng.choice((0.0, 0.1, 0.4)), rng.choice((0.0, 0.0, 0.2))
    builder = TreeBuilder("random")
    leaves = 0
    # (depth left, node above) to open, or a node to close.
    work: list[tuple[int, int] | int] = [(depth, -1)]
    while work:
        step = work.pop()
        if isinstance(step, int):
            builder.close(step)
            continue
        left, above = step
        node = builder.add(above)
        if left == 0 or leaves + len(work) > most_leaves or (above >= 0 and rng.random() < stop):
            builder.values[node] = rng.choice(palette)
            leaves += 1
            continue
        if rng.random() < odd:
            builder.movers[node] = rng.random() < 0.5
        work.append(node)
        work.extend([(left - 1, node)] * rng.randint(1, width))
    return builder.finish(None if 0 in builder.movers else rng.random() < 0.5)


def uniform_tree(branching: int, depth: int, leaf_values: Sequence[Value], root_maximises: bool = True) -> GameTree:
    """Every node has as many children, every leaf is as deep; leaf values from left to right, again from the first."""
    builder = TreeBuilder("uniform")
    work: list[tuple[int, int] | int] = [(depth, -1)]
    leaves = 0
    while work:
        step = work.pop()
        if isinstance(step, int):
            builder.close(step)
            continue
        left, above = step
        node = builder.add(above)
        if left:
            work.append(node)
            work.extend([(left - 1, node)] * branching)
        else:
            builder.values[node] = leaf_values[leaves % len(leaf_values)]
            leaves += 1
    return builder.finish(root_maximises)


def best_first(tree: GameTree) -> GameTree:
    """The same tree with each node's children from the best to the worst."""
    return _reordered(tree, -1)


def worst_first(tree: GameTree) -> GameTree:
    """The same tree with each node's children from the worst to the best."""
    return _reordered(tree, 1)


def _reordered(tree: GameTree, direction: int) -> GameTree:
    worth = backed_up(tree)
    builder = TreeBuilder(tree.place)
    work: list[tuple[int, int] | int] = [(0, -1)]
    while work:
        step = work.pop()
        if isinstance(step, int):
            builder.close(step)
            continue
        old, above = step
        node = builder.add(above, tree.values[old])
        builder.movers[node] = tree.maximises[old]
        sign = direction if tree.maximises[old] else -direction
        children = sorted(tree.children(old), key=lambda child, sign=sign: sign * worth[child])  # type: ignore[misc]
        if children:
            work.append(node)
            work.extend((child, node) for child in reversed(children))
    return builder.finish(None)
