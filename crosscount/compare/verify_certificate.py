"""Does this certificate prove its count? One file, Python's standard library, nothing of crosscount.

    python verify_certificate.py FILE

A certificate carries a puzzle, a count and a proof of one of two kinds; docs/certificates.md has the format.

*counting*: a graph of residual puzzles, called states: for each value the set of open cells that may still take it, as
an int with bit v for cell v. A node names an open cell; what each value of it leaves is worked out here and must be the
state that the edge leads to. The count is the number of paths to a full grid.
*listing*: all solutions, clauses that each follow from the puzzle by a plain rule, and a proof by unit propagation that
they leave nothing else. Literal n says that a cell holds a value, cell by cell and values ascending; -n denies it.
"""

import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, product
from math import prod
from operator import eq, ge, gt, le, lt, mul, ne, or_
from typing import IO, Any

RELATIONS = {"==": eq, "!=": ne, "<=": le, "<": lt, ">=": ge, ">": gt}
FIRST_LINE = "crosscount certificate 1\n"
LONGEST_LINE, MOST_COMBINATIONS = 1 << 26, 1 << 20
State = tuple[int, ...]


class Rejected(Exception):
    """The certificate does not prove its count; the message says why."""


def expect(true: bool, reason: str) -> None:
    if not true:
        raise Rejected(reason)


class Constraint:
    def __init__(self, kind: str, cells: list[int], coefficients: list[int], relation: str, value: int, tuples: Any):
        self.kind, self.cells, self.coefficients, self.value = kind, cells, coefficients, value
        self.relation, self.tuples = RELATIONS[relation], {tuple(row) for row in tuples}
        expect(kind in ("all-different", "linear", "product", "allowed", "forbidden"), f"a constraint {kind!r}")
        expect(len(coefficients) == (len(cells) if kind == "linear" else 0), "not one coefficient for each cell")

    def holds(self, values: Sequence[int]) -> bool:
        """What it means for values in the order of its cells."""
        if self.kind == "all-different":
            return len(set(values)) == len(values)
        if self.kind in ("allowed", "forbidden"):
            return (tuple(values) in self.tuples) == (self.kind == "allowed")
        result = sum(map(mul, self.coefficients, values)) if self.kind == "linear" else prod(values)
        return bool(self.relation(result, self.value))


class Puzzle:
    def __init__(self, domains: list[list[int]], constraints: list[list[Any]]) -> None:
        self.domains, self.constraints = domains, [Constraint(*said) for said in constraints]
        for xs in self.domains:
            expect(all(type(x) is int for x in xs) and xs == sorted(set(xs)), f"{xs} is no domain")
        self.lit = {held: n for n, held in enumerate(((v, x) for v, xs in enumerate(domains) for x in xs), 1)}
        for c in self.constraints:
            expect(all(type(v) is int and 0 <= v < len(self.domains) for v in c.cells), f"{c.cells} are no cells")

    def values(self, cells: Sequence[int]) -> list[int]:
        return sorted({x for v in cells for x in self.domains[v]})


class Residual:
    """What choices leave of a puzzle, as states."""

    def __init__(self, puzzle: Puzzle) -> None:
        cells = range(len(puzzle.domains))
        values, possible = puzzle.values(cells), True
        start = [sum(1 << v for v in cells if x in puzzle.domains[v]) for x in values]
        self.renames = all(c.kind == "all-different" for c in puzzle.constraints)  # names of values mean nothing
        self.keep = [~(1 << v) for v in cells]  # [cell] which cells keep a value that this one takes
        self.lose: dict[tuple[int, int], dict[int, int]] = {}  # (cell, value): other value -> which cells lose it
        for c in puzzle.constraints:
            scope = sorted(set(c.cells))
            if c.kind == "all-different":
                for v in scope:
                    self.keep[v] &= ~sum(1 << u for u in scope)
                possible &= len(scope) == len(c.cells)  # no cell differs from itself
                continue
            expect(len(scope) <= 2, f"{c.kind} on {len(scope)} cells: only all-different may be on more than two")
            possible &= len(scope) > 0 or c.holds([])
            for numbers in product(range(len(values)), repeat=len(scope)):
                held = dict(zip(scope, numbers, strict=True))
                if not c.holds([values[held[v]] for v in c.cells]):
                    for v, u in zip(scope, reversed(scope), strict=True):
                        start[held[v]] &= ~(1 << v) if v == u else -1
                        lost = self.lose.setdefault((v, held[v]), {})
                        lost[held[u]] = lost.get(held[u], 0) | 1 << u
        self.root = self.settled(start, (1 << len(cells)) - 1) if possible else None

    def branch(self, state: State, v: int, i: int) -> State | None:
        """What is left when open cell v takes value i; None where a cell is then without a value."""
        rest = [cells & ~(1 << v) for cells in state]
        self.fill(rest, v, i)
        return self.settled(rest, reduce(or_, state) & ~(1 << v))

    def fill(self, state: list[int], v: int, i: int) -> None:
        state[i] &= self.keep[v]
        if (v, i) in self.lose:
            for j, cells in self.lose[v, i].items():
                state[j] &= ~cells

    def settled(self, state: list[int], still_open: int) -> State | None:
        """The state when every cell with one value left has been filled, until there is none."""
        while True:
            once = twice = 0
            for cells in state:
                twice |= once & cells
                once |= cells
            if once != still_open:
                return None
            single = once & ~twice
            if not single:
                return tuple(sorted(filter(None, state))) if self.renames else tuple(state)
            still_open &= ~single
            for i in range(len(state)):
                while state[i] & single:
                    v = (state[i] & single).bit_length() - 1
                    single &= ~(1 << v)
                    self.fill(state, v, i)
            if single:
                return None  # another cell has just taken the only value of this one


