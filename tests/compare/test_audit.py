"""What the audit says, in words and with witnesses."""

import math
from random import Random
from typing import Any

import pytest

from crosscount.compare.audit import Audit, Auditor, Claim
from crosscount.compare.audit_answer import claim_of_answer
from crosscount.compare.audit_pruning import find_cuts, find_unjustified, is_justified
from crosscount.compare.tree_run import audit_solution, compare_tree
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.gametree import GameTree, Rule, backed_up
from crosscount.puzzles.tree_answer import parse_answer
from crosscount.puzzles.tree_cs188 import parse_cs188, parse_solution
from crosscount.puzzles.tree_files import parse_tree
from crosscount.puzzles.tree_random import random_tree

BOOK = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"


def audit(tree: str, answer: str, rule: Rule = "le") -> Audit:
    comparison = compare_tree(parse_tree(tree, "t").tree, rule, parse_answer(answer, "a"))
    assert comparison.answer is not None
    return comparison.answer


def said(tree: str, answer: str, rule: Rule = "le") -> list[tuple[str, str]]:
    return [(finding.kind, finding.because) for finding in audit(tree, answer, rule).findings]


@pytest.mark.parametrize(
    "answer",
    [
        "value: 3",
        "value: 3.0\nmove: 0",
        "visited: 3 12 8 2 14 5 2",
        "pruned: 4 6",
        "pruned: /1/1 /1/2\nvisited: /0/0 /0/1 /0/2 /1/0 /2/0 /2/1 /2/2",
        '{"visited": [3, 12, "/0/2", 2, 14, 5, "/2/2"], "move": "/0"}',
        "visited: 3 12 8 2 4 6 14 5 2",
        "pruned:",
    ],
)
def test_right_answers_pass(answer: str) -> None:
    assert audit(BOOK, answer).passed


WRONG = {
    "value": ("value: 4", ["value"], "the value is said to be 4, minimax gives 3"),
    "move": ("move: 2", ["move"], "move 2 is worth 2, 0 is worth 3"),
    "no move": ("move: 3", ["move"], "move 3 does not exist, the root has 3"),
    "low": (
        "visited: 3 12 2 14 5 2",
        ["pruning"],
        "branch /0/2 is pruned without right: with its leaf at 2 the root is worth 2, not 3",
    ),
    "high": (
        "pruned: /1/1 6 /2",
        ["pruning"],
        "branch /2 is pruned without right: with all its 3 leaves at 4 the root is worth 4, not 3",
    ),
    "several": (
        "visited: 3 12 8 2 14",
        ["pruning"],
        "branches /2/1 to /2/2 are pruned without right: with all their 2 leaves at 4 the root is worth 4, not 3",
    ),
    "everything": ("pruned: /", ["pruning"], "branch / is pruned without right: with all its 9 leaves at 4"),
    "none": ('{"visited": []}', ["pruning"], "branch / is pruned without right"),
    "middle": (
        "pruned: /1/0 /1/2",
        ["order", "pruning"],
        "branch /1/0 is skipped but its later sibling /1/1 is visited; a cutoff skips all that is left of a node",
    ),
    "backwards": (
        "visited: /0/0 /0/2 /0/1 /1/0 /2/0 /2/1 /2/2",
        ["order"],
        "leaf 12 at /0/1 is visited after 8 at /0/2, which is further right",
    ),
    "again": ("visited: /0/0 /0/0", ["order", "pruning"], "leaf 3 at /0/0 is visited again"),
    "no walk": (
        "visited: 3 12 5",
        ["order"],
        "5 after 2 leaves (3 12), where a search from left to right can only go on to 8 at /0/2 or 2 at /1/0",
    ),
    "no start": ("visited: 12", ["order"], "visited has 12 at the start, where a search from left to right can only"),
    "past the end": ("visited: 3 12 8 2 14 5 2 2", ["order"], "can only go on to nothing: the tree ends there"),
    "both": (
        "visited: 3 12 8 2 14 5 2\npruned: 8 4 6",
        ["answer"],
        "leaf 8 at /0/2 is both visited and pruned",
    ),
    "neither": ("visited: 3 12 8 2 14 5 2\npruned: 4", ["answer"], "leaf 6 at /1/2 is neither visited nor pruned"),
    "two": ("value: 2\nmove: 1", ["value", "move"], "minimax gives 3"),
}


