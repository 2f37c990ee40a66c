"""What a run is given, what comes back, and how its end is told: the same with and without a sandbox."""

import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from crosscount.homework.sandbox import HERE, MIB, NOT_PROTECTED, Allowance, Ended, Staged, bubblewrap, unsafe

QUICK = Allowance(seconds=10, memory=256 * MIB)
COLLECT = ("solution*.txt",)
ANSWERS = """\
import os, pathlib, sys
puzzle = pathlib.Path(sys.argv[1])
(puzzle.parent / "solution1.txt").write_text("beside the puzzle " + puzzle.read_text())
(pathlib.Path(__file__).resolve().parent / "solution2.txt").write_text("beside the program")
os.makedirs("out/deep")
open("out/deep/Solution3.TXT", "w").write("in a folder")
open("notes.txt", "w").write("nobody asked")
print("printed"); print("said", file=sys.stderr)
"""


@pytest.fixture(params=[pytest.param("bubblewrap", marks=pytest.mark.sandbox), "unsafe"])
def sandbox(request: pytest.FixtureRequest) -> Staged:
    found = request.getfixturevalue("strong") if request.param == "bubblewrap" else unsafe()
    assert isinstance(found, Staged)
    return found


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    folder = tmp_path / "submission"
    folder.mkdir()
    return folder


def ran(sandbox: Staged, submission: Path, source: str, *arguments: str, **inputs: str) -> Ended:
    (submission / "solver.py").write_text(source)
    given = {f"{name}.txt": text.encode() for name, text in inputs.items()}
    return sandbox.run(["python3", "solver.py", *arguments], submission, given, QUICK, COLLECT)


def test_answers_are_found_beside_the_program_the_puzzle_and_in_folders(sandbox: Staged, submission: Path) -> None:
    ended = ran(sandbox, submission, ANSWERS, f"{HERE}/puzzle1.txt", puzzle1="81 digits")
    assert (ended.how, ended.code, ended.signal) == ("exited", 0, None), ended
    assert ended.files == {
        "out/deep/Solution3.TXT": b"in a folder",
        "solution1.txt": b"beside the puzzle 81 digits",
        "solution2.txt": b"beside the program",
    }
    assert (ended.stdout, ended.stderr, ended.notes) == (b"printed\n", b"said\n", ())
    assert 0 < ended.seconds < QUICK.seconds
    assert ended.cpu_seconds > 0
    # The submission itself is as it was.
    assert sorted(os.listdir(submission)) == ["solver.py"]


def test_an_answer_handed_in_with_the_program_is_not_taken_for_its_own(sandbox: Staged, submission: Path) -> None:
    (submission / "solution1.txt").write_text("old")
    (submission / "solution2.txt").write_text("old")
    (submission / "solution3.txt").write_text("old")
    ended = ran(sandbox, submission, "open('solution2.txt', 'w').write('old'); open('solution3.txt', 'a').write('er')")
    assert ended.files == {"solution2.txt": b"old", "solution3.txt": b"older"}


def test_the_puzzle_takes_the_place_of_whatever_the_submission_has_there(sandbox: Staged, submission: Path) -> None:
    (submission / "puzzle1.txt").write_text("mine")
    (submission / "puzzle2.txt").mkdir()
    (submission / "puzzle2.txt" / "inner").write_text("mine")
    (submission / "puzzle3.txt").symlink_to("/etc/passwd")
    (submission / "puzzles").symlink_to("/etc")
    (submission / "solver.py").write_text("import sys\nfor name in sys.argv[1:]: print(open(name).read())\n")
    names = ["puzzle1.txt", "puzzle2.txt", "puzzle3.txt", "puzzles/four.txt"]
    ended = sandbox.run(["python", "solver.py", *names], submission, dict.fromkeys(names, b"yours"), QUICK)
    assert ended.stdout == b"yours\n" * 4, ended


@pytest.mark.parametrize("name", ["../puzzle.txt", "/tmp/puzzle.txt", ""])
def test_an_input_cannot_lie_outside(sandbox: Staged, submission: Path, name: str) -> None:
    ended = sandbox.run(["true"], submission, {name: b""}, QUICK)
    assert ended.how == "could not start"
    assert "expected a path inside the run's folder" in ended.notes[0]


def test_a_submission_may_be_one_file(sandbox: Staged, tmp_path: Path) -> None:
    (tmp_path / "only.py").write_text("import os; print(os.listdir('.'))")
    (tmp_path / "neighbour.py").write_text("")
    ended = sandbox.run(["python3", "only.py"], tmp_path / "only.py", {}, QUICK)
    assert ended.stdout == b"['only.py']\n"


