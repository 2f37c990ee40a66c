"""Any puzzle can be written as TOML, and reading it gives the same puzzle."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosscount.puzzles import collection
from crosscount.puzzles.constraints import RELATIONS, AllDifferent, Constraint, Linear, Product, Relation, Table
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.expect import Entry, Expect
from crosscount.puzzles.families import Latin, Queens, Sudoku
from crosscount.puzzles.puzzle import Drawing, Puzzle
from crosscount.puzzles.toml_file import read_toml
from crosscount.puzzles.toml_write import to_toml

INTEGERS = st.integers(-(2**62), 2**62)
RELATION: st.SearchStrategy[Relation] = st.sampled_from(list(RELATIONS))
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def reread(puzzle: Puzzle, expect: Expect | None = None, title: str = "") -> Entry:
    return read_toml(to_toml(puzzle, expect, title), "p.toml", "another name")


@st.composite
def constraints(draw: st.DrawFn, cells: int) -> Constraint:
    scope = tuple(draw(st.lists(st.integers(0, cells - 1), max_size=4))) if cells else ()
    label = draw(TEXT)
    kind = draw(st.sampled_from([AllDifferent, Linear, Product, Table]))
    row = st.tuples(*[INTEGERS] * len(scope))
    if kind is AllDifferent:
        return AllDifferent(scope, label)
    if kind is Linear:
        return Linear(scope, draw(row), draw(RELATION), draw(INTEGERS), label)
    if kind is Product:
        return Product(scope, draw(INTEGERS), draw(RELATION), label)
    return Table(scope, frozenset(draw(st.sets(row, max_size=4))), draw(st.booleans()), label)


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    cells = draw(st.integers(0, 6))
    ranges = st.builds(lambda low, size: tuple(range(low, low + size)), st.integers(-20, 20), st.integers(0, 9))
    domain = st.one_of(ranges, st.lists(INTEGERS, max_size=4).map(tuple))
    domains = tuple(draw(domain) for _ in range(cells))
    names = tuple(draw(st.lists(TEXT, min_size=cells, max_size=cells, unique=True)))
    drawings: list[Drawing | None] = [None, Drawing(names), Drawing(tuple(f"x{v + 1}" for v in range(cells)))]
    if cells:
        drawings += [Drawing.grid(1, cells), Drawing.grid(cells, 1, tuple(range(cells)))]
        drawings += [Drawing(names, cells, 5, board=True)]
    return Puzzle(
        draw(TEXT.filter(bool)),
        domains,
        tuple(draw(st.lists(constraints(cells), max_size=4))),
        draw(st.sampled_from(drawings)),
    )


@given(puzzles(), TEXT)
def test_any_puzzle_reads_back(puzzle: Puzzle, title: str) -> None:
    entry = reread(puzzle, title=title)
    assert entry.puzzle == puzzle
    assert entry.title == title


@pytest.mark.parametrize("name", collection.names())
def test_the_collection_reads_back(name: str) -> None:
    entry = collection.entry(name)
    again = reread(entry.puzzle, entry.expect, entry.title)
    assert again.puzzle == entry.puzzle
    assert again.puzzle.family == entry.puzzle.family
    assert again.expect == entry.expect
    assert again.title == entry.title


@pytest.mark.parametrize("name", ["course-1", "jigsaw", "queens-6", "latin-4"])
def test_a_family_can_also_be_spelled_out(name: str) -> None:
    puzzle = replace(collection.entry(name).puzzle, family=None)
    text = to_toml(puzzle)
    assert text.startswith('family = "csp"')
    assert read_toml(text, "p.toml", "p").puzzle == puzzle


def test_a_changed_puzzle_is_no_longer_its_family() -> None:
    puzzle = Sudoku.blank(4).puzzle("p")
    changed = replace(puzzle, domains=((1, 2), *puzzle.domains[1:]))
    assert to_toml(changed).startswith('family = "csp"')
    assert reread(changed).puzzle == changed


@pytest.mark.parametrize(
    "family",
    [
        Sudoku.blank(1),
        Sudoku.blank(25),
        Sudoku.blank(6, box=(3, 2), diagonals=True),
        Sudoku.blank(2, regions=(("long", "b"), ("long", "b"))),
        Latin(((1, 0), (0, 0))),
        Queens(0),
        Queens(10, {1: 10, 10: 1}),
    ],
)
def test_families_read_back(family: Sudoku | Latin | Queens) -> None:
    entry = reread(family.puzzle("p"))
    assert entry.puzzle == family.puzzle("p")
    assert entry.puzzle.family == family


@pytest.mark.parametrize(
    "expect",
    [
        Expect(),
        Expect(0),
        Expect(2**63 - 1),
        Expect(2**63, at_least=2**70 % 2**63),
        Expect(unique=True),
        Expect(unique=False, at_least=2, source='a "source"\nof two lines \\ \x7f'),
        Expect(2, solutions=((1, 2, 2, 1), (2, 1, 1, 2))),
        Expect(0, solutions=()),
    ],
)
def test_expectations_read_back(expect: Expect) -> None:
    assert reread(Sudoku.blank(2).puzzle("p"), expect).expect == expect


def test_two_cells_of_one_name_cannot_be_written() -> None:
    with pytest.raises(InputError, match="p: two cells are called 'a', expected different names"):
        to_toml(Puzzle("p", ((1,), (1,)), (), Drawing(("a", "a"))))
