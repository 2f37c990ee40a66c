"""The plugin as a project sees it that has crosscount installed: puzzle files are tests, and solvers are checked."""

import ast
import re
import subprocess
import sys

import ortools.sat.python.cp_model  # noqa: F401  # pytester forgets what a run has imported; this it keeps
import pysat.solvers  # noqa: F401
import pytest

import crosscount.compare.gate_crosscheck
import crosscount.native.search  # noqa: F401

pytest_plugins = ["pytester"]

GOOD = 'family = "queens"\nsize = 4\n[expect]\ncount = 2\n'
INI = "[pytest]\ncrosscount_engines = fc-mrv sat\ncrosscount_cache = none\ncrosscount_time_limit = 20\n"

SOLVERS = '''
def candidates(grid, r, c):
    n = len(grid)
    box = {4: 2, 9: 3}[n]
    top, left = r // box * box, c // box * box
    used = set(grid[r]) | {grid[i][c] for i in range(n)}
    used |= {grid[i][j] for i in range(top, top + box) for j in range(left, left + box)}
    return [x for x in range(1, n + 1) if x not in used]


def consistent(grid):
    n = len(grid)
    for r in range(n):
        for c in range(n):
            value, grid[r][c] = grid[r][c], 0
            clash = value and value not in candidates(grid, r, c)
            grid[r][c] = value
            if clash:
                return False
    return True


def every(grid):
    """All solutions, one after the other."""
    if not consistent(grid):
        return
    blanks = [(r, c) for r in range(len(grid)) for c in range(len(grid)) if not grid[r][c]]
    if not blanks:
        yield [list(row) for row in grid]
        return
    r, c = blanks[0]
    for x in candidates(grid, r, c):
        grid[r][c] = x
        yield from every(grid)
    grid[r][c] = 0


def first(grid):
    return next(every(grid), None)


def blanks(grid):
    return sum(row.count(0) for row in grid)
'''

RIGHT = {
    "first": "def solver(grid):\n    return first(grid)",
    "flat": "def solver(grid):\n    found = first(grid)\n    return found and [x for row in found for x in row]",
    "all": "def solver(grid):\n    return list(every(grid))",
    "generator": "def solver(grid):\n    yield from every(grid)",
    "count": "def solver(grid):\n    return sum(1 for _ in every(grid))",
    "in place": """def solver(grid):
    found = first([list(row) for row in grid])
    if not found:
        return False
    grid[:] = found
    return True
""",
    "line": """def solver(line: str) -> str:
    found = first([[int(x) for x in line[i : i + 4]] for i in range(0, 16, 4)])
    return "" if found is None else "".join(str(x) for row in found for x in row)
""",
}

WRONG = {
    # name: (what it does, a sentence that a student understands, blanks in the small puzzle)
    "wrong grid": (
        "def solver(grid):\n    hard, found = blanks(grid) > 2, first(grid)\n"
        "    if found and hard:\n        found[0][0] = found[0][1]\n    return found",
        "solver returned a grid that is not a solution: ",
        3,
    ),
    "changes a given": (
        "def solver(grid):\n    found = first(grid)\n"
        "    if found:\n        found[3][3] = found[3][3] % 4 + 1\n    return found",
        "solver returned a grid that is not a solution: r4c4",
        0,
    ),
    "misses a solution": (
        "def solver(grid):\n    found = list(every(grid))\n    return found[1:] if len(found) > 1 else found",
        "solver misses 1 of 2 solutions.",
        None,
    ),
    "finds none": (
        "def solver(grid):\n    return first(grid) if blanks(grid) < 2 else None",
        "solver found no solution, but there is one.",
        2,
    ),
    "stops after two": (
        "def solver(grid):\n    from itertools import islice\n    return list(islice(every(grid), 2))",
        "solver misses ",
        None,
    ),
    "returns one twice": (
        "def solver(grid):\n    found = list(every(grid))\n    return found + found[:1]",
        "solver returned the same solution twice.",
        0,
    ),
    "invents": (
        "def solver(grid):\n    return first(grid) or [[1, 2, 3, 4]] * 4",
        "solver returned a grid for a puzzle that has no solution:",
        None,
    ),
    "counts one too many": (
        "def solver(grid):\n    return sum(1 for _ in every(grid)) + (blanks(grid) > 0)",
        "solver counts 2 solutions, but there is 1.",
        1,
    ),
    "raises": (
        "def solver(grid):\n    if blanks(grid) > 1:\n        return [][0]\n    return first(grid)",
        "solver raised an exception: IndexError: list index out of range (test_raises.py, line ",
        2,
    ),
    "calls exit": ("def solver(grid):\n    exit(3)", "solver raised an exception: it called exit()", 0),
    "kills its process": (
        "import os\ndef solver(grid):\n    os.kill(os.getpid(), 9)",
        "solver ended its process: killed by SIGKILL",
        0,
    ),
    "returns something else": (
        "def solver(grid):\n    return 'no idea'",
        "solver gave no answer: it returned 'no idea', expected a grid: 4 lists of 4 integers",
        0,
    ),
    "loops forever": (
        "def solver(grid):\n    while blanks(grid):\n        pass\n    return first(grid)",
        "solver was still running after 0.7 s, and was stopped.",
        1,
    ),
}


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest("-p", "no:cacheprovider", "-p", "no:hypothesispytest", *arguments)


