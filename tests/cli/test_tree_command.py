"""`crosscount tree` and `crosscount game` from the outside: output, exit codes, errors."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from crosscount.cli.game import game
from crosscount.cli.tree import tree
from crosscount.puzzles.errors import InputError

BOOK = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
app = typer.Typer()
app.command()(tree)
app.command()(game)


def run(*arguments: str, given: str | None = None) -> Any:
    return CliRunner().invoke(app, list(arguments), input=given)


def test_agreement_exits_0_with_drawing_table_and_verdict() -> None:
    result = run("tree", BOOK)
    assert result.exit_code == 0
    for words in ("├─ min ≤2: 2 ✂4 ✂6   (alpha 3, beta 2)", "alphabeta-tt", "value 3; optimal moves: 0", "agree: "):
        assert words in result.stdout


def test_json_is_one_object() -> None:
    found = json.loads(run("tree", "@course", "--json").stdout)
    assert (found["tree"], found["verdict"], found["value"], found["moves"]) == ("@course", "agree", 1, [1])
    engines = {engine["name"]: engine for engine in found["engines"]}
    assert {engine["value"] for engine in engines.values()} == {1}
    assert engines["alphabeta"]["leaves_visited"] == [0, 5, -3, 3, 5, 2, 5, 1, -3, -5, 2, 3, -3, -1, 0, 4, 5, -1]
    assert engines["alphabeta"]["leaves_pruned"] == 23
    assert engines["alphabeta"]["nodes"] == 62
    assert len(engines["alphabeta"]["cutoffs"]) == 13
    for engine in found["engines"]:
        assert {"name", "value", "leaves_visited", "leaves_pruned", "nodes", "cutoffs"} <= engine.keys()
    assert found["findings"] == []


def test_infinite_values_are_words_in_json() -> None:
    found = json.loads(run("tree", '[["inf", "-inf"], ["-inf"]]', "--json").stdout)
    assert found["value"] == "-inf"


def test_a_wrong_answer_exits_1_with_the_witness(tmp_path: Path) -> None:
    answer = tmp_path / "answer.txt"
    answer.write_text("value: 3\nvisited: 3 12 2 14 5 2\n")
    result = run("tree", BOOK, "--answer", str(answer))
    assert result.exit_code == 1
    assert "answer: branch /0/2 is pruned without right: with its leaf at 2 the root is worth 2, not 3" in result.stdout
    found = json.loads(run("tree", BOOK, "--answer", str(answer), "--json").stdout)
    assert found["verdict"] == "disagree"
    assert found["findings"][0]["kind"] == "pruning"
    assert found["findings"][0]["witness"] == {
        "branch": "/0/2",
        "branches": 1,
        "leaf_value": 2,
        "with_earlier_cuts": 0,
        "root_value": 2,
        "minimax": 3,
    }
    assert found["answer"]["passed"] is False


def test_a_right_answer_exits_0(tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text('{"value": 3, "visited": [3, 12, 8, 2, 14, 5, 2], "move": 0}')
    result = run("tree", BOOK, "--answer", str(answer))
    assert (result.exit_code, "the answer holds" in result.stdout) == (0, True)


def test_root_and_cutoff_are_obeyed() -> None:
    assert json.loads(run("tree", "[[3, 4], [3, 9]]", "--root", "min", "--json").stdout)["value"] == 4
    by_rule = [
        json.loads(run("tree", "[[3, 4], [3, 9]]", "--cutoff", rule, "--json").stdout)["engines"][1]
        for rule in ("le", "lt")
    ]
    assert [engine["leaves_visited"] for engine in by_rule] == [[3, 4, 3], [3, 4, 3, 9]]


def test_standard_input_files_and_pictures(tmp_path: Path) -> None:
    assert json.loads(run("tree", "-", "--json", given="((3,5),(2,9));").stdout)["value"] == 3
    file, svg, dot = tmp_path / "t.json", tmp_path / "t.svg", tmp_path / "t.dot"
    file.write_text(BOOK)
    assert run("tree", str(file), "--svg", str(svg), "--dot", str(dot)).exit_code == 0
    assert svg.read_text().startswith("<svg ")
    assert dot.read_text().startswith("digraph tree {")


TEST_FILE = '''alg: "AlphaBetaAgent"
depth: "1"
num_agents: "2"
start_state: "s"
win_states: "a b c d"
lose_states: ""
successors: """
s L l
s R r
l 1 a
l 2 b
r 1 c
r 2 d
"""
evaluation: """
a 3
b 5
c 2
d 9
"""
'''


def test_a_course_file_is_held_against_its_solution(tmp_path: Path) -> None:
    test, solution = tmp_path / "x.test", tmp_path / "x.solution"
    test.write_text(TEST_FILE)
    assert run("tree", str(test)).exit_code == 0
    solution.write_text('action: "L"\ngenerated: "s l r a b c"\n')
    result = run("tree", str(test))
    assert (result.exit_code, "x.solution holds" in result.stdout) == (0, True)
    solution.write_text('action: "R"\ngenerated: "s l r a b c d"\n')
    result = run("tree", str(test))
    assert result.exit_code == 1
    assert "solution: action is 'R', the first best one is 'L'" in result.stdout
    assert "solution: generated without need: d" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tree", "[[3], []]"), "tree:1: column 8: found an empty list, expected at least one child"),
        (("tree", "nowhere.json"), "nowhere.json: no such file, expected a tree"),
        (("tree", BOOK, "--answer", "nowhere.txt"), "nowhere.txt: cannot be read"),
        (("tree", BOOK, "--svg", "nowhere/at/all.svg"), "cannot be written"),
        (("tree", '{"mover": "max", "children": [1]}', "--root", "min"), "the root is a max node, expected min"),
        (("game", "chess"), "no game is called 'chess', expected one of tic-tac-toe"),
        (("game", "connect-4", "--board", "7by6"), "board: found '7by6', expected columns and rows such as 7x6"),
        (("game", "nim", "--position", "-"), "position: found '-', expected heap sizes"),
    ],
)
def test_bad_input_is_an_input_error(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)


def test_wrong_usage_exits_2() -> None:
    assert run("tree", BOOK, "--cutoff", "eq").exit_code == 2
    assert run("tree").exit_code == 2


def test_a_game_gets_a_verdict_from_three_families() -> None:
    result = run("game", "tic-tac-toe", "--position", "X.O/.X./...")
    assert result.exit_code == 0
    assert "agree: 9 engines of 3 families; every search audited on the whole tree" in result.stdout
    found = json.loads(run("game", "tic-tac-toe", "--position", "XO.......", "--json").stdout)
    assert (found["verdict"], found["value"], found["game"]) == ("agree", 1, "tic-tac-toe")
    assert {engine["value"] for engine in found["engines"]} == {1}


def test_boards_can_be_chosen() -> None:
    found = json.loads(run("game", "connect-3", "--board", "3x3", "--json", "--cutoff", "lt").stdout)
    assert (found["verdict"], found["value"]) == ("agree", 0)


def test_a_game_too_large_is_undecided_and_exits_3() -> None:
    result = run("game", "connect-4", "--board", "6x5", "--max-nodes", "500")
    assert result.exit_code == 3
    assert "undecided: fewer than two families of engines finished; --max-nodes allows more" in result.stdout


def test_a_finished_game_has_no_moves() -> None:
    found = json.loads(run("game", "nim", "--position", "0", "--json").stdout)
    assert (found["value"], found["moves"]) == (-1, [])


def test_importing_the_commands_loads_no_solver() -> None:
    heavy = "{'numpy', 'numba', 'ortools', 'pysat'}"
    code = f"import sys, crosscount.cli.tree, crosscount.cli.game; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
