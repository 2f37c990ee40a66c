"""What a game tree is and what it is worth."""

from random import Random

import pytest

from crosscount.puzzles.errors import InputError
from crosscount.puzzles.gametree import (
    GameTree,
    Value,
    backed_up,
    find_node,
    optimal_moves,
    parse_value,
    show_value,
)
from crosscount.puzzles.tree_files import load_tree, parse_tree
from crosscount.puzzles.tree_json import parse_json_tree
from crosscount.puzzles.tree_newick import parse_newick
from crosscount.puzzles.tree_random import best_first, random_tree, uniform_tree, worst_first
from crosscount.puzzles.tree_write import to_dot, to_json

INF = float("inf")


def minimax_by_hand(tree: GameTree, node: int = 0) -> Value:
    """The textbook's three lines."""
    value = tree.values[node]
    if value is not None:
        return value
    below = [minimax_by_hand(tree, child) for child in tree.children(node)]
    return max(below) if tree.maximises[node] else min(below)


def test_nested_lists_are_numbered_as_a_walk_meets_them() -> None:
    tree = parse_json_tree("[[3, 5], 2]", "t")
    assert tree.end == [5, 4, 3, 4, 5]
    assert tree.parent == [-1, 0, 1, 1, 0]
    assert tree.values == [None, None, 3, 5, 2]
    assert tree.maximises[:2] == [True, False]
    assert tree.children(0) == [1, 4]
    assert tree.leaves() == [2, 3, 4]
    assert [tree.path(node) for node in range(5)] == ["/", "/0", "/0/0", "/0/1", "/1"]


def test_a_number_alone_is_a_tree() -> None:
    tree = parse_json_tree(" -3.5 ", "t")
    assert (len(tree), backed_up(tree), optimal_moves(tree, backed_up(tree))) == (1, [-3.5], ())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", 3),
        ("[[[7]]]", 7),
        ("[0, 0, 0]", 0),
        ("[0.5, [0.25, 1]]", 0.5),
        ('[["inf", 1], ["-inf"], -Infinity, -inf]', 1),
        ("[[9007199254740993, 9007199254740995], [9007199254740992]]", 9007199254740993),
    ],
)
def test_values_of_lists(text: str, value: Value) -> None:
    assert backed_up(parse_json_tree(text, "t"))[0] == value


def test_objects_give_names_movers_and_moves() -> None:
    text = """{"name": "A", "mover": "min", "children": [
        {"name": "B", "mover": "min", "move": "left", "children": [3, {"value": 1, "name": "C"}]},
        {"children": [[4, 2]], "name": "D"}]}"""
    tree = parse_json_tree(text, "t")
    assert tree.maximises[:2] == [False, False]
    assert tree.maximises[find_node(tree, "D")]
    assert tree.names == {0: "A", 1: "B", 3: "C", 4: "D"}
    assert tree.moves == {1: "left"}
    assert backed_up(tree)[0] == 1
    assert tree.label(1) == "B (/0)"


def test_a_table_of_nodes_is_a_tree_too() -> None:
    inner = '"A": {"children": ["B", "C"]}, "C": {"children": ["D"], "mover": "max"}'
    nodes = f'{{{inner}, "B": {{"value": 3}}, "D": {{"value": 9}}}}'
    for text in (f'{{"root": "A", "nodes": {nodes}}}', f'{{"nodes": {nodes}}}'):
        tree = parse_json_tree(text, "t")
        assert (len(tree), backed_up(tree)[0], tree.maximises[2]) == (4, 9, True)


def test_newick_reads_numbers_names_quotes_and_comments() -> None:
    tree = parse_newick("((3,12,8)B,\n (x:2,'it''s':4,:6)C[a comment],(14,5,-2.5)) A ;", "t")
    assert backed_up(tree)[0] == 3
    assert tree.names[0] == "A"
    assert tree.values[find_node(tree, "it's")] == 4
    assert parse_newick("5;", "t").values == [5]


