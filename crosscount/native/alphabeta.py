"""Alpha-beta over max and min nodes, fail-soft or fail-hard, with either cutoff rule.

alpha: what max has for sure on the way here.  beta: what min has.  A node is cut once beta <= alpha (rule `le`) or
beta < alpha (rule `lt`). Fail-soft returns the best value seen, even outside the window; fail-hard the nearer end of
the window instead, after which a strict rule sees a tie where there was none and cuts less.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic

from crosscount.native.game import Game, M, S, just_above, just_below
from crosscount.puzzles.engine import Stopped
from crosscount.puzzles.game_trace import Cutoff, Trace
from crosscount.puzzles.gametree import Rule, Value

END: Any = object()
"""What `next` gives where a node has no move left."""


@dataclass(slots=True)
class Tally(Generic[S]):
    """What a search adds up as it goes."""

    leaves: list[S] = field(default_factory=list)
    cutoffs: list[Cutoff[S]] = field(default_factory=list)
    nodes: int = 1
    root_values: list[Value] = field(default_factory=list)
    """What each root move came back with; those that were cut are missing at the end."""


def alphabeta(
    game: Game[S, M], state: S, rule: Rule = "le", fail: str = "soft", max_nodes: float = math.inf
) -> Trace[S]:
    """The value of a position, the window open at the root; `Stopped` beyond so many nodes."""
    engine = "alphabeta" if fail == "soft" else "alphabeta-hard"
    here = game.value(state)
    if here is not None:
        return Trace(engine, rule, here, None, (), (state,), 1, ())
    tally: Tally[S] = Tally()
    best = search(game, state, -math.inf, math.inf, rule, fail == "soft", tally, max_nodes)
    return finish(engine, rule, game, state, best, tally, max_nodes)


def search(
    game: Game[S, M],
    state: S,
    alpha: Value,
    beta: Value,
    rule: Rule,
    soft: bool,
    tally: Tally[S],
    max_nodes: float = math.inf,
) -> Value:
    """The value of a position that is not over, within a window: exact inside it, a bound outside."""
    value, moves, play, maximises = game.value, game.moves, game.play, game.maximises
    leaves, root_values, nodes, le = tally.leaves, tally.root_values, tally.nodes, rule == "le"
    left, maxi = iter(moves(state)), maximises(state)
    best: Value = -math.inf if maxi else math.inf
    low, high = alpha, beta  # the window that the node on top was given
    stack: list[tuple[Any, ...]] = []
    while True:
        move = next(left, END)
        if move is END:
            v = best if soft else min(max(best, low), high)
            if not stack:
                tally.nodes = nodes
                return v
            state, left, maxi, best, alpha, beta, low, high = stack.pop()
        else:
            child = play(state, move)
            nodes += 1
            if nodes > max_nodes:
                raise Stopped("nodes")
            found = value(child)
            if found is None:
                stack.append((state, left, maxi, best, alpha, beta, low, high))
                state, left, maxi = child, iter(moves(child)), maximises(child)
                best = -math.inf if maxi else math.inf
                low, high = alpha, beta
                continue
            leaves.append(child)
            v = found
        if not stack:
            root_values.append(v)
        if maxi:
            if v > best:
                best = v
                if v > alpha:
                    alpha = v
        elif v < best:
            best = v
            if v < beta:
                beta = v
        # A cutoff that skips no child is none.
        if (beta <= alpha if le else beta < alpha) and next(left, END) is not END:
            tally.cutoffs.append(Cutoff(state, alpha, beta))
            left = iter(())


def finish(
    engine: str,
    rule: Rule,
    game: Game[S, M],
    state: S,
    best: Value,
    tally: Tally[S],
    max_nodes: float,
    probe: Callable[[S, Value, Value], Value] | None = None,
    researches: int = 0,
    move: int | None = None,
) -> Trace[S]:
    """The trace of a search over the open window, with ties between root moves settled by `probe`.

    Each probe may take as many nodes as the search itself: it must not run on where the search was told to stop.
    """
    chosen = tally.root_values.index(best) if move is None else move
    if probe is None:

        def probe(child: S, alpha: Value, beta: Value) -> Value:
            return search(game, child, alpha, beta, "le", True, Tally(), max_nodes)

    optimal = every_optimal_move(game, state, best, chosen, tally.root_values, probe)
    return Trace(engine, rule, best, chosen, optimal, tally.leaves, tally.nodes, tally.cutoffs, researches)


def every_optimal_move(
    game: Game[S, M],
    state: S,
    best: Value,
    chosen: int,
    root_values: list[Value],
    probe: Callable[[S, Value, Value], Value],
) -> tuple[int, ...]:
    """All root moves worth `best`, given what alpha-beta found out about each of them.

    A move that came back worse than the best is worse. One that came back equal may have been cut with only a bound
    known, and one after a cutoff at the root was never looked at: both get a search of their own, in the smallest
    window that tells.
    """
    maxi = game.maximises(state)
    window = (just_below(best), best) if maxi else (best, just_above(best))
    optimal = []
    for k, move in enumerate(game.moves(state)):
        if k != chosen:
            if k < len(root_values) and root_values[k] != best:
                continue
            child = game.play(state, move)
            worth = game.value(child)
            if worth is None:
                worth = probe(child, *window)
            if worth < best if maxi else worth > best:
                continue
        optimal.append(k)
    return tuple(optimal)
