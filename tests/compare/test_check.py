"""The vectorised check and the digest, against their plain definitions."""

import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from crosscount.compare import digest
from crosscount.compare.check import Checker
from crosscount.compare.conformance import by_definition, random_puzzles
from crosscount.compare.found import Found
from crosscount.puzzles.constraints import AllDifferent, Constraint, Linear, Product, Table
from crosscount.puzzles.puzzle import Puzzle


def columns(rows: list[tuple[int, ...]], cells: int) -> NDArray[Any]:
    return np.ascontiguousarray(np.array(rows, np.int64).reshape(len(rows), cells).T)


@pytest.mark.parametrize("seed", range(4))
def test_rows_are_good_exactly_where_nothing_is_violated(seed: int) -> None:
    for puzzle in random_puzzles(seed, 150):
        cells = len(puzzle.domains)
        values = [tuple({*domain, 99, -4, 0}) for domain in puzzle.domains]
        r = random.Random(seed)
        rows = [tuple(r.choice(domain) for domain in values) for _ in range(60)] + list(by_definition(puzzle))
        good = Checker(puzzle).good(columns(rows, cells))
        assert good.tolist() == [not puzzle.violated(row) for row in rows]


@pytest.mark.parametrize(
    "constraint",
    [
        Linear((0, 1), (10**18, 7), "==", 10**18 + 14),
        Linear((0, 1), (1, 1), "<", 10**30),
        Product((0, 1, 0, 1), 10**25, "<="),
        AllDifferent((0, 1)),
        AllDifferent((0, 1, 0)),
        Table((0, 1), frozenset({(1, 2), (10**40, 1)})),
        Table((), frozenset(), allowed=False),
        Table((), frozenset()),
    ],
)
def test_numbers_past_64_bits_are_checked_exactly(constraint: Constraint) -> None:
    puzzle = Puzzle("large", ((1, 2, 10**9), (1, 2, 10**7)), (constraint,))
    rows = list(product(*puzzle.domains))
    assert Checker(puzzle).good(columns(rows, 2)).tolist() == [not puzzle.violated(row) for row in rows]


def test_the_digest_does_not_depend_on_order_or_batches() -> None:
    rows = np.random.default_rng(5).integers(-3, 10, (1000, 7))
    puzzle = Puzzle("any", (tuple(range(-3, 10)),) * 7, ())
    whole, parts = Found(puzzle), Found(puzzle)
    whole.add(rows)
    for part in np.array_split(np.random.default_rng(6).permutation(rows), 13):
        parts.add(part.astype(np.int8))
    assert whole.digest == parts.digest
    assert whole.differing_buckets(parts) == set()


def test_the_digest_notices_every_small_change() -> None:
    rows = np.random.default_rng(7).integers(1, 10, (300, 9))

    def of(changed: NDArray[Any]) -> int:
        return digest.total(digest.fingerprints(np.ascontiguousarray(changed.T, np.int64)))

    seen = {of(rows), of(rows[1:]), of(np.concatenate([rows, rows[:1]]))}
    for i, j in product(range(20), range(9)):
        changed = rows.copy()
        changed[i, j] += 1
        seen.add(of(changed))
    swapped = rows.copy()
    swapped[0, [0, 1]] = rows[0, [1, 0]]
    assert rows[0, 0] != rows[0, 1]
    seen.add(of(swapped))
    assert len(seen) == 3 + 180 + 1


def test_the_digest_is_the_same_on_every_machine() -> None:
    rows = np.array([[1, 2, 3], [-1, 0, 5]])
    total = digest.total(digest.fingerprints(np.ascontiguousarray(rows.T, np.int64)))
    assert digest.shown(total) == "55eb7d233b3ca29f723130ed811ed6d7"
