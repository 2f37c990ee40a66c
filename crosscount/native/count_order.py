"""In which order to fill the cells: the one thing that decides how many residual puzzles there are.

Candidates go along lines: disjoint constraints that cover the cells, such as all rows, all columns or all boxes, each
next line being the one that opens the fewest new constraints. Which candidate is best is found by trying: fill the
puzzle at random many times and see how often several of the ways leave the same residual puzzle at the same cell. If
few do, there are many residual puzzles (Chao's estimate of the number of species, 1984).
"""

from collections.abc import Iterable, Iterator
from time import perf_counter

import numpy as np

from crosscount.native.compiled import inlined, jit
from crosscount.native.count_board import Board, Spots, first_open, is_full
from crosscount.native.count_model import Flags, Layout, Root, arrange
from crosscount.native.count_nary import Nary
from crosscount.native.count_search import CELL, LOW, NEXT, TRIED, Search, descend, hashed
from crosscount.native.count_state import fresh
from crosscount.native.model import Ints

FEW, MANY = 400, 3000
"""Ways tried for every candidate, and for the best of them."""
BEST = 5
STEPS = 24
"""Choices that one way may take on average, counting those taken back, before a candidate is out of breath."""
MOST_CANDIDATES = 24


def best_order(layout: Layout, root: Root, cells: list[int], deadline: float | None = None) -> list[int]:
    """The candidate with the fewest residual puzzles, as far as trying shows, or as could be tried in time."""
    if len(cells) < 2:
        return cells  # and nothing to dive into
    candidates = list(_candidates(layout, cells))[:MOST_CANDIDATES]

    def ranked(numbers: Iterable[int], ways: int) -> list[int]:
        guesses = []
        for i in numbers:
            if deadline is not None and perf_counter() > deadline:
                break
            guesses.append((residuals(layout, root, candidates[i], ways), i))
        return [i for _, i in sorted(guesses)]

    # Filling costs several times as much where there are sums to look at.
    part = 1 if layout.nary is None else 4
    best = ranked(range(len(candidates)), FEW // part)[:BEST]
    best = ranked(best, MANY // part) or best
    return candidates[best[0]] if best else cells


def _candidates(layout: Layout, cells: list[int]) -> Iterator[list[int]]:
    """Orders of these cells, no two the same; reading order first."""
    seen = set()
    scopes = layout.scopes[:, cells]
    for order in ([*range(len(cells))], [*range(len(cells))][::-1], _narrow(scopes), *_along_lines(scopes)):
        if tuple(order) not in seen:
            seen.add(tuple(order))
            yield [cells[i] for i in order]


def _narrow(scopes: Flags) -> list[int]:
    """Always the cell that leaves the fewest ways to have filled the constraints that are begun."""
    sizes = scopes.sum(axis=1)
    begun = np.zeros_like(sizes)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, int(sizes.max(initial=0)) + 2)))])
    left = list(range(scopes.shape[1]))
    order = []
    while left:
        after = begun[:, None] + scopes[:, left]
        ways = (logs[sizes][:, None] - logs[after] - logs[sizes[:, None] - after]).sum(axis=0)
        order.append(left.pop(int(ways.argmin())))
        begun += scopes[:, order[-1]]
    return order


def _along_lines(scopes: Flags) -> Iterator[list[int]]:
    families = []
    for seed in range(len(scopes)):
        taken = scopes[seed].copy()
        lines = [seed]
        for g in [*range(seed + 1, len(scopes)), *range(seed)]:
            if scopes[g].any() and not (scopes[g] & taken).any():
                taken |= scopes[g]
                lines.append(g)
        lines.sort()
        if scopes[seed].sum() > 1 and 2 * taken.sum() > len(taken) and len(lines) > 1 and lines not in families:
            families.append(lines)
    families.sort(key=len)
    for first in range(max(map(len, families), default=0)):
        for lines in families[:8]:
            if first < len(lines):
                yield _cells_of(scopes, lines, lines[first])


def _cells_of(scopes: Flags, lines: list[int], first: int) -> list[int]:
    """The cells line by line, beginning with line `first`; then those that are on none."""
    others = np.delete(scopes, lines, axis=0)
    left = [g for g in lines if g != first]
    order = np.flatnonzero(scopes[first]).tolist()
    while left:
        filled = np.zeros(scopes.shape[1], np.bool_)
        filled[order] = True

        def opened(g: int, filled: Flags = filled) -> tuple[int, int, int]:
            after = filled | scopes[g]
            begun = (others & after).any(axis=1) & ~(others <= after).all(axis=1)
            return int(begun.sum()), int(scopes[g].sum()), g

        best = min(left, key=opened)
        left.remove(best)
        order += np.flatnonzero(scopes[best]).tolist()
    on_lines = set(order)
    return order + [v for v in range(scopes.shape[1]) if v not in on_lines]


def residuals(layout: Layout, root: Root, order: list[int], ways: int) -> float:
    """A guess at how many residual puzzles there are at the cell that has most; infinite where no way was found."""
    board, spots, nary = arrange(layout, root, order)
    search = fresh(spots, 0)
    seen = np.zeros((ways, len(order)), np.int64)
    random = np.array([0x2545F4914F6CDD1D])
    steps, found = 0, 0
    for _ in range(ways):
        used, solved = dive(board, spots, nary, search, random, 20 * STEPS, seen[found])
        steps += used
        found += solved
        if steps > ways * STEPS:
            break
    widest = 0.0
    for column in seen[:found].T:
        times = np.unique(column[column != 0], return_counts=True)[1]
        once, twice = int((times == 1).sum()), int((times == 2).sum())
        widest = max(widest, len(times) + once * (once - 1) / 2 / (twice + 1))
    return widest if found else float("inf")


@inlined
def draw(random: Ints) -> int:
    """The next number of Marsaglia's xorshift generator, not negative."""
    x = random[0]
    x ^= x << 13
    x ^= x >> 7 & 0x1FFFFFFFFFFFFFF
    x ^= x << 17
    random[0] = x
    return x & 0x7FFFFFFFFFFFFFFF


@jit
def dive(m: Board, p: Spots, nary: Nary | None, s: Search, random: Ints, most: int, seen: Ints) -> tuple[int, int]:
    """Fill the puzzle at random: how many choices that took, and 1 where it was filled, with each choice's hash."""
    values = p.sets.shape[1]
    steps, d = 0, 0
    opening = True
    while steps < most:
        if opening:
            s.frame[d, CELL] = first_open(p, d)
            s.frame[d, NEXT] = draw(random) % values
            s.frame[d, TRIED] = 0
            s.frame[d, LOW] = hashed(m, p, nary, s, d)[0]
            opening = False
            steps += 1
        v = s.frame[d, CELL]
        x = -1
        while x < 0 and s.frame[d, TRIED] < values:
            y = (s.frame[d, NEXT] + s.frame[d, TRIED]) % values
            s.frame[d, TRIED] += 1
            if p.sets[d, y, v >> 6] >> (v & 63) & 1 != 0:
                x = y
        if x < 0:
            d -= 1
            if d < 0:
                break
        elif descend(m, p, nary, d, v, x):
            if is_full(p, d + 1):
                for i in range(len(seen)):
                    seen[i] = 0
                for e in range(d + 1):
                    seen[s.frame[e, CELL]] = s.frame[e, LOW] | 1
                return steps, 1
            d += 1
            opening = True
    return steps, 0
