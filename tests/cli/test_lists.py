"""`engines`, `formats`, `--help` and `--version`: what there is, without waiting for what is not needed."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import crosscount as package
from crosscount.cli.lists import FORMATS
from crosscount.compare.engines import engines
from crosscount.puzzles import collection
from crosscount.puzzles.read import read_one

Run = Callable[..., "subprocess.CompletedProcess[str]"]

HEAVY = ("numpy", "numba", "ortools", "pysat", "clingo", "pyganak", "multiprocessing")


def test_every_engine_is_listed_with_its_family_and_its_nodes(call: Run) -> None:
    ran = call("engines")
    assert ran.returncode == 0
    lines = ran.stdout.splitlines()
    for engine in engines().values():
        (line,) = [line for line in lines if line.split(" ")[0] == engine.name]
        assert line.split()[1] == engine.family
    assert "a value tried" in ran.stdout


def test_every_format_and_every_bundled_puzzle_is_listed_with_its_count(call: Run) -> None:
    ran = call("formats")
    assert ran.returncode == 0
    for name, _ in FORMATS:
        assert f"\n{name} " in ran.stdout
    for name in collection.names():
        assert f"\n@{name} " in ran.stdout
    assert "286470 " in ran.stdout
    assert "6670903752021072936960 " in ran.stdout


def test_a_count_that_is_too_long_for_its_column_is_wrapped_and_not_cut(call: Run) -> None:
    expect = collection.entry("blank-10").expect
    assert expect is not None
    assert expect.count is not None
    lines = call("formats").stdout.splitlines()
    (at,) = [i for i, line in enumerate(lines) if line.startswith("@blank-10 ")]
    column = lines[at].index("1903")
    shown = "".join(line[column:].split(" ")[0] for line in lines[at : at + 2])
    assert shown == str(expect.count)
    assert "…" not in "".join(lines)


@pytest.mark.parametrize("arguments", [("engines",), ("formats",), ("--help",), ("compare", "--help")])
def test_nothing_is_wider_than_80_columns(call: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, call(*arguments).stdout.splitlines())) <= 80


@pytest.mark.parametrize("format_", ["grid", "line", "toml"])
def test_a_puzzle_survives_each_format(call: Run, tmp_path: Path, format_: str) -> None:
    ran = call("formats", "@course-3", "--to", format_)
    assert ran.returncode == 0
    copy = tmp_path / ("copy.puzzle.toml" if format_ == "toml" else "copy.txt")
    copy.write_text(ran.stdout)
    original, read_back = read_one("@course-3").puzzle, read_one(str(copy)).puzzle
    assert (read_back.domains, read_back.constraints) == (original.domains, original.constraints)


def test_several_puzzles_are_written_one_after_another(call: Run, tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text("1.3.............\n1.2.............\n")
    assert call("formats", "two.txt", "--to", "line").stdout == "1.3.............\n1.2.............\n"
    (tmp_path / "grids.txt").write_text(call("formats", "two.txt", "--to", "grid").stdout)
    assert call("formats", "grids.txt", "--to", "line").stdout == "1.3.............\n1.2.............\n"


def test_help_names_the_commands_and_the_exit_codes(call: Run) -> None:
    for arguments in ((), ("--help",)):
        ran = call(*arguments)
        assert ran.returncode == 0
        for word in ("compare", "count", "solve", "check", "engines", "formats", "3 undecided"):
            assert word in ran.stdout
    for command in ("compare", "count", "solve", "check", "engines", "formats"):
        ran = call(command, "--help")
        assert ran.returncode == 0
        assert f"crosscount {command}" in ran.stdout


def test_the_version_is_the_package_s(call: Run) -> None:
    ran = call("--version")
    assert (ran.returncode, ran.stdout) == (0, f"crosscount {package.__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (["--help"], HEAVY),
        (["--version"], HEAVY),
        (["solve", "--help"], HEAVY),
        (["check", "@course-1", "1" * 81], ("numba", "ortools", "pysat", "clingo")),
        (["engines"], ("numba", "ortools", "clingo")),
    ],
    ids=" ".join,
)
def test_a_command_does_not_load_what_it_does_not_need(arguments: list[str], unneeded: tuple[str, ...]) -> None:
    program = (
        "import json, sys\n"
        "from crosscount.cli import main\n"
        f"sys.argv = ['crosscount', *{arguments}]\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        f"    sys.stderr.write(json.dumps([name for name in {unneeded} if name in sys.modules]))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True)
    assert json.loads(ran.stderr) == []
