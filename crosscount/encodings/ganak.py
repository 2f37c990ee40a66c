"""How many solutions, without listing them: the model counter Ganak on the clauses of `cnf`, projected on the cells.

Ganak remembers parts of the formula by a hash, and takes two parts with one hash for the same. So its count is exact
only with a probability, by its own documentation at least 1 - 2^-40. All that its Python package lets us set against
that is the seed of the hash: we count twice, under two seeds, and give no count where the two differ. What remains is
that both are wrong in the same way, and that both share our clauses and Ganak's code: it is of one family with `sat`.

A count cannot be interrupted. At its time limit the engine reports that it has stopped, but the counting thread lives
on until it is done or its process ends.
"""

from collections.abc import Iterator
from threading import Thread

from crosscount.encodings.cnf import Formula, encode
from crosscount.encodings.stream import Stream
from crosscount.encodings.tally import Tally
from crosscount.puzzles.engine import Batch, Engine, Limits, Unavailable
from crosscount.puzzles.puzzle import Puzzle

SEEDS = (1, 2)


def engine() -> Engine:
    title = "exact model counting on the clauses of sat, by Ganak"
    return Engine("ganak", "cnf", title, "not counted", search, counts_only=True)


def search(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
    """Count under each seed; the last batch has the count on which they agree. A limit on solutions has no meaning."""
    try:
        import pyganak  # noqa: F401
    except ImportError:
        raise Unavailable("pyganak is not installed; pip install 'crosscount[count]'") from None
    tally = Tally(puzzle, Limits(seconds=limits.seconds))
    formula = encode(puzzle)
    tally.start()
    if _has_no_solution(formula):
        yield tally.batch(None, 0)
        return
    counts: list[int | Exception] = []
    stream: Stream[None] = Stream()
    Thread(target=_count, args=(formula, counts, stream), name="ganak", daemon=True).start()
    while not stream.ended:
        stream.take()
        yield from tally.pulse(None)
    for count in counts:
        if isinstance(count, Exception):
            raise count
    if len(set(counts)) != 1:
        raise RuntimeError(f"Ganak counts differently under different seeds: {', '.join(map(str, counts))}")
    (agreed,) = {count for count in counts if isinstance(count, int)}
    yield tally.batch(None, agreed)


def _has_no_solution(formula: Formula) -> bool:
    """Ganak prints on standard output what it thinks of a contradiction, so it never gets one."""
    from pysat.solvers import Solver

    if formula.contradicts_itself:
        return True
    with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
        return not solver.solve()


def _count(formula: Formula, counts: list[int | Exception], stream: Stream[None]) -> None:
    from pyganak import Counter

    try:
        for seed in SEEDS:
            counter = Counter(seed=seed)
            counter.new_vars(formula.variables)
            counter.add_clauses(formula.clauses)
            counter.set_sampling_set(list(range(1, formula.cell_variables + 1)))
            counts.append(int(counter.count()))
    except Exception as error:  # it belongs to the reader's thread
        counts.append(error)
    finally:
        stream.end()
