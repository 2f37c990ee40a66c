"""Puzzles as SVG for a page: grids with their regions, boards, plain lists.

Colours come from the page's stylesheet by class, so that one drawing serves light, dark and paper. Nothing has an
inline style: the content security policy forbids it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import ceil, sqrt

from crosscount.puzzles.puzzle import Puzzle

UNIT = 40
"""The side of a cell."""
EDGE, INSET = 2, 3
LIST_WIDTH, LIST_COLUMNS = 152, 2
HEATS = 8
"""Shades of the heat map, from 1; a cell without one is certain."""
MOST_MARKS = 5000
"""Beyond so many pencil marks a grid is drawn without: nobody could read them."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one cell is shown."""

    text: str = ""
    style: str = ""
    """Classes for the stylesheet: given, found, broken, differs, current, heat-3."""
    marks: Mapping[int, float] = field(default_factory=dict)
    """Small values, with how strong each is shown, from 0 to 1."""
    title: str = ""
    tallies: Mapping[int, str] = field(default_factory=dict)
    """On a board: what to write into the square of a value."""


def values_of(
    puzzle: Puzzle, solution: Sequence[int] | None = None, styles: Mapping[int, str] | None = None
) -> list[Look]:
    """The givens, or a solution in which the givens stand out; `styles` adds classes to some cells."""
    looks = []
    for v, domain in enumerate(puzzle.domains):
        given = len(domain) == 1
        value = domain[0] if given and solution is None else None if solution is None else solution[v]
        style = "given" if given else "found"
        if styles is not None and v in styles:
            style += f" {styles[v]}"
        looks.append(Look("" if value is None else str(value), style))
    return looks


def draw(puzzle: Puzzle, looks: Sequence[Look], label: str, slots: bool = False, small: bool = False) -> str:
    """The SVG. With `slots` every value of every open cell gets an element that the replay can switch on."""
    drawing = puzzle.drawing
    slots = slots and sum(map(len, puzzle.domains)) <= MOST_MARKS
    if drawing is not None and drawing.board:
        body, width, height = _board(puzzle, looks)
        kind = "board"
    elif drawing is not None and drawing.is_grid and drawing.rows * drawing.columns == len(looks):
        body, width, height = _grid(puzzle, looks, slots)
        kind = "grid"
    else:
        body, width, height = _list(puzzle, looks, slots)
        kind = "list"
    size = " small" if small else ""
    return (
        f'<svg class="puzzle {kind}{size}" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}">'
        f"{body}</svg>"
    )


def spoken(puzzle: Puzzle, values: Iterable[int | None]) -> str:
    """The grid for somebody who listens: row after row."""
    drawing = puzzle.drawing
    words = ["blank" if value is None else str(value) for value in values]
    if drawing is not None and drawing.is_grid and drawing.columns:
        rows = [words[i : i + drawing.columns] for i in range(0, len(words), drawing.columns)]
        return "; ".join(f"row {r}: {' '.join(row)}" for r, row in enumerate(rows, 1))
    return ", ".join(f"{name} {word}" for name, word in zip(puzzle.names, words, strict=True))


def spoken_givens(puzzle: Puzzle) -> str:
    return spoken(puzzle, (domain[0] if len(domain) == 1 else None for domain in puzzle.domains))


def _grid(puzzle: Puzzle, looks: Sequence[Look], slots: bool) -> tuple[str, int, int]:
    drawing = puzzle.drawing
    assert drawing is not None
    rows, columns = drawing.rows, drawing.columns
    largest = max((domain[-1] for domain in puzzle.domains if domain), default=1)
    places = _places(puzzle)
    cells = []
    for v, look in enumerate(looks):
        x, y = EDGE + v % columns * UNIT, EDGE + v // columns * UNIT
        cells.append(_cell(v, look, x, y, largest > 9))
        if slots and len(puzzle.domains[v]) > 1:
            cells.append(_slots(v, puzzle.domains[v], x, y, places))
        elif look.marks:
            cells.append(_marks(look.marks, x, y, places))
        cells.append("</g>")
    outlines = [
        f'<rect class="outline" x="{EDGE + v % columns * UNIT}" y="{EDGE + v // columns * UNIT}" '
        f'width="{UNIT}" height="{UNIT}"/>'
        for v, look in enumerate(looks)
        if "clue" in look.style
    ]
    width, height = columns * UNIT + 2 * EDGE, rows * UNIT + 2 * EDGE
    return "".join([*cells, _lines(rows, columns, drawing.regions), *outlines]), width, height


def _cell(v: int, look: Look, x: int, y: int, wide: bool) -> str:
    """The opening of a cell's group: its ground, its value; whoever calls this closes it."""
    size = " wide" if wide or len(look.text) > 1 else ""
    title = f"<title>{escape(look.title)}</title>" if look.title else ""
    return (
        f'<g class="cell {look.style}" data-cell="{v}">{title}'
        f'<rect x="{x}" y="{y}" width="{UNIT}" height="{UNIT}"/>'
        f'<text class="value{size}" x="{x + UNIT / 2:g}" y="{y + UNIT / 2:g}" dy=".36em">{escape(look.text)}</text>'
    )


