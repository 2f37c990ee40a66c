"""A tree as a table of named nodes: {"root": "A", "nodes": {"A": {"children": ["B", "C"]}, "B": {"value": 3}, …}}.

Here, unlike in a nested file, a node can be named by two parents or by its own descendants; both are errors.
"""

from typing import Any

from crosscount.puzzles.errors import InputError, at
from crosscount.puzzles.gametree import GameTree, TreeBuilder, Value, parse_value

KEYS = ("children", "value", "mover")


def tree_from_table(table: Any, place: str, root_maximises: bool | None = None) -> GameTree:
    """The tree below the root of a parsed table; InputError where it is not a tree."""
    nodes = _nodes(table, place)
    builder = TreeBuilder(place)
    parent_of: dict[str, str | None] = {}
    # (name, node above, name above); None instead of a name closes the node in the middle.
    work: list[tuple[str | None, int, str | None]] = [(_root(table, nodes, place), -1, None)]
    while work:
        name, above, parent = work.pop()
        if name is None:
            builder.close(above)
            continue
        if name in parent_of:
            raise _met_again(name, parent, parent_of, place)
        parent_of[name] = parent
        row = nodes.get(name)
        if row is None:
            raise at(place, None, f"{parent} has a child {name!r} that is not in the table, expected one of its nodes")
        node = builder.add(above)
        builder.names[node] = name
        if "mover" in row:
            if row["mover"] not in ("max", "min"):
                raise at(place, None, f'node {name}: found mover {row["mover"]!r}, expected "max" or "min"')
            builder.movers[node] = row["mover"] == "max"
        if ("value" in row) == ("children" in row):
            found = "both a value and children" if "value" in row else "neither a value nor children"
            raise at(place, None, f"node {name}: found {found}, expected one of the two")
        if "value" in row:
            builder.values[node] = _value(row["value"], name, place)
        else:
            children = _children(row["children"], name, place)
            work.append((None, node, name))
            work.extend((child, node, name) for child in reversed(children))
    unseen = [name for name in nodes if name not in parent_of]
    if unseen:
        raise at(place, None, f"found {unseen[0]!r}, which no path from the root reaches, expected one tree")
    return builder.finish(root_maximises)


def _nodes(table: Any, place: str) -> dict[str, dict[str, Any]]:
    odd = sorted(set(table) - {"root", "nodes"})
    if odd:
        raise at(place, None, f"found the key {odd[0]!r} beside the table, expected root and nodes")
    nodes = table.get("nodes")
    if not isinstance(nodes, dict) or not nodes:
        raise at(place, None, '"nodes" is not a table, expected {"A": {"children": ["B"]}, "B": {"value": 3}}')
    for name, row in nodes.items():
        if not isinstance(row, dict):
            raise at(place, None, f'node {name}: found {row!r:.40}, expected {{"value": …}} or {{"children": […]}}')
        odd = sorted(set(row) - set(KEYS))
        if odd:
            raise at(place, None, f"node {name}: found the key {odd[0]!r}, expected one of {', '.join(KEYS)}")
    return nodes


def _root(table: Any, nodes: dict[str, dict[str, Any]], place: str) -> str:
    if "root" in table:
        if table["root"] not in nodes:
            raise at(place, None, f"the root {table['root']!r} is not in the table, expected one of its nodes")
        return str(table["root"])
    named = {child for row in nodes.values() for child in row.get("children", ()) if isinstance(child, str)}
    roots = [name for name in nodes if name not in named]
    if not roots:
        raise at(place, None, "found a cycle: every node is a child of another, expected one root")
    if len(roots) > 1:
        raise at(place, None, f"found {len(roots)} nodes without a parent ({', '.join(roots[:3])}), expected one root")
    return roots[0]


def _met_again(name: str, parent: str | None, parent_of: dict[str, str | None], place: str) -> InputError:
    line, step = [name], parent
    while step is not None:
        line.append(step)
        if step == name:
            return at(place, None, f"found a cycle: {' > '.join(reversed(line[-12:]))}, expected a tree")
        step = parent_of[step]
    first = parent_of[name]
    twice = f"{first} twice" if first == parent else f"both {first} and {parent}"
    return at(place, None, f"node {name}: found two parents: a child of {twice}, expected one")


def _children(children: Any, name: str, place: str) -> list[str]:
    if not isinstance(children, list) or not children or not all(isinstance(child, str) for child in children):
        raise at(place, None, f"node {name}: found children {children!r:.40}, expected a list of one or more names")
    return children


def _value(value: Any, name: str, place: str) -> Value:
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError
        return parse_value(str(value))
    except ValueError:
        raise at(place, None, f"node {name}: found value {value!r:.40}, expected a number") from None
