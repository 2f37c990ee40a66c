"""Somebody's own program as an engine: right, and wrong in every way."""

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crosscount.compare.external import Ended, Unreadable, command_engine
from crosscount.puzzles.engine import Engine, Limits, Stopped, Unavailable
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.read import read_one

Run = Callable[..., "subprocess.CompletedProcess[str]"]

SIX = [
    *("1234431234212143", "1234432124133142", "1234432134122143"),
    *("1324421324313142", "1324423124133142", "1324423134122143"),
]
"""The solutions of @four-6, as they stand in the bundled file."""
PROGRAM = f"""\
import os, sys, time
assert open(sys.argv[1]).read().split() == ". . . . 4 . . . . . . . . 1 4 .".split()
six = {SIX}
def show(lines):
    for line in lines:
        print(line, flush=True)
"""


def grid(line: str) -> list[list[int]]:
    return [[int(x) for x in line[i : i + 4]] for i in range(0, 16, 4)]


def compared(crosscount: Run, folder: Path, code: str, *options: str) -> tuple[int, Any]:
    """Exit code and JSON of a comparison of @four-6 between `sat` and a program of ours."""
    (folder / "mine.py").write_text(PROGRAM + code)
    command = f"mine={shlex.quote(sys.executable)} mine.py {{puzzle}}"
    ran = crosscount("compare", "@four-6", "--engines", "sat", "--engine-cmd", command, "--json", *options)
    assert ran.stderr == ""
    return ran.returncode, json.loads(ran.stdout)


def test_a_right_program_agrees(crosscount: Run, tmp_path: Path) -> None:
    code, found = compared(crosscount, tmp_path, "show(reversed(six))")
    assert (code, found["verdict"], found["count"], found["findings"]) == (0, "agree", 6, [])
    mine = found["engines"][1]
    assert (mine["name"], mine["family"], mine["status"], mine["count"]) == ("mine", "external", "complete", 6)
    assert mine["digest"] == found["engines"][0]["digest"]
    assert mine["nodes"] is None


