"""Reports: closed lists of fields, and nothing in them that a student can turn against whoever opens them."""

import csv
import io
import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from junitparser import JUnitXml

from crosscount.homework.report_csv import defused, to_csv
from crosscount.homework.report_gradescope import to_results
from crosscount.homework.report_html import page_names, write_pages
from crosscount.homework.report_json import to_object
from crosscount.homework.report_junit import write_junit
from crosscount.homework.results import Board, CaseResult, Part, Small, SubmissionResult, Verdict

# The lists of https://gradescope-autograders.readthedocs.io/en/latest/specs/
FIELDS = {
    "score",
    "execution_time",
    "output",
    "output_format",
    "test_output_format",
    "test_name_format",
    "visibility",
    "stdout_visibility",
    "extra_data",
    "leaderboard",
    "tests",
}
TEST_FIELDS = {
    "score",
    "max_score",
    "status",
    "name",
    "name_format",
    "number",
    "output",
    "output_format",
    "tags",
    "visibility",
    "extra_data",
}
EVIL = '<script>alert(1)</script><img src="http://evil.example/x" onerror=alert(2)>&"\''


def hostile() -> SubmissionResult:
    """Everything that a program can put somewhere."""
    board = Board(EVIL, 2, (EVIL, "1", "2", ""), ("wrong", "changed", "differs", "blank"), (0, 0, 1, 1))
    small = Small(EVIL, EVIL, Verdict.WRONG, EVIL, EVIL, (EVIL,), EVIL, True, (board,))
    part = Part("count", Verdict.WRONG, 1.0, 3.0, (f"{EVIL}\n{EVIL}",))
    wrong = CaseResult(
        EVIL, Verdict.WRONG, 1.0, 3.0, (part,), (EVIL,), EVIL, EVIL, (board,), EVIL, (EVIL,), EVIL, EVIL, 0.1, 10**90
    )
    right = CaseResult("fine", Verdict.PASSED, 2.0, 2.0)
    return SubmissionResult(EVIL, "/x", (replace(wrong, small=small), right), (EVIL,))


def test_results_json_has_the_documented_fields_and_no_others() -> None:
    result = hostile()
    for is_final in (True, False):
        said = json.loads(to_results(result, 3.2, is_final))
        assert set(said) <= FIELDS
        assert said["score"] == 3.0
        assert said["visibility"] in ("hidden", "after_due_date", "after_published", "visible")
        assert [set(test) <= TEST_FIELDS for test in said["tests"]] == [True, True]
        assert [test["status"] for test in said["tests"]] == ["failed", "passed"]
        assert all(test["output_format"] in ("text", "html", "simple_format", "md", "ansi") for test in said["tests"])
        assert [test["max_score"] for test in said["tests"]] == [3.0, 2.0]
        assert isinstance(said["execution_time"], int)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "\r=1", "\n=1", "=\n1"])
def test_a_cell_that_a_spreadsheet_would_run_is_defused(text: str) -> None:
    assert defused(text).startswith("'")
    assert "\n" not in defused(text)


def test_the_table_has_a_row_for_each_student_and_nothing_that_runs() -> None:
    names = ['=HYPERLINK("http://evil.example")', "@SUM(A1)", "-2+3", "ada, the first"]
    results = [replace(hostile(), name=name, flags=(f"={name}",)) for name in names]
    text = to_csv(results)
    assert text.startswith("\ufeff")
    header, *rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    assert len(rows) == len(names)
    assert all(len(row) == len(header) for row in rows)
    for row in [header, *rows]:
        for cell in row:
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert rows[0][1:3] == ["3", "5"]


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def test_pages_show_what_was_printed_and_run_none_of_it(tmp_path: Path) -> None:
    write_pages(EVIL, [hostile(), replace(hostile(), name="../../etc/passwd")], tmp_path / "out")
    pages = sorted((tmp_path / "out").iterdir())
    assert sorted(page.name for page in tmp_path.iterdir()) == ["out"]
    assert len(pages) == 3
    for page in pages:
        seen = _Seen()
        seen.feed(page.read_text(encoding="utf-8"))
        assert "script" not in seen.tags
        assert "img" not in seen.tags
        assert not [name for name, _ in seen.attributes if name.startswith("on")]
        for name, value in seen.attributes:
            assert name not in ("src", "style")
            assert name != "href" or (value or "").startswith("#") or "/" not in (value or "")
        assert "&lt;script&gt;" in page.read_text(encoding="utf-8")
        assert "default-src 'none'" in page.read_text(encoding="utf-8")


def test_page_names_are_safe_and_different() -> None:
    names = page_names(["ada", "Ada", "../x", "index", "", "ada b", "a" * 500])
    assert len({name.lower() for name in names}) == len(names)
    assert all("/" not in name and not name.startswith(".") for name in names)
    assert "index.html" not in names


def test_a_junit_report_has_a_suite_for_each_submission(tmp_path: Path) -> None:
    not_run = CaseResult("later", Verdict.NOT_RUN, 0.0, 1.0)
    write_junit([hostile(), replace(hostile(), name="bob", cases=(not_run,))], tmp_path / "r.xml")
    suites = list(JUnitXml.fromfile(str(tmp_path / "r.xml")))
    assert [suite.tests for suite in suites] == [2, 1]
    assert [suite.failures for suite in suites] == [1, 0]
    assert suites[1].errors == 1  # not run is not green


def test_the_object_of_a_submission_is_plain_json() -> None:
    said = json.loads(json.dumps(to_object(hostile())))
    assert said["points"] == 3.0
    assert said["cases"][0]["small"]["command"] == EVIL
