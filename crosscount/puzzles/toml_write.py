"""Writing `*.puzzle.toml`: any puzzle, as its family where it has one, as a csp otherwise."""

import json
import re
from collections.abc import Iterable, Sequence

from crosscount.puzzles.constraints import AllDifferent, Constraint, Linear, Product
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.expect import Expect
from crosscount.puzzles.latin import Latin
from crosscount.puzzles.puzzle import Drawing, Puzzle
from crosscount.puzzles.queens import Queens
from crosscount.puzzles.sudoku import Sudoku

LARGEST_INTEGER = 2**63 - 1
"""TOML promises no more; larger counts are written as strings."""


def to_toml(puzzle: Puzzle, expect: Expect | None = None, title: str = "") -> str:
    """The puzzle as TOML; reading it gives an equal puzzle and expectation.

    InputError where two cells have the same name: a csp refers to cells by name.
    """
    family = puzzle.family
    # A puzzle changed after its family built it is no longer what the family says.
    if family is not None and family.puzzle(puzzle.name) != puzzle:
        family = None
    lines = [f"name = {_text(puzzle.name)}"]
    if title:
        lines.append(f"title = {_text(title)}")
    if isinstance(family, Queens):
        lines = ['family = "queens"', *lines, f"size = {family.size}"]
        if family.placed:
            lines.append("placed = { " + ", ".join(f"{r} = {c}" for r, c in dict(family.placed).items()) + " }")
    elif isinstance(family, Latin):
        lines = ['family = "latin"', *lines, *_grid(family)]
    elif isinstance(family, Sudoku):
        lines = ['family = "sudoku"', *lines, *_sudoku(family)]
    else:
        lines = ['family = "csp"', *lines, *_csp(puzzle)]
    if expect is not None:
        lines += ["", "[expect]", *_expect(expect)]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    # JSON strings are TOML strings, but for one control character.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _integers(values: Iterable[int]) -> str:
    return "[" + ", ".join(map(str, values)) + "]"


def _block(key: str, rows: Iterable[Iterable[object]]) -> list[str]:
    return [f'{key} = """', *(" ".join(map(str, row)) for row in rows), '"""']


def _grid(family: Sudoku | Latin) -> list[str]:
    return _block("grid", [[value or "." for value in row] for row in family.grid])


def _sudoku(family: Sudoku) -> list[str]:
    lines = []
    if family.box is not None:
        lines.append(f"box = {_integers(family.box)}")
    if family.diagonals:
        lines.append("diagonals = true")
    if family.regions is not None:
        lines += _block("regions", family.regions)
    return lines + _grid(family)


def _csp(puzzle: Puzzle) -> list[str]:
    names = puzzle.names
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{puzzle.name}: two cells are called {twice!r}, expected different names to write them")
    lines = [] if puzzle.drawing is None else _drawing(puzzle.drawing)
    lines += ["", "[cells]", *(f"{_key(n)} = {_domain(d)}" for n, d in zip(names, puzzle.domains, strict=True))]
    for constraint in puzzle.constraints:
        lines += ["", "[[constraints]]", *_constraint(constraint, names)]
    return lines


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)


def _domain(values: Sequence[int]) -> str:
    if len(values) > 2 and values[-1] - values[0] == len(values) - 1:
        return f'"{values[0]}-{values[-1]}"' if values[0] >= 0 else f'"{values[0]}..{values[-1]}"'
    return _integers(values)


def _drawing(drawing: Drawing) -> list[str]:
    plain = drawing == Drawing(drawing.names)
    if plain and drawing.names != tuple(f"x{v + 1}" for v in range(len(drawing.names))):
        return []
    parts = [f"{key} = {n}" for key, n in (("rows", drawing.rows), ("columns", drawing.columns)) if n]
    if drawing.regions:
        parts.append(f"regions = {_integers(drawing.regions)}")
    if drawing.board:
        parts.append("board = true")
    return ["drawing = { " + ", ".join(parts) + " }" if parts else "drawing = {}"]


def _constraint(constraint: Constraint, names: Sequence[str]) -> list[str]:
    cells = "cells = [" + ", ".join(_text(names[v]) for v in constraint.scope) + "]"
    if isinstance(constraint, AllDifferent):
        lines = ['type = "all-different"', cells]
    elif isinstance(constraint, Linear):
        lines = ['type = "linear"', cells]
        if any(c != 1 for c in constraint.coefficients):
            lines.append(f"coefficients = {_integers(constraint.coefficients)}")
        lines += [f'relation = "{constraint.relation}"', f"value = {constraint.value}"]
    elif isinstance(constraint, Product):
        lines = ['type = "product"', cells, f'relation = "{constraint.relation}"', f"value = {constraint.value}"]
    else:
        tuples = ", ".join(_integers(row) for row in sorted(constraint.tuples))
        lines = ['type = "table"', cells, f"{'allowed' if constraint.allowed else 'forbidden'} = [{tuples}]"]
    return [*lines, f"label = {_text(constraint.label)}"] if constraint.label else lines


def _expect(expect: Expect) -> list[str]:
    lines = []
    for key, number in (("count", expect.count), ("at_least", expect.at_least)):
        if number is not None:
            lines.append(f"{key} = {number}" if number <= LARGEST_INTEGER else f'{key} = "{number}"')
    if expect.unique is not None:
        lines.append(f"unique = {str(expect.unique).lower()}")
    if expect.source:
        lines.append(f"source = {_text(expect.source)}")
    if expect.solutions is not None:
        lines += ["solutions = [", *(f"    {_integers(solution)}," for solution in expect.solutions), "]"]
    return lines
