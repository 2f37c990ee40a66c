"""`crosscount cnf` writes what counters read, and what is read back is a puzzle."""

import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "crosscount"]


def test_a_puzzle_goes_out_as_dimacs_and_comes_back_as_a_puzzle(tmp_path: Path) -> None:
    written = subprocess.run([*COMMAND, "cnf", "@four-4"], capture_output=True, text=True, check=True).stdout
    lines = written.splitlines()
    assert any(line.startswith("p cnf ") for line in lines)
    assert any(line.startswith("c p show 1 2 3 ") for line in lines)
    assert any(line.startswith("c map ") and line.endswith(" r1c1 2") for line in lines)
    file = tmp_path / "four.cnf"
    file.write_text(written)
    solved = subprocess.run(
        [*COMMAND, "solve", "--all", str(file), "fc-mrv"], capture_output=True, text=True, check=True
    )
    assert "exactly 3 solutions" in solved.stdout


def test_bad_dimacs_is_one_line_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "bad.cnf"
    file.write_text("p cnf 2 1\n1 5 0\n")
    done = subprocess.run([*COMMAND, "solve", str(file), "bt"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"crosscount: {file}:2: literal 5, expected one from -2 to 2\n"
