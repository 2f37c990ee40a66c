"""Every solution through a SAT solver of PySAT.

A solution that has been found is excluded by a clause. Where such clauses pile up, every solver becomes slower with
each solution, so no more than `MOST_BLOCKED` are ever kept: a formula with more solutions is split on one cell into
formulas that have no solution in common, each simplified by what its value implies, and each with those of the
excluded solutions that it could find again. So the cost of a solution does not depend on how many came before.

Some solvers can only be stopped between two answers. All that take a budget of conflicts are asked in small portions
and notice a limit well within a second; the others (lingeling, cadical103, cryptominisat) return when they have an
answer, and only ending their process ends them sooner.

cube: one of the formulas.  block: the clause that excludes a solution.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crosscount.encodings.cnf import Clause, Formula, encode
from crosscount.encodings.tally import BEAT, ROWS, Tally
from crosscount.puzzles.engine import Batch, Engine, Limits, Unavailable
from crosscount.puzzles.puzzle import Puzzle

FASTEST = "minisat-gh"
"""The solver behind the plain name `sat`: the one that listed fastest in `benchmarks/listing.py`."""

WARM = {"minisat22", "minisat-gh", "glucose3", "glucose4"}
"""Solvers that go on from where the last solution was found, which halves the time. Others offer it too, but
glucose 4.2 crashes in this mode."""

MOST_BLOCKED = 3000
"""Blocks kept at a time. Fewer cost more formulas, more make each solution slower; 1,000 to 10,000 hardly differ."""
CLAUSES_A_BLOCK = 1
"""A formula with more clauses than that may have as many blocks: it takes longer to build, and notices them less."""

FIRST_BUDGET = 2000
"""Conflicts before we look at the clock; more of them while that takes less than LONG_ENOUGH seconds."""
LONG_ENOUGH = 0.06

WITHOUT_BUDGET = {"lingeling", "cadical103", "cryptominisat"}
WITHOUT_STATISTICS = {"cryptominisat"}

Cells = NDArray[np.int64]
"""Solutions inside the engine: one row each, one column a cell, holding the literal that is true."""


def solver_names() -> dict[str, str]:
    """Every name and alias of a solver, with the name we print; without the one that cannot go on after an answer."""
    from pysat.solvers import SolverNames

    aliases = {key: names for key, names in vars(SolverNames).items() if isinstance(names, tuple)}
    canonical = {"minisatgh": "minisat-gh", "cryptosat": "cryptominisat"}
    return {
        alias: canonical.get(key, key)
        for key, names in aliases.items()
        if key != "kissat404"
        for alias in (key, *names)
    }


def engine(solver: str | None = None) -> Engine:
    """The engine for one solver; for the fastest one, under the name `sat`, where none is named."""
    name = FASTEST if solver is None else solver

    def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        return _search(puzzle, limits, name)

    title = f"direct encoding into clauses, {name} through PySAT"
    return Engine("sat" if solver is None else f"sat:{solver}", "cnf", title, "a conflict", search)


def _check_installed(name: str) -> None:
    """PySAT brings every solver along but one."""
    if name == "cryptominisat" and find_spec("pycryptosat") is None:
        raise Unavailable("cryptominisat is not installed; pip install pycryptosat")


@dataclass(slots=True)
class _Cube:
    """A part of the search space: the clauses that are left, the literals that are decided, what has been found."""

    clauses: list[Clause]
    decided: list[int]
    known: Cells


def _search(puzzle: Puzzle, limits: Limits, name: str) -> Iterator[Batch]:
    _check_installed(name)
    tally = Tally(puzzle, limits)
    formula = encode(puzzle)
    if formula.contradicts_itself:
        yield tally.batch(0)
        return
    walk = _Walk(formula, name, tally)
    tally.start()
    try:
        stack = walk.root()
        while stack:
            yield from tally.pulse(walk.conflicts)
            cube = stack.pop()
            complete = yield from walk.exhaust(cube)
            if not complete:
                stack.extend(walk.split(cube))
        yield tally.batch(walk.conflicts)
    finally:
        walk.propagator.delete()


class _Walk:
    """Lists cubes and splits them; keeps what they share."""

    def __init__(self, formula: Formula, name: str, tally: Tally) -> None:
        from pysat.solvers import Solver

        self.formula = formula
        self.name = name
        self.tally = tally
        self.conflicts: int | None = None if name in WITHOUT_STATISTICS else 0
        self.budget = FIRST_BUDGET
        sizes = [len(domain) for domain in formula.domains]
        self.cell_of = np.concatenate([[-1], np.repeat(np.arange(len(sizes)), sizes)]).astype(np.int64)
        """The cell of each cell literal; there is no literal 0."""
        self.value_of = np.array([0, *(x for domain in formula.domains for x in domain)], np.int64)
        # Units are assumed instead of added: the solver tells only what follows from assumptions.
        self.propagator = Solver("minisat22", bootstrap_with=[c for c in formula.clauses if len(c) > 1])

    def root(self) -> list[_Cube]:
        units = [c[0] for c in self.formula.clauses if len(c) == 1]
        nothing = np.empty((0, len(self.formula.domains)), np.int64)
        return self.narrow(_Cube(self.formula.clauses, [], nothing), units)

    def narrow(self, cube: _Cube, lits: list[int]) -> list[_Cube]:
        """The part of a cube in which `lits` hold, or nothing where propagation finds that there is none."""
        consistent, implied = self.propagator.propagate(assumptions=cube.decided + lits)
        if not consistent:
            return []
        true = {*cube.decided, *lits, *implied}
        false = {-lit for lit in true}
        clauses = [
            clause if false.isdisjoint(clause) else [lit for lit in clause if lit not in false]
            for clause in cube.clauses
            if true.isdisjoint(clause)
        ]
        known = cube.known
        for lit in lits:
            if 0 < lit <= self.formula.cell_variables and len(known):
                known = known[known[:, self.cell_of[lit]] == lit]
        return [_Cube(clauses, sorted(true), known)]

    def split(self, cube: _Cube) -> list[_Cube]:
        """Cubes with no solution in common, on the cell that divides what is known most evenly."""
        first = np.array(self.formula.first)
        largest = [np.bincount(column - at).max() for column, at in zip(cube.known.T, first, strict=True)]
        v = int(np.argmin(largest))
        return [part for lit in self.formula.lits(v) for part in self.narrow(cube, [lit])]

    def exhaust(self, cube: _Cube) -> Generator[Batch, None, bool]:
        """Every solution of a cube; False where there are too many. All that were found are then among its known."""
        from pysat.solvers import Solver

        n = self.formula.cell_variables
        base = np.zeros(len(self.formula.domains), np.int64)
        true = np.array([lit for lit in cube.decided if 0 < lit <= n], np.int64)
        base[self.cell_of[true]] = true
        used = sorted({abs(lit) for clause in cube.clauses for lit in clause})
        if not used or used[0] > n:
            if not len(cube.known):
                yield from self.only(base, cube.clauses)
            return True
        renamed = {old: new for new, old in enumerate(used, 1)} | {-old: -new for new, old in enumerate(used, 1)}
        clauses = [[renamed[lit] for lit in clause] for clause in cube.clauses]
        warm = {"warm_start": True} if self.name in WARM else {}
        with Solver(self.name, bootstrap_with=clauses, **warm) as solver:
            old = np.array([0, *(lit for lit in used if lit <= n)], np.int64)
            return (yield from self.answers(solver, cube, base, old))

    def only(self, row: Cells, clauses: list[Clause]) -> Iterator[Batch]:
        """A cube in which every cell is decided: one solution, or none where the helpers contradict each other."""
        from pysat.solvers import Solver

        with Solver(self.name, bootstrap_with=clauses) as solver:
            if not clauses or solver.solve():
                self.tally.add(self.value_of[row][None, :])
        yield from self.tally.pulse(self.conflicts)

    def answers(self, solver: Any, cube: _Cube, base: Cells, old: Cells) -> Generator[Batch, None, bool]:
        """Ask for one solution after the other. `old[i]` is the literal that this solver calls i."""
        tally, before, n = self.tally, self.conflicts, len(old) - 1
        open_cells = np.unique(self.cell_of[old[1:]])
        new = np.zeros(self.formula.cell_variables + 1, np.int64)
        new[old] = np.arange(n + 1)
        for block in (-new[cube.known[:, open_cells]]).tolist():
            solver.add_clause(block)
        most = max(MOST_BLOCKED, len(cube.clauses) // CLAUSES_A_BLOCK)
        found: list[list[int]] = []
        enough, look = self.enough(cube, most), monotonic() + BEAT
        while True:
            answer = self.ask(solver, before)
            if answer:
                # Only the cells are blocked. Helpers may be free, and blocking whole models would then find one
                # solution several times. No variable is left out of a model, so the first n are the cells.
                found.append([lit for lit in solver.get_model()[:n] if lit > 0])
                solver.add_clause([-lit for lit in found[-1]])
                if len(found) < enough and monotonic() < look:
                    continue
            rows = np.tile(base, (len(found), 1))
            rows[:, open_cells] = old[np.array(found, np.int64).reshape(len(found), len(open_cells))]
            cube.known = np.concatenate([cube.known, rows])
            tally.add(self.value_of[rows])
            found.clear()
            self.count(solver, before)
            yield from tally.pulse(self.conflicts)
            if answer is False:
                return True
            if len(cube.known) >= most:
                return False
            enough, look = self.enough(cube, most), monotonic() + BEAT

    def enough(self, cube: _Cube, most: int) -> int:
        """How many solutions to find before the next look at the limits."""
        if self.tally.limits.nodes is not None:
            return 1
        room = self.tally.room
        return min(most - len(cube.known), ROWS, most if room is None else room)

    def ask(self, solver: Any, before: int | None) -> bool | None:
        """Is there one more solution? None where the budget of conflicts is spent."""
        if self.name in WITHOUT_BUDGET:
            return bool(solver.solve())
        budget = self.budget
        if self.tally.limits.nodes is not None:
            budget = min(budget, self.tally.limits.nodes - (self.count(solver, before) or 0))
        solver.conf_budget(max(1, budget))
        begun = monotonic()
        answer: bool | None = solver.solve_limited()
        took = monotonic() - begun
        if answer is None and took < LONG_ENOUGH:
            self.budget *= 2
        elif took > 3 * LONG_ENOUGH:
            self.budget = max(FIRST_BUDGET // 4, self.budget // 2)
        return answer

    def count(self, solver: Any, before: int | None) -> int | None:
        """All conflicts so far, those of earlier cubes included."""
        if before is not None:
            self.conflicts = before + int(solver.accum_stats()["conflicts"])
        return self.conflicts
