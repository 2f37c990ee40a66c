"""JUnit reports: valid for everybody who reads them, and they show the difference."""

from pathlib import Path

import pytest
import xmlschema
from junitparser import Error, Failure, JUnitXml

from crosscount.compare.gate_result import EngineFact, Facts, Outcome, Result
from crosscount.compare.junit import write_report
from crosscount.puzzles.errors import InputError

SCHEMA = Path(__file__).parent.parent / "data" / "junit.xsd"
GRID = "one solution   another\n┌─────┐        ┌─────┐\n│ 1 2 │        │ 2 1 │\n└─────┘        └─────┘"
FACTS = Facts(2, 2, "", (EngineFact("gac", "native", "complete"), EngineFact("asp", "asp", "skipped", "not installed")))
RESULTS = [
    Result("a.txt", 3, "a#1", "count = 1", Outcome.PASSED, "", seconds=1e-7),
    Result("a.txt", 7, "a#2", "unique", Outcome.FAILED, "expected 1, found 2", "exactly 2 solutions", GRID, FACTS, 2.5),
    Result(
        "b/b.puzzle.toml", 2, "b", "count = 9", Outcome.UNDECIDED, "no engine finished", "unknown", seconds=1234.5678
    ),
    Result("c.puzzle.toml", None, "c.puzzle.toml", "", Outcome.BAD_FILE, 'family "chess" & <more>'),
    Result("d.puzzle.toml", 1, "d", "value = 3", Outcome.FAULT, "ZeroDivisionError"),
]


def write(folder: Path, results: list[Result]) -> Path:
    path = folder / "report.xml"
    write_report(results, path)
    return path


@pytest.mark.parametrize("results", [RESULTS, [], RESULTS[:1]], ids=["all outcomes", "nothing", "one"])
def test_reports_keep_to_the_schemas(tmp_path: Path, results: list[Result]) -> None:
    xmlschema.XMLSchema(str(SCHEMA)).validate(str(write(tmp_path, results)))


def test_the_schema_can_refuse(tmp_path: Path) -> None:
    path = write(tmp_path, RESULTS)
    good = path.read_text(encoding="utf-8")
    schema = xmlschema.XMLSchema(str(SCHEMA))
    for change in (("<system-out/>", ""), (' hostname="localhost"', ""), ('time="2.5"', 'time="1e-07"')):
        assert change[0] in good
        path.write_text(good.replace(*change), encoding="utf-8")
        assert not schema.is_valid(str(path))


def test_each_outcome_is_what_it_should_be(tmp_path: Path) -> None:
    report = JUnitXml.fromfile(str(write(tmp_path, RESULTS)))
    suites = list(report)
    assert [(s.name, s.tests, s.failures, s.errors, s.skipped) for s in suites] == [
        ("a.txt", 2, 1, 0, 0),
        ("b/b.puzzle.toml", 1, 0, 1, 0),
        ("c.puzzle.toml", 1, 0, 1, 0),
        ("d.puzzle.toml", 1, 0, 1, 0),
    ]
    cases = [case for suite in suites for case in suite]
    assert [[(type(r), r.type) for r in case.result] for case in cases] == [
        [],
        [(Failure, "failed")],
        [(Error, "undecided")],
        [(Error, "bad file")],
        [(Error, "fault of ours")],
    ]
    assert cases[3].result[0].message == 'family "chess" & <more>'


def test_the_body_has_the_place_the_difference_and_who_was_skipped(tmp_path: Path) -> None:
    report = JUnitXml.fromfile(str(write(tmp_path, RESULTS)))
    (failure,) = next(case for suite in report for case in suite if case.name == "a#2 (line 7)").result
    assert failure.text.startswith("a.txt:7: expected 1, found 2\n")
    assert failure.text.endswith(GRID)
    assert "asp: skipped (not installed)" in failure.text


def test_names_may_hold_what_xml_cannot(tmp_path: Path) -> None:
    odd = Result("a\x00b.txt", 1, "bell \x07 ]]> \ud800", "x", Outcome.FAILED, "\x1b[31m", difference="\x0c")
    path = write(tmp_path, [odd])
    xmlschema.XMLSchema(str(SCHEMA)).validate(str(path))
    assert "bell \N{REPLACEMENT CHARACTER} ]]&gt;" in path.read_text(encoding="utf-8")


def test_a_report_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_report(RESULTS, tmp_path / "nowhere" / "report.xml")
