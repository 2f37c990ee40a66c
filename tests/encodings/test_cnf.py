"""What the clauses say, and how many of them it takes."""

from collections.abc import Sequence
from itertools import combinations, product
from random import Random
from typing import get_args

import pytest

from crosscount.encodings import adders, cnf, diagrams
from crosscount.puzzles.constraints import AllDifferent, Linear, Product, Relation
from crosscount.puzzles.engine import Unavailable
from crosscount.puzzles.puzzle import Puzzle

RELATIONS = get_args(Relation)
DIGITS = tuple(range(1, 10))


def models(formula: cnf.Formula) -> set[tuple[int, ...]]:
    """The solutions that the clauses allow, by trying every grid: independent of how engines list."""
    from pysat.solvers import Solver

    if formula.contradicts_itself:
        return set()
    found = set()
    with Solver("minisat22", bootstrap_with=formula.clauses) as solver:
        for values in product(*formula.domains):
            if solver.solve(assumptions=[formula.lit_of(v)[x] for v, x in enumerate(values)]):
                found.add(values)
    return found


def expected(puzzle: Puzzle) -> set[tuple[int, ...]]:
    return {values for values in product(*puzzle.domains) if not puzzle.violated(values)}


def helpers_are_decided(formula: cnf.Formula, values: tuple[int, ...]) -> bool:
    """Do these values leave exactly one way to set the helpers?"""
    from pysat.solvers import Solver

    with Solver("minisat22", bootstrap_with=formula.clauses) as solver:
        assumptions = [formula.lit_of(v)[x] for v, x in enumerate(values)]
        assert solver.solve(assumptions=assumptions)
        return all(
            not solver.solve(assumptions=[*assumptions, -lit])
            for lit in solver.get_model()[: formula.variables]
            if abs(lit) > formula.cell_variables
        )


@pytest.mark.parametrize("n", [1, 2, 12, 13, 17, 30])
def test_at_most_one_of_many_literals_is_true(n: int) -> None:
    from pysat.solvers import Solver

    formula = cnf.Formula(((0,),) * n)
    cnf.at_most_one(formula, range(1, n + 1))
    with Solver("minisat22", bootstrap_with=[*formula.clauses, [1, -1]]) as solver:
        for a, b in combinations(range(1, n + 1), 2):
            assert not solver.solve(assumptions=[a, b])
        for a in range(1, n + 1):
            others = [-b for b in range(1, n + 1) if b != a]
            assert solver.solve(assumptions=[a, *others])
            assert set(others) <= set(solver.propagate(assumptions=[a])[1]) | {0}
        assert solver.solve(assumptions=[-a for a in range(1, n + 1)])
    assert len(formula.clauses) <= n * (n - 1) // 2


@pytest.mark.parametrize("relation", RELATIONS)
def test_adders_add_like_diagrams(relation: Relation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagrams, "WIDE", 0)
    calls: list[Linear] = []
    plain = adders.add_sum

    def add_sum(formula: cnf.Formula, constraint: Linear, terms: Sequence[diagrams.Term]) -> None:
        calls.append(constraint)
        plain(formula, constraint, terms)

    monkeypatch.setattr(adders, "add_sum", add_sum)
    rng = Random(relation)
    for _ in range(60):
        domains = tuple(tuple(rng.sample(range(-3, 9), rng.randint(1, 4))) for _ in range(4))
        coefficients = tuple(rng.choice((-9, -4, 0, 1, 2, 8, 37)) for _ in domains)
        aim = sum(c * rng.choice(d) for c, d in zip(coefficients, domains, strict=True)) + rng.choice((0, 0, 5, -60))
        puzzle = Puzzle("sum", domains, (Linear((0, 1, 2, 3), coefficients, relation, aim),))
        assert models(cnf.encode(puzzle)) == expected(puzzle), puzzle
    assert calls


def test_no_literal_stands_twice_in_a_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver would take such a clause for a shorter one without saying so when it propagates."""
    monkeypatch.setattr(diagrams, "WIDE", 0)
    # 3 is two bits of one literal, and so meets itself in the carry.
    formula = cnf.encode(Puzzle("sum", ((0, 1),) * 6, (Linear(tuple(range(6)), (3, 3, 1, 7, 15, 1), "<=", 12),)))
    for clause in formula.clauses:
        assert len({abs(lit) for lit in clause}) == len(clause)
    formula = cnf.Formula(((0, 1),))
    formula.add([1, 1], [1, -1], [])
    assert formula.clauses == [[1], []]


@pytest.mark.parametrize("relation", RELATIONS)
def test_diagrams_decide_their_helpers(relation: Relation) -> None:
    puzzle = Puzzle(
        "cage",
        ((-1, 0, 2), (1, 2, 3), (-2, 1), (0, 1, 5)),
        (Linear((0, 1, 2, 3), (3, 1, -2, 1), relation, 4), Product((0, 1, 2, 3), 0, relation)),
    )
    formula = cnf.encode(puzzle)
    solutions = expected(puzzle)
    assert models(formula) == solutions
    assert all(helpers_are_decided(formula, values) for values in solutions)


def clauses_for(domains: tuple[tuple[int, ...], ...], *constraints: Linear | Product | AllDifferent) -> int:
    return len(cnf.encode(Puzzle("size", domains, constraints)).clauses)


def test_a_cage_of_nine_cells_stays_small() -> None:
    cells = tuple(range(9))
    assert clauses_for((DIGITS,) * 9, Linear(cells, (1,) * 9, "==", 45)) < 5_000
    assert clauses_for((DIGITS,) * 9, Product(cells, 362_880)) < 10_000
    assert clauses_for((DIGITS,) * 9, Product(cells, 362_880, "<=")) < 20_000


def test_a_sum_of_forty_booleans_stays_small() -> None:
    assert clauses_for(((0, 1),) * 40, Linear(tuple(range(40)), (1,) * 40, "==", 20)) < 3_000


@pytest.mark.parametrize("relation", RELATIONS)
def test_coefficients_of_a_million_stay_small(relation: Relation) -> None:
    rng = Random(1)
    coefficients = tuple(rng.randint(1, 10**6) for _ in range(40))
    half = sum(coefficients) // 2
    assert clauses_for(((0, 1),) * 40, Linear(tuple(range(40)), coefficients, relation, half)) < 10_000


def test_at_most_merges_bounds_that_no_sum_can_tell_apart() -> None:
    coefficients = tuple(10**6 + i for i in range(30))
    constraint = Linear(tuple(range(30)), coefficients, "<=", 15 * 10**6 + 10**4)
    terms = diagrams.terms_of(constraint, ((0, 1),) * 30)
    assert len(diagrams.build(constraint, terms).children) < 500


def test_a_long_sum_does_not_recurse_too_deep() -> None:
    assert clauses_for(((0, 1),) * 2000, Linear(tuple(range(2000)), (1,) * 2000, "<=", 3)) < 100_000


def test_a_large_all_different_stays_small() -> None:
    n = 25
    assert clauses_for((tuple(range(n)),) * n, AllDifferent(tuple(range(n)))) < n * n * 6


def test_a_product_with_too_many_partial_products_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagrams, "WIDEST", 50)
    puzzle = Puzzle("product", (DIGITS,) * 9, (Product(tuple(range(9)), 362_880),))
    with pytest.raises(Unavailable, match="product of 9 cells"):
        cnf.encode(puzzle)
