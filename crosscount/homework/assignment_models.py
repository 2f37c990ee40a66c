"""The keys of an assignment file, as pydantic models. A description says what is expected there, for error messages."""

from typing import Literal, TypeVar

from pydantic import Field

from crosscount.puzzles.toml_models import Table

TEXTS = "text, or a list of texts"
SECONDS = "a number of seconds, more than 0"
POINTS = "a number, 0 or more"
MEGABYTES = "a whole number of megabytes, 1 or more"
WHOLE = "a whole number, 1 or more"
ASKED = '"one solution", "all solutions", "count", "value", "move", "visited", "nodes" or "time", or a list of these'
Asked = Literal["one solution", "all solutions", "count", "value", "move", "visited", "nodes", "time"]


Model = TypeVar("Model", bound=Table)


def _empty(model: type[Model]) -> Model:
    """The table of somebody who says nothing."""
    return model.model_validate({})


class CaseTable(Table):
    """`[[cases]]`: every puzzle with every algorithm is a case of its own."""

    puzzle: str | list[str] | None = Field(None, description="the path of a puzzle, or @name, or a list of these")
    tree: str | list[str] | None = Field(None, description="the path of a game tree, or @name, or a list of these")
    algorithm: str | list[str] = Field("", description=TEXTS)
    ask: Asked | list[Asked] = Field(description=ASKED)
    points: float = Field(1.0, description=POINTS, ge=0, allow_inf_nan=False)
    seconds: float | None = Field(None, description=SECONDS, gt=0, allow_inf_nan=False)
    file: str | None = Field(None, description='a file name without folders, such as "puzzle{n}.txt"', min_length=1)
    name: str = Field("", description="text")
    root: Literal["max", "min"] | None = Field(None, description="max or min")
    cutoff: Literal["le", "lt"] = Field("lt", description="le or lt")


class AnswersTable(Table):
    """`[answers]`"""

    solution: list[str] | None = Field(None, description="a list of file names, patterns and stdout", min_length=1)
    performance: list[str] | None = Field(None, description="a list of file names, patterns and stdout", min_length=1)
    time_unit: Literal["ns", "us", "ms", "s"] = Field("ms", description="ns, us, ms or s")


class PuzzlesTable(Table):
    """`[puzzles]`"""

    blank: Literal["0", ".", "_", "*", "x"] = Field("0", description="one of 0 . _ * x")
    shape: Literal["grid", "line"] = Field("grid", description="grid or line")


class LimitsTable(Table):
    """`[limits]`"""

    seconds: float = Field(10.0, description=SECONDS, gt=0, le=86400)
    cpu_seconds: float | None = Field(None, description=SECONDS, gt=0)
    memory: int = Field(512, description=MEGABYTES, ge=1)
    processes: int = Field(32, description=WHOLE, ge=1)
    disk: int = Field(32, description=MEGABYTES, ge=1)
    files: int = Field(1000, description=WHOLE, ge=1)
    output: int = Field(4, description=MEGABYTES, ge=1)


class RubricTable(Table):
    """`[rubric]`"""

    parts: dict[Asked, float] = Field({}, description='a table such as { "one solution" = 8, nodes = 1, time = 1 }')
    some_solutions: Literal["nothing", "share"] = Field("nothing", description="nothing or share")
    needless_leaves: Literal["wrong", "fine"] = Field("wrong", description="wrong or fine")


class ShrinkTable(Table):
    """`[shrink]`"""

    seconds: float = Field(20.0, description="a number of seconds, 0 or more", ge=0)


class AssignmentTable(Table):
    """The whole file."""

    title: str = Field("", description="text")
    program: str | list[str] = Field([], description="the name of the program in a folder, or a list of names")
    run: str | dict[str, str] = Field(
        description='the command, such as "python3 {program} {puzzle} {algorithm}", or a table of ending = command'
    )
    cases: list[CaseTable] = Field(description="tables [[cases]]", min_length=1)
    answers: AnswersTable = Field(_empty(AnswersTable), description="a table [answers]")
    puzzles: PuzzlesTable = Field(_empty(PuzzlesTable), description="a table [puzzles]")
    limits: LimitsTable = Field(_empty(LimitsTable), description="a table [limits]")
    rubric: RubricTable = Field(_empty(RubricTable), description="a table [rubric]")
    shrink: ShrinkTable = Field(_empty(ShrinkTable), description="a table [shrink]")
    certify_seconds: float = Field(60.0, description=SECONDS, gt=0)