@pytest.mark.parametrize(("answer", "kinds", "because"), WRONG.values(), ids=WRONG.keys())
def test_wrong_answers_are_told_why(answer: str, kinds: list[str], because: str) -> None:
    found = said(BOOK, answer)
    assert [kind for kind, _ in found] == kinds
    assert because in found[0][1]


def test_too_little_pruning_is_said_and_is_not_wrong() -> None:
    found = audit(BOOK, "visited: 3 12 8 2 4 6 14 5 2")
    assert found.passed
    assert found.notes == ("too little pruning: 2 leaves that beta <= alpha would skip: 4 at /1/1, 6 at /1/2",)


def test_more_pruning_than_the_rule_gives_is_said_and_is_not_wrong() -> None:
    found = audit("[[3, 4], [3, 9]]", "visited: 3 4 3\nmove: 0", "lt")
    assert found.passed
    assert found.notes == ("more pruning than beta < alpha gives (1 leaf), and justified all the same",)


def test_an_optimal_move_that_was_not_shown_to_be_is_remarked_on() -> None:
    found = audit("[[3, 4], [3, 9]]", "visited: 3 4 3\nmove: 1")
    assert found.passed
    assert "move 1 is optimal, but the visited leaves do not show it" in found.notes[0]


def test_branches_that_matter_only_together_are_found() -> None:
    # Either of the sevens may be skipped, not both.
    found = said("[[5, 7], [5, 7]]", "visited: 5 5")
    assert found == [
        (
            "pruning",
            "branch /1/1 is pruned without right: with its leaf and those of 1 cut before at 4 "
            "the root is worth 4, not 5",
        )
    ]


def test_repeated_values_are_read_with_good_will() -> None:
    # 5 5 2 can be the first three leaves or, justified, the first, the second and the last but one.
    assert audit("[[5, 5], [2, 2]]", "visited: 5 5 2").passed
    assert audit("[[1, 1, 1], [1, 1], [0, 1]]", "visited: 1 1 1 1 0").passed
    assert not audit("[[1, 1, 1], [1, 1], [0, 1]]", "visited: 1 1 1").passed


def test_the_first_of_several_readings_that_holds_is_taken() -> None:
    tree = parse_tree("[[4, 4, 4], [4, 4], [4]]", "t").tree
    claim, findings = claim_of_answer(Auditor(tree, "lt"), parse_answer("visited: 4 4 4 4 4", "a"))
    assert not findings
    assert claim.visited is not None
    seen = bytearray(len(tree))
    for leaf in claim.visited:
        seen[leaf] = 1
    assert is_justified(tree, seen)


BAD = {
    "pruned value": ("pruned: 2", "pruned: found 2, the value of 2 leaves, expected a value that one leaf has"),
    "no such value": ("pruned: 99", "pruned: found 99, the value of 0 leaves, expected"),
    "not a leaf": ("visited: /0", "visited: found /0, a node with children, expected leaves"),
    "no node": ("visited: /9", "no node /9"),
    "name": ("visited: Q", "no node is called 'Q', expected a name or an address"),
    "move": ("move: left", "move: found 'left', the name of 0 moves, expected one of 0, 1, 2"),
}


