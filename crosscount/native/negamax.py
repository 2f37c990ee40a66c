"""Alpha-beta in negamax form: one branch of code for both players, every value seen by the player who moves.

sign: 1 where the maximising player moves, -1 where the other does. Players need not alternate, so a value changes sign
on its way up only where the mover changes.
"""

import math
from typing import Any

from crosscount.native.alphabeta import END, Tally, finish
from crosscount.native.game import Game, M, S
from crosscount.puzzles.engine import Stopped
from crosscount.puzzles.game_trace import Cutoff, Trace
from crosscount.puzzles.gametree import Rule, Value


def negamax(game: Game[S, M], state: S, rule: Rule = "le", max_nodes: float = math.inf) -> Trace[S]:
    """Fail-soft alpha-beta with the window open at the root; `Stopped` beyond so many nodes."""
    here = game.value(state)
    if here is not None:
        return Trace("negamax", rule, here, None, (), (state,), 1, ())
    tally: Tally[S] = Tally()
    best = _search(game, state, rule, tally, max_nodes)
    return finish("negamax", rule, game, state, best, tally, max_nodes)


def _search(game: Game[S, M], state: S, rule: Rule, tally: Tally[S], max_nodes: float) -> Value:
    value, moves, play, maximises = game.value, game.moves, game.play, game.maximises
    le, nodes = rule == "le", 1
    left, sign = iter(moves(state)), 1 if maximises(state) else -1
    best: Value = -math.inf
    alpha: Value = -math.inf
    beta: Value = math.inf
    stack: list[tuple[Any, ...]] = []
    while True:
        move = next(left, END)
        if move is END:
            if not stack:
                tally.nodes = nodes
                return sign * best
            v, below = best, sign
            state, left, sign, best, alpha, beta = stack.pop()
            if below != sign:
                v = -v
        else:
            child = play(state, move)
            nodes += 1
            if nodes > max_nodes:
                raise Stopped("nodes")
            found = value(child)
            if found is None:
                stack.append((state, left, sign, best, alpha, beta))
                below = 1 if maximises(child) else -1
                if below != sign:
                    alpha, beta = -beta, -alpha
                state, left, sign, best = child, iter(moves(child)), below, -math.inf
                continue
            tally.leaves.append(child)
            v = sign * found
        if not stack:
            tally.root_values.append(sign * v)
        if v > best:
            best = v
        if v > alpha:
            alpha = v
        if (beta <= alpha if le else beta < alpha) and next(left, END) is not END:
            tally.cutoffs.append(Cutoff(state, alpha, beta) if sign > 0 else Cutoff(state, -beta, -alpha))
            left = iter(())
