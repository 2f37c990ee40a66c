"""What a person is shown: all of a few, what needs attention of many, and the worst of too many."""

import pytest

from crosscount.compare.gate_result import Outcome, Result
from crosscount.compare.gate_table import MOST_GRIDS, show
from crosscount.compare.screen import Screen


def result(number: int, outcome: Outcome = Outcome.PASSED) -> Result:
    return Result("c.txt", number, f"c#{number}", "count = 1", outcome, f"because {number}", "unknown", "the grid")


def shown(capsys: pytest.CaptureFixture[str], results: list[Result], unclaimed: tuple[str, ...] = ()) -> list[str]:
    show(results, unclaimed, Screen())
    return capsys.readouterr().out.splitlines()


def test_a_few_are_all_listed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, [result(1), result(2, Outcome.UNDECIDED)])
    assert [line.split()[0] for line in lines[:3]] == ["outcome", "passed", "undecided"]
    assert "c.txt:2: because 2" in lines
    assert lines[-1] == "1 passed, 1 undecided"


def test_of_many_only_what_did_not_pass(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, [*map(result, range(50)), result(50, Outcome.FAILED)])
    assert not any(line.startswith("passed") for line in lines)
    assert lines[-1] == "50 passed, 1 failed"
    assert shown(capsys, [*map(result, range(50))]) == ["50 passed"]


def test_of_too_many_the_worst_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    undecided = [result(number, Outcome.UNDECIDED) for number in range(500)]
    lines = shown(capsys, [*undecided, result(500, Outcome.FAILED), result(501, Outcome.BAD_FILE)])
    assert lines[1].startswith("bad file")
    assert lines[2].startswith("failed")
    assert "and 402 more; --json lists all of them" in lines
    assert sum("the grid" in line for line in lines) == MOST_GRIDS


def test_puzzles_without_a_claim_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, [result(1)], tuple(f"{name}.puzzle.toml" for name in "abcde"))
    expected = "skipped 5 puzzles without a claim: a.puzzle.toml, b.puzzle.toml, c.puzzle.toml and 2 more"
    assert expected in lines
