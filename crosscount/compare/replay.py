"""A search as a film: every step of bf, bt, fc-mrv or gac on a puzzle, with what the search knows at that moment.

The compiled searchers keep no record, so each has a plain twin here that takes the same steps. Tests hold the twins
against the originals: the same number of nodes and the same solutions in the same order.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from crosscount.compare.replay_board import Board, Event, Kind, bits
from crosscount.puzzles.engine import Unavailable
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.puzzle import Puzzle

MOST_NODES = 3000
WIDEST = 64
"""Values a cell may have, as in the searchers themselves."""

Name = Literal["bf", "bt", "fc-mrv", "gac"]


class Change(NamedTuple):
    """What a cell shows from a step on: its value, None while it has none, and the values it may still take."""

    cell: int
    value: int | None
    marks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that the search did, and what changed on the grid since the step before."""

    kind: Kind
    cell: int | None
    value: int | None
    nodes: int
    """All so far, this step included."""
    broken: tuple[int, ...]
    """At a dead end: the cells that show why."""
    because: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """The steps from the start, which is step 0. Complete where the search came to its end within the nodes."""

    puzzle: Puzzle
    engine: str
    steps: tuple[Step, ...]
    is_complete: bool

    @property
    def nodes(self) -> int:
        return self.steps[-1].nodes

    def at(self, number: int) -> list[Change]:
        """What every cell shows after this step."""
        cells = [Change(v, None, ()) for v in range(len(self.puzzle.domains))]
        for step in self.steps[: number + 1]:
            for change in step.changes:
                cells[change.cell] = change
        return cells

    def solutions(self) -> Iterator[list[int]]:
        """Those found on the way, in the order in which they were."""
        cells: list[int | None] = [None] * len(self.puzzle.domains)
        for step in self.steps:
            for change in step.changes:
                cells[change.cell] = change.value
            if step.kind == "solution":
                yield [x for x in cells if x is not None]


def replay(puzzle: Puzzle, engine: str, most: int = MOST_NODES) -> Replay:
    """The first `most` nodes of a search; Unavailable where the searcher itself would not take the puzzle."""
    search = _search(engine)
    for name, domain in zip(puzzle.names, puzzle.domains, strict=True):
        if len(domain) > WIDEST:
            raise Unavailable(f"{name} has {len(domain)} values; a replay shows at most {WIDEST}")
    board = Board.of(puzzle)
    recorder = _Recorder(puzzle, board)
    steps = [recorder.step(Event("start", because="the givens"))]
    for event in search(puzzle, board):
        if board.nodes > most:
            break  # the search was about to make one node too many
        steps.append(recorder.step(event))
    else:
        return Replay(puzzle, engine, tuple(steps), True)
    return Replay(puzzle, engine, tuple(steps), False)


def _search(engine: str) -> Callable[[Puzzle, Board], Iterator[Event]]:
    if engine == "gac":
        from crosscount.compare.replay_gac import arc_consistency

        return arc_consistency
    from crosscount.compare.replay_search import backtracking, brute_force, forward_checking

    searches = {"bf": brute_force, "bt": backtracking, "fc-mrv": forward_checking}
    if engine not in searches:
        raise InputError(f"engine {engine!r} has no replay, expected one of bf, bt, fc-mrv, gac")
    return searches[engine]


class _Recorder:
    """Turns the board after each event into what has changed on it."""

    def __init__(self, puzzle: Puzzle, board: Board) -> None:
        self.board = board
        self.shown: list[tuple[int | None, int]] = [(None, 0)] * len(puzzle.domains)
        self.known: dict[tuple[int, int], tuple[int, ...]] = {}

    def step(self, event: Event) -> Step:
        board = self.board
        changes = []
        for v, now in enumerate(zip(board.values, board.marks, strict=True)):
            if now != self.shown[v]:
                self.shown[v] = now
                changes.append(Change(v, now[0], self._values(v, now[1])))
        value = None if event.cell is None else board.values[event.cell]
        return Step(event.kind, event.cell, value, board.nodes, event.broken, event.because, tuple(changes))

    def _values(self, v: int, mask: int) -> tuple[int, ...]:
        if (v, mask) not in self.known:
            table = self.board.tables[v]
            self.known[v, mask] = tuple(table[b] for b in bits(mask))
        return self.known[v, mask]


def to_object(found: Replay) -> dict[str, Any]:
    """For the player in the browser: [kind, cell, value, nodes, broken, because, changes] a step."""
    return {
        "engine": found.engine,
        "complete": found.is_complete,
        "nodes": found.nodes,
        "steps": [[*step[:6], [list(change) for change in step[6]]] for step in map(_fields, found.steps)],
    }


def _fields(step: Step) -> tuple[Any, ...]:
    return step.kind, step.cell, step.value, step.nodes, step.broken, step.because, step.changes
