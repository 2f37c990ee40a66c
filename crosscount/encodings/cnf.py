"""A puzzle as clauses, one literal for each cell and value.

Variables 1 to n are the cell literals: cell by cell, and within a cell value by value in ascending order. Whatever
comes after them is a helper. A set of cell literals extends to a model exactly when it is a solution, so listing and
counting project on 1 to n.

lit: a nonzero int, negative for "not".  clause: a list of lits, at least one of which is true.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isqrt, prod

from crosscount.encodings import adders, diagrams
from crosscount.puzzles.constraints import AllDifferent, Constraint, Linear, Product, Table
from crosscount.puzzles.puzzle import Puzzle

Clause = list[int]

PAIRS_UP_TO = 12
"""At most this many literals exclude each other pair by pair; more go through a grid of helpers."""

PAIR_TABLE_UP_TO = 1 << 16
"""A constraint on two cells is written out value by value while this many pairs have to be looked at."""

FALSE: Clause = []


@dataclass(slots=True)
class Formula:
    """Clauses, and which variable says that which cell holds which value."""

    domains: tuple[tuple[int, ...], ...]
    first: list[int] = field(default_factory=list)
    """The variable of each cell's smallest value."""
    cell_variables: int = 0
    variables: int = 0
    clauses: list[Clause] = field(default_factory=list)

    def __post_init__(self) -> None:
        for domain in self.domains:
            self.first.append(self.variables + 1)
            self.variables += len(domain)
        self.cell_variables = self.variables

    def lits(self, v: int) -> range:
        """The literals of cell `v`, in the order of its values."""
        return range(self.first[v], self.first[v] + len(self.domains[v]))

    def lit_of(self, v: int) -> dict[int, int]:
        """The literal for each value of cell `v`."""
        return dict(zip(self.domains[v], self.lits(v), strict=True))

    def helper(self) -> int:
        self.variables += 1
        return self.variables

    def add(self, *clauses: Iterable[int]) -> None:
        """Add clauses; no literal stands twice in one, and what holds anyway is left out."""
        for clause in clauses:
            lits = dict.fromkeys(clause)
            if not any(-lit in lits for lit in lits):
                self.clauses.append(list(lits))

    @property
    def contradicts_itself(self) -> bool:
        """True where a clause is empty: no solver has to be asked."""
        return any(not clause for clause in self.clauses)


def encode(puzzle: Puzzle) -> Formula:
    """Every constraint as clauses. May raise `Unavailable` where a product has too many partial products."""
    formula = Formula(puzzle.domains)
    for v in range(len(puzzle.domains)):
        formula.add(formula.lits(v))
        at_most_one(formula, formula.lits(v))
    if formula.contradicts_itself:
        return formula  # an empty domain; nothing else matters
    for constraint in dict.fromkeys(puzzle.constraints):
        add_constraint(formula, constraint)
    return formula


