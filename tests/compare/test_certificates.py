"""Certificates: what is right is accepted, and whatever is wrong is rejected with a reason."""

import ast
import gzip
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crosscount.compare import certify, verify_certificate
from crosscount.compare.conformance import by_definition, random_puzzles
from crosscount.encodings.proof import Satisfiable, refutation
from crosscount.puzzles import collection
from crosscount.puzzles.constraints import AllDifferent, Linear, Product, Table
from crosscount.puzzles.engine import Limits, Stopped, Unavailable
from crosscount.puzzles.families import Latin, Queens, Sudoku
from crosscount.puzzles.puzzle import Puzzle

CHECKER = Path(verify_certificate.__file__)


def made(path: Path, puzzle: Puzzle, count: int, kind: certify.Kind) -> Path:
    certify.certify(path, puzzle, count, kind, Limits(), lambda line: None)
    return path


def expect_accepted(path: Path, puzzle: Puzzle, count: int, kind: certify.Kind) -> None:
    header, found, _ = verify_certificate.verify(str(made(path, puzzle, count, kind)))
    assert found == count
    assert certify.is_about(header, puzzle)


@pytest.mark.parametrize(
    ("name", "count", "kind"),
    [
        ("course-1", 2, "listing"),
        ("course-3", 413, "listing"),
        ("course-3", 413, "counting"),
        ("course-4", 286_470, "counting"),
        ("blank-6", 28_200_960, "counting"),
        ("latin-6", 812_851_200, "counting"),
        ("queens-8", 92, "counting"),
        ("queens-8", 92, "listing"),
        ("zebra", 1, "counting"),
        ("australia", 18, "counting"),
        ("magic-3", 8, "listing"),
        ("jigsaw", 1, "listing"),
    ],
)
def test_bundled_puzzles(tmp_path: Path, name: str, count: int, kind: certify.Kind) -> None:
    expect_accepted(tmp_path / "file", collection.entry(name).puzzle, count, kind)


DEGENERATE = [
    Puzzle("nothing", (), ()),
    Puzzle("nothing, contradicted", (), (Linear((), (), "==", 1),)),
    Puzzle("no value", ((1, 2), ()), ()),
    Puzzle("full", ((1,), (2,)), (AllDifferent((0, 1)),)),
    Puzzle("full and wrong", ((1,), (1,)), (AllDifferent((0, 1)),)),
    Puzzle("a cell that differs from itself", ((1, 2), (1, 2)), (AllDifferent((0, 0)),)),
    Puzzle("more cells than values", ((1, 2),) * 3, (AllDifferent((0, 1, 2)),)),
    Puzzle("a repeated scope", ((1, 2, 3),) * 3, (AllDifferent((0, 1, 2)), AllDifferent((2, 1, 0)))),
    Puzzle("zero is a value", ((-1, 0), (0, 5)), (Linear((0, 1), (1, 1), "!=", 0),)),
    Puzzle("on one cell", ((1, 2, 3), (1, 2)), (Linear((0,), (2,), ">", 2), Product((1, 1), 4))),
    Puzzle("a table", ((1, 2),) * 2, (Table((0, 1), frozenset({(1, 2), (2, 2)})),)),
    Puzzle("a forbidden row", ((1, 2),) * 2, (Table((0, 1), frozenset({(1, 2)}), allowed=False),)),
]


@pytest.mark.parametrize("kind", ["counting", "listing"])
@pytest.mark.parametrize("puzzle", DEGENERATE, ids=lambda puzzle: puzzle.name)
def test_degenerate_puzzles(tmp_path: Path, puzzle: Puzzle, kind: certify.Kind) -> None:
    expect_accepted(tmp_path / "file", puzzle, len(by_definition(puzzle)), kind)


def test_random_puzzles_over_every_constraint(tmp_path: Path) -> None:
    counting = 0
    for puzzle in random_puzzles(99, 150):
        count = len(by_definition(puzzle))
        expect_accepted(tmp_path / "listing", puzzle, count, "listing")
        if certify.why_not_counting(puzzle) is None:
            counting += 1
            expect_accepted(tmp_path / "counting", puzzle, count, "counting")
    assert counting > 40


def test_the_kind_is_chosen_by_what_the_puzzle_is() -> None:
    sudoku = collection.entry("course-3").puzzle
    magic = collection.entry("magic-4").puzzle
    assert certify.choose(sudoku, 413) == "listing"
    assert certify.choose(sudoku, 1_000_000) == "counting"
    assert certify.choose(magic, 7040) == "listing"
    with pytest.raises(Unavailable, match=r"too many to list, and .* cannot be counted"):
        certify.choose(magic, 1_000_000)