def test_links_are_copied_as_links_and_other_things_are_left_out(sandbox: Staged, submission: Path) -> None:
    (submission / "data").mkdir()
    (submission / "data" / "real.txt").write_text("real")
    (submission / "link.txt").symlink_to("data/real.txt")
    os.mkfifo(submission / "pipe")
    ended = ran(sandbox, submission, "import os; print(os.readlink('link.txt'), open('link.txt').read())")
    assert (ended.stdout, ended.notes) == (b"data/real.txt real\n", ("pipe is a FIFO: not copied",))


def test_a_program_that_lost_its_right_to_be_run_gets_it_back(sandbox: Staged, submission: Path) -> None:
    (submission / "solve").write_text("#!/bin/sh\necho solved $1\n")
    ended = sandbox.run(["./solve", "it"], submission, {}, QUICK)
    assert (ended.how, ended.stdout) == ("exited", b"solved it\n")
    assert sandbox.run([f"{HERE}/solve"], submission, {}, QUICK).code == 0


@pytest.mark.parametrize(
    ("argv", "because"),
    [
        (["no-such-program"], "no program 'no-such-program'"),
        (["./missing"], "./missing: No such file or directory; expected a program of the submission"),
        (["./text.txt"], "./text.txt is a regular file, expected a program that can be run"),
        (["./folder"], "./folder is a folder, expected a program that can be run"),
        ([], "the command is empty"),
    ],
    ids=["unknown", "missing", "text", "folder", "empty"],
)
def test_what_cannot_start_says_why(sandbox: Staged, submission: Path, argv: list[str], because: str) -> None:
    (submission / "text.txt").write_text("no program")
    (submission / "folder").mkdir()
    ended = sandbox.run(argv, submission, {}, QUICK)
    assert ended.how == "could not start"
    assert because in ended.notes[0]


@pytest.mark.sandbox
def test_a_first_line_from_windows_is_recognised(strong: Staged, submission: Path) -> None:
    (submission / "solve").write_bytes(b"#!/bin/sh\r\necho hello\r\n")
    ended = strong.run(["./solve"], submission, {}, QUICK)
    assert ended.how == "could not start"
    assert "carriage return" in ended.notes[0]


def test_a_submission_that_is_not_there_or_far_too_large_says_so(sandbox: Staged, submission: Path) -> None:
    assert "No such file" in sandbox.run(["true"], submission / "gone", {}, QUICK).notes[0]
    with open(submission / "huge", "wb") as file:
        file.truncate(1 << 40)
    ended = sandbox.run(["true"], submission, {}, QUICK)
    assert (ended.how, ended.notes) == (
        "could not start",
        ("the submission has 1099511627776 bytes, at most 268435456 are copied",),
    )


