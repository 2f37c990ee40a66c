"""The counting engine: right, whatever the puzzle, the order, the memory and the size of the count."""

import random
from collections.abc import Iterator
from math import comb, factorial

import pytest

from crosscount.compare.conformance import CHECKS, Check, by_definition, counted, expect_solutions, random_puzzles
from crosscount.native import ENGINES, count
from crosscount.native.count import Counter, Counting, settled
from crosscount.native.count_board import Spots
from crosscount.native.count_model import lay_out
from crosscount.native.count_order import best_order
from crosscount.native.count_search import Search
from crosscount.native.count_state import fresh
from crosscount.native.model import flatten
from crosscount.puzzles import collection
from crosscount.puzzles.constraints import AllDifferent, Constraint, Linear, Product, Table
from crosscount.puzzles.engine import Batch, Limits, Stopped
from crosscount.puzzles.families import Latin, Queens, Sudoku
from crosscount.puzzles.puzzle import Puzzle

COUNT = ENGINES["count"]
LISTS = ENGINES["gac"]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_conforms(check: Check) -> None:
    check(COUNT)


@pytest.mark.parametrize(
    ("puzzle", "expected"),
    [
        (collection.entry("course-3").puzzle, 413),
        (collection.entry("course-4").puzzle, 286_470),
        (collection.entry("course-5").puzzle, 206_108_154),
        (collection.entry("blank-6").puzzle, 28_200_960),
        (collection.entry("magic-4").puzzle, 7040),
        (Queens(12).puzzle("queens 12"), 14_200),
        (Latin.blank(5).puzzle("latin 5"), 161_280),
        (Latin.blank(6).puzzle("latin 6"), 812_851_200),
        (Latin.blank(7).puzzle("latin 7"), 61_479_419_904_000),
        (Sudoku.blank(8, (2, 4)).puzzle("blank 8x8"), 29_136_487_207_403_520),
    ],
    ids=lambda case: case.name if isinstance(case, Puzzle) else str(case),
)
def test_known_counts(puzzle: Puzzle, expected: int) -> None:
    assert counted(COUNT, puzzle) == expected


@pytest.mark.parametrize("name", collection.names())
def test_it_agrees_with_what_the_collection_expects(name: str) -> None:
    entry = collection.entry(name)
    exactly = entry.expect.exactly if entry.expect is not None else None
    if exactly is not None and exactly < 10**8:
        assert counted(COUNT, entry.puzzle) == exactly


def test_random_puzzles_over_every_constraint() -> None:
    for puzzle in random_puzzles(2024, 1000):
        assert counted(COUNT, puzzle) == len(by_definition(puzzle)), puzzle


def some_of_every_family(r: random.Random) -> Iterator[Puzzle]:
    """Puzzles with givens taken from a solution, or at random, and with sums, products and tables between the cells."""
    for size, box in ((4, (2, 2)), (6, (2, 3))):
        solved = next(
            iter(next(iter(LISTS.search(Sudoku.blank(size, box).puzzle("blank"), Limits(solutions=1)))).solutions)
        )
        names = r.sample(range(1, size + 1), size)
        grid = [[names[int(solved[i * size + k]) - 1] for k in range(size)] for i in range(size)]
        keep = r.uniform(0.3, 0.6)
        givens = tuple(tuple(x if r.random() < keep else 0 for x in row) for row in grid)
        yield Sudoku(givens, box).puzzle("sudoku")
        yield Sudoku(givens, box, diagonals=True).puzzle("diagonals")
        yield Latin(givens).puzzle("latin")
        yield with_cages(r, Latin(givens).puzzle("cages"))
    yield Queens(7, {1: r.randint(1, 7)}).puzzle("queens")
    yield colouring(r)


def with_cages(r: random.Random, puzzle: Puzzle) -> Puzzle:
    cages: list[Constraint] = []
    for _ in range(4):
        scope = tuple(r.sample(range(len(puzzle.domains)), 3))
        match r.randrange(3):
            case 0:
                cages.append(Linear(scope, (1, 1, 1), r.choice(("<=", ">=", "!=")), r.randint(6, 10)))
            case 1:
                cages.append(Product(scope, r.choice((12, 24, 30)), r.choice(("<=", "!="))))
            case _:
                rows = {tuple(r.choices(range(1, 7), k=3)) for _ in range(40)}
                cages.append(Table(scope, frozenset(rows), allowed=False))
    return Puzzle(puzzle.name, puzzle.domains, (*puzzle.constraints, *cages), puzzle.drawing)


def colouring(r: random.Random) -> Puzzle:
    cells = 12
    edges = [Linear((u, v), (1, -1), "!=", 0) for u in range(cells) for v in range(u) if r.random() < 0.3]
    return Puzzle("map", ((1, 2, 3),) * cells, tuple(edges))


@pytest.mark.parametrize("seed", range(25))
def test_it_counts_what_a_listing_engine_lists(seed: int) -> None:
    for puzzle in some_of_every_family(random.Random(seed)):
        listed = 0
        try:
            for batch in LISTS.search(puzzle, Limits(solutions=100_000)):
                listed += len(batch.solutions)
        except Stopped:
            assert counted(COUNT, puzzle) >= listed
        else:
            assert counted(COUNT, puzzle) == listed, puzzle


