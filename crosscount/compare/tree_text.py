"""A searched tree for the terminal: a line for each node, leaves beside their parent, pruned branches marked."""

from crosscount.compare.tree_view import TreeView
from crosscount.puzzles.gametree import show_value

MOST_LINES = 120
DEEPEST = 40
LEGEND = "✂ pruned   * the chosen line   ≤ ≥ what the visited leaves prove"


def to_lines(view: TreeView, most: int = MOST_LINES) -> list[str]:
    """The drawing, cut off after so many lines with a note of what is missing."""
    tree = view.tree
    lines: list[str] = []
    depth: list[int] = []
    last: list[bool] = []  # for each node on the way from the root: is it its parent's last child?
    node, left_out = 0, 0
    while node < len(tree):
        above = tree.parent[node]
        while depth and depth[-1] != above:
            depth.pop()
            last.pop()
        is_last = above < 0 or tree.end[node] == tree.end[above]
        stub, inline = _shape(view, node)
        if len(lines) >= most or len(depth) > DEEPEST:
            left_out += 1
        else:
            stem = "".join("   " if end else "│  " for end in last[1:])
            branch = "" if above < 0 else "└─ " if is_last else "├─ "
            lines.append(stem + branch + _words(view, node, inline))
        if stub:
            node = tree.end[node]
        else:
            depth.append(node)
            last.append(is_last)
            node += 1
    if left_out:
        lines.append(f"… {left_out} more nodes; --svg FILE draws all of them")
    return [*lines, LEGEND]


def _shape(view: TreeView, node: int) -> tuple[bool, bool]:
    """Whether nothing is drawn below this node, and whether that is because its leaves stand beside it."""
    tree = view.tree
    if tree.values[node] is not None or not view.entered[node]:
        return True, False
    inline = all(tree.values[child] is not None for child in tree.children(node))
    return inline, inline


def _words(view: TreeView, node: int, inline: bool) -> str:
    tree = view.tree
    move = f"{tree.moves[node]}: " if node in tree.moves else ""
    name = f"{tree.names[node]} " if node in tree.names else ""
    star = " *" if node in view.line else ""
    if tree.values[node] is not None:
        cut = "✂ " if not view.entered[node] else ""
        return f"{cut}{move}{name}{view.text(node)}{star}{_mark(view, node)}"
    if not view.entered[node]:
        count = len(tree.leaves(node))
        s = "leaf" if count == 1 else "leaves"
        return f"✂ {move}{name}pruned with {count} {s}{_mark(view, node)}"
    mover = "max" if tree.maximises[node] else "min"
    words = f"{move}{name}{mover} {view.text(node)}{star}"
    if inline:
        words += ": " + " ".join(_leaf(view, leaf) for leaf in tree.children(node))
    if node in view.cutoffs:
        alpha, beta = view.cutoffs[node]
        words += f"   (alpha {show_value(alpha)}, beta {show_value(beta)})"
    return words + _mark(view, node)


def _leaf(view: TreeView, leaf: int) -> str:
    name = view.tree.names.get(leaf)
    value = view.text(leaf) if name is None else f"{name}={view.text(leaf)}"
    cut = "" if view.entered[leaf] else "✂"
    star = "*" if leaf in view.line else ""
    return f"{cut}{value}{star}{_mark(view, leaf)}"


def _mark(view: TreeView, node: int) -> str:
    if node in view.faults:
        return " <- WRONG"
    return " (needless)" if node in view.needless else ""
