"""The node counts and first solutions of the course's reports, reproduced exactly."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crosscount.native import ENGINES
from crosscount.puzzles.engine import Limits, Stopped
from crosscount.puzzles.read import read_one

REFERENCE: dict[str, Any] = json.loads((Path(__file__).parent.parent / "data" / "reference.json").read_text())[
    "puzzles"
]
COURSE = [f"course_{i}" for i in range(1, 6)]
FOUR = [f"four_{i}" for i in range(1, 7)]
NONE = Limits()
SEARCHERS = ["bf", "bt", "fc-mrv"]


def run(engine: str, name: str, limits: Limits = NONE) -> tuple[list[list[int]], int, bool]:
    """Solutions, nodes, and whether the engine claims that there are no more."""
    puzzle = read_one("@" + name.replace("_", "-")).puzzle
    found: list[list[int]] = []
    nodes = 0
    try:
        for batch in ENGINES[engine].search(puzzle, limits):
            found += batch.solutions.tolist()
            nodes = batch.nodes or 0
    except Stopped:
        return found, nodes, False
    return found, nodes, True


def flat(grid: list[list[int]]) -> list[int]:
    return [x for row in grid for x in row]


@pytest.mark.parametrize("engine", SEARCHERS)
@pytest.mark.parametrize("name", COURSE)
def test_the_first_solution_and_its_nodes(name: str, engine: str) -> None:
    expected = REFERENCE[name]["first"][engine]
    assert run(engine, name, Limits(solutions=1)) == ([flat(expected["solution"])], expected["nodes"], False)


@pytest.mark.parametrize("engine", SEARCHERS)
@pytest.mark.parametrize("name", COURSE[:3])
def test_all_solutions_and_their_nodes(name: str, engine: str) -> None:
    found, nodes, complete = run(engine, name)
    assert (len(found), nodes, complete) == (
        REFERENCE[name]["solutions"],
        REFERENCE[name]["all"][engine]["nodes"],
        True,
    )
    assert len(set(map(tuple, found))) == len(found)


def test_singles_solve_the_example_in_95_nodes() -> None:
    expected = REFERENCE["course_example"]
    solution = flat(expected["solution"])
    assert run("singles", "course_example") == ([solution], expected["all"]["singles"]["nodes"], True)


def test_singles_give_up_where_a_guess_is_needed() -> None:
    found, _, complete = run("singles", "course_1")
    assert not found
    assert not complete


@pytest.mark.parametrize("engine", ["bt", "fc-mrv", "gac"])
def test_every_solution_of_course_4_is_listed(engine: str) -> None:
    puzzle = read_one("@course-4").puzzle
    batches = list(ENGINES[engine].search(puzzle, Limits()))
    rows = np.concatenate([batch.solutions for batch in batches])
    assert len(rows) == 286470
    assert len(np.unique(rows, axis=0)) == 286470
    if engine == "bt":
        assert batches[-1].nodes == 41813742


@pytest.mark.parametrize("engine", ["gt", *SEARCHERS, "gac"])
@pytest.mark.parametrize("name", FOUR)
def test_the_4x4_puzzles_have_exactly_the_listed_solutions(name: str, engine: str) -> None:
    found, _, complete = run(engine, name)
    assert complete
    assert sorted(found) == sorted(flat(grid) for grid in REFERENCE[name]["all_solutions"])
