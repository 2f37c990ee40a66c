"""The plain twins of bf, bt and fc-mrv: step for step what the compiled searchers do, one event a step.

live: mask of the values a cell may still take.  remaining: for each depth, those still to try there.
"""

from collections.abc import Iterator

from crosscount.compare.replay_board import Board, Event, Rules
from crosscount.puzzles.constraints import AllDifferent, Constraint
from crosscount.puzzles.puzzle import Puzzle


def brute_force(puzzle: Puzzle, board: Board) -> Iterator[Event]:
    """Reading order, every value of the domain, checked after it is placed."""
    of: list[list[Constraint]] = [[c for c in puzzle.constraints if v in c.scope] for v in range(len(puzzle.domains))]
    order = [v for v, domain in enumerate(puzzle.domains) if len(domain) != 1]
    fault = next((wrong for v in range(len(board.values)) if (wrong := _conflict(board, v, of[v]))), None)
    if fault is None and not all(c.holds(()) for c in puzzle.constraints if not c.scope):
        fault = Event("dead end", because="a constraint on no cells does not hold")
    if fault is not None:
        yield fault
        yield board.ended()
        return
    tried = [0] * (len(order) + 1)
    depth = 0
    while depth >= 0:
        if depth == len(order):
            yield board.solved()
            depth -= 1
            continue
        v = order[depth]
        domain = puzzle.domains[v]
        if tried[depth] == len(domain):
            board.values[v], board.marks[v] = None, 0
            yield board.back(v, order[depth - 1] if depth else None)
            depth -= 1
            continue
        board.nodes += 1
        board.values[v] = domain[tried[depth]]
        tried[depth] += 1
        board.marks[v] = _above(tried[depth], len(domain))
        fault = _conflict(board, v, of[v])
        if fault is not None:
            yield fault
        else:
            yield _placed(board, v)
            depth += 1
            tried[depth] = 0
    yield board.ended()


def _above(first: int, size: int) -> int:
    """The bits from `first` on."""
    return (1 << size) - (1 << first)


def _placed(board: Board, v: int) -> Event:
    return Event("place", v, because=f"{board.names[v]} = {board.values[v]}")


def _conflict(board: Board, v: int, constraints: list[Constraint]) -> Event | None:
    """What the value of v breaks: all-different among filled cells, anything else once all its cells are filled."""
    x = board.values[v]
    if x is None:
        return None
    said = f"{board.names[v]} = {x}"
    for constraint in constraints:
        scope = constraint.scope
        if isinstance(constraint, AllDifferent):
            others = [u for u in scope if u != v and board.values[u] == x]
            if others or scope.count(v) > 1:
                where = ", ".join(board.names[u] for u in others) or "the cell itself"
                because = f"{said}: {constraint.label or 'all different'} holds {x} already ({where})"
                return Event("dead end", v, (v, *others), because)
        else:
            values = [value for u in scope if (value := board.values[u]) is not None]
            if len(values) == len(scope) and not constraint.holds(values):
                because = f"{said}: {constraint.broken(values, [board.names[u] for u in scope])}"
                return Event("dead end", v, tuple(dict.fromkeys((v, *scope))), because)
    return None


def backtracking(puzzle: Puzzle, board: Board) -> Iterator[Event]:
    """Reading order, only values that no filled cell forbids."""
    rules = Rules(puzzle)
    board.tables = rules.tables
    search = _Backtracking(rules)
    order = [v for v in range(len(rules.domains)) if not rules.is_given(v)]
    for v in range(len(rules.domains)):
        if rules.is_given(v):
            found = 0 if rules.contradiction else search.candidates(v)
            if not found:
                yield Event("dead end", v, (v,), f"the givens contradict each other at {board.names[v]}")
                yield board.ended()
                return
            search.live[v] = found
            board.values[v] = rules.tables[v][found.bit_length() - 1]
    if rules.contradiction:
        yield Event("dead end", because="a constraint cannot hold")
        yield board.ended()
        return
    remaining = [0] * (len(order) + 1)
    depth, arrived = 0, True
    while depth >= 0:
        if depth == len(order):
            yield board.solved()
            depth, arrived = depth - 1, False
            continue
        v = order[depth]
        if arrived:
            remaining[depth] = search.candidates(v)
        if remaining[depth] == 0:
            search.live[v] = 0
            board.values[v], board.marks[v] = None, 0
            if arrived:
                because = f"no value fits {board.names[v]}: the filled cells forbid all of them"
                yield Event("dead end", v, (v,), because)
            else:
                yield board.back(v, order[depth - 1] if depth else None)
            depth, arrived = depth - 1, False
            continue
        bit = remaining[depth] & -remaining[depth]
        remaining[depth] ^= bit
        board.nodes += 1
        search.live[v] = bit
        board.values[v], board.marks[v] = rules.tables[v][bit.bit_length() - 1], remaining[depth]
        yield _placed(board, v)
        depth, arrived = depth + 1, True
    yield board.ended()


