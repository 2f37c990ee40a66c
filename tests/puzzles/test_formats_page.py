"""docs/formats.md shows what works: every example on it is read."""

import re
from pathlib import Path

import pytest

from crosscount.puzzles.read import read_one
from crosscount.puzzles.text import read_text
from crosscount.puzzles.toml_file import read_toml

PAGE = (Path(__file__).parent.parent.parent / "docs" / "formats.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
TEXTS = [text for kind, text in BLOCKS if kind == "text"]
TOMLS = [text for kind, text in BLOCKS if kind == "toml"]


def test_there_are_examples_of_two_kinds() -> None:
    assert {kind for kind, _ in BLOCKS} == {"text", "toml"}


@pytest.mark.parametrize("text", TEXTS)
def test_text(text: str) -> None:
    assert read_text(text, "formats.md", "example")


@pytest.mark.parametrize("text", TOMLS)
def test_toml(text: str) -> None:
    entry = read_toml(text, "formats.md", "example")
    for solution in (entry.expect.solutions if entry.expect else None) or ():
        assert entry.puzzle.violated(solution) == []


def test_the_first_three_are_one_puzzle() -> None:
    first, second, third = (read_text(text, "formats.md", "example")[0].puzzle for text in TEXTS[:3])
    assert first == second == third


def test_several_puzzles_in_one_text() -> None:
    counts = [len(read_text(text, "formats.md", "example")) for text in TEXTS]
    assert counts == [1, 1, 1, 1, 2, 3]


def test_the_bundled_puzzles_that_are_named_exist() -> None:
    names = set(re.findall(r"`(@[\w-]+)`", PAGE))
    assert len(names) >= 2
    for name in names:
        assert read_one(name)
