"""Where solutions differ."""

import numpy as np
import pytest

from crosscount.compare.ambiguity import Ambiguity, of_counts, of_solutions


def test_values_are_counted_cell_by_cell() -> None:
    found = of_solutions([[1, 2, 3], [1, 3, 2], [1, 2, 4], [1, 2, 5]], exact=True)
    assert found.total == 4
    assert found.cells == ({1: 4}, {2: 3, 3: 1}, {2: 1, 3: 1, 4: 1, 5: 1})
    assert found.open_cells == [1, 2]


def test_openness_runs_from_certain_to_anything_goes() -> None:
    found = of_solutions([[1, 2, 3], [1, 3, 2], [1, 2, 4], [1, 2, 5]], exact=True)
    assert found.openness(0) == 0.0
    assert found.openness(2) == pytest.approx(1.0)
    assert 0.0 < found.openness(1) < 0.5


def test_the_rarest_value_is_the_best_clue_alone() -> None:
    assert of_counts(10, [{1: 10}, {1: 7, 2: 3}, {3: 9, 1: 1}]).rarest == (2, 1, 1)
    assert of_counts(10, [{1: 10}]).rarest is None


def test_counts_past_64_bits_are_exact() -> None:
    total = 6670903752021072936960
    found = of_counts(total, [dict.fromkeys(range(1, 10), total // 9)])
    assert found.openness(0) == pytest.approx(1.0)
    assert found.cells[0][1] * 9 == total


def test_degenerate_lists() -> None:
    assert of_solutions(np.empty((0, 2), np.int8), exact=True) == Ambiguity(0, ({}, {}), True)
    assert of_solutions(np.empty((1, 0), np.int8), exact=True).cells == ()
    assert of_solutions(np.empty((0, 2), np.int8), exact=True).openness(0) == 0.0
