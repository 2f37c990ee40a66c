"""Every wrong program is caught, with evidence and a small puzzle; every right one gets all points."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from crosscount.compare.screen import Screen
from crosscount.homework.report_table import show
from crosscount.homework.results import CaseResult, SubmissionResult, Verdict
from crosscount.homework.sandbox import Sandbox, Staged, unsafe
from tests.conftest import Show
from tests.homework.classroom import ALL_SOLUTIONS, ONE_SOLUTION, TREES, graded, runnable
from tests.homework.right_programs import RIGHT_ALL, RIGHT_ONE
from tests.homework.sudoku_programs import Program
from tests.homework.tree_programs import RIGHT_TREE, WRONG_TREE
from tests.homework.wrong_programs import WRONG_ALL, WRONG_ONE

WRONG = [*WRONG_ONE, *WRONG_ALL, *WRONG_TREE]
RIGHT = [*RIGHT_ONE, *RIGHT_ALL, *RIGHT_TREE]
CLASSES = {"one": (ONE_SOLUTION, WRONG_ONE, RIGHT_ONE), "all": (ALL_SOLUTIONS, WRONG_ALL, RIGHT_ALL)}
CLASSES["tree"] = (TREES, WRONG_TREE, RIGHT_TREE)

Class = dict[str, SubmissionResult]


def grade_everybody(folder: Path, sandbox: Sandbox, shrink: float) -> Class:
    found: Class = {}
    for name, (text, wrong, right) in CLASSES.items():
        found |= graded(folder / name, runnable([*wrong, *right]), text, sandbox, shrink)
    return found


@pytest.fixture(scope="module")
def shrunk(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """All of them, with small puzzles, without a sandbox."""
    return grade_everybody(tmp_path_factory.mktemp("open"), unsafe(), 30.0)


@pytest.fixture(scope="module")
def locked_up(tmp_path_factory: pytest.TempPathFactory, strong: Staged) -> Class:
    """All of them in bubblewrap; small puzzles are made in the same way there, so once is enough."""
    return grade_everybody(tmp_path_factory.mktemp("closed"), strong, 0.0)


@pytest.fixture(params=["shrunk", pytest.param("locked_up", marks=pytest.mark.sandbox)])
def results(request: pytest.FixtureRequest) -> Class:
    found: Class = request.getfixturevalue(request.param)
    return found


def test_the_table(shrunk: Class, capsys: pytest.CaptureFixture[str], show_at_end: Show) -> None:
    show(list(shrunk.values()), Screen())
    table = capsys.readouterr().out
    assert all(name in table for name in shrunk)
    show_at_end(table)


def lost(result: SubmissionResult) -> list[CaseResult]:
    return [case for case in result.cases if case.verdict is not Verdict.PASSED]


def test_there_are_enough_of_both() -> None:
    assert len({program.text for program in WRONG}) >= 20
    assert len({program.text for program in RIGHT}) >= 8


@pytest.mark.parametrize("program", RIGHT, ids=lambda program: program.name)
def test_a_right_program_gets_all_points(results: Class, program: Program) -> None:
    result = results.get(program.name)
    if result is None:
        pytest.skip("needs perl")
    assert [(case.case, case.verdict, case.evidence) for case in lost(result)] == []
    assert result.points == result.most
    assert all(case.read for case in result.cases), "what was read is shown also where it is right"


@pytest.mark.parametrize("program", WRONG, ids=lambda program: program.name)
def test_a_wrong_program_loses_points_with_evidence(results: Class, program: Program) -> None:
    result = results[program.name]
    failed = lost(result)
    assert result.points < result.most
    assert {str(case.verdict) for case in failed} == {program.verdict}
    assert all(case.evidence for case in failed)
    assert any(program.evidence in line for case in failed for line in case.evidence), failed[0].evidence


@pytest.mark.parametrize("program", WRONG, ids=lambda program: program.name)
def test_a_wrong_program_is_shown_a_puzzle_no_larger_than_needed(shrunk: Class, program: Program) -> None:
    small = [case.small for case in shrunk[program.name].cases if case.small is not None]
    assert small
    assert small[0].is_minimal
    assert str(small[0].verdict) == program.verdict
    assert small[0].size == program.small
    assert small[0].evidence


@pytest.mark.parametrize("name", ["box-index", "prints-the-puzzle", "rows-only", "no-pruning"])
def test_the_command_shows_the_same_again(shrunk: Class, tmp_path: Path, name: str) -> None:
    [small, *_] = [case.small for case in shrunk[name].cases if case.small is not None]
    program = next(program for program in WRONG if program.name == name)
    (tmp_path / f"{name}.py").write_text(program.text)
    command = small.command.replace("python3", shlex.quote(sys.executable))
    ran = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    wrote = "\n".join([ran.stdout, *(file.read_text() for file in sorted(tmp_path.glob("solution*")))])
    if small.boards:
        answer = next((board for board in small.boards if board.title == "the answer"), None)
        rows = [] if answer is None else [answer.values[k : k + answer.columns] for k in range(0, 16, answer.columns)]
        assert "\n".join(" ".join(value or "0" for value in row) for row in rows) in wrote or "No solution" in wrote
    else:
        assert small.actual in wrote
