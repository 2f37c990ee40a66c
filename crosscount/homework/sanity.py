"""Claims that cannot be true, or that show a search doing more work than it should. Flagged, never punished."""

import re
from collections.abc import Sequence

from crosscount.homework.assignment import Assignment, Case
from crosscount.homework.results import CaseResult, Verdict
from crosscount.puzzles.constraints import AllDifferent
from crosscount.puzzles.puzzle import Puzzle

FASTEST = 2_000_000_000
"""Nodes a second: nobody has visited more on one core."""
_BT = re.compile(r"\bbt\b|backtrack", re.IGNORECASE)
_FC = re.compile(r"\bfc\b|fc[-_ ]?mrv|forward", re.IGNORECASE)
_PLAIN = re.compile(r"\bbf\b|brute", re.IGNORECASE)


def flags(assignment: Assignment, results: Sequence[CaseResult]) -> tuple[str, ...]:
    """Everything odd about what one submission claims."""
    cases = {case.name: case for case in assignment.cases}
    known = [(cases[result.case], result) for result in results if result.case in cases]
    found = [flag for case, result in known for flag in _alone(case, result)]
    return (*found, *_together(known))


def _alone(case: Case, result: CaseResult) -> list[str]:
    nodes = result.nodes
    # Where no solution was found, nothing follows from how many nodes it took.
    if nodes is None or not isinstance(case.subject, Puzzle) or result.verdict is not Verdict.PASSED:
        return []
    found = []
    open_cells = sum(len(domain) > 1 for domain in case.subject.domains)
    if nodes < 0:
        found.append(f"{result.case}: {nodes} nodes, which is less than none")
    elif _FC.search(case.algorithm) or not (_BT.search(case.algorithm) or _PLAIN.search(case.algorithm)):
        left = open_cells - forced_cells(case.subject)
        if nodes < left:
            found.append(
                f"{result.case}: {nodes} nodes, but {left} cells are still empty when every cell with one value left "
                "is filled in, and each takes at least one"
            )
    elif nodes < open_cells:
        found.append(f"{result.case}: {nodes} nodes, but {open_cells} empty cells take at least one each")
    if nodes > FASTEST * max(result.seconds, 0.01):
        found.append(f"{result.case}: {nodes:,} nodes in {result.seconds:.2f} s is more than any computer does")
    return found


def _together(known: Sequence[tuple[Case, CaseResult]]) -> list[str]:
    """Forward checking against plain backtracking on the same puzzle."""
    found = []
    for case, result in known:
        if result.nodes is None or result.verdict is not Verdict.PASSED or not _FC.search(case.algorithm):
            continue
        for other, plain in known:
            same = other.subject is case.subject and _BT.search(other.algorithm) and not _FC.search(other.algorithm)
            if same and plain.verdict is Verdict.PASSED and plain.nodes is not None and result.nodes > plain.nodes:
                found.append(
                    f"{result.case}: {result.nodes:,} nodes, more than the {plain.nodes:,} of {plain.case}; "
                    "forward checking should visit fewer"
                )
    return found


def forced_cells(puzzle: Puzzle) -> int:
    """How many open cells have one value left after the other, by all-different constraints alone."""
    live = [set(domain) for domain in puzzle.domains]
    scopes = [constraint.scope for constraint in puzzle.constraints if isinstance(constraint, AllDifferent)]
    queue = [v for v, values in enumerate(live) if len(values) == 1]
    settled = set(queue)
    forced = 0
    while queue:
        v = queue.pop()
        for u in {u for scope in scopes if v in scope for u in scope if u != v}:
            live[u] -= live[v]
            if len(live[u]) == 1 and u not in settled:
                settled.add(u)
                queue.append(u)
                forced += 1
    return forced
