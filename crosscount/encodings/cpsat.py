"""Every solution through CP-SAT's own constraints, with one worker.

CP-SAT enumerates the assignments of all its variables. The only ones that are not cells are partial products, and the
cells decide those, so that each solution comes once. It counts in 64 bits; a puzzle whose sums or products could pass
that is refused with the reason.

The number of branches is known whenever a solution comes and at the end, so that is where a limit on nodes is seen.
"""

from collections.abc import Iterator, Sequence
from math import prod
from threading import Thread
from typing import Any

from crosscount.encodings.stream import Stream
from crosscount.encodings.tally import Tally
from crosscount.puzzles.constraints import RELATIONS, AllDifferent, Linear, Product, Relation, Table
from crosscount.puzzles.engine import Batch, Engine, Limits, Stopped, Unavailable
from crosscount.puzzles.puzzle import Puzzle

LARGEST = 1 << 62


def engine() -> Engine:
    return Engine("cpsat", "cp", "CP-SAT's own constraints, one worker", "a branch", search)


def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    """List every solution. INFEASIBLE is complete with none; a search that CP-SAT breaks off is `Stopped`."""
    from ortools.sat.python import cp_model

    tally = Tally(puzzle, limits)
    if not all(puzzle.domains):
        # CP-SAT calls a variable without values an invalid model; to us it is a puzzle without solutions.
        yield tally.batch(0)
        return
    model = encode(puzzle)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    # It would handle Ctrl-C itself, from a thread of its own, and take the process down with it.
    solver.parameters.catch_sigint_signal = False
    stream: Stream[list[int]] = Stream()
    callback = _callback(stream, len(puzzle.domains))
    status: list[Any] = []

    def solve() -> None:
        try:
            status.append(solver.solve(model, callback))
        except Exception as error:  # it belongs to the reader's thread
            status.append(error)
        finally:
            stream.end()

    thread = Thread(target=solve, name="cpsat", daemon=True)
    tally.start()
    thread.start()
    try:
        while not stream.ended or stream.rows:
            tally.add(stream.take())
            yield from tally.pulse(callback.branches)
    finally:
        stream.stop()
        while thread.is_alive():
            solver.stop_search()  # does nothing before the search has begun, so it is said until it is heard
            thread.join(0.02)
    (result,) = status
    if isinstance(result, Exception):
        raise result
    yield tally.batch(solver.num_branches)
    if result not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise Stopped("gave up")


def _callback(stream: Stream[list[int]], cells: int) -> Any:
    from ortools.sat.python import cp_model

    class Callback(cp_model.CpSolverSolutionCallback):
        branches = 0

        def on_solution_callback(self) -> None:
            self.branches = self.num_branches
            # The variables of the cells come first. Asking for them one by one would take four times as long.
            if not stream.put(list(self.response_proto.solution)[:cells]):
                self.stop_search()

    return Callback()


def encode(puzzle: Puzzle) -> Any:
    """The puzzle as a `CpModel`, whose first variables are the cells. No domain may be empty."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    names = puzzle.names
    cells = [
        model.new_int_var_from_domain(cp_model.Domain.from_values(list(domain)), names[v])
        for v, domain in enumerate(puzzle.domains)
    ]
    for constraint in puzzle.constraints:
        if not constraint.scope:
            _require(model, constraint.holds(()))
        elif isinstance(constraint, AllDifferent):
            _require(model, len(set(constraint.scope)) == len(constraint.scope))
            model.add_all_different([cells[v] for v in dict.fromkeys(constraint.scope)])
        elif isinstance(constraint, Linear):
            _linear(model, constraint, cells, puzzle.domains)
        elif isinstance(constraint, Product):
            _product(model, constraint, cells, puzzle.domains)
        else:
            _table(model, constraint, cells, puzzle.domains)
    reason = model.validate()
    if reason:
        raise Unavailable(f"CP-SAT does not take this puzzle: {' '.join(reason.split())}")
    return model


def _require(model: Any, truth: bool) -> None:
    if not truth:
        model.add_bool_or([])


def _compare(model: Any, expression: Any, relation: Relation, value: int) -> None:
    """The expression is between -LARGEST and LARGEST; the value may be anything."""
    if abs(value) > LARGEST:
        _require(model, RELATIONS[relation](0, value))
    else:
        model.add(RELATIONS[relation](expression, value))


def _linear(model: Any, constraint: Linear, cells: Sequence[Any], domains: Sequence[Sequence[int]]) -> None:
    from ortools.sat.python import cp_model

    weight: dict[int, int] = {}
    for v, c in zip(constraint.scope, constraint.coefficients, strict=True):
        weight[v] = weight.get(v, 0) + c
    weight = {v: c for v, c in weight.items() if c != 0}
    if not weight:
        _require(model, RELATIONS[constraint.relation](0, constraint.value))
        return
    if sum(abs(c) * max(map(abs, domains[v])) for v, c in weight.items()) > LARGEST:
        raise Unavailable(f"a sum of {len(weight)} cells may pass the 64 bits that CP-SAT counts in")
    expression = cp_model.LinearExpr.weighted_sum([cells[v] for v in weight], list(weight.values()))
    _compare(model, expression, constraint.relation, constraint.value)


def _product(model: Any, constraint: Product, cells: Sequence[Any], domains: Sequence[Sequence[int]]) -> None:
    first, *others = constraint.scope
    partial, low, high = cells[first], domains[first][0], domains[first][-1]
    # Where every factor is at least 1, no partial product passes a bound that the whole product has to keep.
    grows = all(domains[v][0] >= 1 for v in constraint.scope) and constraint.relation in ("==", "<=", "<")
    for v in others:
        ends = [a * b for a in (low, high) for b in (domains[v][0], domains[v][-1])]
        low, high = min(ends), max(ends)
        if max(abs(low), abs(high)) > LARGEST:
            raise Unavailable(f"a product of {len(constraint.scope)} cells may pass the 64 bits that CP-SAT counts in")
        if grows and high > constraint.value:
            if low > constraint.value:
                _require(model, False)
                return
            high = constraint.value
        product = model.new_int_var(low, high, "")
        model.add_multiplication_equality(product, [partial, cells[v]])
        partial = product
    _compare(model, partial, constraint.relation, constraint.value)


def _table(model: Any, constraint: Table, cells: Sequence[Any], domains: Sequence[Sequence[int]]) -> None:
    """Rows that name a cell twice or a value outside its domain are settled here; CP-SAT gets the others."""
    distinct = list(dict.fromkeys(constraint.scope))
    rows = set()
    for values in constraint.tuples:
        of = dict(zip(constraint.scope, values, strict=True))
        if all(of[v] == x for v, x in zip(constraint.scope, values, strict=True)):
            rows.add(tuple(of[v] for v in distinct))
    possible = sorted(row for row in rows if all(x in domains[v] for v, x in zip(distinct, row, strict=True)))
    scope = [cells[v] for v in distinct]
    if not constraint.allowed:
        if possible:
            model.add_forbidden_assignments(scope, possible)
    elif not possible:
        _require(model, False)
    elif len(possible) < prod(len(domains[v]) for v in distinct):
        model.add_allowed_assignments(scope, possible)
