"""`crosscount check`: a right answer, a wrong one, one to another puzzle."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., "subprocess.CompletedProcess[str]"]

WRONG = Path(__file__).parent.parent / "data" / "course_3.wrong_answer.txt"
BROKEN = [
    "box 1 holds 4 twice (r2c3, r3c2)",
    "box 2 holds 2 twice (r1c5, r2c6)",
    "box 7 holds 2 twice (r7c2, r8c3)",
    "box 8 holds 4 twice (r8c6, r9c5)",
]
FOUR_6 = ["1234 4312 3421 2143", "1234 4321 3412 2143"]


def test_the_published_wrong_answer_breaks_four_boxes(crosscount: Run) -> None:
    ran = crosscount("check", "@course-3", str(WRONG))
    assert ran.returncode == 1
    assert ran.stdout.splitlines() == ["course-3: the answer is not a solution:", *(f"  {why}" for why in BROKEN)]
    assert ran.stderr == ""


def test_json_has_the_puzzle_the_truth_and_the_sentences(call: Run) -> None:
    ran = call("check", "@course-3", str(WRONG), "--json")
    assert ran.returncode == 1
    assert json.loads(ran.stdout) == {"puzzle": "course-3", "valid": False, "broken": BROKEN}


def test_what_solve_writes_is_a_right_answer(call: Run) -> None:
    assert call("solve", "@course-3", "fc-mrv", "--files").returncode == 0
    ran = call("check", "@course-3", "solution3.txt")
    assert (ran.returncode, ran.stdout) == (0, "course-3: the answer is a solution\n")
    ran = call("check", "@course-3", "solution3.txt", "--json")
    assert json.loads(ran.stdout) == {"puzzle": "course-3", "valid": True, "broken": []}


def test_an_answer_that_changes_a_given_is_told_so(call: Run, tmp_path: Path) -> None:
    solution = call("solve", "@course-1", "bt").stdout.split("\n\n")[0]
    rows = [row.split() for row in solution.split("\n")]
    # Two values swapped wherever they stand: every row, column and box is still in order, the givens are not.
    swapped = [[{"1": "2", "2": "1"}.get(value, value) for value in row] for row in rows]
    (tmp_path / "answer.txt").write_text("\n".join(" ".join(row) for row in swapped))
    ran = call("check", "@course-1", "answer.txt")
    assert ran.returncode == 1
    complaints = ran.stdout.splitlines()[1:]
    assert complaints[0] == "  r1c3 is given as 2, the answer has 1"
    assert all("is given as" in complaint for complaint in complaints)


def test_a_hole_and_a_value_too_large_are_named(call: Run) -> None:
    ran = call("check", "@four-6", "1234 4312 3421 2190")
    assert ran.returncode == 1
    assert "  r4c3 is given as 4, the answer has 9\n" in ran.stdout
    assert "  r4c4 holds 0, expected 1 to 4\n" in ran.stdout


def test_several_answers_are_checked_one_by_one(crosscount: Run) -> None:
    lines = "\n".join(line.replace(" ", "") for line in FOUR_6)
    ran = crosscount("check", "@four-6", "-", given=lines)
    assert ran.returncode == 0
    assert ran.stdout == "four-6: answer 1 of 2 is a solution\nfour-6: answer 2 of 2 is a solution\n"
    ran = crosscount("check", "@four-6", "-", "--json", given=lines.replace("1234", "1243", 1))
    assert ran.returncode == 1, "one wrong answer is enough"
    assert [json.loads(line)["valid"] for line in ran.stdout.splitlines()] == [False, True]


def test_queens_may_be_numbers_or_a_board(call: Run, tmp_path: Path) -> None:
    assert call("check", "@queens-6", "2 4 6 1 3 5").returncode == 0
    assert call("check", "@queens-6", "1 2 3 4 5 6").returncode == 1
    (tmp_path / "board.txt").write_text(".Q....\n...Q..\n.....Q\nQ.....\n..Q...\n....Q.\n")
    assert call("check", "@queens-6", "board.txt").returncode == 0


def test_a_solution_of_another_puzzle_is_no_solution(call: Run) -> None:
    call("solve", "@course-2", "bt", "--files")
    ran = call("check", "@course-1", "solution2.txt")
    assert ran.returncode == 1
    assert "is given as" in ran.stdout
