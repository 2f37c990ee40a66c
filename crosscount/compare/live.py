"""A comparison on the screen: live for a person, plain where piped."""

from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from crosscount.compare import words
from crosscount.compare.comparison import Progress
from crosscount.compare.runs import Comparison, Finding, Run
from crosscount.compare.worker import Job
from crosscount.puzzles.draw import draw
from crosscount.puzzles.puzzle import Puzzle

COLOURS = {"agree": "green", "disagree": "red", "undecided": "yellow"}


class Display:
    """Progress on standard error while engines run, results on standard output."""

    def __init__(self, puzzles: int, quiet: bool) -> None:
        self.puzzles = puzzles
        self.quiet = quiet
        self.done = 0
        self.out = Console(highlight=False, soft_wrap=False)
        self.live: Live | None = None
        errors = Console(stderr=True, highlight=False)
        self.errors = errors
        if errors.is_terminal:
            # No refreshing thread: workers are forked, and a fork copies no threads but all of their locks.
            self.live = Live(console=errors, auto_refresh=False, transient=True)
        self.told: set[str] = set()
        self.drawn = 0.0

    def __enter__(self) -> "Display":
        if self.live is not None:
            self.live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.live is not None:
            self.live.stop()

    def watch(self, progress: Progress) -> None:
        """Called many times a second."""
        from time import perf_counter

        for job in progress.jobs:
            for note in job.notes:
                if note not in self.told:
                    self.told.add(note)
                    self.errors.print(f"crosscount: {note}")
        if self.live is None or perf_counter() - self.drawn < 0.1:
            return
        self.drawn = perf_counter()
        title = f"{progress.puzzle.name}" + (f" ({self.done + 1} of {self.puzzles})" if self.puzzles > 1 else "")
        table = _table(title)
        for job in progress.jobs:
            _add_job(table, job, self.drawn)
        self.live.update(table, refresh=True)

    def show(self, result: Comparison) -> None:
        """The result of one puzzle; one line each where there are many."""
        self.done += 1
        if self.live is not None:
            self.live.update(Text(""), refresh=True)
        colour = COLOURS[str(result.verdict)]
        if self.puzzles > 10:
            sentence = Text.assemble(result.puzzle.name, ": ", (words.sentence(result), colour))
            self.out.print(sentence, soft_wrap=True)
        else:
            table = _table(result.puzzle.name)
            for run in result.runs:
                _add_run(table, run)
            self.out.print(table)
            self.out.print(Text(words.sentence(result), colour))
        for finding in result.findings:
            self.out.print(_finding(result, finding))
        if self.puzzles <= 10:
            self.out.print()

    def interrupted(self, left: int) -> None:
        also = f"; {left} puzzles were not begun" if left else ""
        self.errors.print(f"crosscount: interrupted{also}")


def _table(title: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name, justify in (("engine", "left"), ("family", "left"), ("status", "left"), ("solutions", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]  # rich wants a Literal
    for name in ("nodes", "search s", "total s"):
        table.add_column(name, justify="right")
    return table


def _add_run(table: Table, run: Run) -> None:
    status = run.status if not run.reason else f"{run.status}: {run.reason}"
    colour = {"complete": "", "stopped": "yellow", "failed": "red", "skipped": "dim"}[run.status]
    if run.status == "skipped":
        table.add_row(run.engine, run.family, Text(status, colour), "", "", "", "")
        return
    nodes = "-" if run.nodes is None else str(run.nodes)
    times = (f"{run.search_seconds:.3f}", f"{run.seconds:.3f}")
    table.add_row(run.engine, run.family, Text(status, colour), words.claim(run), nodes, *times)


def _add_job(table: Table, job: Job, now: float) -> None:
    if job.run is not None:
        _add_run(table, job.run)
        return
    status = "waiting" if not job.begun else "preparing" if job.ready is None else "running"
    count = "" if job.count is None else f"{job.count} so far"
    seconds = f"{now - job.begun:.1f}" if job.begun else ""
    nodes = "" if job.nodes is None else str(job.nodes)
    table.add_row(job.engine.name, job.engine.family, Text(status, "cyan"), count, nodes, "", seconds)


def _finding(result: Comparison, finding: Finding) -> Group:
    parts: list[Text | Table] = [Text(f"{finding.kind}: {finding.because}", "red")]
    if finding.witness is not None:
        parts.append(_side_by_side(result, finding))
    return Group(*parts)


def _side_by_side(result: Comparison, finding: Finding) -> Table:
    """The witness, beside the solution nearest to it where there is one that others found; what differs is marked."""
    assert finding.witness is not None
    puzzle = result.puzzle
    grids = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    nearest = _nearest(result, finding)
    wrong = {v for violation in puzzle.violated(finding.witness) for v in violation.cells}
    differs = wrong if nearest is None else {v for v, x in enumerate(nearest) if x != finding.witness[v]}
    what = {"invalid": f"{finding.engine} reports", "missing": f"{finding.engine} lacks"}
    grids.add_column(what.get(finding.kind, f"{finding.engine}: the solution"))
    drawn = [_marked(puzzle, finding.witness, differs)]
    if nearest is not None:
        grids.add_column("the nearest solution" if finding.kind == "invalid" else f"nearest that {finding.engine} has")
        drawn.append(_marked(puzzle, nearest, differs))
    grids.add_row(*drawn)
    return grids


def _nearest(result: Comparison, finding: Finding) -> tuple[int, ...] | None:
    """For an invalid grid the closest solution of all, for a missing one the closest that the engine has."""
    import numpy as np

    if finding.kind not in ("invalid", "missing"):
        return None
    blamed = {f.engine for f in result.findings if f.kind == "invalid"}
    best: tuple[int, tuple[int, ...]] | None = None
    for run in result.runs:
        right = run.engine == finding.engine if finding.kind == "missing" else run.engine not in blamed
        if not right or run.solutions is None or not len(run.solutions):
            continue
        distance = np.count_nonzero(run.solutions != np.array(finding.witness), axis=1)
        i = int(np.argmin(distance))
        if best is None or distance[i] < best[0]:
            best = (int(distance[i]), tuple(int(x) for x in run.solutions[i]))
    return None if best is None else best[1]


def _marked(puzzle: Puzzle, values: tuple[int, ...], cells: set[int]) -> Text:
    """The grid with these cells in reverse, and a * beside them where there is no colour."""
    text = Text(draw(puzzle, values, boxes=True))
    if puzzle.drawing is None or not puzzle.drawing.is_grid:
        return text
    # Values stand in the drawing in the order of the cells; frames hold no digits.
    place, plain = 0, text.plain
    for v, value in enumerate(values):
        place = plain.index(str(value), place)
        if v in cells:
            text.stylize("bold reverse red", place, place + len(str(value)))
        place += len(str(value))
    return text
