"""Small puzzles are as small as the steps allow. The programs here are functions, so that many can be tried."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from crosscount.compare.gate_suite import some
from crosscount.homework.assignment import Subject
from crosscount.homework.assignment_file import read_assignment
from crosscount.homework.attempt import Attempt
from crosscount.homework.reference import certify, certify_small
from crosscount.homework.results import Small, Verdict
from crosscount.homework.sandbox import Allowance, Ended
from crosscount.homework.shrink import kind_of, regrid, shrink
from crosscount.homework.shrink_tree import smaller_trees
from crosscount.homework.submissions import Submission
from crosscount.puzzles.gametree import GameTree
from crosscount.puzzles.puzzle import Puzzle

Rows = list[list[int]]
Answer = Callable[[str], str]


class Function:
    """A sandbox in which every program is this function of the puzzle's text."""

    name = "function"
    sees = "is a function"

    def has(self, program: str) -> bool:
        return True

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.runs = 0

    def run(
        self,
        argv: Sequence[str],
        program: Path,
        inputs: Mapping[str, bytes],
        allowance: Allowance,
        collect: Sequence[str] = (),
    ) -> Ended:
        self.runs += 1
        [text] = inputs.values()
        try:
            return Ended("exited", 0, stdout=self.answer(text.decode()).encode())
        except Exception as error:
            return Ended("exited", 1, stderr=f"{type(error).__name__}: {error}".encode())


def rows_of(text: str) -> Rows:
    return [[int(x) for x in line.split()] for line in text.splitlines()]


def printed(rows: Sequence[Sequence[int]]) -> str:
    return "\n".join(" ".join(map(str, row)) for row in rows)


def solved(rows: Rows) -> Rows:
    from crosscount.puzzles.sudoku import Sudoku

    n = len(rows)
    [solution] = some(Sudoku(tuple(map(tuple, rows))).puzzle("p"), 1)
    return [list(solution[r * n : r * n + n]) for r in range(n)]


def blanks(rows: Rows) -> int:
    return sum(row.count(0) for row in rows)


def says_the_puzzle(text: str) -> str:
    rows = rows_of(text)
    return printed(rows if rows[0][0] == 0 else solved(rows))


def gives_up_at_five(text: str) -> str:
    rows = rows_of(text)
    return "No solution" if blanks(rows) >= 5 else printed(solved(rows))


def only_nine(text: str) -> str:
    rows = rows_of(text)
    assert len(rows) == 9, "a grid of 9x9"
    return "No solution" if rows[0][0] == rows[8][0] == 0 else printed(solved(rows))


def two_blanks_in_a_row(text: str) -> str:
    rows = rows_of(text)
    return "No solution" if any(row.count(0) > 1 for row in rows) else printed(solved(rows))


PUZZLE = "@course-1"


def small_of(folder: Path, answer: Answer, cases: str) -> tuple[Attempt, Small, Subject, Function]:
    path = folder / "hw.toml"
    path.write_text(f'run = "python3 {{program}} {{puzzle}}"\n{cases}')
    assignment = read_assignment(str(path))
    sandbox = Function(answer)
    attempt = Attempt(assignment, Submission("p", Path("p.py"), "p.py"), sandbox)
    [case] = assignment.cases
    known = certify(assignment).of(case)
    failed = attempt.run(case, known)
    assert failed.verdict is not Verdict.PASSED
    found = shrink(attempt, case, known, failed, 60.0)
    assert found is not None
    return attempt, *found, sandbox


def fails(attempt: Attempt, subject: Subject, small: Small) -> bool:
    case = replace(attempt.assignment.cases[0], subject=subject)
    known = certify_small(subject, False, case.rule)
    assert known is not None
    kind = kind_of(attempt.run(case, known))
    return kind is not None and kind[0] is small.verdict


