"""crosscount in pytest: `*.puzzle.toml` are tests, and `crosscheck` puts a solver of yours through a suite.

pytest loads this in every project of whoever has crosscount installed, so nothing else is imported before it is needed.
`-p no:crosscount` turns it off.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from crosscount.compare.gate import Gate, Settings
    from crosscount.compare.gate_result import Result

SUFFIX = ".puzzle.toml"
GATE: "pytest.StashKey[Gate]" = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("crosscount_engines", "engines that check *.puzzle.toml, of two families at least", type="args")
    parser.addini("crosscount_time_limit", "seconds for each engine and puzzle", default="60")
    parser.addini("crosscount_cache", "folder of the cache of answers; none for no cache", default="")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "PuzzleFile | None":
    if file_path.name.endswith(SUFFIX):
        return PuzzleFile.from_parent(parent, path=file_path)
    return None


class PuzzleFile(pytest.File):
    """A file with one puzzle; it is read when its test runs, so that a bad one is one failed test."""

    def collect(self) -> "Iterator[PuzzleItem]":
        yield PuzzleItem.from_parent(self, name="expect")


class NotPassed(Exception):
    """A claim that did not pass, in words."""


class PuzzleItem(pytest.Item):
    """What the file claims about its puzzle."""

    line = 0
    """Where the claim stands, counted from 0."""

    def runtest(self) -> None:
        from crosscount.compare.gate_claim import CLAIMS
        from crosscount.compare.gate_read import select
        from crosscount.compare.gate_result import Outcome, Result

        selection = select([str(self.path)], skip_unclaimed=True)
        if not selection.items:
            pytest.skip(f"claims nothing about its solutions, expected [expect] with {CLAIMS}")
        for item in selection.items:
            result = item if isinstance(item, Result) else self.check(item)
            self.line = (result.line or 1) - 1
            if result.outcome is not Outcome.PASSED:
                raise NotPassed(_words(result))

    def check(self, subject: Any) -> "Result":
        (result,) = _gate(self.config).check([subject])
        return result

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, NotPassed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.line, self.name


def _words(result: "Result") -> str:
    lines = [f"{result.place}: {result.outcome}: {result.because}"]
    return "\n".join([*lines, "", result.difference] if result.difference else lines)


def _gate(config: pytest.Config) -> "Gate":
    """One for the whole session: its processes are started once."""
    from crosscount.compare.gate import Gate

    gate = config.stash.get(GATE, None)
    if gate is None:
        gate = config.stash[GATE] = Gate(_settings(config))
    return gate


def pytest_unconfigure(config: pytest.Config) -> None:
    gate = config.stash.get(GATE, None)
    if gate is not None:
        gate.comparing.close()


def _settings(config: pytest.Config) -> "Settings":
    from crosscount.compare.comparison import DEFAULT_LIMITS
    from crosscount.compare.engines import find
    from crosscount.compare.gate import Settings
    from crosscount.compare.gate_cache import Cache, default_folder
    from crosscount.puzzles.engine import Limits

    folder = str(config.getini("crosscount_cache"))
    cache = None if folder == "none" else Cache(config.rootpath / folder if folder else default_folder())
    engines = tuple(find(name) for name in config.getini("crosscount_engines"))
    limits = Limits(seconds=float(config.getini("crosscount_time_limit")), memory=DEFAULT_LIMITS.memory)
    return Settings(engines, limits, cache=cache)


@pytest.fixture
def crosscheck() -> Callable[..., None]:
    """`crosscheck(my_solver)` fails with a small puzzle where the solver is wrong.

    The solver is given rows of integers, 0 for a blank, and returns the first solution, a list of all solutions, or
    their number. Its parameter may be annotated as `str` for one line of text, or as `Puzzle`. Keywords: `takes`
    ("grid", "line", "puzzle"), `returns` ("first", "all", "count"), `size` of the sudokus (9), and `time_limit` for
    each puzzle (10 seconds).
    """

    def check(function: Callable[[Any], Any], **options: Any) -> None:
        from crosscount.compare.gate_crosscheck import crosscheck

        __tracebackhide__ = True
        failure = crosscheck(function, **options)
        if failure is not None:
            pytest.fail(str(failure), pytrace=False)

    return check
