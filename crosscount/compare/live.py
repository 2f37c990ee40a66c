"""A comparison on the screen: live for a person, plain where piped."""

from types import TracebackType

from rich.console import Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from crosscount.compare import words
from crosscount.compare.comparison import Progress
from crosscount.compare.runs import Comparison, Finding, Run
from crosscount.compare.screen import Screen, table
from crosscount.compare.worker import Job
from crosscount.puzzles.draw import draw
from crosscount.puzzles.puzzle import Puzzle

MANY = 10
"""More puzzles than that get a line each, without the engines and the grids."""
COLUMNS = ("engine", "family", "status", "solutions", "nodes", "search s", "total s")
COLOURS = {"agree": "green", "disagree": "red", "undecided": "yellow"}


class Display:
    """Progress on standard error while engines run, results on standard output."""

    def __init__(self, puzzles: int, quiet: bool) -> None:
        self.puzzles = puzzles
        self.quiet = quiet
        self.done = 0
        self.out = Screen()
        self.errors = Screen(stderr=True)
        self.live: Live | None = None
        if self.errors.is_terminal:
            # No refreshing thread: workers are forked, and a fork copies no threads but all of their locks.
            self.live = Live(console=self.errors, auto_refresh=False, transient=True)
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
                    self.errors.print(f"crosscount: {note}", soft_wrap=True)
        if self.live is None or perf_counter() - self.drawn < 0.1:
            return
        self.drawn = perf_counter()
        rows = _runs(progress.puzzle.name)
        for job in progress.jobs:
            _add_job(rows, job, self.drawn)
        self.live.update(Group(rows, *self._bar()), refresh=True)

    def _bar(self) -> list[Text | ProgressBar]:
        """How many of the puzzles are done, where there are several."""
        if self.puzzles == 1:
            return []
        return [Text(f"{self.done} of {self.puzzles} puzzles"), ProgressBar(self.puzzles, self.done, width=60)]

    def show(self, result: Comparison) -> None:
        """The result of one puzzle; one line each where there are many."""
        self.done += 1
        if self.live is not None:
            self.live.update(Text(""), refresh=True)
        colour = COLOURS[str(result.verdict)]
        if self.puzzles > MANY:
            why = f": {result.because}" if result.findings else ""
            self.out.print(Text(f"{result.puzzle.name}: {words.sentence(result)}{why}", colour), soft_wrap=True)
            return
        rows = _runs(result.puzzle.name)
        for run in result.runs:
            _add_run(rows, run)
        self.out.print(rows)
        self.out.print(Text(words.sentence(result), colour), soft_wrap=True)
        for finding in result.findings:
            self.out.print(Text(f"{finding.kind}: {finding.because}", "red"), soft_wrap=True)
            if finding.witness is not None:
                self.out.print(_side_by_side(result, finding, finding.witness))
        self.out.print()

    def interrupted(self, left: int) -> None:
        also = f"; {left} {'puzzle was' if left == 1 else 'puzzles were'} not begun" if left else ""
        self.errors.print(f"crosscount: interrupted{also}")


def _runs(title: str) -> Table:
    return table(*COLUMNS, title=title, right=COLUMNS[3:])


def _add_run(rows: Table, run: Run) -> None:
    colour = {"complete": "", "stopped": "yellow", "failed": "red", "skipped": "dim"}[run.status]
    status = Text(words.state(run), colour)
    if run.status == "skipped":
        rows.add_row(run.engine, run.family, status, "", "", "", "")
        return
    nodes = "-" if run.nodes is None else str(run.nodes)
    times = (f"{run.search_seconds:.3f}", f"{run.seconds:.3f}")
    rows.add_row(run.engine, run.family, status, words.claim(run), nodes, *times)


def _add_job(rows: Table, job: Job, now: float) -> None:
    if job.run is not None:
        _add_run(rows, job.run)
        return
    status = "waiting" if not job.begun else "preparing" if job.ready is None else "running"
    count = "" if job.count is None else f"{job.count} so far"
    seconds = f"{now - job.begun:.1f}" if job.begun else ""
    nodes = "" if job.nodes is None else str(job.nodes)
    rows.add_row(job.engine.name, job.engine.family, Text(status, "cyan"), count, nodes, "", seconds)


def _side_by_side(result: Comparison, finding: Finding, witness: tuple[int, ...]) -> Table:
    """The witness, beside the solution nearest to it where there is one that others found; what differs is marked."""
    nearest = _nearest(result, finding)
    wrong = {v for violation in result.puzzle.violated(witness) for v in violation.cells}
    differs = wrong if nearest is None else {v for v, x in enumerate(nearest) if x != witness[v]}
    verb = {"invalid": "reports", "missing": "lacks", "duplicate": "repeats"}.get(finding.kind, "differs on")
    grids = table(f"{finding.engine} {verb}")
    grids.padding = (0, 3, 0, 0)
    drawn = [_marked(result.puzzle, witness, differs)]
    if nearest is not None:
        has = "the nearest solution" if finding.kind == "invalid" else f"the nearest that {finding.engine} has"
        grids.add_column(has, overflow="fold")
        drawn.append(_marked(result.puzzle, nearest, differs))
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
    """The grid with these cells in colour and with a * behind them, for where there is no colour."""
    text = draw(puzzle, values, boxes=True)
    if puzzle.drawing is None or not puzzle.drawing.is_grid:
        # One line a cell: a queen in its row, or `name = value`.
        lines = text.split("\n")
        marked = [Text(f"{line} *", "bold red") if v in cells else Text(line) for v, line in enumerate(lines)]
        return Text("\n").join(marked)
    # Values stand in the drawing in the order of the cells, each with a space behind it; frames hold no digits.
    place, spans = 0, []
    for v, value in enumerate(values):
        end = text.index(str(value), place) + len(str(value))
        if v in cells:
            spans.append((end - len(str(value)), end + 1))
            text = text[:end] + "*" + text[end + 1 :]
        place = end
    drawn = Text(text)
    for span in spans:
        drawn.stylize("bold red", *span)
    return drawn
