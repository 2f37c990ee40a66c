"""The results of the gate as a JUnit report: a suite for each file, a case for each claim.

The shape is what two published schemas have in common, that of Ant's JUnit task and that of Jenkins' xUnit plugin, so
that GitLab, Jenkins and the reporters on GitHub all take it. Neither has room for the file and the line of a case: the
text of a failure begins with them.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crosscount.compare.gate_result import Outcome, Result
from crosscount.puzzles.errors import InputError

if TYPE_CHECKING:
    from junitparser import TestCase

# What XML 1.0 cannot hold, not even escaped; a name in a puzzle file can.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MOST_TEXT = 20_000
"""Characters about one claim; a report of thousands must still open."""


def write_report(results: Sequence[Result], path: Path) -> None:
    """Write the report; InputError where that is not possible."""
    from junitparser import JUnitXml

    report: Any = JUnitXml()  # junitparser has types for half of what it does
    now = datetime.now().replace(microsecond=0).isoformat()
    for number, (file, members) in enumerate(groupby(results, key=lambda result: result.file)):
        report.append(_suite(number, file, list(members), now))
    try:
        report.write(str(path), pretty=True)
    except OSError as error:
        raise InputError(f"--junit {path}: cannot be written: {error.strerror}") from None


def _suite(number: int, file: str, results: Sequence[Result], now: str) -> Any:
    """In the order that Ant's schema wants: properties, cases, and what was printed, which is nothing."""
    from junitparser import Attr, IntAttr, TestSuite
    from junitparser.junitparser import SystemErr, SystemOut

    class Suite(TestSuite):
        id = IntAttr()
        package = Attr()

    from crosscount import __version__

    suite: Any = Suite(_clean(file))
    suite.add_property("crosscount", __version__)
    for result in results:
        suite.append(_case(result))
    suite.update_statistics()
    suite.append(SystemOut(""))
    suite.append(SystemErr(""))
    suite.id, suite.package, suite.hostname, suite.timestamp = number, "crosscount", "localhost", now
    return suite


def _case(result: Result) -> "TestCase":
    from junitparser import Error, Failure, TestCase

    name = result.name if result.line is None else f"{result.name} (line {result.line})"
    case = TestCase(_clean(name), _clean(result.file), round(result.seconds, 3))
    if result.outcome is not Outcome.PASSED:
        # Undecided is an error and not skipped: whoever shows skipped tests shows them in green.
        kind = Failure if result.outcome is Outcome.FAILED else Error
        said = kind(_clean(result.because), str(result.outcome))
        said.text = _clean(body(result))[:MOST_TEXT]
        case.result = [said]
    return case


def body(result: Result) -> str:
    """All that is known about a claim that did not pass, as text."""
    lines = [f"{result.place}: {result.because}"]
    if result.claim:
        lines.append(f"expected: {result.claim}")
    if result.found:
        lines.append(f"found: {result.found}")
    engines = result.facts.engines if result.facts is not None else ()
    for engine in engines:
        why = f" ({engine.reason})" if engine.reason else ""
        lines.append(f"{engine.name}: {engine.status}{why}")
    if result.difference:
        lines += ["", result.difference]
    return "\n".join(lines)


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
