"""From the text of a request to a puzzle or a tree within bounds, and to the key of the question. Never a path.

A few letters can spell an enormous puzzle, so strangers' text is only read here in a process that may be killed
(`reader`); an accepted request can be read again anywhere.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

from crosscount.puzzles import collection
from crosscount.puzzles.answer import read_answer
from crosscount.puzzles.constraints import Table
from crosscount.puzzles.engine import Engine
from crosscount.puzzles.errors import InputError, at
from crosscount.puzzles.expect import Entry
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.read import parse
from crosscount.puzzles.tree_answer import parse_answer
from crosscount.puzzles.tree_files import TreeFile, example_names, load_tree, parse_tree
from crosscount.service.models import Operation
from crosscount.service.settings import Settings

Request = Mapping[str, Any]


class TooLarge(InputError):
    """It can be read, but it is more than the service takes."""


def read_puzzle(text: str, number: int | None = None) -> Entry:
    """The puzzle that a request names or spells; InputError where it is none, or several and none is picked."""
    name = text.strip()
    entries = [collection.entry(name[1:])] if name.startswith("@") else parse(text, "puzzle", "puzzle")
    if number is None and len(entries) > 1:
        raise at("puzzle", None, f"holds {len(entries)} puzzles, expected 1; number says which one")
    if number is not None and number > len(entries):
        raise at("puzzle", None, f"number is {number}, but it holds {len(entries)}; expected 1 to {len(entries)}")
    return entries[(number or 1) - 1]


def read_tree(text: str, root: str | None = None) -> TreeFile:
    """The game tree that a request names or spells."""
    root_maximises = None if root is None else root == "max"
    name = text.strip()
    if name.startswith("@"):
        # The names are known: nothing else becomes part of a path.
        if name[1:] not in example_names():
            known = ", ".join(f"@{example}" for example in example_names())
            raise InputError(f"no bundled tree is called {name[:100]}, expected one of {known}")
        return load_tree(name, root_maximises)
    return parse_tree(text, "tree", root_maximises)


def known_engines(module: str = "") -> dict[str, Engine]:
    """Every engine that a request may name. Programs of other people are none of them."""
    from crosscount.compare.engines import engines

    more: dict[str, Engine] = import_module(module).ENGINES if module else {}
    return {**engines(), **more}


def find_engine(name: str, module: str = "") -> Engine:
    """The engine of this name; InputError where there is none."""
    from crosscount.compare.engines import find

    plain = name.strip().lower().replace("_", "-")
    return known_engines(module).get(plain) or find(plain)


def chosen_engines(puzzle: Puzzle, request: Request, module: str = "") -> list[Engine]:
    """The engines that a comparison runs, each once."""
    from crosscount.compare.engines import usual

    if request["engines"] is None:
        return usual(puzzle)
    return list(dict.fromkeys(find_engine(name, module) for name in request["engines"]))


def question_key(operation: Operation, request: Request, settings: Settings) -> str:
    """What the answer depends on, as a digest; InputError for a question that cannot be answered.

    Two texts of one puzzle are one question, and so are two spellings of an engine; a limit makes another one.
    """
    from crosscount.compare.gate_cache import versions

    rest = {key: value for key, value in request.items() if key not in ("puzzle", "number", "tree", "answer")}
    if operation == "tree":
        subject = _tree_parts(request, settings)
    else:
        puzzle = read_puzzle(request["puzzle"], request["number"]).puzzle
        check_size(puzzle, settings)
        subject = [_puzzle_parts(puzzle)]
        if operation == "check":
            subject.append(read_answer(request["answer"], puzzle))
        elif operation == "compare":
            rest["engines"] = [engine.name for engine in chosen_engines(puzzle, request, settings.engine_module)]
        else:
            rest["engine"] = find_engine(request["engine"], settings.engine_module).name
    text = json.dumps([versions(), operation, subject, rest], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def check_size(puzzle: Puzzle, settings: Settings) -> None:
    """TooLarge where a puzzle is beyond the bounds."""
    entries = sum(len(c.scope) for c in puzzle.constraints)
    entries += sum(len(c.scope) * len(c.tuples) for c in puzzle.constraints if isinstance(c, Table))
    for found, most, what in (
        (len(puzzle.domains), settings.cells, "cells"),
        (sum(map(len, puzzle.domains)), settings.values, "values in all domains together"),
        (entries, settings.entries, "cells and tuples in all constraints together"),
    ):
        if found > most:
            raise TooLarge(f"{puzzle.name[:100]}: {found} {what}, expected at most {most}")


def _puzzle_parts(puzzle: Puzzle) -> list[Any]:
    from crosscount.compare.gate_cache import canonical

    drawing = puzzle.drawing
    drawn = None if drawing is None else [drawing.rows, drawing.columns, drawing.regions, drawing.board]
    # Names and labels are part of what a person is told, and so of the answer.
    labels = sorted(constraint.label for constraint in puzzle.constraints)
    return [puzzle.domains, canonical(puzzle.constraints), drawn, puzzle.names, labels]


def _tree_parts(request: Request, settings: Settings) -> list[Any]:
    found = read_tree(request["tree"], request["root"])
    tree = found.tree
    if len(tree) > settings.tree_nodes:
        raise TooLarge(f"tree: {len(tree)} nodes, expected at most {settings.tree_nodes}")
    if request["answer"] is not None:
        parse_answer(request["answer"], "answer")
    names = [sorted(tree.names.items()), sorted(tree.moves.items())]
    return [tree.parent, list(map(str, tree.values)), tree.maximises, names, str(found.solution), request["answer"]]


@lru_cache(maxsize=64)
def accepted_puzzle(text: str, number: int | None) -> Puzzle:
    """The puzzle of an accepted request: it is known to be small."""
    return read_puzzle(text, number).puzzle
