"""The value of a game as a CP-SAT model and as CNF: opinions that share no code with the searches.

Only the order of leaf values matters to minimax, so both work on ranks: 0 for the smallest leaf value, and so on.
Both take any graph without cycles, and answer for all its nodes or for its root and the root's children.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from crosscount.puzzles.engine import Unavailable
from crosscount.puzzles.gametree import GameGraph, Value


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a solver says about the root."""

    engine: str
    value: Value
    moves: tuple[int, ...]
    """Every optimal root move."""
    queries: int
    """How many times the solver was asked."""


def ranked(graph: GameGraph) -> tuple[list[Value], list[int | None]]:
    """The distinct leaf values in ascending order, and for each leaf its place among them."""
    distinct = sorted({value for value in graph.values if value is not None})
    rank = {value: k for k, value in enumerate(distinct)}
    return distinct, [None if value is None else rank[value] for value in graph.values]


def cp_values(graph: GameGraph) -> list[Value]:
    """The value of every node by CP-SAT: a variable a node, a max or min equality for each node with children."""
    from ortools.sat.python import cp_model

    distinct, ranks = ranked(graph)
    model = cp_model.CpModel()
    top = len(distinct) - 1
    worth = [
        model.new_int_var(0, top, f"n{node}") if rank is None else model.new_constant(rank)
        for node, rank in enumerate(ranks)
    ]
    for node, children in enumerate(graph.children):
        if children:
            below = [worth[child] for child in children]
            if graph.maximises[node]:
                model.add_max_equality(worth[node], below)
            else:
                model.add_min_equality(worth[node], below)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    # Propagation from the leaves up fixes everything; presolve would only rewrite the model first.
    solver.parameters.cp_model_presolve = False
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise Unavailable("CP-SAT found no assignment, although every tree has a value")
    return [distinct[solver.value(variable)] for variable in worth]


def cp_opinion(graph: GameGraph) -> Opinion:
    """The root by CP-SAT."""
    values = cp_values(graph)
    best = values[graph.root]
    moves = tuple(k for k, child in enumerate(graph.children[graph.root]) if values[child] == best)
    return Opinion("cpsat", best, moves, 1)


def cnf_clauses(graph: GameGraph) -> list[list[int]]:
    """Variable node + 1 says that the node is worth at least the threshold: an or at max nodes, an and at min nodes."""
    clauses = []
    for node, children in enumerate(graph.children):
        if not children:
            continue
        here = node + 1
        # Read with signs swapped, an and is an or: not here <-> some child not.
        sign = 1 if graph.maximises[node] else -1
        clauses.append([-sign * here, *(sign * (child + 1) for child in children)])
        clauses.extend([sign * here, -sign * (child + 1)] for child in children)
    return clauses


def cnf_opinion(graph: GameGraph) -> Opinion:
    """The root by SAT, one threshold after another: is it worth at least this much? Leaves are assumptions."""
    from pysat.solvers import Solver

    distinct, ranks = ranked(graph)
    leaves = [(node + 1, rank) for node, rank in enumerate(ranks) if rank is not None]
    queries = 0
    with Solver(name="cadical153", bootstrap_with=cnf_clauses(graph)) as solver:

        def at_least(rank: int, nodes: Sequence[int]) -> list[bool]:
            nonlocal queries
            queries += 1
            assumed = [variable if known >= rank else -variable for variable, known in leaves]
            if not solver.solve(assumptions=assumed):
                raise Unavailable("the gates contradict each other, although every tree has a value")
            # The gates are equivalences: with every leaf given there is one model, and it can be read off.
            model = solver.get_model()
            return [model[node] > 0 for node in nodes]

        low, high = 0, len(distinct) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if at_least(middle, [graph.root])[0]:
                low = middle
            else:
                high = middle - 1
        children = graph.children[graph.root]
        # At a max node the children that reach the value are as good as the root, at a min node those that do not
        # pass it.
        if graph.maximises[graph.root]:
            good = at_least(low, children)
        else:
            good = [not above for above in at_least(low + 1, children)]
    return Opinion("cnf", distinct[low], tuple(k for k, is_good in enumerate(good) if is_good), queries)
