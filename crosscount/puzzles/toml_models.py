"""The keys of `*.puzzle.toml`, as pydantic models. A description says what is expected there, for error messages."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from crosscount.puzzles.constraints import Relation


def _number(value: object) -> object:
    """Counts past 64 bits may be strings: not every TOML reader has larger integers."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 4000:
        return int(value)
    return value


COUNT = "a whole number, 0 or more"
ROWS = "rows of cells, as text or as lists of integers"
Count = Annotated[int, BeforeValidator(_number), Field(ge=0)]


class Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ExpectTable(Table):
    """`[expect]`"""

    count: Count | None = Field(None, description=COUNT)
    at_least: Count | None = Field(None, description=COUNT)
    unique: bool | None = Field(None, description="true or false")
    solutions: list[str | list[int] | list[list[int]]] | None = Field(
        None, description="a list of solutions, each as text or as a list of integers"
    )
    source: str = Field("", description="text that says where the count was published")


class NamedTable(Table):
    """What every file has."""

    family: str = Field(description="text")
    name: str | None = Field(None, description="text", min_length=1)
    title: str = Field("", description="text")


class PuzzleTable(NamedTable):
    """What every family of puzzles has."""

    expect: ExpectTable | None = Field(None, description="a table [expect]")


class LatinTable(PuzzleTable):
    """`family = "latin"`"""

    grid: str | list[list[int]] | None = Field(None, description=ROWS)
    size: int | None = Field(None, description="1 to 25", ge=1, le=25)


class SudokuTable(LatinTable):
    """`family = "sudoku"`"""

    box: tuple[int, int] | None = Field(None, description="[rows, columns] of a box", strict=False)
    regions: str | list[list[int | str]] | None = Field(None, description="rows of region labels, as text or as lists")
    diagonals: bool = Field(False, description="true or false")


class QueensTable(PuzzleTable):
    """`family = "queens"`"""

    size: int = Field(description="0 to 64", ge=0, le=64)
    placed: dict[str, int] = Field({}, description="a table of row = column")


class DrawingTable(Table):
    """`drawing`"""

    rows: int = Field(0, ge=0, description=COUNT)
    columns: int = Field(0, ge=0, description=COUNT)
    regions: list[int] = Field([], description="a list of integers, one for each cell")
    board: bool = Field(False, description="true or false")


class ConstraintTable(Table):
    """`[[constraints]]`, any type: which keys a type needs is checked where it is built."""

    type: Literal["all-different", "linear", "product", "table"] = Field(
        description="one of all-different, linear, product, table"
    )
    cells: list[str] = Field(description="a list of cell names")
    coefficients: list[int] | None = Field(None, description="a list of integers")
    relation: Relation | None = Field(None, description="one of == != <= < >= >")
    value: int | None = Field(None, description="an integer")
    allowed: list[list[int]] | None = Field(None, description="a list of lists of integers")
    forbidden: list[list[int]] | None = Field(None, description="a list of lists of integers")
    label: str = Field("", description="text")


class CspTable(PuzzleTable):
    """`family = "csp"`"""

    cells: dict[str, Any] = Field(description="a table of cell name = values")
    constraints: list[ConstraintTable] = Field([], description="tables [[constraints]]")
    drawing: DrawingTable | None = Field(None, description="a table such as { rows = 3, columns = 3 }")


TABLES: dict[str, type[PuzzleTable]] = {
    "sudoku": SudokuTable,
    "latin": LatinTable,
    "queens": QueensTable,
    "csp": CspTable,
}


class TreeExpectTable(Table):
    """`[expect]` of a game tree"""

    value: int | float | None = Field(None, description="a number or inf")
    source: str = Field("", description="text that says where the value was published")


class TreeTable(NamedTable):
    """`family = "tree"`: a game tree, here or in a file beside this one."""

    tree: str | list[Any] | None = Field(None, description="a tree as nested lists, or as text in any format of trees")
    file: str | None = Field(None, description="the path of a file with a tree, seen from this file", min_length=1)
    root: Literal["max", "min"] | None = Field(None, description="max or min")
    expect: TreeExpectTable | None = Field(None, description="a table [expect]")
