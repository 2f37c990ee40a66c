"""Every engine, on every kind of constraint, against a plain product of the domains."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crosscount import encodings
from crosscount.puzzles.constraints import AllDifferent, Constraint, Linear, Product, Relation, Table
from crosscount.puzzles.engine import Batch, Engine, Limits, solution_dtype
from crosscount.puzzles.puzzle import Puzzle

RELATIONS = get_args(Relation)
LISTING = [encodings.find(name) for name in ("sat", "sat:glucose4", "sat:cadical195", "cpsat", "asp")]
EVERY_ENGINE = [*LISTING, encodings.find("ganak")]

listing = pytest.mark.parametrize("engine", LISTING, ids=lambda e: e.name)
every_engine = pytest.mark.parametrize("engine", EVERY_ENGINE, ids=lambda e: e.name)

Rows = set[tuple[int, ...]]


def expected(puzzle: Puzzle) -> Rows:
    return {values for values in product(*puzzle.domains) if not puzzle.violated(values)}


def check(engine: Engine, puzzle: Puzzle, solutions: Rows) -> None:
    """The engine finds exactly `solutions`, each once; a counter their number."""
    batches = list(engine.search(puzzle, Limits()))
    if engine.counts_only:
        assert batches[-1].count == len(solutions)
        return
    rows: list[tuple[int, ...]] = []
    for batch in batches:
        assert batch.solutions.dtype == solution_dtype(puzzle)
        assert batch.solutions.shape == (len(batch.solutions), len(puzzle.domains))
        rows.extend(map(tuple, batch.solutions.tolist()))
    extra, missing = set(rows) - solutions, solutions - set(rows)
    assert not extra, f"extra: {sorted(extra)[:3]}"
    assert not missing, f"missing: {sorted(missing)[:3]}"
    assert len(rows) == len(solutions), "a solution came twice"


def random_domain(rng: Random) -> tuple[int, ...]:
    pool = rng.choice([range(4), range(-3, 3), (-7, 0, 2, 9), (1, 2, 3), range(2)])
    return tuple(rng.sample(list(pool), rng.randint(1, len(pool))))


def random_constraint(rng: Random, kind: type[Any], domains: list[tuple[int, ...]]) -> Constraint:
    cells = range(len(domains))
    if kind is AllDifferent:
        return AllDifferent(tuple(rng.sample(cells, rng.randint(0, len(cells)))))
    scope = tuple(rng.choices(cells, k=rng.randint(0, 4)))
    relation = rng.choice(RELATIONS)
    if kind is Linear:
        factors = rng.choice([(1,), (-2, -1, 0, 1, 3), (-(10**6), 999_983, 1)])
        coefficients = tuple(rng.choices(factors, k=len(scope)))
        aim = sum(c * rng.choice(domains[v]) for c, v in zip(coefficients, scope, strict=True))
        return Linear(scope, coefficients, relation, aim + rng.choice([0, 0, 1, -2]))
    if kind is Product:
        return Product(scope, rng.choice([0, 1, -1, 2, 4, 6, -12, 18, 36, 1000]), relation)
    rows = [tuple(rng.choice([*domains[v], 77]) for v in scope) for _ in range(rng.randint(0, 9))]
    return Table(scope, frozenset(rows), rng.random() < 0.6)


def random_puzzle(rng: Random, kinds: list[type[Any]]) -> Puzzle:
    domains = [random_domain(rng) for _ in range(rng.randint(1, 5))]
    constraints = tuple(random_constraint(rng, rng.choice(kinds), domains) for _ in range(rng.randint(1, 3)))
    return Puzzle("random", tuple(domains), constraints)


@every_engine
@pytest.mark.parametrize("kind", [AllDifferent, Linear, Product, Table], ids=lambda k: k.__name__)
def test_a_kind_of_constraint_means_what_it_says(engine: Engine, kind: type[Any]) -> None:
    rng = Random(f"{kind.__name__}")
    for _ in range(100):
        puzzle = random_puzzle(rng, [kind])
        check(engine, puzzle, expected(puzzle))


@every_engine
def test_kinds_mix(engine: Engine) -> None:
    rng = Random(7)
    for _ in range(100):
        puzzle = random_puzzle(rng, [AllDifferent, Linear, Product, Table])
        check(engine, puzzle, expected(puzzle))


@given(st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_listing_engines_find_what_a_product_finds(rng: Random) -> None:
    puzzle = random_puzzle(rng, [AllDifferent, Linear, Product, Table])
    solutions = expected(puzzle)
    for engine in LISTING:
        check(engine, puzzle, solutions)


def puzzle_of(*domains: tuple[int, ...], constraints: tuple[Constraint, ...] = ()) -> Puzzle:
    return Puzzle("degenerate", domains, constraints)


SOME = (0, 1, 2)
FULL_GRID = ((1,), (2,), (2,), (1,))
LATIN_2 = tuple(AllDifferent(scope) for scope in ((0, 1), (2, 3), (0, 2), (1, 3)))

DEGENERATE = {
    "no cells": puzzle_of(),
    "no cells, and something that holds": puzzle_of(constraints=(AllDifferent(()), Linear((), (), "==", 0))),
    "no cells, and something that cannot hold": puzzle_of(constraints=(Linear((), (), "==", 1),)),
    "an empty product is 1": puzzle_of(SOME, constraints=(Product((), 1), Product((), 0, "!="))),
    "an empty product is not 2": puzzle_of(SOME, constraints=(Product((), 2),)),
    "the empty tuple is allowed": puzzle_of(SOME, constraints=(Table((), frozenset({()})),)),
    "no tuple is allowed": puzzle_of(SOME, constraints=(Table((), frozenset()),)),
    "the empty tuple is forbidden": puzzle_of(SOME, constraints=(Table((), frozenset({()}), allowed=False),)),
    "no tuple is forbidden": puzzle_of(SOME, constraints=(Table((0,), frozenset(), allowed=False),)),
    "no tuple of one cell is allowed": puzzle_of(SOME, constraints=(Table((0,), frozenset()),)),
    "every tuple is allowed": puzzle_of(SOME, SOME, constraints=(Table((0, 1), frozenset(product(SOME, SOME))),)),
    "an empty domain": puzzle_of(SOME, (), constraints=(AllDifferent((0, 1)), Linear((0, 1), (1, 1), "==", 2))),
    "only an empty domain": puzzle_of(()),
    "nothing to obey": puzzle_of(SOME, (-5, 5), (7,)),
    "a full grid": puzzle_of(*FULL_GRID, constraints=LATIN_2),
    "contradictory givens": puzzle_of((1,), (1,), SOME, constraints=(AllDifferent((0, 1, 2)),)),
    "a scope twice": puzzle_of(SOME, SOME, constraints=(AllDifferent((0, 1)),) * 2),
    "a cell that differs from itself": puzzle_of(SOME, SOME, constraints=(AllDifferent((0, 1, 0)),)),
    "more cells than values": puzzle_of(SOME, SOME, SOME, SOME, constraints=(AllDifferent((0, 1, 2, 3)),)),
    "as many values as cells, though not everywhere": puzzle_of(
        (1, 2), (2, 3), (1, 3), constraints=(AllDifferent((0, 1, 2)),)
    ),
    "a cell added to itself": puzzle_of(SOME, SOME, constraints=(Linear((0, 0, 1), (1, 1, -1), "==", 0),)),
    "a cell taken from itself": puzzle_of(SOME, constraints=(Linear((0, 0), (3, -3), "<=", 0),)),
    "a cell taken from itself is not 1": puzzle_of(SOME, constraints=(Linear((0, 0), (3, -3), "==", 1),)),
    "a square": puzzle_of((-2, 0, 2, 3), constraints=(Product((0, 0), 4),)),
    "a square times another": puzzle_of((-2, 0, 2), (-1, 0, 3), constraints=(Product((0, 1, 0), 0, "<"),)),
    "a table that names a cell twice": puzzle_of(
        SOME, SOME, constraints=(Table((0, 0, 1), frozenset({(0, 0, 1), (0, 1, 1), (2, 2, 2)})),)
    ),
    "a forbidden table that names a cell twice": puzzle_of(
        SOME, SOME, constraints=(Table((0, 0, 1), frozenset({(0, 0, 1), (0, 1, 1)}), allowed=False),)
    ),
    "a bound that nothing reaches": puzzle_of(SOME, SOME, SOME, constraints=(Linear((0, 1, 2), (1, 1, 1), ">", 99),)),
    "a bound that everything keeps": puzzle_of(SOME, SOME, SOME, constraints=(Linear((0, 1, 2), (1, 1, 1), "<", 99),)),
    "a bound past 64 bits": puzzle_of(SOME, SOME, SOME, constraints=(Linear((0, 1, 2), (1, 1, 1), "<", 10**30),)),
    "sums past 32 bits": puzzle_of(
        *[(0, 1)] * 4, constraints=(Linear((0, 1, 2, 3), (2**33, -(2**33), 3, 5), "==", 5),)
    ),
    "values past 32 bits": puzzle_of((0, 2**40), (1, 2**40), constraints=(Linear((0, 1), (1, -1), "==", 0),)),
    "products past 32 bits": puzzle_of(*[(1, 70_000)] * 3, constraints=(Product((0, 1, 2), 70_000**2),)),
    "a product of zeros": puzzle_of((0, 1), (0, 2), (0, 3), constraints=(Product((0, 1, 2), 0),)),
    "a product that is not zero": puzzle_of((0, 1), (0, 2), (0, 3), constraints=(Product((0, 1, 2), 0, "!="),)),
}


@every_engine
@pytest.mark.parametrize("name", DEGENERATE)
def test_a_degenerate_puzzle_is_a_puzzle(engine: Engine, name: str) -> None:
    check(engine, DEGENERATE[name], expected(DEGENERATE[name]))


def queens(n: int) -> Puzzle:
    apart = [
        Linear((a, b), (1, -1), "!=", sign * (a - b)) for a in range(n) for b in range(a + 1, n) for sign in (1, -1)
    ]
    return Puzzle("queens", (tuple(range(n)),) * n, (AllDifferent(tuple(range(n))), *apart))


def count(engine: Engine, puzzle: Puzzle) -> int:
    batches: Iterator[Batch] = engine.search(puzzle, Limits())
    return sum(batch.count if batch.count is not None else len(batch.solutions) for batch in batches)


@every_engine
def test_there_are_92_ways_to_place_8_queens(engine: Engine) -> None:
    assert count(engine, queens(8)) == 92


@every_engine
def test_two_tasks_of_length_2_have_6_ways_not_to_overlap(engine: Engine) -> None:
    apart = frozenset((a, b) for a in range(4) for b in range(4) if abs(a - b) >= 2)
    assert count(engine, Puzzle("tasks", ((0, 1, 2, 3),) * 2, (Table((0, 1), apart),))) == 6


@every_engine
def test_a_killer_cage_of_nine_cells_can_be_filled_in_9_factorial_ways(engine: Engine) -> None:
    givens = tuple((x,) for x in range(1, 5))
    cage = (AllDifferent(tuple(range(9))), Linear(tuple(range(9)), (1,) * 9, "==", 45))
    assert count(engine, Puzzle("cage", givens + (tuple(range(1, 10)),) * 5, cage)) == 120


@listing
def test_solutions_come_in_the_smallest_type_that_holds_them(engine: Engine) -> None:
    (batch, *_) = [b for b in engine.search(puzzle_of((-200, 1)), Limits()) if len(b.solutions)]
    assert batch.solutions.dtype == np.int16
