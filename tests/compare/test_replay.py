"""The replays take exactly the steps of the searchers."""

import json

import pytest

from crosscount.compare.conformance import random_puzzles
from crosscount.compare.replay import Replay, replay, to_object
from crosscount.native import ENGINES
from crosscount.puzzles.constraints import AllDifferent, Linear
from crosscount.puzzles.engine import Limits, Stopped, Unavailable
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.read import read_one

SEARCHERS = ["bf", "bt", "fc-mrv", "gac"]
BUNDLED = ["course-1", "course-3", "four-2", "queens-6", "zebra", "australia", "ages", "x-sudoku", "norvig-impossible"]
MOST = 1500


def searched(puzzle: Puzzle, engine: str, nodes: int) -> tuple[list[list[int]], int, bool]:
    """Solutions in their order, nodes, and whether the searcher itself came to its end."""
    found: list[list[int]] = []
    made = 0
    try:
        for batch in ENGINES[engine].search(puzzle, Limits(nodes=nodes)):
            found += batch.solutions.tolist()
            made = batch.nodes or 0
    except Stopped:
        return found, made, False
    return found, made, True


def replayed(film: Replay) -> tuple[list[list[int]], int, bool]:
    return list(film.solutions()), film.nodes, film.is_complete


@pytest.mark.parametrize("engine", SEARCHERS)
@pytest.mark.parametrize("name", BUNDLED)
def test_the_nodes_and_solutions_are_those_of_the_searcher(name: str, engine: str) -> None:
    puzzle = read_one(f"@{name}").puzzle
    assert replayed(replay(puzzle, engine, MOST)) == searched(puzzle, engine, MOST)


@pytest.mark.parametrize("engine", SEARCHERS)
def test_they_are_on_random_puzzles_over_every_constraint(engine: str) -> None:
    for puzzle in random_puzzles(seed=5, count=150):
        assert replayed(replay(puzzle, engine, 400)) == searched(puzzle, engine, 400), puzzle


@pytest.mark.parametrize("engine", SEARCHERS)
def test_degenerate_puzzles(engine: str) -> None:
    puzzles = [
        Puzzle("no cells", (), ()),
        Puzzle("empty domain", ((1, 2), ()), ()),
        Puzzle("full", ((1,), (2,)), (AllDifferent((0, 1)),)),
        Puzzle("contradictory", ((1,), (1,), (1, 2)), (AllDifferent((0, 1)),)),
        Puzzle("twice in a scope", ((1, 2), (1, 2)), (AllDifferent((0, 0)),)),
        Puzzle("a constraint on nothing", ((1, 2),), (Linear((), (), "==", 3),)),
        Puzzle("coefficients that cancel", ((1, 2), (1, 2), (3, 4)), (Linear((0, 1, 0, 2), (1, 1, -1, 1), "==", 5),)),
    ]
    for puzzle in puzzles:
        assert replayed(replay(puzzle, engine)) == searched(puzzle, engine, 3000), puzzle


@pytest.mark.parametrize("engine", SEARCHERS)
def test_every_step_shows_what_its_changes_add_up_to(engine: str) -> None:
    film = replay(read_one("@four-5").puzzle, engine, 300)
    shown = film.at(0)
    assert [change.value for change in shown] == [d[0] if len(d) == 1 else None for d in film.puzzle.domains]
    nodes = 0
    for number, step in enumerate(film.steps):
        for change in step.changes:
            shown[change.cell] = change
        assert shown == film.at(number)
        assert step.nodes - nodes in (0, 1)
        nodes = step.nodes
        if step.kind == "place" and step.cell is not None:
            assert shown[step.cell].value == step.value
            assert step.value in film.puzzle.domains[step.cell]
        if step.kind == "solution":
            assert not film.puzzle.violated([x for x in (change.value for change in shown) if x is not None])


def test_a_dead_end_names_the_cells_that_show_why() -> None:
    film = replay(read_one("@course-1").puzzle, "bf")
    step = next(step for step in film.steps if step.kind == "dead end")
    values = [change.value for change in film.at(film.steps.index(step))]
    assert len(step.broken) >= 2
    assert {values[v] for v in step.broken} == {step.value}
    assert "holds" in step.because


def test_forward_checking_shows_which_cell_lost_its_last_value() -> None:
    film = replay(read_one("@norvig-many").puzzle, "fc-mrv")
    number, step = next((k, step) for k, step in enumerate(film.steps) if step.kind == "dead end")
    assert film.at(number)[step.broken[1]].marks == ()
    assert "without a value" in step.because


def test_a_replay_ends_where_its_nodes_are_used_up() -> None:
    film = replay(read_one("@blank-9").puzzle, "bt", 100)
    assert (film.nodes, film.is_complete) == (100, False)
    assert film.steps[-1].kind != "end"


def test_the_object_for_the_player_is_json() -> None:
    film = replay(read_one("@four-2").puzzle, "gac")
    told = json.loads(json.dumps(to_object(film)))
    assert told["steps"][0][0] == "start"
    assert told["steps"][-1][0] == "end"
    assert len(told["steps"]) == len(film.steps)


def test_what_cannot_be_replayed_is_said() -> None:
    with pytest.raises(InputError, match="expected one of bf, bt, fc-mrv, gac"):
        replay(read_one("@four-2").puzzle, "sat")
    with pytest.raises(Unavailable, match="at most 64"):
        replay(Puzzle("wide", (tuple(range(65)),), ()), "bt")
