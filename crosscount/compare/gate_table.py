"""The results of the gate for people: a table of what needs attention, the grids that show it, and one line at the end.

The line at the end says how many passed, so that silence is never mistaken for success.
"""

from collections.abc import Sequence
from types import TracebackType

from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from crosscount.compare.gate_result import WORST_FIRST, Outcome, Result, tally, worst
from crosscount.compare.screen import Screen, table

FEW = 20
"""Up to so many results are all listed; of more only those that did not pass."""
MOST_ROWS = 100
MOST_GRIDS = 5
COLOURS = {
    Outcome.PASSED: "green",
    Outcome.FAILED: "red",
    Outcome.UNDECIDED: "yellow",
    Outcome.BAD_FILE: "magenta",
    Outcome.FAULT: "bold red",
}
REDRAW = 0.1


class Bar:
    """How far the gate, or whatever else counts its work, is: on standard error, where a person is watching."""

    def __init__(self, noun: str = "claims") -> None:
        self.noun = noun
        self.screen = Screen(stderr=True)
        self.live: Live | None = None
        self.drawn = 0.0
        if self.screen.is_terminal:
            # No refreshing thread: workers are forked, and a fork copies no threads but all of their locks.
            self.live = Live(console=self.screen, auto_refresh=False, transient=True)

    def __enter__(self) -> "Bar":
        if self.live is not None:
            self.live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.live is not None:
            self.live.stop()

    def watch(self, done: int, total: int) -> None:
        """Called many times a second."""
        from time import perf_counter

        if self.live is None or perf_counter() - self.drawn < REDRAW:
            return
        self.drawn = perf_counter()
        row = Table.grid(padding=(0, 1))
        row.add_row(ProgressBar(max(total, 1), done, width=50), f"{done} of {total} {self.noun}")
        self.live.update(row, refresh=True)


def show(results: Sequence[Result], unclaimed: Sequence[str], screen: Screen) -> None:
    """Everything a person wants to see, in the order of the files."""
    wanted = results if len(results) <= FEW else [r for r in results if r.outcome is not Outcome.PASSED]
    if len(wanted) > MOST_ROWS:
        # What is left out must not be the worst.
        wanted = sorted(wanted, key=lambda result: WORST_FIRST.index(result.outcome))
    if wanted:
        rows = table("outcome", "where", "puzzle", "expected", "found")
        for result in wanted[:MOST_ROWS]:
            word = Text(str(result.outcome), COLOURS[result.outcome])
            rows.add_row(word, result.place, result.name, result.claim, result.found)
        screen.print(rows)
        if len(wanted) > MOST_ROWS:
            screen.print(f"and {len(wanted) - MOST_ROWS} more; --json lists all of them")
        screen.print()
    _details([result for result in wanted if result.outcome is not Outcome.PASSED], screen)
    if unclaimed:
        others = f" and {len(unclaimed) - 3} more" if len(unclaimed) > 3 else ""
        noun = "1 puzzle" if len(unclaimed) == 1 else f"{len(unclaimed)} puzzles"
        screen.print(f"skipped {noun} without a claim: {', '.join(unclaimed[:3])}{others}", soft_wrap=True)
    screen.print(Text(tally(results), COLOURS[worst(results)]), soft_wrap=True)


def _details(wanted: Sequence[Result], screen: Screen) -> None:
    """Why, in a sentence each; with grids for the first few, because a thousand grids help nobody."""
    grids = 0
    for outcome in WORST_FIRST:
        for result in wanted[:MOST_ROWS]:
            if result.outcome is not outcome:
                continue
            sentence = Text(f"{result.place}: {result.because}", COLOURS[outcome])
            screen.print(sentence, soft_wrap=True)
            if result.difference and grids < MOST_GRIDS:
                grids += 1
                for line in result.difference.split("\n"):
                    screen.print(f"  {line}".rstrip(), soft_wrap=True)
                screen.print()
    if grids == 0 and wanted:
        screen.print()
