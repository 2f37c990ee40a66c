"""Sudoku text: every shape that people write a puzzle in gives the same puzzle."""

import json

import pytest

from crosscount.puzzles.draw import draw
from crosscount.puzzles.expect import Entry, Expect
from crosscount.puzzles.families import Latin, Sudoku
from crosscount.puzzles.text import read_text

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [LINE[i : i + 9] for i in range(0, 81, 9)]
VALUES = [[0 if c == "." else int(c) for c in row] for row in ROWS]
PUZZLE = Sudoku(tuple(map(tuple, VALUES))).puzzle("p")


def bands(left: str, middle: str, right: str, rule: str) -> str:
    """The grid with drawn boxes."""
    drawn = [left + middle.join(row[i : i + 3] for i in (0, 3, 6)) + right for row in ROWS]
    return "\n".join([rule, *drawn[:3], rule, *drawn[3:6], rule, *drawn[6:], rule])


def read_all(text: str) -> list[Entry]:
    return read_text(text, "p.txt", "p")


def sizes(text: str) -> list[int]:
    families = [entry.puzzle.family for entry in read_all(text)]
    assert all(isinstance(family, Sudoku | Latin) for family in families)
    return [family.size for family in families if isinstance(family, Sudoku | Latin)]


SHAPES = {
    "rows": "\n".join(ROWS),
    "one line": LINE,
    "one line with spaces": " ".join(LINE),
    "spaces": "\n".join(" ".join(row) for row in ROWS),
    "zeros and trailing spaces": "".join(" ".join(row.replace(".", "0")) + "  \n" for row in ROWS),
    "underscores": "\n".join(ROWS).replace(".", "_"),
    "stars": "\n".join(ROWS).replace(".", "*"),
    "x": "\n".join(ROWS).replace(".", "x"),
    "X": "\n".join(ROWS).replace(".", "X"),
    "tabs": "\n".join("\t".join(row) for row in ROWS),
    "commas": "\n".join(", ".join(row) for row in ROWS),
    "empty fields": "\n".join(",".join("" if c == "." else c for c in row) for row in ROWS),
    "semicolons": "\n".join(";".join(row) for row in ROWS),
    "groups": "\n\n".join("\n".join(f"{r[:3]} {r[3:6]} {r[6:]}" for r in ROWS[i : i + 3]) for i in (0, 3, 6)),
    "boxes": bands("|", "|", "|", "+---+---+---+"),
    "boxes without a frame": bands("", "|", "", "---+---+---"),
    "boxes with stars": bands("|", "|", "|", "*---*---*---*"),
    "boxes with dots": bands("|", "|", "|", ".---.---.---."),
    "boxes with colons": bands("|", "|", "|", ":===+===+===:"),
    "unicode boxes": bands("║", "║", "║", "╠═══╬═══╬═══╣"),
    "thin unicode boxes": bands("│", "│", "│", "├───┼───┼───┤"),
    "as we draw it": draw(PUZZLE),
    "as we draw it plainly": draw(PUZZLE, boxes=False),
    "CRLF": "\r\n".join(ROWS) + "\r\n",
    "CR": "\r".join(ROWS),
    "comments": "# a comment\n" + "\n".join(f"{row}  # row" for row in ROWS) + "\n# the end",
    "a title": "Grid 01\n" + "\n".join(ROWS),
    "a title that could be cells": "Page 3\n" + "\n".join(ROWS),
    "a sentence": "Hard, said to be: 9/10\n" + "\n".join(ROWS),
    "leading blank lines": "\n\n  \n" + "\n".join(ROWS) + "\n\n",
    "list": str(VALUES),
    "flat list": str([x for row in VALUES for x in row]),
    "tuples": str(tuple(map(tuple, VALUES))),
    "json over many lines": json.dumps(VALUES, indent=2),
    "numpy": "[" + "\n ".join("[" + " ".join(map(str, row)) + "]" for row in VALUES) + "]",
    "list of strings": str(ROWS),
    "list after a comment": "# [1]\n" + str(VALUES),
}


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_is_the_same_puzzle(text: str) -> None:
    [entry] = read_all(text)
    assert entry.puzzle == PUZZLE
    assert entry.expect is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A line of n * n characters is a whole grid, unless there are n * n such lines.
        ("1234341221434321", [4]),
        ("1234341221434321\n" * 3, [4] * 3),
        ("1234341221434321\n\n" * 3, [4] * 3),
        ("1..............." + "\n................" * 15, [4] * 16),
        ("5..............." + "\n................" * 15, [16]),
        ("G..............." + "\n................" * 31, [16, 16]),
        ("................\n" * 16, [16]),
        ((". " * 15 + "1\n") * 16, [16]),
        ("# size: 16\n" + "1...............\n" * 16, [16]),
        ("# size: 4\n" + "................\n" * 16, [4] * 16),
        ("1...", [2]),
        ("1...\n....\n....\n....", [4]),
        (".........", [3]),
        (".........\n" * 9, [9]),
        (".........\n" * 8, [3] * 8),
        ("." * 25, [5]),
        ("." * 25 + "\n" + "P" * 25 + ("\n" + "." * 25) * 23, [25]),
        ("." * 36, [6]),
        ("." * 625, [25]),
        ("." * 36 + "\n" + "." * 16 + "\n" + LINE, [6, 4, 9]),
        # Grids of several sizes in one file.
        ("....\n" * 4 + "\n" + "\n".join(ROWS), [4, 9]),
        ("....\n" * 4 + "\n".join(ROWS), [4, 9]),
        ("\n".join(ROWS) + "\n\n" + "....\n" * 4, [9, 4]),
        ("\n".join(ROWS * 3), [9] * 3),
        ("1", [1]),
        (".", [1]),
        ("1\n1", [1, 1]),
        ("12\n21", [2]),
        ("......\n" * 6, [6]),
        ("1...:3", [2]),
    ],
)
def test_whole_grids_and_rows_are_told_apart(text: str, expected: list[int]) -> None:
    assert sizes(text) == expected


