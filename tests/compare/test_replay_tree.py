"""The steps of alpha-beta add up to the search that is audited."""

import json
from random import Random

import pytest

from crosscount.compare.replay_tree import replay_tree, to_object
from crosscount.native.gamesearch import search_tree
from crosscount.puzzles.game_trace import Cutoff
from crosscount.puzzles.gametree import GameTree, Rule
from crosscount.puzzles.tree_files import load_tree, parse_tree
from crosscount.puzzles.tree_random import random_tree

RULES: list[Rule] = ["le", "lt"]


def agrees(tree: GameTree, rule: Rule) -> None:
    steps = replay_tree(tree, rule)
    trace = search_tree(tree, "alphabeta", rule)
    assert [step.child for step in steps if step.kind == "leaf"] == list(trace.leaves)
    assert 1 + sum(step.kind in ("leaf", "return") for step in steps) == trace.nodes
    cuts = [Cutoff(step.node, step.alpha, step.beta) for step in steps if step.kind == "cut"]
    assert cuts == list(trace.cutoffs)
    assert (steps[-1].kind, steps[-1].best) == ("end", trace.value)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("source", ["@course", "@course-two-moves", "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"])
def test_leaves_cutoffs_and_value_are_those_of_the_search(source: str, rule: Rule) -> None:
    agrees(load_tree(source).tree, rule)


@pytest.mark.parametrize("rule", RULES)
def test_they_are_on_random_trees(rule: Rule) -> None:
    trees = [random_tree(Random(seed)) for seed in range(150)]
    for tree in trees:
        if len(tree) > 1:
            agrees(tree, rule)


def test_a_root_that_is_a_leaf_is_one_step() -> None:
    steps = replay_tree(parse_tree("7", "tree").tree)
    assert [(step.kind, step.best) for step in steps] == [("end", 7)]


def test_a_chain_is_followed_down_and_back() -> None:
    steps = replay_tree(load_tree("[[7]]").tree)
    assert [step.kind for step in steps] == ["enter", "enter", "leaf", "return", "end"]


def test_what_is_cut_says_why() -> None:
    step = next(step for step in replay_tree(load_tree("[[3, 5], [2, 9, 1]]").tree) if step.kind == "cut")
    assert step.because == "beta <= alpha: the last 2 branches of /1 cannot matter"
    assert (step.alpha, step.beta, len(step.skipped)) == (3, 2, 2)


def test_the_object_for_the_player_has_no_infinities() -> None:
    told = to_object(replay_tree(load_tree("[[3, 5], [2, 9]]").tree))
    assert json.loads(json.dumps(told, allow_nan=False))[0] == [
        "enter", 0, "-∞", "∞", None, None, [], "to /, where max moves",
    ]  # fmt: skip
