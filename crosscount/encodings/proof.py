"""Proofs that clauses cannot be satisfied, from a SAT solver of PySAT.

A proof is a list of clauses, each of which follows from those before it by unit propagation (DRUP); the last one is
empty. What the solver forgets on the way is left out: a checker may remember more than the solver did.
"""

from collections.abc import Callable, Iterator, Sequence

from crosscount.encodings.cnf import Clause

SOLVER = "glucose4"
"""Writes the shortest proofs among PySAT's solvers whose proofs are right; some write none, or wrong ones."""
CONFLICTS = 2000
"""Between two looks at the limits."""


class Satisfiable(Exception):
    """The clauses have a model, so that nothing can be proven."""


def refutation(clauses: Sequence[Clause], look: Callable[[], None]) -> Iterator[Clause]:
    """The steps of a proof. `look` is called now and then and may raise."""
    from pysat.solvers import Solver

    if any(not clause for clause in clauses):
        return  # nothing is left to prove, and the solver would not take it
    with Solver(SOLVER, bootstrap_with=clauses, with_proof=True) as solver:
        answer = None
        while answer is None:
            look()
            solver.conf_budget(CONFLICTS)
            answer = solver.solve_limited()
        if answer:
            raise Satisfiable("there is a solution that was not listed")
        for line in solver.get_proof():
            if not line.startswith("d"):
                yield [int(word) for word in line.split()[:-1]]