def test_the_root_can_be_said_to_minimise() -> None:
    assert backed_up(parse_json_tree("[1, [5, 2]]", "t", root_maximises=False))[0] == 1
    with pytest.raises(InputError, match="the root is a max node, expected min"):
        parse_json_tree('{"mover": "max", "children": [1]}', "t", root_maximises=False)


@pytest.mark.parametrize("make", ["[{}]", "({});", '{{"children":[{}]}}'], ids=["lists", "newick", "objects"])
def test_ten_thousand_deep(make: str) -> None:
    opening, closing = make.rstrip(";").replace("{{", "{").replace("}}", "}").split("{}", 1)
    text = opening * 10_000 + "3" + f",4{closing}" * 10_000 + (";" if make.endswith(";") else "")
    tree = parse_tree(text, "t").tree
    assert len(tree) == 20_001
    assert backed_up(tree)[0] == 4
    assert tree.path(10_000).count("/") == 10_000
    assert len(parse_json_tree(to_json(tree), "again")) == 20_001
    assert to_dot(tree).count("->") == 20_000


def test_backing_up_is_what_the_textbook_says() -> None:
    rng = Random(4)
    for _ in range(2000):
        tree = random_tree(rng)
        assert backed_up(tree)[0] == minimax_by_hand(tree)


def test_writing_and_reading_gives_the_same_tree() -> None:
    rng = Random(5)
    for _ in range(500):
        tree = random_tree(rng)
        again = parse_json_tree(to_json(tree), "again")
        assert (again.end, again.values) == (tree.end, tree.values)
        inner = [node for node in range(len(tree)) if tree.values[node] is None]
        assert [again.maximises[node] for node in inner] == [tree.maximises[node] for node in inner]


def test_names_and_moves_survive_writing() -> None:
    text = '{"name": "a \\"b\\"", "mover": "max", "children": [{"move": "x", "value": "inf"}, 2]}'
    tree = parse_json_tree(text, "t")
    again = parse_json_tree(to_json(tree), "t")
    assert (again.names, again.moves, again.values) == (tree.names, tree.moves, tree.values)
    assert 'label="a \\"b\\""' in to_dot(tree)


def test_bundled_trees_have_the_published_sizes() -> None:
    assert len(load_tree("@course").tree.leaves()) == 41
    assert len(load_tree("@course-two-moves").tree.leaves()) == 25


def test_reordering_keeps_the_value() -> None:
    rng = Random(6)
    for _ in range(300):
        tree = random_tree(rng)
        for other in (best_first(tree), worst_first(tree)):
            assert backed_up(other)[0] == backed_up(tree)[0]
            assert sorted(map(str, other.values)) == sorted(map(str, tree.values))


def test_uniform_trees_are_uniform() -> None:
    tree = uniform_tree(3, 4, range(81))
    assert [tree.values[leaf] for leaf in tree.leaves()] == list(range(81))
    assert len(tree) == 1 + 3 + 9 + 27 + 81


@pytest.mark.parametrize(
    ("text", "value"), [("3", 3), ("-0.5", -0.5), ("2e3", 2000.0), ("inf", INF), ("-Infinity", -INF), ("∞", INF)]
)
def test_numbers_as_people_write_them(text: str, value: Value) -> None:
    assert parse_value(text) == value


@pytest.mark.parametrize("text", ["", "nan", "1_000", "1e999", "٣", "three", "9" * 5000])
def test_not_numbers(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a number|too large"):
        parse_value(text)


def test_values_are_shown_as_people_write_them() -> None:
    assert [show_value(v) for v in (3, 3.0, -0.5, INF, -INF, 10**30)] == ["3", "3", "-0.5", "∞", "-∞", str(10**30)]


def test_nodes_are_found_by_name_or_address() -> None:
    tree = parse_newick("((3,x:4)B,(5,6)B)A;", "t")
    assert find_node(tree, "A") == find_node(tree, "/") == 0
    assert find_node(tree, "/0/1") == find_node(tree, "x")
    for text, said in (("B", "2 nodes are called"), ("/0/7", "0 to 1"), ("/0/0/0", "is a leaf"), ("q", "no node is")):
        with pytest.raises(InputError, match=said):
            find_node(tree, text)
