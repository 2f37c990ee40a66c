"""Every solution as an answer set, through clingo.

`holds(C, I)` says that cell C has the I-th value of its domain. It is chosen, and every other atom follows from it, so
that answer sets and solutions are the same; enumeration is projected on `holds` all the same. Cells with one value are
`given(C, 0)`: there is nothing to choose.

clingo counts in 32 bits and does not notice when it passes them. Values are therefore numbered, sums that could pass
are walked cell by cell through their partial sums, which are numbered too, and so are all products.

The number of choices is known when clingo is done; until then it is None, and a limit on nodes is not seen.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import add, mul
from typing import Any

import numpy as np

from crosscount.encodings.stream import Stream
from crosscount.encodings.tally import Tally
from crosscount.puzzles.constraints import RELATIONS, AllDifferent, Constraint, Linear, Product, Table
from crosscount.puzzles.engine import Batch, Engine, Limits, Solutions, Stopped, Unavailable, solution_dtype
from crosscount.puzzles.puzzle import Puzzle

LARGEST = 2**31 - 1
MOST_STATES = 200_000
"""Partial sums or products of one constraint, times the values that lead on from them."""

FALSE = ":- #true."


def engine() -> Engine:
    return Engine("asp", "asp", "answer sets, by clingo", "a choice", search)


def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    """List every solution."""
    try:
        from clingo.control import Control
    except ImportError:
        raise Unavailable("clingo is not installed; pip install 'crosscount[asp]'") from None
    tally = Tally(puzzle, limits)
    # clingo would remark that a puzzle without cells never says what `holds` means.
    control = Control(["0", "--project", "--opt-mode=ignore"], logger=lambda code, message: None)
    control.add("base", [], program(puzzle))
    control.ground([("base", [])])
    decoder = _Decoder(puzzle, control)
    stream: Stream[Any] = Stream()
    tally.start()
    with control.solve(
        on_model=lambda model: stream.put(decoder.raw(model)), on_finish=lambda result: stream.end(), async_=True
    ) as handle:
        try:
            while not stream.ended or stream.rows:
                tally.add(decoder.rows(stream.take()))
                yield from tally.pulse(None)
        finally:
            stream.stop()
            handle.cancel()
        exhausted = handle.get().exhausted
    yield tally.batch(int(control.statistics["solving"]["solvers"]["choices"]))
    if not exhausted:
        raise Stopped("gave up")


class _Decoder:
    """From clingo's models to rows of values.

    clingo's Python objects for atoms take longer than its search. So we call the C function beneath them, where this
    version of the package lets us, keep the numbers that it gives, and look all of them up at once.
    """

    def __init__(self, puzzle: Puzzle, control: Any) -> None:
        atoms = [atom.symbol for atom in control.symbolic_atoms.by_signature("holds", 2)]
        places = [[argument.number for argument in atom.arguments] for atom in atoms]
        dtype = solution_dtype(puzzle)
        self.row = np.array([domain[0] if domain else 0 for domain in puzzle.domains], dtype)
        self.open = sum(len(domain) > 1 for domain in puzzle.domains)
        self.read = _symbol_reader(self.open)
        try:
            self.number = {atom: atom._rep for atom in atoms}
        except AttributeError:
            self.read = None
        if self.read is None:
            self.number = {atom: i for i, atom in enumerate(atoms)}
        keys = np.array([self.number[atom] for atom in atoms], np.uint64)
        order = np.argsort(keys)
        self.keys = keys[order]
        self.cell = np.array([v for v, _ in places], np.int64)[order]
        self.value = np.array([puzzle.domains[v][i] for v, i in places], dtype)[order]

    def raw(self, model: Any) -> bytes:
        """What is kept of a model until `rows` looks at it; clingo waits meanwhile."""
        if self.read is not None:
            return self.read(model)
        return np.array([self.number[atom] for atom in model.symbols(shown=True)], np.uint64).tobytes()

    def rows(self, raw: list[bytes]) -> Solutions:
        rows = np.tile(self.row, (len(raw), 1))
        found = np.frombuffer(b"".join(raw), np.uint64).reshape(len(raw), self.open)
        at = np.searchsorted(self.keys, found)
        rows[np.arange(len(raw))[:, None], self.cell[at]] = self.value[at]
        return rows


def _symbol_reader(size: int) -> Callable[[Any], bytes] | None:
    """A function that copies the `size` numbers of a model's shown atoms; None where the C function is out of reach."""
    try:
        from clingo._internal import _ffi, _handle_error, _lib  # type: ignore[attr-defined] # private

        array = _ffi.new("clingo_symbol_t[]", size)
        copy, shown, buffer = _lib.clingo_model_symbols, _lib.clingo_show_type_shown, _ffi.buffer(array)
    except (ImportError, AttributeError):
        return None

    def read(model: Any) -> bytes:
        _handle_error(copy(model._rep, shown, array, size))
        return bytes(buffer)

    return read


