"""Every malformed tree is an InputError with the place, what was found and what was expected."""

from pathlib import Path

import pytest

from crosscount.puzzles.errors import InputError
from crosscount.puzzles.tree_answer import parse_answer
from crosscount.puzzles.tree_files import load_tree, parse_tree

TABLE = '{{"root": "A", "nodes": {{{}}}}}'

BAD = {
    "nothing": ("", "t:1: found nothing, expected a tree"),
    "empty list": ("[[3], []]", "t:1: column 8: found an empty list, expected at least one child"),
    "no end": ("[[3, 4]", "t:1: column 8: found the end of the file, expected ',' or ']'"),
    "open": ("[", "t:1: column 2: found the end of the file, expected a number, a list or an object"),
    "two ends": ("[3]]", "t:1: column 4: found ']', expected nothing after the tree"),
    "two trees": ("[3]\n[4]", "t:2: column 1: found '[', expected nothing after the tree"),
    "trailing comma": ("[3,\n 4,]", "t:2: column 4: found ']', expected a number, a list or an object"),
    "no comma": ("[3 4]", "t:1: column 4: found '4', expected ',' or ']'"),
    "a word": ("[3, x]", "t:1: column 5: found 'x', expected a number"),
    "true": ("[true]", "t:1: column 2: found 'true', expected a number"),
    "nan": ("[1, NaN]", "t:1: column 5: found 'NaN', expected a number"),
    "underscore": ("[1, 1_0]", "t:1: column 5: found '1_0', expected a number"),
    "overflow": ("[1, 1e999]", "t:1: column 5: found '1e999', expected a smaller one"),
    "string": ('[1, "abc"]', 't:1: column 5: found "abc", expected a number'),
    "quoted number": ('[1, "5"]', 't:1: column 5: found "5", expected a number without quotes'),
    "wrong end": ("[1}", "t:1: column 3: found '}', expected ',' or ']'"),
    "open string": ('[{"na', 't:1: column 3: found ", expected a key'),
    "empty object": ("[{}]", "t:1: column 3: found an empty object, expected a node with a value or children"),
    "neither": ('{"name": "A"}', "t:1: column 13: found the node 'A' without a value or children, expected one"),
    "both": ('{"value": 1, "children": [2]}', "t:1: column 14: found both a value and children, expected one"),
    "both turned": ('{"children": [2], "value": 1}', "t:1: column 19: found both a value and children, expected one"),
    "no children": ('{"children": []}', "t:1: column 15: found no children, expected at least one child"),
    "children": ('{"children": 3}', "t:1: column 14: found '3', expected a list of children"),
    "unknown key": ('{"score": 1}', 't:1: column 2: found the key "score", expected one of name, value, children'),
    "key twice": ('{"value": 1, "value": 2}', 't:1: column 14: found "value" a second time, expected each key once'),
    "no colon": ('{"value" 1}', "t:1: column 10: found '1', expected ':'"),
    "mover": ('{"mover": "both", "value": 1}', 't:1: column 11: found "both", expected "max" or "min"'),
    "value": ('{"value": null}', "t:1: column 11: found 'null', expected a number"),
    "escape": ('{"name": "\\q", "value": 1}', "expected a text in quotes"),
    "cycle": (
        TABLE.format('"A": {"children": ["B"]}, "B": {"children": ["A"]}'),
        "t: found a cycle: A > B > A, expected a tree",
    ),
    "no root": ('{"nodes": {"A": {"children": ["B"]}, "B": {"children": ["A"]}}}', "t: found a cycle: every node"),
    "two parents": (
        TABLE.format(
            '"A": {"children": ["B", "C"]}, "B": {"children": ["D"]}, "C": {"children": ["D"]}, "D": {"value": 1}'
        ),
        "t: node D: found two parents: a child of both B and C, expected one",
    ),
    "child twice": (
        TABLE.format('"A": {"children": ["B", "B"]}, "B": {"value": 1}'),
        "a child of A twice, expected one",
    ),
    "unknown child": (
        TABLE.format('"A": {"children": ["Q"]}'),
        "t: A has a child 'Q' that is not in the table, expected",
    ),
    "unreached": (TABLE.format('"A": {"value": 1}, "B": {"value": 2}'), "t: found 'B', which no path from the root"),
    "table neither": (
        TABLE.format('"A": {}'),
        "t: node A: found neither a value nor children, expected one of the two",
    ),
    "table both": (TABLE.format('"A": {"value": 1, "children": ["B"]}'), "t: node A: found both a value and children"),
    "table value": (TABLE.format('"A": {"value": true}'), "t: node A: found value True, expected a number"),
    "table names": (TABLE.format('"A": {"children": [1]}'), "t: node A: found children [1], expected a list of one or"),
    "table key": (TABLE.format('"A": {"valu": 1}'), "t: node A: found the key 'valu', expected one of children"),
    "table mover": (TABLE.format('"A": {"value": 1, "mover": 3}'), "t: node A: found mover 3, expected"),
    "table root": ('{"root": "Q", "nodes": {"A": {"value": 1}}}', "t: the root 'Q' is not in the table, expected"),
    "two roots": (
        '{"nodes": {"A": {"value": 1}, "B": {"value": 1}}}',
        "t: found 2 nodes without a parent (A, B), expected",
    ),
    "table json": ('{"nodes": {,}}', "t:1: column 12: "),
    "newick end": ("((3,4),5)", "t:1: column 10: found the end of the file, expected ';'"),
    "newick open": ("((3,4),5", "t:1: column 9: found the end of the file, expected ',' or ')'"),
    "newick name": ("(3,\n(x,4));", "t:2: column 2: found 'x', expected a number"),
    "newick empty": ("(3,,4);", "t:1: column 4: found ',', expected a leaf with its value"),
    "newick inner value": ("((3,4)B:2,1);", "t:1: column 8: found a value at a node with children, expected a value"),
    "newick after": ("(3); (4);", "t:1: column 6: found '(', expected one tree"),
    "newick comment": ("(3[x,4);", "t:1: column 3: found a comment without its end, expected ']'"),
    "newick quote": ("('x:3);", "t:1: column 2: found ''x:3);', expected the quote"),
    "letters": ("hello", "t:1: found 'hello', expected key"),
    "symbols": ("%%%", "t:1: found '%%%', expected a tree"),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD.keys())
