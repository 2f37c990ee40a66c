"""The counting search itself: choose a cell, count what each of its values leaves, remember what came out.

frame: a residual puzzle that is being counted. A choice adds up what the values of its next cell leave; a product
multiplies its components, which no longer share a constraint.  subproblem: a choice that was opened, that is, a
residual puzzle that was not remembered.

The search stops between two steps whenever the driver has to do something: more room for counts, a larger table, more
room for the record.
"""

from typing import TYPE_CHECKING, NamedTuple

from crosscount.native import count_nary, count_record
from crosscount.native.compiled import inlined, jit, popcount
from crosscount.native.count_board import (
    CHANGED,
    DEAD,
    QUIET,
    Board,
    Spots,
    component,
    copy_down,
    copy_row,
    first_open,
    forget_fresh,
    hash_sets,
    is_full,
    keep_part,
    place,
    place_hidden,
    place_singles,
)
from crosscount.native.count_limbs import add, is_zero, multiply
from crosscount.native.count_memory import COUNT, NOTE, find, note, store
from crosscount.native.model import Ints

if TYPE_CHECKING:
    from crosscount.native.count_nary import Nary
    from crosscount.native.count_record import Record

DEPTH, NODES, SIZE, ENTRIES, PENDING, ASKED, SPLIT, RESULT_ID = range(8)
"""Registers: depth of the last frame, -1 when all is counted; subproblems; rows of the table in use and taken; whether
a result waits to be added; how often components were looked for and found; the number of the result in the record."""

DONE, PAUSED, WIDER, LARGER, LONGER = range(5)
"""Why the search stopped: all is counted, enough nodes, or it needs wider counts, a larger table, a longer record."""

CELL, NEXT, LOW, HIGH, BEGUN, WIDTH, TRIED = range(7)
"""Columns of a frame: the cell chosen, -1 for a product; the next value to try; its hash; the subproblems before it;
how many values the cell has, and how many of them are done."""
COLUMNS = 7
PRODUCT_FRAME = -1

SOLVED = -1
"""Number of a result that is one solution and no subproblem."""


class Search(NamedTuple):
    frame: Ints  # [depth, column]
    total: Ints  # [depth, word] the sum, or the product, so far
    result: Ints  # [word] what the last frame came to
    scratch: Ints  # [2 * word]
    rest: Ints  # [depth, word of cells] components not yet looked at
    todo: Ints  # [word of cells]
    table: Ints  # see count_memory
    strength: Ints  # [2] which bits of the hash are used; all, but for tests
    registers: Ints


@jit
def settle(m: Board, p: Spots, nary: "Nary | None", d: int, first: int) -> bool:
    """Fill everything that is forced at depth d; False where a cell or a value has no place.

    Cells placed from number `first` on are not yet carried over to the sums.
    """
    did = CHANGED
    while did != QUIET:
        did = place_singles(m, p, d)
        if did == QUIET:
            did = place_hidden(m, p, d)
            if did == QUIET:
                forget_fresh(p)
        if did == DEAD:
            forget_fresh(p)
            return False
        if nary is not None:
            count_nary.note_placed(nary, p, d, first)
            first = p.filled[0]
            if did == QUIET:
                did = count_nary.revise_all(m, nary, p, d)
                if did == DEAD:
                    forget_fresh(p)
                    return False
    return True


@inlined
def descend(m: Board, p: Spots, nary: "Nary | None", d: int, v: int, x: int) -> bool:
    """Make at depth d + 1 what value x in cell v leaves of depth d; False where that is nothing."""
    copy_down(p, d)
    if nary is not None:
        count_nary.copy_down(nary, d)
    p.filled[0] = 0
    first = p.filled[0]  # not the constant, for which numba would compile `settle` once more
    place(m, p, d + 1, v, x)
    return settle(m, p, nary, d + 1, first)


@jit
def hashed(m: Board, p: Spots, nary: "Nary | None", s: Search, d: int) -> tuple[int, int]:
    low, high = hash_sets(m, p, d)
    if nary is not None:
        more_low, more_high = count_nary.hash_nary(m, nary, p, d)
        low += more_low
        high += more_high
    return low & s.strength[0], high & s.strength[1]


@inlined
def is_worth_splitting(s: Search) -> bool:
    """Looking for components costs as much as everything else, so it is done rarely where it rarely helps."""
    asked = s.registers[ASKED]
    return asked < 256 or s.registers[SPLIT] * 8 > asked or s.registers[NODES] & 63 == 0


@inlined
def is_useful(open_cells: Ints, part: Ints) -> int:
    """1 where both sides of a split have several cells. A few more cells to fill are no harder than a product."""
    inside, outside = 0, 0
    for w in range(len(part)):
        inside += popcount(part[w])
        outside += popcount(open_cells[w] & ~part[w])
    return 1 if min(inside, outside) >= 4 else 0


