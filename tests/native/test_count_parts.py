"""The parts of the counting engine by themselves: wide numbers, the table, the hash."""

import random

import numpy as np
import pytest

from crosscount.native import count_memory
from crosscount.native.count import settled
from crosscount.native.count_board import hash_sets
from crosscount.native.count_limbs import add, multiply, to_int, widened
from crosscount.native.count_memory import COUNT, NOTE
from crosscount.native.count_model import arrange, lay_out
from crosscount.native.model import Ints, flatten, zeros
from crosscount.puzzles.families import Latin


def words(number: int, size: int) -> Ints:
    return np.frombuffer(number.to_bytes(8 * size, "little"), np.int64).copy()


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_wide_numbers_add_and_multiply_or_say_that_they_do_not_fit(size: int) -> None:
    r = random.Random(size)
    top = 1 << 64 * size
    edges = [0, 1, top - 1, top // 2, (1 << 64) - 1, (1 << 32) + 1]
    numbers = [n % top for n in edges] + [r.getrandbits(r.randint(1, 64 * size)) for _ in range(60)]
    for a in numbers:
        for b in numbers:
            for operation, expected in ((add, a + b), (multiply, a * b)):
                total = words(a, size)
                arguments = (words(b, size),) if operation is add else (words(b, size), zeros(2 * size))
                fits = operation(total, *arguments)
                assert fits == (expected < top)
                assert to_int(total) == (expected if fits else a)


def test_more_words_change_no_number() -> None:
    counts = np.stack([words(n, 2) for n in (0, 5, (1 << 128) - 1)])
    assert [to_int(row) for row in widened(counts, 4)] == [0, 5, (1 << 128) - 1]


def filled_table(entries: int) -> tuple[Ints, int, dict[tuple[int, int], int]]:
    table = count_memory.allocate(1 << 22, 1)
    r = random.Random(1)
    kept: dict[tuple[int, int], int] = {}
    for i in range(entries):
        low, high = r.randrange(1 << 62), r.randrange(1 << 62)
        count_memory.store(table, 4096, low, high, count_memory.note(1, i), words(i, 1))
        kept[low, high] = i
    # With few entries hardly a bucket is full; those that were replaced are gone.
    return table, 4096, {key: i for key, i in kept.items() if count_memory.find(table, 4096, *key) >= 0}


def test_what_is_in_the_table_is_there_after_doubling_too() -> None:
    table, size, kept = filled_table(1000)
    assert len(kept) > 950
    for _ in range(3):
        for (low, high), i in kept.items():
            row = count_memory.find(table, size, low, high)
            assert row >= 0
            assert table[row, COUNT] == i
            assert table[row, NOTE] >> 8 == i
        assert count_memory.find(table, size, 1, 2) == -1
        count_memory.double(table, size)
        size *= 2
        assert np.count_nonzero(table[:, NOTE]) == len(kept)


def test_a_full_bucket_drops_what_was_cheapest() -> None:
    table = count_memory.allocate(0, 1)
    size = len(table)
    for high, effort in enumerate((8, 1, 64, 1024)):
        assert count_memory.store(table, size, 0, high, count_memory.note(effort, 0), words(high, 1)) == 1
    assert count_memory.store(table, size, 0, 9, count_memory.note(512, 0), words(9, 1)) == 0
    assert count_memory.find(table, size, 0, 1) == -1
    assert [count_memory.find(table, size, 0, high) >= 0 for high in (0, 2, 3, 9)] == [True] * 4
    assert count_memory.store(table, size, 0, 10, count_memory.note(2, 0), words(10, 1)) == 0
    assert count_memory.find(table, size, 0, 10) == -1


def test_the_hash_takes_renamed_values_for_the_same_and_moved_cells_for_others() -> None:
    layout = lay_out(flatten(Latin.blank(4).puzzle("latin")))
    found = settled(layout)
    assert found is not None
    r = np.random.default_rng(3)
    for names_matter in (False, True):
        board, spots, _ = arrange(layout.keeping_names() if names_matter else layout, *found)
        sets = r.integers(0, 1 << 16, (4, 1))
        spots.sets[0] = sets
        first = hash_sets(board, spots, 0)
        spots.sets[0] = sets[[2, 0, 3, 1]]
        assert (hash_sets(board, spots, 0) == first) is not names_matter
        spots.sets[0] = sets ^ np.array([[1], [0], [0], [0]])
        assert hash_sets(board, spots, 0) != first
