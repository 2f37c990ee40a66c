"""Search that keeps every constraint generalised arc consistent.

live: the values a cell may still take; a cell with one is filled, whoever left it that one.
trail: (cell, live before) to undo, oldest first.  task: a group, or a nary constraint numbered after the groups.

Cells are chosen as in forward checking, among those with two values or more; a node is such a choice.
What is consistent: all-different constraints (matching and strongly connected components), constraints on two cells,
tables, inequalities and disequalities always; equalities of sums, and products, where their decision diagram has at
most `arithmetic.ARCS` arcs, and bounds consistent beyond that.
"""

from crosscount.native import alldifferent, arithmetic, tables
from crosscount.native.compiled import inlined, jit, lowest, popcount, saying_so
from crosscount.native.consistency import TRAIL, Nary, State, pop, revise_pairs, shrink
from crosscount.native.model import TABLE, WIDE, Model, flatten
from crosscount.native.search import DEAD, DEPTH, NODES, Rows, Solver
from crosscount.puzzles.puzzle import Puzzle

SOLVED = 5
"""Register: 1 while a solution stands in `live` that has not been handed out."""


def prepare(m: Model) -> State:
    """Made consistent at the root; the depth is DEAD where that leaves a cell without values."""
    nary = Nary(arithmetic.Scratch.of(m), tables.Scratch.of(m)) if len(m.kind) else None
    s = State.of(m, alldifferent.Scratch.of(m), nary)
    begin(m, s)
    return s


def consistent_domains(puzzle: Puzzle) -> list[tuple[int, ...]] | None:
    """What is left of each domain when every constraint is consistent; None where a cell has no value left."""
    flat = flatten(puzzle)
    if flat.contradiction:
        return None
    with saying_so("gac"):
        s = prepare(flat.model)
    if s.registers[DEPTH] == DEAD:
        return None
    values = flat.values[flat.table]
    return [tuple(int(values[v, b]) for b in range(64) if int(live) >> b & 1) for v, live in enumerate(s.live.tolist())]


@jit
def begin(m: Model, s: State) -> None:
    for v in range(len(s.live)):
        if s.live[v] == 0:
            s.registers[DEPTH] = DEAD
            return
    if not propagate(m, s, s.nary):
        s.registers[DEPTH] = DEAD
        return
    s.registers[TRAIL] = 0  # nothing undoes this
    if not choose(s, 0):
        s.registers[SOLVED] = 1


@inlined
def choose(s: State, depth: int) -> bool:
    """Note the open cell with the fewest values, the first of them; False where every cell is filled."""
    best, fewest = -1, 65
    for v in range(len(s.live)):
        size = popcount(s.live[v])
        if 1 < size < fewest:
            best, fewest = v, size
            if size == 2:
                break
    if best < 0:
        return False
    s.cell[depth] = best
    s.remaining[depth] = s.live[best]
    s.mark[depth] = s.registers[TRAIL]
    return True


@jit
def revise_nary(m: Model, s: State, nary: Nary, c: int) -> bool:
    if m.kind[c] == TABLE:
        return tables.revise(m, s, nary.tuples, c)
    if m.kind[c] == WIDE:
        return alldifferent.revise_wide(m, s, c)
    return arithmetic.revise(m, s, nary.sums, c)


@jit
def propagate(m: Model, s: State, nary: Nary | None) -> bool:
    """Prune to a fixpoint; False as soon as a cell has no value left. Every removal is on the trail.

    `nary` is `s.nary`: numba leaves a branch out only where an argument itself is None, and a puzzle of all-different
    constraints alone should not wait until sums and tables are compiled.
    """
    groups = len(m.group_at) - 1
    consistent = True
    # Pairs first: they are cheap and leave the others less to do.
    while s.cells.size[0] > 0 or s.tasks.size[0] > 0:
        if s.cells.size[0] > 0:
            v = pop(s.cells)
            consistent = consistent and revise_pairs(m, s, v)
        else:
            task = pop(s.tasks)
            if task < groups:
                consistent = consistent and alldifferent.revise(m, s, task)
            elif nary is not None:
                consistent = consistent and revise_nary(m, s, nary, task - groups)
    return consistent


@inlined
def undo(s: State, mark: int) -> None:
    for i in range(s.registers[TRAIL] - 1, mark - 1, -1):
        s.live[s.trail_cell[i]] = s.trail_live[i]
    s.registers[TRAIL] = mark


@jit
def advance(m: Model, s: State, out: Rows, stop: int) -> int:
    """Search on until `out` is full, `stop` nodes are made in all, or none are left; how many rows were written."""
    found = 0
    depth = s.registers[DEPTH]
    nodes = s.registers[NODES]
    while depth >= 0 and found < len(out):
        if s.registers[SOLVED] != 0:
            for v in range(len(s.live)):
                out[found, v] = lowest(s.live[v])
            found += 1
            s.registers[SOLVED] = 0
        if s.remaining[depth] == 0:
            depth -= 1
            continue
        if found == len(out) or nodes == stop:
            break
        undo(s, s.mark[depth])
        rest = s.remaining[depth]
        bit = rest & -rest
        s.remaining[depth] = rest ^ bit
        nodes += 1
        if shrink(m, s, s.cell[depth], bit, -1) and propagate(m, s, s.nary):
            if choose(s, depth + 1):
                depth += 1
            else:
                s.registers[SOLVED] = 1
    s.registers[DEPTH] = depth
    s.registers[NODES] = nodes
    return found


SOLVER = Solver(prepare, advance)
