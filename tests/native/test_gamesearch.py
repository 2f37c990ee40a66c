"""Every search gives the value of minimax, every optimal move, and the leaves that it is known to visit."""

from random import Random
from typing import Any

import pytest

from crosscount.native.alphabeta import alphabeta
from crosscount.native.game import TreeGame
from crosscount.native.gamesearch import SEARCHES, Search, search_game, search_tree
from crosscount.native.transposition import mtdf
from crosscount.puzzles.engine import Stopped
from crosscount.puzzles.gametree import GameTree, Rule, Value, backed_up, optimal_moves
from crosscount.puzzles.tree_files import load_tree
from crosscount.puzzles.tree_json import parse_json_tree
from crosscount.puzzles.tree_random import best_first, random_tree, uniform_tree

RULES: tuple[Rule, ...] = ("le", "lt")
ONE_PASS = ("alphabeta", "alphabeta-hard", "negamax", "alphabeta-tt")
every_search = pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.name)

TWO_MOVES = [0, 5, -3, 3, 5, 2, 5, 1, -3, -5, 2]
ALL_MOVES = [*TWO_MOVES, 3, -3, -1, 0, 4, 5, -1]


def visited_values(tree: GameTree, leaves: Any) -> list[Value | None]:
    return [tree.values[leaf] for leaf in leaves]


@pytest.mark.parametrize("name", ONE_PASS)
@pytest.mark.parametrize(("tree", "leaves"), [("@course-two-moves", TWO_MOVES), ("@course", ALL_MOVES)])
def test_the_course_tree_is_searched_as_published(tree: str, leaves: list[int], name: str) -> None:
    found = load_tree(tree).tree
    trace = search_tree(found, name)
    assert trace.value == 1
    assert visited_values(found, trace.leaves) == leaves


@every_search
def test_the_value_of_the_course_tree_is_1(search: Search) -> None:
    for rule in RULES:
        assert search_tree(load_tree("@course").tree, search.name, rule).value == 1


@every_search
def test_random_trees_have_the_value_and_the_moves_of_minimax(search: Search) -> None:
    rng = Random(search.name)
    for _ in range(1500):
        tree = random_tree(rng)
        worth = backed_up(tree)
        for rule in RULES:
            trace = search_tree(tree, search.name, rule)
            assert trace.value == worth[0]
            assert trace.moves == optimal_moves(tree, worth)
            assert (trace.move is None) == (len(tree) == 1)
            assert trace.move is None or trace.move in trace.moves


def test_minimax_visits_every_leaf_and_node() -> None:
    rng = Random(1)
    for _ in range(200):
        tree = random_tree(rng)
        trace = search_tree(tree, "minimax")
        assert (list(trace.leaves), trace.nodes) == (tree.leaves(), len(tree))


def test_searches_in_one_pass_visit_the_same_leaves_and_never_one_twice() -> None:
    rng = Random(2)
    for _ in range(1000):
        tree = random_tree(rng)
        traces = [search_tree(tree, name) for name in ONE_PASS]
        for trace in traces:
            assert list(trace.leaves) == list(traces[0].leaves)
            assert list(trace.leaves) == sorted(set(trace.leaves))
            assert trace.nodes == traces[0].nodes
            assert [cut.state for cut in trace.cutoffs] == [cut.state for cut in traces[0].cutoffs]


def test_the_strict_rule_never_cuts_more() -> None:
    rng = Random(3)
    more = 0
    for _ in range(1000):
        tree = random_tree(rng)
        le, lt = (set(search_tree(tree, "alphabeta", rule).leaves) for rule in RULES)
        assert le <= lt
        more += le < lt
    assert more > 50


def test_a_tie_is_cut_by_one_rule_and_not_by_the_other() -> None:
    tree = parse_json_tree("[[3, 4], [3, 9]]", "t")
    assert visited_values(tree, search_tree(tree, "alphabeta", "le").leaves) == [3, 4, 3]
    assert visited_values(tree, search_tree(tree, "alphabeta", "lt").leaves) == [3, 4, 3, 9]


def test_cutoffs_say_where_and_in_which_window() -> None:
    tree = parse_json_tree("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", "t")
    for name in ONE_PASS:
        assert [tuple(cut) for cut in search_tree(tree, name).cutoffs] == [(5, 3, 2)]
    # Nothing is left to skip after the last child, so that is no cutoff.
    assert not search_tree(parse_json_tree("[[3], [2]]", "t")).cutoffs


def test_fail_hard_stays_inside_the_window_and_cuts_less_when_strict() -> None:
    tree = load_tree("@course").tree
    assert len(search_tree(tree, "alphabeta", "lt").leaves) == 18
    assert len(search_tree(tree, "alphabeta-hard", "lt").leaves) == 28


@pytest.mark.parametrize(
    ("branching", "depth"), [(1, 5), (2, 1), (2, 2), (2, 9), (3, 4), (3, 5), (4, 4), (5, 3), (7, 2)]
)
@pytest.mark.parametrize("root_maximises", [True, False])
def test_perfect_order_needs_the_leaves_of_knuth_and_moore(branching: int, depth: int, root_maximises: bool) -> None:
    rng = Random(branching * 100 + depth)
    values = [rng.randrange(10**6) for _ in range(branching**depth)]
    tree = best_first(uniform_tree(branching, depth, values, root_maximises))
    needed = branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
    for name in ("alphabeta", "alphabeta-hard", "negamax", "negascout", "alphabeta-tt"):
        assert len(set(search_tree(tree, name).leaves)) == needed


@every_search
def test_ten_thousand_deep(search: Search) -> None:
    tree = parse_json_tree("[" * 10_000 + "3" + ",4]" * 10_000, "deep")
    assert search_tree(tree, search.name).value == 4


@every_search
def test_degenerate_trees(search: Search) -> None:
    lone = search_tree(parse_json_tree("5", "t"), search.name)
    assert (lone.value, lone.move, lone.moves, list(lone.leaves), lone.nodes) == (5, None, (), [0], 1)
    chain = search_tree(parse_json_tree("[[[-2]]]", "t"), search.name)
    assert (chain.value, chain.moves) == (-2, (0,))
    lost = search_tree(parse_json_tree('[["-inf"], ["-inf", 3]]', "t"), search.name)
    assert (lost.value, lost.moves) == (-float("inf"), (0, 1))
    won = search_tree(parse_json_tree('["inf", [3], ["inf"]]', "t"), search.name)
    assert (won.value, won.moves) == (float("inf"), (0, 2))


@every_search
def test_a_search_stops_at_its_limit(search: Search) -> None:
    tree = uniform_tree(3, 5, range(243))
    with pytest.raises(Stopped):
        search_game(TreeGame(tree), 0, search.name, "le", 20)


@pytest.mark.parametrize("guess", [-100, 0, 7, 0.5, 10**6, float("inf"), -float("inf")])
def test_any_guess_leads_mtdf_to_the_value(guess: Value) -> None:
    rng = Random(str(guess))
    for _ in range(300):
        tree = random_tree(rng)
        assert mtdf(TreeGame(tree), 0, guess).value == backed_up(tree)[0]


def test_a_search_can_start_below_the_root() -> None:
    tree = load_tree("@course").tree
    worth = backed_up(tree)
    inner = [node for node in range(len(tree)) if tree.values[node] is None]
    assert all(alphabeta(TreeGame(tree), node).value == worth[node] for node in inner)
