"""The results of the gate for GitHub Actions: annotations at the file and the line, and a summary of the step.

GitHub shows ten errors and ten warnings of a step and drops the others without a word, and it drops a summary of more
than 1024 KiB altogether. So the worst come first, what is left out is counted, and the summary stays below.
"""

import os
import re
from collections.abc import Iterator, Sequence

from crosscount.compare.gate_result import WORST_FIRST, Outcome, Result, tally

SHOWN = 10
"""Annotations of one kind that GitHub shows for a step."""
MOST_BYTES = 1_000_000
"""Of a summary, with room to the 1024 KiB where GitHub refuses it."""
MOST_ANNOTATION = 4_000
"""Characters; GitHub cuts longer ones."""
MOST_GRIDS = 10


def annotations(results: Sequence[Result], workspace: str | None = None) -> Iterator[str]:
    """Workflow commands, one a line; undecided claims are warnings, everything else that did not pass is an error."""
    for kind, outcomes in (
        ("error", [outcome for outcome in WORST_FIRST if outcome not in (Outcome.UNDECIDED, Outcome.PASSED)]),
        ("warning", [Outcome.UNDECIDED]),
    ):
        wanted = [result for outcome in outcomes for result in results if result.outcome is outcome]
        for result in wanted[:SHOWN]:
            yield _annotation(kind, result, workspace)
        if len(wanted) > SHOWN:
            more = f"{len(wanted) - SHOWN} more {kind}s; the summary of this step lists them"
            yield f"::notice title=crosscount gate::{more}"


def _annotation(kind: str, result: Result, workspace: str | None) -> str:
    message = result.because + (f"\n\n{result.difference}" if result.difference else "")
    properties = {
        "file": _in_workspace(result.file, workspace),
        "line": str(result.line or 1),
        "title": f"{result.outcome}: {result.name}",
    }
    said = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {said}::{_data(message[:MOST_ANNOTATION])}"


def _in_workspace(file: str, workspace: str | None) -> str:
    """GitHub wants paths as the repository has them, wherever the step runs."""
    if not workspace:
        return file
    inside = os.path.relpath(os.path.realpath(file), os.path.realpath(workspace))
    return file if inside.startswith("..") else inside


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def write_summary(results: Sequence[Result], unclaimed: Sequence[str], path: str | None) -> None:
    """Add the summary to the file that GitHub names; without one there is nowhere to write it."""
    if not path:
        return
    taken = os.path.getsize(path) if os.path.exists(path) else 0
    with open(path, "a", encoding="utf-8") as file:
        file.write(summary(results, unclaimed, MOST_BYTES - taken))


def summary(results: Sequence[Result], unclaimed: Sequence[str] = (), most: int = MOST_BYTES) -> str:
    """Markdown of at most so many bytes: how many of each, a table of what did not pass, and the first few grids."""
    wanted = [result for outcome in WORST_FIRST[:-1] for result in results if result.outcome is outcome]
    head = f"## crosscount gate\n\n{tally(results) if results else 'Nothing to check, which is not a pass.'}\n"
    if unclaimed:
        head += f"\nWithout a claim, and skipped: {len(unclaimed)}, first {_cell(unclaimed[0])}\n"
    text = _Text(head, most)
    if wanted:
        text.add("\n| outcome | where | puzzle | expected | why |\n| --- | --- | --- | --- | --- |\n")
        shown = sum(1 for result in wanted if text.add(_row(result)))
        if shown < len(wanted):
            text.add(f"\n{len(wanted) - shown} more are left out: a summary has a largest size.\n", reserved=True)
        for result in [result for result in wanted if result.difference][:MOST_GRIDS]:
            text.add(_grids(result))
    return str(text)


class _Text:
    """Grows up to a number of bytes, of which a few are kept for saying what was left out."""

    RESERVED = 200

    def __init__(self, head: str, most: int) -> None:
        self.parts: list[str] = []
        self.room = most
        self.full = False
        self.add(head, reserved=True)

    def add(self, part: str, reserved: bool = False) -> bool:
        """Whether it still fitted. After the first part that did not, nothing but reserved parts do."""
        size = len(part.encode())
        if size > self.room - (0 if reserved else self.RESERVED) or (self.full and not reserved):
            self.full = True
            return False
        self.parts.append(part)
        self.room -= size
        return True

    def __str__(self) -> str:
        return "".join(self.parts)


def _row(result: Result) -> str:
    cells = (str(result.outcome), result.place, result.name, result.claim, result.because)
    return f"| {' | '.join(map(_cell, cells))} |\n"


def _cell(text: str) -> str:
    """Text that stays in its cell and means nothing to Markdown or HTML."""
    plain = " ".join(text.split())
    plain = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{c}" if c in "\\`*_[]|#~@" else c for c in plain)


def _grids(result: Result) -> str:
    # A fence must be longer than any run of backticks within it, and a cell may be called anything.
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", result.difference)), 3)
    return f"\n{_cell(result.place)}: {_cell(result.because)}\n\n{fence}text\n{result.difference}\n{fence}\n"
