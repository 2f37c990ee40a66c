"""Every engine on one tree, every trace through the audit, one verdict."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from crosscount.compare.audit import Audit, Auditor, TreeFinding, claim_of
from crosscount.compare.audit_answer import claim_of_answer
from crosscount.encodings.game import Opinion, cnf_opinion, cp_opinion
from crosscount.native.gamesearch import SEARCHES, search_tree
from crosscount.puzzles.game_trace import Trace
from crosscount.puzzles.gametree import GameGraph, GameTree, Rule, Value, show_value
from crosscount.puzzles.tree_answer import Answer
from crosscount.puzzles.tree_cs188 import Solution, generated_states

Verdict = Literal["agree", "disagree", "undecided"]

SOLVERS: dict[str, tuple[str, Callable[[GameGraph], Opinion]]] = {
    "cpsat": ("cp", cp_opinion),
    "cnf": ("cnf", cnf_opinion),
}
MOST_FOR_SOLVERS = 200_000
"""Beyond so many nodes a solver takes longer than it is worth; the audit still proves every trace."""


@dataclass(frozen=True, slots=True)
class TreeRun:
    """What one engine said; searches have a trace, solvers an opinion, skipped engines a reason."""

    name: str
    family: str
    trace: Trace[int] | None = None
    opinion: Opinion | None = None
    skipped: str | None = None

    @property
    def value(self) -> Value | None:
        """The value of the root, where the engine ran."""
        said = self.trace or self.opinion
        return None if said is None else said.value


@dataclass(frozen=True, slots=True)
class TreeComparison:
    """All that is known about one tree, and about an answer where there is one."""

    tree: GameTree
    rule: Rule
    value: Value
    moves: tuple[int, ...]
    runs: tuple[TreeRun, ...]
    findings: tuple[TreeFinding, ...]
    answer: Audit | None
    auditor: Auditor
    answer_visited: tuple[int, ...] | None = None
    solution: Solution | None = None
    """What the course's own file claims, where there is one and it claims something."""

    @property
    def verdict(self) -> Verdict:
        """The audit holds every trace against minimax itself, so nothing stays undecided."""
        return "disagree" if self.findings else "agree"


def compare_tree(
    tree: GameTree, rule: Rule = "le", answer: Answer | None = None, solution: Solution | None = None
) -> TreeComparison:
    """Run everything; with an answer or a course's solution, audit that too."""
    auditor = Auditor(tree, rule)
    runs = [TreeRun(s.name, "native", _trace(auditor, s.name, rule)) for s in SEARCHES]
    findings = [finding for run in runs if run.trace for finding in _audit_trace(auditor, run.trace)]
    for name, (family, ask) in SOLVERS.items():
        if len(tree) > MOST_FOR_SOLVERS:
            runs.append(TreeRun(name, family, skipped=f"more than {MOST_FOR_SOLVERS} nodes"))
            continue
        opinion = ask(tree.graph())
        runs.append(TreeRun(name, family, opinion=opinion))
        findings += _check_opinion(auditor, opinion)
    audit, visited = None, None
    if answer is not None:
        claim, wrong = claim_of_answer(auditor, answer)
        audit = auditor.audit(claim)
        audit = Audit((*wrong, *audit.findings), audit.notes, audit.needless)
        visited = None if claim.visited is None else tuple(claim.visited)
        findings += audit.findings
    if solution is not None:
        findings += audit_solution(auditor, solution)
    claims = solution is not None and (solution.action is not None or solution.generated is not None)
    return TreeComparison(
        tree,
        rule,
        auditor.value,
        auditor.optimal,
        tuple(runs),
        tuple(findings),
        audit,
        auditor,
        visited,
        solution if claims else None,
    )


def _trace(auditor: Auditor, name: str, rule: Rule) -> Trace[int]:
    return auditor.reference if name == "alphabeta" else search_tree(auditor.tree, name, rule)


def _audit_trace(auditor: Auditor, trace: Trace[int]) -> list[TreeFinding]:
    findings = list(auditor.audit(claim_of(trace)).findings)
    return findings + _check_moves(auditor, trace.engine, trace.moves)


def _check_opinion(auditor: Auditor, opinion: Opinion) -> list[TreeFinding]:
    if opinion.value != auditor.value:
        said, known = show_value(opinion.value), show_value(auditor.value)
        witness = {"claimed": said, "minimax": known}
        return [TreeFinding("value", opinion.engine, f"the value is said to be {said}, minimax gives {known}", witness)]
    return _check_moves(auditor, opinion.engine, opinion.moves)


def _check_moves(auditor: Auditor, engine: str, moves: tuple[int, ...]) -> list[TreeFinding]:
    if moves == auditor.optimal:
        return []
    because = f"the optimal moves are said to be {list(moves)}, minimax gives {list(auditor.optimal)}"
    return [TreeFinding("move", engine, because, {"claimed": list(moves), "minimax": list(auditor.optimal)})]


def audit_solution(auditor: Auditor, solution: Solution) -> list[TreeFinding]:
    """The course's own solution file: the first best action, and exactly the states its search generates."""
    tree = auditor.tree
    if solution.prunes:
        trace = auditor.reference if auditor.rule == "lt" else search_tree(tree, "alphabeta", "lt")
    else:
        trace = search_tree(tree, "minimax")
    findings = []
    expected = None if trace.move is None else tree.moves.get(tree.children(0)[trace.move])
    if solution.action is not None and solution.action != expected:
        because = f"action is {solution.action!r}, the first best one is {expected!r}"
        findings.append(TreeFinding("move", "solution", because, {"action": solution.action, "expected": expected}))
    if solution.generated is not None:
        states = generated_states(tree, list(trace.leaves))
        extra, missing = sorted(solution.generated - states), sorted(states - solution.generated)
        if extra or missing:
            because = "; ".join(
                f"{what} {' '.join(names)}"
                for what, names in (("generated without need:", extra), ("not generated:", missing))
                if names
            )
            findings.append(TreeFinding("generated", "solution", because, {"extra": extra, "missing": missing}))
    return findings
