"""Certificates: a count, with a proof that `verify_certificate` checks without any of our code.

A certificate of either kind is made of the checker's own notions, residual puzzles and plain clauses, so that what is
written is what will be checked. That makes nothing right by itself: it is the checker who works everything out again.
"""

import gzip
import json
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

from crosscount.compare import verify_certificate as checker
from crosscount.puzzles.constraints import AllDifferent, Constraint, Linear, Product
from crosscount.puzzles.engine import Limits, Stopped, Unavailable
from crosscount.puzzles.puzzle import Puzzle, Solution
from crosscount.puzzles.whole_file import whole_file

Kind = Literal["counting", "listing"]
Line = Iterable[object]
Tell = Callable[[str], None]
"""Takes a line of progress for a person."""

FEW = 1000
"""Up to so many solutions are rather listed than counted: they can be looked at."""
MOST_LISTED = 100_000
"""More solutions than that make a proof that takes too long to check."""
STATE_BYTES = 1000
"""What a residual puzzle takes while its line is yet to be written, at most, for 9 values and 81 cells."""


def choose(puzzle: Puzzle, count: int) -> Kind:
    """The kind that suits the puzzle; Unavailable where neither does."""
    reason = why_not_counting(puzzle)
    if count <= FEW or (reason is not None and count <= MOST_LISTED):
        return "listing"
    if reason is not None:
        raise Unavailable(f"no certificate: {count} solutions are too many to list, and {reason}")
    return "counting"


def why_not_counting(puzzle: Puzzle) -> str | None:
    """What keeps a puzzle from having a counting certificate, if anything does."""
    for c in puzzle.constraints:
        if not isinstance(c, AllDifferent) and len(set(c.scope)) > 2:
            name = f"{c.label}, a" if c.label else "a"
            return f"{name} constraint on {len(set(c.scope))} cells that is no all-different, cannot be counted yet"
    return None


def header(puzzle: Puzzle, kind: Kind, count: int) -> dict[str, Any]:
    """The second line of a certificate: the puzzle and what is claimed."""
    return {
        "kind": kind,
        "puzzle": puzzle.name,
        "count": count,
        "domains": [list(domain) for domain in puzzle.domains],
        "constraints": [_constraint(c) for c in puzzle.constraints],
    }


def is_about(said: dict[str, Any], puzzle: Puzzle) -> bool:
    """Whether a certificate with this header is about this puzzle, whatever it is called."""
    expected = header(puzzle, "counting", 0)
    return all(said[key] == expected[key] for key in ("domains", "constraints"))


def _constraint(c: Constraint) -> list[Any]:
    """Kind, cells, coefficients, relation, value, tuples."""
    cells = list(c.scope)
    if isinstance(c, AllDifferent):
        return ["all-different", cells, [], "==", 0, []]
    if isinstance(c, Linear):
        return ["linear", cells, list(c.coefficients), c.relation, c.value, []]
    if isinstance(c, Product):
        return ["product", cells, [], c.relation, c.value, []]
    return ["allowed" if c.allowed else "forbidden", cells, [], "==", 0, sorted(map(list, c.tuples))]


def certify(path: Path, puzzle: Puzzle, count: int, kind: Kind | None, limits: Limits, tell: Tell) -> Kind:
    """Write a certificate that the puzzle has `count` solutions; its kind, which is chosen where none is named.

    Stopped at a limit, Unavailable where there is no such certificate, RuntimeError where the count cannot be right;
    then nothing is written.
    """
    chosen = choose(puzzle, count) if kind is None else kind
    if chosen == "listing":
        write(path, puzzle, chosen, count, listing(puzzle, _solutions(puzzle, count, limits), limits))
        return chosen
    reason = why_not_counting(puzzle)
    if reason is not None:
        raise Unavailable(f"no counting certificate: {reason}")
    from crosscount.native.count import filling_order

    graph = Graph(puzzle, filling_order(puzzle), limits)
    write(path, puzzle, chosen, count, _told(graph, count, tell))
    return chosen


def _solutions(puzzle: Puzzle, count: int, limits: Limits) -> list[Solution]:
    """All of them, by a searcher that has nothing in common with what is about to prove that they are all."""
    from crosscount.native import ENGINES

    if count > MOST_LISTED:
        raise Unavailable(f"no listing certificate: {count} solutions, at most {MOST_LISTED} can be listed")
    found = [row for batch in ENGINES["gac"].search(puzzle, limits) for row in batch.solutions.tolist()]
    if len(found) != count:
        raise RuntimeError(f"{count} solutions were counted, {len(found)} listed")
    return found


