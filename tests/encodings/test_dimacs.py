"""DIMACS there and back."""

import pytest

from crosscount.encodings import dimacs, find
from crosscount.puzzles.constraints import AllDifferent, Linear
from crosscount.puzzles.dimacs_file import from_dimacs
from crosscount.puzzles.engine import Limits
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.puzzle import Drawing, Puzzle

PUZZLE = Puzzle(
    "three cells",
    ((1, 2, 3), (-1, 1), (2, 3)),
    (AllDifferent((0, 1, 2)), Linear((0, 1, 2), (1, 1, 1), ">=", 4)),
    Drawing(("a", "b", "c")),
)


def solutions(puzzle: Puzzle) -> list[tuple[int, ...]]:
    return sorted(tuple(row) for b in find("sat").search(puzzle, Limits()) for row in b.solutions.tolist())


def test_the_header_the_projection_and_the_map_are_written() -> None:
    lines = dimacs.to_dimacs(PUZZLE).splitlines()
    assert lines[0] == "c three cells"
    assert "c t pmc" in lines
    assert "c p show 1 2 3 4 5 6 7 0" in lines
    assert "c map 1 a 1" in lines
    assert "c map 4 b -1" in lines
    assert "c map 7 c 3" in lines
    (header,) = [line for line in lines if line.startswith("p cnf")]
    assert int(header.split()[3]) == sum(not line.startswith(("c", "p")) for line in lines)


def test_what_is_written_can_be_read_back() -> None:
    back = from_dimacs(dimacs.to_dimacs(PUZZLE), "three.cnf", "three")
    assert back.names[:7] == ("a=1", "a=2", "a=3", "b=-1", "b=1", "c=2", "c=3")
    projected = {row[:7] for row in solutions(back)}
    values = [(0, 1), (0, 2), (0, 3), (1, -1), (1, 1), (2, 2), (2, 3)]
    decoded = sorted(tuple(x for (_, x), true in zip(values, row, strict=True) if true) for row in projected)
    assert decoded == solutions(PUZZLE)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("p cnf 0 0\n", 1),
        ("p cnf 3 0\n", 8),
        ("p cnf 0 1\n0\n", 0),
        ("c hello\np cnf 2 1\n1 2 0\n", 3),
        ("p cnf 2 1\n1\n-2\n0", 3),
        ("p cnf 2 2\n1 0 -1 0\n", 0),
        ("p cnf 2 1\n1 -1 0\n", 4),
        ("p cnf 2 1\n1 1 2 0\n", 3),
        ("c p show 1 0\np cnf 2 1\n1 2 0\n", 3),
        ("p cnf 2 1\n1 2 0\n%\n0\n", 3),
    ],
)
def test_the_puzzle_has_as_many_solutions_as_the_formula_has_models(text: str, count: int) -> None:
    puzzle = from_dimacs(text, "some.cnf", "some")
    assert all(domain == (0, 1) for domain in puzzle.domains)
    assert len(solutions(puzzle)) == count


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "some.cnf: no header, expected 'p cnf VARIABLES CLAUSES'"),
        ("p dnf 1 1\n1 0\n", "some.cnf:1: 'p dnf 1 1', expected 'p cnf VARIABLES CLAUSES'"),
        ("p cnf 1 x\n1 0\n", "some.cnf:1: 'p cnf 1 x', expected 'p cnf VARIABLES CLAUSES'"),
        ("p cnf 1 1\np cnf 1 1\n1 0\n", "some.cnf:2: a second header, expected one; the first is on line 1"),
        ("1 0\np cnf 1 1\n", "some.cnf:1: '1' before the header, expected 'p cnf VARIABLES CLAUSES'"),
        ("p cnf 2 1\n1 3 0\n", "some.cnf:2: literal 3, expected one from -2 to 2"),
        ("p cnf 2 1\n1 a 0\n", "some.cnf:2: 'a', expected a literal or 0"),
        ("p cnf 2 1\n1 - 0\n", "some.cnf:2: '-', expected a literal or 0"),
        ("p cnf 2 1\n1 2\n", "some.cnf:2: the last clause has no end, expected 0 after 2"),
        ("p cnf 2 2\n1 2 0\n", "some.cnf:1: 1 clauses, expected 2 as the header says"),
    ],
)
def test_an_error_names_the_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        from_dimacs(text, "some.cnf", "some")
    assert str(error.value) == message