@pytest.mark.parametrize(
    ("source", "how", "code", "name"),
    [
        ("raise SystemExit(3)", "exited", 3, None),
        ("raise ValueError('oh')", "exited", 1, None),
        ("import os; os.abort()", "killed by a signal", None, "SIGABRT"),
        ("import ctypes; ctypes.string_at(0)", "killed by a signal", None, "SIGSEGV"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", "killed by a signal", None, "SIGTERM"),
        ("import time; time.sleep(60)", "timed out", None, None),
    ],
    ids=["code 3", "exception", "abort", "segfault", "terminated", "too long"],
)
def test_how_it_ended(
    sandbox: Staged, submission: Path, source: str, how: str, code: int | None, name: str | None
) -> None:
    (submission / "solver.py").write_text(source)
    allowance = replace(QUICK, seconds=0.5) if how == "timed out" else QUICK
    ended = sandbox.run(["python3", "solver.py"], submission, {}, allowance)
    assert (ended.how, ended.code, ended.signal) == (how, code, name), ended
    assert b"oh" in ended.stderr or "oh" not in source


def test_what_a_program_leaves_unreadable_or_oddly_named_is_read_all_the_same(
    sandbox: Staged, submission: Path
) -> None:
    source = """\
import os
os.mkdir("closed")
open("closed/solution1.txt", "w").write("1")
os.chmod("closed/solution1.txt", 0)
open(b"solution\\xff.txt", "w").write("2")
"""
    ended = ran(sandbox, submission, source)
    wanted = {"closed/solution1.txt": b"1", "solution\ufffd.txt": b"2"}
    if sandbox.name == "none" and os.geteuid() != 0:
        del wanted["closed/solution1.txt"]
    assert ended.files == wanted, ended


def test_limits_of_the_kernel_bind_each_process(sandbox: Staged, submission: Path) -> None:
    names = ("CORE", "FSIZE", "NOFILE", "NPROC")
    source = f"import resource as r\nfor name in {names}: print(name, r.getrlimit(getattr(r, 'RLIMIT_' + name))[1])"
    said = dict(line.split() for line in ran(sandbox, submission, source).stdout.decode().splitlines())
    # A core dump of one byte is the one that no machine makes.
    assert (said["CORE"], said["FSIZE"], said["NOFILE"]) == ("1", str(QUICK.disk), "512")
    assert (said["NPROC"] == str(QUICK.processes + 1)) == (sandbox.name == "bubblewrap")


def test_no_more_than_a_hundred_answers_are_read(sandbox: Staged, submission: Path) -> None:
    ended = ran(sandbox, submission, "for i in range(150): open(f'solution{i}.txt', 'w').write('x')")
    assert len(ended.files) == 100
    assert len([note for note in ended.notes if "comes after 100 other files" in note]) == 50


@pytest.mark.sandbox
def test_a_private_python_can_be_shown_without_the_home_it_lies_in(submission: Path, strong: Staged) -> None:
    if Path(sys.base_prefix) == Path("/usr"):
        pytest.skip("this Python is the system's")
    found = bubblewrap(Path(sys.base_prefix))
    assert isinstance(found, Staged)
    home = str(Path.home())
    ended = ran(found, submission, f"import os, sys; print(sys.version, sys.prefix, os.path.exists({home!r}))")
    assert ended.stdout.decode() == f"{sys.version} /opt/python False\n"


@pytest.mark.sandbox
def test_a_folder_on_disk_serves_where_there_can_be_none_in_memory(strong: Staged, submission: Path) -> None:
    ended = ran(replace(strong, in_memory=False), submission, ANSWERS, "puzzle1.txt", puzzle1="81 digits")
    assert (ended.code, ended.files["solution1.txt"], ended.notes) == (0, b"beside the puzzle 81 digits", ()), ended
    assert len(ended.files) == 3


@pytest.mark.sandbox
def test_many_at_once_are_not_taken_for_one_another(strong: Staged, submission: Path) -> None:
    (submission / "solver.py").write_text("import sys; open('solution1.txt', 'w').write(open('puzzle').read())")
    # While a sandbox is being made, its /proc is still ours, and all of our memory would seem to be its own.
    small = replace(QUICK, memory=48 * MIB)

    def one(number: int) -> Ended:
        return strong.run(["python3", "solver.py"], submission, {"puzzle": str(number).encode()}, small, COLLECT)

    with ThreadPoolExecutor(8) as pool:
        for number, ended in enumerate(pool.map(one, range(40))):
            assert (ended.how, ended.files) == ("exited", {"solution1.txt": str(number).encode()}), ended


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("argv", "name", "source"),
    [
        (
            ["sh", "-c", "cc solver.c -o solver && ./solver"],
            "solver.c",
            '#include <stdio.h>\nint main(){puts("here");}',
        ),
        (["node", "solver.js"], "solver.js", 'console.log("here")'),
        (["java", "S.java"], "S.java", 'class S {public static void main(String[] a){System.out.println("here");}}'),
        (["perl", "solver.pl"], "solver.pl", 'print "here\\n";'),
        (
            ["python3", "solver.py"],
            "solver.py",
            "import multiprocessing as m\nif m.current_process().name == 'MainProcess':\n"
            "    print(m.get_context('fork').Pool(2).map(str.lower, ['HERE'])[0])",
        ),
    ],
    ids=["c", "node", "java", "perl", "python with processes"],
)
def test_other_languages_run_inside(strong: Staged, submission: Path, argv: list[str], name: str, source: str) -> None:
    needed = "cc" if argv[0] == "sh" else argv[0]
    if shutil.which(needed, path="/usr/local/bin:/usr/bin:/bin") is None:
        pytest.skip(f"{needed} is not installed")
    (submission / name).write_text(source)
    ended = strong.run(argv, submission, {}, Allowance(seconds=30))
    assert (ended.how, ended.stdout) == ("exited", b"here\n"), ended


def test_what_is_not_protected_without_a_sandbox_is_said() -> None:
    said = " ".join(NOT_PROTECTED)
    for word in ("network", "answers", "submissions", "processes", "memory", "disk"):
        assert word in said