def _told(graph: "Graph", count: int, tell: Tell) -> Iterator[Line]:
    """The lines of the graph, telling now and then how many there are; none of it counts unless the total is right."""
    for line in graph.lines():
        if graph.done & 4095 == 0:
            tell(f"{graph.done} of at least {graph.nodes} residual puzzles")
        yield line
    if graph.total != count:
        raise RuntimeError(f"{count} solutions were counted, the graph of residual puzzles leads to {graph.total}")


def write(path: Path, puzzle: Puzzle, kind: Kind, count: int, body: Iterable[Line]) -> None:
    """The whole certificate or nothing."""
    with whole_file(path) as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
        file.write(checker.FIRST_LINE.encode())
        file.write(json.dumps(header(puzzle, kind, count)).encode() + b"\n")
        lines = 2
        for line in body:
            file.write(" ".join(map(str, line)).encode() + b"\n")
            lines += 1
        file.write(f"end {lines}\n".encode())


def problem(puzzle: Puzzle) -> checker.Puzzle:
    """The puzzle as the checker sees it."""
    said = header(puzzle, "counting", 0)
    return checker.Puzzle(said["domains"], said["constraints"])


class Clock:
    """Raises Stopped when a limit is reached: time, nodes, or more states that wait than there is memory for."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.end = None if limits.seconds is None else time.monotonic() + limits.seconds

    def look(self, done: int = 0, waiting: int = 0) -> None:
        if self.end is not None and time.monotonic() >= self.end:
            raise Stopped("time")
        if self.limits.nodes is not None and done >= self.limits.nodes:
            raise Stopped("nodes")
        if self.limits.memory is not None and waiting * STATE_BYTES > self.limits.memory:
            raise Stopped("memory")


class Graph:
    """The residual puzzles of a search, each once, those with more open cells first.

    `lines` yields the body of a counting certificate; when it has ended, `total` is the count.
    """

    def __init__(self, puzzle: Puzzle, order: list[int], limits: Limits) -> None:
        self.residual = checker.Residual(problem(puzzle))
        self.bits = [(v, 1 << v) for v in order]
        self.clock = Clock(limits)
        root = self.residual.root
        self.total = int(root is not None and not any(root))
        self.nodes = 0 if root is None or self.total else 1
        self.done = 0

    def lines(self) -> Iterator[Line]:
        root = self.residual.root
        # [open cells] the states with so many: their number, and how many paths lead there. A choice leaves fewer open
        # cells, so that what is taken from the top gets no further edge.
        waiting: dict[int, dict[checker.State, list[int]]] = {}
        if self.nodes and root is not None:
            waiting[self._open(root).bit_count()] = {root: [0, 1]}
        while waiting:
            most = max(waiting)
            for state, (number, paths) in waiting.pop(most).items():
                if self.done & 255 == 0 or self.clock.limits.nodes is not None:
                    self.clock.look(self.done, self.nodes - self.done)
                self.done += 1
                open_cells = self._open(state)
                v, bit = next(pair for pair in self.bits if open_cells & pair[1])
                children = []
                for i in [i for i, cells in enumerate(state) if cells & bit]:
                    left = self.residual.branch(state, v, i)
                    if left is not None and not any(left):
                        self.total += paths
                    elif left is not None:
                        known = waiting.setdefault(self._open(left).bit_count(), {})
                        node = known.setdefault(left, [self.nodes, 0])
                        self.nodes += node[1] == 0
                        node[1] += paths
                        children.append(node[0])
                yield (number, v, *children)

    @staticmethod
    def _open(state: checker.State) -> int:
        cells = 0
        for some in state:
            cells |= some
        return cells


def listing(puzzle: Puzzle, solutions: list[Solution], limits: Limits) -> Iterator[Line]:
    """The body of a listing certificate. Stopped at a limit; Unavailable where a constraint is too wide."""
    from crosscount.encodings.proof import refutation

    subject = problem(puzzle)
    try:
        axioms = list(checker.plain_clauses(subject))
    except checker.Rejected as rejected:
        raise Unavailable(f"no certificate: {rejected}") from None
    blocks = [[-subject.lit[v, x] for v, x in enumerate(solution)] for solution in solutions]
    clock = Clock(limits)
    yield from (("axiom", *clause) for clause in axioms)
    yield from (("solution", *solution) for solution in solutions)
    yield from (("step", *clause) for clause in refutation([*axioms, *blocks], clock.look))
