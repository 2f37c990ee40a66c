"""`crosscount grade` as a teacher sees it: arguments in; files, exit code, standard output and standard error out."""

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.homework.sudoku_programs import ONE, changed

Run = Callable[..., "subprocess.CompletedProcess[str]"]

ASSIGNMENT = """
run = "python3 {program} {puzzle} {algorithm}"
[limits]
seconds = 10
[shrink]
seconds = 0
[[cases]]
puzzle = ["1234341221434321", "0234341221434321", "1234040221434321"]
algorithm = ["BT", "FC-MRV"]
ask = "one solution"
points = 5
"""
CASES = 6
SLOW = changed(ONE, ("begun = time.perf_counter()\n", "begun = time.perf_counter()\ntime.sleep(0.4)\n"))
PUZZLE_BACK = changed(ONE, ("found = search(grid, empty)\n", "found = [row[:] for row in grid]\nsearch(grid, empty)\n"))


def grade(folder: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "crosscount", "grade", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "hw.toml").write_text(ASSIGNMENT)
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "ada.py").write_text(ONE)
    (tmp_path / "work" / "bob.py").write_text(PUZZLE_BACK)
    return tmp_path


def test_every_report_at_once(room: Path) -> None:
    files = ("--html", "pages", "--csv", "grades.csv", "--junit", "junit.xml", "--json")
    ran = grade(room, "hw.toml", "work", "--unsafe", *files)
    assert ran.returncode == 1, ran.stderr
    ada, bob = map(json.loads, ran.stdout.splitlines())
    assert (ada["points"], ada["max_points"], bob["points"]) == (30.0, 30.0, 10.0)
    assert bob["cases"][2]["verdict"] == "wrong answer"
    assert sorted(os.listdir(room / "pages")) == ["ada.html", "bob.html", "index.html"]
    assert (room / "grades.csv").read_text(encoding="utf-8-sig").splitlines()[1].startswith("ada,30,30,5,5")
    assert "Not protected" in ran.stderr
    assert "the network" in ran.stderr


