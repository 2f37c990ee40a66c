"""Numbers a person may rely on: `exactly N`, `at least N (stopped: why)` or `unknown (why)`, never a bare number."""

from crosscount.compare.runs import Comparison, Run


def grouped(count: int) -> str:
    """A number with spaces between thousands from five digits on."""
    return f"{count:,}".replace(",", " ") if count >= 10_000 else str(count)


def solutions(count: int) -> str:
    return "1 solution" if count == 1 else f"{count} solutions"


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
    why = f"{run.status}: {run.reason}"
    return f"at least {solutions(run.count)} ({why})" if run.count else f"unknown ({why})"


def sentence(comparison: Comparison) -> str:
    """The sentence that ends a comparison."""
    if comparison.verdict == "agree" and comparison.count is not None:
        return f"exactly {solutions(comparison.count)}: {comparison.because}"
    if comparison.verdict == "disagree":
        return f"disagree: {comparison.because}"
    known = f"at least {solutions(comparison.at_least)}" if comparison.at_least else "unknown"
    return f"{known} (undecided: {comparison.because})"