@jit
def enter(m: Board, p: Spots, nary: "Nary | None", s: Search, d: int, whole: bool) -> None:
    """Count what stands at depth d: at once where it is full or remembered, otherwise open a frame.

    `whole` says that it is known to be in one piece.
    """
    if is_full(p, d):
        give(s, 1, SOLVED)
        return
    if not whole and is_worth_splitting(s):
        s.registers[ASKED] += 1
        if not component(m, p, d, nary, p.open[d], s.rest[d], s.todo):
            s.registers[SPLIT] += is_useful(p.open[d], s.rest[d])
            s.frame[d, CELL] = PRODUCT_FRAME
            s.frame[d, WIDTH] = 1
            s.frame[d, TRIED] = 0
            copy_row(s.rest[d], p.open[d])
            set_total(s, d, 1)
            s.registers[DEPTH] = d
            return
    low, high = hashed(m, p, nary, s, d)
    row = find(s.table, s.registers[SIZE], low, high)
    if row >= 0:
        for i in range(len(s.result)):
            s.result[i] = s.table[row, COUNT + i]
        s.registers[PENDING] = 1
        s.registers[RESULT_ID] = s.table[row, NOTE] >> 8
        return
    v = first_open(p, d)
    s.frame[d, CELL] = v
    s.frame[d, NEXT] = 0
    s.frame[d, LOW] = low
    s.frame[d, HIGH] = high
    s.frame[d, BEGUN] = s.registers[NODES]
    s.frame[d, TRIED] = 0
    width = 0
    for x in range(p.sets.shape[1]):
        width += p.sets[d, x, v >> 6] >> (v & 63) & 1
    s.frame[d, WIDTH] = width
    set_total(s, d, 0)
    s.registers[NODES] += 1
    s.registers[DEPTH] = d


@inlined
def set_total(s: Search, d: int, value: int) -> None:
    s.total[d, 0] = value
    for i in range(1, s.total.shape[1]):
        s.total[d, i] = 0


@inlined
def give(s: Search, value: int, number: int) -> None:
    """A small number is the result."""
    s.result[0] = value
    for i in range(1, len(s.result)):
        s.result[i] = 0
    s.registers[PENDING] = 1
    s.registers[RESULT_ID] = number


@inlined
def take_part(m: Board, p: Spots, nary: "Nary | None", s: Search, d: int) -> None:
    """Make at depth d + 1 the next component of the product at depth d."""
    copy_down(p, d)
    component(m, p, d, nary, s.rest[d], p.open[d + 1], s.todo)
    for w in range(p.open.shape[1]):
        part = p.open[d + 1, w]
        s.rest[d, w] &= ~part
        for x in range(p.sets.shape[1]):
            p.sets[d + 1, x, w] &= part
    keep_part(m, p, d + 1)
    if nary is not None:
        count_nary.copy_down(nary, d)
        count_nary.keep_part(nary, d + 1, p.open[d + 1])


@inlined
def is_over(s: Search, d: int) -> bool:
    """Whether the product at depth d has no more components, or is zero whatever they come to."""
    for word in s.rest[d]:
        if word != 0:
            return is_zero(s.total[d])
    return True


@inlined
def close_product(s: Search, d: int, number: int) -> None:
    """Hand the product up. It is not remembered: its components are."""
    copy_row(s.result, s.total[d])
    s.registers[PENDING] = 1
    s.registers[RESULT_ID] = number
    s.registers[DEPTH] = d - 1


@inlined
def close_choice(s: Search, d: int, number: int) -> None:
    """All values of the cell are done: remember the sum and hand it up."""
    copy_row(s.result, s.total[d])
    effort = s.registers[NODES] - s.frame[d, BEGUN]
    s.registers[ENTRIES] += store(
        s.table, s.registers[SIZE], s.frame[d, LOW], s.frame[d, HIGH], note(effort, number), s.result
    )
    s.registers[PENDING] = 1
    s.registers[RESULT_ID] = number
    s.registers[DEPTH] = d - 1


@inlined
def next_value(p: Spots, s: Search, d: int) -> int:
    """The next value of the cell at depth d, or -1."""
    v = s.frame[d, CELL]
    for x in range(s.frame[d, NEXT], p.sets.shape[1]):
        if p.sets[d, x, v >> 6] >> (v & 63) & 1 != 0:
            s.frame[d, NEXT] = x + 1
            return x
    return -1


@jit
def advance(m: Board, p: Spots, nary: "Nary | None", s: Search, record: "Record | None", base: int, stop: int) -> int:
    """Search on until everything from depth `base` on is counted, or there is a reason to stop; the reason."""
    most = len(s.table)
    room = p.sets.shape[1] * (len(p.row) + 1)
    while True:
        d = s.registers[DEPTH]
        if s.registers[PENDING] != 0:
            if d < base:
                return DONE
            fits = multiply(s.total[d], s.result, s.scratch) if s.frame[d, CELL] < 0 else add(s.total[d], s.result)
            if not fits:
                return WIDER
            s.registers[PENDING] = 0
            s.frame[d, TRIED] += 1
            if record is not None:
                count_record.add_edge(record, d, s.frame[d, NEXT] - 1, s.registers[RESULT_ID])
        if s.registers[NODES] >= stop:
            return PAUSED
        if s.registers[ENTRIES] * 8 > s.registers[SIZE] * 5 and s.registers[SIZE] < most:
            return LARGER
        if record is not None and not count_record.has_room(record, room):
            return LONGER
        is_product = s.frame[d, CELL] < 0
        if is_product:
            if is_over(s, d):
                number = 0
                if record is not None:
                    number = count_record.close_frame(record, d, PRODUCT_FRAME)
                close_product(s, d, number)
                continue
            take_part(m, p, nary, s, d)
        else:
            x = next_value(p, s, d)
            if x < 0:
                number = 0
                if record is not None:
                    number = count_record.close_frame(record, d, s.frame[d, CELL])
                close_choice(s, d, number)
                continue
            if not descend(m, p, nary, d, s.frame[d, CELL], x):
                s.frame[d, TRIED] += 1
                continue
            if record is not None:
                count_record.add_fills(record, p)
        enter(m, p, nary, s, d + 1, is_product)
        if record is not None and s.registers[PENDING] == 0:
            count_record.open_frame(record, d + 1)