@pytest.mark.parametrize(
    ("answer", "size"),
    [
        (says_the_puzzle, "a 4x4 grid with 1 empty cell"),
        (gives_up_at_five, "a 4x4 grid with 5 empty cells"),
        (only_nine, "a 9x9 grid with 2 empty cells"),
        (two_blanks_in_a_row, "a 4x4 grid with 2 empty cells"),
    ],
)
def test_no_cell_more_can_be_filled_in(tmp_path: Path, answer: Answer, size: str) -> None:
    cases = f'[[cases]]\npuzzle = "{PUZZLE}"\nask = "one solution"\n'
    attempt, small, subject, _ = small_of(tmp_path, answer, cases)
    assert isinstance(subject, Puzzle)
    assert (small.size, small.is_minimal) == (size, True)
    assert fails(attempt, subject, small)
    [solution] = some(subject, 1)
    for v, domain in enumerate(subject.domains):
        if len(domain) > 1:
            filled = replace(subject, domains=(*subject.domains[:v], (solution[v],), *subject.domains[v + 1 :]))
            assert not fails(attempt, regrid(filled), small)


def test_a_puzzle_without_a_solution_loses_givens(tmp_path: Path) -> None:
    cases = '[[cases]]\npuzzle = "1100000000000000"\nask = "one solution"\n'
    _, small, subject, _ = small_of(tmp_path, lambda text: "1234\n3412\n2143\n4321", cases)
    assert isinstance(subject, Puzzle)
    assert not some(subject, 1)
    assert sum(len(domain) == 1 for domain in subject.domains) <= 2
    assert small.expected == "no solution"


def minimax(node: object, maximise: bool = True) -> int:
    if isinstance(node, int):
        return node
    assert isinstance(node, list)
    values = [minimax(child, not maximise) for child in node]
    return max(values) if maximise else min(values)


def test_no_step_makes_a_tree_smaller(tmp_path: Path) -> None:
    def forgets_the_last(text: str) -> str:
        tree = json.loads(text)
        return f"value: {minimax(tree if len(tree) < 3 else tree[:2])}" if isinstance(tree, list) else f"value: {tree}"

    cases = '[[cases]]\ntree = "[[3, 12, 8], [2, 4, 6], [14, 5, 20], [1, [2, 3]]]"\nask = "value"\n'
    attempt, small, subject, _ = small_of(tmp_path, forgets_the_last, cases)
    assert isinstance(subject, GameTree)
    assert (small.size, small.text, small.is_minimal) == ("a tree with 3 leaves", "[0, 0, 1]\n", True)
    assert small.verdict is Verdict.WRONG
    assert not any(fails(attempt, smaller, small) for smaller in smaller_trees(subject))


def test_who_moves_stays_the_same_in_smaller_trees() -> None:
    from crosscount.puzzles.tree_files import parse_tree
    from crosscount.puzzles.tree_write import to_json

    tree = parse_tree("[[3, [12, 8]], [[2, 4], [6, [1, [7, 5]]]]]", "tree").tree
    for smaller in smaller_trees(tree):
        again = parse_tree(to_json(smaller), "tree").tree
        assert again.maximises[0]
        assert (again.values, again.parent) == (smaller.values, smaller.parent)
        assert len(smaller) <= len(tree)


def test_a_slow_program_keeps_its_own_puzzle(tmp_path: Path) -> None:
    """What is not slow on a small puzzle is shown on the one of the case, and not called the smallest."""

    class Slow(Function):
        def run(self, *arguments: object, **named: object) -> Ended:
            allowance = arguments[3]
            assert isinstance(allowance, Allowance)
            return Ended("timed out", seconds=allowance.seconds) if allowance.seconds < 5 else Ended("exited", 0)

    cases = f'[[cases]]\npuzzle = "{PUZZLE}"\nask = "one solution"\nseconds = 9\n'
    path = tmp_path / "hw.toml"
    path.write_text(f'run = "python3 {{program}} {{puzzle}}"\n{cases}')
    assignment = read_assignment(str(path))
    [case] = assignment.cases
    known = certify(assignment).of(case)
    attempt = Attempt(assignment, Submission("p", Path("p.py"), "p.py"), Slow(str))
    failed = attempt.run(case, known, 1.0)
    assert failed.verdict is Verdict.TIMED_OUT
    found = shrink(attempt, case, known, failed, 60.0)
    assert found is not None
    assert found[0].size == "a 9x9 grid with 41 empty cells"
    assert not found[0].is_minimal
