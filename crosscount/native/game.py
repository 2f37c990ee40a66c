"""What a search needs to know of a game, and a tree as one."""

import math
from collections.abc import Hashable, Sequence
from typing import Protocol, TypeVar

from crosscount.puzzles.gametree import GameTree, Value

S = TypeVar("S")
M = TypeVar("M")


class Game(Protocol[S, M]):
    """Two players, full information, no chance, no endless play. Values are for the maximising player."""

    name: str

    def start(self) -> S:
        """The position in which a game begins."""

    def moves(self, state: S, /) -> Sequence[M]:
        """In the order in which a search shall try them; at least one while `value` is None."""

    def play(self, state: S, move: M, /) -> S:
        """The position after a move; the one before is not changed."""

    def value(self, state: S, /) -> Value | None:
        """What a finished game is worth; None while it goes on."""

    def maximises(self, state: S, /) -> bool:
        """Whether the player who moves now is the maximising one."""

    def key(self, state: S, /) -> Hashable:
        """Equal for two positions exactly when everything that can still happen is equal."""


class TreeGame:
    """A game tree, node by node; a move is the number of the child."""

    def __init__(self, tree: GameTree) -> None:
        self.name = tree.place
        self.moves = tree.children
        # Straight to the lists: a search asks these for every node.
        self.value = tree.values.__getitem__
        self.maximises = tree.maximises.__getitem__

    def start(self) -> int:
        return 0

    def play(self, state: int, move: int, /) -> int:
        return move

    def key(self, state: int, /) -> int:
        return state


def just_above(value: Value) -> Value:
    """The next value up: with integers there is nothing between, with decimals no other decimal."""
    return value + 1 if isinstance(value, int) else math.nextafter(value, math.inf)


def just_below(value: Value) -> Value:
    """The next value down."""
    return value - 1 if isinstance(value, int) else math.nextafter(value, -math.inf)
