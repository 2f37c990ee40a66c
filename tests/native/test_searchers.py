"""What every handwritten searcher must do, beyond the conformance suite."""

import resource
import sys
from itertools import islice

import numpy as np
import pytest

from crosscount.native import ENGINES
from crosscount.puzzles import collection
from crosscount.puzzles.constraints import AllDifferent, Linear, Product
from crosscount.puzzles.engine import Limits, Stopped, Unavailable
from crosscount.puzzles.families import Latin, Queens, Sudoku
from crosscount.puzzles.puzzle import Puzzle

FOUR = ["bf", "bt", "fc-mrv", "gac"]
# OEIS A000170.
QUEENS = {1: 1, 2: 0, 3: 0, 4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352, 10: 724, 11: 2680, 12: 14200}
# OEIS A002860.
LATIN = {1: 1, 2: 2, 3: 12, 4: 576, 5: 161280}


def count(engine: str, puzzle: Puzzle) -> int:
    return sum(len(batch.solutions) for batch in ENGINES[engine].search(puzzle, Limits()))


def nodes(engine: str, puzzle: Puzzle, limits: Limits) -> int:
    last = 0
    try:
        for batch in ENGINES[engine].search(puzzle, limits):
            last = batch.nodes or 0
    except Stopped:
        pass
    return last


@pytest.mark.parametrize("engine", FOUR)
@pytest.mark.parametrize("size", QUEENS)
def test_queens(engine: str, size: int) -> None:
    assert count(engine, Queens(size).puzzle("queens")) == QUEENS[size]


@pytest.mark.parametrize("engine", FOUR)
@pytest.mark.parametrize("size", LATIN)
def test_latin_squares(engine: str, size: int) -> None:
    assert count(engine, Latin.blank(size).puzzle("latin")) == LATIN[size]


@pytest.mark.parametrize("engine", FOUR)
def test_the_blank_4x4_has_288(engine: str) -> None:
    assert count(engine, Sudoku.blank(4).puzzle("blank")) == 288


@pytest.mark.parametrize("name", collection.names())
def test_gac_makes_no_more_nodes_than_forward_checking(name: str) -> None:
    entry = collection.entry(name)
    first = Limits(nodes=2_000_000, solutions=1)
    assert nodes("gac", entry.puzzle, first) <= nodes("fc-mrv", entry.puzzle, first)
    count = entry.expect.exactly if entry.expect is not None else None
    if count is not None and count <= 20_000:
        every = Limits(nodes=5_000_000)
        assert nodes("gac", entry.puzzle, every) <= nodes("fc-mrv", entry.puzzle, every)


@pytest.mark.parametrize("engine", ["gt", *FOUR])
def test_a_node_limit_is_kept_exactly(engine: str) -> None:
    puzzle = collection.entry("norvig-impossible").puzzle if engine != "gac" else Sudoku.blank(9).puzzle("blank")
    assert nodes(engine, puzzle, Limits(nodes=123_456)) == 123_456


@pytest.mark.parametrize("engine", FOUR)
def test_a_search_goes_on_where_it_was_left(engine: str) -> None:
    puzzle = Latin.blank(4).puzzle("latin 4")
    whole = [row for batch in ENGINES[engine].search(puzzle, Limits()) for row in batch.solutions.tolist()]
    from crosscount.native import search as driver

    # Batches of seven: the search is left and taken up again in the middle of everything.
    before, driver.BATCH = driver.BATCH, 7
    try:
        parts = [batch.solutions.tolist() for batch in ENGINES[engine].search(puzzle, Limits())]
    finally:
        driver.BATCH = before
    assert [row for part in parts for row in part] == whole
    assert max(len(part) for part in parts) <= 7


@pytest.mark.parametrize("engine", FOUR)
def test_solutions_come_in_the_smallest_type_that_holds_them(engine: str) -> None:
    for values, dtype in (((-5, 7), np.int8), ((0, 300), np.int16), ((0, 70_000), np.int32), ((0, 2**40), np.int64)):
        batch = next(islice(ENGINES[engine].search(Puzzle("p", (values,), ()), Limits()), 1))
        assert batch.solutions.dtype == dtype
        assert batch.solutions.tolist() == [[values[0]], [values[1]]]


@pytest.mark.parametrize("engine", FOUR)
def test_all_64_values_of_a_cell_are_used(engine: str) -> None:
    values = tuple(range(-10, 54))
    puzzle = Puzzle("wide", (values, values), (AllDifferent((0, 1)), Linear((0, 1), (1, -1), ">", 60)))
    assert count(engine, puzzle) == 6


@pytest.mark.parametrize("engine", ["gt", *FOUR])
def test_more_than_64_values_are_refused(engine: str) -> None:
    puzzle = Puzzle("too wide", (tuple(range(65)),), ())
    with pytest.raises(Unavailable, match="x1 has 65 values"):
        count(engine, puzzle)


@pytest.mark.parametrize("engine", ["gt", *FOUR])
def test_numbers_past_64_bits_are_refused_and_not_computed_wrongly(engine: str) -> None:
    huge = 2**62
    for constraint in (
        Linear((0, 1, 2), (huge, 1, 1), "==", huge),
        Linear((0, 1, 2), (1, 1, 1), "<", huge),
        Product((0, 1, 2), huge),
    ):
        with pytest.raises(Unavailable, match="2\\^62"):
            count(engine, Puzzle("huge", ((1, 2),) * 3, (constraint,)))


@pytest.mark.parametrize("engine", ["gt", *FOUR])
def test_products_past_64_bits_are_compared_rightly(engine: str) -> None:
    cells = 8
    domains = ((-(10**9), 10**9, 0), *((10**9, 10**9 + 1),) * (cells - 1))
    scope = tuple(range(cells))
    assert count(engine, Puzzle("p", domains, (Product(scope, 5, ">"),))) == 128
    assert count(engine, Puzzle("p", domains, (Product(scope, -5, "<"),))) == 128
    assert count(engine, Puzzle("p", domains, (Product(scope, 0),))) == 128


@pytest.mark.parametrize("engine", ["bf", "bt", "fc-mrv", "gac"])
def test_a_long_search_holds_little_memory(engine: str) -> None:
    puzzle = Sudoku.blank(9).puzzle("blank")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(Stopped, match="nodes"):
        for _ in ENGINES[engine].search(puzzle, Limits(nodes=3_000_000)):
            pass
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    kilobytes = 1024 if sys.platform == "darwin" else 1
    assert grown // kilobytes < 60_000
