"""Answers in all the shapes that students leave them in."""

from pathlib import Path

import pytest

from crosscount.homework.read_numbers import read_count, read_nodes, read_times
from crosscount.homework.read_solutions import read_solutions
from crosscount.homework.read_tree import read_tree_answer
from crosscount.homework.sandbox import Ended
from crosscount.homework.sources import decode, sources
from crosscount.puzzles.draw import draw
from crosscount.puzzles.families import Queens, Sudoku

FOUR = Sudoku.blank(4).puzzle("four")
NINE = Sudoku.blank(9).puzzle("nine")
SOLVED = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
ROWS = "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1"


@pytest.mark.parametrize(
    "text",
    [
        ROWS,
        ROWS + "\n",
        ROWS.replace(" ", ""),
        ROWS.replace(" ", ","),
        "1234341221434321",
        "Solution: 1234341221434321",
        draw(FOUR, SOLVED),
        "1 2 | 3 4\n3 4 | 1 2\n----+----\n2 1 | 4 3\n4 3 | 2 1",
        "[[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]",
        "solution = [[1, 2, 3, 4],\n [3, 4, 1, 2],\n [2, 1, 4, 3],\n [4, 3, 2, 1]]",
        "[[1 2 3 4]\n [3 4 1 2]\n [2 1 4 3]\n [4 3 2 1]]",
        "[[1. 2. 3. 4.]\n [3. 4. 1. 2.]\n [2. 1. 4. 3.]\n [4. 3. 2. 1.]]",
        "{'grid': [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]}",
        "Row 1: 1 2 3 4\nRow 2: 3 4 1 2\nRow 3: 2 1 4 3\nRow 4: 4 3 2 1",
        f"Puzzle:\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\nSolved:\n{ROWS}\nNumber of nodes generated: 4321",
        f"Original puzzle\n{ROWS}\nSolution\n{ROWS}",
        f"Number of solutions: 1234\nsearching...\n{ROWS}\ndone",
    ],
)
def test_a_solution_in_any_shape(text: str) -> None:
    assert read_solutions(text, FOUR).grids == (SOLVED,)


def test_several_solutions() -> None:
    assert read_solutions(f"Solution 1\n{ROWS}\nSolution 2:\n{ROWS}\n", FOUR).grids == (SOLVED, SOLVED)
    assert len(read_solutions(f"[{[list(SOLVED)] * 3}]", FOUR).grids) == 3


@pytest.mark.parametrize(
    "text", ["No solution", "no solution found!", "UNSAT", "0 solutions", "This is unsolvable.", "无解"]
)
def test_that_there_is_none_is_an_answer(text: str) -> None:
    said = read_solutions(text, FOUR)
    assert said.says_none
    assert not said.grids


def test_half_a_grid_is_told() -> None:
    said = read_solutions("1 2 3 4\n3 4 1 2\n2 1 4 3\n", FOUR)
    assert (said.grids, said.left_over) == ((), "3 of 4 rows, then the end of the text")
    assert not said.says_none


def test_an_unfinished_grid_is_read_as_it_is() -> None:
    assert read_solutions(ROWS.replace("1", "."), FOUR).grids == (tuple(0 if x == 1 else x for x in SOLVED),)


