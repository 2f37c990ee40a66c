"""Bad input of every kind: exit code 2, one line on standard error, nothing on standard output, no traceback."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import crosscount.compare.engines
from crosscount.puzzles import whole_file

Run = Callable[..., "subprocess.CompletedProcess[str]"]

FILES = {
    "empty.txt": "",
    "ragged.txt": "1 2 3 4\n. . .\n. . . .\n. . . .\n",
    "large.txt": "1 2 3 5\n. . . .\n. . . .\n. . . .\n",
    "two.txt": "1.3.............\n1.2.............\n",
    "prose.txt": "It was a dark and stormy night.\n",
    "broken.puzzle.toml": "family = \n",
    "unknown.puzzle.toml": 'family = "futoshiki"\n',
    "short.txt": "1 2 3 4 5\n",
    "[bold] :smile:.txt": "1.3.............\n",
}
NO_PUZZLE = [
    ("missing.txt", "missing.txt: no such file"),
    ("folder", "folder: a directory, expected a file"),
    ("binary.dat", "binary.dat: binary data, expected a puzzle as text"),
    ("latin1.txt", "latin1.txt:2: byte 0xe9, expected UTF-8 text"),
    ("empty.txt", "empty.txt: empty, expected a puzzle"),
    ("ragged.txt", "ragged.txt:2: 3 cells, expected 4; a blank is 0 . _ * or x"),
    ("large.txt", "large.txt:1: 5 is too large for a 4x4 grid, expected 1 to 4"),
    ("prose.txt", "prose.txt:"),
    ("broken.puzzle.toml", "broken.puzzle.toml:1: not TOML"),
    ("unknown.puzzle.toml", 'unknown.puzzle.toml:1: family "futoshiki", expected one of sudoku'),
    ("two.txt#3", "two.txt: puzzle 3, but it holds 2; expected 1 to 2"),
    ("@course-6", "@course-6: no such puzzle; did you mean @course-"),
    ("no\nsuch\nfile", "no"),
    ("1234", "1234: no such file"),
]
USAGE = [
    (("solve", "@course-1", "dfs"), "engine 'dfs' is not known, expected one of gt, singles, bf"),
    (("solve", "@course-1", "gca"), "did you mean gac?"),
    (("solve", "@course-1", "sat:nosuch"), "nosuch"),
    (("solve", "@course-1"), "Missing argument 'ENGINE'; `crosscount solve --help` shows how it is used"),
    (("solve", "@course-1", "bt", "--frobnicate"), "No such option: --frobnicate"),
    (("solve", "@course-1", "bt", "--limit", "0"), "--limit"),
    (("solve", "@course-1", "bt", "--limit", "many"), "--limit"),
    (("solve", "@course-1", "bt", "--time-limit", "-1"), "--time-limit"),
    (("solve", "@course-1", "bt", "--time-limit", "nan"), "--time-limit"),
    (("frobnicate",), "No such command 'frobnicate'"),
    (("compare",), "Missing argument 'PUZZLE...'"),
    (("compare", "@course-1", "--engines", "bt,dfs"), "engine 'dfs' is not known"),
    (("compare", "@course-1", "--engines", " , "), "--engines is empty"),
    (("compare", "@course-1", "--jobs", "0"), "--jobs"),
    (("compare", "@course-1", "--max-solutions", "0"), "--max-solutions"),
    (("compare", "@course-1", "missing.txt"), "missing.txt: no such file"),
    (("compare", "@course-1", "--engine-cmd", "cat {puzzle}"), "found no command, expected NAME='cmd {puzzle}'"),
    (("compare", "@course-1", "--engine-cmd", "=cat {puzzle}"), "found no name"),
    (("compare", "@course-1", "--engine-cmd", "mine="), "found no command"),
    (("compare", "@course-1", "--engine-cmd", "mine=cat"), "found no {puzzle}"),
    (("compare", "@course-1", "--engine-cmd", "mine='cat {puzzle}"), "No closing quotation"),
    (("compare", "@course-1", "--engine-cmd", "mine=./nosuch {puzzle}"), "no program './nosuch' that can be run"),
    (("compare", "@course-1", "--engine-cmd", "mine=./empty.txt {puzzle}"), "no program './empty.txt'"),
    (("compare", "@course-1", "--engine-cmd", "bt=cat {puzzle}"), "bt: there is an engine of this name"),
    (("check", "@course-1", "missing.txt"), "missing.txt: no such file"),
    (("check", "@course-1", "folder"), "folder: a directory"),
    (("check", "@course-1", "empty.txt"), "empty.txt: empty, expected an answer"),
    (("check", "@course-1", "short.txt"), "short.txt:1: 5 cells, expected 9 in a row or 81 in all"),
    (("check", "@course-1", "binary.dat"), "binary.dat: binary data"),
    (("formats", "@course-1", "--to", "xml"), "format 'xml' is not known, expected grid, line or toml"),
    (("formats", "@queens-8", "--to", "line"), "queens-8"),
    (("formats", "two.txt"), "two.txt: holds 2 puzzles, expected 1"),
    (("engines", "extra"), "extra"),
]


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "binary.dat").write_bytes(bytes(range(256)))
    (tmp_path / "latin1.txt").write_bytes(b"1.3.............\ncaf\xe9\n")
    (tmp_path / "folder").mkdir()


def expect_one_line(ran: "subprocess.CompletedProcess[str]", message: str) -> None:
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("crosscount: ")
    assert message in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert ran.stderr.endswith("\n")


@pytest.mark.parametrize(("source", "message"), NO_PUZZLE)
@pytest.mark.parametrize("after", [("solve", "bt"), ("solve", "bt", "--json"), ("check", "1234"), ("compare",)])
def test_what_is_no_puzzle_is_refused_everywhere(call: Run, source: str, message: str, after: tuple[str, ...]) -> None:
    expect_one_line(call(after[0], source, *after[1:]), message)


@pytest.mark.parametrize("after", [("solve", "bt"), ("check", "1234"), ("count",)])
def test_two_puzzles_where_one_is_wanted(call: Run, after: tuple[str, ...]) -> None:
    message = "two.txt: holds 2 puzzles, expected 1; two.txt#1 is the first of them"
    expect_one_line(call(after[0], "two.txt", *after[1:]), message)


@pytest.mark.parametrize(("arguments", "message"), USAGE, ids=[" ".join(arguments) for arguments, _ in USAGE])
def test_wrong_usage_is_one_line_too(call: Run, arguments: tuple[str, ...], message: str) -> None:
    expect_one_line(call(*arguments), message)


def test_the_same_from_the_outside(crosscount: Run) -> None:
    expect_one_line(crosscount("solve", "missing.txt", "bt"), "missing.txt: no such file")
    expect_one_line(crosscount("solve", "-", "bt", given=""), "stdin: empty, expected a puzzle")
    expect_one_line(crosscount("solve", "@course-1", "bt", "--limit", "x"), "--limit")


def test_an_error_with_several_lines_becomes_one(call: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(name: str) -> None:
        raise RuntimeError("first\nsecond")

    monkeypatch.setattr(crosscount.compare.engines, "find", fails)
    ran = call("solve", "@course-1", "bt")
    assert (ran.returncode, ran.stdout) == (4, "")
    assert ran.stderr.startswith("crosscount: a fault of ours: RuntimeError: first second (")
    assert ran.stderr.count("\n") == 1


def test_the_place_of_a_fault_is_shown_on_request(call: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(name: str) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(crosscount.compare.engines, "find", fails)
    monkeypatch.setenv("CROSSCOUNT_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        call("solve", "@course-1", "bt")


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder in which nobody may write")
def test_a_folder_that_takes_no_files_is_refused_before_the_search(command: list[str]) -> None:
    ran = subprocess.run(
        [*command, "solve", "@course-1", "bt", "--files"], cwd="/proc/self", text=True, capture_output=True
    )
    expect_one_line(ran, "--files: the folder . cannot be written to: ")


def test_a_file_that_cannot_be_replaced_leaves_nothing_behind(call: Run, tmp_path: Path) -> None:
    (tmp_path / "solution1.txt").mkdir()
    before = sorted(os.listdir(tmp_path))
    ran = call("solve", "@course-1", "bt", "--files")
    assert ran.returncode == 2
    assert ran.stderr == "crosscount: solution1.txt: cannot be written: Is a directory\n"
    assert sorted(os.listdir(tmp_path)) == before


def test_files_get_the_rights_that_the_person_wants_them_to_have(call: Run, tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        assert call("solve", "@course-1", "bt", "--files").returncode == 0
        assert whole_file._umask() == 0o027
    finally:
        os.umask(mask)
    assert (tmp_path / "solution1.txt").stat().st_mode & 0o777 == 0o640


def test_a_full_disk_is_told_in_one_line(command: list[str]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with open("/dev/full", "w") as full:
        ran = subprocess.run([*command, "check", "@four-1", "1234123412341234"], stdout=full, stderr=subprocess.PIPE)
    assert ran.returncode == 2
    assert ran.stderr == b"crosscount: standard output: No space left on device\n"


def test_names_are_names_and_not_markup(call: Run, crosscount: Run) -> None:
    for ran in (
        crosscount("compare", "[bold] :smile:.txt", "--engines", "bt,sat"),
        call("count", "[bold] :smile:.txt", "--engine", "bt"),
        call("solve", "[bold] :smile:.txt", "bt", "--json"),
    ):
        assert ran.returncode == 0
        assert "[bold] :smile:" in ran.stdout
