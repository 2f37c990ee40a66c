"""How long it takes to list every solution: sat, cpsat and asp against the tools they are built on, used plainly.

    python -m benchmarks.listing [--seconds 120] [--puzzle @course-3 --puzzle @course-4]

Each row runs in a process of its own and is stopped at the cap; its rate is then that of what it had found. Times are
without imports, with building the model. Only compare figures of one run: the last column does.
"""

import argparse
import multiprocessing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from multiprocessing.sharedctypes import Synchronized
from time import monotonic
from typing import Any

from rich.console import Console
from rich.table import Table as RichTable

from crosscount.encodings import cnf, find
from crosscount.puzzles.constraints import AllDifferent
from crosscount.puzzles.engine import Limits
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.read import read_one

Found = Iterator[int]
"""How many more have been found, as they come."""


def engine(name: str) -> Callable[[Puzzle], Found]:
    def run(puzzle: Puzzle) -> Found:
        for batch in find(name).search(puzzle, Limits()):
            yield len(batch.solutions)

    return run


def pysat_enum_models(puzzle: Puzzle) -> Found:
    from pysat.solvers import Solver

    with Solver("glucose4", bootstrap_with=cnf.encode(puzzle).clauses) as solver:
        for _ in solver.enum_models():
            yield 1


def plain_cpsat(puzzle: Puzzle, found: "Synchronized[int]") -> None:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    cells = [model.new_int_var_from_domain(cp_model.Domain.from_values(list(d)), "") for d in puzzle.domains]
    for scope in scopes(puzzle):
        model.add_all_different([cells[v] for v in scope])

    class Collect(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            rows.append([self.value(cell) for cell in cells])
            found.value = len(rows)

    rows: list[list[int]] = []
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, Collect())


def plain_clingo(puzzle: Puzzle) -> Found:
    from clingo.control import Control

    lines = [f"1 {{ holds({v},({';'.join(map(str, d))})) }} 1." for v, d in enumerate(puzzle.domains)]
    lines += [f"in({k},{v})." for k, scope in enumerate(scopes(puzzle)) for v in scope]
    lines.append(":- in(K,A), in(K,B), A < B, holds(A,X), holds(B,X).")
    control = Control(["0"])
    control.add("base", [], "\n".join(lines))
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        for model in handle:
            model.symbols(shown=True)
            yield 1


def python_constraint(puzzle: Puzzle) -> Found:
    import constraint

    problem = constraint.Problem()
    for v, domain in enumerate(puzzle.domains):
        problem.addVariable(v, list(domain))
    for scope in scopes(puzzle):
        problem.addConstraint(constraint.AllDifferentConstraint(), list(scope))
    for _ in problem.getSolutionIter():
        yield 1


def cpmpy_solve_all(puzzle: Puzzle, found: "Synchronized[int]") -> None:
    import cpmpy

    cells = [cpmpy.intvar(d[0], d[-1]) for d in puzzle.domains]
    model = cpmpy.Model([cpmpy.AllDifferent([cells[v] for v in scope]) for scope in scopes(puzzle)])

    def count() -> None:
        found.value += 1

    model.solveAll(solver="ortools", display=count)


def scopes(puzzle: Puzzle) -> list[tuple[int, ...]]:
    """The puzzles of this benchmark are sudokus: there is nothing but all-different, and domains have no gaps."""
    assert all(isinstance(c, AllDifferent) for c in puzzle.constraints)
    return [c.scope for c in puzzle.constraints]


@dataclass(frozen=True)
class Contender:
    """`run` yields as it finds, or counts by itself where the tool calls back."""

    title: str
    needs: str
    install: str
    run: Callable[..., Any]
    counts_itself: bool = False


CONTENDERS = (
    Contender("crosscount sat", "pysat", "pip install python-sat", engine("sat")),
    Contender("crosscount sat:glucose4", "pysat", "pip install python-sat", engine("sat:glucose4")),
    Contender("crosscount sat:cadical195", "pysat", "pip install python-sat", engine("sat:cadical195")),
    Contender("crosscount cpsat", "ortools", "pip install ortools", engine("cpsat")),
    Contender("crosscount asp", "clingo", "pip install 'crosscount[asp]'", engine("asp")),
    Contender("PySAT enum_models, glucose4", "pysat", "pip install python-sat", pysat_enum_models),
    Contender("plain CP-SAT", "ortools", "pip install ortools", plain_cpsat, counts_itself=True),
    Contender("plain clingo", "clingo", "pip install 'crosscount[asp]'", plain_clingo),
    Contender(
        "CPMpy solveAll, ortools", "cpmpy", "pip install 'crosscount[bench]'", cpmpy_solve_all, counts_itself=True
    ),
    Contender("python-constraint", "constraint", "pip install 'crosscount[bench]'", python_constraint),
)


def work(row: int, name: str, found: "Synchronized[int]", times: Any) -> None:
    """One contender on one puzzle, in its own process; `found` and `times` (begun, ended) outlive it."""
    contender = CONTENDERS[row]
    __import__(
        {"pysat": "pysat.solvers", "ortools": "ortools.sat.python.cp_model"}.get(contender.needs, contender.needs)
    )
    puzzle = read_one(name).puzzle
    times[0] = monotonic()
    if contender.counts_itself:
        contender.run(puzzle, found)
    else:
        for more in contender.run(puzzle):
            found.value += more
    times[1] = monotonic()


def measure(row: int, name: str, seconds: float) -> tuple[int, float, bool]:
    """Solutions, seconds, and whether it finished."""
    context = multiprocessing.get_context("spawn")
    found, times = context.Value("q", 0), context.Array("d", [0.0, 0.0])
    process = context.Process(target=work, args=(row, name, found, times))
    process.start()
    process.join(seconds)
    stopped_at = monotonic()
    if process.is_alive():
        process.kill()
        process.join()
    begun, ended = times[0], times[1]
    return found.value, (ended or stopped_at) - begun, bool(ended)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time for listing every solution, one row a tool.")
    parser.add_argument("--seconds", type=float, default=120.0, help="cap for each row and puzzle")
    parser.add_argument("--puzzle", action="append", help="a bundled sudoku; may be given several times")
    arguments = parser.parse_args()
    table = RichTable("tool", "puzzle", "solutions", "seconds", "a second", "time a solution, sat = 1")
    for name in arguments.puzzle or ["@course-3", "@course-4"]:
        reference = None
        for row, contender in enumerate(CONTENDERS):
            if find_spec(contender.needs) is None:
                table.add_row(contender.title, name, f"not installed: {contender.install}")
                continue
            count, seconds, finished = measure(row, name, arguments.seconds)
            each = seconds / count if count else None
            reference = each if row == 0 else reference
            ratio = f"{each / reference:.1f}" if each is not None and reference is not None else "-"
            shown = f"{count:,}" if finished else f"{count:,} (stopped)"
            table.add_row(contender.title, name, shown, f"{seconds:.2f}", f"{count / seconds:,.0f}", ratio)
        table.add_section()
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
