"""Generalised arc consistency is the real thing: what is left has a support, what is gone had none."""

import random
from math import prod

import pytest

from crosscount.compare.conformance import by_definition, random_constraint
from crosscount.native import arithmetic
from crosscount.native.gac import consistent_domains
from crosscount.puzzles.constraints import RELATIONS, AllDifferent, Constraint, Linear, Product, Relation
from crosscount.puzzles.puzzle import Puzzle

Domains = tuple[tuple[int, ...], ...]


def supported(puzzle: Puzzle) -> list[tuple[int, ...]] | None:
    """The values that occur in a solution, by brute force."""
    solutions = by_definition(puzzle)
    if not solutions:
        return None
    return [tuple(sorted({solution[v] for solution in solutions})) for v in range(len(puzzle.domains))]


def expect_consistent(domains: Domains, constraint: Constraint) -> None:
    puzzle = Puzzle("one constraint", domains, (constraint,))
    assert consistent_domains(puzzle) == supported(puzzle), puzzle


@pytest.mark.parametrize("seed", range(8))
def test_every_value_left_has_a_support_and_none_removed_had(seed: int) -> None:
    r = random.Random(seed)
    for _ in range(250):
        low = r.choice((-3, 0, 1))
        domains = tuple(tuple(r.sample(range(low, low + 7), r.randint(1, 5))) for _ in range(r.randint(1, 5)))
        expect_consistent(domains, random_constraint(r, domains))


def test_hall_sets_are_found() -> None:
    domains = ((1, 2), (1, 2), (1, 2, 3, 4), (2, 3, 4, 5))
    puzzle = Puzzle("pair", domains, (AllDifferent((0, 1, 2, 3)),))
    assert consistent_domains(puzzle) == [(1, 2), (1, 2), (3, 4), (3, 4, 5)]


@pytest.mark.parametrize("seed", range(20))
def test_all_different_over_more_than_64_values(seed: int) -> None:
    r = random.Random(seed)
    few = r.sample(range(100), 3)
    domains: list[tuple[int, ...]] = [tuple(r.sample(range(100), r.randint(45, 50))) for _ in range(2)]
    domains += [tuple(few[:2]), tuple(few[:2]), (*few, domains[0][0])]
    r.shuffle(domains)
    assert len({x for domain in domains for x in domain}) > 64
    expect_consistent(tuple(domains), AllDifferent((0, 1, 2, 3, 4)))


WIDE = tuple(range(1, 1200, 19))
LARGE = (WIDE, tuple(x * x for x in WIDE), tuple(x * 1000 for x in WIDE), (1, 5), (-3, 9))


@pytest.mark.parametrize("relation", RELATIONS)
def test_bounds_never_remove_a_supported_value(relation: Relation) -> None:
    assert len(WIDE) ** 3 > arithmetic.ARCS, "the diagram must be too large"
    r = random.Random(relation)
    picked = [r.choice(domain) for domain in LARGE]
    scope = tuple(range(len(LARGE)))
    for constraint in (
        Linear(scope, (1,) * len(scope), relation, sum(picked)),
        Product(scope, prod(picked), relation),
    ):
        left = consistent_domains(Puzzle("large", LARGE, (constraint,)))
        samples = [picked, *([r.choice(domain) for domain in LARGE] for _ in range(20_000))]
        for values in filter(constraint.holds, samples):
            assert left is not None
            assert all(x in domain for x, domain in zip(values, left, strict=True))


def test_bounds_do_prune_where_a_diagram_is_too_large() -> None:
    total = Linear((0, 1, 2), (1, 1, 1), "==", 1 + 1 + 20_000)
    left = consistent_domains(Puzzle("large", LARGE[:3], (total,)))
    assert left is not None
    assert max(left[2]) == 20_000
