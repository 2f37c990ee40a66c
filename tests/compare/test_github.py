"""What GitHub Actions is told: at the right line, within its limits, and safe whatever a puzzle is called."""

import re
from pathlib import Path

from crosscount.compare.engines import find
from crosscount.compare.gate import Settings, check
from crosscount.compare.gate_read import select
from crosscount.compare.gate_result import Outcome, Result
from crosscount.compare.github import MOST_BYTES, SHOWN, annotations, summary, write_summary
from crosscount.puzzles.engine import Limits

CAP = 1024 * 1024
GRID = "\n".join(["│ 1 2 3 │ 4 5 6 │ 7 8 9 │   │ 1 2 3 │ 4 5 6 │ 7 8 9 │"] * 13)


def failed(number: int, outcome: Outcome = Outcome.FAILED) -> Result:
    because = f"expected exactly 1 solution, found exactly {number} solutions"
    return Result("many.txt", number, f"many#{number}", "unique", outcome, because, difference=GRID)


def test_annotations_point_at_the_line_of_the_claim(tmp_path: Path) -> None:
    (tmp_path / "p.puzzle.toml").write_text(
        '# count = 1\n\nfamily = "queens"\ntitle = """\n[expect]\ncount = 3\n"""\nsize = 4\n\n'
        "[expect] # count\n# the count\ncount = 3\n"
    )
    (tmp_path / "c.txt").write_text(
        "# four\n\n................:288 # right\n# wrong:\n\n................:1\nTitle\n\n................:2\n"
    )
    subjects = [item for item in select([str(tmp_path)]).items if not isinstance(item, Result)]
    results = check(subjects, Settings((find("fc-mrv"), find("sat")), Limits(seconds=20)))
    places = [re.findall("file=([^,]*),line=([^,]*),", line) for line in annotations(results, str(tmp_path))]
    assert places == [[("c.txt", "6")], [("c.txt", "9")], [("p.puzzle.toml", "12")]]


def test_names_and_messages_are_escaped() -> None:
    result = Result("a,b:c.txt", 3, "50%: x,y\n::error::z", "", Outcome.FAILED, "first\nsecond 100%\r::set-env::")
    (line,) = annotations([result])
    assert line == (
        "::error file=a%2Cb%3Ac.txt,line=3,title=failed%3A 50%25%3A x%2Cy%0A%3A%3Aerror%3A%3Az"
        "::first%0Asecond 100%25%0D::set-env::"
    )


def test_paths_are_those_of_the_repository(tmp_path: Path) -> None:
    inside = Result(str(tmp_path / "sub" / "a.txt"), 1, "a", "", Outcome.FAILED, "")
    outside = Result("/elsewhere/a.txt", None, "a", "", Outcome.BAD_FILE, "")
    lines = list(annotations([inside, outside], str(tmp_path)))
    assert lines[0].startswith("::error file=/elsewhere/a.txt,line=1,")
    assert lines[1].startswith("::error file=sub/a.txt,line=1,")


def test_only_as_many_as_are_shown_the_worst_first_and_the_rest_is_counted() -> None:
    results = [failed(k) for k in range(1, 31)] + [failed(31, Outcome.BAD_FILE), failed(32, Outcome.UNDECIDED)]
    lines = list(annotations(results))
    assert lines[0].startswith("::error file=many.txt,line=31,")
    assert sum(line.startswith("::error ") for line in lines) == SHOWN
    assert "::notice title=crosscount gate::21 more errors; the summary of this step lists them" in lines
    assert lines[-1].startswith("::warning file=many.txt,line=32,")
    assert list(annotations([failed(1, Outcome.PASSED)])) == []


def test_the_summary_stays_under_its_cap_with_5000_failures() -> None:
    text = summary([failed(k) for k in range(1, 5001)])
    assert len(text.encode()) <= MOST_BYTES < CAP
    assert "0 passed, 5000 failed" in text
    assert "| failed | many.txt:5000 |" in text


def test_a_summary_that_would_be_too_long_says_what_it_leaves_out() -> None:
    results = [failed(k) for k in range(1, 5001)]
    for most in (300, 1_000, 50_000):
        text = summary(results, most=most)
        assert len(text.encode()) <= most
        shown = text.count("| failed |")
        assert f"{5000 - shown} more are left out" in text
    long = [Result("f" * 500, 1, "ü" * 2000, "x" * 500, Outcome.FAILED, "y" * 500) for _ in range(5000)]
    assert len(summary(long).encode()) <= MOST_BYTES


def test_the_summary_is_added_to_what_is_there_and_counts_it(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("x" * 900_000)
    write_summary([failed(k) for k in range(1, 5001)], [], str(path))
    assert 900_000 < path.stat().st_size < CAP
    path.write_text("x" * MOST_BYTES)
    write_summary([failed(1)], [], str(path))
    assert path.stat().st_size < CAP
    write_summary([failed(1)], [], None)


def test_the_first_few_grids_are_in_the_summary() -> None:
    text = summary([failed(1), failed(2)], ["plain.puzzle.toml"])
    assert text.count(GRID) == 2
    assert "Without a claim, and skipped: 1, first plain.puzzle.toml" in text


def test_nothing_in_a_name_is_markup() -> None:
    odd = Result("a|b.txt", 1, "<script>`*_[x](y)", "", Outcome.FAILED, "one\n| two |", difference="````\nx")
    text = summary([odd])
    assert "| failed | a\\|b.txt:1 | &lt;script&gt;\\`\\*\\_\\[x\\](y) |  | one \\| two \\| |\n" in text
    assert "\n`````text\n````\nx\n`````\n" in text


def test_an_empty_selection_is_said_to_be_no_pass() -> None:
    assert "Nothing to check, which is not a pass." in summary([])
