"""Grids for people, with what is wrong in them marked."""

from collections.abc import Collection, Sequence

from crosscount.homework.results import Board
from crosscount.puzzles.puzzle import Puzzle


def puzzle_board(puzzle: Puzzle, title: str = "the puzzle") -> Board | None:
    """The givens; None for what is no grid."""
    return _board(puzzle, title, [d[0] if len(d) == 1 else None for d in puzzle.domains], {})


def answer_board(puzzle: Puzzle, title: str, answer: Sequence[int]) -> Board | None:
    """An answer; cells of broken rows, columns and boxes that hold a value twice are wrong, changed givens changed."""
    marks: dict[int, str] = {}
    for violation in puzzle.violated(answer):
        cells = violation.cells
        if len(cells) == 1:
            domain = puzzle.domains[cells[0]]
            marks[cells[0]] = "changed" if len(domain) == 1 else "wrong"
            continue
        values = [answer[v] for v in cells]
        for v in cells:
            if values.count(answer[v]) > 1:
                marks.setdefault(v, "wrong")
    return _board(puzzle, title, [value or None for value in answer], marks)


def solution_board(
    puzzle: Puzzle, title: str, solution: Sequence[int], nearest: Sequence[int] | None = None
) -> Board | None:
    """A right solution, and where it differs from the nearest that the student has."""
    marks = {} if nearest is None else {v: "differs" for v, x in enumerate(solution) if x != nearest[v]}
    return _board(puzzle, title, list(solution), marks)


def nearest(solution: Sequence[int], others: Collection[tuple[int, ...]]) -> tuple[int, ...] | None:
    """The one with the fewest different cells."""
    return min(
        others, key=lambda other: (sum(a != b for a, b in zip(solution, other, strict=True)), other), default=None
    )


def boards(*found: Board | None) -> tuple[Board, ...]:
    """Those that there are."""
    return tuple(board for board in found if board is not None)


def _board(puzzle: Puzzle, title: str, values: Sequence[int | None], marks: dict[int, str]) -> Board | None:
    drawing = puzzle.drawing
    if drawing is None or not drawing.is_grid:
        return None
    shown = []
    for v, value in enumerate(values):
        is_given = len(puzzle.domains[v]) == 1
        shown.append(marks.get(v) or ("given" if is_given else "blank" if value is None else ""))
    texts = tuple("" if value is None else str(value) for value in values)
    return Board(title, drawing.columns, texts, tuple(shown), drawing.regions)


def board_text(board: Board) -> str:
    """For a terminal: a star behind what is marked as wrong, changed or different."""
    width = max((len(value) for value in board.values), default=1) or 1
    lines = [board.title]
    for start in range(0, len(board.values), board.columns):
        if start and _ruled(board, start):
            lines.append("")
        cells = []
        for v in range(start, start + board.columns):
            if v > start and board.regions and board.regions[v] != board.regions[v - 1]:
                cells.append("│")
            star = "*" if board.marks[v] in ("wrong", "changed", "differs") else " "
            cells.append((board.values[v] or ".").rjust(width) + star)
        lines.append("".join(cells).rstrip())
    return "\n".join(lines)


def _ruled(board: Board, start: int) -> bool:
    above = start - board.columns
    return bool(board.regions) and any(
        board.regions[v] != board.regions[v + board.columns] for v in range(above, start)
    )
