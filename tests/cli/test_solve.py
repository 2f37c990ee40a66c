"""`crosscount solve`: the course's format, listing, JSON, and what a person or a program gets to see."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

COURSE_1 = """\
. . 2 1 . 6 . . 4
1 . . . . 9 . . 6
. . 4 . 5 . 1 8 3
. 4 . . . . . . .
. 1 . 9 2 . 3 7 8
2 3 . 5 . 8 4 . .
. . . 8 7 5 2 9 1
8 5 . 4 9 2 6 . .
. . 9 . . 1 8 . 5
"""
FIRST = """\
3 7 2 1 8 6 9 5 4
1 8 5 3 4 9 7 2 6
6 9 4 2 5 7 1 8 3
9 4 8 7 1 3 5 6 2
5 1 6 9 2 4 3 7 8
2 3 7 5 6 8 4 1 9
4 6 3 8 7 5 2 9 1
8 5 1 4 9 2 6 3 7
7 2 9 6 3 1 8 4 5
"""
PERFORMANCE = re.compile(
    r"Total clock time: \d+\.\d{3} ms\nSearch clock time: \d+\.\d{3} ms\nNumber of nodes generated: (\d+)\n"
)


@pytest.fixture(autouse=True)
def puzzle1(tmp_path: Path) -> Path:
    path = tmp_path / "puzzle1.txt"
    path.write_text(COURSE_1)
    return path


def test_the_course_gets_its_grid_its_three_lines_and_its_two_files(crosscount: Run, tmp_path: Path) -> None:
    ran = crosscount("solve", "puzzle1.txt", "BF", "--files")
    assert ran.returncode == 0
    grid, performance = ran.stdout.split("\n\nat least 1 solution (stopped: solution limit)\n")
    assert grid + "\n" == FIRST
    found = PERFORMANCE.fullmatch(performance)
    assert found is not None
    assert found[1] == "687"
    assert (tmp_path / "solution1.txt").read_text() == FIRST
    assert (tmp_path / "performance1.txt").read_text() == performance
    assert sorted(path.name for path in tmp_path.iterdir()) == ["performance1.txt", "puzzle1.txt", "solution1.txt"]


def test_without_files_nothing_is_written(call: Run, tmp_path: Path) -> None:
    assert call("solve", "puzzle1.txt", "BF").returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["puzzle1.txt"]


def test_a_bundled_puzzle_has_its_number_too(call: Run, tmp_path: Path) -> None:
    assert call("solve", "@course-2", "bt", "--files").returncode == 0
    assert (tmp_path / "solution2.txt").exists()
    assert "Number of nodes generated: 911\n" in (tmp_path / "performance2.txt").read_text()


def test_a_solution_file_of_another_run_does_not_stay_behind(call: Run, tmp_path: Path, puzzle1: Path) -> None:
    (tmp_path / "solution1.txt").write_text(FIRST)
    puzzle1.write_text(COURSE_1.replace(". . 2 1", "7 7 . ."))
    ran = call("solve", "puzzle1.txt", "bt", "--files")
    assert ran.returncode == 0
    assert ran.stdout.startswith("exactly 0 solutions\n")
    assert (tmp_path / "solution1.txt").read_text() == "# exactly 0 solutions\n"


@pytest.mark.parametrize("name", ["FC-MRV", "fc_mrv", "Fc-Mrv", " fc-mrv "])
def test_algorithm_names_are_taken_in_any_case_and_with_either_dash(call: Run, name: str) -> None:
    ran = call("solve", "puzzle1.txt", name)
    assert ran.returncode == 0
    assert ran.stdout.endswith("Number of nodes generated: 41\n")


@pytest.mark.parametrize(("engine", "nodes"), [("bf", 2205), ("bt", 246), ("fc-mrv", 45)])
def test_all_solutions_close_with_exactly(call: Run, engine: str, nodes: int) -> None:
    ran = call("solve", "puzzle1.txt", engine, "--all")
    assert ran.returncode == 0
    first, second, closing = ran.stdout.split("\n\n")
    assert {len(first), len(second)} == {161}
    assert first != second
    assert closing.startswith("exactly 2 solutions\n")
    assert closing.endswith(f"Number of nodes generated: {nodes}\n")


def test_a_limit_closes_with_at_least_even_at_the_right_number(call: Run) -> None:
    ran = call("solve", "puzzle1.txt", "bt", "--all", "--limit", "2")
    assert ran.returncode == 0, "a limit that was asked for is no failure"
    assert "\n\nat least 2 solutions (stopped: solution limit)\n" in ran.stdout


def test_a_limit_that_leaves_the_question_open_exits_3(call: Run) -> None:
    ran = call("solve", "@course-5", "bt", "--all", "--max-nodes", "10")
    assert ran.returncode == 3
    assert ran.stdout.startswith("unknown (stopped: node limit)\n")
    ran = call("solve", "@course-5", "bt", "--all", "--time-limit", "0.05")
    assert ran.returncode == 3
    assert re.search(r"\n\nat least \d+ solutions \(stopped: time limit\)\n", ran.stdout)


def test_an_engine_that_gives_up_does_not_claim_zero(call: Run) -> None:
    ran = call("solve", "@course-3", "singles")
    assert ran.returncode == 3
    assert ran.stdout.startswith("unknown (stopped: gave up)\n")


def test_puzzles_come_from_standard_input_and_from_the_command_line(crosscount: Run, call: Run) -> None:
    assert crosscount("solve", "-", "bt", given=COURSE_1).stdout.startswith(FIRST)
    line = COURSE_1.replace(" ", "").replace("\n", "")
    assert call("solve", line, "bt").stdout.startswith(FIRST)


def test_a_puzzle_without_a_grid_is_one_row_where_piped(call: Run) -> None:
    assert call("solve", "@queens-6", "bt").stdout.startswith("2 4 6 1 3 5\n\n")


def test_values_past_nine_keep_their_columns_apart(call: Run) -> None:
    rows = call("solve", "@sixteen", "gac").stdout.split("\n\n")[0].split("\n")
    assert [sorted(map(int, row.split())) for row in rows] == [list(range(1, 17))] * 16


def only_line(text: str) -> Any:
    assert text.endswith("\n")
    assert text.count("\n") == 1
    return json.loads(text)


def test_json_is_one_object_with_the_promised_fields(call: Run) -> None:
    ran = call("solve", "puzzle1.txt", "bt", "--all", "--json")
    found = only_line(ran.stdout)
    assert ran.returncode == 0
    assert found["puzzle"] == "puzzle1"
    assert found["verdict"] == "undecided", "one engine alone proves nothing"
    assert (found["count"], found["exact"], found["at_least"], found["findings"]) == (2, True, 2, [])
    assert found["solutions"][0] == [[int(x) for x in row.split()] for row in FIRST.splitlines()]
    assert len(found["solutions"]) == 2
    (engine,) = found["engines"]
    assert set(engine) == {
        *("name", "family", "status", "reason", "count"),
        *("digest", "nodes", "seconds", "search_seconds"),
    }
    assert [engine[key] for key in ("name", "family", "status", "reason")] == ["bt", "native", "complete", ""]
    assert (engine["count"], engine["nodes"]) == (2, 246)
    assert re.fullmatch("[0-9a-f]{32}", engine["digest"])
    assert isinstance(engine["seconds"], float)
    assert isinstance(engine["search_seconds"], float)


def test_json_of_a_stopped_run_has_no_count(call: Run) -> None:
    found = only_line(call("solve", "@course-4", "bt", "--limit", "3", "--json").stdout)
    assert (found["count"], found["exact"], found["at_least"]) == (None, False, 3)
    assert len(found["solutions"]) == 3
    assert (found["engines"][0]["status"], found["engines"][0]["reason"]) == ("stopped", "solutions")


def test_json_of_a_puzzle_without_solutions_and_of_one_without_a_grid(call: Run) -> None:
    found = only_line(call("solve", "@norvig-impossible", "gac", "--all", "--json").stdout)
    assert (found["solutions"], found["count"], found["exact"]) == ([], 0, True)
    found = only_line(call("solve", "@queens-6", "gac", "--all", "--json").stdout)
    assert sorted(found["solutions"]) == [
        *([2, 4, 6, 1, 3, 5], [3, 6, 2, 5, 1, 4]),
        *([4, 1, 5, 2, 6, 3], [5, 3, 1, 6, 4, 2]),
    ]


def test_the_digest_does_not_depend_on_the_order_of_the_solutions(call: Run) -> None:
    digests = {
        only_line(call("solve", "@course-3", engine, "--all", "--json").stdout)["engines"][0]["digest"]
        for engine in ("bt", "fc-mrv", "gac")
    }
    assert len(digests) == 1


def on_a_terminal(command: list[str], environment: dict[str, str], both: bool) -> str:
    """What the command shows on a terminal of 80 columns; standard error goes there too where `both`."""
    here, there = pty.openpty()
    streams = {"stdin": subprocess.DEVNULL, "stdout": there, "stderr": there if both else subprocess.DEVNULL}
    process = subprocess.Popen(command, env=environment | {"TERM": "xterm", "COLUMNS": "80"}, **streams)  # type: ignore[call-overload]  # mypy cannot see through **
    os.close(there)
    shown = b""
    try:
        while select.select([here], [], [], 60)[0]:
            data = os.read(here, 1 << 16)
            if not data:
                break
            shown += data
    except OSError:
        pass  # how Linux says that nobody is left on the other side
    os.close(here)
    process.wait()
    return shown.decode().replace("\r\n", "\n")


def test_a_person_sees_boxes(command: list[str], environment: dict[str, str]) -> None:
    shown = on_a_terminal([*command, "solve", "@course-1", "bt"], environment, both=True)
    assert "┌───────┬───────┬───────┐\n│ 3 7 2 │ 1 8 6 │ 9 5 4 │\n" in shown
    assert "└───────┴───────┴───────┘\n\nat least 1 solution" in shown


def test_a_person_sees_queens_on_a_board(command: list[str], environment: dict[str, str]) -> None:
    shown = on_a_terminal([*command, "solve", "@queens-6", "bt"], environment, both=True)
    assert ". Q . . . .\n. . . Q . .\n" in shown


def test_a_terminal_that_cannot_show_boxes_shows_something(command: list[str], environment: dict[str, str]) -> None:
    shown = on_a_terminal(
        [*command, "solve", "@course-1", "bt"], environment | {"PYTHONIOENCODING": "ascii"}, both=True
    )
    assert "? 3 7 2 ? 1 8 6 ? 9 5 4 ?\n" in shown


def unexpected(errors: str) -> list[str]:
    """What stands on standard error, but for what only the first run says."""
    return [line for line in errors.splitlines() if not line.startswith("crosscount: compiling ")]


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path, command: list[str]) -> None:
    with subprocess.Popen(
        [*command, "solve", "@course-4", "bt", "--all"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert len(process.stdout.readline()) == 18
        process.stdout.close()
        assert unexpected(process.stderr.read().decode()) == []
        assert process.wait() == 3


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_an_interrupt_prints_what_is_known(tmp_path: Path, command: list[str], form: list[str]) -> None:
    output = tmp_path / "output"
    with (
        output.open("w") as file,
        subprocess.Popen(
            [*command, "solve", "--all", "@course-5", "bt", *form], stdout=file, stderr=subprocess.PIPE, text=True
        ) as process,
    ):
        while output.stat().st_size < 100_000:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    text = output.read_text()
    assert process.returncode == 3
    assert unexpected(errors) == []
    if form:
        found = only_line(text)
        assert (found["count"], found["at_least"]) == (None, len(found["solutions"]))
        assert found["engines"][0]["reason"] == "interrupted"
    else:
        *grids, closing = text.split("\n\n")
        assert closing.startswith(f"at least {len(grids)} solutions (stopped: interrupted)\n")
        assert {len(grid) for grid in grids} == {161}, "no grid is torn"