class _Backtracking:
    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.live = [0] * len(rules.domains)
        # Which nary constraints are full once this cell is filled: those whose last open cell it is.
        self.full: list[list[int]] = [[] for _ in rules.domains]
        for c, constraint in enumerate(rules.nary):
            still_open = [v for v in constraint.scope if not rules.is_given(v)]
            self.full[max(still_open or constraint.scope)].append(c)

    def candidates(self, v: int) -> int:
        """The values of v that no filled cell forbids."""
        rules, live = self.rules, self.live
        live[v] = 0
        found = rules.domains[v]
        for u in rules.peers[v]:
            found &= ~live[u]
        for u, partners in rules.edges[v]:
            if live[u]:
                found &= sum(1 << b for b, mask in enumerate(partners) if mask & live[u])
        for c in self.full[v]:
            if found:
                live[v] = found
                found = rules.completions(c, v, live)
                live[v] = 0
        return found


def forward_checking(puzzle: Puzzle, board: Board) -> Iterator[Event]:
    """The cell with the fewest values left, first in reading order among equals; what it forbids is taken away."""
    rules = Rules(puzzle)
    board.tables = rules.tables
    search = _ForwardChecking(rules, board)
    fault = search.begin()
    search.show()
    if fault is not None:
        yield fault
        yield board.ended()
        return
    yield Event("place", because="what the givens forbid is taken away")
    path: list[int] = []
    remaining: list[int] = []
    before: list[list[int]] = []
    arrived = True
    while True:
        if arrived and not search.open:
            yield board.solved()
            arrived = False
        if arrived:
            v = min(search.open, key=lambda v: (search.live[v].bit_count(), v))
            search.open.discard(v)
            path.append(v)
            remaining.append(search.live[v])
            before.append(search.live.copy())
            arrived = False
        if not path:
            break
        v = path[-1]
        search.live = before[-1].copy()
        if remaining[-1] == 0:
            path.pop(), remaining.pop(), before.pop()
            search.open.add(v)
            board.values[v] = None
            search.show()
            yield board.back(v, path[-1] if path else None)
            continue
        bit = remaining[-1] & -remaining[-1]
        remaining[-1] ^= bit
        board.nodes += 1
        board.values[v] = rules.tables[v][bit.bit_length() - 1]
        emptied = search.assign(v, bit)
        search.show(v, remaining[-1])
        if emptied is not None:
            because = f"{board.names[v]} = {board.values[v]} leaves {board.names[emptied]} without a value"
            yield Event("dead end", v, (v, emptied), because)
        else:
            yield _placed(board, v)
            arrived = True
    yield board.ended()


class _ForwardChecking:
    def __init__(self, rules: Rules, board: Board) -> None:
        self.rules = rules
        self.board = board
        self.live = list(rules.domains)
        self.open = {v for v in range(len(rules.domains)) if not rules.is_given(v)}
        self.remaining: dict[int, int] = {}

    def begin(self) -> Event | None:
        """Take away what the givens forbid; the event where that leaves a cell without values."""
        rules = self.rules
        for v in range(len(self.live)):
            if v in self.open:
                continue
            if rules.contradiction or not self.live[v]:
                return Event("dead end", v, (v,), f"no value is possible in {self.board.names[v]}")
            self.board.values[v] = rules.tables[v][self.live[v].bit_length() - 1]
            emptied = self.forbid(v)
            if emptied is not None:
                names = self.board.names
                return Event("dead end", v, (v, emptied), f"{names[v]} leaves {names[emptied]} without a value")
        for c, constraint in enumerate(rules.nary):
            if sum(u in self.open for u in constraint.scope) <= 1 and (emptied := self.complete(c)) is not None:
                return Event("dead end", emptied, (emptied,), f"no value is left for {self.board.names[emptied]}")
        return Event("dead end", because="a constraint cannot hold") if rules.contradiction else None

    def show(self, v: int | None = None, remaining: int = 0) -> None:
        """Bring the marks up to date; those of the cells on the way are the values still to try there."""
        if v is not None:
            self.remaining[v] = remaining
        for u in range(len(self.live)):
            if u in self.open:
                self.board.marks[u] = self.live[u]
            else:
                self.board.marks[u] = self.remaining.get(u, 0)

    def assign(self, v: int, bit: int) -> int | None:
        """Fill v and check forward; the cell that this leaves without values, if there is one."""
        self.live[v] = bit
        emptied = self.forbid(v)
        for c in self.rules.nary_of[v]:
            if emptied is None and sum(u in self.open for u in self.rules.nary[c].scope) == 1:
                emptied = self.complete(c)
        return emptied

    def forbid(self, v: int) -> int | None:
        """Take from other cells what the value of v forbids; the cell that this empties, if there is one."""
        live, bit = self.live, self.live[v]
        for u in self.rules.peers[v]:
            live[u] &= ~bit
            if not live[u]:
                return u
        for u, partners in self.rules.edges[v]:
            live[u] &= partners[bit.bit_length() - 1]
            if not live[u]:
                return u
        return None

    def complete(self, c: int) -> int | None:
        """Prune the one open cell of c; where there is none, any cell tells whether c holds."""
        scope = self.rules.nary[c].scope
        v = next((u for u in scope if u in self.open), scope[0])
        self.live[v] = self.rules.completions(c, v, self.live)
        return None if self.live[v] else v