def test_a_wrong_count_gets_no_certificate(tmp_path: Path) -> None:
    puzzle = collection.entry("course-2").puzzle
    for kind in ("counting", "listing"):
        with pytest.raises(RuntimeError, match="47 solutions were counted"):
            made(tmp_path / "file", puzzle, 47, kind)
    assert list(tmp_path.iterdir()) == []


def test_what_can_be_satisfied_is_not_refuted() -> None:
    with pytest.raises(Satisfiable):
        list(refutation([[1, 2], [-1, 2]], lambda: None))


@pytest.mark.parametrize("limits", [Limits(seconds=0), Limits(nodes=100), Limits(memory=1)])
def test_a_limit_leaves_nothing_behind(tmp_path: Path, limits: Limits) -> None:
    puzzle = collection.entry("course-4").puzzle
    with pytest.raises(Stopped):
        certify.certify(tmp_path / "file", puzzle, 286_470, "counting", limits, lambda line: None)
    assert list(tmp_path.iterdir()) == []


# --- the checker stands alone


def test_the_checker_is_short_and_imports_nothing_of_ours() -> None:
    source = CHECKER.read_text(encoding="utf-8")
    assert len(source.splitlines()) < 300
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
        assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


def test_the_checker_runs_alone(tmp_path: Path) -> None:
    made(tmp_path / "right.gz", Queens(6).puzzle("queens"), 4, "counting")
    (tmp_path / "wrong.gz").write_bytes(b"not a certificate")
    program = tmp_path / "verify_certificate.py"
    program.write_bytes(CHECKER.read_bytes())

    def run(*arguments: str) -> tuple[int, str]:
        # -I: no packages but Python's own, and nothing from this folder.
        ran = subprocess.run(
            [sys.executable, "-I", "-S", program, *arguments], cwd=tmp_path, text=True, capture_output=True
        )
        assert "Traceback" not in ran.stderr
        return ran.returncode, ran.stdout

    code, said = run("right.gz")
    assert (code, said[:34]) == (0, "accepted: queens: exactly 4 soluti")
    code, said = run("wrong.gz")
    assert (code, said[:10]) == (1, "rejected: ")
    assert run("missing.gz") == (2, "")
    assert run() == (2, "")


# --- corrupted certificates

Lines = list[str]


def read_lines(path: Path) -> Lines:
    with gzip.open(path, "rt") as file:
        return file.read().splitlines()[:-1]


def sealed(path: Path, lines: Lines) -> Path:
    """The lines with a right last one, as somebody who means harm would write them."""
    path.write_bytes(gzip.compress("\n".join([*lines, f"end {len(lines)}", ""]).encode(), 1))
    return path


def lines_of(lines: Lines, kind: str) -> list[int]:
    return [i for i, line in enumerate(lines) if line.split()[0] == kind]


def a_solution_is_dropped(lines: Lines, r: random.Random) -> None:
    del lines[r.choice(lines_of(lines, "solution"))]
    _count(lines, -1)


def a_solution_comes_twice(lines: Lines, r: random.Random) -> None:
    i = r.choice(lines_of(lines, "solution"))
    lines.insert(i, lines[i])
    _count(lines, 1)


def a_solution_is_changed(lines: Lines, r: random.Random) -> None:
    i = r.choice(lines_of(lines, "solution"))
    _, *values = lines[i].split()
    v = r.randrange(len(values))
    values[v] = str(int(values[v]) % 4 + 1)
    lines[i] = " ".join(["solution", *values])


def the_count_is_changed(lines: Lines, r: random.Random) -> None:
    _count(lines, r.choice([-1, 1, 7]))


