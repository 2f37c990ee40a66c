"""A puzzle or a solution as text for people: grids with their regions, boards, plain lists."""

from collections.abc import Callable, Sequence

from crosscount.puzzles.puzzle import Puzzle

BLANK = "."

Region = Callable[[int, int], int | None]
"""The region of the cell in a row and a column; None outside the grid."""

# Where lines meet, by which of (up, down, left, right) has one: bits 8, 4, 2, 1.
_JOINTS = " ╶╴─╷┌┐┬╵└┘┴│├┤┼"


def draw(puzzle: Puzzle, solution: Sequence[int] | None = None, boxes: bool = True) -> str:
    """The puzzle's givens, or a solution; lines without a final line end.

    With `boxes` a grid is framed, with lines between its regions, and queens stand on a board. Without, a grid is rows
    of values with single spaces, anything else one such row. A blank is `.` with `boxes` and 0 without, which is how
    plain files write it. A puzzle without a grid is drawn as `name = value` lines, or its values alone.
    """
    if solution is not None and len(solution) != len(puzzle.domains):
        raise ValueError(f"{len(solution)} values for {len(puzzle.domains)} cells")
    values = [d[0] if len(d) == 1 else None for d in puzzle.domains] if solution is None else list(solution)
    drawing = puzzle.drawing
    texts = [(BLANK if boxes else "0") if value is None else str(value) for value in values]
    if drawing is not None and drawing.is_grid and drawing.rows * drawing.columns == len(values):
        rows = [texts[r * drawing.columns : (r + 1) * drawing.columns] for r in range(drawing.rows)]
        if not boxes:
            return "\n".join(" ".join(row) for row in rows)
        return _framed(rows, drawing.regions or (0,) * len(values))
    if not boxes:
        return " ".join(texts)
    if drawing is not None and drawing.board:
        return "\n".join(" ".join(_board_row(value, drawing.columns)) for value in values)
    width = max(map(len, puzzle.names), default=0)
    lines = (f"{name:<{width}} = {text}" for name, text in zip(puzzle.names, texts, strict=True))
    if solution is not None:
        return "\n".join(lines)
    domains = (_values(domain) for domain in puzzle.domains)
    return "\n".join(f"{name:<{width}} : {domain}" for name, domain in zip(puzzle.names, domains, strict=True))


def _board_row(value: int | None, columns: int) -> list[str]:
    return ["Q" if value == column else BLANK for column in range(1, columns + 1)]


def _values(domain: tuple[int, ...]) -> str:
    if len(domain) > 2 and domain[-1] - domain[0] == len(domain) - 1:
        return f"{domain[0]} to {domain[-1]}"
    return ", ".join(map(str, domain)) or "nothing"


def _framed(rows: list[list[str]], regions: Sequence[int]) -> str:
    """Rows of cells with a line wherever two neighbours, or a cell and the outside, differ in region."""
    height, width = len(rows), len(rows[0])
    cell = max(len(text) for row in rows for text in row)

    def region(r: int, c: int) -> int | None:
        return regions[r * width + c] if 0 <= r < height and 0 <= c < width else None

    # A column of joints or bars is drawn only where some row has a line; the same for rules between rows.
    bars = [any(region(r, c - 1) != region(r, c) for r in range(height)) for c in range(width + 1)]
    rules = [any(region(r - 1, c) != region(r, c) for c in range(width)) for r in range(height + 1)]
    lines = []
    for r in range(height + 1):
        if rules[r]:
            lines.append(_rule(r, width, cell, bars, region))
        if r < height:
            line = ""
            for c in range(width + 1):
                if bars[c]:
                    line += "│" if region(r, c - 1) != region(r, c) else " "
                    line += " " if c < width else ""
                if c < width:
                    line += rows[r][c].rjust(cell) + " "
            lines.append(line.rstrip())
    return "\n".join(lines)


def _rule(r: int, width: int, cell: int, bars: list[bool], region: Region) -> str:
    line = ""
    for c in range(width + 1):
        # The four cells around the corner above left of cell (r, c).
        nw, ne, sw, se = region(r - 1, c - 1), region(r - 1, c), region(r, c - 1), region(r, c)
        up, down, left, right = nw != ne, sw != se, nw != sw, ne != se
        if bars[c]:
            line += _JOINTS[8 * up + 4 * down + 2 * left + right]
            line += ("─" if right else " ") if c < width else ""
        if c < width:
            line += ("─" if right else " ") * (cell + 1)
    return line.rstrip()
