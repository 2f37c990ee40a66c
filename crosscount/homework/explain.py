"""One case in plain text: the verdict, the evidence, what was read, and the smallest puzzle that shows it."""

from collections.abc import Iterable, Sequence

from crosscount.compare.gate_difference import side_by_side
from crosscount.homework.boards import board_text
from crosscount.homework.results import Board, CaseResult, Small, Verdict, shown_points

FEW = 5
"""Lines of evidence about a small puzzle: the first ones say it."""


def case_text(case: CaseResult) -> str:
    """All that a student needs to see why."""
    lines = [headline(case), *_indented(case.evidence)]
    if len(case.parts) > 1 and case.verdict is not Verdict.PASSED:
        lines += [f"  {part.ask}: {part.verdict}, {_of(part.points, part.most)}" for part in case.parts]
    lines += [f"  read from {line}" for line in case.read]
    if case.verdict is not Verdict.PASSED and case.expected:
        lines += [f"  expected: {case.expected}", f"  actual: {case.actual}"]
    lines += [f"  note: {note}" for note in case.notes]
    if case.boards and case.small is None:
        lines += ["", *_indented(drawn(case.boards).splitlines())]
    if case.drawing:
        lines += ["", *_indented(case.drawing.splitlines())]
    if case.small is not None:
        lines += ["", *small_lines(case.small)]
    return "\n".join(lines)


def headline(case: CaseResult) -> str:
    """The verdict and the points."""
    return f"{case.case}: {case.verdict}, {_of(case.points, case.most)}"


def small_lines(small: Small) -> list[str]:
    """The smallest failing puzzle, and how to see it again."""
    how = "The smallest puzzle that shows it" if small.is_minimal else "As small as it got in the time"
    lines = [f"{how}: {small.size}"]
    lines += _indented(drawn(small.boards).splitlines() if small.boards else small.text.splitlines())
    lines += [f"  expected: {small.expected}", f"  actual: {small.actual}"]
    lines += _indented(small.evidence[:FEW])
    return [*lines, "  To see it again, beside the program:", f"    {small.command}"]


def drawn(boards: Sequence[Board]) -> str:
    """Boards beside each other, where they fit."""
    blocks = []
    for board in boards:
        title, _, rows = board_text(board).partition("\n")
        blocks.append((title, rows))
    return side_by_side(blocks)


def _of(points: float, most: float) -> str:
    return f"{shown_points(points)} of {shown_points(most)} points"


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {row}".rstrip() for line in lines for row in line.splitlines() or [""]]
