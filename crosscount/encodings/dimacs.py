"""DIMACS out, for any solver or model counter; `crosscount.puzzles.dimacs_file` reads it back."""

from crosscount.encodings.cnf import encode
from crosscount.puzzles.puzzle import Puzzle


def to_dimacs(puzzle: Puzzle) -> str:
    """The clauses of a puzzle.

    `c map VARIABLE CELL VALUE` says which variable stands for which cell and value, `c t pmc` and `c p show … 0` tell a
    counter to project on those variables, so that what it counts are the solutions of the puzzle.
    """
    formula = encode(puzzle)
    shown = range(1, formula.cell_variables + 1)
    lines = [
        f"c {' '.join(puzzle.name.split())}",
        "c t pmc",
        f"p cnf {formula.variables} {len(formula.clauses)}",
        " ".join(["c p show", *map(str, shown), "0"]),
    ]
    for v, name in enumerate(puzzle.names):
        for lit, value in zip(formula.lits(v), formula.domains[v], strict=True):
            lines.append(f"c map {lit} {'_'.join(name.split()) or v} {value}")
    lines.extend(" ".join(map(str, [*clause, 0])) for clause in formula.clauses)
    return "\n".join(lines) + "\n"
