"""What a search did: the record that an audit is about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from crosscount.puzzles.gametree import Rule, Value

S = TypeVar("S")


class Cutoff(NamedTuple, Generic[S]):
    """Where a search skipped at least one child, and the window at that moment, for the maximising player."""

    state: S
    alpha: Value
    beta: Value


@dataclass(frozen=True, slots=True)
class Trace(Generic[S]):
    """States are node numbers where the game is a tree."""

    engine: str
    rule: Rule | None
    """None where nothing is ever cut."""
    value: Value
    move: int | None
    """The root move that the search itself would play, by index; None at a terminal root."""
    moves: tuple[int, ...]
    """Every optimal root move. Alpha-beta leaves ties open: they are settled afterwards, outside all counts."""
    leaves: Sequence[S]
    """In the order of evaluation; one that is evaluated again in another pass is there again."""
    nodes: int
    """Generated, the root included, again for each time."""
    cutoffs: Sequence[Cutoff[S]]
    researches: int = 0
    """How often a subtree was gone through another time; 0 for a search in one pass."""
