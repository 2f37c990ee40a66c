"""The puzzle of a job drawn in every way that a page shows it: givens, solutions, findings, the map of ambiguity."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crosscount.compare.ambiguity import Ambiguity
from crosscount.puzzles.constraints import AllDifferent
from crosscount.puzzles.puzzle import Puzzle
from crosscount.service.draw import Look, draw, heat_class, spoken, spoken_givens, values_of

MOST_VALUES = 12
"""Of one cell in a sentence or as small values; the table has them all."""


@dataclass(frozen=True, slots=True)
class FindingView:
    """Something wrong, with the grid that shows it."""

    kind: str
    engine: str
    because: str
    svg: str
    caption: str


def givens(puzzle: Puzzle) -> str:
    return draw(puzzle, values_of(puzzle), f"The puzzle. {spoken_givens(puzzle)}")


def solution(puzzle: Puzzle, values: Sequence[int], label: str, styles: Mapping[int, str] | None = None) -> str:
    return draw(puzzle, values_of(puzzle, values, styles), f"{label}. {spoken(puzzle, values)}", small=True)


def flat(witness: Iterable[Any]) -> list[int]:
    """A solution as the JSON has it, rows or not, as one list."""
    found: list[int] = []
    for part in witness:
        found += [int(x) for x in part] if isinstance(part, list) else [int(part)]
    return found


def broken_cells(puzzle: Puzzle, values: Sequence[int]) -> dict[int, str]:
    """A class for each cell that helps to see what is wrong: `broken` where it is, `inside` for the rest of a rule."""
    styles: dict[int, str] = {}
    for constraint in puzzle.constraints:
        held = [values[v] for v in constraint.scope]
        if constraint.holds(held):
            continue
        for v, x in zip(constraint.scope, held, strict=True):
            guilty = not isinstance(constraint, AllDifferent) or held.count(x) > 1
            if guilty or v not in styles:
                styles[v] = "broken" if guilty else "inside"
    for v, (x, domain) in enumerate(zip(values, puzzle.domains, strict=True)):
        if x not in domain:
            styles[v] = "broken"
    return styles


def finding(puzzle: Puzzle, found: Mapping[str, Any], others: Sequence[Sequence[int]]) -> FindingView:
    """A finding of a comparison; `others` are solutions that are known, to show how a missing one differs."""
    if found["witness"] is None:
        return FindingView(found["kind"], found["engine"], found["because"], "", "")
    values = flat(found["witness"])
    styles = broken_cells(puzzle, values)
    caption = f"What {found['engine']} reports; the cells that break a rule are marked."
    if not styles:
        nearest = min(
            (other for other in others if list(other) != values),
            key=lambda other: sum(a != b for a, b in zip(other, values, strict=True)),
            default=None,
        )
        if nearest is not None:
            styles = {v: "differs" for v, x in enumerate(values) if x != nearest[v]}
        verb = {"missing": "lacks", "duplicate": "repeats"}.get(found["kind"], "differs on")
        also = "; marked: where the nearest other solution differs" if styles else ""
        caption = f"The solution that {found['engine']} {verb}{also}."
    marked = ", ".join(puzzle.names[v] for v, style in sorted(styles.items()) if style != "inside")
    svg = solution(puzzle, values, f"{caption} Marked: {marked or 'nothing'}", styles)
    return FindingView(found["kind"], found["engine"], found["because"], svg, caption)


def answer(puzzle: Puzzle, values: Sequence[int]) -> str:
    """An answer that was checked, what is broken in colour."""
    return solution(puzzle, values, "The answer", broken_cells(puzzle, values))


def ambiguity_map(puzzle: Puzzle, found: Ambiguity, clues: Mapping[int, int]) -> str:
    """The heat map: the more values a cell has among the solutions, the warmer. Extra clues are framed."""
    if puzzle.drawing is not None and puzzle.drawing.board:
        return _board_map(puzzle, found)
    looks = []
    always = "always" if found.exact else "in all of these"
    for v, counts in enumerate(found.cells):
        given = len(puzzle.domains[v]) == 1
        if len(counts) == 1 or given:
            value = next(iter(counts), puzzle.domains[v][0] if given else None)
            style = "given" if given else "found certain"
            looks.append(Look("" if value is None else str(value), style, {}, f"{puzzle.names[v]}: {always} {value}"))
            continue
        shares = {x: n / found.total for x, n in counts.items()} if found.total else {}
        style = f"open {heat_class(found.openness(v))}" + (" clue" if v in clues else "")
        looks.append(Look("", style, shares, f"{puzzle.names[v]}: {in_words(counts, found.total)}"))
    return draw(puzzle, looks, _map_label(puzzle, found))


def _map_label(puzzle: Puzzle, found: Ambiguity) -> str:
    return f"Ambiguity map: {len(found.open_cells)} of {len(puzzle.domains)} cells differ between solutions"


def _board_map(puzzle: Puzzle, found: Ambiguity) -> str:
    """On a board every square has its own number: how many solutions have a queen there."""
    most = max((n for counts in found.cells for n in counts.values()), default=1)
    looks = [
        Look(
            marks={x: n / most for x, n in counts.items()},
            tallies={x: short(n) for x, n in counts.items()},
            title=f"{puzzle.names[v]}: {in_words(counts, found.total)}",
        )
        for v, counts in enumerate(found.cells)
    ]
    return draw(puzzle, looks, _map_label(puzzle, found))


def short(number: int) -> str:
    """At most four characters: 724, 14k, 2M."""
    for power, letter in ((12, "T"), (9, "G"), (6, "M"), (3, "k")):
        if number >= 10 ** (power + 1) or (power > 3 and number >= 10**power):
            return f"{number // 10**power}{letter}"
    return str(number)


def in_words(counts: Mapping[int, int], total: int) -> str:
    """`1 in 3, 6 in 1 of 4 solutions`, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    words = ", ".join(f"{x} in {n:,}" for x, n in ordered[:MOST_VALUES])
    more = f" and {len(ordered) - MOST_VALUES} more values" if len(ordered) > MOST_VALUES else ""
    return f"{words}{more} of {total:,} solutions" if counts else "no value in any solution"
