"""What the pages show is what happens: commands, programs, links."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


def shown(page: str, command: str) -> str:
    """The indented lines below a command, without their indentation."""
    text = (ROOT / page).read_text(encoding="utf-8")
    begun = text.index(f"    $ {command}\n")
    block = re.match(r"(?:    .*\n|\n(?=    ))+", text[begun:])
    assert block is not None
    return "\n".join(line[4:] for line in block[0].splitlines()[1:]) + "\n"


def without_times(text: str) -> str:
    return re.sub(r"\d+\.\d{3}", "#", text)


def test_the_published_wrong_answer_is_wrong_as_the_page_says(call: Run) -> None:
    answer = "tests/data/course_3.wrong_answer.txt"
    ran = call("check", "@course-3", str(ROOT / answer))
    assert ran.stdout == shown("README.md", f"crosscount check @course-3 {answer}")


def test_solving_prints_what_the_page_says(call: Run) -> None:
    ran = call("solve", "@course-3", "FC-MRV")
    assert without_times(ran.stdout) == without_times(shown("README.md", "crosscount solve @course-3 FC-MRV"))


def test_the_library_does_what_the_page_says(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "comparing.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```\n\nprints\n\n```text\n(.*?)```", text, re.DOTALL)
    assert found is not None
    ran = subprocess.run([sys.executable, "-c", found[1]], text=True, capture_output=True, cwd=tmp_path)
    assert ran.stdout == found[2]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_every_engine_is_in_the_tables() -> None:
    from crosscount.compare.engines import engines

    for page in ("README.md", "docs/engines.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for name in engines():
            assert f"| `{name}` |" in text, f"{page} has no row for {name}"
