"""What tests in several processes need: kernels that are compiled once, and an end where their tables are shown."""

import subprocess
import sys
from collections.abc import Callable

import pytest

SHOWN = "shown"

COMPILE = """
import sys
from crosscount.compare.engines import find
from crosscount.native.count_cells import count_cells
from crosscount.puzzles import collection
from crosscount.puzzles.engine import Limits
for name in sys.argv[1:]:
    for puzzle in (collection.entry("course-1").puzzle, collection.entry("queens-6").puzzle):
        warm = find(name).warm
        assert warm is not None
        warm(puzzle)
        if name == "count":
            list(count_cells(puzzle, Limits()))
"""

Show = Callable[[str], None]


def pytest_sessionstart(session: pytest.Session) -> None:
    """On a new machine every process would compile the same kernels at the same time, which took three minutes."""
    if getattr(session.config.option, "numprocesses", None) and not hasattr(session.config, "workerinput"):
        parts = (["gt", "bf", "bt", "fc-mrv"], ["gac"], ["count"])
        compilers = [subprocess.Popen([sys.executable, "-c", COMPILE, *names]) for names in parts]
        for compiler in compilers:
            assert compiler.wait() == 0


@pytest.fixture
def show_at_end(record_property: Callable[[str, object], None]) -> Show:
    return lambda text: record_property(SHOWN, text)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for report in terminalreporter.stats.get("passed", []):
        for name, text in report.user_properties:
            # Properties come with the report of each phase.
            if name == SHOWN and report.when == "call":
                terminalreporter.write_sep("-", report.nodeid.partition("::")[2])
                terminalreporter.write_line(str(text))
