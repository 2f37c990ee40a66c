"""Names, limits, stopping early, and what happens where a package is missing."""

import sys
import threading
from collections.abc import Iterator

import pytest

from crosscount import encodings
from crosscount.encodings import sat
from crosscount.puzzles.constraints import AllDifferent, Linear, Product
from crosscount.puzzles.engine import Batch, Engine, Limits, Stopped, Unavailable
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.puzzle import Puzzle

LISTING = [encodings.ENGINES[name] for name in ("sat", "cpsat", "asp")]
listing = pytest.mark.parametrize("engine", LISTING, ids=lambda e: e.name)

MANY = Puzzle("many", (tuple(range(6)),) * 12, ())
SOME = Puzzle("some", (tuple(range(5)),) * 5, (AllDifferent((0, 1)),))
# More cells than values, said so that no engine sees it at once: every proof by clauses is long.
HARD = Puzzle(
    "hard", (tuple(range(12)),) * 13, tuple(Linear((a, b), (1, -1), "!=", 0) for a in range(13) for b in range(a))
)


def drain(batches: Iterator[Batch]) -> tuple[list[tuple[int, ...]], str]:
    rows: list[tuple[int, ...]] = []
    try:
        for batch in batches:
            rows.extend(map(tuple, batch.solutions.tolist()))
    except Stopped as stopped:
        return rows, stopped.reason
    return rows, "complete"


def threads() -> set[str]:
    return {thread.name for thread in threading.enumerate()}


@pytest.mark.parametrize("name", sorted(set(sat.solver_names().values())))
def test_every_solver_of_pysat_lists_the_same_set(name: str) -> None:
    puzzle = Puzzle("cage", ((1, 2, 3, 4),) * 4, (Linear((0, 1, 2, 3), (1, 1, 1, 1), "==", 10), AllDifferent((0, 3))))
    rows, why = drain(encodings.find(f"sat:{name}").search(puzzle, Limits()))
    same, _ = drain(encodings.find("cpsat").search(puzzle, Limits()))
    assert why == "complete"
    assert sorted(rows) == sorted(same)


def test_names_are_found() -> None:
    assert set(encodings.ENGINES) == {"sat", "cpsat", "asp", "ganak"}
    assert encodings.find("sat") is encodings.ENGINES["sat"]
    assert encodings.find("sat:glucose4").name == "sat:glucose4"
    assert encodings.find("sat:g4").name == "sat:glucose4"
    assert encodings.find("sat:glucose4").family == "cnf"
    assert [encodings.ENGINES[n].family for n in ("sat", "cpsat", "asp", "ganak")] == ["cnf", "cp", "asp", "cnf"]


def test_an_unknown_solver_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"no solver 'walksat' .* cadical195, .* glucose4, .* minisat22"):
        encodings.find("sat:walksat")
    with pytest.raises(InputError, match=r"no engine 'sta', expected one of sat, cpsat, asp, ganak"):
        encodings.find("sta")


