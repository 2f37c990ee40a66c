"""Alpha-beta that remembers what it has proved about a position, and MTD(f), which needs such a memory.

table: for each key the (lower, upper) bound of its value. A node is cut once beta <= alpha; fail-soft.
"""

import math
from collections.abc import Hashable
from typing import Any

from crosscount.native.alphabeta import END, Tally, finish
from crosscount.native.game import Game, M, S, just_above, just_below
from crosscount.puzzles.engine import Stopped
from crosscount.puzzles.game_trace import Cutoff, Trace
from crosscount.puzzles.gametree import Value

Table = dict[Hashable, tuple[Value, Value]]


def alphabeta_tt(game: Game[S, M], state: S, max_nodes: float = math.inf) -> Trace[S]:
    """The value of a position; a position that comes up again by other moves is not searched again."""
    here = game.value(state)
    if here is not None:
        return Trace("alphabeta-tt", "le", here, None, (), (state,), 1, ())
    tally: Tally[S] = Tally()
    table: Table = {}
    best = _search(game, state, -math.inf, math.inf, table, tally, max_nodes)
    return _settled("alphabeta-tt", game, state, best, table, tally, max_nodes)


def mtdf(game: Game[S, M], state: S, guess: Value = 0, max_nodes: float = math.inf) -> Trace[S]:
    """MTD(f): a series of yes-or-no searches closes in on the value from the guess."""
    here = game.value(state)
    if here is not None:
        return Trace("mtdf", "le", here, None, (), (state,), 1, ())
    tally: Tally[S] = Tally()
    table: Table = {}
    lower: Value = -math.inf
    upper: Value = math.inf
    best, passes, move = guess, 0, 0
    maxi = game.maximises(state)
    while lower < upper:
        beta = just_above(best) if best == lower else best
        tally.root_values.clear()
        best = _search(game, state, just_below(beta), beta, table, tally, max_nodes)
        passes += 1
        if best < beta:
            upper = best
        else:
            lower = best
        # The side to move has shown a move worth at least this much to it.
        if (best >= beta) == maxi:
            move = tally.root_values.index(best)
    # What the last pass knows of the root moves are bounds for its own question, not for this one.
    tally.root_values = [best] * len(game.moves(state))
    return _settled("mtdf", game, state, best, table, tally, max_nodes, passes - 1, move)


def _search(
    game: Game[S, M], state: S, alpha: Value, beta: Value, table: Table, tally: Tally[S], max_nodes: float
) -> Value:
    value, moves, play, maximises, key = game.value, game.moves, game.play, game.maximises, game.key
    left, maxi, name = iter(moves(state)), maximises(state), key(state)
    best: Value = -math.inf if maxi else math.inf
    low, high = alpha, beta  # the window that the node on top was given
    nothing = (-math.inf, math.inf)
    stack: list[tuple[Any, ...]] = []
    while True:
        move = next(left, END)
        if move is END:
            lower, upper = table.get(name, nothing)
            table[name] = (max(lower, best) if best > low else lower, min(upper, best) if best < high else upper)
            v = best
            if not stack:
                return v
            state, name, left, maxi, best, alpha, beta, low, high = stack.pop()
        else:
            child = play(state, move)
            tally.nodes += 1
            if tally.nodes > max_nodes:
                raise Stopped("nodes")
            below = key(child)
            lower, upper = table.get(below, nothing)
            if lower >= beta or lower == upper:
                v = lower
            elif upper <= alpha:
                v = upper
            elif (found := value(child)) is not None:
                tally.leaves.append(child)
                table[below] = (found, found)
                v = found
            else:
                stack.append((state, name, left, maxi, best, alpha, beta, low, high))
                alpha, beta = max(alpha, lower), min(beta, upper)
                low, high = alpha, beta
                state, name, left, maxi = child, below, iter(moves(child)), maximises(child)
                best = -math.inf if maxi else math.inf
                continue
        if not stack:
            tally.root_values.append(v)
        if maxi:
            best = max(best, v)
            alpha = max(alpha, v)
        else:
            best = min(best, v)
            beta = min(beta, v)
        if beta <= alpha and next(left, END) is not END:
            tally.cutoffs.append(Cutoff(state, alpha, beta))
            left = iter(())


def _settled(
    engine: str,
    game: Game[S, M],
    state: S,
    best: Value,
    table: Table,
    tally: Tally[S],
    max_nodes: float,
    researches: int = 0,
    move: int | None = None,
) -> Trace[S]:
    def probe(child: S, alpha: Value, beta: Value) -> Value:
        return _search(game, child, alpha, beta, table, Tally(), max_nodes)

    return finish(engine, "le", game, state, best, tally, max_nodes, probe, researches, move)