def check_counting(puzzle: Puzzle, body: Iterator[list[str]]) -> tuple[int, str]:
    """The number of paths through the graph to a full grid, and how large the graph is."""
    residual = Residual(puzzle)
    total = int(residual.root is not None and not any(residual.root))
    # Nodes that an edge leads to and whose line is yet to come: the state, and how many paths lead there.
    pending: dict[int, tuple[State, int]] = {0: (residual.root, 1)} if residual.root and not total else {}
    fresh, edges = len(pending), 0
    for words in body:
        node, v, *children = map(int, words)
        expect(node in pending, f"node {node}: no edge leads to it, or it has had its line")
        state, paths = pending.pop(node)
        expect(reduce(or_, state) >> v & 1 == 1, f"node {node}: cell {v} is not open")
        for i in [i for i, cells in enumerate(state) if cells >> v & 1]:
            left = residual.branch(state, v, i)
            if left is not None and not any(left):
                total += paths
            elif left is not None:
                child, edges = children.pop(0) if children else -1, edges + 1
                if child == fresh:
                    pending[child], fresh = (left, 0), fresh + 1
                expect(child in pending, f"node {node}: an edge to {child}, neither an open node nor the next, {fresh}")
                same, before = pending[child]
                expect(same == left, f"node {node}: an edge to {child}, which is another residual puzzle")
                pending[child] = same, before + paths
        expect(not children, f"node {node}: more edges than values that leave something open")
    expect(not pending, f"{len(pending)} nodes have no line of their own, for example {min(pending, default=0)}")
    return total, f"{fresh} residual puzzles, {edges} edges"


def plain_clauses(puzzle: Puzzle) -> Iterator[list[int]]:
    """Every clause that may be used."""
    lit = puzzle.lit
    for v, domain in enumerate(puzzle.domains):
        yield [lit[v, x] for x in domain]
        yield from ([-lit[v, x], -lit[v, y]] for x, y in combinations(domain, 2))
    for c in puzzle.constraints:
        if c.kind == "all-different":
            for v, u in combinations(c.cells, 2):
                yield from ([-lit[v, x], -lit[u, x]] for x in puzzle.domains[v] if x in puzzle.domains[u])
            values = puzzle.values(c.cells)
            if len(values) <= len(c.cells):  # as many values as cells: each has a place; fewer: there is no solution
                have = ([lit[v, x] for v in c.cells if (v, x) in lit] for x in values)
                yield from have if len(values) == len(c.cells) else [[]]
            continue
        domains = [puzzle.domains[v] for v in c.cells]
        expect(prod(map(len, domains)) <= MOST_COMBINATIONS, f"{c.kind} on {len(domains)} cells has too many values")
        rows = (row for row in product(*domains) if not c.holds(row))
        yield from ([-lit[held] for held in zip(c.cells, row, strict=True)] for row in rows)


