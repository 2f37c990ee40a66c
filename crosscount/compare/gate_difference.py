"""Where a claim and the facts part: the grids that show it, side by side, as plain text."""

from collections.abc import Sequence

from crosscount.compare.gate_claim import Claim
from crosscount.compare.gate_result import Facts
from crosscount.puzzles.draw import draw
from crosscount.puzzles.puzzle import Puzzle

WIDEST = 100
MOST_CELLS = 12
"""Cells that are named one by one; of more there is only the number."""

Block = tuple[str, str]
"""A heading and what stands below it."""


def refuted(puzzle: Puzzle, claim: Claim, facts: Facts) -> str:
    """The grids that show why this claim does not hold, as far as a few grids can."""
    blocks = [("the puzzle", draw(puzzle))]
    if facts.findings:
        witness = facts.findings[0].witness
        verbs = {"missing": "lacks", "duplicate": "repeats", "invalid": "reports"}
        if witness is not None and len(witness) == len(puzzle.domains):
            verb = verbs.get(facts.findings[0].kind, "differs on")
            blocks.append((f"{facts.findings[0].engine} {verb}", draw(puzzle, witness)))
        return side_by_side(blocks)
    if facts.unlisted is not None:
        nearest = min(claim.solutions, key=lambda row: _distance(row, facts.unlisted), default=None)
        if nearest is None:
            return side_by_side([*blocks, ("a solution that is not listed", draw(puzzle, facts.unlisted))])
        blocks += [("listed", draw(puzzle, nearest)), ("not listed", draw(puzzle, facts.unlisted))]
        return f"{side_by_side(blocks)}\n{_differ(puzzle, nearest, facts.unlisted)}"
    if len(facts.examples) < 2:
        blocks += [("a solution", draw(puzzle, row)) for row in facts.examples]
        return side_by_side(blocks)
    one, other = facts.examples[:2]
    blocks += [("one solution", draw(puzzle, one)), ("another", draw(puzzle, other))]
    return f"{side_by_side(blocks)}\n{_differ(puzzle, one, other)}"


def no_solution(puzzle: Puzzle, listed: Sequence[int]) -> str:
    """A listed solution that is none."""
    return side_by_side([("the puzzle", draw(puzzle)), ("listed as a solution", draw(puzzle, listed))])


def side_by_side(blocks: Sequence[Block]) -> str:
    """Blocks in columns where they fit, below each other where they do not."""
    columns = [[title, *text.split("\n")] for title, text in blocks]
    widths = [max(map(len, column)) for column in columns]
    if sum(widths) + 3 * len(widths) > WIDEST:
        return "\n\n".join("\n".join(column) for column in columns)
    lines = []
    for i in range(max(map(len, columns))):
        cells = [column[i] if i < len(column) else "" for column in columns]
        lines.append("   ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())
    return "\n".join(lines)


def _distance(one: Sequence[int], other: Sequence[int] | None) -> int:
    return sum(a != b for a, b in zip(one, other or (), strict=False))


def _differ(puzzle: Puzzle, one: Sequence[int], other: Sequence[int]) -> str:
    cells = [v for v in range(len(one)) if one[v] != other[v]]
    named = ", ".join(f"{puzzle.names[v]} ({one[v]}, {other[v]})" for v in cells[:MOST_CELLS])
    more = f" and {len(cells) - MOST_CELLS} more cells" if len(cells) > MOST_CELLS else ""
    return f"They differ in {named}{more}."
