"""All engines on the same puzzles: sets, not only counts."""

import os
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crosscount.compare.comparison import Comparing
from crosscount.compare.conformance import by_definition, counted, expect_solutions, random_puzzles
from crosscount.compare.engines import engines, find, usual
from crosscount.compare.runs import Verdict
from crosscount.puzzles import collection
from crosscount.puzzles.constraints import RELATIONS, AllDifferent, Constraint, Linear, Product, Table
from crosscount.puzzles.engine import Limits, Unavailable
from crosscount.puzzles.families import Latin, Queens, Sudoku
from crosscount.puzzles.puzzle import Puzzle

EXAMPLES = 5_000 if os.environ.get("CROSSCOUNT_FULL") else 1_000


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Small puzzles over every constraint, with any domains."""
    values = st.integers(-4, 9)
    domains = tuple(tuple(draw(st.sets(values, min_size=1, max_size=4))) for _ in range(draw(st.integers(1, 5))))
    constraints = tuple(draw(st.lists(constraint(domains), max_size=3)))
    return Puzzle("made", domains, constraints)


@st.composite
def constraint(draw: st.DrawFn, domains: tuple[tuple[int, ...], ...]) -> Constraint:
    scope = tuple(draw(st.lists(st.integers(0, len(domains) - 1), max_size=5)))
    relation = draw(st.sampled_from(sorted(RELATIONS)))
    picked = [draw(st.sampled_from(sorted(domains[v]))) for v in scope]
    kind = draw(st.sampled_from(["different", "linear", "product", "table"]))
    if kind == "different":
        return AllDifferent(scope)
    if kind == "linear":
        coefficients = tuple(draw(st.integers(-3, 3) | st.just(1_000_000)) for _ in scope)
        total = sum(c * x for c, x in zip(coefficients, picked, strict=True))
        return Linear(scope, coefficients, relation, total + draw(st.integers(-1, 1)))
    if kind == "product":
        return Product(scope, int(np.prod(picked, dtype=object)) + draw(st.integers(-1, 1)), relation)
    row = st.tuples(*(st.sampled_from(sorted(domains[v])) for v in scope))
    return Table(scope, frozenset(draw(st.sets(row, max_size=12))), draw(st.booleans()))


# Singles give up instead of guessing. Certificates are for some constraints only, and ganak counts each formula twice:
# both see fewer puzzles, elsewhere.
LISTERS = [engine for engine in engines().values() if engine.name not in ("singles", "certificate", "ganak")]


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(puzzle=puzzles())
def test_every_engine_finds_what_the_definition_says(puzzle: Puzzle) -> None:
    expected = by_definition(puzzle)
    for engine in LISTERS:
        try:
            expect_solutions(engine, puzzle, expected)
        except Unavailable as unavailable:
            if engine.name != "asp":  # an extra; all others must take such puzzles
                raise AssertionError(unavailable) from None


def test_both_that_only_count_say_the_same() -> None:
    """Ganak shares nothing with the counting engine: neither the search, nor the memory, nor how a puzzle is read."""
    for puzzle in random_puzzles(515, EXAMPLES // 10):
        try:
            theirs = counted(find("ganak"), puzzle)
        except Unavailable as unavailable:
            pytest.skip(str(unavailable))
        assert counted(find("count"), puzzle) == theirs == len(by_definition(puzzle)), puzzle


KNOWN: list[tuple[Puzzle, int]] = [
    *((Queens(size).puzzle(f"queens-{size}"), count) for size, count in ((4, 2), (5, 10), (8, 92), (10, 724))),
    *((Latin.blank(size).puzzle(f"latin-{size}"), count) for size, count in ((2, 2), (3, 12), (4, 576))),
    (Sudoku.blank(4).puzzle("blank-4"), 288),
]


@pytest.fixture(scope="module")
def comparing() -> Iterator[Comparing]:
    with Comparing(list(engines().values())) as comparing:
        yield comparing


@pytest.mark.parametrize(("puzzle", "count"), KNOWN, ids=[puzzle.name for puzzle, _ in KNOWN])
def test_published_counts(comparing: Comparing, puzzle: Puzzle, count: int) -> None:
    expect_agreement(comparing, puzzle, count)


UNLIKE = ["gac", "sat", "cpsat", "asp"]
SLOW = {"magic-4", "queens-12"}
"""Minutes for all but gac, and a quarter of one."""
SMALL = [
    name
    for name in collection.names()
    if name not in SLOW
    and (expect := collection.entry(name).expect) is not None
    and expect.exactly is not None
    and expect.exactly <= 15_000
]


@pytest.mark.parametrize("name", SMALL)
def test_the_bundled_puzzles(comparing: Comparing, name: str) -> None:
    """By one engine of each family: brute force would not finish all of these."""
    entry = collection.entry(name)
    result = comparing.compare(entry.puzzle, [find(engine) for engine in UNLIKE], Limits(seconds=60))
    assert not result.findings
    assert entry.expect is not None
    assert (result.verdict, result.count) == (Verdict.AGREE, entry.expect.exactly)


def test_a_large_set_by_every_engine(comparing: Comparing) -> None:
    """A fifth of all Latin squares of order 5 begins with any one value."""
    squares = collection.entry("latin-5").puzzle
    expect_agreement(comparing, replace(squares, domains=((3,), *squares.domains[1:])), 161280 // 5)


def expect_agreement(comparing: Comparing, puzzle: Puzzle, count: int) -> None:
    """Every engine finishes, but for those that this machine lacks, and all found the same."""
    result = comparing.compare(puzzle, usual(puzzle), Limits(seconds=400))
    assert not result.findings
    assert (result.verdict, result.count) == (Verdict.AGREE, count)
    assert {run.status for run in result.runs} <= {"complete", "skipped"}, result.runs
