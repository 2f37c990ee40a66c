"""In how many solutions each cell holds each value, from one recorded search, without listing any.

Every node of the record has a weight: how many ways of filling everything outside of it lead to it. An edge then stands
for weight times count solutions, and so does everything that was filled on it. Weights are passed down from the root in
one sweep, because edges lead to smaller numbers.

The sweep is done modulo primes below 2^31, as many as needed to tell all numbers up to the count apart (the Chinese
remainder theorem): every number asked for lies between 0 and the count, which is known exactly.
"""

from collections.abc import Generator
from dataclasses import dataclass
from math import prod

from crosscount.native.compiled import jit, saying_so
from crosscount.native.count import MEMORY, Counter, Counting, settled
from crosscount.native.count_model import lay_out
from crosscount.native.count_record import EDGES, FILLS, Record, Small
from crosscount.native.count_record import NODES as RECORDED
from crosscount.native.model import Ints, flatten, zeros
from crosscount.puzzles.engine import Limits
from crosscount.puzzles.puzzle import Puzzle

RECORD = 2 << 30
"""Bytes for the record where no limit is given."""


@dataclass(frozen=True, slots=True)
class CellCounts:
    """For each cell, how many of the `total` solutions give it which value; values in no solution are left out."""

    total: int
    cells: tuple[dict[int, int], ...]

    @property
    def backbone(self) -> dict[int, int]:
        """The cells that are the same in every solution, with their value."""
        return {v: next(iter(counts)) for v, counts in enumerate(self.cells) if len(counts) == 1}

    @property
    def next_clue(self) -> int | None:
        """The cell whose value would leave the fewest solutions on average, the first of them; None: all are known."""
        open_cells = [v for v, counts in enumerate(self.cells) if len(counts) > 1]
        return min(open_cells, key=lambda v: sum(n * n for n in self.cells[v].values()), default=None)

    def left_by(self, v: int) -> tuple[int, int]:
        """How many solutions remain on average when cell v is known, as a fraction."""
        return sum(n * n for n in self.cells[v].values()), self.total


def count_cells(puzzle: Puzzle, limits: Limits) -> Generator[Counting, None, CellCounts]:
    """The counts per cell; yields now and then while it searches, and raises Stopped at a limit.

    What is yielded last has counted everything; nothing is yielded where it is plain that there is no solution.
    """
    nothing = CellCounts(0, tuple({} for _ in puzzle.domains))
    flat = flatten(puzzle)
    if flat.contradiction:
        return nothing
    layout = lay_out(flat)
    found = settled(layout)
    if found is None:
        return nothing
    root, order = found
    is_symmetric = layout.interchangeable and bool(root.start.all())
    # Weights belong to names: a residual puzzle that was met under other names would get the weights of those.
    layout = layout if is_symmetric else layout.keeping_names()
    memory = RECORD if limits.memory is None else limits.memory
    with saying_so("count"):
        counter = Counter(layout, root, order, min(memory // 2, MEMORY), 0 if is_symmetric else memory)
        counter.run(0)
    counting = Counting(counter, limits)
    yield from counting
    yield counting  # once more, with everything counted
    counter = counting.counter
    total = counter.known
    if total == 0:
        return nothing
    if counter.record is None:
        # No value is told apart from another, so each stands in each cell equally often.
        share = dict.fromkeys(layout.values, total // len(layout.values))
        return CellCounts(total, tuple(dict(share) for _ in puzzle.domains))
    sums = _sums(counter.record, counter.last, total, len(order) * len(layout.values))
    cells: list[dict[int, int]] = [{layout.values[x]: total} for x in root.row.tolist()]
    for place, v in enumerate(counter.order):
        of_cell = sums[place * len(layout.values) : (place + 1) * len(layout.values)]
        cells[v] = {x: n for x, n in zip(layout.values, of_cell, strict=True) if n}
    return CellCounts(total, tuple(cells))


def _sums(record: Record, root: int, total: int, size: int) -> list[int]:
    """For each cell and value, by the number of its fill, how many solutions have it."""
    if root < 0:
        return []  # everything was filled from the start
    nodes, edges, fills = (int(record.sizes[k]) for k in (RECORDED, EDGES, FILLS))
    primes = _primes(total)
    remainders = []
    for prime in primes:
        sums = zeros(size)
        sweep(
            record.cell[:nodes],
            record.edge_at[: nodes + 1],
            record.child[:edges],
            record.fill_at[: edges + 1],
            record.fill[:fills],
            root,
            prime,
            zeros(nodes),
            zeros(nodes),
            sums,
        )
        remainders.append(sums.tolist())
    modulus = prod(primes)
    # What is 1 modulo one prime and 0 modulo the others.
    units = [modulus // p * pow(modulus // p, -1, p) for p in primes]
    return [
        sum(r * u for r, u in zip(column, units, strict=True)) % modulus for column in zip(*remainders, strict=True)
    ]


def _primes(total: int) -> list[int]:
    """Primes below 2^31, the largest first, whose product is more than `total`."""
    primes: list[int] = []
    candidate = (1 << 31) - 1
    while prod(primes) <= total:
        if all(candidate % k for k in range(3, 46341, 2)):
            primes.append(candidate)
        candidate -= 2
    return primes


@jit
def sweep(
    cell: Small,
    edge_at: Small,
    child: Small,
    fill_at: Small,
    fill: Small,
    root: int,
    prime: int,
    count: Ints,
    weight: Ints,
    sums: Ints,
) -> None:
    """Counts upwards, then weights downwards; `sums` gets weight times count for every fill. All modulo the prime."""
    for node in range(root + 1):
        total = 1 if cell[node] < 0 else 0
        for e in range(edge_at[node], edge_at[node + 1]):
            below = 1 if child[e] < 0 else count[child[e]]
            total = total * below % prime if cell[node] < 0 else (total + below) % prime
        count[node] = total
    weight[root] = 1
    for node in range(root, -1, -1):
        if weight[node] == 0:
            continue
        first, last = edge_at[node], edge_at[node + 1]
        for e in range(first, last):
            passed = weight[node]
            if cell[node] < 0:
                for other in range(first, last):
                    if other != e:
                        passed = passed * (1 if child[other] < 0 else count[child[other]]) % prime
            if child[e] >= 0:
                weight[child[e]] = (weight[child[e]] + passed) % prime
            found = passed * (1 if child[e] < 0 else count[child[e]]) % prime
            for i in range(fill_at[e], fill_at[e + 1]):
                sums[fill[i]] = (sums[fill[i]] + found) % prime
