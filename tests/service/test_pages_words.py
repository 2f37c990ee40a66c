"""Verdicts in words, for every way in which a job can stand."""

from typing import Any

import pytest

from crosscount.service.models import Operation, Status
from crosscount.service.pages_words import Verdict, grouped, rows, shown_seconds, verdict
from crosscount.service.store import Job


def job(
    status: Status = "done",
    operation: Operation = "compare",
    result: dict[str, Any] | None = None,
    progress: dict[str, Any] | None = None,
    **more: Any,
) -> Job:
    given: dict[str, Any] = {
        "id": "x",
        "request": {},
        "client": "c",
        "lane": 0,
        "attempts": 1,
        "created": 0.0,
        "started": None,
        "finished": None,
        "reason": "",
        "kept": 0,
        "kept_all": False,
        "dtype": "int8",
        **more,
    }
    return Job(operation=operation, status=status, result=result, progress=progress, **given)


def engine(name: str, status: str, count: int | str | None, reason: str = "", family: str = "native") -> dict[str, Any]:
    return {
        "name": name,
        "family": family,
        "status": status,
        "reason": reason,
        "count": count,
        "nodes": 10,
        "seconds": 0.02,
    }


def result(outcome: str, count: int | str | None, because: str, **more: Any) -> dict[str, Any]:
    engines = more.pop("engines", [engine("bt", "complete", count), engine("sat", "complete", count, family="cnf")])
    exact = count is not None
    return {
        "verdict": outcome,
        "because": because,
        "count": count,
        "exact": exact,
        "at_least": count or 0,
        "engines": engines,
        "findings": [],
        **more,
    }


def said(one: Job) -> tuple[str, str]:
    found: Verdict = verdict(one)
    return found.tone, found.title


@pytest.mark.parametrize(
    ("count", "title"),
    [
        (0, "No solution"),
        (1, "Exactly 1 solution"),
        (286470, "Exactly 286,470 solutions"),
        ("6670903752021072936960", "Exactly 6,670,903,752,021,072,936,960 solutions"),
    ],
)
def test_agreement_is_a_number_to_rely_on(count: int | str, title: str) -> None:
    one = job(result=result("agree", count, "2 engines of 2 families agree"))
    assert said(one) == ("agree", title)
    assert "2 engines of 2 families agree" in verdict(one).text


def test_a_unique_puzzle_is_called_well_formed() -> None:
    assert "well-formed" in verdict(job(result=result("agree", 1, "they agree"))).text
    assert "well-formed" not in verdict(job(result=result("agree", 2, "they agree"))).text


def test_a_disagreement_names_who_is_wrong_and_what_the_others_find() -> None:
    finding = {"kind": "missing", "engine": "mine", "witness": None, "because": "mine lacks one"}
    one = job(result=result("disagree", 2, "mine lacks one", findings=[finding]))
    assert said(one) == ("disagree", "mine is wrong")
    assert verdict(one).text == "mine lacks one. The others find exactly 2 solutions."


def test_what_is_undecided_is_never_a_bare_number() -> None:
    stopped = [engine("bt", "stopped", 500, "solutions"), engine("sat", "stopped", 0, "time", "cnf")]
    one = job(result=result("undecided", None, "no engine finished", engines=stopped, at_least=500))
    assert said(one) == ("undecided", "At least 500 solutions")
    assert "no engine finished" in verdict(one).text
    nothing = job(result=result("undecided", None, "no engine finished", engines=stopped, at_least=0))
    assert said(nothing) == ("undecided", "Unknown")


def test_one_engine_alone_proves_nothing() -> None:
    one = job(operation="count", result=result("undecided", 413, "alone", engines=[engine("count", "complete", 413)]))
    assert said(one) == ("plain", "Exactly 413 solutions, says count")
    stopped = [engine("bt", "stopped", 5, "time")]
    partial = job(operation="solve", result=result("undecided", None, "alone", engines=stopped, at_least=5))
    assert (said(partial), verdict(partial).text) == (("plain", "At least 5 solutions"), "bt stopped: time limit.")


def test_a_job_under_way_says_how_far_it_is() -> None:
    engines = [engine("bt", "running", 1200), engine("sat", "complete", 7), engine("gac", "waiting", None)]
    running = job("running", progress={"seconds": 1.0, "engines": engines})
    assert verdict(running).text == "1 of 3 engines have finished. At least 1,200 solutions so far."
    assert [row.claim for row in rows(running)] == ["1,200 so far", "exactly 7", ""]
    assert [round(row.bar, 4) for row in rows(running)] == [1.0, 0.0058, 0.0]
    assert said(job("running")) == ("busy", "Starting")
    assert "3 jobs come first" in verdict(job("queued", position=3)).text
    assert rows(job("queued")) == []


def test_what_has_no_answer_says_why() -> None:
    assert said(job("cancelled")) == ("plain", "Cancelled")
    failed = job("failed", reason="its process died 5 times")
    assert verdict(failed).text == "its process died 5 times"


def test_rows_say_why_an_engine_did_not_finish() -> None:
    engines = [engine("bt", "stopped", 3, "time"), engine("asp", "skipped", None, "clingo is not installed")]
    stopped, skipped = rows(job(result=result("undecided", None, "x", engines=engines)))
    assert (stopped.state, stopped.claim) == ("stopped: time limit", "at least 3")
    assert (skipped.state, skipped.nodes, skipped.seconds) == ("skipped: clingo is not installed", "", "")


def test_answers_and_trees() -> None:
    assert said(job(operation="check", result={"valid": True, "broken": []})) == ("agree", "The answer is a solution")
    broken = job(operation="check", result={"valid": False, "broken": ["box 1 holds 4 twice"]})
    assert (said(broken)[0], verdict(broken).text) == ("disagree", "1 rule is broken.")
    tree = {"verdict": "agree", "value": 3, "moves": [0], "findings": []}
    assert said(job(operation="tree", result=tree)) == ("agree", "Alpha-beta and minimax agree: 3")
    assert said(job(operation="tree", result={**tree, "answer": {}})) == ("agree", "The answer holds")
    finding = {"engine": "answer", "because": "no"}
    wrong = {**tree, "verdict": "disagree", "answer": {}, "findings": [finding]}
    assert said(job(operation="tree", result=wrong)) == ("disagree", "The answer is wrong")


def test_numbers() -> None:
    assert [grouped(n) for n in (None, 5, "12345678901234567890")] == ["\N{EN DASH}", "5", "12,345,678,901,234,567,890"]
    assert [shown_seconds(s) for s in (0.0001, 0.02, 3.14)] == ["100 µs", "20 ms", "3.1 s"]