def program(puzzle: Puzzle) -> str:
    """The puzzle as a logic program. May raise `Unavailable` where a sum or product has too many partial ones."""
    lines = ["#show holds/2.", "#project holds/2."]
    for v, domain in enumerate(puzzle.domains):
        if not domain:
            lines.append(FALSE)
        elif len(domain) == 1:
            lines.append(f"given({v},0).")
        else:
            lines.append(f"1 {{ holds({v},0..{len(domain) - 1}) }} 1.")
    if all(puzzle.domains):
        for number, constraint in enumerate(puzzle.constraints):
            lines.extend(_rules(number, constraint, puzzle.domains))
    return "\n".join(lines)


def _rules(number: int, constraint: Constraint, domains: Sequence[Sequence[int]]) -> Iterator[str]:
    if not constraint.scope:
        if not constraint.holds(()):
            yield FALSE
    elif isinstance(constraint, AllDifferent):
        yield from _all_different(constraint, domains)
    elif isinstance(constraint, Linear):
        yield from _linear(number, constraint, domains)
    elif isinstance(constraint, Product):
        steps = [(v, dict(enumerate(domains[v]))) for v in constraint.scope]
        yield from _chain(number, constraint, steps, domains)
    else:
        yield from _table(number, constraint, domains)


def _atom(v: int, i: int, domains: Sequence[Sequence[int]]) -> str:
    return f"given({v},{i})" if len(domains[v]) == 1 else f"holds({v},{i})"


def _all_different(constraint: AllDifferent, domains: Sequence[Sequence[int]]) -> Iterator[str]:
    if len(set(constraint.scope)) < len(constraint.scope):
        yield FALSE
        return
    holders: dict[int, list[str]] = {}
    for v in constraint.scope:
        for i, x in enumerate(domains[v]):
            holders.setdefault(x, []).append(_atom(v, i, domains))
    for atoms in holders.values():
        if len(atoms) > 1:
            yield f":- 2 {{ {'; '.join(atoms)} }}."
        if len(holders) == len(constraint.scope):
            # As many values as cells: each stands somewhere. It follows, but clingo is twice as fast when told.
            yield f":- not {', not '.join(atoms)}."
    if len(holders) < len(constraint.scope):
        yield FALSE


def _linear(number: int, constraint: Linear, domains: Sequence[Sequence[int]]) -> Iterator[str]:
    weight: dict[int, int] = {}
    for v, c in zip(constraint.scope, constraint.coefficients, strict=True):
        weight[v] = weight.get(v, 0) + c
    steps = [(v, {i: c * x for i, x in enumerate(domains[v])}) for v, c in weight.items()]
    # clingo adds up all the weights before it knows that of each cell only one counts.
    if sum(abs(w) for _, gives in steps for w in gives.values()) + abs(constraint.value) > LARGEST:
        yield from _chain(number, constraint, steps, domains)
        return
    elements = "; ".join(f"{w},{v} : {_atom(v, i, domains)}" for v, gives in steps for i, w in gives.items())
    relation = "=" if constraint.relation == "==" else constraint.relation
    yield f":- not #sum {{ {elements} }} {relation} {constraint.value}."


def _chain(
    number: int,
    constraint: Linear | Product,
    steps: Sequence[tuple[int, dict[int, int]]],
    domains: Sequence[Sequence[int]],
) -> Iterator[str]:
    """Cell by cell, which partial sum or product has been reached; partial ones are numbered as they come up."""
    combine, start = (add, 0) if isinstance(constraint, Linear) else (mul, 1)
    target, left = constraint.value, MOST_STATES
    must_divide = isinstance(constraint, Product) and constraint.relation == "==" and target != 0
    reached = {start: 0}
    yield f"reached({number},0,0)."
    for place, (v, gives) in enumerate(steps):
        after: dict[int, int] = {}
        left -= len(reached) * len(gives)
        if left < 0:
            kind = "sum" if isinstance(constraint, Linear) else "product"
            raise Unavailable(f"a {kind} of {len(steps)} cells has too many partial ones to walk through in clingo")
        for partial, state in reached.items():
            for i, given in gives.items():
                result = combine(partial, given)
                if must_divide and (result == 0 or target % result != 0):
                    continue
                to = after.setdefault(result, len(after))
                body = f"reached({number},{place},{state}), {_atom(v, i, domains)}"
                yield f"reached({number},{place + 1},{to}) :- {body}."
        reached = after
    for result, state in reached.items():
        if RELATIONS[constraint.relation](result, target):
            yield f"satisfied({number}) :- reached({number},{len(steps)},{state})."
    yield f":- not satisfied({number})."


def _table(number: int, constraint: Table, domains: Sequence[Sequence[int]]) -> Iterator[str]:
    index = {v: {x: i for i, x in enumerate(domains[v])} for v in constraint.scope}
    for row in sorted(constraint.tuples):
        if all(x in index[v] for v, x in zip(constraint.scope, row, strict=True)):
            body = ", ".join(_atom(v, index[v][x], domains) for v, x in zip(constraint.scope, row, strict=True))
            yield f"satisfied({number}) :- {body}." if constraint.allowed else f":- {body}."
    if constraint.allowed:
        yield f":- not satisfied({number})."
