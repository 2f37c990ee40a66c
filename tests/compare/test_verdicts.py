"""When is it agree? A run that stopped is never mistaken for one that finished."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from crosscount.compare.comparison import Comparing, compare
from crosscount.compare.engines import engines, find, usual
from crosscount.compare.memory import holds_more, resident
from crosscount.compare.runs import Verdict
from crosscount.compare.worker import Worker
from crosscount.native import ENGINES
from crosscount.puzzles.engine import Batch, Engine, Limits, Unavailable
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.families import Queens, Sudoku
from crosscount.puzzles.puzzle import Puzzle

QUEENS = Queens(6).puzzle("queens-6")
FC, BT = ENGINES["fc-mrv"], ENGINES["bt"]
OTHER = replace(ENGINES["gac"], name="other", family="other")


def test_two_families_that_found_the_same_set_agree() -> None:
    result = compare(QUEENS, [FC, OTHER])
    assert (result.verdict, result.count, result.exact, result.at_least) == (Verdict.AGREE, 4, True, 4)
    assert result.because == "2 engines of 2 families agree"


def test_one_family_alone_is_undecided() -> None:
    result = compare(QUEENS, [FC, BT])
    assert result.verdict is Verdict.UNDECIDED
    assert "two families are needed" in result.because
    assert (result.count, result.exact) == (4, True)


@pytest.mark.parametrize("limit", [1, 3, 4])
def test_stopped_runs_never_agree_not_even_at_the_right_number(limit: int) -> None:
    result = compare(QUEENS, [FC, OTHER], Limits(solutions=limit))
    assert result.verdict is Verdict.UNDECIDED
    assert (result.count, result.exact) == (None, False)
    assert result.at_least >= limit
    assert {run.status for run in result.runs} == {"stopped"}


def test_a_complete_and_a_stopped_run_do_not_agree() -> None:
    result = compare(Sudoku.blank(4).puzzle("blank"), [FC, replace(OTHER, search=_stops)])
    assert result.verdict is Verdict.UNDECIDED


def _stops(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    return ENGINES["gac"].search(puzzle, replace(limits, solutions=288))


def test_skipped_engines_are_named_and_not_counted() -> None:
    def unavailable(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        raise Unavailable("pip install 'crosscount[asp]'")

    result = compare(QUEENS, [FC, Engine("asp", "asp", "", "", unavailable)])
    assert result.verdict is Verdict.UNDECIDED
    assert [(run.engine, run.status, run.reason) for run in result.runs][1] == (
        "asp",
        "skipped",
        "pip install 'crosscount[asp]'",
    )


def test_no_solutions_is_a_count_like_any_other() -> None:
    result = compare(Queens(3).puzzle("queens-3"), [FC, OTHER])
    assert (result.verdict, result.count, result.exact) == (Verdict.AGREE, 0, True)


def test_large_sets_agree_by_count_and_digest() -> None:
    puzzle = Sudoku.blank(4).puzzle("blank")
    with Comparing([FC, OTHER], keep=1000) as comparing:
        result = comparing.compare(puzzle, [FC, OTHER])
    assert (result.verdict, result.count) == (Verdict.AGREE, 288)
    assert all(run.solutions is None for run in result.runs)
    assert len({run.digest for run in result.runs}) == 1


def test_workers_are_used_again_and_replaced_when_killed() -> None:
    def dies(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        os.kill(os.getpid(), signal.SIGKILL)
        return iter(())

    broken = Engine("broken", "broken", "", "", dies)
    with Comparing([FC, OTHER, broken], jobs=1) as comparing:
        assert comparing.compare(QUEENS, [FC, OTHER]).verdict is Verdict.AGREE
        first = comparing.workers[0].process.pid
        assert comparing.compare(QUEENS, [FC, OTHER]).verdict is Verdict.AGREE
        assert comparing.workers[0].process.pid == first
        assert comparing.compare(QUEENS, [FC, broken, OTHER]).verdict is Verdict.DISAGREE
        assert comparing.workers[0].process.pid != first
        assert comparing.compare(QUEENS, [FC, OTHER]).verdict is Verdict.AGREE


def test_nothing_is_left_behind() -> None:
    with Comparing([FC, OTHER], jobs=2) as comparing:
        comparing.compare(QUEENS, [FC, OTHER])
        pids = [worker.process.pid for worker in comparing.workers]
        assert pids
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_the_memory_of_a_process_can_be_told() -> None:
    worker = Worker([FC], [])
    try:
        assert resident(worker.process.pid) > 1 << 20
    finally:
        worker.kill()
    assert resident(worker.process.pid) == 0


def test_an_engine_is_not_blamed_for_the_memory_of_whoever_asks() -> None:
    ours = np.ones(64 << 20, dtype=np.uint8)
    worker = Worker([FC], [])
    try:
        assert resident(worker.process.pid) > len(ours)
        assert not holds_more(worker.process.pid, len(ours))
    finally:
        worker.kill()


def test_memory_that_an_engine_inherited_is_its_own_once_it_writes_there() -> None:
    ours = np.ones(64 << 20, dtype=np.uint8)

    def writes(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        ours[:] = 2
        while True:
            time.sleep(1)
            yield from ()

    guilty = replace(OTHER, name="guilty", search=writes)
    run = compare(QUEENS, [guilty], limits=Limits(seconds=60, memory=len(ours))).runs[0]
    assert (run.status, run.reason) == ("failed", "used more than 64 MB of memory")


def test_engines_are_found_in_any_spelling() -> None:
    assert find("FC_MRV") is find("fc-mrv") is find(" Fc-Mrv ")
    with pytest.raises(InputError, match="did you mean fc-mrv"):
        find("fcmrv")


def test_generate_and_test_joins_only_where_it_can_finish() -> None:
    assert "gt" in [engine.name for engine in usual(QUEENS)]
    assert "gt" not in [engine.name for engine in usual(Sudoku.blank(9).puzzle("blank"))]
    assert set(engines()) >= {"gt", "singles", "bf", "bt", "fc-mrv", "gac"}


def test_nothing_outlives_a_parent_that_is_killed(tmp_path: Path) -> None:
    """Not even the program of an external engine that hangs."""
    started = tmp_path / "pid"
    program = f"import os, time; open({str(started)!r}, 'w').write(str(os.getpid())); time.sleep(1000)"
    (tmp_path / "hangs.py").write_text(program)
    command = f"mine={sys.executable} {tmp_path / 'hangs.py'} {{puzzle}}"
    parent = subprocess.Popen(
        [sys.executable, "-m", "crosscount", "compare", "@four-1", "--engines", "bt", "--engine-cmd", command],
        stdout=subprocess.DEVNULL,
    )
    pid = _wait_for(lambda: started.read_text() if started.exists() else "")
    parent.kill()
    parent.wait()
    _wait_for(lambda: "gone" if not Path(f"/proc/{pid}").exists() else "")


def _wait_for(ask: Callable[[], str]) -> str:
    for _ in range(600):
        if answer := ask():
            return answer
        time.sleep(0.05)
    raise AssertionError("it never came")
