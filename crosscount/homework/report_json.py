"""Results as JSON: everything that the pages show, for other programs."""

from dataclasses import asdict
from typing import Any

from crosscount.homework.results import SubmissionResult


def to_object(result: SubmissionResult) -> dict[str, Any]:
    """The object that `--json` prints for one submission."""
    return {
        "submission": result.name,
        "path": result.path,
        "points": round(result.points, 6),
        "max_points": round(result.most, 6),
        "finished": result.is_finished,
        "trouble": result.trouble,
        "flags": list(result.flags),
        "cases": [asdict(case) for case in result.cases],
    }