def test_bad_trees(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_tree(text, "t")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_error_deep_down_is_found_as_well() -> None:
    with pytest.raises(InputError, match="column 10002: found an empty list"):
        parse_tree("[" * 10_001 + "]" * 10_001, "t")


def test_missing_files_and_unreadable_ones(tmp_path: Path) -> None:
    for source, said in (
        (str(tmp_path / "no.json"), "no such file, expected a tree"),
        (str(tmp_path), "found a directory, expected a file"),
        ("@nowhere", "no bundled tree is called @nowhere, expected one of @course"),
    ):
        with pytest.raises(InputError, match=said):
            load_tree(source)
    (tmp_path / "latin").write_bytes(b"[3, \xe9]")
    with pytest.raises(InputError, match="found a byte 0xe9, expected text in UTF-8"):
        load_tree(str(tmp_path / "latin"))


ANSWERS = {
    "empty": ("", "a: found an empty answer, expected at least one of value"),
    "empty object": ("{}", "a: found an empty answer, expected"),
    "key": ("value: 3\nleaves: 4", "a:2: found 'leaves: 4', expected a line that starts with one of value:"),
    "twice": ("value: 3\nvalue: 4", "a:2: found value a second time, expected each once"),
    "value": ("value: three", "a:1: found value 'three', expected a number"),
    "two words": ("value: 3 4", "a:1: found 2 words after value:, expected one"),
    "move": ("move: -1", "a:1: found move -1, expected an index from 0"),
    "json": ('{"value": }', "a:1: column 11: "),
    "json key": ('{"values": 3}', "a: found the key 'values', expected one of value, visited, pruned, move"),
    "json list": ('{"visited": 3}', "a: found visited 3, expected a list"),
    "json item": ('{"visited": [[3]]}', "a: found [3] in visited, expected a leaf value, a name or an address"),
    "json move": ('{"move": null}', "a: found move None, expected a number or a text"),
}


@pytest.mark.parametrize(("text", "message"), ANSWERS.values(), ids=ANSWERS.keys())
def test_bad_answers(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_answer(text, "a")
    assert message in str(caught.value)


def test_both_forms_of_an_answer_say_the_same() -> None:
    as_text = parse_answer("# mine\nvalue: -1.5\nVisited: 0, 5 -3 inf\npruned: /0/1 C # two\nmove: 0\n", "a")
    as_json = parse_answer('{"value": -1.5, "visited": [0, 5, -3, "inf"], "pruned": ["/0/1", "C"], "move": 0}', "a")
    assert as_text == as_json