def test_all_points_is_exit_code_0_and_only_chooses(room: Path) -> None:
    ran = grade(room, "hw.toml", "work", "--unsafe", "--only", "ada", "--gradescope", "results.json")
    assert ran.returncode == 0, ran.stderr
    assert "1 submission: 1 with all points, 0 without" in ran.stdout
    said = json.loads((room / "results.json").read_text())
    assert said["score"] == 30.0
    assert len(said["tests"]) == CASES


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no assignment, expected a file"),
        (("hw.toml",), "no submission, expected programs"),
        (("none.toml", "work"), "none.toml: no such file"),
        (("hw.toml", "nobody.py"), "nobody.py: no such file or folder, expected a program"),
        (("hw.toml", "work", "--only", "eve"), "--only eve: no such submission, expected one of ada, bob"),
        (("hw.toml", "work", "--gradescope", "r.json"), "--gradescope: 2 submissions, expected 1"),
        (("hw.toml", "work", "--csv", "no/where.csv"), "--csv: the folder no cannot be written to"),
        (("hw.toml", "work", "--html", "hw.toml"), "--html hw.toml: a file, expected a folder"),
        (("hw.toml", "work", "--journal", "no/where"), "no/where: cannot be written"),
        (("missing.toml", "work"), "missing.toml:1: run begins with 'python-of-tomorrow', expected a program that is"),
        (("count.toml", "work", "--only", "ada", "--gradescope", "r.json"), "count.toml:3: puzzle5: "),
        (("--init", "chess"), "--init chess: no such starter, expected one of course-sudoku, alpha-beta, gradescope"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(
    call: Run, room: Path, arguments: tuple[str, ...], message: str
) -> None:
    (room / "missing.toml").write_text(ASSIGNMENT.strip().replace("python3", "python-of-tomorrow"))
    count = 'run = "python3 {program}"\ncertify_seconds = 0.2\n[[cases]]\npuzzle = "@course-5"\nask = "count"\n'
    (room / "count.toml").write_text(count)
    before = sorted(os.listdir(room))
    ran = call("grade", *arguments, "--unsafe")
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert message in ran.stderr.splitlines()[-1]
    assert "Traceback" not in ran.stderr
    assert sorted(os.listdir(room)) == before


def test_without_bubblewrap_it_refuses(room: Path) -> None:
    ran = grade(room, "hw.toml", "work", PATH=str(room))
    assert ran.returncode == 2
    assert "bubblewrap is not installed" in ran.stderr or "run begins with 'python3'" in ran.stderr
    (room / "python3").symlink_to(sys.executable)
    ran = grade(room, "hw.toml", "work", PATH=str(room))
    assert ran.returncode == 2
    assert "apt install bubblewrap; --unsafe runs programs without one" in ran.stderr


def test_one_broken_submission_never_stops_the_rest(room: Path) -> None:
    (room / "work" / "carl").mkdir()
    (room / "work" / "carl" / "notes.txt").write_text("sorry")
    (room / "work" / "bad\udcff.py".encode("utf-8", "surrogateescape").decode("utf-8", "replace")).write_text(
        "import nothing"
    )
    ran = grade(room, "hw.toml", "work", "--unsafe", "--json")
    assert ran.returncode == 1, ran.stderr
    results = {said["submission"]: said for said in map(json.loads, ran.stdout.splitlines())}
    assert results["ada"]["points"] == 30.0
    assert results["carl"]["trouble"] == "no program: found notes.txt, expected one program"
    assert {case["verdict"] for case in results["carl"]["cases"]} == {"not run"}
    broken = next(said for name, said in results.items() if name.startswith("bad"))
    assert {case["verdict"] for case in broken["cases"]} == {"crashed"}
    assert "ModuleNotFoundError" in broken["cases"][0]["stderr"]


def test_ready_files_are_written_once(call: Run, tmp_path: Path) -> None:
    for name, file in (("course-sudoku", "course-sudoku.toml"), ("alpha-beta", "alpha-beta.toml")):
        assert call("grade", "--init", name).returncode == 0
        (tmp_path / file).write_text("mine")
        again = call("grade", "--init", name)
        assert again.returncode == 2
        assert f"{file}: is there already" in again.stderr
        assert (tmp_path / file).read_text() == "mine"


def test_the_autograder_grades(room: Path) -> None:
    """What Gradescope would run, with its folders put where a test may write."""
    (room / "puzzles.txt").write_text("1234341221434321\n")
    (room / "hw2.toml").write_text(ASSIGNMENT.replace('["1234341221434321", "0', '["puzzles.txt", "0'))
    assert grade(room, "hw2.toml", "--init", "gradescope").returncode == 0
    home = room / "autograder"
    with zipfile.ZipFile(room / "autograder.zip") as archive:
        assert sorted(archive.namelist()) == ["assignment.toml", "puzzles.txt", "run_autograder", "setup.sh"]
        assert all(entry.external_attr >> 16 & 0o111 for entry in archive.infolist() if "." not in entry.filename)
        archive.extractall(home / "source")
    for name in ("submission", "results"):
        (home / name).mkdir()
    (home / "submission" / "solver.py").write_text(ONE)
    script = (home / "source" / "run_autograder").read_text()
    assert subprocess.run(["bash", "-n", str(home / "source" / "setup.sh")]).returncode == 0
    command = f"{sys.executable} -m crosscount"
    script = script.replace("/autograder", str(home)).replace("/opt/crosscount/bin/crosscount", command)
    script = script.replace("/tmp/journal", str(home / "journal"))
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert json.loads((home / "results" / "results.json").read_text())["score"] == 30.0


def _case_count(path: Path) -> int:
    return path.read_text().count('"case": {') if path.exists() else 0


def _wait_for(path: Path, count: int, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        if _case_count(path) >= count or process.poll() is not None:
            return
        time.sleep(0.05)
    raise AssertionError("no case was finished")


def _verdicts(ran: "subprocess.CompletedProcess[str]") -> list[object]:
    """Everything but how long it took."""
    results = [json.loads(line) for line in ran.stdout.splitlines()]
    for result in results:
        for case in result["cases"]:
            case.pop("seconds")
    return results


def _ended_after(room: Path, count: int, ending: signal.Signals, *arguments: str) -> tuple[int, bytes]:
    """Grade, and end it once so many cases are finished; the exit code and what was printed."""
    command = [sys.executable, "-m", "crosscount", "grade", *arguments]
    places = os.environ | {"TMPDIR": str(room)}
    with subprocess.Popen(command, cwd=room, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=places) as process:
        _wait_for(room / "hw.journal.jsonl", count, process)
        process.send_signal(ending)
        said = process.communicate()[0]
    return process.returncode, said


def _left_behind(room: Path) -> list[str]:
    """Processes that know this folder, and folders of runs in it."""
    found = [str(path) for path in room.glob("crosscount-*")]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes() + str((process / "cwd").readlink()).encode()
        except OSError:
            continue
        if str(room).encode() in words:
            found.append(words.decode(errors="replace"))
    return found


def _expect_nothing_left(room: Path) -> None:
    """Soon after the end: whoever was killed could not wait for its programs."""
    for _ in range(100):
        if not _left_behind(room):
            return
        time.sleep(0.1)
    raise AssertionError(_left_behind(room))


def test_ctrl_c_shows_what_is_finished(room: Path) -> None:
    (room / "work" / "ada.py").write_text(SLOW)
    code, said = _ended_after(room, 2, signal.SIGINT, "hw.toml", "work", "--unsafe", "--json")
    assert code == 3
    _expect_nothing_left(room)
    assert {"passed", "not run"} == {c["verdict"] for line in said.splitlines() for c in json.loads(line)["cases"]}


def test_a_killed_run_goes_on_where_it_was(room: Path) -> None:
    (room / "work" / "ada.py").write_text(SLOW)
    arguments = ["hw.toml", "work", "--unsafe", "--jobs", "2", "--json"]
    journal = room / "hw.journal.jsonl"
    whole = grade(room, *arguments, "--journal", "other")
    assert _ended_after(room, 3, signal.SIGKILL, *arguments)[0] == -signal.SIGKILL
    _expect_nothing_left(room)
    assert 3 <= _case_count(journal) < 2 * CASES
    with journal.open("a") as file:
        file.write('{"half a li')
    assert _verdicts(grade(room, *arguments, "--resume")) == _verdicts(whole)
    assert _case_count(journal) == 2 * CASES, "what was finished was not run again"
    # And a submission that was changed is graded anew, alone.
    (room / "work" / "bob.py").write_text(ONE)
    assert grade(room, *arguments, "--resume").returncode == 0
    assert _case_count(journal) == 3 * CASES


def test_results_json_is_there_when_grading_is_cut_short(room: Path) -> None:
    (room / "work" / "ada.py").write_text(SLOW)
    arguments = ["hw.toml", "work", "--only", "ada", "--unsafe", "--jobs", "1", "--gradescope", "results.json"]
    command = [sys.executable, "-m", "crosscount", "grade", *arguments]
    with subprocess.Popen(command, cwd=room, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _wait_for(room / "hw.journal.jsonl", 2, process)
        for _ in range(100):
            if json.loads((room / "results.json").read_text())["score"] > 0:
                break
            time.sleep(0.02)
        process.kill()
    said = json.loads((room / "results.json").read_text())
    assert 0 < said["score"] < 30.0
    assert len(said["tests"]) == CASES
    assert {tag for test in said["tests"] for tag in test["tags"]} == {"passed", "not run"}
    assert sorted(os.listdir(room)) == ["hw.journal.jsonl", "hw.toml", "results.json", "work"]
