"""The twin of gac: its own loop over the searcher's own propagation, which prunes to the same fixpoint."""

from collections.abc import Iterator

from crosscount.compare.replay_board import WORD, Board, Event
from crosscount.puzzles.puzzle import Puzzle


def arc_consistency(puzzle: Puzzle, board: Board) -> Iterator[Event]:
    """As forward checking, and every constraint is kept consistent; a node is a choice among two values or more."""
    from crosscount.native import gac
    from crosscount.native.consistency import TRAIL, shrink
    from crosscount.native.model import flatten
    from crosscount.native.search import DEAD, DEPTH
    from crosscount.native.simplify import signed

    flat = flatten(puzzle)
    state = None if flat.contradiction else gac.prepare(flat.model)
    if state is None or state.registers[DEPTH] == DEAD:
        yield Event("dead end", because="the givens leave no way to fill the grid")
        yield board.ended()
        return
    board.tables = [tuple(row) for row in flat.values[flat.table].tolist()]
    path: list[int] = []
    remaining: list[int] = []
    before: list[list[int]] = []
    given = [len(domain) == 1 for domain in puzzle.domains]

    def live() -> list[int]:
        return [mask & WORD for mask in state.live.tolist()]

    def show() -> None:
        masks = live()
        tried = dict(zip(path, remaining, strict=True))
        for v, mask in enumerate(masks):
            one = mask.bit_count() == 1
            board.marks[v] = tried[v] if v in tried else 0 if given[v] else mask
            board.values[v] = board.tables[v][mask.bit_length() - 1] if one and (v in tried or given[v]) else None

    show()
    yield Event("place", because="every constraint made consistent, before anything is tried")
    arrived = True
    while True:
        masks = live()
        if arrived and all(mask.bit_count() == 1 for mask in masks):
            board.values[:] = [board.tables[v][mask.bit_length() - 1] for v, mask in enumerate(masks)]
            yield board.solved()
            arrived = False
        if arrived:
            v = min(
                (v for v, mask in enumerate(masks) if mask.bit_count() > 1), key=lambda v: (masks[v].bit_count(), v)
            )
            path.append(v)
            remaining.append(masks[v])
            before.append(state.live.tolist())
            arrived = False
        if not path:
            break
        v = path[-1]
        state.live[:] = before[-1]
        state.registers[TRAIL] = 0  # undone by hand
        if remaining[-1] == 0:
            path.pop(), remaining.pop(), before.pop()
            show()
            yield board.back(v, path[-1] if path else None)
            continue
        bit = remaining[-1] & -remaining[-1]
        remaining[-1] ^= bit
        board.nodes += 1
        shrink(flat.model, state, v, signed(bit), -1)
        arrived = gac.propagate(flat.model, state, state.nary)
        show()
        board.values[v] = board.tables[v][bit.bit_length() - 1]
        said = f"{board.names[v]} = {board.values[v]}"
        if arrived:
            yield Event("place", v, because=said)
        else:
            empty = next((u for u, mask in enumerate(live()) if mask == 0), None)
            where = (
                "some constraint without a way to fill it" if empty is None else f"{board.names[empty]} without a value"
            )
            yield Event("dead end", v, (v,) if empty is None else (v, empty), f"{said} leaves {where}")
    yield board.ended()
