"""Game trees out, for Graphviz and back into JSON."""

import json

from crosscount.puzzles.gametree import GameTree, show_value


def to_dot(tree: GameTree) -> str:
    """The tree for Graphviz: boxes for max, circles for min, plain numbers for leaves, moves on the edges."""
    lines = ["digraph tree {", "  ordering=out; edge [arrowhead=none];"]
    for node, value in enumerate(tree.values):
        name = tree.names.get(node)
        shape = "plaintext" if value is not None else "box" if tree.maximises[node] else "circle"
        words = [word for word in (name, None if value is None else show_value(value)) if word is not None]
        lines.append(f"  n{node} [shape={shape}, label={_quoted(chr(10).join(words))}];")
        if node:
            move = f" [label={_quoted(tree.moves[node])}]" if node in tree.moves else ""
            lines.append(f"  n{tree.parent[node]} -> n{node}{move};")
    return "\n".join([*lines, "}", ""])


def to_json(tree: GameTree) -> str:
    """The tree as nested lists, or as objects where it has names, named moves or movers out of turn."""
    plain = not tree.names and not tree.moves
    turns = all(tree.maximises[i] != tree.maximises[tree.parent[i]] for i in range(1, len(tree)) if not _leaf(tree, i))
    if not (plain and turns and tree.maximises[0]):
        return _objects(tree)
    parts: list[str] = []
    closing: list[int] = []
    for node, value in enumerate(tree.values):
        while closing and closing[-1] == node:
            parts.append("]")
            closing.pop()
        if node and node != tree.parent[node] + 1:
            parts.append(", ")
        if value is None:
            parts.append("[")
            closing.append(tree.end[node])
        else:
            parts.append(_number(tree, node))
    return "".join(parts) + "]" * len(closing) + "\n"


def _objects(tree: GameTree) -> str:
    parts: list[str] = []
    closing: list[int] = []
    for node, value in enumerate(tree.values):
        while closing and closing[-1] == node:
            parts.append("]}")
            closing.pop()
        if node and node != tree.parent[node] + 1:
            parts.append(",\n")
        fields = [
            f'"{key}": {json.dumps(table[node])}'
            for key, table in (("name", tree.names), ("move", tree.moves))
            if node in table
        ]
        if value is None:
            fields.append(f'"mover": "{"max" if tree.maximises[node] else "min"}"')
            parts.append("{" + ", ".join([*fields, '"children": [']))
            closing.append(tree.end[node])
        else:
            parts.append("{" + ", ".join([*fields, f'"value": {_number(tree, node)}']) + "}")
    return "".join(parts) + "]}" * len(closing) + "\n"


def _leaf(tree: GameTree, node: int) -> bool:
    return tree.values[node] is not None


def _number(tree: GameTree, node: int) -> str:
    value = tree.values[node]
    if value in (float("inf"), float("-inf")):
        return '"inf"' if value == float("inf") else '"-inf"'
    return repr(value)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
