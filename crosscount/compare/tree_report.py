"""A comparison of engines on a tree as one JSON object, and as text for a terminal."""

from typing import Any

from crosscount.compare.audit import TreeFinding, plain
from crosscount.compare.tree_run import TreeComparison, TreeRun
from crosscount.puzzles.gametree import RULE_TEXT, show_value


def to_object(comparison: TreeComparison) -> dict[str, Any]:
    """The object that `--json` prints."""
    tree = comparison.tree
    found: dict[str, Any] = {
        "tree": tree.place,
        "verdict": comparison.verdict,
        "value": plain(comparison.value),
        "moves": list(comparison.moves),
        "root": "max" if tree.maximises[0] else "min",
        "cutoff": RULE_TEXT[comparison.rule],
        "leaves": len(tree.leaves()),
        "nodes": len(tree),
        "engines": [_engine(comparison, run) for run in comparison.runs],
        "findings": [finding_object(finding) for finding in comparison.findings],
    }
    if comparison.answer is not None:
        audit = comparison.answer
        found["answer"] = {
            "passed": audit.passed,
            "notes": list(audit.notes),
            "needless": [tree.path(leaf) for leaf in audit.needless],
        }
    return found


def finding_object(finding: TreeFinding) -> dict[str, Any]:
    """One finding as JSON has it."""
    return {
        "kind": finding.kind,
        "engine": finding.engine,
        "witness": finding.witness,
        "because": finding.because,
    }


def _engine(comparison: TreeComparison, run: TreeRun) -> dict[str, Any]:
    tree = comparison.tree
    entry: dict[str, Any] = {"name": run.name, "family": run.family}
    # Solvers visit no leaves; the keys are there all the same, so that every entry can be read alike.
    nothing = dict.fromkeys(("leaves_visited", "leaves_pruned", "nodes", "cutoffs"))
    if run.skipped is not None:
        return {**entry, "status": "skipped", "reason": run.skipped, "value": None, **nothing}
    assert run.value is not None
    entry |= {"status": "complete", "value": plain(run.value)}
    if run.opinion is not None:
        return {**entry, "moves": list(run.opinion.moves), "queries": run.opinion.queries, **nothing}
    trace = run.trace
    assert trace is not None
    return {
        **entry,
        "move": trace.move,
        "moves": list(trace.moves),
        "cutoff": None if trace.rule is None else RULE_TEXT[trace.rule],
        "leaves_visited": [plain(tree.values[leaf]) for leaf in trace.leaves],  # type: ignore[arg-type]
        "leaves_pruned": _pruned(comparison, run),
        "nodes": trace.nodes,
        "researches": trace.researches,
        # By number: in a deep tree an address for each would be longer than the tree.
        "cutoffs": [{"node": cut.state, "alpha": plain(cut.alpha), "beta": plain(cut.beta)} for cut in trace.cutoffs],
    }


def _pruned(comparison: TreeComparison, run: TreeRun) -> int:
    assert run.trace is not None
    return len(comparison.tree.leaves()) - len(set(run.trace.leaves))


def to_table(comparison: TreeComparison) -> list[tuple[str, ...]]:
    """Rows of text, the header first: what each engine did."""
    rows: list[tuple[str, ...]] = [
        ("engine", "value", "move", "leaves visited", "pruned", "nodes", "cutoffs", "cuts at")
    ]
    label = comparison.auditor.move_label
    for run in comparison.runs:
        if run.skipped is not None:
            rows.append((run.name, "skipped", run.skipped, "", "", "", "", ""))
            continue
        assert run.value is not None
        if run.trace is None:
            assert run.opinion is not None
            moves = run.opinion.moves
            rows.append((run.name, show_value(run.value), label(moves[0]) if moves else "-", "", "", "", "", ""))
            continue
        trace = run.trace
        different = len(set(trace.leaves))
        again = f" (+{len(trace.leaves) - different} again)" if different < len(trace.leaves) else ""
        rows.append(
            (
                run.name,
                show_value(trace.value),
                "-" if trace.move is None else label(trace.move),
                f"{different}{again}",
                str(_pruned(comparison, run)),
                str(trace.nodes),
                str(len(trace.cutoffs)),
                "" if trace.rule is None else RULE_TEXT[trace.rule],
            )
        )
    return rows


def aligned(rows: list[tuple[str, ...]], right: frozenset[int] = frozenset()) -> list[str]:
    """Rows as lines with columns of equal width; the columns in `right` are numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [c.rjust(w) if k in right else c.ljust(w) for k, (c, w) in enumerate(zip(row, widths, strict=True))]
        lines.append("  ".join(cells).rstrip())
    return lines


def summary(comparison: TreeComparison) -> list[str]:
    """The verdict in words, then what is wrong, then what is worth saying."""
    auditor = comparison.auditor
    moves = ", ".join(auditor.move_label(k) for k in comparison.moves) or "none: the root is a leaf"
    lines = [f"value {show_value(comparison.value)}; optimal moves: {moves}"]
    if comparison.findings:
        count = len(comparison.findings)
        lines.append(f"disagree: {count} finding" + ("s" if count > 1 else ""))
        lines += [f"  {finding.engine}: {finding.because}" for finding in comparison.findings]
    else:
        lines.append("agree: all engines give the value of minimax, and all pruning is justified")
        if comparison.answer is not None:
            lines.append("  the answer holds")
        if comparison.solution is not None:
            lines.append(f"  {comparison.solution.place} holds")
    if comparison.answer is not None:
        lines += [f"  note: {note}" for note in comparison.answer.notes]
    return lines
