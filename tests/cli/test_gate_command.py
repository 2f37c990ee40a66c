"""`crosscount gate` as CI runs it: exit codes, what is printed, what is written."""

import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from crosscount.compare.gate_cache import FILE

Run = Callable[..., "subprocess.CompletedProcess[str]"]

PASSES = "1.....3..2.....4:1\n"
FAILS = "................:287\n"
BAD = "................:many\n"
UNDECIDED = 'family = "sudoku"\nsize = 9\n[expect]\ncount = "6670903752021072936960"\n'
QUICK = ("--no-cache", "--engines", "fc-mrv,sat", "--time-limit", "0.5")


@pytest.fixture
def gate(crosscount: Run) -> Run:
    """The command with engines that start quickly."""
    return lambda *arguments, **changes: crosscount("gate", *QUICK, *arguments, **changes)


def put(folder: Path, **files: str) -> None:
    for name, text in files.items():
        ending = ".puzzle.toml" if text.startswith("family") else ".txt"
        (folder / f"{name}{ending}").write_text(text)


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"a": PASSES}, 0),
        ({"a": FAILS}, 1),
        ({"a": BAD}, 2),
        ({"a": UNDECIDED}, 3),
        ({"a": PASSES, "b": UNDECIDED}, 3),
        ({"a": PASSES, "b": UNDECIDED, "c": FAILS}, 1),
        ({"a": BAD, "b": UNDECIDED, "c": FAILS, "d": PASSES}, 2),
        ({}, 2),
    ],
)
def test_exit_codes(gate: Run, tmp_path: Path, files: dict[str, str], code: int) -> None:
    put(tmp_path, **files)
    ran = gate()
    assert ran.returncode == code, ran.stdout + ran.stderr
    expected = {"passed": PASSES, "failed": FAILS, "bad file": BAD, "undecided": UNDECIDED}
    if files:
        last = ran.stdout.splitlines()[-1]
        for word, text in expected.items():
            assert (f"1 {word}" in last) == (text in files.values())


def test_a_fault_of_ours_is_the_worst(gate: Run, tmp_path: Path) -> None:
    """A package in the way of ours that breaks the part that judges; the other files are still reported."""
    put(tmp_path, a=BAD, b=FAILS)
    (tmp_path / "sitecustomize.py").write_text(
        "import crosscount.compare.gate as gate\n"
        "def facts_of(comparison, claim):\n    raise ZeroDivisionError('division by zero')\n"
        "gate.facts_of = facts_of\n"
    )
    ran = gate(PYTHONPATH=str(tmp_path))
    assert ran.returncode == 4
    assert "ZeroDivisionError: division by zero" in ran.stdout
    assert ran.stdout.splitlines()[-1] == "0 passed, 1 bad file, 1 fault of ours"


def test_an_empty_selection_is_not_a_pass(gate: Run, tmp_path: Path) -> None:
    put(tmp_path, plain='family = "queens"\nsize = 4\n')
    ran = gate("--skip-unclaimed")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "nothing to check (1 claim nothing), which is not a pass" in ran.stderr
    assert gate().returncode == 2
    assert gate("nowhere").returncode == 2


def test_skipped_puzzles_are_named(gate: Run, tmp_path: Path) -> None:
    put(tmp_path, plain='family = "queens"\nsize = 4\n', good=PASSES)
    ran = gate("--skip-unclaimed")
    assert ran.returncode == 0
    assert "skipped 1 puzzle without a claim: plain.puzzle.toml" in ran.stdout


def test_the_one_wrong_claim_is_named_with_its_line_and_shown(gate: Run, tmp_path: Path) -> None:
    lines = ["# a collection", *[PASSES.strip()] * 30, "", "# here it comes", FAILS.strip(), *[PASSES.strip()] * 30]
    put(tmp_path, many="\n".join(lines))
    ran = gate()
    assert ran.returncode == 1
    assert "many.txt:34: expected exactly 287 solutions, found exactly 288 solutions" in ran.stdout
    assert "one solution" in ran.stdout
    assert "│ 1 2 │ 3 4 │" in ran.stdout
    assert ran.stdout.splitlines()[-1] == "60 passed, 1 failed"
    assert ran.stdout == gate().stdout


def test_bad_files_do_not_keep_the_others_from_being_checked(gate: Run, tmp_path: Path) -> None:
    put(
        tmp_path,
        toml='family = "queens\n',
        keys='family = "queens"\nsize = 4\ncolour = "red"\n[expect]\ncount = 2\n',
        family='family = "chess"\n',
        count='family = "queens"\nsize = 4\n[expect]\ncount = 2.5\n',
        good=PASSES,
        wrong=FAILS,
    )
    ran = gate("--json")
    assert ran.returncode == 2
    found = {result["file"]: result for result in map(json.loads, ran.stdout.splitlines())}
    assert {file: (r["outcome"], r["line"]) for file, r in found.items()} == {
        "count.puzzle.toml": ("bad file", 4),
        "family.puzzle.toml": ("bad file", 1),
        "good.txt": ("passed", 1),
        "keys.puzzle.toml": ("bad file", 3),
        "toml.puzzle.toml": ("bad file", 1),
        "wrong.txt": ("failed", 1),
    }
    assert found["count.puzzle.toml"]["because"] == "count is 2.5, expected a whole number, 0 or more"
    assert found["wrong.txt"]["count"] == 288
    assert found["wrong.txt"]["exact"] is True


