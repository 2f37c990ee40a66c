"""The table of searches: adding one is one function and one row."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from crosscount.native.alphabeta import alphabeta
from crosscount.native.game import Game, S, TreeGame
from crosscount.native.minimax import minimax
from crosscount.native.negamax import negamax
from crosscount.native.negascout import negascout
from crosscount.native.transposition import alphabeta_tt, mtdf
from crosscount.puzzles.game_trace import Trace
from crosscount.puzzles.gametree import GameTree, Rule


@dataclass(frozen=True, slots=True)
class Search:
    """One way to find the value of a position; `run` takes a game, a state, a rule and the most nodes allowed."""

    name: str
    title: str
    run: Callable[[Game[Any, Any], Any, Rule, float], Trace[Any]]
    either_rule: bool
    """Whether the search obeys both cutoff rules; the others cut at beta <= alpha, whatever rule is asked for."""


SEARCHES: tuple[Search, ...] = (
    Search("minimax", "every leaf", lambda g, s, rule, most: minimax(g, s, most), False),
    Search("alphabeta", "fail-soft alpha-beta", lambda g, s, rule, most: alphabeta(g, s, rule, "soft", most), True),
    Search(
        "alphabeta-hard", "fail-hard alpha-beta", lambda g, s, rule, most: alphabeta(g, s, rule, "hard", most), True
    ),
    Search("negamax", "alpha-beta in negamax form", lambda g, s, rule, most: negamax(g, s, rule, most), True),
    Search("negascout", "principal variation search", lambda g, s, rule, most: negascout(g, s, most), False),
    Search("mtdf", "MTD(f) from 0", lambda g, s, rule, most: mtdf(g, s, 0, most), False),
    Search("alphabeta-tt", "alpha-beta with a table", lambda g, s, rule, most: alphabeta_tt(g, s, most), False),
)

BY_NAME = {search.name: search for search in SEARCHES}


def search_tree(tree: GameTree, name: str = "alphabeta", rule: Rule = "le") -> Trace[int]:
    """The trace of one search on a tree; its states are node numbers."""
    return BY_NAME[name].run(TreeGame(tree), 0, rule, math.inf)


def search_game(
    game: Game[S, Any], state: S, name: str = "alphabeta", rule: Rule = "le", max_nodes: float = math.inf
) -> Trace[S]:
    """The trace of one search from a position of a game; `Stopped` beyond so many nodes."""
    return BY_NAME[name].run(game, state, rule, max_nodes)