@pytest.mark.parametrize(("answer", "message"), BAD.values(), ids=BAD.keys())
def test_answers_about_another_tree_are_bad_input(answer: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        audit(BOOK, answer)
    assert message in str(caught.value)


def test_a_move_may_be_given_by_name() -> None:
    named = '{"children": [{"move": "left", "value": 1}, {"name": "B", "value": 2}]}'
    assert said(named, "move: B") == []
    assert said(named, "move: left") == [("move", "move 0 (left) is worth 1, 1 (B) is worth 2")]


def random_subset(rng: Random, tree: GameTree) -> bytearray:
    seen = bytearray(len(tree))
    for leaf in tree.leaves():
        seen[leaf] = rng.random() < rng.choice((0.3, 0.7, 0.95))
    return seen


def test_a_witness_shows_what_it_says_and_the_branch_is_the_first() -> None:
    rng = Random(21)
    faults = 0
    for _ in range(3000):
        tree = random_tree(rng, 20)
        seen = random_subset(rng, tree)
        value = backed_up(tree)[0]
        fault = find_unjustified(tree, seen, value)
        assert (fault is None) == is_justified(tree, seen)
        if fault is None:
            continue
        faults += 1
        cuts = find_cuts(tree, seen)
        place = cuts.index(fault.cut)
        values = list(tree.values)
        for cut in cuts[place - fault.earlier : place + 1]:
            for leaf in range(cut.start, cut.stop):
                values[leaf] = None if values[leaf] is None else fault.leaf_value
        assert backed_up(tree, values)[0] == fault.root_value != value
        before = bytearray(b"\1" * len(tree))
        for cut in cuts[:place]:
            before[cut.start : cut.stop] = bytes(cut.stop - cut.start)
        assert is_justified(tree, before)
    assert faults > 500


def test_what_is_between_the_extremes_is_settled_by_them() -> None:
    rng = Random(22)
    for _ in range(1500):
        tree = random_tree(rng, 16)
        seen = random_subset(rng, tree)
        if not is_justified(tree, seen):
            continue
        for _ in range(5):
            values = [
                rng.choice((-math.inf, -2, 0, 0.5, 3, 10**31, math.inf))
                if value is not None and not seen[node]
                else value
                for node, value in enumerate(tree.values)
            ]
            assert backed_up(tree, values)[0] == backed_up(tree)[0]


def test_a_trace_may_go_back_as_often_as_it_says() -> None:
    tree = parse_tree("[[3, 12], [2, 4]]", "t").tree
    auditor = Auditor(tree)
    twice = Claim("x", 3, 0, [2, 3, 2, 3, 5])
    assert not auditor.audit(twice).passed
    assert auditor.audit(Claim("x", 3, 0, [2, 3, 2, 3, 5], researches=1)).passed


CS188 = '''alg: "{}"
depth: "1"
num_agents: "2"
start_state: "top"
win_states: "a b c d e f"
successors: """
top L left
top R right
left 1 a
left 2 b
right 1 c
right 2 d
"""
evaluation: """
a 3
b 5
c {}
d 9
"""
'''


def solution_findings(alg: str, c: int, text: str) -> list[tuple[str, dict[str, Any]]]:
    tree, prunes = parse_cs188(CS188.format(alg, c), "x.test")
    found = audit_solution(Auditor(tree, "lt"), parse_solution(text, "x.solution", prunes))
    return [(finding.kind, finding.witness) for finding in found]


def test_a_course_solution_lists_what_a_strict_search_generates() -> None:
    pruned = 'action: "L"\ngenerated: "top left right a b c"'
    everything = 'action: "L"\ngenerated: """top left\nright a b c d"""'
    assert solution_findings("AlphaBetaAgent", 2, pruned) == []
    # A tie is not cut, and the first best action stays.
    assert solution_findings("AlphaBetaAgent", 3, everything) == []
    assert solution_findings("AlphaBetaAgent", 3, everything.replace('"L"', '"R"')) == [
        ("move", {"action": "R", "expected": "L"})
    ]
    assert solution_findings("MinimaxAgent", 2, everything) == []
    assert solution_findings("AlphaBetaAgent", 3, pruned) == [("generated", {"extra": [], "missing": ["d"]})]
    assert solution_findings("AlphaBetaAgent", 2, everything) == [("generated", {"extra": ["d"], "missing": []})]
