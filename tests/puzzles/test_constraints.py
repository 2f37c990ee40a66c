"""What each constraint means, and how it says that it is broken."""

import pytest

from crosscount.puzzles.constraints import AllDifferent, Constraint, Linear, Product, Relation, Table


@pytest.mark.parametrize(
    ("constraint", "values", "holds"),
    [
        (AllDifferent((0, 1, 2)), (3, 1, 2), True),
        (AllDifferent((0, 1, 2)), (3, 1, 3), False),
        (AllDifferent(()), (), True),
        (AllDifferent((0,)), (0,), True),
        (Linear((0, 1), (1, 1), "==", 5), (2, 3), True),
        (Linear((0, 1), (2, -3), "==", -5), (2, 3), True),
        (Linear((), (), "==", 0), (), True),
        (Linear((), (), "==", 1), (), False),
        (Linear((), (), "<", 1), (), True),
        (Product((0, 1), 6), (2, 3), True),
        (Product((0, 1), 0), (0, 3), True),
        (Product((), 1), (), True),
        (Product((), 0), (), False),
        (Product((0, 1), -6, "<="), (-2, 3), True),
        (Table((0, 1), frozenset({(1, 2), (0, 0)})), (0, 0), True),
        (Table((0, 1), frozenset({(1, 2), (0, 0)})), (2, 1), False),
        (Table((0, 1), frozenset({(1, 2)}), allowed=False), (2, 1), True),
        (Table((0, 1), frozenset({(1, 2)}), allowed=False), (1, 2), False),
        (Table((), frozenset()), (), False),
        (Table((), frozenset({()})), (), True),
        (Table((), frozenset(), allowed=False), (), True),
    ],
)
def test_holds(constraint: Constraint, values: tuple[int, ...], holds: bool) -> None:
    assert constraint.holds(values) is holds


@pytest.mark.parametrize(
    ("relation", "below", "equal", "above"),
    [
        ("==", False, True, False),
        ("!=", True, False, True),
        ("<=", True, True, False),
        ("<", True, False, False),
        (">=", False, True, True),
        (">", False, False, True),
    ],
)
def test_every_relation(relation: Relation, below: bool, equal: bool, above: bool) -> None:
    for value, expected in ((1, below), (2, equal), (3, above)):
        assert Linear((0,), (1,), relation, 2).holds((value,)) is expected
        assert Product((0,), 2, relation).holds((value,)) is expected


def test_a_repeated_cell_has_the_same_value_twice() -> None:
    assert not AllDifferent((0, 0)).holds((4, 4))
    assert Linear((0, 0), (1, 1), "==", 8).holds((4, 4))
    assert Product((0, 0), 16).holds((4, 4))
    assert Table((0, 0), frozenset({(4, 4)})).holds((4, 4))


@pytest.mark.parametrize(
    ("constraint", "values", "sentence"),
    [
        (AllDifferent((0, 1, 2), "row 1"), (4, 4, 1), "row 1 holds 4 twice (a, b)"),
        (AllDifferent((0, 1, 2), "row 1"), (4, 4, 4), "row 1 holds 4 three times (a, b, c)"),
        (AllDifferent((0, 1, 2)), (1, 4, 4), "all different: a, b, c holds 4 twice (b, c)"),
        (Linear((0, 1), (1, 1), "==", 9, "cage 3"), (4, 4), "cage 3 sums to 8, expected 9"),
        (Linear((0, 1), (1, 1), "<", 8), (4, 4), "a + b sums to 8, expected < 8"),
        (Linear((0, 1), (1, 1), "!=", 8), (4, 4), "a + b sums to 8, expected anything but 8"),
        (Linear((0, 1, 2), (-1, 2, -3), "==", 0), (1, 1, 1), "-a + 2*b - 3*c is -2, expected 0"),
        (Linear((0, 1), (1, -1), "!=", 0, "same"), (1, 1), "same: a - b is 0, expected anything but 0"),
        (Linear((), (), "==", 1), (), "the empty sum sums to 0, expected 1"),
        (Product((0, 1), 9), (4, 4), "a * b multiplies to 16, expected 9"),
        (Product((0, 1), 9, "<=", "cage"), (4, 4), "cage multiplies to 16, expected <= 9"),
        (Product((), 0), (), "the empty product multiplies to 1, expected 0"),
        (Table((0, 1), frozenset(), label="hop"), (4, 5), "hop: a=4, b=5 is not among the allowed tuples"),
        (Table((0, 1), frozenset({(4, 5)}), False), (4, 5), "a=4, b=5 is forbidden"),
        (Table((), frozenset()), (), "the empty tuple is not among the allowed tuples"),
    ],
)
def test_broken_says_how(constraint: Constraint, values: tuple[int, ...], sentence: str) -> None:
    assert not constraint.holds(values)
    assert constraint.broken(values, "abc"[: len(values)]) == sentence


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="1 coefficients for 2 cells"):
        Linear((0, 1), (1,), "==", 0)
    with pytest.raises(ValueError, match="has 1 values for 2 cells"):
        Table((0, 1), frozenset({(1,)}))
    for build in (lambda r: Linear((0,), (1,), r, 0), lambda r: Product((0,), 0, r)):
        with pytest.raises(ValueError, match="relation '=', expected one of"):
            build("=")
