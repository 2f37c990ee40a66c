"""`crosscount count`, `verify` and `sample` as somebody else sees them."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_a_count_is_a_sentence(call: Run) -> None:
    ran = call("count", "@course-3")
    assert ran.returncode == 0
    assert re.fullmatch(r"course-3: exactly 413 solutions, by count in \d+\.\d{3} s\n", ran.stdout)


def test_too_hard_ends_in_at_least(call: Run) -> None:
    ran = call("count", "@blank-9", "--time-limit", "0.3")
    assert ran.returncode == 3
    assert re.match(r"blank-9: at least \d+ solutions \(stopped: time limit\)", ran.stdout)


def test_a_number_past_what_other_readers_can_hold_is_a_string(call: Run) -> None:
    found = json.loads(call("count", "@blank-8", "--json").stdout)
    assert (found["count"], found["exact"]) == ("29136487207403520", True)


def test_counts_per_cell_as_a_grid(call: Run) -> None:
    ran = call("count", "@course-1", "--cells")
    assert ran.returncode == 0
    rows = [line for line in ran.stdout.splitlines() if line.startswith("│")]
    assert rows[3] == "│ 9 │ 4 │ 8 │ 7 │ 1:1 │ 3 │ 5 │ 1:1 │ 2 │"
    assert rows[4] == "│   │   │   │   │ 6:1 │   │   │ 6:1 │   │"
    assert "backbone: 77 of 81 cells are the same in every solution" in ran.stdout
    assert "most informative next clue: r4c5, which leaves 1 solution on average" in ran.stdout


def test_counts_per_cell_as_json(call: Run) -> None:
    found = json.loads(call("count", "@australia", "--cells", "--json").stdout)
    assert found["count"] == 18
    assert found["cells"][0] == {"cell": "WA", "values": {"1": 6, "2": 6, "3": 6}}
    assert (found["backbone"], found["next_clue"]) == ({}, {"cell": "WA", "leaves": 6.0})


def test_counts_per_cell_where_there_is_nothing_to_count(call: Run) -> None:
    ran = call("count", "1100000000000000", "--cells")
    assert ran.returncode == 0
    assert ran.stdout.splitlines()[1:] == ["no cell has a value: there is no solution"]


def test_wide_counts_lose_no_digit_when_piped(call: Run) -> None:
    ran = call("count", "@course-4", "--cells")
    tall = sum(map(int, re.findall(r"\d:(\d+)", ran.stdout)))
    fixed = re.search(r"backbone: (\d+)", ran.stdout)
    assert fixed is not None
    assert tall == 286_470 * (81 - int(fixed[1]))


@pytest.mark.parametrize(("puzzle", "kind"), [("@course-1", "listing"), ("@blank-6", "counting")])
def test_a_certificate_is_written_and_accepted(call: Run, tmp_path: Path, puzzle: str, kind: str) -> None:
    ran = call("count", puzzle, "--certificate", "proof.gz", "--json")
    assert ran.returncode == 0
    size = (tmp_path / "proof.gz").stat().st_size
    said = json.loads(ran.stdout)
    assert said["certificate"] == {"file": "proof.gz", "kind": kind, "bytes": size, "reason": ""}
    ran = call("verify", "proof.gz", puzzle)
    assert ran.returncode == 0
    name = puzzle.removeprefix("@")
    assert ran.stdout.startswith(f"proof.gz: accepted: {name}: exactly {said['count']} solutions ({kind} certificate, ")
    found = json.loads(call("verify", "proof.gz", "--json").stdout)
    assert (found["accepted"], found["puzzle"], found["count"]) == (True, name, said["count"])


def test_the_certificate_of_another_puzzle_is_rejected(call: Run) -> None:
    call("count", "@queens-6", "--certificate", "proof.gz", "--kind", "counting")
    ran = call("verify", "proof.gz", "@queens-8")
    assert ran.returncode == 1
    assert ran.stdout.startswith("proof.gz: rejected: it is a certificate of queens-6")


def test_what_is_no_certificate_is_rejected_and_what_is_not_there_is_bad_input(call: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    ran = call("verify", "empty", "--json")
    assert ran.returncode == 1
    assert json.loads(ran.stdout)["accepted"] is False
    for path in ("missing", "."):
        ran = call("verify", path)
        assert ran.returncode == 2
        assert ran.stderr.startswith(f"crosscount: {path}: ")
        assert len(ran.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--cells", "--engine", "gac"], "--cells with --engine gac, expected the engine count"),
        (["--kind", "listing"], "--kind without --certificate, expected both or neither"),
        (["--certificate", "no/such/folder"], "--certificate: the folder no/such cannot be written to: "),
        (["--certificate", "."], "--certificate: . is a folder, expected the name of a file"),
        (["--certificate", "file", "--kind", "hearsay"], "'hearsay' is not one of"),
    ],
)
def test_bad_usage_is_told_in_one_line(call: Run, tmp_path: Path, arguments: list[str], expected: str) -> None:
    ran = call("count", "@course-1", *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert expected in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["@send-more-money"], "linear on 8 cells has too many values"),
        (["@magic-3", "--kind", "counting"], "cannot be counted"),
        (["@course-4", "--kind", "listing"], "at most 100000 can be listed"),
    ],
)
def test_where_there_is_no_certificate_nothing_is_written(
    call: Run, tmp_path: Path, arguments: list[str], reason: str
) -> None:
    ran = call("count", *arguments, "--certificate", "proof.gz")
    assert ran.returncode == 3
    assert "no certificate was written (" in ran.stdout
    assert reason in ran.stdout
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_certificate_leaves_the_count_and_no_file(
    command: list[str], tmp_path: Path, environment: dict[str, str]
) -> None:
    running = subprocess.Popen(
        [*command, "count", "@latin-7", "--certificate", "proof.gz", "--json"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    # The unfinished file is there as soon as the count is known.
    for _ in range(600):
        if any(tmp_path.iterdir()):
            break
        time.sleep(0.1)
    os.kill(running.pid, signal.SIGINT)
    said = json.loads(running.communicate(timeout=60)[0])
    assert running.returncode == 3
    assert (said["count"], said["exact"]) == (61_479_419_904_000, True)
    assert said["certificate"]["reason"] == "interrupted"
    assert list(tmp_path.iterdir()) == []


def test_a_sample_is_solutions_and_a_sentence(call: Run) -> None:
    first, again = (call("sample", "@course-3", "-n", "3", "--seed", "9") for _ in range(2))
    assert first.returncode == 0
    assert first.stdout == again.stdout
    *grids, sentence = first.stdout.split("\n\n")
    assert sentence == "course-3: 3 drawn from exactly 413 solutions, seed 9\n"
    for grid in grids:
        assert call("check", "@course-3", "".join(grid.split())).returncode == 0
    other = call("sample", "@course-3", "-n", "3", "--seed", "10")
    assert other.stdout != first.stdout


def test_a_sample_without_a_seed_tells_which_it_took(call: Run) -> None:
    found = json.loads(call("sample", "@latin-4", "--json").stdout)
    assert (found["count"], found["drawn"], len(found["solutions"])) == (576, 1, 1)
    again = json.loads(call("sample", "@latin-4", "--json", "--seed", str(found["seed"])).stdout)
    assert again["solutions"] == found["solutions"]


def test_nothing_can_be_drawn_from_nothing_or_from_what_is_not_counted(call: Run) -> None:
    ran = call("sample", "1100000000000000")
    assert (ran.returncode, ran.stdout) == (1, "puzzle: exactly 0 solutions, nothing to draw\n")
    ran = call("sample", "@blank-9", "--time-limit", "0.2")
    assert ran.returncode == 3
    assert ran.stdout == "blank-9: nothing drawn (stopped: time limit)\n"
    ran = call("sample", "@course-1", "-n", "0")
    assert ran.returncode == 2
