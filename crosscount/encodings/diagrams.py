"""Decision diagrams of sums and products: how a constraint on many cells becomes a few states a layer.

The diagram looks at one cell after the other. A state is what the remaining cells still have to reach: for a sum the
bound less what has been added, for a product the bound divided by what has been multiplied. States that no completion
can tell apart are one node: for `<=` a node stands for a whole interval of bounds.

k: what is left to reach.  layer: how many cells have been looked at.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from crosscount.puzzles.constraints import Linear, Product
from crosscount.puzzles.engine import Unavailable

WIDE = 30_000
"""Edges of a diagram that a sum may have; past that, binary adders are smaller."""
DEEP = 400
"""Cells that a diagram may have; it is built by recursion."""
WIDEST = 1_000_000
"""Edges of a diagram that a product may have; there is no other way for it."""


class Term(NamedTuple):
    """What each value of cell `v` adds to the sum, or multiplies the product by."""

    v: int
    gives: dict[int, int]


class Node(NamedTuple):
    """One state. `sign` is -1 where a product compares its negative; `key` tells the states of a layer apart."""

    layer: int
    key: int
    sign: int


Child = Node | bool


@dataclass(frozen=True, slots=True)
class Diagram:
    """`children[node][value]` is where a value of the node's cell leads: a node below, or whether it holds."""

    root: Child
    children: dict[Node, dict[int, Child]]


class TooWide(Exception):
    """The diagram would have more edges than it may."""


def terms_of(constraint: Linear | Product, domains: Sequence[Sequence[int]]) -> list[Term]:
    """One term a cell, however often the cell stands in the scope; those that can change most come first."""
    weight: dict[int, int] = {}
    if isinstance(constraint, Linear):
        for v, c in zip(constraint.scope, constraint.coefficients, strict=True):
            weight[v] = weight.get(v, 0) + c
        terms = [Term(v, {x: c * x for x in domains[v]}) for v, c in weight.items() if c != 0]
    else:
        for v in constraint.scope:
            weight[v] = weight.get(v, 0) + 1
        terms = [Term(v, {x: x**n for x in domains[v]}) for v, n in weight.items()]
    return sorted(terms, key=lambda term: min(term.gives.values()) - max(term.gives.values()))


def too_many_products(constraint: Product) -> Unavailable:
    return Unavailable(
        f"a product of {len(constraint.scope)} cells with over {WIDEST} partial products is too much for clauses; "
        "a native engine needs no clauses"
    )


def build(constraint: Linear | Product, terms: Sequence[Term]) -> Diagram:
    """The diagram of `constraint` over `terms`; raises `TooWide` rather than grow without end."""
    if len(terms) > DEEP:
        raise TooWide
    is_sum = isinstance(constraint, Linear)
    steps: _Steps = (_SumEquals if is_sum else _ProductEquals)(terms)
    bound, wanted = constraint.value, True
    match constraint.relation:
        case "!=":
            wanted = False
        case "<=" | ">":
            steps = (_SumAtMost if is_sum else _ProductAtMost)(terms)
            wanted = constraint.relation == "<="
        case "<" | ">=":
            steps = (_SumAtMost if is_sum else _ProductAtMost)(terms)
            bound, wanted = bound - 1, constraint.relation == "<"
    return _Builder(steps, WIDE if is_sum else WIDEST).diagram(bound, wanted)


class _Reached(NamedTuple):
    """A child, and the interval of bounds for which it is the right one."""

    child: Child
    low: float
    high: float


class _Steps(ABC):
    """What one kind of constraint does; `terms` are its cells in order."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = terms

    @abstractmethod
    def settled(self, layer: int, k: int, sign: int) -> _Reached | None:
        """The answer where it no longer depends on the cells from `layer` on."""

    @abstractmethod
    def step(self, given: int, k: int, sign: int) -> tuple[int, int] | bool:
        """What is left to reach, and the sign, after a cell has given `given`; or the answer."""

    def widen(self, given: int, k: int, reached: _Reached | bool) -> tuple[float, float]:
        """The interval of bounds that a child's interval amounts to, one layer up."""
        return k, k


class _SumEquals(_Steps):
    def __init__(self, terms: Sequence[Term]) -> None:
        super().__init__(terms)
        self.ranges = _suffix_sums(terms)

    def settled(self, layer: int, k: int, sign: int) -> _Reached | None:
        low, high = self.ranges[layer]
        if not low <= k <= high:
            return _Reached(False, k, k)
        return _Reached(True, k, k) if low == high else None

    def step(self, given: int, k: int, sign: int) -> tuple[int, int] | bool:
        return k - given, sign


class _SumAtMost(_SumEquals):
    def settled(self, layer: int, k: int, sign: int) -> _Reached | None:
        low, high = self.ranges[layer]
        if k >= high:
            return _Reached(True, high, inf)
        return _Reached(False, -inf, low - 1) if k < low else None

    def widen(self, given: int, k: int, reached: _Reached | bool) -> tuple[float, float]:
        assert isinstance(reached, _Reached)
        return _times_plus(reached.low, 1, given), _times_plus(reached.high, 1, given)


