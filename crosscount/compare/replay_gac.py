"""The twin of gac: its own loop over the searcher's own propagation, which prunes to the same fixpoint.

live: mask of the values a cell may still take.  path: the cells chosen, with the values still to try there.
"""

from collections.abc import Iterator
from typing import Any

from crosscount.compare.replay_board import WORD, Board, Event
from crosscount.puzzles.puzzle import Puzzle


class _Propagation:
    """The state of the compiled searcher, set and read from outside."""

    def __init__(self, puzzle: Puzzle, board: Board) -> None:
        from crosscount.native import gac
        from crosscount.native.model import Flat, Model, flatten
        from crosscount.native.search import DEAD, DEPTH

        self.board = board
        self.given = [len(domain) == 1 for domain in puzzle.domains]
        self.flat: Flat[Model] = flatten(puzzle)
        self.state: Any = None if self.flat.contradiction else gac.prepare(self.flat.model)
        self.is_possible = self.state is not None and self.state.registers[DEPTH] != DEAD
        board.tables = [tuple(row) for row in self.flat.values[self.flat.table].tolist()]

    def live(self) -> list[int]:
        return [mask & WORD for mask in self.state.live.tolist()]

    def restore(self, live: list[int]) -> None:
        from crosscount.native.consistency import TRAIL
        from crosscount.native.simplify import signed

        self.state.live[:] = [signed(mask) for mask in live]
        self.state.registers[TRAIL] = 0  # undone by hand

    def assign(self, v: int, bit: int) -> bool:
        """Fill v and prune to a fixpoint; False where that leaves no way."""
        from crosscount.native import gac
        from crosscount.native.consistency import shrink
        from crosscount.native.simplify import signed

        shrink(self.flat.model, self.state, v, signed(bit), -1)
        return bool(gac.propagate(self.flat.model, self.state, self.state.nary))

    def value(self, v: int, mask: int) -> int:
        return self.board.tables[v][mask.bit_length() - 1]

    def show(self, path: list[int], remaining: list[int]) -> None:
        """Bring the board up to date. What propagation alone has settled stays a mark."""
        tried = dict(zip(path, remaining, strict=True))
        for v, mask in enumerate(self.live()):
            settled = mask.bit_count() == 1 and (v in tried or self.given[v])
            self.board.marks[v] = tried[v] if v in tried else 0 if self.given[v] else mask
            self.board.values[v] = self.value(v, mask) if settled else None

    def fault(self, v: int) -> Event:
        """Why the value just tried in v is a dead end."""
        names = self.board.names
        said = f"{names[v]} = {self.board.values[v]}"
        empty = next((u for u, mask in enumerate(self.live()) if mask == 0), None)
        if empty is None:
            return Event("dead end", v, (v,), f"{said} leaves a constraint that nothing can fill")
        return Event("dead end", v, (v, empty), f"{said} leaves {names[empty]} without a value")


def arc_consistency(puzzle: Puzzle, board: Board) -> Iterator[Event]:
    """As forward checking, and every constraint is kept consistent; a node is a choice among two values or more."""
    search = _Propagation(puzzle, board)
    if not search.is_possible:
        yield Event("dead end", because="the givens leave no way to fill the grid")
        yield board.ended()
        return
    path: list[int] = []
    remaining: list[int] = []
    before: list[list[int]] = []
    search.show(path, remaining)
    yield Event("place", because="every constraint made consistent, before anything is tried")
    arrived = True
    while arrived or path:
        live = search.live()
        if arrived and all(mask.bit_count() == 1 for mask in live):
            board.values[:] = [search.value(v, mask) for v, mask in enumerate(live)]
            yield board.solved()
            arrived = False
            continue
        if arrived:
            v = min((mask.bit_count(), v) for v, mask in enumerate(live) if mask.bit_count() > 1)[1]
            path.append(v)
            remaining.append(live[v])
            before.append(live)
        v = path[-1]
        search.restore(before[-1])
        if remaining[-1] == 0:
            path.pop(), remaining.pop(), before.pop()
            search.show(path, remaining)
            yield board.back(v, path[-1] if path else None)
            arrived = False
            continue
        bit = remaining[-1] & -remaining[-1]
        remaining[-1] ^= bit
        board.nodes += 1
        arrived = search.assign(v, bit)
        search.show(path, remaining)
        board.values[v] = search.value(v, bit)
        yield Event("place", v, because=f"{board.names[v]} = {board.values[v]}") if arrived else search.fault(v)
    yield board.ended()