def test_other_puzzles() -> None:
    queens = Queens(4).puzzle("queens")
    assert read_solutions("Found it\n2 4 1 3\n", queens).grids == ((2, 4, 1, 3),)
    assert read_solutions(". Q . .\n. . . Q\nQ . . .\n. . Q .\n", queens).grids == ((2, 4, 1, 3),)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Total solutions: 413", 413),
        ("Found 413 solutions in 20 ms", 413),
        ("Number of solutions found: 1,413", 1413),
        ("413\n", 413),
        ("Solution 1:\n", None),
        ("solutions found: 12", 12),
        ("Solution count = 7", 7),
        ("exactly 0 solutions", 0),
    ],
)
def test_a_count(text: str, count: int | None) -> None:
    assert read_count(text) == count


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("Nodes explored: 167", 167),
        ("nodecount: 12", 12),
        ("Number of nodes generated: 1,670", 1670),
        ("node_count = 5", 5),
        ("explored 17 nodes in 3 s", 17),
        ("0.5\n0.3\n167", 167),
        ("nodes 5\ntime 0.123", 5),
        ("nothing", None),
    ],
)
def test_a_number_of_nodes(text: str, nodes: int | None) -> None:
    assert read_nodes(text) == nodes


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Total clock time: 540.5 ms", 0.5405),
        ("Time taken: 2 s", 2.0),
        ("elapsed 1500000 ns", 0.0015),
        ("Search time (s): 0.25", 0.25),
        ("time: 12", 0.012),
        ("took 3 minutes", 180.0),
        ("12.5\n3.5\n41", 0.0125),
    ],
)
def test_a_time_in_any_unit(text: str, seconds: float) -> None:
    assert read_times(text, "ms")[0].seconds == pytest.approx(seconds)


def test_an_answer_about_a_tree_in_other_words() -> None:
    said = read_tree_answer(
        "The minimax value is -3\nVisited leaves: [3, 12, 8, 2]\nNumber of leaves visited: 4\nMove: 1"
    )
    assert (said.value, said.visited, said.move) == (-3, (3, 12, 8, 2), 1)
    assert read_tree_answer('{"value": 3, "pruned": ["/0/1"]}').pruned == ("/0/1",)
    assert read_tree_answer("7").value == 7


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        ("解 1".encode(), "解 1", ""),
        ("\ufeff1".encode(), "1", "UTF-8 with a byte order mark"),
        ("1".encode("utf-16"), "1", "UTF-16"),
        ("答案".encode("gbk"), "答案", "GBK"),
        (b"\x1b[1m1\x1b[0m", "1", ""),
        (b"\x1bc1\x07\x9b2\xc2\x9b"[:4], "\ufffdc1\ufffd", ""),
        (b"\xff\x81 1", "\ufffd\ufffd 1", "not UTF-8"),
    ],
)
def test_encodings(data: bytes, text: str, encoding: str) -> None:
    assert decode(data) == (text, encoding)


def test_the_likeliest_place_comes_first() -> None:
    files = {"out/Solution1.txt": b"b", "solution1.txt": b"a", "notes.txt": b"c"}
    found = sources(Ended("exited", 0, stdout=b"d", files=files), ["solution{n}.txt", "stdout", "*"], "1")
    assert [source.text for source in found] == ["a", "b", "d", "c"]


LONG = 200_000
HOSTILE = {
    "one letter": "x" * LONG,
    "digits": "1" * LONG,
    "a rule": "-" * LONG + "x",
    "blanks": " " * LONG + "x",
    "nodes": "nodes " * (LONG // 6),
    "no": "no " * (LONG // 3),
    "times": ("time " * 39 + "\n") * 1000,
    "short digits": ("1" * 199 + "\n") * 1000,
    "brackets": "[" * LONG,
    "values": "value " * (LONG // 6),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_that_is_printed_keeps_the_grader_busy(text: str) -> None:
    """With a pattern that tries every pair of places this would take hours."""
    read_count(text)
    read_nodes(text)
    read_times(text, "ms")
    assert not read_solutions(text, NINE).grids
    assert read_tree_answer(text).visited is None


def test_the_course_asks_what_our_own_solver_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`crosscount solve --files` is the example that the course's files follow."""
    from crosscount.cli.course import write_files
    from crosscount.compare.runs import Run

    monkeypatch.chdir(tmp_path)
    write_files(
        Sudoku.blank(4).puzzle("puzzle7"), SOLVED, Run("bt", "native", "stopped", "solutions", 1, nodes=16), 0.5
    )
    assert read_solutions((tmp_path / "solution7.txt").read_text(), FOUR).grids == (SOLVED,)
    performance = (tmp_path / "performance7.txt").read_text()
    assert read_nodes(performance) == 16
    assert read_times(performance, "ms")[0].seconds == pytest.approx(0.5)
