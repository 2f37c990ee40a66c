"""Numbers a person may rely on: `exactly N`, `at least N (stopped: why)` or `unknown (why)`, never a bare number."""

from collections.abc import Sequence

from crosscount.compare.runs import Comparison, Finding, Run

LIMITS = {"time": "time limit", "solutions": "solution limit", "nodes": "node limit", "memory": "memory limit"}
"""What the reason for stopping is called in a sentence."""


def solutions(count: int) -> str:
    return "1 solution" if count == 1 else f"{count} solutions"


def state(run: Run) -> str:
    """How a run ended: one word, and why where it did not finish."""
    return f"{run.status}: {LIMITS.get(run.reason, run.reason)}" if run.reason else run.status


def claim(run: Run) -> str:
    """What one run says about the number of solutions."""
    if run.status == "complete" and run.count is not None:
        return f"exactly {run.count}"
    if run.count:
        return f"at least {run.count}"
    return "unknown"


def close(run: Run) -> str:
    """The sentence that ends a run."""
    if run.status == "complete" and run.count is not None:
        return f"exactly {solutions(run.count)}"
    return f"at least {solutions(run.count)} ({state(run)})" if run.count else f"unknown ({state(run)})"


def sentence(comparison: Comparison) -> str:
    """The sentence that ends a comparison. Engines that prove nothing, because they did not finish, are named."""
    if comparison.verdict == "agree" and comparison.count is not None:
        return f"exactly {solutions(comparison.count)}: {comparison.because}{unfinished(comparison.runs)}"
    if comparison.verdict == "disagree":
        return f"disagree: {against(comparison.findings)}"
    known = f"at least {solutions(comparison.at_least)}" if comparison.at_least else "unknown"
    return f"{known} (undecided: {comparison.because})"


def against(findings: Sequence[Finding]) -> str:
    """How many findings, and against whom."""
    names = ", ".join(dict.fromkeys(finding.engine for finding in findings))
    return f"{len(findings)} finding{'' if len(findings) == 1 else 's'} against {names}"


def unfinished(runs: Sequence[Run]) -> str:
    """Who was skipped and who was stopped; nothing where everybody finished."""
    parts = []
    for status in ("stopped", "skipped"):
        names = [run.engine for run in runs if run.status == status]
        if names:
            parts.append(f"{', '.join(names)} {status}")
    return f" ({'; '.join(parts)})" if parts else ""
