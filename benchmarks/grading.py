"""A hundred submissions on fifteen cases: how long, what is left behind, and whether a killed run ends up the same.

    python -m benchmarks.grading [--submissions 100] [--unsafe]

Everything is graded once without a break. Then again, killed (SIGKILL) half way, and resumed. Both must say the same,
and neither may leave a process or a folder.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ASSIGNMENT = """
run = "python3 {program} {puzzle} {algorithm}"
[limits]
seconds = 5
memory = 256
[shrink]
seconds = 30
[[cases]]
puzzle = ["@course-1", "@course-2", "@course-3", "@four-1", "@four-2"]
file = "puzzle{n}.txt"
algorithm = ["BF", "BT", "FC-MRV"]
ask = ["one solution", "nodes", "time"]
points = 10
"""
PROGRAM = """
import sys, time
begun = time.perf_counter()
name, algorithm = sys.argv[1], sys.argv[2]
number = "".join(ch for ch in name if ch.isdigit())
grid = [[int(x) for x in line.split()] for line in open(name) if line.strip()]
n = len(grid)
h = max(k for k in range(1, n) if n % k == 0 and k * k <= n)
w = n // h
nodes = 0

def fits(r, c, x):
    top, left = r // h * h, c // w * w
    return (x not in grid[r] and all(grid[i][c] != x for i in range(n))
            and all(grid[top + i][left + j] != x for i in range(h) for j in range(w)))

def search(cells):
    global nodes
    if not cells:
        return True
    r, c = min(cells, key=lambda rc: sum(fits(*rc, x) for x in range(1, n + 1)))
    rest = [rc for rc in cells if rc != (r, c)]
    for x in range(1, n + 1):
        if fits(r, c, x):
            nodes += 1
            grid[r][c] = x
            if search(rest):
                return True
            grid[r][c] = 0
    return False

found = search([(r, c) for r in range(n) for c in range(n) if grid[r][c] == 0])
MISTAKE
with open("solution" + number + ".txt", "w") as file:
    file.write("\\n".join(" ".join(map(str, row)) for row in grid) if found else "No solution")
with open("performance" + number + ".txt", "w") as file:
    file.write("Total clock time: %.3f ms\\nNodes explored: %d\\n" % ((time.perf_counter() - begun) * 1000, nodes))
"""
MISTAKES = (
    "",
    "",
    "",
    "",
    "",
    "grid.reverse()",
    "found = False",
    "grid[0][0] = 0",
    "raise SystemExit('lost')",
    "os.abort()",
)


def classroom(folder: Path, count: int) -> None:
    """So many programs: half of them right, the others wrong in five ways."""
    (folder / "hw.toml").write_text(ASSIGNMENT)
    (folder / "work").mkdir()
    for k in range(count):
        mistake = MISTAKES[k % len(MISTAKES)]
        text = PROGRAM.replace("MISTAKE", mistake).replace("import sys", "import os, sys") + f"# student {k}\n"
        (folder / "work" / f"student{k:03}.py").write_text(text)


def command(folder: Path, journal: str, *more: str) -> list[str]:
    paths = [str(folder / "hw.toml"), str(folder / "work"), "--journal", str(folder / journal)]
    return [sys.executable, "-m", "crosscount", "grade", *paths, "--jobs", "2", "--json", *more]


def same(text: str) -> list[Any]:
    """What must be the same in every run: everything but what a clock or a memory gauge says."""
    results = [json.loads(line) for line in text.splitlines()]
    for result in results:
        for case in result["cases"]:
            case["read"] = [line for line in case["read"] if "clock time" not in line]
            case["small"] = case["small"] and case["small"]["text"]
            case.pop("seconds")
    return results


def leftovers() -> set[str]:
    """Folders of runs, and processes of them or of the grader, that are there now."""
    found = {f"folder {path}" for path in Path(tempfile.gettempdir()).glob("crosscount-run-*")}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            said = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if "student" in said and int(process.name) != os.getpid():
            found.add(f"process {process.name}: {said[:80]}")
    return found


def finished(journal: Path) -> int:
    return journal.read_text().count('"case": {') if journal.exists() else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=100)
    parser.add_argument("--unsafe", action="store_true")
    arguments = parser.parse_args()
    more = ["--unsafe"] if arguments.unsafe else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        classroom(folder, arguments.submissions)
        begun = time.perf_counter()
        whole = subprocess.run(command(folder, "whole", *more), capture_output=True, text=True)
        seconds = time.perf_counter() - begun
        results = same(whole.stdout)
        cases = sum(len(result["cases"]) for result in results)
        print(
            f"{len(results)} submissions, {cases} cases: {seconds:.1f} s with two workers, exit code {whole.returncode}"
        )
        print(f"left behind: {leftovers() or 'nothing'}")
        begun = time.perf_counter()
        with subprocess.Popen(
            command(folder, "half", *more), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as run:
            while finished(folder / "half") < cases // 2 and run.poll() is None:
                time.sleep(0.1)
            run.send_signal(signal.SIGKILL)
        known = finished(folder / "half")
        print(f"killed after {time.perf_counter() - begun:.1f} s with {known} records in the journal")
        time.sleep(2)
        print(f"left behind: {leftovers() or 'nothing'}")
        begun = time.perf_counter()
        resumed = subprocess.run(command(folder, "half", "--resume", *more), capture_output=True, text=True)
        print(f"resumed: {time.perf_counter() - begun:.1f} s, exit code {resumed.returncode}")
        is_same = same(resumed.stdout) == results and resumed.returncode == whole.returncode
        print("the same result" if is_same else "ANOTHER RESULT")
        print(f"left behind: {leftovers() or 'nothing'}")
        sys.exit(0 if is_same and not leftovers() else 1)


if __name__ == "__main__":
    main()
