"""What may be asked, and what the answers look like: the edges of the service."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Operation = Literal["compare", "count", "check", "solve", "tree"]
Status = Literal["queued", "running", "done", "failed", "cancelled"]

SIXTEEN = "1... .... ...2 ...."
LONGEST = 1 << 20


def _is_text(text: str) -> str:
    if "\0" in text:
        raise ValueError("found a NUL character, expected text")
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise ValueError("found half of a surrogate pair, expected text")
    return text


Text = Annotated[str, Field(min_length=1, max_length=LONGEST), AfterValidator(_is_text)]
Name = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_is_text)]
PuzzleText = Annotated[
    Text,
    Field(
        description="The puzzle itself in any format (sudoku text, TOML, DIMACS), or @name of a bundled one",
        examples=["@course-1", SIXTEEN],
    ),
]
Number = Annotated[
    int | None, Field(ge=1, le=1_000_000, description="Which one, where the text holds several puzzles", examples=[1])
]
TimeLimit = Annotated[
    float, Field(gt=0, le=86_400, allow_inf_nan=False, description="Seconds for each engine", examples=[10])
]
EngineName = Annotated[Name, Field(description="See /api/engines", examples=["fc-mrv"])]


def _question(**example: Any) -> ConfigDict:
    """Strict: true is no number, and "5" is none either. Every kind of question has an example that can be sent."""
    return ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [example]})


class Question(BaseModel):
    """What all questions are."""


class CompareRequest(Question):
    """All engines, one verdict."""

    model_config = _question(puzzle="@course-3", engines=["bt", "fc-mrv", "sat"], time_limit=10.0)

    puzzle: PuzzleText
    number: Number = None
    engines: Annotated[list[EngineName] | None, Field(max_length=20, min_length=1)] = None
    time_limit: TimeLimit = 60.0
    max_solutions: Annotated[
        int | None, Field(ge=1, le=10**12, description="Stop each engine after so many", examples=[1000])
    ] = None
    max_memory: Annotated[int, Field(ge=512, le=1 << 20, description="MB for each engine", examples=[1024])] = 2048
    cells: Annotated[
        bool, Field(description="Where no engine lists them all: count, for each cell, how often each value occurs")
    ] = False


class CountRequest(Question):
    """How many, according to one engine."""

    model_config = _question(puzzle="@course-2", certificate="auto")

    puzzle: PuzzleText
    number: Number = None
    engine: EngineName = "count"
    time_limit: TimeLimit = 60.0
    cells: Annotated[bool, Field(description="Also, for each cell, how often each value occurs")] = False
    certificate: Annotated[
        Literal["none", "auto", "listing", "counting"],
        Field(description="What a separate checker can check the count by; auto takes the kind that suits the puzzle"),
    ] = "none"


class SolveRequest(Question):
    """One engine: the first solution, or all of them."""

    model_config = _question(puzzle="@course-1", engine="gac", all=True)

    puzzle: PuzzleText
    number: Number = None
    engine: EngineName
    all: Annotated[bool, Field(description="List every solution")] = False
    limit: Annotated[
        int | None, Field(ge=1, le=10**12, description="Stop after so many (1 without all)", examples=[5])
    ] = None
    time_limit: TimeLimit = 60.0
    max_nodes: Annotated[int | None, Field(ge=0, le=10**15, examples=[100000])] = None


class CheckRequest(Question):
    """Is this answer a solution?"""

    model_config = _question(puzzle=SIXTEEN, answer="1234 3412 4321 2143")

    puzzle: PuzzleText
    number: Number = None
    answer: Annotated[Text, Field(description="A filled grid or a list of values", examples=["1234 3412 4321 2143"])]


class TreeRequest(Question):
    """Alpha-beta against minimax."""

    model_config = _question(tree="[[3, 5], [2, 9]]", cutoff="le", answer="value: 3\nvisited: 3 5 2")

    tree: Annotated[
        Text,
        Field(description="Nested lists, objects, Newick, CS188, or @name", examples=["[[3, 5], [2, 9]]", "@course"]),
    ]
    cutoff: Annotated[
        Literal["le", "lt"] | None, Field(description="le: cut where beta <= alpha; lt: beta < alpha")
    ] = None
    root: Annotated[Literal["max", "min"] | None, Field(description="Who moves at the root")] = None
    answer: Annotated[
        Text | None,
        Field(description="A student's answer: value, visited, pruned, move", examples=["value: 3\nvisited: 3 5 2"]),
    ] = None


REQUESTS: dict[Operation, type[Question]] = {
    "compare": CompareRequest,
    "count": CountRequest,
    "check": CheckRequest,
    "solve": SolveRequest,
    "tree": TreeRequest,
}

WholeNumber = Annotated[int | str, Field(description="A decimal string past 2^53")]


class EngineProgress(BaseModel):
    name: str
    family: str
    status: Literal["waiting", "running", "complete", "stopped", "failed", "skipped"]
    reason: str
    count: WholeNumber | None
    nodes: int | None
    seconds: float


class JobProgress(BaseModel):
    puzzle: str
    seconds: float
    engines: list[EngineProgress]


class JobLinks(BaseModel):
    self: str
    events: str
    solutions: str
    page: str


class JobBody(BaseModel):
    """A question, how far it is, and its answer once there is one."""

    id: str
    operation: Operation
    status: Status
    reason: Annotated[str, Field(description="Why it failed")]
    position: Annotated[int | None, Field(description="How many of the queue come first")]
    attempts: int
    created: Annotated[str, Field(description="ISO 8601, UTC")]
    started: str | None
    finished: str | None
    request: dict[str, Any]
    progress: JobProgress | None
    result: Annotated[dict[str, Any] | None, Field(description="The object that the same command prints with --json")]
    links: JobLinks


class SolutionsBody(BaseModel):
    """A page of the solutions that are kept, in ascending order."""

    job: str
    offset: int
    total: Annotated[int, Field(description="How many are kept")]
    complete: Annotated[bool, Field(description="Whether these are all there are")]
    solutions: Annotated[list[Any], Field(description="Each a list of rows; a flat list where there is no grid")]
    next: Annotated[str | None, Field(description="The address of the next page")]


class CellsBody(BaseModel):
    """For each cell, in how many solutions each value occurs."""

    exact: bool
    source: Literal["listing", "counting"]
    total: WholeNumber
    cells: list[dict[str, WholeNumber]]


class EngineBody(BaseModel):
    name: str
    family: str
    title: str
    node: Annotated[str, Field(description="What it counts as a node")]
    counts_only: bool
    default: Annotated[bool, Field(description="Whether a comparison runs it when none are named")]


class PuzzleBody(BaseModel):
    name: str
    title: str
    family: str
    cells: int
    count: WholeNumber | None
    text: Annotated[str, Field(description="The puzzle as TOML")]


class Health(BaseModel):
    status: Literal["ok", "starting", "degraded"]
    version: str
    queued: int
    running: int
    restarts: Annotated[int, Field(description="Of the process that runs the jobs, since the start")]


class ProblemBody(BaseModel):
    type: str
    title: str
    status: int
    detail: str
    errors: list[dict[str, Any]] | None = None
