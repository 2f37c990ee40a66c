"""The verdict on what a run left, without running anything."""

from pathlib import Path

import pytest

from crosscount.homework.assignment_file import read_assignment
from crosscount.homework.judge import judge
from crosscount.homework.reference import Reference, certify
from crosscount.homework.results import CaseResult, Verdict
from crosscount.homework.sandbox import Ended
from crosscount.homework.sanity import flags, forced_cells
from crosscount.puzzles.families import Sudoku
from crosscount.puzzles.read import read_one

TEXT = """
run = "python3 {program} {puzzle}"
[[cases]]
name = "one"
puzzle = ["1234341221434300", "1234341221434322"]
ask = "one solution"
points = 4
[[cases]]
name = "all"
puzzle = "3240010204000304"
ask = ["all solutions", "count"]
points = 4
[[cases]]
name = "tree"
tree = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
ask = ["value", "visited", "move"]
points = 3
[[cases]]
puzzle = "@course-1"
algorithm = ["BT", "FC-MRV"]
ask = ["one solution", "nodes", "time"]
points = 10
"""
RIGHT = "1234\n3412\n2143\n4321\n"
FIRST, SECOND = "3241\n4132\n1423\n2314\n", "3241\n4132\n2413\n1324\n"
TREE = "value: 3\nvisited: 3 12 8 2 14 5 2\nmove: 0\n"


class Desk:
    """One assignment, and a call that judges what is printed."""

    def __init__(self, path: Path, text: str) -> None:
        path.write_text(text)
        self.assignment = read_assignment(str(path))
        self.reference: Reference = certify(self.assignment)

    def judge(self, name: str, printed: str = "", ended: Ended | None = None) -> CaseResult:
        case = next(case for case in self.assignment.cases if case.name == name)
        ended = ended or Ended("exited", 0, stdout=printed.encode(), seconds=0.1)
        return judge(self.assignment, case, ended, self.reference.of(case))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("judge") / "hw.toml", TEXT)


@pytest.mark.parametrize(
    ("case", "printed", "verdict", "evidence"),
    [
        ("one puzzle1", RIGHT, "passed", ""),
        ("one puzzle1", RIGHT + "\n" + RIGHT, "passed", ""),
        ("one puzzle1", RIGHT + "\n1243\n3412\n2143\n4321\n", "wrong answer", "grid 2 of 2 is not a solution"),
        ("one puzzle1", "no solution", "wrong answer", "stdout says that there is no solution, but there is one"),
        ("one puzzle1", "", "no answer", "no solution was found: nothing was printed, and no file is called like"),
        ("one puzzle1", "hello", "no answer", "no solution was found in stdout"),
        ("one puzzle1", "1234\n3412\n2143\n43\n", "no answer", "stdout: 3 of 4 rows, then 2 cells in a row in line 4"),
        ("one puzzle1", RIGHT.replace("1", "5"), "wrong answer", "r1c1 is given as 1, the answer has 5"),
        ("one puzzle2", "No solution!", "passed", ""),
        ("one puzzle2", "1234\n3412\n2143\n4322", "wrong answer", "the puzzle has no solution"),
        ("all puzzle1", FIRST + SECOND + "2 solutions", "passed", ""),
        ("all puzzle1", FIRST + "2 solutions", "wrong answer", "1 of 2 solutions missing, 1 there"),
        ("all puzzle1", "count: 3", "no answer", "stdout says 3, there are exactly 2 solutions"),
        ("tree tree1", TREE, "passed", ""),
        ("tree tree1", TREE.replace("value: 3", "value: 4"), "wrong answer", "minimax gives 3"),
        ("tree tree1", TREE.replace("move: 0", "move: 2"), "wrong answer", "move 2 is worth 2, 0 is worth 3"),
        ("tree tree1", TREE.replace(" 5 2", ""), "wrong answer", "are pruned without right"),
        ("tree tree1", TREE.replace(" 2 14", " 2 4 6 14"), "wrong answer", "too little pruning: 2 leaves"),
        ("tree tree1", "value: 3", "no answer", "no list of visited leaves was found in stdout"),
    ],
)
def test_verdicts(desk: Desk, case: str, printed: str, verdict: str, evidence: str) -> None:
    result = desk.judge(case, printed)
    assert str(result.verdict) == verdict
    assert bool(result.evidence) == (verdict != "passed")
    assert any(evidence in line for line in (*result.evidence, ""))
    assert (result.points == result.most) == (verdict == "passed")


