"""Puzzles put to foreign solvers: clauses for SAT solvers and counters, CP-SAT, answer sets, and DIMACS both ways."""

from crosscount.encodings import asp, cpsat, ganak, sat
from crosscount.puzzles.engine import Engine
from crosscount.puzzles.errors import InputError

ENGINES: dict[str, Engine] = {e.name: e for e in (sat.engine(), cpsat.engine(), asp.engine(), ganak.engine())}


def find(name: str) -> Engine:
    """The engine of that name; `sat:NAME` is `sat` with another solver of PySAT."""
    if name in ENGINES:
        return ENGINES[name]
    kind, _, solver = name.partition(":")
    if kind != "sat":
        raise InputError(f"no engine '{name}', expected one of {', '.join(ENGINES)} or sat:SOLVER")
    known = sat.solver_names()
    if solver.lower() not in known:
        names = sorted(set(known.values()))
        raise InputError(f"no solver '{solver}' in '{name}', expected one of {', '.join(names)}")
    return sat.engine(known[solver.lower()])