WRONG = {
    "a missing one": ("show(six[:-1])", "missing", SIX[5], "mine claims to be complete and lacks 1 solution that sat"),
    "none at all": ("", "missing", SIX[0], "mine claims to be complete and lacks 6 solutions that sat found"),
    "a repeated one": ("show([*six, six[2]])", "duplicate", SIX[2], "mine reports a solution 2 times"),
    "an extra one": ("show([*six, '4' * 16])", "invalid", "4" * 16, "mine reports a grid that is not a solution: "),
    "a value too large": (
        "show([*six, ' '.join(['99999999999', *six[0][1:]])])",
        "invalid",
        None,
        "r1c1 holds 99999999999, expected 1 to 4",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_program_is_blamed_with_a_witness(crosscount: Run, tmp_path: Path, case: str) -> None:
    program, kind, witness, because = WRONG[case]
    code, found = compared(crosscount, tmp_path, program)
    assert (code, found["verdict"], found["count"]) == (1, "disagree", 6)
    (finding,) = found["findings"]
    assert (finding["kind"], finding["engine"]) == (kind, "mine")
    assert because in finding["because"]
    if witness is not None:
        assert finding["witness"] == grid(witness)


def test_one_changed_cell_is_one_invalid_and_one_missing(crosscount: Run, tmp_path: Path) -> None:
    code, found = compared(crosscount, tmp_path, "show(['2' + six[0][1:], *six[1:]])")
    assert code == 1
    assert [finding["kind"] for finding in found["findings"]] == ["invalid", "missing"]
    assert {finding["engine"] for finding in found["findings"]} == {"mine"}
    assert [finding["witness"] for finding in found["findings"]] == [grid("2" + SIX[0][1:]), grid(SIX[0])]
    assert found["engines"][1]["count"] == 6, "the count alone would look right"


CRASHED = {
    "garbage": ("show(six)\nprint('hello world')", "failed: Unreadable: line 7: 'hello world', expected the values"),
    "half a grid": ("show([*six, '1234'])", "failed: Unreadable: the output ends after 4 of 16 values"),
    "too many values": ("show(['1 ' * 17])", "failed: Unreadable: line 1: 17 values, expected 16 for a solution"),
    "exit code 1": ("show(six)\nsys.exit('no more')", "failed: Ended: exit code 1: no more"),
    "a signal": ("os.kill(os.getpid(), 11)", "failed: Ended: killed by SIGSEGV: nothing on standard error"),
}


@pytest.mark.parametrize("case", CRASHED)
def test_a_program_that_breaks_has_failed(crosscount: Run, tmp_path: Path, case: str) -> None:
    program, because = CRASHED[case]
    code, found = compared(crosscount, tmp_path, program)
    assert (code, found["verdict"]) == (1, "disagree")
    (finding,) = found["findings"]
    assert (finding["kind"], finding["engine"], finding["witness"]) == ("crashed", "mine", None)
    assert because in finding["because"]
    assert found["engines"][1]["status"] == "failed"


def test_what_was_printed_before_the_garbage_is_judged(crosscount: Run, tmp_path: Path) -> None:
    _, found = compared(crosscount, tmp_path, "show(['4' * 16, 'hello'])")
    assert [finding["kind"] for finding in found["findings"]] == ["crashed", "invalid"]


def test_a_program_that_eats_memory_is_killed_and_blamed(crosscount: Run, tmp_path: Path) -> None:
    program = "held = []\nwhile True:\n    held.append(bytearray(10 << 20))\n    time.sleep(0.01)"
    code, found = compared(crosscount, tmp_path, program, "--max-memory", "600")
    assert code == 1
    (finding,) = found["findings"]
    assert (finding["kind"], finding["engine"]) == ("crashed", "mine")
    assert finding["because"] == "mine failed: used more than 600 MB of memory"


def test_a_program_that_hangs_is_stopped_and_proves_nothing(crosscount: Run, tmp_path: Path) -> None:
    code, found = compared(crosscount, tmp_path, "show(six)\ntime.sleep(1000)", "--time-limit", "1")
    assert (code, found["verdict"], found["findings"]) == (3, "undecided", [])
    mine = found["engines"][1]
    assert (mine["status"], mine["reason"], mine["count"]) == ("stopped", "time", 6)


def test_a_wrong_grid_counts_even_if_the_program_hangs_afterwards(crosscount: Run, tmp_path: Path) -> None:
    code, found = compared(crosscount, tmp_path, "show(['4' * 16])\ntime.sleep(1000)", "--time-limit", "1")
    assert code == 1
    assert [finding["kind"] for finding in found["findings"]] == ["invalid"]


def test_the_right_number_at_a_limit_proves_nothing(crosscount: Run, tmp_path: Path) -> None:
    code, found = compared(crosscount, tmp_path, "show(six)", "--max-solutions", "6")
    assert (code, found["verdict"]) == (3, "undecided")
    assert {engine["status"] for engine in found["engines"]} == {"stopped"}


def test_differing_cells_are_marked_without_colour(crosscount: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PROGRAM + "show(six[:-1])")
    command = f"mine={shlex.quote(sys.executable)} mine.py {{puzzle}}"
    ran = crosscount("compare", "@four-6", "--engines", "sat", "--engine-cmd", command)
    assert ran.returncode == 1
    assert "\ndisagree: 1 finding against mine\nmissing: mine claims to be complete and lacks 1 solution" in ran.stdout
    assert [line.rstrip() for line in ran.stdout.splitlines()[6:13]] == [
        "mine lacks      the nearest that mine has",
        "┌─────┬─────┐   ┌─────┬─────┐",
        "│ 1 3*│ 2*4 │   │ 1 2*│ 3*4 │",
        "│ 4 2*│ 3*1 │   │ 4 3*│ 2*1 │",
        "├─────┼─────┤   ├─────┼─────┤",
        "│ 3 4 │ 1 2 │   │ 3 4 │ 1 2 │",
        "│ 2 1 │ 4 3 │   │ 2 1 │ 4 3 │",
    ]


def test_many_puzzles_stay_at_a_line_each(crosscount: Run, tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("....4........14.\n" * 12)
    (tmp_path / "mine.py").write_text(PROGRAM + "show(six[:-1])")
    command = f"mine={shlex.quote(sys.executable)} mine.py {{puzzle}}"
    ran = crosscount("compare", "many.txt", "--engines", "sat", "--engine-cmd", command)
    assert ran.returncode == 1
    why = "1 finding against mine: mine claims to be complete and lacks 1 solution that sat found"
    assert ran.stdout.splitlines() == [f"many#{n}: disagree: {why}" for n in range(1, 13)]


def python(program: str, place: str) -> Engine:
    """A line of Python as an engine."""
    return command_engine(f"mine={shlex.quote(sys.executable)} -c {shlex.quote(program)} {place}")


def lists(program: str, puzzle: Puzzle) -> list[list[int]]:
    """What such an engine lists, run in this process."""
    found = python(program, "{puzzle}").search(puzzle, Limits())
    return [row for batch in found for row in batch.solutions.tolist()]


SHAPES = [
    "1 2 3 4 4 3 1 2 3 4 2 1 2 1 4 3",
    "1234\n4312\n3421\n2143",
    "1,2,3,4\n4,3,1,2\n3,4,2,1\n2,1,4,3",
    "# first\n+----+----+\n|12|34|\n|43|12|\n+====+====+\n|34|21|\n|21|43|\n+----+----+",
    "┌─────┬─────┐\n│ 1 2 │ 3 4 │\n│ 4 3 │ 1 2 │\n├─────┼─────┤\n│ 3 4 │ 2 1 │\n│ 2 1 │ 4 3 │",
    "\n".join(SIX[0]),
]


@pytest.mark.parametrize("text", SHAPES, ids=range(len(SHAPES)))
def test_a_solution_may_be_printed_in_many_shapes(text: str) -> None:
    assert lists(f"print({text!r})", read_one("@four-6").puzzle) == [[int(x) for x in SIX[0]]]


def test_values_of_several_digits_are_not_taken_apart() -> None:
    puzzle = Puzzle("tens", ((10, 11), (-5, 12), (100,)), ())
    assert lists('print("10\\n-5\\n100\\n11 12 100")', puzzle) == [[10, -5, 100], [11, 12, 100]]


def test_letters_stand_for_values_past_nine() -> None:
    puzzle = read_one("@sixteen").puzzle
    rows = lists('print("123456789ABCDEFG" * 16)', puzzle)
    assert rows == [list(range(1, 17)) * 16]


def test_a_limit_on_solutions_stops_at_it() -> None:
    found = python('print(("1 " * 16 + "\\n") * 3)', "{puzzle}").search(read_one("@four-6").puzzle, Limits(solutions=1))
    assert next(found).solutions.tolist() == [[1] * 16]
    with pytest.raises(Stopped, match="solutions"):
        next(found)


def test_a_line_without_end_is_not_waited_for() -> None:
    with pytest.raises(Unreadable, match="line 1: '1111"):
        lists('while True: print("1" * 100000, end="")', read_one("@four-6").puzzle)


def test_a_number_past_64_bits_is_unreadable() -> None:
    with pytest.raises(Unreadable, match="line 1: "):
        lists('print(10 ** 30, "1 " * 15)', read_one("@four-6").puzzle)


def test_the_puzzle_is_handed_over_as_it_is_asked_for() -> None:
    grid, other = read_one("@four-6").puzzle, read_one("@zebra").puzzle
    say, read = "import sys; sys.exit(sys.argv[1])", "import sys; sys.exit(open(sys.argv[1]).readline())"
    with pytest.raises(Ended, match=r"^exit code 1: \.\.\.\.4\.\.\.\.\.\.\.\.14\.$"):
        list(python(say, "{line}").search(grid, Limits()))
    with pytest.raises(Ended, match=r"^exit code 1: \. \. \. \.$"):
        list(python(read, "{puzzle}").search(grid, Limits()))
    with pytest.raises(Ended, match=r'^exit code 1: family = "sudoku"$'):
        list(python(read, "{toml}").search(grid, Limits()))
    with pytest.raises(Ended, match=r'^exit code 1: family = "csp"$'):
        list(python(read, "{puzzle}").search(other, Limits()))
    with pytest.raises(Unavailable, match=r"\{toml\} holds any puzzle"):
        list(python(say, "{line}").search(other, Limits()))


def test_a_file_that_is_no_program_has_failed(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_bytes(b"\0not a program")
    script.chmod(0o755)
    with pytest.raises(OSError, match="Exec format error"):
        list(command_engine(f"mine={script} {{puzzle}}").search(read_one("@four-6").puzzle, Limits()))