@pytest.mark.parametrize(
    ("how", "verdict"),
    [
        ("timed out", Verdict.TIMED_OUT),
        ("out of memory", Verdict.OUT_OF_MEMORY),
        ("too much output", Verdict.TOO_MUCH),
        ("too much disk", Verdict.TOO_MUCH),
        ("killed by a signal", Verdict.CRASHED),
        ("could not start", Verdict.NOT_RUN),
    ],
)
def test_after_a_bad_end_nothing_counts(desk: Desk, how: str, verdict: Verdict) -> None:
    ended = Ended(how, signal="SIGSEGV", stdout=RIGHT.encode(), notes=("no such program",))  # type: ignore[arg-type]
    result = desk.judge("one puzzle1", ended=ended)
    assert (result.verdict, result.points) == (verdict, 0.0)
    assert result.evidence


def test_an_exit_code_explains_what_is_missing_and_excuses_nothing(desk: Desk) -> None:
    lost = desk.judge("one puzzle1", ended=Ended("exited", 1, stderr=b"Traceback\nValueError: x"))
    assert lost.verdict is Verdict.CRASHED
    assert "ended with exit code 1" in lost.evidence
    assert any("ValueError: x" in line for line in lost.evidence)
    assert desk.judge("one puzzle1", ended=Ended("exited", 1, stdout=RIGHT.encode())).verdict is Verdict.PASSED
    wrong = desk.judge("one puzzle1", ended=Ended("exited", 1, stdout=b"no solution"))
    assert wrong.verdict is Verdict.WRONG


def test_a_repeated_solution_is_shown(desk: Desk) -> None:
    result = desk.judge("all puzzle1", FIRST + SECOND + FIRST + "\nNumber of solutions: 2")
    assert result.evidence == ("the same solution is there 2 times (1 repeats in all)",)
    assert result.boards[0].title == "there 2 times"
    assert result.points == 2.0, "the count is right, and is half of what was asked"


def test_a_part_of_all_solutions_can_be_worth_a_part(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "hw.toml", TEXT + '[rubric]\nsome_solutions = "share"\nneedless_leaves = "fine"\n')
    assert desk.judge("all puzzle1", FIRST + "2 solutions").points == 3.0
    assert desk.judge("tree tree1", TREE.replace(" 2 14", " 2 4 6 14")).verdict is Verdict.PASSED


SOLVED = "372186954185349726694257183948713562516924378237568419463875291851492637729631845\n"


def test_odd_claims_are_flagged_and_cost_nothing(desk: Desk) -> None:
    def claim(name: str, nodes: int) -> CaseResult:
        return desk.judge(name, f"{SOLVED}nodes: {nodes}\ntime: 3 s\n")

    few = claim("puzzle1 BT", 40)
    assert few.points == 10.0
    assert any("the whole run took 0.10 s" in note for note in few.notes)
    assert flags(desk.assignment, [few]) == ("puzzle1 BT: 40 nodes, but 41 empty cells take at least one each",)
    assert flags(desk.assignment, [claim("puzzle1 BT", 41)]) == ()
    more = [claim("puzzle1 BT", 94), claim("puzzle1 FC-MRV", 95)]
    assert flags(desk.assignment, more)[0].startswith("puzzle1 FC-MRV: 95 nodes, more than the 94 of puzzle1 BT")
    assert flags(desk.assignment, [claim("puzzle1 BT", 94), claim("puzzle1 FC-MRV", 41)]) == ()
    assert "more than any computer does" in flags(desk.assignment, [claim("puzzle1 BT", 10**12)])[0]
    assert "less than none" in flags(desk.assignment, [claim("puzzle1 BT", -1)])[0]


def test_cells_that_fill_themselves_need_no_node() -> None:
    blank = Sudoku.blank(4).puzzle("blank")
    assert forced_cells(blank) == 0
    assert forced_cells(read_one("1234341221434300").puzzle) == 2
    course = read_one("@course-1").puzzle
    assert 0 < forced_cells(course) < 41
