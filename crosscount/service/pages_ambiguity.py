"""The ambiguity of a job's puzzle: from the list where all solutions are kept, from counting where they are not."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from fastapi import Request

from crosscount.compare.ambiguity import Ambiguity, of_counts, of_solutions
from crosscount.compare.clues import Clues, extra_clues, with_clues
from crosscount.puzzles.latin import Latin
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.queens import Queens
from crosscount.puzzles.sudoku import Sudoku
from crosscount.puzzles.toml_write import to_toml
from crosscount.service.api import jobs_of
from crosscount.service.jobs import Job
from crosscount.service.pages_aside import aside_of
from crosscount.service.pages_grid import ambiguity_map, in_words
from crosscount.service.pages_words import grouped, plural, solutions
from crosscount.service.problem import Problem

BUDGET = 60_000_000
"""Entries that the search for the fewest clues may look at: well below a second."""
AT_ONCE = 10_000
REMEMBERED = 64


@dataclass(frozen=True, slots=True)
class OpenCell:
    """A cell in which solutions differ, for the table."""

    name: str
    words: str
    shares: list[tuple[int, str, float]]
    """(value, how many solutions, share)"""


@dataclass(frozen=True, slots=True)
class MapView:
    """What the page of the map shows; `svg` is empty where nothing is known."""

    svg: str
    total: str
    """In words: how many solutions it is drawn from, and whether these are all."""
    open_cells: list[OpenCell]
    clues: str
    clues_text: str
    """The puzzle with the clues in it, to be compared in turn; empty where there are none."""
    one_clue: bool = False
    is_board: bool = False
    is_exact: bool = True


_known: "OrderedDict[str, MapView]" = OrderedDict()


async def ambiguity_of(request: Request, job: Job, puzzle: Puzzle) -> MapView:
    """Worked out once for each finished job."""
    if job.id in _known:
        _known.move_to_end(job.id)
        return _known[job.id]
    if not job.is_finished:
        return MapView("", "", [], "", "")
    jobs = jobs_of(request)
    listed: list[tuple[int, ...]] = []
    counted = await jobs.cells(job.id)
    if job.kept_all or counted is None:
        while len(listed) < job.kept:
            listed += (await jobs.solutions(job.id, len(listed), AT_ONCE)).solutions
    searched = None
    if not job.kept_all and (listed or counted is not None):
        with suppress(Problem):
            searched = await aside_of(request).clues(job.request["puzzle"], job.request["number"])
    view = await asyncio.to_thread(_view, puzzle, listed, job.kept_all, counted, searched)
    _known[job.id] = view
    if len(_known) > REMEMBERED:
        _known.popitem(last=False)
    return view


def _view(
    puzzle: Puzzle,
    listed: list[tuple[int, ...]],
    is_all: bool,
    counted: Mapping[str, Any] | None,
    searched: list[tuple[int, int]] | None,
) -> MapView:
    if counted is not None and not is_all:
        cells = ({int(x): int(n) for x, n in cell.items()} for cell in counted["cells"])
        found = of_counts(int(counted["total"]), cells)
    elif listed:
        found = of_solutions(listed, is_all)
    else:
        return MapView("", "There is no solution to draw it from.", [], "", "")
    best = (
        extra_clues(listed, BUDGET)
        if is_all
        else None
        if searched is None
        else Clues(tuple(searched), len(searched) <= 1)
    )
    clues, words = _clues(puzzle, found, best)
    return MapView(
        ambiguity_map(puzzle, found, clues),
        _total(found, counted is not None and not is_all),
        [_open_cell(puzzle, found, v) for v in found.open_cells],
        words,
        _with_clues(puzzle, clues) if clues else "",
        len(clues) == 1,
        puzzle.drawing is not None and puzzle.drawing.board,
        found.exact,
    )


def _total(found: Ambiguity, is_counted: bool) -> str:
    if not found.exact:
        return f"From {solutions(found.total)} that were kept; there may be more."
    how = "counted without listing them" if is_counted else "each of them listed"
    return f"Exact: from all {solutions(found.total)}, {how}."


def _open_cell(puzzle: Puzzle, found: Ambiguity, v: int) -> OpenCell:
    counts = sorted(found.cells[v].items())
    shares = [(x, grouped(n), n / found.total) for x, n in counts]
    return OpenCell(puzzle.names[v], in_words(found.cells[v], found.total), shares)


def _clues(puzzle: Puzzle, found: Ambiguity, best: Clues | None) -> tuple[dict[int, int], str]:
    """The clues to add, and a sentence about them."""
    if best is None:
        rarest = found.rarest
        if rarest is None or not found.exact:
            return {}, "No clues that make it unique were found in time."
        v, x, left = rarest
        clue = f"{puzzle.names[v]} = {x}"
        return {v: x}, f"The clue that helps most is {clue}: it leaves {solutions(left)} of {grouped(found.total)}."
    if not best.clues:
        return {}, "The puzzle is unique as it is: no clue is missing."
    names = ", ".join(f"{puzzle.names[v]} = {x}" for v, x in best.clues)
    count = len(best.clues)
    proof = (
        "No smaller set does."
        if best.is_smallest
        else "It is the smallest that was found; that none is smaller is not shown."
    )
    return dict(
        best.clues
    ), f"{plural(count, 'extra clue')} make{'s' if count == 1 else ''} it unique: {names}. {proof}"


def _with_clues(puzzle: Puzzle, clues: Mapping[int, int]) -> str:
    """The puzzle with these cells given, in its family's own words where it has one."""
    family = puzzle.family
    if isinstance(family, Sudoku | Latin):
        n = family.size
        grid = tuple(tuple(clues.get(r * n + c, x) for c, x in enumerate(row)) for r, row in enumerate(family.grid))
        return to_toml(replace(family, grid=grid).puzzle(puzzle.name))
    if isinstance(family, Queens):
        placed = dict(family.placed) | {v + 1: x for v, x in clues.items()}
        return to_toml(replace(family, placed=placed).puzzle(puzzle.name))
    return to_toml(with_clues(puzzle, list(clues.items())))
