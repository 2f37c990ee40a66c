"""Results for a person at a terminal: a row for each student, then what is wrong, then one line for all."""

from collections.abc import Sequence

from rich.text import Text

from crosscount.compare.screen import Screen, table
from crosscount.homework.explain import headline, small_lines
from crosscount.homework.results import CaseResult, SubmissionResult, Verdict, shown_points, tally

COLOURS = {Verdict.PASSED: "green", Verdict.NOT_RUN: "yellow"}
FEW = 12
"""Up to so many submissions are explained one by one; of more there is the table, and the pages."""
MOST_EXPLAINED = 3
"""Cases of one submission."""


def show(results: Sequence[SubmissionResult], screen: Screen) -> None:
    """The table, and why points were lost."""
    rows = table("submission", "points", "passed", "what went wrong", right=("points", "passed"))
    for result in results:
        passed = sum(case.verdict is Verdict.PASSED for case in result.cases)
        colour = "green" if result.is_full else "red" if result.is_finished else "yellow"
        rows.add_row(
            result.name,
            Text(f"{shown_points(result.points)} of {shown_points(result.most)}", colour),
            f"{passed} of {len(result.cases)}",
            result.trouble or summary(result),
        )
    screen.print(rows)
    screen.print()
    if len(results) <= FEW:
        for result in results:
            _explain(result, screen)
    screen.print(tally(results), soft_wrap=True)


def summary(result: SubmissionResult) -> str:
    """The verdicts that are not passed, each with how often and the first place."""
    found: dict[Verdict, list[CaseResult]] = {}
    for case in result.cases:
        if case.verdict is not Verdict.PASSED:
            found.setdefault(case.verdict, []).append(case)
    parts = [
        f"{len(cases)} {verdict} ({cases[0].case}{', …' if len(cases) > 1 else ''})" for verdict, cases in found.items()
    ]
    if result.flags:
        parts.append(f"{len(result.flags)} odd claim{'' if len(result.flags) == 1 else 's'}")
    return ", ".join(parts)


def _explain(result: SubmissionResult, screen: Screen) -> None:
    """The cases that say the most: those with a small puzzle first."""
    failed = [case for case in result.cases if case.verdict not in (Verdict.PASSED, Verdict.NOT_RUN)]
    if not failed and not result.flags:
        return
    screen.print(Text(result.name, "bold"))
    chosen = sorted(failed, key=lambda case: case.small is None)[:MOST_EXPLAINED]
    seen: set[str] = set()
    for case in chosen:
        lines = [headline(case), *(f"  {line}" for text in case.evidence for line in text.splitlines())]
        if case.small is not None and case.small.text in seen:
            lines.append("  The smallest puzzle that shows it is the same.")
        elif case.small is not None:
            seen.add(case.small.text)
            lines += [f"  {line}" for line in small_lines(case.small)]
        for line in lines:
            screen.print(f"  {line}".rstrip(), soft_wrap=True)
    if len(failed) > len(chosen):
        screen.print(f"  and {len(failed) - len(chosen)} more; --html DIR has all of them")
    for flag in result.flags:
        screen.print(f"  odd: {flag}", soft_wrap=True)
    screen.print()
