"""The puzzles that a function of somebody's own is put through, and what is right about each.

They are small: whoever tries every value gets through. What is right does not come from one program: two unlike engines
list every solution, or a plain product of the domains does.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod

from crosscount.compare.conformance import by_definition, listed, random_puzzles
from crosscount.compare.engines import find
from crosscount.compare.gate_solver import Takes
from crosscount.puzzles.latin import LARGEST, Grid, Latin
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.queens import Queens
from crosscount.puzzles.sudoku import Sudoku, default_box

Set = frozenset[tuple[int, ...]]
JUDGES = ("cpsat", "sat")
FEW = 5_000
"""Combinations that are simply all tried."""
MOST = 60
"""Solutions of a puzzle in the suite."""
RANDOM = 12
TRIES = 400


@dataclass(frozen=True, slots=True)
class Trial:
    """A puzzle and all of its solutions."""

    puzzle: Puzzle
    solutions: Set


def truth(puzzle: Puzzle) -> Set:
    """All solutions. RuntimeError where our own engines disagree, which would be our fault and nobody else's."""
    if prod(len(domain) for domain in puzzle.domains) <= FEW:
        return frozenset(by_definition(puzzle))
    one, other = (frozenset(listed(find(name), puzzle)) for name in JUDGES)
    if one != other:
        raise RuntimeError(f"a fault of ours: {' and '.join(JUDGES)} disagree on {puzzle}")
    return one


@lru_cache(maxsize=16)
def suite(takes: Takes, size: int, seed: int = 1) -> tuple[Trial, ...]:
    """The same for the same arguments; the first one has several solutions, so that it shows what is returned.

    ValueError for a size of sudokus that has no room for all of them.
    """
    if not 4 <= size <= LARGEST:
        raise ValueError(f"size is {size}, expected 4 to {LARGEST}")
    puzzles = _any_puzzles(seed) if takes == "puzzle" else _sudokus(size, seed)
    return tuple(Trial(puzzle, truth(puzzle)) for puzzle in puzzles)


def _any_puzzles(seed: int) -> Iterator[Puzzle]:
    yield Queens(4).puzzle("four queens")
    yield Queens(3).puzzle("three queens")
    yield Latin.blank(3).puzzle("a Latin square")
    yield Puzzle("a cell without a value", ((1, 2), ()), ())
    yield from (puzzle for puzzle in _sudokus(4, seed))
    yield from (replace(puzzle, name=puzzle.name.replace("/", ".")) for puzzle in random_puzzles(seed, 5 * RANDOM))


def _sudokus(size: int, seed: int) -> Iterator[Puzzle]:
    make = _Maker(size, random.Random(f"{seed}/{size}"))
    half = size * size // 2
    yield make.with_solutions("a few solutions", 2, 4, 2 * size)
    full = make.full()
    yield _puzzle("a full grid", full)
    yield _puzzle("one blank cell", make.blanked(full, 1))
    yield _puzzle("one blank row", [[0] * size, *full[1:]])
    yield _puzzle("one blank column", [[0, *row[1:]] for row in full])
    yield from make.contradictions()
    for k in range(RANDOM):
        blanks = round(size * size * (0.15 + 0.4 * k / RANDOM))
        yield make.with_solutions(f"about {blanks} blank cells", 1, MOST, blanks)
    yield make.with_solutions("one solution", 1, 1, half)
    yield make.with_solutions("several solutions", 5, 15, 3 * size)
    yield make.with_solutions("many solutions", 16, MOST, 3 * size)
    yield make.with_solutions("no solution, and no clash to see", 0, 0, half)


def _puzzle(name: str, rows: list[list[int]]) -> Puzzle:
    return Sudoku(_grid(rows)).puzzle(name)


def _grid(rows: list[list[int]]) -> Grid:
    return tuple(tuple(row) for row in rows)


class _Maker:
    """Makes sudokus of one size out of full grids; `random` decides everything."""

    def __init__(self, size: int, random: random.Random) -> None:
        self.size, self.random = size, random
        self.height, self.width = default_box(size)

    def full(self) -> list[list[int]]:
        """A solved grid: the regular one, with its values, rows and columns shuffled as a sudoku allows."""
        n, pick = self.size, self.random
        values = pick.sample(range(1, n + 1), n)
        rows = [b * self.height + r for b in self.order(n // self.height) for r in self.order(self.height)]
        columns = [b * self.width + c for b in self.order(n // self.width) for c in self.order(self.width)]
        return [[values[(self.width * (r % self.height) + r // self.height + c) % n] for c in columns] for r in rows]

    def order(self, n: int) -> list[int]:
        return self.random.sample(range(n), n)

    def blanked(self, full: list[list[int]], blanks: int, values: int | None = None) -> list[list[int]]:
        """So many cells blank; only such with a few different values, where that is said."""
        n = self.size
        open_values = self.random.sample(range(1, n + 1), values or n)
        cells = [v for v in range(n * n) if full[v // n][v % n] in open_values]
        chosen = set(self.random.sample(cells, min(blanks, len(cells))))
        return [[0 if r * n + c in chosen else full[r][c] for c in range(n)] for r in range(n)]

    def contradictions(self) -> Iterator[Puzzle]:
        """Grids without a solution, for a reason that can be seen."""
        n = self.size
        for where, (r, c) in (("row", (0, n - 1)), ("column", (n - 1, 0)), ("box", (self.height - 1, self.width - 1))):
            rows = [[0] * n for _ in range(n)]
            rows[0][0] = rows[r][c] = 1
            yield _puzzle(f"the same value twice in a {where}", rows)
        full = self.full()
        full[n - 1][n - 1] = full[n - 1][0]
        yield _puzzle("a full grid that is wrong", full)

    def with_solutions(self, name: str, least: int, most: int, blanks: int) -> Puzzle:
        """A puzzle with so many solutions and about so many blanks, more or fewer as it takes.

        For no solutions at all, one value of a puzzle is replaced by another one that clashes with nothing. Several
        come from blanking four values only: that takes few blanks, and is soon solved also by whoever searches slowly.
        """
        n = self.size
        for _ in range(TRIES):
            rows = self.blanked(self.full(), blanks, 4 if least > 1 else None)
            if most == 0:
                rows[self.random.randrange(n)][self.random.randrange(n)] = self.random.randint(1, n)
            puzzle = _puzzle(name, rows)
            found = len(some(puzzle, most + 1))
            if least <= found <= most and not _clashes(puzzle):
                return puzzle
            if most > 0:
                blanks += max(1, blanks // 16) * (1 if found < least else -1)
                blanks = min(max(blanks, 1), 4 * n if least > 1 else n * n)
        raise RuntimeError(f"a fault of ours: no puzzle of size {n} for {name!r}")


def some(puzzle: Puzzle, most: int) -> set[tuple[int, ...]]:
    """All solutions, or so many of them."""
    from crosscount.puzzles.engine import Limits, Stopped

    found: set[tuple[int, ...]] = set()
    try:
        for batch in find(JUDGES[0]).search(puzzle, Limits(solutions=most)):
            found.update(tuple(row) for row in batch.solutions.tolist())
    except Stopped:
        pass
    return found


def _clashes(puzzle: Puzzle) -> bool:
    """Whether two givens can be seen to contradict each other."""
    given = [domain[0] if len(domain) == 1 else None for domain in puzzle.domains]
    for constraint in puzzle.constraints:
        values = [given[v] for v in constraint.scope if given[v] is not None]
        if len(set(values)) < len(values):
            return True
    return False
