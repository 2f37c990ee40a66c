"""results.json for Gradescope: the fields that it documents, and no others."""

import json
from typing import Any

from crosscount.homework.explain import case_text
from crosscount.homework.results import CaseResult, SubmissionResult, Verdict, tally

MOST_TEXT = 20_000


def to_results(result: SubmissionResult, seconds: float, is_final: bool) -> str:
    """The file's text; valid at any time, also before the first case was run."""
    said = [result.trouble] if result.trouble else []
    if not is_final:
        said.append("Grading has not finished: cases that were not run have no points yet.")
    elif not result.is_finished:
        said.append("Grading was cut short: cases that were not run have no points.")
    said += [tally([result]), *(f"odd, but without loss of points: {flag}" for flag in result.flags)]
    return json.dumps(
        {
            "score": _points(result.points),
            "execution_time": round(seconds),
            "output": "\n".join(said),
            "output_format": "text",
            "test_output_format": "text",
            "test_name_format": "text",
            "visibility": "visible",
            "stdout_visibility": "hidden",
            "extra_data": {"finished": result.is_finished},
            "tests": [_test(number, case) for number, case in enumerate(result.cases, 1)],
        },
        indent=1,
    )


def _test(number: int, case: CaseResult) -> dict[str, Any]:
    return {
        "score": _points(case.points),
        "max_score": _points(case.most),
        "status": "passed" if case.verdict is Verdict.PASSED else "failed",
        "name": case.case,
        "name_format": "text",
        "number": str(number),
        "output": case_text(case)[:MOST_TEXT],
        "output_format": "text",
        "tags": [str(case.verdict)],
        "visibility": "visible",
        "extra_data": {"seconds": case.seconds, "nodes": _small(case.nodes)},
    }


def _points(points: float) -> float:
    return round(points, 4)


def _small(nodes: int | None) -> int | str | None:
    # Not every reader of JSON has larger integers.
    return nodes if nodes is None or abs(nodes) < 1 << 53 else f"{float(nodes):.3e}"
