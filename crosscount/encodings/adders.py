"""Sums in binary, for coefficients so large that no two partial sums are alike.

A number is a list of bits, lowest first; a bit is a literal, or None where it is always 0. The cells decide every bit.
"""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from itertools import zip_longest
from typing import TYPE_CHECKING

from crosscount.encodings.diagrams import Term
from crosscount.puzzles.constraints import Linear

if TYPE_CHECKING:
    from crosscount.encodings.cnf import Formula

Bit = int | None
Bits = list[Bit]


def add_sum(formula: "Formula", constraint: Linear, terms: Sequence[Term]) -> None:
    """The sum of `terms` stands in the constraint's relation to its value."""
    least = sum(min(term.gives.values()) for term in terms)
    total = _total(formula, [_number(formula, term) for term in terms])
    bound = constraint.value - least
    match constraint.relation:
        case "==":
            _at_most(formula, total, bound)
            _at_least(formula, total, bound)
        case "!=":
            _differs(formula, total, bound)
        case "<=" | "<":
            _at_most(formula, total, bound - (constraint.relation == "<"))
        case ">=" | ">":
            _at_least(formula, total, bound + (constraint.relation == ">"))


def _number(formula: "Formula", term: Term) -> Bits:
    """What a cell gives, less the least that it can give."""
    least = min(term.gives.values())
    lit_of = formula.lit_of(term.v)
    gives = {lit_of[x]: given - least for x, given in term.gives.items()}
    bits: Bits = []
    for i in range(max(gives.values()).bit_length()):
        ones = [lit for lit, given in gives.items() if given >> i & 1]
        if len(ones) <= 1:
            bits.append(ones[0] if ones else None)
            continue
        bit = formula.helper()
        bits.append(bit)
        formula.add([-bit, *ones], *([-lit, bit] for lit in ones))
    return bits


def _total(formula: "Formula", numbers: list[Bits]) -> Bits:
    """The shortest two are added first, so that carries stay short. The index only breaks ties."""
    heap = [(len(bits), i, bits) for i, bits in enumerate(numbers)]
    heapify(heap)
    fresh = len(heap)
    while len(heap) > 1:
        _, _, a = heappop(heap)
        _, _, b = heappop(heap)
        bits = _add(formula, a, b)
        heappush(heap, (len(bits), fresh, bits))
        fresh += 1
    return heap[0][2] if heap else []


def _add(formula: "Formula", a: Bits, b: Bits) -> Bits:
    bits: Bits = []
    carry: Bit = None
    for pair in zip_longest(a, b):
        bit, carry = _add_bits(formula, [lit for lit in (*pair, carry) if lit is not None])
        bits.append(bit)
    return bits if carry is None else [*bits, carry]


def _add_bits(formula: "Formula", lits: list[int]) -> tuple[Bit, Bit]:
    """The last bit and the carry of up to three bits."""
    if len(lits) < 2:
        return (lits[0] if lits else None), None
    bit, carry = formula.helper(), formula.helper()
    if len(lits) == 2:
        a, b = lits
        formula.add([-bit, a, b], [-bit, -a, -b], [bit, -a, b], [bit, a, -b])
        formula.add([-carry, a], [-carry, b], [carry, -a, -b])
        return bit, carry
    a, b, c = lits
    formula.add([-bit, a, b, c], [-bit, a, -b, -c], [-bit, -a, b, -c], [-bit, -a, -b, c])
    formula.add([bit, -a, -b, -c], [bit, -a, b, c], [bit, a, -b, c], [bit, a, b, -c])
    formula.add([carry, -a, -b], [carry, -a, -c], [carry, -b, -c])
    formula.add([-carry, a, b], [-carry, a, c], [-carry, b, c])
    return bit, carry


def _at_most(formula: "Formula", total: Bits, bound: int) -> None:
    if bound < 0:
        formula.add([])
        return
    if bound.bit_length() > len(total):
        return
    for i, bit in enumerate(total):
        # Where this is the highest place in which they differ, the bound has the 1.
        higher = [lit for j, lit in enumerate(total[i + 1 :], i + 1) if bound >> j & 1]
        if bit is not None and not bound >> i & 1 and None not in higher:
            formula.add([-bit, *(-lit for lit in higher if lit is not None)])


def _at_least(formula: "Formula", total: Bits, bound: int) -> None:
    if bound <= 0:
        return
    if bound.bit_length() > len(total):
        formula.add([])
        return
    for i, bit in enumerate(total):
        if bound >> i & 1:
            higher = [lit for j, lit in enumerate(total[i + 1 :], i + 1) if not bound >> j & 1]
            formula.add(lit for lit in (bit, *higher) if lit is not None)


def _differs(formula: "Formula", total: Bits, bound: int) -> None:
    if bound < 0 or bound.bit_length() > len(total):
        return
    clause = []
    for i, bit in enumerate(total):
        if bound >> i & 1:
            if bit is None:
                return
            clause.append(-bit)
        elif bit is not None:
            clause.append(bit)
    formula.add(clause)
