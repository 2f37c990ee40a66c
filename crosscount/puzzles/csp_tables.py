"""`family = "csp"`: cells, domains and constraints as a TOML file spells them out."""

import difflib
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from crosscount.puzzles.constraints import AllDifferent, Constraint, Linear, Product, Table
from crosscount.puzzles.puzzle import Drawing, Puzzle
from crosscount.puzzles.toml_models import ConstraintTable, CspTable

Fail = Callable[[Sequence[str | int], str], NoReturn]
"""Raises an InputError at the key that the path names."""

LARGEST_DOMAIN = 1_000_000

_RANGE = re.compile(r"([-+]?\d{1,18})(?:\s*(?:\.\.|-)\s*([-+]?\d{1,18}))?")

NEEDED = {"all-different": (), "linear": ("value",), "product": ("value",), "table": ()}
POSSIBLE = {
    "all-different": (),
    "linear": ("coefficients", "relation", "value"),
    "product": ("relation", "value"),
    "table": ("allowed", "forbidden"),
}


def csp_puzzle(table: CspTable, name: str, fail: Fail) -> Puzzle:
    """The puzzle that the tables describe."""
    domains = []
    for cell, values in table.cells.items():
        try:
            domains.append(domain(values))
        except ValueError as error:
            fail(("cells", cell), f"{cell}: {error}")
    index = {cell: v for v, cell in enumerate(table.cells)}
    constraints = [_constraint(c, index, ("constraints", i), fail) for i, c in enumerate(table.constraints)]
    return Puzzle(name, tuple(domains), tuple(constraints), _drawing(table, fail))


def domain(values: Any) -> tuple[int, ...]:
    """A list of integers, or text such as `1-9`, `-3..3` and `1-3, 7`; ValueError for anything else."""
    if isinstance(values, list):
        for value in values:
            if not isinstance(value, int) or isinstance(value, bool):
                raise ValueError(f"{value!r} in the list of values, expected integers")
        return tuple(values)
    expected = 'expected a list of integers or text such as "1-9" or "-3..3"'
    if not isinstance(values, str):
        raise ValueError(f"{values!r}, {expected}")
    found: list[int] = []
    for part in values.split(","):
        bounds = _RANGE.fullmatch(part.strip())
        if bounds is None:
            raise ValueError(f"{part.strip()!r}, {expected}")
        low, high = int(bounds[1]), int(bounds[2] if bounds[2] is not None else bounds[1])
        if low > high:
            raise ValueError(f"{part.strip()!r} runs down, expected the smaller value first")
        if len(found) + high - low >= LARGEST_DOMAIN:
            raise ValueError(f"{part.strip()!r}, expected at most {LARGEST_DOMAIN} values")
        found += range(low, high + 1)
    return tuple(found)


def _constraint(table: ConstraintTable, index: dict[str, int], path: tuple[str, int], fail: Fail) -> Constraint:
    for key in table.cells:
        if key not in index:
            near = difflib.get_close_matches(key, index, 1)
            hint = f"did you mean {near[0]}?" if near else "expected one of [cells]"
            fail((*path, "cells"), f"no cell is called {key!r}; {hint}")
    for key in ("coefficients", "relation", "value", "allowed", "forbidden"):
        if getattr(table, key) is not None and key not in POSSIBLE[table.type]:
            expected = ", ".join(("cells", *POSSIBLE[table.type], "label"))
            fail((*path, key), f"{key} in a constraint of type {table.type}, expected {expected}")
        if getattr(table, key) is None and key in NEEDED[table.type]:
            fail(path, f"no key {key}, expected one in a constraint of type {table.type}")
    scope = tuple(index[cell] for cell in table.cells)
    try:
        return _build(table, scope)
    except ValueError as error:
        fail(path, str(error))


def _build(table: ConstraintTable, scope: tuple[int, ...]) -> Constraint:
    relation = table.relation or "=="
    if table.type == "all-different":
        return AllDifferent(scope, table.label)
    if table.type == "linear":
        coefficients = (1,) * len(scope) if table.coefficients is None else tuple(table.coefficients)
        return Linear(scope, coefficients, relation, table.value or 0, table.label)
    if table.type == "product":
        return Product(scope, table.value or 0, relation, table.label)
    if (table.allowed is None) == (table.forbidden is None):
        raise ValueError("a table needs either allowed or forbidden, expected one of them")
    tuples = table.allowed if table.allowed is not None else table.forbidden
    return Table(scope, frozenset(tuple(row) for row in tuples or ()), table.allowed is not None, table.label)


def _drawing(table: CspTable, fail: Fail) -> Drawing | None:
    names = tuple(table.cells)
    drawn = table.drawing
    if drawn is None:
        plain = names == tuple(f"x{v + 1}" for v in range(len(names)))
        return None if plain else Drawing(names)
    if drawn.rows and not drawn.board and drawn.rows * drawn.columns != len(names):
        fail(("drawing",), f"{drawn.rows} rows of {drawn.columns} columns, expected {len(names)} cells")
    if drawn.board and drawn.rows != len(names):
        fail(("drawing",), f"a board of {drawn.rows} rows, expected {len(names)}, one for each cell")
    if drawn.regions and len(drawn.regions) != len(names):
        fail(("drawing",), f"{len(drawn.regions)} regions, expected {len(names)}, one for each cell")
    return Drawing(names, drawn.rows, drawn.columns, tuple(drawn.regions), drawn.board)
