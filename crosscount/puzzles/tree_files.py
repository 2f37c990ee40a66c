"""Reading a game tree from wherever it is: a file, standard input, the tree itself, or one of the bundled examples."""

import sys
from dataclasses import dataclass
from pathlib import Path

from crosscount.puzzles.errors import InputError, at
from crosscount.puzzles.gametree import GameTree, Rule
from crosscount.puzzles.tree_cs188 import Solution, parse_cs188, parse_solution
from crosscount.puzzles.tree_json import parse_json_tree
from crosscount.puzzles.tree_newick import parse_newick

EXAMPLES = Path(__file__).parent / "tree_examples"
FORMATS = "nested lists such as [[3, 5], [2, 9]], objects, Newick, or a CS188 .test file"


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A tree and what its file says about the search on it."""

    tree: GameTree
    rule: Rule | None = None
    """The cutoff rule of the course that the file comes from; None where the file has none."""
    solution: Solution | None = None


def load_tree(source: str, root_maximises: bool | None = None) -> TreeFile:
    """`source` is a path, `-` for standard input, the tree itself on one line, or `@name` of a bundled example."""
    if source == "-":
        return parse_tree(sys.stdin.read(), "standard input", root_maximises)
    if source.startswith("@"):
        path = EXAMPLES / f"{source[1:]}.json"
        if not path.is_file():
            known = ", ".join(f"@{name}" for name in example_names())
            raise InputError(f"no bundled tree is called {source}, expected one of {known}")
        return parse_tree(_read(path), source, root_maximises)
    if source.lstrip()[:1] in ("[", "{", "("):
        return parse_tree(source, "tree", root_maximises)
    path = Path(source)
    found = parse_tree(_read(path), source, root_maximises)
    beside = path.with_suffix(".solution")
    if path.suffix != ".test" or not beside.is_file():
        return found
    return TreeFile(found.tree, found.rule, parse_solution(_read(beside), str(beside), _prunes(found)))


def parse_tree(text: str, place: str, root_maximises: bool | None = None) -> TreeFile:
    """The tree in a text whose format shows in its first character."""
    stripped = text.lstrip("\ufeff \t\r\n")
    first = stripped[:1]
    if not first:
        raise at(place, 1, f"found nothing, expected a tree: {FORMATS}")
    text = text.removeprefix("\ufeff")
    if first in "[{" or first in "-+." or first.isdecimal():
        return TreeFile(parse_json_tree(text, place, root_maximises))
    if first == "(":
        return TreeFile(parse_newick(text, place, root_maximises))
    if first == "#" or first.isalpha():
        tree, prunes = parse_cs188(text, place, root_maximises)
        # Their students must not prune on equality, whatever else the two searches have in common.
        return TreeFile(tree, "lt", Solution(place, None, None, prunes))
    raise at(place, 1, f"found {stripped[:20]!r}, expected a tree: {FORMATS}")


def example_names() -> list[str]:
    """The bundled trees, without their @."""
    return sorted(path.stem for path in EXAMPLES.glob("*.json"))


def _prunes(found: TreeFile) -> bool:
    return found.solution is None or found.solution.prunes


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file, expected a tree: {FORMATS}") from None
    except IsADirectoryError:
        raise InputError(f"{path}: found a directory, expected a file with a tree") from None
    except UnicodeDecodeError as wrong:
        raise InputError(f"{path}: found a byte {wrong.object[wrong.start]:#x}, expected text in UTF-8") from None
    except OSError as wrong:
        raise InputError(f"{path}: cannot be read: {wrong.strerror}") from None