def the_proof_stops_early(lines: Lines, r: random.Random) -> None:
    steps = lines_of(lines, "step")
    del lines[steps[r.randrange(len(steps) // 2)] :]


def a_step_claims_too_much(lines: Lines, r: random.Random) -> None:
    """That a cell cannot hold what it holds in a solution: it is a lie, whatever else the proof says."""
    first = lines_of(lines, "step")[0]
    values = lines[r.choice(lines_of(lines, "solution"))].split()[1:]
    domains = json.loads(lines[1])["domains"]
    v = r.choice([v for v, domain in enumerate(domains) if len(domain) > 1])
    literal = sum(map(len, domains[:v])) + domains[v].index(int(values[v])) + 1
    # Blocks make most solutions look impossible; before any of them is known, this one is possible.
    lines.insert(min(first, lines_of(lines, "solution")[0]), f"step {-literal}")


def an_axiom_does_not_follow(lines: Lines, r: random.Random) -> None:
    """A literal is negated or left out; every clause that does follow is among the axioms of the whole certificate."""
    axioms = lines_of(lines, "axiom")
    right = {tuple(sorted(map(int, lines[i].split()[1:]))) for i in axioms}
    i = r.choice(axioms)
    changed = lits = [int(lit) for lit in lines[i].split()[1:]]
    while tuple(sorted(changed)) in right:
        k = r.randrange(len(lits))
        changed = lits[:k] + r.choice([[], [-lits[k]]]) + lits[k + 1 :]
    lines[i] = " ".join(map(str, ["axiom", *changed]))


def axioms_are_missing(lines: Lines, r: random.Random) -> None:
    """All that says that some cell has a value: the cell could be empty."""
    at_least_one = [i for i in lines_of(lines, "axiom") if int(lines[i].split()[1]) > 0]
    for i in reversed(at_least_one):
        del lines[i]


def an_edge_is_redirected(lines: Lines, r: random.Random) -> None:
    nodes = [i for i in range(2, len(lines)) if len(lines[i].split()) > 2]
    i = r.choice(nodes)
    words = lines[i].split()
    k = r.randrange(2, len(words))
    words[k] = r.choice([str(n) for n in range(len(lines)) if str(n) != words[k]])
    lines[i] = " ".join(words)


def an_edge_is_dropped(lines: Lines, r: random.Random) -> None:
    i = r.choice([i for i in range(2, len(lines)) if len(lines[i].split()) > 2])
    words = lines[i].split()
    del words[r.randrange(2, len(words))]
    lines[i] = " ".join(words)


def another_cell_is_chosen(lines: Lines, r: random.Random) -> None:
    i = r.randrange(2, len(lines))
    words = lines[i].split()
    # A node without edges is dead or full whatever is chosen; a cell that is filled can never be.
    filled = [v for v, domain in enumerate(json.loads(lines[1])["domains"]) if len(domain) == 1]
    words[1] = str(r.choice(filled)) if filled else "-1"
    lines[i] = " ".join(words)


def a_node_is_dropped(lines: Lines, r: random.Random) -> None:
    del lines[r.randrange(2, len(lines))]


def two_differing_subproblems_are_merged(lines: Lines, r: random.Random) -> None:
    """Every edge to one leads to the other instead, its line is gone, and all numbers are in order again."""
    numbers = sorted(int(line.split()[0]) for line in lines[2:])
    same, gone = sorted(r.sample(numbers[1:], 2))

    def renamed(number: int) -> int:
        return same if number == gone else number - (number > gone)

    body = []
    for line in lines[2:]:
        node, cell, *children = map(int, line.split())
        if node != gone:
            body.append(" ".join(map(str, [renamed(node), cell, *map(renamed, children)])))
    lines[2:] = body


def it_is_about_another_puzzle(lines: Lines, r: random.Random) -> None:
    header = json.loads(lines[1])
    v = r.choice([v for v, domain in enumerate(header["domains"]) if len(domain) > 1])
    header["domains"][v] = header["domains"][v][:1]
    lines[1] = json.dumps(header)


def the_puzzle_is_exchanged(lines: Lines, r: random.Random) -> None:
    header = json.loads(lines[1])
    others: list[Latin | Sudoku | Queens] = [
        Latin.blank(2),
        Sudoku.blank(4),
        Queens(5),
        Latin(((1, 2, 0), (0,) * 3, (0,) * 3)),
    ]
    lines[1] = json.dumps(certify.header(r.choice(others).puzzle("another"), header["kind"], header["count"]))


def _count(lines: Lines, change: int) -> None:
    header = json.loads(lines[1])
    header["count"] += change
    lines[1] = json.dumps(header)


def garbage(lines: Lines, r: random.Random) -> None:
    i = r.randrange(len(lines))
    lines[i] = r.choice(
        ["", "x", "step 0", "step 99999999", "axiom", "solution", "0 0 0", "-1 -1", "{}", "[]", "null", "é"]
    )


Corruption = Callable[[Lines, random.Random], None]
OF_LISTING: list[Corruption] = [
    a_solution_is_dropped,
    a_solution_comes_twice,
    a_solution_is_changed,
    the_count_is_changed,
    the_proof_stops_early,
    a_step_claims_too_much,
    an_axiom_does_not_follow,
    axioms_are_missing,
    it_is_about_another_puzzle,
    the_puzzle_is_exchanged,
    garbage,
]
OF_COUNTING: list[Corruption] = [
    the_count_is_changed,
    an_edge_is_redirected,
    an_edge_is_dropped,
    another_cell_is_chosen,
    a_node_is_dropped,
    two_differing_subproblems_are_merged,
    it_is_about_another_puzzle,
    the_puzzle_is_exchanged,
    garbage,
]
SUBJECTS: dict[certify.Kind, list[tuple[Puzzle, int]]] = {
    "listing": [
        (collection.entry("four-4").puzzle, 3),
        (collection.entry("four-6").puzzle, 6),
        (Queens(6).puzzle("queens"), 4),
        (Latin.blank(3).puzzle("latin"), 12),
    ],
    "counting": [
        (collection.entry("course-2").puzzle, 48),
        (Latin.blank(4).puzzle("latin"), 576),
        (Queens(6).puzzle("queens"), 4),
    ],
}
EACH = {"listing": 50, "counting": 56}
"""How many of each corruption: 1,000 and more in all, with the damaged files below."""


@pytest.mark.parametrize(
    ("kind", "corrupt"),
    [*(("listing", c) for c in OF_LISTING), *(("counting", c) for c in OF_COUNTING)],
    ids=lambda x: x.__name__ if callable(x) else x,
)
def test_a_corrupted_certificate_is_rejected(tmp_path: Path, kind: certify.Kind, corrupt: Corruption) -> None:
    r = random.Random(f"{kind} {corrupt.__name__}")
    whole = [read_lines(made(tmp_path / "whole", puzzle, count, kind)) for puzzle, count in SUBJECTS[kind]]
    for number in range(EACH[kind]):
        lines = list(whole[number % len(whole)])
        corrupt(lines, r)
        assert lines != whole[number % len(whole)]
        with pytest.raises(verify_certificate.Rejected, match=r"\w"):
            verify_certificate.verify(str(sealed(tmp_path / "corrupted", lines)))


def test_a_dropped_line_is_noticed_even_where_the_proof_would_hold_without_it(tmp_path: Path) -> None:
    whole = read_lines(made(tmp_path / "whole", Queens(6).puzzle("queens"), 4, "listing"))
    for i in lines_of(whole, "step"):
        text = "\n".join([*whole[:i], *whole[i + 1 :], f"end {len(whole)}", ""])
        (tmp_path / "file").write_bytes(gzip.compress(text.encode()))
        with pytest.raises(verify_certificate.Rejected, match=r"\w"):
            verify_certificate.verify(str(tmp_path / "file"))


@pytest.mark.parametrize("kind", ["counting", "listing"])
def test_a_damaged_file_is_rejected(tmp_path: Path, kind: certify.Kind) -> None:
    puzzle, count = SUBJECTS[kind][-1]
    whole = made(tmp_path / "whole", puzzle, count, kind).read_bytes()
    r = random.Random(kind)
    damaged = [whole[: r.randrange(len(whole))] for _ in range(30)] + [whole[:-1], b"", whole + whole, whole[10:]]
    for _ in range(30):
        i = r.randrange(10, len(whole))  # what comes before says how and when it was compressed, and nothing else
        damaged.append(whole[:i] + bytes([whole[i] ^ 1 << r.randrange(8)]) + whole[i + 1 :])
    for content in damaged:
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(verify_certificate.Rejected, match=r"\w"):
            verify_certificate.verify(str(tmp_path / "file"))


HEADER = certify.header(Latin.blank(3).puzzle("latin"), "counting", 12)


@pytest.mark.parametrize(
    "change",
    [
        {"domains": [[1, 1]]},
        {"domains": [[2, 1]]},
        {"domains": [["1"]]},
        {"domains": [[True]]},
        {"domains": 7},
        {"domains": None},
        {"constraints": [["all-different", [99], [], "==", 0, []]]},
        {"constraints": [["all-different", [-1], [], "==", 0, []]]},
        {"constraints": [["all-different", [0]]]},
        {"constraints": [["linear", [0, 1], [1], "==", 0, []]]},
        {"constraints": [["linear", [0, 1], [1, 1], "=", 0, []]]},
        {"constraints": [["linear", [0, 1, 2], [1, 1, 1], "==", 6, []]]},
        {"constraints": [["sum", [0, 1], [], "==", 0, []]]},
        {"constraints": [["allowed", [0, 1], [], "==", 0, [1, 2]]]},
        {"kind": "hearsay"},
        {"kind": None},
        {"count": "12"},
    ],
    ids=str,
)
def test_a_header_that_makes_no_sense_is_rejected(tmp_path: Path, change: dict[str, Any]) -> None:
    whole = read_lines(made(tmp_path / "whole", Latin.blank(3).puzzle("latin"), 12, "counting"))
    whole[1] = json.dumps(HEADER | change)
    with pytest.raises(verify_certificate.Rejected, match=r"\w"):
        verify_certificate.verify(str(sealed(tmp_path / "file", whole)))