def at_most_one(formula: Formula, lits: Sequence[int]) -> None:
    """No two of `lits` are true. Unit propagation finds every consequence.

    Many literals are laid out in a grid: each implies a helper for its row and one for its column, and of the rows as
    of the columns at most one holds. Two clauses a literal instead of one a pair.
    """
    if len(lits) <= PAIRS_UP_TO:
        formula.add(*([-a, -b] for a, b in combinations(lits, 2)))
        return
    width = isqrt(len(lits) - 1) + 1
    rows = [formula.helper() for _ in range(-(-len(lits) // width))]
    columns = [formula.helper() for _ in range(width)]
    for i, lit in enumerate(lits):
        formula.add([-lit, rows[i // width]], [-lit, columns[i % width]])
    at_most_one(formula, rows)
    at_most_one(formula, columns)


def add_constraint(formula: Formula, constraint: Constraint) -> None:
    """Add what `constraint` says. Every domain of the formula has at least one value."""
    cells = list(dict.fromkeys(constraint.scope))
    if not cells:
        if not constraint.holds(()):
            formula.add(FALSE)
    elif isinstance(constraint, AllDifferent):
        _all_different(formula, constraint)
    elif isinstance(constraint, Table):
        _table(formula, constraint, cells)
    elif len(cells) == 1:
        (v,) = cells
        lit_of = formula.lit_of(v)
        formula.add(*([-lit_of[x]] for x in formula.domains[v] if not constraint.holds([x] * len(constraint.scope))))
    elif len(cells) == 2 and prod(len(formula.domains[v]) for v in cells) <= PAIR_TABLE_UP_TO:
        _pair(formula, constraint, cells)
    else:
        _by_diagram(formula, constraint)


def _all_different(formula: Formula, constraint: AllDifferent) -> None:
    scope = constraint.scope
    if len(set(scope)) < len(scope):
        formula.add(FALSE)  # a cell differs from itself never
        return
    holders: dict[int, list[int]] = {}
    for v in scope:
        for x, lit in formula.lit_of(v).items():
            holders.setdefault(x, []).append(lit)
    if len(holders) < len(scope):
        formula.add(FALSE)  # more cells than values; a solver would need a proof of the pigeonhole principle
        return
    for lits in holders.values():
        at_most_one(formula, lits)
        if len(holders) == len(scope):
            formula.add(lits)


def _pair(formula: Formula, constraint: Constraint, cells: list[int]) -> None:
    """A constraint on two cells by supports, or by conflicts where each value has few."""
    place = [cells.index(v) for v in constraint.scope]
    left, right = (list(formula.lit_of(v).items()) for v in cells)
    supports: dict[int, list[int]] = {lit: [] for _, lit in left + right}
    conflicts = []
    for x, a in left:
        for y, b in right:
            if constraint.holds([(x, y)[i] for i in place]):
                supports[a].append(b)
                supports[b].append(a)
            else:
                conflicts.append([-a, -b])
    if len(conflicts) <= len(left) + len(right):
        formula.add(*conflicts)
    else:
        formula.add(*([-lit, *others] for lit, others in supports.items()))


def _table(formula: Formula, constraint: Table, cells: list[int]) -> None:
    """Forbidden rows one clause each; allowed rows one helper each, which stands for the whole row."""
    lit_of = {v: formula.lit_of(v) for v in cells}
    rows = set()
    for values in constraint.tuples:
        of = dict(zip(constraint.scope, values, strict=True))
        if all(of[v] == x for v, x in zip(constraint.scope, values, strict=True)) and all(
            x in lit_of[v] for v, x in of.items()
        ):
            rows.add(tuple(lit_of[v][of[v]] for v in cells))
    ordered = sorted(rows)
    if not constraint.allowed:
        formula.add(*([-lit for lit in row] for row in ordered))
        return
    if len(ordered) == prod(len(formula.domains[v]) for v in cells):
        return
    rows_of: dict[int, list[int]] = {lit: [] for v in cells for lit in formula.lits(v)}
    names = []
    for row in ordered:
        # A row of one cell is its own name.
        name = row[0] if len(row) == 1 else formula.helper()
        names.append(name)
        for lit in row:
            rows_of[lit].append(name)
            if lit != name:
                formula.add([-name, lit])
    for lit, named in rows_of.items():
        if named != [lit]:
            formula.add([-lit, *named])
    formula.add(names)


def _by_diagram(formula: Formula, constraint: Linear | Product) -> None:
    """Sums and products through the diagram of what is left to reach; sums that have too many go through adders."""
    terms = diagrams.terms_of(constraint, formula.domains)
    try:
        diagram = diagrams.build(constraint, terms)
    except diagrams.TooWide:
        if isinstance(constraint, Product):
            raise diagrams.too_many_products(constraint) from None
        adders.add_sum(formula, constraint, terms)
        return
    _diagram(formula, diagram, terms)


def _diagram(formula: Formula, diagram: diagrams.Diagram, terms: Sequence[diagrams.Term]) -> None:
    """A helper for each node says that the cells from its layer on reach the terminal that the constraint wants.

    Both directions, so that the cells decide every helper: a counter then has nothing to project away, and what is
    known of the last cells prunes the first ones as much as the other way round.
    """
    if isinstance(diagram.root, bool):
        if not diagram.root:
            formula.add(FALSE)
        return
    names = {node: formula.helper() for node in diagram.children}
    for node, children in diagram.children.items():
        name = names[node]
        lit_of = formula.lit_of(terms[node.layer].v)
        below = set()
        for x, child in children.items():
            if isinstance(child, bool):
                formula.add([-lit_of[x], name if child else -name])
            else:
                formula.add([-name, -lit_of[x], names[child]], [name, -lit_of[x], -names[child]])
            below.add(child)
        # Not needed, but propagation alone would not see it: where all children are alike, so is the node.
        if True not in below:
            formula.add([-name, *sorted(names[c] for c in below if not isinstance(c, bool))])
        if False not in below:
            formula.add([name, *sorted(-names[c] for c in below if not isinstance(c, bool))])
    formula.add([names[diagram.root]])
