"""What each constraint means.

The set is closed on purpose: every engine must know every constraint, and `holds` is the one definition that all of
them are tested against. Cells are indices into the puzzle; `values` and `names` come in the order of `scope`.
"""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

Relation = Literal["==", "!=", "<=", "<", ">=", ">"]

RELATIONS: dict[Relation, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}

TIMES = {2: "twice", 3: "three times", 4: "four times"}


def _expected(relation: Relation, value: int) -> str:
    words = {"==": "", "!=": "anything but "}
    return f"expected {words.get(relation, relation + ' ')}{value}"


@dataclass(frozen=True, slots=True)
class AllDifferent:
    """No two cells of the scope hold the same value."""

    scope: tuple[int, ...]
    label: str = ""

    def holds(self, values: Sequence[int]) -> bool:
        return len(set(values)) == len(values)

    def broken(self, values: Sequence[int], names: Sequence[str]) -> str:
        """One sentence that says how `values` break this constraint."""
        places: dict[int, list[str]] = {}
        for value, name in zip(values, names, strict=True):
            places.setdefault(value, []).append(name)
        repeats = [
            f"{value} {TIMES.get(len(where), f'{len(where)} times')} ({', '.join(where)})"
            for value, where in sorted(places.items())
            if len(where) > 1
        ]
        return f"{self.label or 'all different: ' + ', '.join(names)} holds {' and '.join(repeats)}"


@dataclass(frozen=True, slots=True)
class Linear:
    """The sum of coefficient times value stands in `relation` to `value`."""

    scope: tuple[int, ...]
    coefficients: tuple[int, ...]
    relation: Relation
    value: int
    label: str = ""

    def __post_init__(self) -> None:
        if len(self.coefficients) != len(self.scope):
            raise ValueError(f"{len(self.coefficients)} coefficients for {len(self.scope)} cells")
        if self.relation not in RELATIONS:
            raise ValueError(f"relation {self.relation!r}, expected one of {' '.join(RELATIONS)}")

    def total(self, values: Sequence[int]) -> int:
        return sum(c * x for c, x in zip(self.coefficients, values, strict=True))

    def holds(self, values: Sequence[int]) -> bool:
        return RELATIONS[self.relation](self.total(values), self.value)

    def broken(self, values: Sequence[int], names: Sequence[str]) -> str:
        """One sentence that says how `values` break this constraint."""
        total, expected = self.total(values), _expected(self.relation, self.value)
        if all(c == 1 for c in self.coefficients):
            return f"{self.label or ' + '.join(names) or 'the empty sum'} sums to {total}, {expected}"
        terms = ""
        for c, name in zip(self.coefficients, names, strict=True):
            sign = ("-" if c < 0 else "") if not terms else (" - " if c < 0 else " + ")
            terms += sign + (name if abs(c) == 1 else f"{abs(c)}*{name}")
        return f"{self.label + ': ' if self.label else ''}{terms} is {total}, {expected}"


@dataclass(frozen=True, slots=True)
class Product:
    """The product of the values stands in `relation` to `value`; the empty product is 1."""

    scope: tuple[int, ...]
    value: int
    relation: Relation = "=="
    label: str = ""

    def __post_init__(self) -> None:
        if self.relation not in RELATIONS:
            raise ValueError(f"relation {self.relation!r}, expected one of {' '.join(RELATIONS)}")

    def holds(self, values: Sequence[int]) -> bool:
        return RELATIONS[self.relation](prod(values), self.value)

    def broken(self, values: Sequence[int], names: Sequence[str]) -> str:
        """One sentence that says how `values` break this constraint."""
        expected = _expected(self.relation, self.value)
        return f"{self.label or ' * '.join(names) or 'the empty product'} multiplies to {prod(values)}, {expected}"


@dataclass(frozen=True, slots=True)
class Table:
    """The values, as a tuple, are among `tuples`; or are not, where `allowed` is False."""

    scope: tuple[int, ...]
    tuples: frozenset[tuple[int, ...]]
    allowed: bool = True
    label: str = ""

    def __post_init__(self) -> None:
        for row in self.tuples:
            if len(row) != len(self.scope):
                raise ValueError(f"tuple {row} has {len(row)} values for {len(self.scope)} cells")

    def holds(self, values: Sequence[int]) -> bool:
        return (tuple(values) in self.tuples) == self.allowed

    def broken(self, values: Sequence[int], names: Sequence[str]) -> str:
        """One sentence that says how `values` break this constraint."""
        found = ", ".join(f"{name}={value}" for name, value in zip(names, values, strict=True)) or "the empty tuple"
        verdict = "is not among the allowed tuples" if self.allowed else "is forbidden"
        return f"{self.label + ': ' if self.label else ''}{found} {verdict}"


Constraint = AllDifferent | Linear | Product | Table
