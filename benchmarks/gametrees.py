"""How fast the searches are: `python -m benchmarks.gametrees`.

Trees of a million leaves, read from JSON text and searched by every engine, in random order and in the worst one, where
alpha-beta cuts least; tic-tac-toe from the empty board; and what the audit takes.
"""

import time
from collections.abc import Callable
from random import Random
from typing import TypeVar

from crosscount.compare.audit import Auditor, claim_of
from crosscount.native.games import TicTacToe
from crosscount.native.gamesearch import SEARCHES, search_game, search_tree
from crosscount.puzzles.gametree import GameTree
from crosscount.puzzles.tree_json import parse_json_tree
from crosscount.puzzles.tree_random import uniform_tree, worst_first
from crosscount.puzzles.tree_write import to_json

T = TypeVar("T")
SHAPES = ((10, 6), (2, 20), (1000, 2), (1_000_000, 1))


def timed(call: Callable[[], T]) -> tuple[T, float]:
    """What a call returns, and its seconds: the best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - start)
    return result, best


def main() -> None:
    """Print one line for each measurement."""
    for branching, depth in SHAPES:
        rng = Random(1)
        made = uniform_tree(branching, depth, [rng.randrange(10**6) for _ in range(branching**depth)])
        text = to_json(made)
        tree, seconds = timed(lambda text=text: parse_json_tree(text, "benchmark"))  # type: ignore[misc]
        print(f"{branching}^{depth}: {len(tree.leaves())} leaves, {len(tree)} nodes; parsed in {seconds:.2f} s")
        searches(tree, "as generated")
        if depth > 1:
            searches(worst_first(tree), "worst order")
    game = TicTacToe()
    print("tic-tac-toe from the empty board")
    for search in SEARCHES:
        trace, seconds = timed(lambda name=search.name: search_game(game, game.start(), name))  # type: ignore[misc]
        print(f"  {search.name:<15} {seconds:6.2f} s  value {trace.value}, {trace.nodes} nodes")


def searches(tree: GameTree, order: str) -> None:
    """Every search on one tree, and the audit of alpha-beta."""
    print(f"  {order}")
    for search in SEARCHES:
        trace, seconds = timed(lambda name=search.name: search_tree(tree, name))  # type: ignore[misc]
        print(f"    {search.name:<15} {seconds:6.2f} s  {len(trace.leaves)} leaves")
    auditor = Auditor(tree)
    claim = claim_of(auditor.reference)
    _, seconds = timed(lambda: auditor.audit(claim))
    print(f"    {'audit':<15} {seconds:6.2f} s")


if __name__ == "__main__":
    main()
