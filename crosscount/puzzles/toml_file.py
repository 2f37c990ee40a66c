"""Reading `*.puzzle.toml`. The keys are in `toml_models`; docs/formats.md shows each family.

Importing this module imports pydantic, so callers import it where they need it.
"""

import difflib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from crosscount.puzzles.cells import shorten
from crosscount.puzzles.csp_tables import csp_puzzle
from crosscount.puzzles.errors import InputError, at
from crosscount.puzzles.expect import Entry, Expect
from crosscount.puzzles.latin import Latin, blank_grid, square
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.queens import Queens
from crosscount.puzzles.sudoku import Sudoku
from crosscount.puzzles.text import read_answer, read_grid, region_rows
from crosscount.puzzles.toml_lines import locate
from crosscount.puzzles.toml_models import (
    TABLES,
    CspTable,
    ExpectTable,
    LatinTable,
    NamedTable,
    PuzzleTable,
    QueensTable,
    SudokuTable,
)

Model = TypeVar("Model", bound=NamedTable)


def read_toml(text: str, place: str, name: str) -> Entry:
    """The puzzle in `text`, called `name` unless it names itself; InputError with the key's line."""
    return Document(text, place).entry(name)


class Document:
    """A TOML text, its data, and where it came from."""

    def __init__(self, text: str, place: str) -> None:
        self.text, self.place = text, place
        try:
            self.data = tomllib.loads(text.replace("\r\n", "\n"))
        except tomllib.TOMLDecodeError as error:
            message, _, where = str(error).rpartition(" (at ")
            line = re.match(r"line (\d+)", where)
            number = int(line[1]) if line else text.count("\n") + 1
            raise at(place, number, f"not TOML: {message[:1].lower()}{message[1:]}") from None
        except (ValueError, RecursionError) as error:
            raise at(place, None, f"not TOML: {error}") from None

    def fail(self, path: Sequence[str | int], message: str) -> NoReturn:
        raise at(self.place, locate(self.text, path), message) from None

    def entry(self, name: str) -> Entry:
        table = self.table(TABLES)
        name = table.name or name
        try:
            puzzle = self.puzzle(table, name)
        except ValueError as error:
            key = next(key for key in ("box", "regions", "placed", "family") if key in self.data)
            self.fail((key,), str(error))
        expect = None if table.expect is None else self.expect(table.expect, puzzle)
        return Entry(puzzle, expect, self.place, None, table.title)

    def table(self, tables: Mapping[str, type[Model]]) -> Model:
        """The data as the table of its family, which is one of `tables`."""
        family = self.data.get("family")
        known = ", ".join(tables)
        if family is None:
            self.fail((), f"no key family, expected one of {known}")
        if not isinstance(family, str) or family not in tables:
            self.fail(("family",), f"family {_found(family)}, expected one of {known}")
        model = tables[family]
        try:
            return model.model_validate(self.data)
        except ValidationError as error:
            self.explain(error.errors(include_url=False), model)

    def explain(self, errors: Sequence[Any], model: type[BaseModel]) -> NoReturn:
        """The first error in the order of the file, in our words: found and expected."""

        def line_of(error: Any) -> int:
            return locate(self.text, error["loc"]) or 0

        error = min(errors, key=line_of)
        path: list[str | int] = []
        fields: Any = model.model_fields
        expected, found, key = "", None, ""
        here: Any = self.data
        # A location also names the branch of a union that failed; only what is in the data is a place in it.
        for part in error["loc"]:
            try:
                inner = here[part]
            except (KeyError, IndexError, TypeError):
                break
            here = inner
            path.append(part)
            if isinstance(part, str) and part in fields:
                found, key = here, part
                expected = fields[part].description or ""
                fields = _inner_fields(fields[part].annotation) or fields
        last = error["loc"][-1]
        if error["type"] == "missing" and isinstance(last, str):
            self.fail(path, f"no key {last}, expected {_description(fields, last)}")
        if error["type"] == "extra_forbidden":
            near = difflib.get_close_matches(str(last), list(fields), 1)
            hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(fields)}"
            self.fail(error["loc"], f"unknown key {last}; {hint}")
        self.fail(path, f"{key} is {_found(found)}, expected {expected}")

    def puzzle(self, table: PuzzleTable, name: str) -> Puzzle:
        if isinstance(table, CspTable):
            return csp_puzzle(table, name, self.fail)
        if isinstance(table, SudokuTable):
            regions = None
            if isinstance(table.regions, str):
                regions = region_rows([line for line in table.regions.splitlines() if line.strip()])
            elif table.regions is not None:
                regions = tuple(tuple(str(label) for label in row) for row in table.regions)
            return Sudoku(self.grid(table), table.box, regions, table.diagonals).puzzle(name)
        if isinstance(table, LatinTable):
            return Latin(self.grid(table)).puzzle(name)
        assert isinstance(table, QueensTable)
        for row in table.placed:
            if not row.isdecimal():
                self.fail(("placed", row), f"row {row!r}, expected a number from 1")
        return Queens(table.size, {int(row): column for row, column in table.placed.items()}).puzzle(name)

    def grid(self, table: LatinTable) -> tuple[tuple[int, ...], ...]:
        if (table.grid is None) == (table.size is None):
            which = "neither grid nor size" if table.grid is None else "both grid and size"
            self.fail(("grid" if table.grid is not None else "family",), f"{which}, expected one of them")
        if table.grid is None:
            return blank_grid(table.size or 0)
        if not isinstance(table.grid, str):
            try:
                return square(table.grid)
            except ValueError as error:
                self.fail(("grid",), str(error))
        return read_grid(table.grid, self.place, self.first_line("grid"))

    def first_line(self, key: str) -> int:
        """The line on which the text of `key` starts: the next one where its line ends in the opening quotes."""
        line = locate(self.text, (key,)) or 1
        return line + self.text.split("\n")[line - 1].rstrip().endswith(('"""', "'''"))

    def expect(self, table: ExpectTable, puzzle: Puzzle) -> Expect:
        solutions: list[tuple[int, ...]] | None = None
        if table.solutions is not None:
            solutions = []
            for solution in table.solutions:
                solutions += self.solution(solution, puzzle)
        try:
            return Expect(
                table.count,
                table.at_least,
                table.unique,
                None if solutions is None else tuple(solutions),
                table.source,
            )
        except ValueError as error:
            self.fail(("expect",), str(error))

    def solution(self, solution: str | list[int] | list[list[int]], puzzle: Puzzle) -> list[tuple[int, ...]]:
        path = ("expect", "solutions")
        if isinstance(solution, str):
            try:
                return read_answer(solution, puzzle, "solution")
            except InputError as error:
                self.fail(path, str(error))
        values: list[int] = []
        for row in solution:
            values += row if isinstance(row, list) else [row]
        if len(values) != len(puzzle.domains):
            self.fail(path, f"a solution of {len(values)} values, expected {len(puzzle.domains)}")
        return [tuple(values)]


def _inner_fields(annotation: Any) -> Any:
    """The fields of the table within a type such as `list[Table] | None`; None where there is no table in it."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation.model_fields
    return next(filter(None, map(_inner_fields, get_args(annotation))), None)


def _description(fields: Any, key: str) -> str:
    return str(fields[key].description)


def _found(value: object) -> str:
    return shorten(json.dumps(value, ensure_ascii=False, default=str))
