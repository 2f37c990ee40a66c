"""DIMACS CNF as a puzzle over its variables."""

from collections.abc import Iterator

from crosscount.puzzles.constraints import Table
from crosscount.puzzles.errors import at
from crosscount.puzzles.puzzle import Drawing, Puzzle


def from_dimacs(text: str, place: str, name: str) -> Puzzle:
    """A puzzle with one cell of domain (0, 1) for each variable; its solutions are the models of the formula.

    All variables are cells, also where a `c p show` line names only some of them: a puzzle has no hidden cells, and to
    drop a variable would change what the clauses say. So the puzzle counts models, not projected models. Cells that a
    `c map` line of ours describes are named after the cell and value they stand for (`r1c1=5`), others `v1`, `v2`, …
    Errors give `place`, the line, what was found and what was expected.
    """
    variables, expected, header_line = _header(text, place)
    names = [f"v{i + 1}" for i in range(variables)]
    clauses: list[list[int]] = []
    clause: list[int] = []
    for number, words in _lines(text):
        if words[0] == "c":
            _name(words, names, place, number)
            continue
        if words[0] == "p":
            continue
        if number < header_line:
            raise at(place, number, f"'{words[0]}' before the header, expected 'p cnf VARIABLES CLAUSES'")
        for word in words:
            lit = _literal(word, variables, place, number)
            if lit != 0:
                clause.append(lit)
                continue
            clauses.append(clause)
            clause = []
    last = text.count("\n") + (not text.endswith("\n"))
    if clause:
        raise at(place, last, f"the last clause has no end, expected 0 after {clause[-1]}")
    if len(clauses) != expected:
        raise at(place, header_line, f"{len(clauses)} clauses, expected {expected} as the header says")
    constraints = tuple(_forbid(clause) for clause in clauses if not any(-lit in clause for lit in clause))
    if len(set(names)) < len(names):
        names = [f"v{i + 1}" for i in range(variables)]
    return Puzzle(name, ((0, 1),) * variables, constraints, Drawing(tuple(names)))


def _forbid(clause: list[int]) -> Table:
    """A clause is broken by exactly one combination of its variables; the empty clause by the empty one."""
    lits = sorted(set(clause), key=abs)
    return Table(tuple(abs(lit) - 1 for lit in lits), frozenset({tuple(int(lit < 0) for lit in lits)}), allowed=False)


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines that say something, as words, each with its number. A line `%` ends the file, as in SATLIB's."""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words == ["%"]:
            return
        if words:
            yield number, (["c", *words] if words[0][0] == "c" and words[0] != "c" else words)


def _header(text: str, place: str) -> tuple[int, int, int]:
    """Variables, clauses, and the line that says so."""
    found: tuple[int, int, int] | None = None
    for number, words in _lines(text):
        if words[0] != "p":
            continue
        if found is not None:
            raise at(place, number, f"a second header, expected one; the first is on line {found[2]}")
        if len(words) != 4 or words[1] != "cnf" or not all(w.isascii() and w.isdigit() for w in words[2:]):
            raise at(place, number, f"'{' '.join(words)}', expected 'p cnf VARIABLES CLAUSES'")
        found = int(words[2]), int(words[3]), number
    if found is None:
        raise at(place, None, "no header, expected 'p cnf VARIABLES CLAUSES'")
    return found


def _literal(word: str, variables: int, place: str, number: int) -> int:
    digits = word[1:] if word[0] in "+-" else word
    if not (digits.isascii() and digits.isdigit()):
        raise at(place, number, f"'{word}', expected a literal or 0")
    if int(digits) > variables:
        raise at(place, number, f"literal {word}, expected one from -{variables} to {variables}")
    return int(word)


def _name(words: list[str], names: list[str], place: str, number: int) -> None:
    if words[:2] != ["c", "map"] or len(words) != 5:
        return
    variable = abs(_literal(words[2], len(names), place, number))
    if variable:
        names[variable - 1] = f"{words[3]}={words[4]}"
