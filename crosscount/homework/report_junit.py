"""Results as a JUnit report: a suite for each submission, a test for each case."""

from collections.abc import Sequence
from pathlib import Path

from crosscount.compare.gate_result import Outcome, Result
from crosscount.compare.junit import write_report
from crosscount.homework.explain import case_text
from crosscount.homework.results import CaseResult, SubmissionResult, Verdict

OUTCOMES = {Verdict.PASSED: Outcome.PASSED, Verdict.NOT_RUN: Outcome.UNDECIDED}


def write_junit(results: Sequence[SubmissionResult], path: Path) -> None:
    """Write the report; InputError where that is not possible."""
    write_report([_result(result, case) for result in results for case in result.cases], path)


def _result(result: SubmissionResult, case: CaseResult) -> Result:
    because = result.trouble or "; ".join(case.evidence) or str(case.verdict)
    outcome = OUTCOMES.get(case.verdict, Outcome.FAILED)
    difference = "" if case.verdict is Verdict.PASSED else case_text(case)
    return Result(
        result.name, None, case.case, case.expected, outcome, because, case.actual, difference, seconds=case.seconds
    )
