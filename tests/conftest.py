"""What a test has to show to a person is printed at the end, also where tests run in several processes."""

from collections.abc import Callable

import pytest

SHOWN = "shown"

Show = Callable[[str], None]


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
