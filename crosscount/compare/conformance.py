"""One suite that every engine goes through, ours and yours.

    from crosscount.compare.conformance import CHECKS
    for check in CHECKS:
        check(my_engine)

A check raises AssertionError with the puzzle and what is wrong. What is right comes from a plain product of the
domains and each constraint's own `holds`, or from a published count.
"""

import random
from collections.abc import Callable, Iterator
from itertools import product
from math import prod

from crosscount.compare.engines import GT_AT_MOST
from crosscount.puzzles.constraints import RELATIONS, AllDifferent, Constraint, Linear, Product, Relation, Table
from crosscount.puzzles.engine import Engine, Limits, Stopped
from crosscount.puzzles.families import Latin, Queens, Sudoku
from crosscount.puzzles.puzzle import Puzzle

Check = Callable[[Engine], None]
Set = set[tuple[int, ...]]


def by_definition(puzzle: Puzzle) -> Set:
    """Every solution, by trying every combination."""
    return {
        values
        for values in product(*puzzle.domains)
        if all(c.holds([values[v] for v in c.scope]) for c in puzzle.constraints)
    }


def listed(engine: Engine, puzzle: Puzzle, limits: Limits | None = None) -> list[tuple[int, ...]]:
    """What the engine lists, in its order; Stopped is passed on."""
    return [tuple(row) for batch in engine.search(puzzle, limits or Limits()) for row in batch.solutions.tolist()]


def counted(engine: Engine, puzzle: Puzzle) -> int:
    """What an engine that only counts says in the end."""
    count = 0
    for batch in engine.search(puzzle, Limits()):
        count = count if batch.count is None else batch.count
    return count


def expect_solutions(engine: Engine, puzzle: Puzzle, expected: Set) -> None:
    """The engine finds exactly these, each once."""
    if engine.counts_only:
        count = counted(engine, puzzle)
        assert count == len(expected), f"{engine.name} counts {count}, expected {len(expected)}: {puzzle}"
        return
    found = listed(engine, puzzle)
    extra, missing = sorted(set(found) - expected), sorted(expected - set(found))
    assert not extra, f"{engine.name} reports {extra[0]}, which is not a solution: {puzzle}"
    assert not missing, f"{engine.name} lacks {missing[0]} ({len(missing)} in all): {puzzle}"
    assert len(found) == len(set(found)), f"{engine.name} reports a solution twice: {puzzle}"


def expect_count(engine: Engine, puzzle: Puzzle, expected: int) -> None:
    """The engine finds so many, each a solution and none twice."""
    if engine.name == "gt" and prod(len(domain) for domain in puzzle.domains) > GT_AT_MOST:
        return  # it would, in days
    if engine.counts_only:
        count = counted(engine, puzzle)
    else:
        found = listed(engine, puzzle)
        count = len(found)
        assert len(set(found)) == count, f"{engine.name} reports a solution of {puzzle.name} twice"
        for solution in found:
            wrong = puzzle.violated(solution)
            assert not wrong, f"{engine.name} on {puzzle.name}: {solution} is no solution: {wrong[0]}"
    assert count == expected, f"{engine.name} finds {count} solutions of {puzzle.name}, expected {expected}"


def no_cells_have_one_solution(engine: Engine) -> None:
    expect_solutions(engine, Puzzle("nothing", (), ()), {()})
    expect_solutions(engine, Puzzle("nothing, contradicted", (), (Linear((), (), "==", 1),)), set())


def an_empty_domain_has_none(engine: Engine) -> None:
    expect_solutions(engine, Puzzle("empty", ((1, 2), ()), ()), set())
    expect_solutions(engine, Puzzle("only empty", ((),), ()), set())


def a_full_grid_is_its_own_solution(engine: Engine) -> None:
    grid = ((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1))
    puzzle = Sudoku(grid).puzzle("full")
    expect_solutions(engine, puzzle, {tuple(x for row in grid for x in row)})


def contradictory_givens_have_none(engine: Engine) -> None:
    expect_solutions(engine, Sudoku(((1, 1, 0, 0), (0,) * 4, (0,) * 4, (0,) * 4)).puzzle("two ones in a row"), set())
    full = ((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 1, 2))
    expect_solutions(engine, Sudoku(full).puzzle("full and wrong"), set())


def repeated_scopes_change_nothing(engine: Engine) -> None:
    different = AllDifferent((0, 1, 2))
    total = Linear((0, 1, 2), (1, 1, 1), "<=", 5)
    domains = ((1, 2, 3),) * 3
    once = Puzzle("once", domains, (different, total))
    twice = Puzzle("twice", domains, (different, total, different, total, AllDifferent((2, 1, 0))))
    expect_solutions(engine, twice, by_definition(once))


def a_cell_may_stand_twice_in_a_scope(engine: Engine) -> None:
    domains = ((-2, 0, 1, 3), (1, 2, 3), (0, 1))
    scope = (0, 1, 0, 2)
    constraints: list[Constraint] = [
        AllDifferent(scope),
        Linear(scope, (1, 1, -1, 1), "==", 3),
        Linear(scope, (2, 1, 1, 0), ">", 4),
        Product(scope, 9, ">="),
        Table(scope, frozenset({(1, 1, 1, 0), (1, 2, 3, 0), (3, 3, 3, 1)})),
        Table(scope, frozenset({(1, 1, 1, 0), (1, 2, 3, 0), (3, 3, 3, 1)}), allowed=False),
    ]
    for constraint in constraints:
        puzzle = Puzzle("repeated cell", domains, (constraint,))
        expect_solutions(engine, puzzle, by_definition(puzzle))


