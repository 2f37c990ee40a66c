"""Exhaustive minimax: every leaf, no window, an explicit stack."""

import math
from typing import Any

from crosscount.native.game import Game, M, S
from crosscount.puzzles.engine import Stopped
from crosscount.puzzles.game_trace import Trace
from crosscount.puzzles.gametree import Value

END: Any = object()
"""What `next` gives where a node has no move left."""


def minimax(game: Game[S, M], state: S, max_nodes: float = math.inf) -> Trace[S]:
    """The value of a position from all that can follow; `Stopped` beyond so many nodes."""
    value, moves, play, maximises = game.value, game.moves, game.play, game.maximises
    here = value(state)
    if here is not None:
        return Trace("minimax", None, here, None, (), (state,), 1, ())
    leaves: list[S] = []
    root_values: list[Value] = []
    nodes = 1
    # The node on top: its moves left, whose turn it is, its best so far. Those above it in the tree are on the stack.
    left, maxi = iter(moves(state)), maximises(state)
    best: Value = -math.inf if maxi else math.inf
    stack: list[tuple[Any, ...]] = []
    while True:
        move = next(left, END)
        if move is END:
            if not stack:
                break
            v = best
            state, left, maxi, best = stack.pop()
        else:
            child = play(state, move)
            nodes += 1
            if nodes > max_nodes:
                raise Stopped("nodes")
            found = value(child)
            if found is None:
                stack.append((state, left, maxi, best))
                state, left, maxi = child, iter(moves(child)), maximises(child)
                best = -math.inf if maxi else math.inf
                continue
            leaves.append(child)
            v = found
        if (v > best) if maxi else (v < best):
            best = v
        if not stack:
            root_values.append(v)
    optimal = tuple(k for k, v in enumerate(root_values) if v == best)
    return Trace("minimax", None, best, optimal[0], optimal, leaves, nodes, ())
