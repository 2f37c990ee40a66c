"""The drawings, for the terminal and for paper."""

from itertools import pairwise
from random import Random
from xml.etree import ElementTree

import pytest

from crosscount.compare.tree_report import aligned, summary, to_object, to_table
from crosscount.compare.tree_run import MOST_FOR_SOLVERS, TreeComparison, compare_tree
from crosscount.compare.tree_svg import lay_out, to_svg
from crosscount.compare.tree_text import LEGEND, to_lines
from crosscount.compare.tree_view import view
from crosscount.puzzles.gametree import GameTree
from crosscount.puzzles.tree_answer import parse_answer
from crosscount.puzzles.tree_files import load_tree, parse_tree
from crosscount.puzzles.tree_random import random_tree, uniform_tree

SVG = "{http://www.w3.org/2000/svg}"
BOOK = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"


def compared(text: str, answer: str | None = None) -> TreeComparison:
    return compare_tree(parse_tree(text, "t").tree, answer=None if answer is None else parse_answer(answer, "a"))


def drawn(tree: GameTree) -> ElementTree.Element:
    return ElementTree.fromstring(to_svg(view(compare_tree(tree))))


def test_the_terminal_drawing_marks_what_is_pruned_and_chosen() -> None:
    assert to_lines(view(compared(BOOK))) == [
        "max 3 *",
        "├─ min 3 *: 3* 12 8",
        "├─ min ≤2: 2 ✂4 ✂6   (alpha 3, beta 2)",
        "└─ min 2: 14 5 2",
        LEGEND,
    ]


def test_the_terminal_drawing_shows_what_a_student_did() -> None:
    assert to_lines(view(compared(BOOK, "pruned: /2 /1/2")))[2:4] == [
        "├─ min ≤2: 2 4 (needless) ✂6   (alpha 3, beta 2)",
        "└─ ✂ pruned with 3 leaves <- WRONG",
    ]


def test_a_long_drawing_says_what_it_leaves_out() -> None:
    for tree in (uniform_tree(3, 7, range(50)), parse_tree("[" * 10_000 + "3" + ",4]" * 10_000, "t").tree):
        lines = to_lines(view(compare_tree(tree)))
        assert len(lines) <= 123
        assert lines[-2].startswith("… ")
        assert "more nodes; --svg FILE draws all of them" in lines[-2]


@pytest.mark.parametrize(("name", "visited"), [("@course", 18), ("@course-two-moves", 11)])
def test_the_picture_of_the_course_tree(name: str, visited: int) -> None:
    tree = load_tree(name).tree
    picture = drawn(tree)
    texts = [(element.text or "", element.get("class")) for element in picture.iter(f"{SVG}text")]
    leaves = [text for text, style in texts if style in (None, "line", "gone")]
    assert len(leaves) >= len(tree.leaves())
    title = picture.findtext(f"{SVG}title")
    assert title == f"{name}: value 1, {visited} of {len(tree.leaves())} leaves visited, cut at beta ≤ alpha"
    cutoffs = len(compare_tree(tree).auditor.reference.cutoffs)
    assert sum(style == "window" for _, style in texts) == 2 * cutoffs
    strikes = [path for path in picture.iter(f"{SVG}path") if path.get("class") == "strike"]
    assert len(strikes) >= cutoffs


def test_nothing_in_a_picture_lies_on_anything_else() -> None:
    rng = Random(31)
    for _ in range(100):
        place = lay_out(view(compare_tree(random_tree(rng))))
        rows: dict[float, list[float]] = {}
        for node, x in place.x.items():
            rows.setdefault(place.y[node], []).append(x)
            assert 0 < x < place.width
            assert 0 < place.y[node] < place.height
        for row in rows.values():
            row.sort()
            assert all(b - a > 20 for a, b in pairwise(row))


def test_large_pictures_fold_what_was_pruned() -> None:
    tree = uniform_tree(4, 5, [(7 * k) % 101 for k in range(1024)])
    comparison = compare_tree(tree)
    place = lay_out(view(comparison))
    visited = len(comparison.auditor.reference.leaves)
    assert visited + sum(place.folded.values()) <= 1024
    shown = [node for node in place.x if tree.values[node] is not None or node in place.folded]
    assert visited + len(place.folded) <= len(shown) < 600
    assert sum(place.folded.get(node, 1) for node in shown) == 1024


def test_a_deep_picture_can_be_drawn() -> None:
    assert len(list(drawn(parse_tree("[" * 3000 + "3" + ",4]" * 3000, "t").tree).iter(f"{SVG}path"))) >= 6000


def test_names_cannot_break_the_picture() -> None:
    assert drawn(parse_tree('{"name": "<&\\">", "children": [{"move": "a<b", "value": 1}]}', "t").tree) is not None


def test_wrong_and_needless_are_ringed() -> None:
    text = to_svg(view(compared(BOOK, "pruned: /2 /1/2")))
    assert text.count('class="wrong"') == 1
    assert text.count('class="needless"') == 1


def test_the_table_and_the_words() -> None:
    comparison = compared(BOOK, "value: 3\nvisited: 3 12 8 2 4 14 5 2")
    lines = aligned(to_table(comparison))
    assert [line.split()[0] for line in lines] == [
        *("engine", "minimax", "alphabeta", "alphabeta-hard", "negamax", "negascout", "mtdf", "alphabeta-tt"),
        *("cpsat", "cnf"),
    ]
    assert lines[2].split() == ["alphabeta", "3", "0", "7", "2", "11", "1", "beta", "<=", "alpha"]
    assert summary(comparison) == [
        "value 3; optimal moves: 0",
        "agree: all engines give the value of minimax, and all pruning is justified",
        "  the answer holds",
        "  note: too little pruning: 1 leaf that beta <= alpha would skip: 4 at /1/1",
    ]


def test_solvers_are_skipped_on_large_trees_with_the_reason() -> None:
    comparison = compare_tree(uniform_tree(MOST_FOR_SOLVERS, 1, range(7)))
    found = to_object(comparison)
    assert found["verdict"] == "agree"
    assert [engine["status"] for engine in found["engines"]][-2:] == ["skipped", "skipped"]
    assert found["engines"][-1]["reason"] == "more than 200000 nodes"
