"""A class full of students for the tests: programs, assignments for them, and one call that grades all."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from crosscount.homework.assignment_file import read_assignment
from crosscount.homework.grade import Grading
from crosscount.homework.journal import Journal
from crosscount.homework.reference import certify
from crosscount.homework.results import SubmissionResult
from crosscount.homework.sandbox import Sandbox
from crosscount.homework.submissions import find_submissions
from tests.homework.sudoku_programs import Program

SETTINGS = """
[run]
py = "python3 {program} {puzzle} {algorithm}"
pl = "perl {program} {puzzle} {algorithm}"
[limits]
seconds = 20
cpu_seconds = 1
memory = 128
output = 1
"""
ONE_SOLUTION = """
[[cases]]
puzzle = [
    "1234341221434321",
    "0000024300000104",
    "300186954185349726600257183948713562516924378237568419463875200851492637729631840",
]
algorithm = "BT"
ask = ["one solution", "nodes", "time"]
points = 10
"""
"""A full grid, one on which backtracking meets dead ends, and one of the usual size."""
ALL_SOLUTIONS = """
[[cases]]
puzzle = ["1234341221434321", "3240010204000304"]
algorithm = "BT"
ask = ["all solutions", "count"]
points = 10
"""
TREES = """
[[cases]]
tree = ["[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", "[[[3, 5], [6, 9]], [[1, 2], [0, -1]]]", "[[-3, -5], [-4, -1]]"]
ask = ["value", "visited"]
points = 10
"""


def runnable(programs: Sequence[Program]) -> list[Program]:
    """Those whose language is there."""
    return [program for program in programs if program.ending == "py" or shutil.which("perl") is not None]


def graded(
    folder: Path, programs: Sequence[Program], text: str, sandbox: Sandbox, shrink: float = 20.0
) -> dict[str, SubmissionResult]:
    """What each program is worth; `text` is an assignment, whose last table is its cases."""
    submissions = folder / "submissions"
    submissions.mkdir(parents=True)
    for program in programs:
        (submissions / f"{program.name}.{program.ending}").write_text(program.text, encoding="utf-8")
    file = folder / "assignment.toml"
    file.write_text(f"{SETTINGS}\n[shrink]\nseconds = {shrink}\n{text}", encoding="utf-8")
    assignment = read_assignment(str(file))
    found = find_submissions(assignment, [str(submissions)])
    with Journal(folder / "journal.jsonl", assignment.digest, sandbox.name, resume=False) as journal:
        results = Grading(assignment, certify(assignment), found, sandbox, journal, jobs=2).run()
    return {result.name: result for result in results}