def check(pytester: pytest.Pytester, solvers: dict[str, str], options: str) -> pytest.RunResult:
    """Every solver in a test file of its own, and what pytest says about all of them."""
    for name, solver in solvers.items():
        test = f"{SOLVERS}\n\n{solver}\n\n\ndef test_it(crosscheck):\n    crosscheck(solver, {options})\n"
        (pytester.path / f"test_{name.replace(' ', '_')}.py").write_text(test)
    return run(pytester)


def test_right_solvers_pass_whatever_they_return(pytester: pytest.Pytester) -> None:
    check(pytester, RIGHT, "size=4").assert_outcomes(passed=len(RIGHT))


def test_a_right_solver_of_full_size_passes_with_nothing_said(pytester: pytest.Pytester) -> None:
    check(pytester, {"first": RIGHT["first"]}, "").assert_outcomes(passed=1)


def test_a_solver_for_any_puzzle_passes(pytester: pytest.Pytester) -> None:
    solver = """
from crosscount.compare.conformance import listed
from crosscount.compare.engines import find
from crosscount.puzzles.puzzle import Puzzle


def solver(puzzle: Puzzle):
    return listed(find("cpsat"), puzzle)
"""
    check(pytester, {"any": solver}, "").assert_outcomes(passed=1)


def test_wrong_solvers_fail_each_with_a_small_puzzle(pytester: pytest.Pytester) -> None:
    result = check(pytester, {name: solver for name, (solver, _, _) in WRONG.items()}, "size=4, time_limit=0.7")
    result.assert_outcomes(failed=len(WRONG))
    reports = re.split(r"^_+ test_it _+$", result.stdout.str(), flags=re.MULTILINE)[1:]
    for name, report in zip(sorted(WRONG), reports, strict=True):
        _, sentence, blanks = WRONG[name]
        assert sentence in report, name
        assert "the puzzle" in report
        assert "Traceback" not in report
        call = re.search(r"^ {4}solver\((\[\[.*\]\])\)$", report, re.MULTILINE)
        assert call is not None, report
        grid = ast.literal_eval(call[1])
        assert [len(row) for row in grid] == [4] * 4
        if blanks is not None:
            assert sum(row.count(0) for row in grid) == blanks, name
        elif name == "invents":
            # Two equal values that clash are all that is left.
            assert sorted(x for row in grid for x in row if x) == [1, 1]


def test_the_form_can_be_said(pytester: pytest.Pytester) -> None:
    result = check(pytester, {"all": RIGHT["all"]}, "size=4, returns='count'")
    result.assert_outcomes(failed=1)
    assert "expected a whole number" in result.stdout.str()


def test_puzzle_files_are_tests(pytester: pytest.Pytester) -> None:
    pytester.makefile(".ini", pytest=INI)
    for name, text in {
        "good": GOOD,
        "wrong": "# a comment\n" + GOOD.replace("2", "3"),
        "bad": 'family = "chess"\n',
        "plain": 'family = "queens"\nsize = 4\n',
        "tree": 'family = "tree"\ntree = [[3, 5], [2, 9]]\n[expect]\nvalue = 3\n',
    }.items():
        (pytester.path / f"{name}.puzzle.toml").write_text(text)
    result = run(pytester, "-rs", "-v")
    result.assert_outcomes(passed=2, failed=2, skipped=1)
    output = result.stdout.str()
    assert "wrong.puzzle.toml:5: failed: expected exactly 3 solutions, found exactly 2 solutions" in output
    assert "They differ in q1 (2, 3)" in output
    assert 'bad.puzzle.toml:1: bad file: family "chess", expected one of sudoku' in output
    assert "claims nothing about its solutions" in output
    assert "Traceback" not in output


def test_undecided_is_not_green(pytester: pytest.Pytester) -> None:
    pytester.makefile(".ini", pytest=INI.replace("20", "0"))
    claim = 'family = "sudoku"\nsize = 9\n[expect]\ncount = 5472730538\n'
    (pytester.path / "large.puzzle.toml").write_text(claim)
    result = run(pytester)
    result.assert_outcomes(failed=1)
    assert "large.puzzle.toml:4: undecided: no engine finished" in result.stdout.str()


def test_answers_are_kept_where_the_project_says(pytester: pytest.Pytester) -> None:
    pytester.makefile(".ini", pytest=INI.replace("none", "kept"))
    (pytester.path / "good.puzzle.toml").write_text(GOOD)
    for _ in range(2):
        run(pytester).assert_outcomes(passed=1)
    assert (pytester.path / "kept" / "gate.sqlite3").is_file()


def test_it_can_be_turned_off(pytester: pytest.Pytester) -> None:
    (pytester.path / "wrong.puzzle.toml").write_text("nonsense")
    assert run(pytester, "-p", "no:crosscount").ret is pytest.ExitCode.NO_TESTS_COLLECTED


def test_loading_it_loads_nothing_else_of_ours() -> None:
    code = (
        "import sys, crosscount.pytest_plugin\n"
        "print([m for m in sys.modules if m.startswith('crosscount.') or m in ('numpy', 'numba', 'pydantic', 'rich')])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "['crosscount.pytest_plugin']"