def test_a_killed_run_goes_on_where_it_was(command: list[str], crosscount: Run, tmp_path: Path) -> None:
    puzzles = [f"{a}{b}{'.' * 14}:24" for a in "1234" for b in "1234" if a != b]
    # Every line another puzzle, so that each has an answer of its own.
    lines = [line[:k] + "." + line[k + 1 :] for line in puzzles for k in (0, 1)] + ["." * 16 + ":288"]
    rotated = [line[:16][k:] + line[:16][:k] + ":" + line[17:] for line in lines for k in range(16)]
    put(tmp_path, many="\n".join(dict.fromkeys(rotated)))
    arguments = ["gate", "--cache", "cache", "--engines", "fc-mrv,sat", "--jobs", "1"]
    process = subprocess.Popen([*command, *arguments], cwd=tmp_path, stdout=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while (kept := answers(tmp_path / "cache" / FILE)) == 0 and process.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert kept > 0
    again = [json.loads(line) for line in crosscount(*arguments, "--json").stdout.splitlines()]
    assert sum(result["cached"] for result in again) >= kept
    assert {result["outcome"] for result in again} <= {"passed", "failed"}


def answers(path: Path) -> int:
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path, timeout=10)) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM answers").fetchone()[0])
        except sqlite3.OperationalError:
            return 0  # it is just being made


def test_the_cache_is_used_and_can_be_left_alone(crosscount: Run, tmp_path: Path) -> None:
    put(tmp_path, a=PASSES + FAILS)
    where = ("--cache", "cache", "--engines", "fc-mrv,sat")
    assert "from the cache" not in crosscount("gate", *where).stdout
    second = crosscount("gate", *where)
    assert second.returncode == 1
    assert second.stdout.splitlines()[-1] == "1 passed, 1 failed (2 from the cache)"
    assert "from the cache" not in crosscount("gate", *where, "--no-cache").stdout
    assert "from the cache" not in crosscount("gate", *where, "--time-limit", "59").stdout
    by_name = crosscount("gate", "--engines", "fc-mrv,sat", CROSSCOUNT_CACHE="cache")
    assert "(2 from the cache)" in by_name.stdout


def test_a_cache_that_cannot_be_used_is_said_to_be(crosscount: Run, tmp_path: Path) -> None:
    put(tmp_path, a=PASSES)
    ran = crosscount("gate", "--engines", "fc-mrv,sat", "--cache", "a.txt/below")
    assert ran.returncode == 0
    assert ran.stderr.startswith("crosscount: the cache is not used: ")


def test_a_program_of_ones_own_is_put_through_the_collection(gate: Run, tmp_path: Path) -> None:
    put(tmp_path, a="123434122143432.:1\n")
    for name, last, code in (("right", 1, 0), ("wrong", 2, 1)):
        (tmp_path / f"{name}.sh").write_text(f"echo 123434122143432{last}\n")
        ran = gate("--engine-cmd", f"mine=sh {name}.sh {{puzzle}}")
        assert ran.returncode == code, ran.stdout
        assert ("the engines disagree: mine reports a grid that is not a solution" in ran.stdout) == (code == 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--engines", "fc-mrv,bt"), "--engines: only the family native, expected engines of two families"),
        (("--engines", ","), "--engines: no engine"),
        (("--engines", "fcmrv,sat"), "did you mean fc-mrv?"),
        (("--junit", "nowhere/x.xml"), "--junit: the folder nowhere cannot be written to"),
        (("--junit", "."), "--junit: . is a folder, expected the name of a file"),
        (("--engine-cmd", "sat=cat {puzzle}"), "there is an engine of this name"),
        (("--jobs", "0"), "--jobs"),
    ],
)
def test_wrong_usage_is_one_line_and_code_2(crosscount: Run, arguments: tuple[str, ...], message: str) -> None:
    ran = crosscount("gate", *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert message in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_reports_for_machines(gate: Run, tmp_path: Path) -> None:
    put(tmp_path, a=PASSES + FAILS)
    summary = tmp_path / "summary.md"
    ran = gate(
        "--junit", "x.xml", "--github", "--json", GITHUB_STEP_SUMMARY=str(summary), GITHUB_WORKSPACE=str(tmp_path)
    )
    assert ran.returncode == 1
    assert [json.loads(line)["outcome"] for line in ran.stdout.splitlines()] == ["passed", "failed"]
    assert ran.stderr.startswith("::error file=a.txt,line=2,title=failed%3A a#2::expected exactly 287 solutions")
    assert "1 passed, 1 failed" in summary.read_text()
    assert "<failure" in (tmp_path / "x.xml").read_text()
    plain = gate("--github")
    assert "\n::error file=a.txt,line=2," in plain.stdout
