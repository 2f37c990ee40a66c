"""Engines broken on purpose: the comparison must catch every one, blame the right one, and show a right witness."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from crosscount.compare.comparison import Comparing
from crosscount.compare.conformance import by_definition
from crosscount.compare.runs import Comparison, Kind, Verdict
from crosscount.native import ENGINES
from crosscount.puzzles.engine import Batch, Engine, Limits
from crosscount.puzzles.families import Queens
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.read import read_one

HONEST = ENGINES["fc-mrv"]
QUEENS_6 = Queens(6).puzzle("queens-6")
COURSE_4 = read_one("@course-4").puzzle
LIMITS = Limits(seconds=60, memory=1 << 30)

Rows = NDArray[Any]
Lie = Callable[[Rows, int], Rows]
"""From a batch, and how many solutions came before it, to what the liar says instead."""


def liar(lie: Lie) -> Engine:
    def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        before = 0
        for batch in HONEST.search(puzzle, limits):
            yield replace(batch, solutions=lie(batch.solutions.copy(), before))
            before += len(batch.solutions)

    return replace(HONEST, name=f"liar {lie.__name__}", family="liar", search=search)


def in_batch(solutions: Rows, before: int, number: int) -> bool:
    return before <= number < before + len(solutions)


def at(puzzle: Puzzle) -> int:
    """Which solution the liars lie about: one in the middle of many."""
    return 2 if puzzle is QUEENS_6 else 200_000


def lies(number: int) -> dict[str, tuple[Lie, Kind]]:
    def drops_one(s: Rows, before: int) -> Rows:
        return np.delete(s, number - before, axis=0) if in_batch(s, before, number) else s

    def repeats_one(s: Rows, before: int) -> Rows:
        return np.insert(s, number - before, s[number - before], axis=0) if in_batch(s, before, number) else s

    def changes_one_cell(s: Rows, before: int) -> Rows:
        if in_batch(s, before, number):
            s[number - before, 3] = s[number - before, 3] % 6 + 1
        return s

    def swaps_two_cells(s: Rows, before: int) -> Rows:
        if in_batch(s, before, number):
            s[number - before, [0, 1]] = s[number - before, [1, 0]]
        return s

    def adds_an_extra(s: Rows, before: int) -> Rows:
        if in_batch(s, before, number):
            return np.concatenate([s, np.ones((1, s.shape[1]), s.dtype)])
        return s

    def leaves_the_domain(s: Rows, before: int) -> Rows:
        if in_batch(s, before, number):
            s = s.astype(np.int64)
            s[number - before, 1] = 10**15
        return s

    def says_complete_too_early(s: Rows, before: int) -> Rows:
        return s[: max(0, number - before)]

    def replaces_one_by_another(s: Rows, before: int) -> Rows:
        if in_batch(s, before, number):
            s[number - before] = s[number - before - 1] if number > before else s[number - before + 1]
        return s

    kinds: list[tuple[Lie, Kind]] = [
        (drops_one, "missing"),
        (repeats_one, "duplicate"),
        (changes_one_cell, "invalid"),
        (swaps_two_cells, "invalid"),
        (adds_an_extra, "invalid"),
        (leaves_the_domain, "invalid"),
        (says_complete_too_early, "missing"),
        (replaces_one_by_another, "missing"),
    ]
    return {lie.__name__: (lie, kind) for lie, kind in kinds}


def compare(puzzle: Puzzle, engines: list[Engine], keep: int = 64 << 20, limits: Limits = LIMITS) -> Comparison:
    with Comparing(engines, jobs=2, keep=keep) as comparing:
        return comparing.compare(puzzle, engines, limits)


EVERYTHING, LITTLE = 64 << 20, 20
"""Bytes of solutions to keep: all of them, or fewer than one needs."""


@pytest.mark.parametrize("keep", [EVERYTHING, LITTLE], ids=["kept", "too large to keep"])
@pytest.mark.parametrize("lie", lies(0))
def test_a_liar_is_caught_with_the_right_blame_and_witness(lie: str, keep: int) -> None:
    expect_caught(lie, QUEENS_6, keep)


@pytest.mark.parametrize(("lie", "keep"), [("drops_one", EVERYTHING), ("replaces_one_by_another", LITTLE)])
def test_one_lie_in_286470_is_caught(lie: str, keep: int) -> None:
    """The smallest lies, of which one leaves the count right."""
    expect_caught(lie, COURSE_4, keep)


def expect_caught(lie: str, puzzle: Puzzle, keep: int) -> None:
    tells, kind = lies(at(puzzle))[lie]
    wrong = liar(tells)
    result = compare(puzzle, [HONEST, wrong, ENGINES["gac"]], keep)
    assert result.verdict is Verdict.DISAGREE
    assert {finding.engine for finding in result.findings} == {wrong.name}
    finding = next(finding for finding in result.findings if finding.kind == kind)
    assert finding.witness is not None
    # An invalid witness is no solution; a missing or repeated one is.
    assert bool(puzzle.violated(finding.witness)) == (kind == "invalid")
    assert result.count == {"queens-6": 4, "course-4": 286470}[puzzle.name]


def misbehaving(name: str, search: Callable[[Puzzle, Limits], Iterator[Batch]]) -> Engine:
    return Engine(name, "liar", "misbehaves", "-", search)


def first_batch() -> Batch:
    """All four solutions at once."""
    return Batch(np.array(sorted(by_definition(QUEENS_6)), np.int8), 1, 0.0)


def crashes_half_way(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    yield replace(first_batch(), solutions=first_batch().solutions[:2])
    raise RuntimeError("the dog ate it")


def dies(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    yield first_batch()
    os.kill(os.getpid(), signal.SIGKILL)


def leaves(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    yield first_batch()
    os._exit(0)


def eats_memory(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    yield first_batch()
    hoard = []
    while True:
        hoard.append(np.ones(1 << 20))
        time.sleep(0.002)


def returns_words(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    yield Batch(np.array([["a"] * 6]), None, 0.0)


def returns_short_rows(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    yield replace(first_batch(), solutions=first_batch().solutions[:, :5])


def returns_no_batch(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    yield "six queens"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("search", "reason"),
    [
        (crashes_half_way, "RuntimeError: the dog ate it"),
        (dies, "killed by SIGKILL"),
        (leaves, "it ended without a word"),
        (eats_memory, "used more than 700 MB of memory"),
        (returns_words, "returned what is not a batch of solutions"),
        (returns_short_rows, "expected 6 values a solution"),
        (returns_no_batch, "AttributeError"),
    ],
    ids=lambda x: x.__name__ if callable(x) else "",
)
def test_one_that_breaks_down_is_a_failed_run_and_a_finding(
    search: Callable[[Puzzle, Limits], Iterator[Batch]], reason: str
) -> None:
    broken = misbehaving("broken", search)
    result = compare(QUEENS_6, [HONEST, broken, ENGINES["bt"]], limits=Limits(seconds=60, memory=700 << 20))
    assert result.verdict is Verdict.DISAGREE
    assert [(finding.kind, finding.engine) for finding in result.findings] == [("crashed", "broken")]
    run = next(run for run in result.runs if run.engine == "broken")
    assert run.status == "failed"
    assert reason in run.reason
    assert all(run.status == "complete" for run in result.runs if run.engine != "broken")


def test_one_that_hangs_is_stopped_and_decides_nothing() -> None:
    def hangs(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        yield first_batch()
        while True:
            time.sleep(10)

    result = compare(QUEENS_6, [HONEST, misbehaving("hangs", hangs)], limits=Limits(seconds=0.3))
    run = result.runs[1]
    assert (run.status, run.reason, run.count) == ("stopped", "time", 4)
    assert result.verdict is Verdict.UNDECIDED


def test_what_a_crashed_engine_found_before_still_counts_against_others() -> None:
    drops, _ = lies(0)["drops_one"]
    result = compare(QUEENS_6, [liar(drops), misbehaving("crashes", crashes_half_way)])
    assert {(f.kind, f.engine) for f in result.findings} == {("crashed", "crashes"), ("missing", "liar drops_one")}


def test_a_changing_engine_is_named_where_the_difference_cannot_be_shown() -> None:
    calls = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"crosscount-calls-{os.getpid()}")

    def lies_once(s: Rows, before: int) -> Rows:
        if before or os.path.exists(calls):
            return s
        open(calls, "w").close()
        return s[1:]

    try:
        result = compare(QUEENS_6, [HONEST, liar(lies_once)], keep=1)
    finally:
        os.unlink(calls)
    assert result.verdict is Verdict.DISAGREE
    assert "does not repeat itself" in result.findings[0].because


def test_a_wrong_count_without_a_list_is_a_finding() -> None:
    def says(number: int) -> Engine:
        def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
            yield Batch(np.empty((0, 6), np.int8), 1, 0.0, number)

        return Engine(f"says {number}", "liar", "counts", "-", search, counts_only=True)

    for number in (3, 5, 0):
        result = compare(QUEENS_6, [HONEST, says(number)])
        assert [(f.kind, f.engine) for f in result.findings] == [("count", f"says {number}")]
    assert compare(QUEENS_6, [HONEST, says(4)]).verdict is Verdict.AGREE
    result = compare(QUEENS_6, [says(4), says(5)])
    assert {f.engine for f in result.findings} == {"says 4", "says 5"}
