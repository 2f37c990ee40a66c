"""A table of points for a spreadsheet: one row a student, and nothing in it that a spreadsheet would run."""

import csv
import io
from collections.abc import Sequence

from crosscount.homework.results import SubmissionResult, Verdict, shown_points

_RUNS = ("=", "+", "-", "@", "\t", "\r", "\n")


def to_csv(results: Sequence[SubmissionResult]) -> str:
    """Name, points, points and verdict of each case, and what is to be said about the whole."""
    names = [case.case for case in results[0].cases] if results else []
    header = ["submission", "points", "max points", *names, *(f"{name} verdict" for name in names), "remarks"]
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\r\n")
    writer.writerow([defused(text) for text in header])
    for result in results:
        remarks = "; ".join([*filter(None, [result.trouble]), *result.flags])
        writer.writerow(
            [
                defused(result.name),
                shown_points(result.points),
                shown_points(result.most),
                *(shown_points(case.points) if _was_run(case.verdict) else "" for case in result.cases),
                *(str(case.verdict) for case in result.cases),
                defused(remarks),
            ]
        )
    # Without the mark some spreadsheets take UTF-8 for something else.
    return "\ufeff" + made.getvalue()


def defused(text: str) -> str:
    """A text that a spreadsheet shows and does not compute; line ends become spaces."""
    plain = " ".join(text.replace("\x00", "").splitlines())
    return f"'{plain}" if plain.lstrip().startswith(_RUNS) or text.startswith(_RUNS) else plain


def _was_run(verdict: Verdict) -> bool:
    return verdict is not Verdict.NOT_RUN
