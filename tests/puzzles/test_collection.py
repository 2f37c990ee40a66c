"""The bundled collection: every puzzle loads, and says what is known about it."""

import pytest

from crosscount.puzzles import collection
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.expect import Entry
from crosscount.puzzles.read import read, read_one

OURS = ("course-", "four-", "jigsaw", "x-sudoku", "sixteen")
"""Not published with a count; all others are."""


def test_names_are_in_natural_order() -> None:
    names = collection.names()
    assert len(names) == len(set(names)) >= 40
    numbered = [name for name in names if name.startswith("queens-")]
    assert numbered == sorted(numbered, key=lambda name: int(name.split("-")[1]))


@pytest.mark.parametrize("name", collection.names())
def test_every_entry_is_complete(name: str) -> None:
    entry = collection.entry(name)
    assert entry.puzzle.name == name
    assert entry.title
    assert entry.expect is not None
    assert entry.expect.count is not None or entry.expect.at_least is not None
    assert bool(entry.expect.source) is not name.startswith(OURS)
    for solution in entry.expect.solutions or ():
        assert entry.puzzle.violated(solution) == []


@pytest.mark.parametrize(
    ("name", "count"),
    [
        *zip([f"course-{i}" for i in range(1, 6)], [2, 48, 413, 286470, 206108154], strict=True),
        *zip([f"four-{i}" for i in range(1, 7)], [1, 1, 2, 3, 3, 6], strict=True),
        ("course-example", 1),
        ("blank-4", 288),
        ("blank-6", 28200960),
        ("blank-9", 6670903752021072936960),
        ("queens-8", 92),
        ("latin-5", 161280),
        ("norvig-impossible", 0),
    ],
)
def test_counts(name: str, count: int) -> None:
    expect = read_one(f"@{name}").expect
    assert expect is not None
    assert expect.count == count


def test_where_an_entry_stands() -> None:
    [entry] = read("@course-1")
    assert isinstance(entry, Entry)
    assert entry.place == "@course-1"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("@cours-1", "@cours-1: no such puzzle; did you mean @course-1 or "),
        ("@Zebra", "@Zebra: no such puzzle; did you mean @zebra?"),
        ("@", "@: no such puzzle; expected one of @ages, "),
        ("@../secret", "@../secret: no such puzzle; "),
    ],
)
def test_an_unknown_name_suggests_close_ones(source: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read(source)
    assert str(error.value).startswith(message)