class Propagation:
    """Unit propagation with two watched literals a clause. Lists are indexed by literal: -n counts from their end."""

    def __init__(self, top: int) -> None:
        self.true = bytearray(2 * top + 1)
        self.watching: list[list[list[int]]] = [[] for _ in self.true]
        self.trail: list[int] = []
        self.refuted = False  # the clauses contradict each other

    def add(self, lits: list[int]) -> None:
        clause = sorted(set(lits), key=lambda lit: self.true[-lit])  # those that are not false come first
        for lit in clause[:2]:
            self.watching[lit].append(clause)
        not_false = [lit for lit in clause[:2] if not self.true[-lit]]
        if len(not_false) < 2 and not self.refuted:
            self.refuted = not not_false or self.contradicts(not_false)

    def contradicts(self, lits: list[int]) -> bool:
        """Make these literals true, and whatever follows from that; whether it is a contradiction."""
        true, watching, trail, done = self.true, self.watching, self.trail, len(self.trail)
        for lit in lits:
            if true[-lit]:
                return True
            if not true[lit]:
                true[lit] = 1
                trail.append(lit)
        while done < len(trail):
            lit, done = -trail[done], done + 1
            clauses, watching[lit] = iter(watching[lit]), []
            for clause in clauses:
                if clause[0] == lit and len(clause) > 1:
                    clause[0], clause[1] = clause[1], lit
                first, k = clause[0], 1
                if not true[first]:
                    k = next((k for k in range(2, len(clause)) if not true[-clause[k]]), 0)
                if k > 1:
                    clause[1], clause[k] = clause[k], lit
                watching[clause[1] if k > 1 else lit].append(clause)
                if k == 0 and true[-first]:
                    watching[lit].extend(clauses)
                    return True
                if k == 0:
                    true[first] = 1
                    trail.append(first)
        return False

    def implies(self, lits: list[int]) -> bool:
        """Whether unit propagation finds a contradiction when all of them are false."""
        before = len(self.trail)
        found = self.refuted or self.contradicts([-lit for lit in lits])
        for lit in self.trail[before:]:
            self.true[lit] = 0
        del self.trail[before:]
        return found


def check_listing(puzzle: Puzzle, body: Iterator[list[str]]) -> tuple[int, str]:
    """How many solutions are listed, where they are proven to be all, and how long the proof is."""
    lit = puzzle.lit
    plain = {tuple(sorted(clause)) for clause in plain_clauses(puzzle)}
    proof, solutions, steps = Propagation(len(lit)), set(), 0
    for kind, *words in body:
        numbers = [int(word) for word in words]
        if kind == "axiom":
            expect(tuple(sorted(numbers)) in plain, f"the axiom {numbers} does not follow from the puzzle by a rule")
        elif kind == "solution":
            expect(len(numbers) == len(puzzle.domains), f"{numbers} has not one value for each cell")
            expect(all(pair in lit for pair in enumerate(numbers)), f"{numbers} has a value that its cell cannot take")
            broken = [c.cells for c in puzzle.constraints if not c.holds([numbers[v] for v in c.cells])]
            expect(not broken, f"{numbers} breaks the constraint on the cells {broken[:1]}")
            expect(tuple(numbers) not in solutions, f"{numbers} is listed twice")
            solutions.add(tuple(numbers))
            numbers = [-lit[pair] for pair in enumerate(numbers)]
        else:
            steps += 1
            expect(kind == "step", f"a line that begins with {kind!r}")
            expect(all(1 <= abs(n) <= len(lit) for n in numbers), f"step {steps} of the proof has an unknown literal")
            expect(proof.implies(numbers), f"step {steps} of the proof, {numbers}, does not follow by unit propagation")
        proof.add(numbers)
    expect(proof.refuted, "the proof does not show that there are no other solutions")
    return len(solutions), f"{len(plain)} clauses, {steps} steps"


def lines(file: IO[str]) -> Iterator[str]:
    for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), "")):
        if line.startswith("end"):
            expect(line == f"end {number}\n" and not file.read(1), f"{number} lines are followed by {line!r}")
            return
        yield line
    raise Rejected("the file ends before its last line")


def verify(path: str) -> tuple[dict[str, Any], int, str]:
    """The header, the count that is proven, and how large the proof is; Rejected where it proves nothing."""
    with open(path, "rb") as raw, gzip.open(raw, "rt", encoding="ascii") as file:
        try:
            text = lines(file)
            expect(next(text) == FIRST_LINE, f"the first line is not {FIRST_LINE!r}")
            header = json.loads(next(text))
            check = {"counting": check_counting, "listing": check_listing}[header["kind"]]
            count, size = check(Puzzle(header["domains"], header["constraints"]), map(str.split, text))
        except Rejected:
            raise
        except Exception as error:  # whatever a forged or damaged file makes Python say is a reason to reject it
            raise Rejected(f"malformed: {type(error).__name__}: {error}") from None
    expect(count == header["count"], f"the proof shows {count} solutions, the certificate claims {header['count']}")
    return header, count, f"{header['kind']} certificate, {size}"


if __name__ == "__main__":
    try:
        accepted, number, proof_size = verify(sys.argv[1])
        print(f"accepted: {accepted['puzzle']}: exactly {number} solutions ({proof_size})")
    except Rejected as reason:
        print(f"rejected: {reason}")
        sys.exit(1)
    except (IndexError, OSError) as problem:
        print(f"{problem}; usage: {sys.argv[0]} FILE", file=sys.stderr)
        sys.exit(2)