class _ProductEquals(_Steps):
    def __init__(self, terms: Sequence[Term]) -> None:
        super().__init__(terms)
        self.ranges = _suffix_products(terms)

    def settled(self, layer: int, k: int, sign: int) -> _Reached | None:
        low, high = self.ranges[layer]
        if not low <= k <= high:
            return _Reached(False, k, k)
        return _Reached(True, k, k) if low == high else None

    def step(self, given: int, k: int, sign: int) -> tuple[int, int] | bool:
        if given == 0:
            return k == 0
        return (k // given, sign) if k % given == 0 else False


class _ProductAtMost(_ProductEquals):
    """`sign` times the product of the remaining cells is at most k."""

    def settled(self, layer: int, k: int, sign: int) -> _Reached | None:
        low, high = sorted(sign * end for end in self.ranges[layer])
        if k >= high:
            return _Reached(True, high, inf)
        return _Reached(False, -inf, low - 1) if k < low else None

    def step(self, given: int, k: int, sign: int) -> tuple[int, int] | bool:
        if given == 0:
            return k >= 0
        # s * g * rest <= k says the same as (s times the sign of g) * rest <= k / |g|, rounded down.
        return k // abs(given), sign if given > 0 else -sign

    def widen(self, given: int, k: int, reached: _Reached | bool) -> tuple[float, float]:
        if not isinstance(reached, _Reached):
            return (0, inf) if reached else (-inf, -1)
        g = abs(given)
        return _times_plus(reached.low, g, 0), _times_plus(reached.high, g, g - 1)


def _suffix_sums(terms: Sequence[Term]) -> list[tuple[int, int]]:
    ranges = [(0, 0)]
    for term in reversed(terms):
        low, high = ranges[-1]
        ranges.append((low + min(term.gives.values()), high + max(term.gives.values())))
    return ranges[::-1]


def _suffix_products(terms: Sequence[Term]) -> list[tuple[int, int]]:
    ranges = [(1, 1)]
    for term in reversed(terms):
        ends = [a * b for a in ranges[-1] for b in (min(term.gives.values()), max(term.gives.values()))]
        ranges.append((min(ends), max(ends)))
    return ranges[::-1]


class _Builder:
    """Depth first from the bound; every layer remembers the intervals that it has already answered."""

    def __init__(self, steps: _Steps, most_edges: int) -> None:
        self.steps = steps
        self.edges_left = most_edges
        self.children: dict[Node, dict[int, Child]] = {}
        self.alike: dict[tuple[int, tuple[Child, ...]], Node] = {}
        self.known: dict[tuple[int, int], _Intervals] = {}

    def diagram(self, bound: int, wanted: bool) -> Diagram:
        root = self.reach(0, bound, 1).child
        if wanted:
            return Diagram(root, self.children)
        turned = {node: {x: _turn(c) for x, c in children.items()} for node, children in self.children.items()}
        return Diagram(_turn(root), turned)

    def reach(self, layer: int, k: int, sign: int) -> _Reached:
        settled = self.steps.settled(layer, k, sign)
        if settled is not None:
            return settled
        known = self.known.setdefault((layer, sign), _Intervals())
        reached = known.at(k)
        if reached is None:
            reached = self.expand(layer, k, sign)
            known.put(reached)
        return reached

    def expand(self, layer: int, k: int, sign: int) -> _Reached:
        gives = self.steps.terms[layer].gives
        self.edges_left -= len(gives)
        if self.edges_left < 0:
            raise TooWide
        low, high = -inf, inf
        children: dict[int, Child] = {}
        for x, given in gives.items():
            after = self.steps.step(given, k, sign)
            below = after if isinstance(after, bool) else self.reach(layer + 1, *after)
            children[x] = below.child if isinstance(below, _Reached) else below
            ends = self.steps.widen(given, k, below)
            low, high = max(low, ends[0]), min(high, ends[1])
        first, *others = children.values()
        if isinstance(first, bool) and all(other is first for other in others):
            return _Reached(first, low, high)
        twin = self.alike.setdefault((layer, tuple(children.values())), Node(layer, k, sign))
        self.children.setdefault(twin, children)
        return _Reached(twin, low, high)


class _Intervals:
    """Disjoint intervals of bounds, each with what it leads to."""

    def __init__(self) -> None:
        self.lows: list[float] = []
        self.reached: list[_Reached] = []

    def at(self, k: int) -> _Reached | None:
        i = bisect_right(self.lows, k) - 1
        return self.reached[i] if i >= 0 and k <= self.reached[i].high else None

    def put(self, reached: _Reached) -> None:
        i = bisect_right(self.lows, reached.low)
        self.lows.insert(i, reached.low)
        self.reached.insert(i, reached)


def _times_plus(end: float, factor: int, plus: int) -> float:
    """Infinity stays what it is; everything else is an int of any size, which a float could not hold."""
    return end * factor + plus if isinstance(end, int) else end


def _turn(child: Child) -> Child:
    return not child if isinstance(child, bool) else child