def test_counts_past_64_bits() -> None:
    free = Puzzle("free", ((0, 1, 2, 3, 4, 5, 6, 7, 8, 9),) * 100, ())
    assert counted(COUNT, free) == 10**100
    apart = tuple(AllDifferent(tuple(range(10 * k, 10 * k + 10))) for k in range(10))
    assert counted(COUNT, Puzzle("apart", (tuple(range(10)),) * 100, apart)) == factorial(10) ** 10
    bits = 140
    at_most_half = Linear(tuple(range(bits)), (1,) * bits, "<=", bits // 2)
    half = (2**bits + comb(bits, bits // 2)) // 2
    assert counted(COUNT, Puzzle("bits", ((0, 1),) * bits, (at_most_half,))) == half


def test_components_multiply() -> None:
    square = Latin.blank(4).puzzle("latin")
    shifted = [AllDifferent(tuple(v + 16 for v in c.scope)) for c in square.constraints]
    two = Puzzle("two squares", square.domains * 2, (*square.constraints, *shifted))
    assert counted(COUNT, two) == 576**2
    dead = Linear((32, 33), (1, -1), "==", 9)
    beside = Puzzle("beside a contradiction", (*two.domains, (1, 2), (1, 2)), (*two.constraints, dead))
    assert counted(COUNT, beside) == 0


def counter_of(name: str, memory: int = count.MEMORY) -> Counter:
    layout = lay_out(flatten(collection.entry(name).puzzle))
    found = settled(layout)
    assert found is not None
    return Counter(layout, *found, memory)


def test_a_small_memory_costs_time_and_never_the_truth() -> None:
    counts, nodes = set(), []
    for memory in (0, 1 << 20, count.MEMORY):
        counter = counter_of("course-4", memory)
        assert counter.run(1 << 40)
        counts.add(counter.known)
        nodes.append(counter.nodes)
    assert counts == {286_470}
    assert nodes[0] > nodes[1] > nodes[2]


def test_a_weak_hash_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def weak(spots: Spots, memory: int) -> Search:
        search = fresh(spots, memory)
        search.strength[:] = 0x7, 0
        return search

    puzzles = [puzzle for puzzle in random_puzzles(7, 200) if len(by_definition(puzzle)) > 3]
    for puzzle in puzzles:
        expect_solutions(COUNT, puzzle, by_definition(puzzle))
    monkeypatch.setattr(count, "fresh", weak)
    wrong = 0
    for puzzle in puzzles:
        try:
            expect_solutions(COUNT, puzzle, by_definition(puzzle))
        except AssertionError:
            wrong += 1
    assert wrong > len(puzzles) // 10


@pytest.mark.parametrize("name", ["course-4", "blank-8", "magic-4"])
def test_any_order_gives_the_same_count_and_the_chosen_one_has_all_cells(name: str) -> None:
    layout = lay_out(flatten(collection.entry(name).puzzle))
    found = settled(layout)
    assert found is not None
    root, cells = found
    order = best_order(layout, root, cells)
    assert sorted(order) == cells
    if name == "course-4":
        for cells_in_order in (order, cells[::-1]):
            counter = Counter(layout, root, cells_in_order)
            assert counter.run(1 << 40)
            assert counter.known == 286_470


def test_what_is_known_grows_and_never_passes_the_count() -> None:
    counter = counter_of("course-4")
    known, closed = [0], [0.0]
    while not counter.run(counter.nodes + 997):
        known.append(counter.known)
        closed.append(counter.closed)
    assert known == sorted(known)
    assert closed == sorted(closed)
    assert 0 < known[-1] < counter.known == 286_470
    assert 0.0 < closed[-1] < counter.closed == 1.0


def last_of(puzzle: Puzzle, limits: Limits) -> tuple[Batch, str]:
    """The last batch, and why there were no more."""
    last = None
    try:
        for batch in COUNT.search(puzzle, limits):
            last = batch
    except Stopped as stopped:
        assert last is not None
        return last, stopped.reason
    assert last is not None
    return last, ""


def test_a_node_limit_is_kept_exactly() -> None:
    last, reason = last_of(collection.entry("course-5").puzzle, Limits(nodes=200_000))
    assert reason == "nodes"
    assert last.nodes == 200_000


def test_too_hard_ends_in_at_least_within_its_time() -> None:
    last, reason = last_of(Sudoku.blank(9).puzzle("blank 9x9"), Limits(seconds=0.5))
    assert reason == "time"
    assert last.count is not None
    assert 0 < last.count < 6_670_903_752_021_072_936_960


def test_two_runs_count_the_same_subproblems() -> None:
    puzzle = collection.entry("norvig-impossible").puzzle
    nodes = [[batch.nodes for batch in COUNT.search(puzzle, Limits())][-1] for _ in range(2)]
    assert nodes[0] == nodes[1]


def test_a_search_changes_its_order_and_starts_anew() -> None:
    counter = counter_of("course-4")
    counting = Counting(counter, Limits())
    assert counter.run(1000) is False
    counting.choose()
    for _ in counting:
        pass
    assert counting.counter.known == 286_470
    assert counting.nodes >= counting.counter.nodes