def one_value_domains_gaps_and_negatives(engine: Engine) -> None:
    domains = ((-7,), (-3, 0, 40), (0,), (-3, 40), (5, 6))
    for constraints in (
        (),
        (AllDifferent((0, 1, 2, 3, 4)),),
        (Linear((0, 1, 3), (2, -1, 1), "==", -14),),
        (Product((0, 1, 3), 0, ">"), AllDifferent((1, 3))),
        (Table((1, 3), frozenset({(-3, 40), (40, 40), (0, 7)})),),
    ):
        puzzle = Puzzle("odd domains", domains, constraints)
        expect_solutions(engine, puzzle, by_definition(puzzle))


def published_counts(engine: Engine) -> None:
    """OEIS A000170, A002860, A107739; and counts that releases of other solvers have got wrong."""
    for size, count in enumerate((1, 1, 0, 0, 2, 10, 4, 40)):
        expect_count(engine, Queens(size).puzzle(f"queens {size}"), count)
    for size, count in ((1, 1), (2, 2), (3, 12), (4, 576)):
        expect_count(engine, Latin.blank(size).puzzle(f"latin {size}"), count)
    expect_count(engine, Sudoku.blank(4).puzzle("blank 4x4"), 288)
    apart = frozenset((a, b) for a in range(4) for b in range(4) if abs(a - b) >= 2)
    expect_count(engine, Puzzle("two tasks of length 2", ((0, 1, 2, 3),) * 2, (Table((0, 1), apart),)), 6)


def random_puzzles_by_definition(engine: Engine, puzzles: int = 300, seed: int = 1) -> None:
    for puzzle in random_puzzles(seed, puzzles):
        expect_solutions(engine, puzzle, by_definition(puzzle))


def a_limit_is_not_completeness(engine: Engine) -> None:
    """Stopping at a number of solutions raises Stopped, also when there are no more."""
    if engine.counts_only:
        return
    puzzle = Latin.blank(3).puzzle("latin 3")
    for limit in (1, 5, 12):
        found = []
        try:
            for batch in engine.search(puzzle, Limits(solutions=limit)):
                found += [tuple(row) for row in batch.solutions.tolist()]
        except Stopped as stopped:
            assert stopped.reason == "solutions", f"{engine.name} stopped by {stopped.reason}, expected solutions"
        else:
            raise AssertionError(f"{engine.name} claims to be complete at its limit of {limit} solutions")
        assert len(set(found)) == len(found) == limit, f"{engine.name} lists {len(found)}, its limit is {limit}"


def no_time_finds_nothing_out(engine: Engine) -> None:
    """Without any time an engine stops, unless it was done at once."""
    puzzle = Latin.blank(6).puzzle("latin 6")
    try:
        for batch in engine.search(puzzle, Limits(seconds=0.0)):
            assert len(batch.solutions) < 812_851_200
    except Stopped as stopped:
        assert stopped.reason == "time", f"{engine.name} stopped by {stopped.reason}, expected time"
    else:
        assert engine.counts_only, f"{engine.name} claims to have listed 812851200 solutions in no time"


def it_can_be_left_in_the_middle(engine: Engine) -> None:
    """A search that is given up leaves nothing behind that disturbs the next."""
    puzzle = Latin.blank(3).puzzle("latin 3")
    for _ in range(3):
        search = engine.search(puzzle, Limits())
        next(iter(search))
        if hasattr(search, "close"):
            search.close()
    expect_count(engine, puzzle, 12)


CHECKS: tuple[Check, ...] = (
    no_cells_have_one_solution,
    an_empty_domain_has_none,
    a_full_grid_is_its_own_solution,
    contradictory_givens_have_none,
    repeated_scopes_change_nothing,
    a_cell_may_stand_twice_in_a_scope,
    one_value_domains_gaps_and_negatives,
    published_counts,
    random_puzzles_by_definition,
    a_limit_is_not_completeness,
    no_time_finds_nothing_out,
    it_can_be_left_in_the_middle,
)


def random_puzzles(seed: int, count: int) -> Iterator[Puzzle]:
    """Small puzzles over every constraint; the same for the same seed."""
    for number in range(count):
        yield _random_puzzle(random.Random(f"{seed}/{number}"), f"random {seed}/{number}")


def _random_puzzle(r: random.Random, name: str) -> Puzzle:
    low = r.choice((-3, 0, 1))
    domains = tuple(
        tuple(r.sample(range(low, low + 6), 0 if r.random() < 0.01 else r.randint(1, 4)))
        for _ in range(r.randint(1, 5))
    )
    constraints = tuple(random_constraint(r, domains) for _ in range(r.randint(0, 4)))
    return Puzzle(name, domains, constraints)


def random_constraint(r: random.Random, domains: tuple[tuple[int, ...], ...]) -> Constraint:
    """One that some combination of values is likely to satisfy."""
    cells = range(len(domains))
    size = r.randint(0, len(domains))
    scope = tuple(r.choices(cells, k=size) if r.random() < 0.15 else r.sample(cells, size))
    relation: Relation = r.choice(tuple(RELATIONS))
    picked = [r.choice(domains[v] or (0,)) for v in scope]
    match r.randrange(4):
        case 0:
            return AllDifferent(scope)
        case 1:
            coefficients = tuple(r.choice((1, 1, 1, -1, 2, -3, 0, 1_000_003)) for _ in scope)
            total = sum(c * x for c, x in zip(coefficients, picked, strict=True))
            return Linear(scope, coefficients, relation, total)
        case 2:
            return Product(scope, prod(picked), relation)
        case _:
            rows = list(product(*(domains[v] for v in scope)))
            chosen = frozenset(r.sample(rows, r.randint(0, len(rows))))
            return Table(scope, chosen, allowed=r.random() < 0.5)
