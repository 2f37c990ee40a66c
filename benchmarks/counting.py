"""Counting without listing: against the model counter ganak, against listing, and how far it gets.

python -m benchmarks.counting [SECONDS]
"""

import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

from rich.console import Console
from rich.table import Table

from crosscount.encodings.cnf import encode
from crosscount.native import ENGINES
from crosscount.native.count_sample import sampler
from crosscount.puzzles.engine import Limits, Stopped
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.read import read_one

ROUNDS = 3
"""The best of so many: a machine that is busy with something else only adds time."""
FAR = ("@course-4", "@course-5", "@blank-6", "@latin-6", "@latin-7", "@blank-8", "@queens-12", "@norvig-many")
LISTER = "fc-mrv"


def counted(puzzle: Puzzle, seconds: float | None = None) -> tuple[str, float]:
    """What the engine says and how long it took; compiled before."""
    count, claim = 0, "exactly"
    begun = time.perf_counter()
    try:
        for batch in ENGINES["count"].search(puzzle, Limits(seconds=seconds)):
            count = batch.count or 0
    except Stopped:
        claim = "at least"
    return f"{claim} {count}", time.perf_counter() - begun


def listed(puzzle: Puzzle, seconds: float) -> tuple[str, float]:
    count, claim = 0, "exactly"
    begun = time.perf_counter()
    try:
        for batch in ENGINES[LISTER].search(puzzle, Limits(seconds=seconds)):
            count += len(batch.solutions)
    except Stopped:
        claim = "at least"
    return f"{claim} {count}", time.perf_counter() - begun


def by_ganak(puzzle: Puzzle) -> tuple[int, float]:
    """One count of pyganak under one seed, without encoding."""
    from pyganak import Counter

    formula = encode(puzzle)
    begun = time.perf_counter()
    counter = Counter(seed=1)
    counter.add_clauses(formula.clauses)
    counter.set_sampling_set(list(range(1, formula.cell_variables + 1)))
    count = int(counter.count())
    return count, time.perf_counter() - begun


def growing() -> Iterator[Puzzle]:
    """@course-5 with ever fewer of the cells of one of its solutions given: from about 10^2 solutions to 10^8."""
    whole = read_one("@course-5").puzzle
    steps = sampler(whole, Limits())
    try:
        while True:
            next(steps)
    except StopIteration as stop:
        solution = stop.value.draw(random.Random(5))
    order = [v for v, domain in enumerate(whole.domains) if len(domain) > 1]
    random.Random(5).shuffle(order)
    wanted = 100
    for given in range(len(order), -1, -1):
        domains = list(whole.domains)
        for v in order[:given]:
            domains[v] = (solution[v],)
        puzzle = replace(whole, domains=tuple(domains))
        count = int(counted(puzzle)[0].split()[-1])
        if count >= wanted or given == 0:
            yield puzzle
            while wanted <= count:
                wanted *= 10


def alone(source: str) -> None:
    """In a process of its own: the count, its seconds, and the memory that the process held at the most."""
    puzzle = read_one(source).puzzle
    warm = ENGINES["count"].warm
    assert warm is not None
    warm(puzzle)
    claim, seconds = counted(puzzle)
    print(f"{claim}|{seconds:.3f}|{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")


def main(seconds: str = "30") -> None:
    console = Console(highlight=False)
    far = _table("counting on one core, each in a process of its own", "puzzle", "solutions", "seconds", "MB held")
    for source in FAR:
        ran = subprocess.run(
            [sys.executable, "-m", "benchmarks.counting", "alone", source], check=True, text=True, capture_output=True
        )
        far.add_row(source, *ran.stdout.strip().split("|"))
    console.print(far, "")
    puzzle = read_one("@course-4").puzzle
    ours = min(counted(puzzle)[1] for _ in range(ROUNDS))
    try:
        count, theirs = min((by_ganak(puzzle) for _ in range(ROUNDS)), key=lambda result: result[1])
    except ImportError:
        sys.exit("pyganak is missing: pip install 'crosscount[count]'")
    assert f"exactly {count}" == counted(puzzle)[0]
    console.print(f"@course-4: count {ours:.3f} s, pyganak {theirs:.3f} s: {theirs / ours:.1f} times as fast\n")
    growth = _table(
        f"how time grows with the number of solutions, beside {LISTER}", "count", "seconds", LISTER, "its s"
    )
    for puzzle in growing():
        # Short runs come first and often, so that one of them is undisturbed.
        claim, took = min((counted(puzzle) for _ in range(ROUNDS)), key=lambda result: result[1])
        growth.add_row(claim, f"{took:.4f}", *(str(x) for x in _rounded(listed(puzzle, float(seconds)))))
    console.print(growth)


def _rounded(result: tuple[str, float]) -> tuple[str, str]:
    return result[0], f"{result[1]:.3f}"


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "puzzle" else "right")
    return table


if __name__ == "__main__":
    if sys.argv[1:2] == ["alone"]:
        alone(sys.argv[2])
    else:
        main(*sys.argv[1:2])
