"""All that can follow a position, spelled out: as a graph of distinct states, or as the whole tree."""

from collections.abc import Hashable
from typing import Any

from crosscount.native.game import Game, S
from crosscount.puzzles.engine import Stopped
from crosscount.puzzles.gametree import GameGraph, GameTree, TreeBuilder, Value


def state_graph(game: Game[S, Any], state: S, most: int) -> GameGraph:
    """One node for each key that can be reached; `Stopped` beyond so many."""
    number: dict[Hashable, int] = {game.key(state): 0}
    states = [state]
    children: list[list[int]] = []
    values: list[Value | None] = []
    for here in states:  # grows as we go
        value = game.value(here)
        values.append(value)
        below: list[int] = []
        if value is None:
            for move in game.moves(here):
                child = game.play(here, move)
                known = number.setdefault(game.key(child), len(states))
                if known == len(states):
                    states.append(child)
                    if known >= most:
                        raise Stopped("nodes")
                below.append(known)
        children.append(below)
    return GameGraph(children, values, [game.maximises(here) for here in states])


def whole_tree(game: Game[S, Any], state: S, most: int) -> GameTree:
    """Every line of play as its own path; `Stopped` beyond so many nodes."""
    builder = TreeBuilder(game.name)
    # (state, node above), or a node to close.
    work: list[tuple[S, int] | int] = [(state, -1)]
    while work:
        step = work.pop()
        if isinstance(step, int):
            builder.close(step)
            continue
        here, above = step
        if len(builder.end) >= most:
            raise Stopped("nodes")
        node = builder.add(above, game.value(here))
        builder.movers[node] = game.maximises(here)
        if builder.values[node] is None:
            work.append(node)
            work.extend((game.play(here, move), node) for move in reversed(game.moves(here)))
    return builder.finish(None)
