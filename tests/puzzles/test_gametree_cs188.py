"""The tree files of CS188, written here by hand."""

from pathlib import Path

import pytest

from crosscount.puzzles import tree_cs188
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.gametree import backed_up
from crosscount.puzzles.tree_cs188 import parse_cs188, parse_entries, parse_solution
from crosscount.puzzles.tree_files import load_tree

SHARED = '''# Two moves lead to the same state, and three agents take turns.
class: "SomeTest"
alg: "AlphaBetaAgent"
depth: "1"
num_agents: "3"

diagram: """
   s
  / \\\\
"""
start_state: "s"
win_states: "w"
lose_states: ""
successors: """
s left a
s right b
a go c   # shared
b go c
b stay w
c on d
c off e
d on x
"""
evaluation: """
w 7.0
d 2
e -1.5
"""
'''


def test_states_are_unrolled_along_every_path() -> None:
    tree, prunes = parse_cs188(SHARED, "t.test")
    assert prunes
    # s; a, c with leaves d and e; b, c again with both, and the won state w.
    assert [tree.names[node] for node in range(len(tree))] == ["s", "a", "c", "d", "e", "b", "c", "d", "e", "w"]
    assert tree.maximises[:3] == [True, False, False]
    assert tree.moves[1] == "left"
    assert backed_up(tree)[0] == -1.5


def test_a_cycle_of_states_ends_with_the_depth() -> None:
    text = (
        SHARED.replace("d on x", "d on s\ne on s").replace("e -1.5", "e -1.5\nc 3").replace('depth: "1"', 'depth: "2"')
    )
    tree, _ = parse_cs188(text, "t")
    assert max(sum(1 for _ in tree.ancestors(leaf)) for leaf in tree.leaves()) == 6


def test_the_solution_beside_a_test_is_read(tmp_path: Path) -> None:
    (tmp_path / "t.test").write_text(SHARED)
    alone = load_tree(str(tmp_path / "t.test"))
    assert alone.rule == "lt"
    assert alone.solution is not None
    assert alone.solution.action is None
    (tmp_path / "t.solution").write_text('# ours\naction: "left"\ngenerated: """\ns a b\nc d e\n"""\n')
    solution = load_tree(str(tmp_path / "t.test")).solution
    assert solution is not None
    assert (solution.action, solution.generated) == ("left", frozenset("sabcde"))


def test_older_solutions_say_expanded() -> None:
    assert parse_solution('expanded: "a b"', "t", True).generated == frozenset("ab")


def test_entries_have_one_or_several_lines() -> None:
    found = parse_entries('a: "x # y" # comment\n\n# b: "no"\nc: """\n1\n2\n"""\nd : ""', "t")
    assert found == {"a": (1, "x # y"), "c": (4, "\n1\n2\n"), "d": (8, "")}


BAD = {
    "no key": ('start_state: "s"', "", "t: found no start_state, expected a line start_state"),
    "alg": (
        "AlphaBetaAgent",
        "ExpectimaxAgent",
        "t:3: found alg 'ExpectimaxAgent', expected MinimaxAgent or AlphaBeta",
    ),
    "depth": ('depth: "1"', 'depth: "deep"', "t:4: found depth 'deep', expected a whole number from 0"),
    "agents": ('num_agents: "3"', 'num_agents: "0"', "t:5: found num_agents '0', expected a whole number from 1"),
    "two words": ("a go c   # shared", "a go", "t:17: found 2 words, expected three: state, action, next state"),
    "action twice": ("s right b", "s left b", "t:16: found action left of state s a second time, expected each once"),
    "three words": ("e -1.5", "e -1 .5", "t:27: found 3 words, expected two: state, number"),
    "number": ("e -1.5", "e low", "t:27: found 'low', expected a number for state e"),
    "evaluated twice": ("e -1.5", "d -1.5", "t:27: found the state d a second time, expected each once"),
    "no evaluation": ("w 7.0\n", "", "t: state 'w' is a leaf and has no evaluation, expected a line"),
    "dead end": ("s left a\n", "s left z\n", "t: state 'z' has no successors and has no evaluation, expected"),
    "no end": ('e -1.5\n"""', "e -1.5", 't:24: evaluation starts with """ and does not end, expected """'),
    "tail": ('depth: "1"', 'depth: "1" rounds', "t:4: found 'rounds' after the value of depth, expected a new line"),
    "twice": ('depth: "1"', 'depth: "1"\ndepth: "2"', "t:5: found depth a second time, expected each key once"),
}


@pytest.mark.parametrize(("old", "new", "message"), BAD.values(), ids=BAD.keys())
def test_bad_files(old: str, new: str, message: str) -> None:
    assert old in SHARED
    with pytest.raises(InputError) as caught:
        parse_cs188(SHARED.replace(old, new, 1), "t")
    assert message in str(caught.value)


def test_a_solution_must_say_something() -> None:
    with pytest.raises(InputError, match="found neither action nor generated"):
        parse_solution('name: "x"', "t", True)


def test_a_tree_too_large_to_unroll_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_cs188, "MAX_NODES", 1000)
    text = (
        'depth: "40"\nnum_agents: "2"\nstart_state: "a"\nsuccessors: """\na x a\na y a\n"""\nevaluation: """\na 1\n"""'
    )
    with pytest.raises(InputError, match="more than 1000 nodes, expected a smaller depth"):
        parse_cs188(text, "t")
