"""Every search and both solvers on one position of a game, one verdict."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from crosscount.compare.audit import Auditor, TreeFinding, claim_of, plain
from crosscount.compare.tree_run import SOLVERS, Verdict
from crosscount.native.game_states import state_graph, whole_tree
from crosscount.native.games import NamedGame
from crosscount.native.gamesearch import SEARCHES, search_game, search_tree
from crosscount.puzzles.engine import Stopped
from crosscount.puzzles.gametree import GameGraph, Rule, Value, show_value

MOST_STATES = 200_000
"""Beyond so many distinct states the solvers are not asked."""
MOST_AUDITED = 100_000
"""Up to so many nodes the whole tree is written out, and every search on it goes through the audit."""


@dataclass(frozen=True, slots=True)
class GameRun:
    """What one engine said, or why it said nothing."""

    name: str
    family: str
    status: str
    reason: str | None = None
    value: Value | None = None
    moves: tuple[int, ...] = ()
    nodes: int | None = None
    leaves: int | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class GameComparison:
    """All that is known about one position; value and moves are None and empty where no engine finished."""

    game: NamedGame
    state: Any
    verdict: Verdict
    reason: str
    value: Value | None
    moves: tuple[int, ...]
    states: int | None
    audited: bool
    runs: tuple[GameRun, ...]
    findings: tuple[TreeFinding, ...]

    def move_name(self, move: int) -> str:
        """A move of the position by its name."""
        return self.game.move_name(self.state, self.game.moves(self.state)[move])


def compare_game(game: NamedGame, state: Any, rule: Rule = "le", max_nodes: float = 1_000_000) -> GameComparison:
    """Run everything within so many nodes a search; undecided unless two families finish."""
    runs = [_run_search(game, state, search.name, rule, max_nodes) for search in SEARCHES]
    try:
        graph: GameGraph | None = state_graph(game, state, MOST_STATES)
    except Stopped:
        graph = None
    for name in SOLVERS:
        runs.append(_run_solver(name, graph))
    findings = _differences(runs)
    audited = _audit_whole_tree(game, state, rule, findings)
    complete = [run for run in runs if run.status == "complete"]
    families = {run.family for run in complete}
    verdict: Verdict = "disagree" if findings else "agree" if len(families) > 1 else "undecided"
    reason = {
        "disagree": "engines differ",
        "agree": f"{len(complete)} engines of {len(families)} families",
        "undecided": "fewer than two families of engines finished; --max-nodes allows more",
    }[verdict]
    first = complete[0] if complete else None
    return GameComparison(
        game,
        state,
        verdict,
        reason,
        first.value if first else None,
        first.moves if first else (),
        len(graph.children) if graph else None,
        audited,
        tuple(runs),
        tuple(findings),
    )


def _run_search(game: NamedGame, state: Any, name: str, rule: Rule, max_nodes: float) -> GameRun:
    start = time.perf_counter()
    try:
        trace = search_game(game, state, name, rule, max_nodes)
    except Stopped:
        seconds = time.perf_counter() - start
        return GameRun(name, "native", "stopped", f"more than {max_nodes:.0f} nodes", seconds=seconds)
    seconds = time.perf_counter() - start
    return GameRun(name, "native", "complete", None, trace.value, trace.moves, trace.nodes, len(trace.leaves), seconds)


def _run_solver(name: str, graph: GameGraph | None) -> GameRun:
    family, ask = SOLVERS[name]
    if graph is None:
        return GameRun(name, family, "skipped", f"more than {MOST_STATES} states")
    start = time.perf_counter()
    opinion = ask(graph)
    return GameRun(name, family, "complete", None, opinion.value, opinion.moves, seconds=time.perf_counter() - start)


def _differences(runs: Sequence[GameRun]) -> list[TreeFinding]:
    """Against the first that finished: exhaustive minimax wherever it did."""
    complete = [run for run in runs if run.status == "complete"]
    findings = []
    for run in complete[1:]:
        first = complete[0]
        assert run.value is not None
        assert first.value is not None
        witness: dict[str, Any]
        if run.value != first.value:
            because = f"value {show_value(run.value)}, {first.name} gives {show_value(first.value)}"
            witness = {"value": plain(run.value), first.name: plain(first.value)}
            findings.append(TreeFinding("value", run.name, because, witness))
        elif run.moves != first.moves:
            because = f"optimal moves {list(run.moves)}, {first.name} gives {list(first.moves)}"
            witness = {"moves": list(run.moves), first.name: list(first.moves)}
            findings.append(TreeFinding("move", run.name, because, witness))
    return findings


def _audit_whole_tree(game: NamedGame, state: Any, rule: Rule, findings: list[TreeFinding]) -> bool:
    try:
        tree = whole_tree(game, state, MOST_AUDITED)
    except Stopped:
        return False
    auditor = Auditor(tree, rule)
    for search in SEARCHES:
        findings += auditor.audit(claim_of(search_tree(tree, search.name, rule))).findings
    return True


def game_object(comparison: GameComparison) -> dict[str, Any]:
    """The object that `--json` prints."""
    return {
        "game": comparison.game.name,
        "position": comparison.game.show(comparison.state),
        "verdict": comparison.verdict,
        "reason": comparison.reason,
        "value": None if comparison.value is None else plain(comparison.value),
        "moves": [comparison.move_name(move) for move in comparison.moves],
        "states": comparison.states,
        "audited": comparison.audited,
        "engines": [
            {
                "name": run.name,
                "family": run.family,
                "status": run.status,
                "reason": run.reason,
                "value": None if run.value is None else plain(run.value),
                "moves": [comparison.move_name(move) for move in run.moves],
                "nodes": run.nodes,
                "leaves_visited": run.leaves,
                "seconds": round(run.seconds, 6),
            }
            for run in comparison.runs
        ],
        "findings": [
            {"kind": f.kind, "engine": f.engine, "witness": f.witness, "because": f.because}
            for f in comparison.findings
        ],
    }


def game_lines(comparison: GameComparison) -> list[tuple[str, ...]]:
    """Rows of text, the header first."""
    rows: list[tuple[str, ...]] = [("engine", "value", "best moves", "leaves visited", "nodes", "seconds")]
    for run in comparison.runs:
        if run.value is None:
            rows.append((run.name, run.status, run.reason or "", "", "", ""))
            continue
        moves = ", ".join(comparison.move_name(move) for move in run.moves[:4])
        rows.append(
            (
                run.name,
                show_value(run.value),
                (moves or "-") + (f" and {len(run.moves) - 4} more" if len(run.moves) > 4 else ""),
                "" if run.leaves is None else str(run.leaves),
                "" if run.nodes is None else str(run.nodes),
                f"{run.seconds:.2f}",
            )
        )
    return rows
