"""NegaScout, also called principal variation search: the first child with the full window, the others with a test.

The test asks in the smallest possible window whether a child is better than what is known; only a child that is, and
whose value the test has not already settled, is searched again. Values are seen by the player who moves (see negamax).
A node is cut once beta <= alpha.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic

from crosscount.native.alphabeta import END, Tally, finish
from crosscount.native.game import Game, M, S, just_above
from crosscount.puzzles.engine import Stopped
from crosscount.puzzles.game_trace import Cutoff, Trace
from crosscount.puzzles.gametree import Value


@dataclass(slots=True)
class Frame(Generic[S, M]):
    """A node on the way from the root, and what is being asked about the child below it."""

    state: S
    left: Iterator[M]
    sign: int
    alpha: Value
    beta: Value
    best: Value = -math.inf
    child: S | None = None
    """The one that is searched at the moment; None before the first."""
    floor: Value | None = None
    """In a second search of a child: what the test has already proved it to be worth. None otherwise."""
    testing: bool = False


def negascout(game: Game[S, M], state: S, max_nodes: float = math.inf) -> Trace[S]:
    """The value of a position; `researches` counts the children that were searched twice."""
    here = game.value(state)
    if here is not None:
        return Trace("negascout", "le", here, None, (), (state,), 1, ())
    tally: Tally[S] = Tally()
    best, again = _search(game, state, tally, max_nodes)
    return finish("negascout", "le", game, state, best, tally, max_nodes, researches=again)


def _search(game: Game[S, M], state: S, tally: Tally[S], max_nodes: float) -> tuple[Value, int]:
    again = 0
    top = _frame(game, state, -math.inf, math.inf)
    stack: list[Frame[S, M]] = []
    while True:
        move = next(top.left, END)
        if move is END:
            if not stack:
                return top.sign * top.best, again
            done, top = top, stack.pop()
            v = done.best if done.sign == top.sign else -done.best
            if top.testing and top.alpha < v < top.beta:
                # Better than what is known, by how much is not: once more with what lies above v.
                again += 1
                top.testing, top.floor = False, v
                stack.append(top)
                tally.nodes += 1
                top = _below(game, top, done.state, v, top.beta)
                continue
            if top.floor is not None:
                v, top.floor = max(v, top.floor), None
        else:
            child = game.play(top.state, move)
            tally.nodes += 1
            if tally.nodes > max_nodes:
                raise Stopped("nodes")
            found = game.value(child)
            if found is None:
                top.testing = top.child is not None
                top.child = child
                stack.append(top)
                top = _below(game, top, child, top.alpha, just_above(top.alpha) if top.testing else top.beta)
                continue
            top.child = child
            tally.leaves.append(child)
            v = top.sign * found
        if not stack:
            tally.root_values.append(top.sign * v)
        top.best = max(top.best, v)
        top.alpha = max(top.alpha, v)
        if top.beta <= top.alpha and next(top.left, END) is not END:
            low, high = (top.alpha, top.beta) if top.sign > 0 else (-top.beta, -top.alpha)
            tally.cutoffs.append(Cutoff(top.state, low, high))
            top.left = iter(())


def _frame(game: Game[S, M], state: S, alpha: Value, beta: Value) -> Frame[S, M]:
    return Frame(state, iter(game.moves(state)), 1 if game.maximises(state) else -1, alpha, beta)


def _below(game: Game[S, M], above: Frame[S, M], child: S, alpha: Value, beta: Value) -> Frame[S, M]:
    """The frame of a child for a window that its parent has stated in its own terms."""
    frame = _frame(game, child, alpha, beta)
    if frame.sign != above.sign:
        frame.alpha, frame.beta = -beta, -alpha
    return frame