def test_several_puzzles_are_numbered_and_know_their_lines() -> None:
    entries = read_all("Grid 01\n" + "\n".join(ROWS) + "\nGrid 02\n" + "\n".join(ROWS))
    assert [entry.puzzle.name for entry in entries] == ["p#1", "p#2"]
    assert [entry.place for entry in entries] == ["p.txt:2", "p.txt:12"]


def test_a_tail_is_an_expectation() -> None:
    text = f"# as tdoku writes them\n{LINE}:1:{SOLVED}\n{LINE}:1\n{LINE}:1:\n{LINE}\n"
    assert [entry.expect for entry in read_all(text)] == [
        Expect(1, solutions=(tuple(map(int, SOLVED)),)),
        Expect(1),
        Expect(1),
        None,
    ]


def test_letters_are_values_past_nine() -> None:
    [compact] = read_all("ABCDEFGHIJKLMNOP123456789\n" * 25)
    [lower] = read_all("abcdefghijklmnop123456789\n" * 25)
    [spaced] = read_all((" ".join(map(str, [*range(10, 26), *range(1, 10)])) + "\n") * 25)
    assert compact.puzzle == lower.puzzle == spaced.puzzle
    assert compact.puzzle.domains[:2] == ((10,), (11,))
    [padded] = read_all((" ".join(f"{i:02}" for i in range(12)) + "\n") * 12)
    assert padded.puzzle.domains[11] == (11,)
    assert padded.puzzle.domains[0] == tuple(range(1, 13))
    [mixed] = read_all((" ".join([".", "10", "C", "4", *"........"]) + "\n") * 12)
    assert mixed.puzzle.domains[1:4] == ((10,), (12,), (4,))


def test_two_digits_in_groups_are_cells_of_their_own() -> None:
    assert sizes("12 34\n34 12\n21 43\n43 21") == [4]


@pytest.mark.parametrize(
    ("header", "family"),
    [
        ("# box: 3x2", Sudoku.blank(6, box=(3, 2))),
        ("#box=3 x 2", Sudoku.blank(6, box=(3, 2))),
        ("# Box: 2X3", Sudoku.blank(6)),
        ("# diagonals", Sudoku.blank(6, diagonals=True)),
        ("# diagonals: yes\n# box: 3x2", Sudoku.blank(6, box=(3, 2), diagonals=True)),
        ("# diagonals: no", Sudoku.blank(6)),
        ("# family: latin", Latin.blank(6)),
        ("# family: Sudoku", Sudoku.blank(6)),
        ("# size: 6", Sudoku.blank(6)),
        ("# diagonals are nice, and so is the box", Sudoku.blank(6)),
        (
            "# regions: AAABBB/AAABBB/CCCDDD/CCCDDD/EEEFFF/EEEFFF",
            Sudoku.blank(6, regions=tuple(map(tuple, ("AAABBB", "AAABBB", "CCCDDD", "CCCDDD", "EEEFFF", "EEEFFF")))),
        ),
    ],
)
@pytest.mark.parametrize("grid", ["......\n" * 6, "." * 36, ". . . . . .\n" * 6])
def test_headers(header: str, family: Sudoku | Latin, grid: str) -> None:
    [entry] = read_all(f"{header}\n{grid}")
    assert entry.puzzle == family.puzzle("p")


def test_headers_hold_until_the_next_ones() -> None:
    line = "." * 36
    entries = read_all(f"# box: 3x2\n# diagonals\n{line}\n{line}\n# family: latin\n{line}\n# a comment\n{line}")
    tall = Sudoku.blank(6, box=(3, 2), diagonals=True)
    assert [entry.puzzle.family for entry in entries] == [tall, tall, Latin.blank(6), Latin.blank(6)]


def test_long_region_labels() -> None:
    [entry] = read_all("# regions: a1 a1/b2 b2\n..\n..")
    assert entry.puzzle.family == Sudoku.blank(2, regions=(("a1", "a1"), ("b2", "b2")))