@pytest.mark.parametrize("most", [1, 2, 10, 400])
@pytest.mark.parametrize("name", ["sat", "sat:cadical195"])
def test_no_solution_is_lost_or_repeated_where_a_formula_is_split(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    splits = []

    class Counting(sat._Walk):
        def split(self, cube: sat._Cube) -> list[sat._Cube]:
            splits.append(len(cube.known))
            return super().split(cube)

    monkeypatch.setattr(sat, "_Walk", Counting)
    monkeypatch.setattr(sat, "MOST_BLOCKED", most)
    monkeypatch.setattr(sat, "CLAUSES_A_BLOCK", 10**9)
    rows, why = drain(encodings.find(name).search(SOME, Limits()))
    assert splits
    assert why == "complete"
    assert len(rows) == len(set(rows)) == 5 * 4 * 5**3


@listing
@pytest.mark.parametrize("most", [0, 1, 7, 5000])
def test_a_limit_on_solutions_is_kept_to_the_row(engine: Engine, most: int) -> None:
    rows, why = drain(engine.search(MANY, Limits(solutions=most)))
    assert why == "solutions"
    assert len(rows) == len(set(rows)) == most


@listing
def test_a_limit_of_exactly_all_solutions_is_still_a_limit(engine: Engine) -> None:
    rows, why = drain(engine.search(SOME, Limits(solutions=2500)))
    assert (len(set(rows)), why) == (2500, "solutions")
    rows, why = drain(engine.search(SOME, Limits(solutions=2501)))
    assert (len(set(rows)), why) == (2500, "complete")


@listing
def test_a_time_limit_ends_what_would_not_end(engine: Engine) -> None:
    rows, why = drain(engine.search(MANY, Limits(seconds=0.8)))
    assert why == "time"
    assert rows
    assert len(rows) == len(set(rows))


@pytest.mark.parametrize("name", ["sat", "sat:glucose4", "sat:cadical195", "asp"])
def test_a_time_limit_ends_a_search_that_finds_nothing(name: str) -> None:
    batches = encodings.find(name).search(HARD, Limits(seconds=1.5))
    signs_of_life: list[Batch] = []
    with pytest.raises(Stopped, match="time"):
        signs_of_life.extend(batches)
    assert len(signs_of_life) > 1
    assert not any(len(batch.solutions) for batch in signs_of_life)


@pytest.mark.parametrize("name", ["sat", "cpsat"])
def test_a_limit_on_nodes_stops_the_search(name: str) -> None:
    rows, why = drain(encodings.find(name).search(MANY, Limits(nodes=50)))
    assert why == "nodes"
    assert len(rows) == len(set(rows))


@listing
def test_closing_early_leaves_no_thread_behind(engine: Engine) -> None:
    before = threads()
    batches = engine.search(MANY, Limits())
    rows = 0
    while rows == 0:
        rows += len(next(batches).solutions)
    batches.close()  # type: ignore[attr-defined] # engines are generators
    assert threads() == before


@listing
def test_nodes_and_seconds_only_grow(engine: Engine) -> None:
    batches = list(engine.search(SOME, Limits()))
    nodes = [b.nodes for b in batches if b.nodes is not None]
    seconds = [b.seconds for b in batches]
    assert nodes
    assert nodes == sorted(nodes)
    assert seconds == sorted(seconds)


@pytest.mark.parametrize(
    ("module", "engine", "extra"), [("clingo.control", "asp", "asp"), ("pyganak", "ganak", "count")]
)
def test_a_missing_package_is_named_with_what_installs_it(
    module: str, engine: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(Unavailable, match=rf"pip install 'crosscount\[{extra}\]'"):
        list(encodings.find(engine).search(SOME, Limits()))


def test_cpsat_refuses_what_does_not_fit_into_64_bits() -> None:
    cells = tuple(range(5))
    large = Puzzle("large", ((10**18, 10**17),) * 5, (Linear(cells, (1,) * 5, ">", 0),))
    with pytest.raises(Unavailable, match="64 bits"):
        list(encodings.find("cpsat").search(large, Limits()))
    large = Puzzle("large", ((-1, 10**6),) * 5, (Product(cells, 0, ">"),))
    with pytest.raises(Unavailable, match="64 bits"):
        list(encodings.find("cpsat").search(large, Limits()))


def test_asp_reads_models_without_the_c_function_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crosscount.encodings.asp._symbol_reader", lambda size: None)
    rows, why = drain(encodings.find("asp").search(SOME, Limits()))
    assert (len(set(rows)), len(rows), why) == (2500, 2500, "complete")


def test_asp_refuses_a_sum_that_it_could_only_walk_forever() -> None:
    weights = tuple(3**40 + 7**i for i in range(25))
    puzzle = Puzzle("sum", ((0, 1),) * 25, (Linear(tuple(range(25)), weights, "==", sum(weights[::2])),))
    with pytest.raises(Unavailable, match="sum of 25 cells"):
        list(encodings.find("asp").search(puzzle, Limits()))


def test_ganak_counts_what_nobody_could_list() -> None:
    (*_, last) = encodings.find("ganak").search(Puzzle("free", (tuple(range(10)),) * 40, ()), Limits())
    assert last.count == 10**40


def test_ganak_gives_no_count_that_depends_on_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counter:
        def __init__(self, seed: int) -> None:
            self.seed = seed

        def new_vars(self, n: int) -> None: ...
        def add_clauses(self, clauses: object) -> None: ...
        def set_sampling_set(self, variables: object) -> None: ...

        def count(self) -> int:
            return 100 + self.seed

    monkeypatch.setattr("pyganak.Counter", Counter)
    with pytest.raises(RuntimeError, match="101, 102"):
        list(encodings.find("ganak").search(SOME, Limits()))


def test_ganak_stops_waiting_at_its_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()

    class Counter:
        def __init__(self, seed: int) -> None: ...
        def new_vars(self, n: int) -> None: ...
        def add_clauses(self, clauses: object) -> None: ...
        def set_sampling_set(self, variables: object) -> None: ...

        def count(self) -> int:
            done.wait()
            return 1

    monkeypatch.setattr("pyganak.Counter", Counter)
    with pytest.raises(Stopped, match="time"):
        list(encodings.find("ganak").search(SOME, Limits(seconds=0.3)))
    done.set()
