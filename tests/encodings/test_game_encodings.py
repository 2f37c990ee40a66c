"""CP-SAT and CNF give every tree the value of minimax, and every optimal move."""

from collections.abc import Callable
from random import Random

import pytest

from crosscount.encodings.game import Opinion, cnf_clauses, cnf_opinion, cp_opinion, cp_values, ranked
from crosscount.puzzles.gametree import GameGraph, backed_up, optimal_moves
from crosscount.puzzles.tree_files import load_tree
from crosscount.puzzles.tree_json import parse_json_tree
from crosscount.puzzles.tree_random import random_tree

Ask = Callable[[GameGraph], Opinion]
both = pytest.mark.parametrize("ask", [cp_opinion, cnf_opinion])


@both
@pytest.mark.parametrize("tree", ["@course", "@course-two-moves"])
def test_the_course_tree_is_worth_1(tree: str, ask: Ask) -> None:
    opinion = ask(load_tree(tree).tree.graph())
    assert (opinion.value, opinion.moves) == (1, (1,))


@both
def test_random_trees(ask: Ask) -> None:
    rng = Random(11)
    for _ in range(400):
        tree = random_tree(rng)
        worth = backed_up(tree)
        opinion = ask(tree.graph())
        assert opinion.value == worth[0]
        assert opinion.moves == optimal_moves(tree, worth)


def test_cp_sat_values_every_node() -> None:
    rng = Random(12)
    for _ in range(100):
        tree = random_tree(rng)
        assert cp_values(tree.graph()) == backed_up(tree)


@both
def test_states_may_be_shared(ask: Ask) -> None:
    # Two moves to the same min node, and one to a leaf.
    graph = GameGraph([[1, 1, 2], [2, 3], [], []], [None, None, 4, 9], [True, False, True, True])
    opinion = ask(graph)
    assert (opinion.value, opinion.moves) == (4, (0, 1, 2))


@both
def test_a_lone_leaf_and_a_deep_tree(ask: Ask) -> None:
    lone = ask(parse_json_tree("0.5", "t").graph())
    assert (lone.value, lone.moves) == (0.5, ())
    deep = ask(parse_json_tree("[" * 3000 + "3" + ",4]" * 3000, "t").graph())
    assert deep.value == 4


def test_gates_are_equivalences() -> None:
    graph = parse_json_tree("[3, [1, 2]]", "t").graph()
    assert sorted(map(sorted, cnf_clauses(graph))) == [[-5, -4, 3], [-3, 1], [-3, 4], [-3, 5], [-2, 1], [-1, 2, 3]]
    assert ranked(graph) == ([1, 2, 3], [None, 2, None, 0, 1])
