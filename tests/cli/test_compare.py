"""`crosscount compare` from the outside: the table, the sentence, JSON, exit codes, Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crosscount.compare import as_json, words
from crosscount.compare.runs import Comparison, Finding, Run, Verdict
from crosscount.puzzles.puzzle import Puzzle

Crosscount = Callable[..., "subprocess.CompletedProcess[str]"]

FIELDS = {"puzzle", "verdict", "because", "count", "exact", "at_least", "engines", "findings"}
ENGINE_FIELDS = {"name", "family", "status", "reason", "count", "digest", "nodes", "seconds", "search_seconds"}
NOTHING = Puzzle("nothing", (), ())


def table(text: str) -> dict[str, list[str]]:
    """The words of each row, by engine."""
    return {row[0]: row for row in map(str.split, text.splitlines()) if len(row) > 3}


def test_engines_of_two_families_agree(crosscount: Crosscount) -> None:
    ran = crosscount("compare", "@course-1", "--engines", "BT,fc_mrv,sat")
    assert ran.returncode == 0
    assert ran.stderr == ""
    lines = ran.stdout.splitlines()
    assert lines[0].strip() == "course-1"
    assert lines[1].split() == ["engine", "family", "status", "solutions", "nodes", "search", "s", "total", "s"]
    rows = table(ran.stdout)
    assert rows["bt"][:6] == ["bt", "native", "complete", "exactly", "2", "246"]
    assert rows["fc-mrv"][:6] == ["fc-mrv", "native", "complete", "exactly", "2", "45"]
    assert rows["sat"][:5] == ["sat", "cnf", "complete", "exactly", "2"]
    assert "\nexactly 2 solutions: 3 engines of 2 families agree\n" in ran.stdout


def test_the_usual_engines_all_agree(crosscount: Crosscount) -> None:
    ran = crosscount("compare", "@queens-6", "--json")
    found = json.loads(ran.stdout)
    assert ran.returncode == 0
    assert set(found) == FIELDS
    assert (found["puzzle"], found["verdict"], found["count"], found["exact"]) == ("queens-6", "agree", 4, True)
    assert (found["at_least"], found["findings"]) == (4, [])
    names = [engine["name"] for engine in found["engines"]]
    assert names[:5] == ["gt", "bf", "bt", "fc-mrv", "gac"], "gt joins where there are few combinations"
    assert {"sat", "cpsat"} <= set(names)
    assert not {"singles", "ganak"} & set(names), "these join only when asked for"
    for engine in found["engines"]:
        assert set(engine) == ENGINE_FIELDS
        assert engine["status"] == "complete" or (engine["name"], engine["status"]) == ("asp", "skipped")
    digests = {engine["digest"] for engine in found["engines"] if engine["digest"] is not None}
    assert len(digests) == 1


def test_an_engine_named_twice_runs_once(crosscount: Crosscount) -> None:
    found = json.loads(crosscount("compare", "@course-1", "--engines", "bt,sat,BT", "--json").stdout)
    assert [engine["name"] for engine in found["engines"]] == ["bt", "sat"]


def test_two_engines_of_one_family_are_not_enough(crosscount: Crosscount) -> None:
    ran = crosscount("compare", "@course-1", "--engines", "bt,fc-mrv")
    assert ran.returncode == 3
    sentence = "at least 2 solutions (undecided: only bt and fc-mrv of the family native finished; two families are"
    assert sentence in ran.stdout


@pytest.mark.parametrize("limit", [1, 6, 7])
def test_a_limit_on_solutions_never_agrees_below_and_at_the_number(crosscount: Crosscount, limit: int) -> None:
    ran = crosscount("compare", "@four-6", "--engines", "bt,sat", "--max-solutions", str(limit), "--json")
    found = json.loads(ran.stdout)
    if limit <= 6:
        assert (ran.returncode, found["verdict"], found["count"], found["exact"]) == (3, "undecided", None, False)
        assert found["at_least"] >= limit
        assert {(engine["status"], engine["reason"]) for engine in found["engines"]} == {("stopped", "solutions")}
    else:
        assert (ran.returncode, found["verdict"], found["count"]) == (0, "agree", 6)


def test_a_time_limit_leaves_it_undecided(crosscount: Crosscount) -> None:
    ran = crosscount("compare", "@course-5", "--engines", "bt,sat", "--time-limit", "0.1")
    assert ran.returncode == 3
    assert "stopped: time limit" in ran.stdout
    assert "undecided: no engine finished: bt stopped (time), sat stopped (time)" in ran.stdout


def test_a_puzzle_without_solutions_has_exactly_0(crosscount: Crosscount) -> None:
    ran = crosscount("compare", "11..............", "--engines", "fc-mrv,sat")
    assert ran.returncode == 0
    assert "\nexactly 0 solutions: 2 engines of 2 families agree\n" in ran.stdout


def test_a_few_puzzles_get_a_table_each_and_the_worst_verdict_counts(crosscount: Crosscount) -> None:
    ran = crosscount("compare", "@four-1", "@course-4", "@four-2", "--engines", "bt,sat", "--max-solutions", "50")
    assert ran.returncode == 3
    assert [line for line in ran.stdout.splitlines() if "solution" in line and ":" in line and "stop" not in line] == [
        "exactly 1 solution: 2 engines of 2 families agree",
        "exactly 1 solution: 2 engines of 2 families agree",
    ]


def test_many_puzzles_get_a_line_each(crosscount: Crosscount, tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("1.3.............\n" * 29 + "11..............\n")
    ran = crosscount("compare", "many.txt", "--engines", "bt,sat")
    assert ran.returncode == 0
    assert ran.stdout.splitlines() == [
        *(f"many#{n}: exactly 24 solutions: 2 engines of 2 families agree" for n in range(1, 30)),
        "many#30: exactly 0 solutions: 2 engines of 2 families agree",
    ]
    ran = crosscount("compare", "many.txt", "--engines", "bt,sat", "--json")
    assert [json.loads(line)["count"] for line in ran.stdout.splitlines()] == [24] * 29 + [0]


def test_two_runs_print_the_same_apart_from_times(crosscount: Crosscount) -> None:
    def once() -> list[list[str]]:
        ran = crosscount("compare", "@course-2", "--engines", "bf,gac,sat", "--jobs", "2")
        return [[word for word in line.split() if "." not in word] for line in ran.stdout.splitlines()]

    assert once() == once()


def test_a_table_of_80_columns_loses_no_digit(crosscount: Crosscount) -> None:
    ran = crosscount("compare", "@course-3", "--engines", "bf,sat", COLUMNS="80")
    assert max(map(len, ran.stdout.splitlines())) <= 80
    narrow = crosscount("compare", "@course-3", "--engines", "bf,sat", COLUMNS="40")
    assert "…" not in narrow.stdout
    assert "413" in narrow.stdout


def stopped(reason: str = "time", count: int | None = None) -> Run:
    return Run("bt", "native", "stopped", reason, count=count)


def test_numbers_are_never_bare() -> None:
    assert words.close(Run("bt", "native", "complete", count=1)) == "exactly 1 solution"
    assert words.close(Run("bt", "native", "complete", count=0)) == "exactly 0 solutions"
    assert words.close(stopped(count=3)) == "at least 3 solutions (stopped: time limit)"
    assert words.close(stopped(count=0)) == "unknown (stopped: time limit)"
    assert words.close(Run("asp", "asp", "skipped", "pip install it")) == "unknown (skipped: pip install it)"
    assert words.claim(stopped("memory", 5)) == "at least 5"


def test_those_that_prove_nothing_are_named() -> None:
    runs = (
        Run("bt", "native", "complete", count=2),
        Run("sat", "cnf", "complete", count=2),
        Run("asp", "asp", "skipped", "pip install 'crosscount[asp]'"),
        Run("mine", "external", "stopped", "time", count=1),
        Run("gac", "native", "stopped", "nodes"),
    )
    found = Comparison(NOTHING, runs, (), Verdict.AGREE, "2 engines of 2 families agree", 2, True, 2)
    expected = "exactly 2 solutions: 2 engines of 2 families agree (mine, gac stopped; asp skipped)"
    assert words.sentence(found) == expected


def test_counts_past_2_53_are_decimal_strings() -> None:
    assert as_json.number(1 << 53) == 9007199254740992
    assert as_json.number((1 << 53) + 1) == "9007199254740993"
    assert as_json.number(None) is None
    assert as_json.number(0) == 0
    many = 6670903752021072936960
    found: Any = as_json.single(NOTHING, Run("count", "native", "complete", count=many))
    assert (found["count"], found["at_least"], found["engines"][0]["count"]) == (str(many),) * 3
    assert found["exact"] is True


def test_a_failed_run_alone_is_a_finding() -> None:
    found: Any = as_json.single(NOTHING, Run("bt", "native", "failed", "out of memory", count=7))
    assert (found["verdict"], found["count"], found["exact"], found["at_least"]) == ("disagree", None, False, 7)
    (finding,) = found["findings"]
    assert finding == {"kind": "crashed", "engine": "bt", "witness": None, "because": "bt failed: out of memory"}


def test_a_comparison_in_json_can_be_written_whatever_numpy_made_of_its_values() -> None:
    witness = tuple(int(x) for x in np.array([1, 2], np.int8))
    puzzle = Puzzle("two", ((1, 2), (1, 2)), ())
    finding = Finding("missing", "bt", "bt lacks one", witness)
    found = Comparison(puzzle, (stopped(count=1),), (finding,), Verdict.DISAGREE, finding.because, None, False, 1)
    read_back = json.loads(json.dumps(as_json.comparison(found)))
    assert read_back["findings"] == [{"kind": "missing", "engine": "bt", "witness": [1, 2], "because": "bt lacks one"}]


def processes_of_session(session: int) -> list[str]:
    """What still runs of a session or of the sessions that its members made, by what they inherited."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                environment = (folder / "environ").read_bytes()
                state = (folder / "stat").read_text().rsplit(")", 1)[1].split()[0]
            except OSError:
                continue
            if f"CROSSCOUNT_TEST_SESSION={session}".encode() in environment.split(b"\0") and state != "Z":
                found.append(folder.name)
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_prints_what_is_known_and_leaves_no_process(
    command: list[str], environment: dict[str, str], tmp_path: Path, by: signal.Signals, form: list[str]
) -> None:
    # A program that sleeps, so that there is also a grandchild to be left behind.
    program = tmp_path / "sleeps.py"
    program.write_text(f"import pathlib, time\npathlib.Path({str(tmp_path / 'began')!r}).touch()\ntime.sleep(1000)\n")
    session = os.getpid() * 1000 + int(by) + len(form)
    sleeps = f"sleeps={sys.executable} {program} {{puzzle}}"
    options = ["--engines", "bt", "--jobs", "2", "--engine-cmd", sleeps, *form]
    with subprocess.Popen(
        [*command, "compare", "@course-5", "@course-1", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment | {"CROSSCOUNT_TEST_SESSION": str(session)},
    ) as process:
        while not (tmp_path / "began").exists():
            time.sleep(0.01)
        assert len(processes_of_session(session)) == 4, "the command, two workers, the program"
        time.sleep(0.5)
        process.send_signal(by)
        out, err = process.communicate()
    assert process.returncode == 3
    assert processes_of_session(session) == []
    assert err.splitlines()[-1] == "crosscount: interrupted; 1 puzzle was not begun"
    assert "Traceback" not in err
    if form:
        found = json.loads(out)
        assert (found["verdict"], found["count"]) == ("undecided", None)
        assert [engine["reason"] for engine in found["engines"]] == ["interrupted"] * 2
    else:
        assert "undecided: no engine finished: bt stopped (interrupted), sleeps stopped (interrupted)" in out


def test_a_reader_that_has_seen_enough_is_no_error(command: list[str]) -> None:
    with subprocess.Popen(
        [*command, "compare", "@four-1", "@four-2", "--engines", "bt,sat"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read().decode().splitlines()
        assert process.wait() == 3
    assert [line for line in errors if "compiling" not in line] == []
