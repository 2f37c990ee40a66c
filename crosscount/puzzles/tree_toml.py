"""`family = "tree"` in a `*.puzzle.toml`: a game tree, or the path of one, and the value that it should have."""

import json
import os
import re
from dataclasses import dataclass

from crosscount.puzzles.errors import InputError
from crosscount.puzzles.gametree import GameTree, Rule, Value
from crosscount.puzzles.toml_lines import locate
from crosscount.puzzles.tree_files import load_tree, parse_tree

_FAMILY = re.compile(r"""^\s*family\s*=\s*(?:"tree"|'tree')""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One tree as it was read, and its claimed value; `line` is where that stands."""

    tree: GameTree
    rule: Rule
    name: str
    value: Value | None
    line: int | None
    title: str = ""


def is_tree(text: str) -> bool:
    """Whether a text in TOML says that it is a game tree."""
    return _FAMILY.search(text) is not None


def read_tree(text: str, place: str, name: str) -> TreeEntry:
    """The tree in `text`, called `name` unless it names itself; InputError with the key's line."""
    from crosscount.puzzles.toml_file import Document
    from crosscount.puzzles.toml_models import TreeTable

    document = Document(text, place)
    table = document.table({"tree": TreeTable})
    if (table.tree is None) == (table.file is None):
        which = "neither tree nor file" if table.tree is None else "both tree and file"
        document.fail(("tree" if table.tree is not None else "family",), f"{which}, expected one of them")
    root = None if table.root is None else table.root == "max"
    try:
        if table.file is not None:
            found = load_tree(os.path.join(os.path.dirname(place) or ".", table.file), root)
        else:
            written = table.tree if isinstance(table.tree, str) else json.dumps(table.tree, default=str)
            found = parse_tree(written, "tree", root)
    except InputError as error:
        document.fail(("tree" if table.file is None else "file",), str(error))
    value = None if table.expect is None else table.expect.value
    if value is not None and value != value:
        document.fail(("expect", "value"), "value is nan, expected a number or inf")
    return TreeEntry(
        found.tree, found.rule or "le", table.name or name, value, locate(text, ("expect", "value")), table.title
    )