def _places(puzzle: Puzzle) -> dict[int, tuple[float, float]]:
    """Where in a cell each small value stands, as on paper: 1 2 3 above 4 5 6."""
    values = sorted({x for domain in puzzle.domains for x in domain})
    side = max(1, ceil(sqrt(len(values))))
    step = (UNIT - 2 * INSET) / side
    return {
        value: (INSET + (k % side + 0.5) * step, INSET + (k // side + 0.5) * step) for k, value in enumerate(values)
    }


def _mark_size(places: Mapping[int, tuple[float, float]]) -> str:
    side = ceil(sqrt(max(1, len(places))))
    return f"m{min(max(side, 2), 6)}"


def _marks(marks: Mapping[int, float], x: int, y: int, places: Mapping[int, tuple[float, float]]) -> str:
    size = _mark_size(places)
    return "".join(
        f'<text class="mark on {size}{" strong" if strength >= 0.5 else ""}" '
        f'fill-opacity="{0.82 + 0.18 * strength:.2f}" '
        f'x="{x + places[value][0]:g}" y="{y + places[value][1]:g}" dy=".36em">{value}</text>'
        for value, strength in marks.items()
    )


def _slots(v: int, domain: Sequence[int], x: int, y: int, places: Mapping[int, tuple[float, float]]) -> str:
    size = _mark_size(places)
    return "".join(
        f'<text class="mark {size}" data-of="{v}" data-value="{value}" '
        f'x="{x + places[value][0]:g}" y="{y + places[value][1]:g}" dy=".36em">{value}</text>'
        for value in domain
    )


def _lines(rows: int, columns: int, regions: Sequence[int]) -> str:
    """Thin lines between cells, thick ones between regions and around everything."""
    thin: list[str] = []
    thick: list[str] = []

    def region(r: int, c: int) -> int | None:
        if not (0 <= r < rows and 0 <= c < columns):
            return None
        return regions[r * columns + c] if regions else 0

    for r in range(rows):
        for c in range(columns + 1):
            line = f"M{EDGE + c * UNIT} {EDGE + r * UNIT}v{UNIT}"
            (thick if region(r, c - 1) != region(r, c) else thin).append(line)
    for r in range(rows + 1):
        for c in range(columns):
            line = f"M{EDGE + c * UNIT} {EDGE + r * UNIT}h{UNIT}"
            (thick if region(r - 1, c) != region(r, c) else thin).append(line)
    return f'<path class="thin" d="{"".join(thin)}"/><path class="thick" d="{"".join(thick)}"/>'


def _board(puzzle: Puzzle, looks: Sequence[Look]) -> tuple[str, int, int]:
    """A square for each value of each row; a queen stands where the value is."""
    assert puzzle.drawing is not None
    n = puzzle.drawing.columns
    parts = []
    for v, look in enumerate(looks):
        title = f"<title>{escape(look.title)}</title>" if look.title else ""
        parts.append(f'<g class="cell {look.style}" data-cell="{v}">{title}')
        parts += [_square(v, column, look) for column in range(1, n + 1)]
        parts.append("</g>")
    side = n * UNIT + 2 * EDGE
    frame = f'<rect class="frame" x="{EDGE}" y="{EDGE}" width="{n * UNIT}" height="{n * UNIT}"/>'
    return "".join(parts) + frame, side, side


def _square(v: int, column: int, look: Look) -> str:
    x, y = EDGE + (column - 1) * UNIT, EDGE + v * UNIT
    share = look.marks.get(column)
    shade = f" heat-{_heat(share)}" if share else ""
    on = " on" if look.text == str(column) else ""
    middle = f'x="{x + UNIT / 2:g}" y="{y + UNIT / 2:g}" dy=".36em"'
    drawn = (
        f'<rect class="{"dark" if (v + column) % 2 else "light"}{shade}" x="{x}" y="{y}" '
        f'width="{UNIT}" height="{UNIT}"/>'
        f'<circle class="dot" data-of="{v}" data-value="{column}" cx="{x + UNIT / 2:g}" cy="{y + UNIT / 2:g}" r="4"/>'
        f'<text class="queen{on}" data-of="{v}" data-value="{column}" {middle}>♛</text>'
    )
    if column in look.tallies:
        drawn += f'<text class="tally" {middle}>{escape(look.tallies[column])}</text>'
    return drawn


def _heat(share: float) -> int:
    return max(1, min(HEATS, ceil(share * HEATS)))


def heat_class(openness: float) -> str:
    """The class of a cell in the heat map; nothing where the cell is certain."""
    return f"heat-{_heat(openness)}" if openness > 0 else ""


def _list(puzzle: Puzzle, looks: Sequence[Look], slots: bool) -> tuple[str, int, int]:
    """Names with their values, in columns. The small values of a cell are one line of text."""
    columns = min(LIST_COLUMNS, max(1, len(looks)))
    parts = []
    for v, look in enumerate(looks):
        x, y = EDGE + v % columns * LIST_WIDTH, EDGE + v // columns * UNIT
        name = puzzle.names[v]
        title = look.title or name
        shown = name if len(name) <= 14 else f"{name[:13]}…"
        parts.append(
            f'<g class="cell {look.style}" data-cell="{v}"><title>{escape(title)}</title>'
            f'<rect x="{x}" y="{y}" width="{LIST_WIDTH}" height="{UNIT}"/>'
            f'<text class="name" x="{x + 8}" y="{y + 15}">{escape(shown)}</text>'
            f'<text class="value" x="{x + LIST_WIDTH - 22}" y="{y + UNIT / 2:g}" dy=".36em">{escape(look.text)}</text>'
        )
        domain = puzzle.domains[v]
        if slots and 1 < len(domain) <= 12:
            parts += [
                f'<text class="mark m6" data-of="{v}" data-value="{value}" x="{x + 12 + k * 10}" y="{y + 31}">'
                f"{value}</text>"
                for k, value in enumerate(domain)
            ]
        elif look.marks:
            words = " ".join(str(value) for value in list(look.marks)[:10])
            parts.append(f'<text class="marks" x="{x + 8}" y="{y + 31}">{escape(words)}</text>')
        parts.append("</g>")
    rows = max(1, ceil(len(looks) / columns))
    return "".join(parts), columns * LIST_WIDTH + 2 * EDGE, rows * UNIT + 2 * EDGE
