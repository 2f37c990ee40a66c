"""A searched tree as SVG, for print: squares for max, circles for min, pruned branches struck through."""

import math
from dataclasses import dataclass
from html import escape

from crosscount.compare.tree_view import TreeView
from crosscount.puzzles.gametree import show_value

LARGE = 150
"""From so many leaves on, what a cutoff skips is drawn as one triangle with the number of its leaves."""
SLOT, MARGIN, HEAD, NODE = 26.0, 24.0, 44.0, 13.0
BLUE, RED, ORANGE, GREY, INK = "#1257a8", "#c0271d", "#c96a00", "#9a9a9a", "#1a1a1a"
STYLE = f"""
text {{ font: 12px 'DejaVu Sans', Arial, sans-serif; text-anchor: middle; fill: {INK} }}
.edge {{ stroke: {INK}; stroke-width: 1; fill: none }}
.node {{ fill: #fff; stroke: {INK}; stroke-width: 1.2 }}
.line {{ stroke: {BLUE}; stroke-width: 3 }}
text.line {{ fill: {BLUE}; font-weight: bold; stroke: none }}
.cut {{ stroke: {GREY}; stroke-dasharray: 3 3 }}
.strike {{ stroke: {RED}; stroke-width: 2 }}
.gone {{ fill: {GREY} }}
.window {{ font-size: 10px; fill: {RED} }}
.name {{ font-size: 9px; fill: #555 }}
.wrong {{ fill: none; stroke: {RED}; stroke-width: 2.5 }}
.needless {{ fill: none; stroke: {ORANGE}; stroke-width: 2 }}
.title {{ font-size: 14px; text-anchor: start }}
.legend {{ font-size: 11px; text-anchor: start }}
.paper {{ fill: #fff }}
"""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the nodes that are drawn stand."""

    x: dict[int, float]
    y: dict[int, float]
    folded: dict[int, int]
    """The first of the branches that a triangle stands for, with the number of all their leaves."""
    width: float
    height: float


def to_svg(view: TreeView) -> str:
    """The picture as a text that any browser shows and prints."""
    tree = view.tree
    place = lay_out(view)
    crowded = len(place.x) > 4 * LARGE
    parts = [_edge(view, place, node) for node in place.x if node]
    for node in place.x:
        # A page that plays the search finds a node by its number.
        parts.append(f'<g class="at" data-node="{node}">')
        if node in place.folded:
            parts.append(_triangle(place, node))
        elif tree.values[node] is None:
            parts.append(_inner(view, place, node))
        else:
            parts.append(_leaf(view, place, node))
        parts.append("</g>")
        if not crowded:
            parts.append(_names(view, place, node))
    parts += [_window(view, place, node) for node in view.cutoffs if node in place.x]
    parts += [_ring(place, node, "needless") for node in view.needless if node in place.x]
    parts += [_ring(place, node, "wrong") for node in view.faults if node in place.x]
    legend = _legend(view, place)
    width, height = (
        max(place.width, 6.4 * len(legend) + 2 * MARGIN, 8.2 * len(view.title) + 2 * MARGIN),
        place.height + 34,
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" role="img">',
            f"<title>{escape(view.title)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="paper" width="{width:g}" height="{height:g}"/>',
            f'<text class="title" x="{MARGIN:g}" y="20">{escape(view.title)}</text>',
            *filter(None, parts),
            f'<text class="legend" x="{MARGIN:g}" y="{place.height + 14:g}">{escape(legend)}</text>',
            "</svg>",
            "",
        ]
    )


def lay_out(view: TreeView) -> Layout:
    """Leaves side by side, a little apart where their parents differ; parents over the middle of their children."""
    tree = view.tree
    fold = len(tree.leaves()) > LARGE
    widest = max(len(view.text(leaf)) for leaf in tree.leaves())
    slot = 6.5 * widest + 6 if fold else max(SLOT, 7.5 * widest + 8)
    x: dict[int, float] = {}
    depth: dict[int, int] = {}
    folded: dict[int, int] = {}
    at, before, node = MARGIN + slot / 2, -1, 0
    while node < len(tree):
        above = tree.parent[node]
        depth[node] = 0 if above < 0 else depth[above] + 1
        stop = _skipped_to(view, node) if fold else node
        if stop > node:
            folded[node] = len([k for k in range(node, stop) if tree.values[k] is not None])
        elif tree.values[node] is not None:
            stop = node + 1
        if stop > node:
            at += 0.0 if before in (-1, above) else slot * 0.35
            x[node], before = at, above
            at += slot
            node = stop
        else:
            x[node] = math.nan
            node += 1
    first: dict[int, float] = {}
    last: dict[int, float] = {}
    for node in sorted(x, reverse=True):
        if math.isnan(x[node]):
            x[node] = (first[node] + last[node]) / 2
        above = tree.parent[node]
        first[above] = x[node]
        last.setdefault(above, x[node])
    width = at - slot / 2 + MARGIN
    deepest = max(depth.values())
    # A wide tree gets steeper levels: lines that are almost level cannot be told apart.
    level = min(max(72.0, width / (5 * max(deepest, 1))), 260.0)
    y = {node: HEAD + NODE + 8 + level * depth[node] for node in x}
    return Layout(x, y, folded, width, HEAD + 2 * NODE + 26 + level * deepest)


def _skipped_to(view: TreeView, node: int) -> int:
    """The end of the skipped siblings that start here; the node itself where there is no more than a leaf to fold."""
    tree, above, stop = view.tree, view.tree.parent[node], node
    if above < 0 or not view.is_cut(node):
        return node
    while stop < tree.end[above] and not view.entered[stop]:
        stop = tree.end[stop]
    if stop == node + 1 or any(node <= fault < stop for fault in view.faults):
        return node
    return stop


def _edge(view: TreeView, place: Layout, node: int) -> str:
    above = view.tree.parent[node]
    x1, y1, x2, y2 = place.x[above], place.y[above] + NODE, place.x[node], place.y[node] - NODE + 3
    kind = "edge line" if node in view.line else "edge" if view.entered[node] else "edge cut"
    drawn = f'<path class="{kind}" data-node="{node}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'
    if not view.is_cut(node):
        return drawn
    # The strike crosses the edge at a right angle, two thirds of the way down, where edges have fanned out.
    mx, my = x1 + (x2 - x1) * 0.66, y1 + (y2 - y1) * 0.66
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = 6 * (y2 - y1) / length, -6 * (x2 - x1) / length
    return (
        drawn
        + f'<path class="strike" data-node="{node}" d="M{mx - dx:.1f} {my - dy:.1f}L{mx + dx:.1f} {my + dy:.1f}"/>'
    )


def _inner(view: TreeView, place: Layout, node: int) -> str:
    x, y, text = place.x[node], place.y[node], view.text(node)
    half = max(NODE, 3.8 * len(text) + 4)
    style = "node line" if node in view.line else "node" if view.entered[node] else "node cut"
    if view.tree.maximises[node]:
        shape = (
            f'<rect class="{style}" x="{x - half:.1f}" y="{y - NODE:.1f}" width="{2 * half:g}" height="{2 * NODE:g}"/>'
        )
    else:
        shape = f'<ellipse class="{style}" cx="{x:.1f}" cy="{y:.1f}" rx="{half:g}" ry="{NODE:g}"/>'
    return shape + (_text(x, y, text, "") if text else "")


def _leaf(view: TreeView, place: Layout, node: int) -> str:
    style = "line" if node in view.line else "" if view.entered[node] else "gone"
    return _text(place.x[node], place.y[node], view.text(node), style)


def _triangle(place: Layout, node: int) -> str:
    x, y, n = place.x[node], place.y[node] - NODE + 3, place.folded[node]
    shape = f'<path class="node cut" d="M{x:.1f} {y:.1f}l-11 20h22z"/>'
    return shape + _text(x, y + 27, f"{n}", "gone")


def _names(view: TreeView, place: Layout, node: int) -> str:
    tree, x, y = view.tree, place.x[node], place.y[node]
    name = ""
    if node in tree.names and node not in place.folded:
        below = 12 if tree.values[node] is not None else -NODE - 9
        name = _on_white(x, y + below, tree.names[node], "name", 5.4)
    if node in tree.moves:
        above = tree.parent[node]
        middle = x + (place.x[above] - x) * 0.5, y + (place.y[above] - y) * 0.5
        name += _on_white(*middle, tree.moves[node], "name", 5.4)
    return name


def _window(view: TreeView, place: Layout, node: int) -> str:
    # One above the other: side by side they would run into those of the next node.
    x, y = place.x[node], place.y[node] + NODE
    alpha, beta = (show_value(end) for end in view.cutoffs[node])
    first = _on_white(x, y + 9, f"α={alpha}", "window", 5.9)  # noqa: RUF001 - the Greek letter is meant
    second = _on_white(x, y + 20, f"β={beta}", "window", 5.9)
    return f'<g class="at-cut">{first}{second}</g>'


def _ring(place: Layout, node: int, style: str) -> str:
    return f'<circle class="{style}" cx="{place.x[node]:.1f}" cy="{place.y[node]:.1f}" r="17"/>'


def _on_white(x: float, y: float, words: str, style: str, letter: float) -> str:
    """Words that lie over edges, on a white ground so that they can be read; `letter` is the width of one."""
    width = letter * len(words) + 2
    ground = f'<rect class="paper" x="{x - width / 2:.1f}" y="{y - 6:.1f}" width="{width:.1f}" height="12"/>'
    return ground + _text(x, y, words, style)


def _text(x: float, y: float, words: str, style: str) -> str:
    named = f' class="{style}"' if style else ""
    # A shift in em centres the text in every renderer; dominant-baseline does so in some.
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" dy=".35em">{escape(words)}</text>'


def _legend(view: TreeView, place: Layout) -> str:
    items = [
        "□ max   ○ min",
        "bold blue: the chosen line",
        "struck through: pruned",
        "≤ ≥: what the visited leaves prove",
    ]
    if place.folded:
        items.append("triangle: so many leaves, none visited")
    if view.needless:
        items.append("orange ring: need not be visited")
    if view.faults:
        items.append("red ring: wrong")
    return "   ·   ".join(items)
