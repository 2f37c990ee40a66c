"""Answers are found again exactly where nothing that matters has changed."""

import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from crosscount.compare import gate_cache
from crosscount.compare.engines import find
from crosscount.compare.gate import Settings, check
from crosscount.compare.gate_cache import Cache, puzzle_key
from crosscount.compare.gate_claim import Claim
from crosscount.compare.gate_read import Subject, load
from crosscount.compare.gate_result import Facts, Outcome, Result
from crosscount.puzzles.constraints import AllDifferent, Linear
from crosscount.puzzles.engine import Limits
from crosscount.puzzles.families import Queens
from crosscount.puzzles.puzzle import Drawing, Puzzle

ENGINES = (find("fc-mrv"), find("sat"))
LIMITS = Limits(seconds=20)
PUZZLE = Puzzle("p", ((1, 2), (1, 2), (1, 2)), (AllDifferent((0, 1)), Linear((1, 2), (1, 1), "<=", 3)))


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """What is loaded here, every worker inherits; otherwise each would load it again."""
    for engine in ENGINES:
        list(engine.search(PUZZLE, Limits()))


def claims(folder: Path) -> list[Subject]:
    path = folder / "c.txt"
    path.write_text("1.....3..2.....4:1\n................:288\n................:287\n")
    return [item for item in load(str(path)) if not isinstance(item, Result)]


def run(folder: Path, **changes: object) -> list[Result]:
    settings = Settings(ENGINES, LIMITS, cache=Cache(folder / "cache"))
    return check(claims(folder), replace(settings, **changes))  # type: ignore[arg-type]


def test_a_second_run_takes_everything_from_the_cache_and_says_the_same(tmp_path: Path) -> None:
    first, second = run(tmp_path), run(tmp_path)
    assert [result.cached for result in first] == [False] * 3
    assert [result.cached for result in second] == [True] * 3
    assert [replace(r, seconds=0.0, cached=True) for r in first] == [replace(r, seconds=0.0) for r in second]


def test_changed_limits_engines_or_versions_are_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path)
    assert not any(result.cached for result in run(tmp_path, limits=Limits(seconds=21)))
    assert not any(result.cached for result in run(tmp_path, limits=Limits(seconds=20, memory=1 << 30)))
    assert not any(result.cached for result in run(tmp_path, engines=(find("gac"), find("sat"))))
    monkeypatch.setattr(gate_cache, "versions", lambda: "python-sat 99")
    assert not any(result.cached for result in run(tmp_path))


def test_versions_name_the_libraries_and_change_with_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = gate_cache.versions()
    for library in ("numpy", "numba", "python-sat", "ortools"):
        assert library in before
    for folder in gate_cache.COMPUTES:
        (tmp_path / folder).mkdir()
    (tmp_path / "native" / "gac.py").write_text("wrong = True")
    monkeypatch.setattr("crosscount.__file__", str(tmp_path / "__init__.py"))
    gate_cache.versions.cache_clear()
    assert gate_cache.versions() != before
    gate_cache.versions.cache_clear()


def test_names_labels_drawings_and_order_do_not_matter() -> None:
    key = puzzle_key(PUZZLE, Claim(2), ENGINES, LIMITS)
    same = Puzzle(
        "other",
        PUZZLE.domains,
        (Linear((1, 2), (1, 1), "<=", 3, "the sum"), AllDifferent((1, 0), "row 1"), AllDifferent((0, 1))),
        Drawing(("a", "b", "c")),
    )
    assert puzzle_key(same, Claim(2), ENGINES, LIMITS) == key
    assert puzzle_key(PUZZLE, Claim(2), ENGINES[::-1], LIMITS) == key


def test_whatever_changes_the_answer_changes_the_key() -> None:
    first, second = PUZZLE.constraints
    assert isinstance(second, Linear)
    puzzles = [
        PUZZLE,
        replace(PUZZLE, domains=((1, 2), (1, 2), (1, 2, 3))),
        replace(PUZZLE, constraints=(first,)),
        replace(PUZZLE, constraints=(first, replace(second, value=4))),
        replace(PUZZLE, constraints=(first, replace(second, relation="<"))),
        replace(PUZZLE, constraints=(first, replace(second, scope=(2, 0)))),
        Queens(4).puzzle("q"),
    ]
    asked = [Claim(2), Claim(3), Claim(at_least=2), Claim(several_or_none=True), Claim(2, solutions=((1, 2, 1),))]
    keys = [puzzle_key(puzzle, claim, ENGINES, LIMITS) for puzzle in puzzles for claim in asked]
    assert len(set(keys)) == len(puzzles) * len(asked)


def test_undecided_is_not_an_answer(tmp_path: Path) -> None:
    alone = (find("fc-mrv"), find("bt"))
    assert {result.outcome for result in run(tmp_path, engines=alone)} == {Outcome.UNDECIDED, Outcome.FAILED}
    again = run(tmp_path, engines=alone)
    assert all(result.cached == (result.outcome is Outcome.FAILED) for result in again)


def test_a_program_of_somebody_else_is_asked_every_time(tmp_path: Path) -> None:
    external = replace(find("bt"), name="mine", family="external")
    for _ in range(2):
        assert not any(result.cached for result in run(tmp_path, engines=(*ENGINES, external)))


def test_two_runs_may_share_a_cache(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("\n".join(["................:288", "1.....3..2.....4:1"] * 10))
    command = [sys.executable, "-m", "crosscount", "gate", "c.txt", "--cache", "cache", "--engines", "fc-mrv,sat"]
    both = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    for process in both:
        out, err = process.communicate()
        assert (process.returncode, err) == (0, b"")
        assert b"20 passed" in out


@pytest.mark.parametrize("content", [b"this is not a database, but it is long enough to look at" * 50, b""])
def test_a_broken_cache_does_not_matter(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / gate_cache.FILE).write_bytes(content)
    cache = Cache(tmp_path / "cache")
    results = run(tmp_path, cache=cache)
    assert [str(result.outcome) for result in results] == ["passed", "passed", "failed"]
    assert bool(cache.trouble) == bool(content)


def test_a_folder_that_cannot_be_made_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "cache")
    assert len(run(tmp_path, cache=cache)) == 3
    assert "file" in cache.trouble


def test_a_row_that_makes_no_sense_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.add("good", Facts(3, 3, "because"))
    cache.flush()
    with sqlite3.connect(cache.path) as connection:
        connection.execute("INSERT INTO answers VALUES ('half', '{\"count\": 3'), ('other', '[]')")
    connection.close()
    assert list(Cache(tmp_path).find(["good", "half", "other", "none"])) == ["good"]


def test_counts_of_any_size_come_back(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    facts = Facts(10**40, 10**40, "because", examples=((1, -2),), unlisted=(3, 4))
    cache.add("key", facts)
    cache.flush()
    assert Cache(tmp_path).find(["key"]) == {"key": facts}
