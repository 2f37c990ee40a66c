"""Which files are looked at, and what becomes of those that cannot be read."""

from pathlib import Path

import pytest

from crosscount.compare.gate_find import find, is_collection
from crosscount.compare.gate_read import select
from crosscount.compare.gate_result import Outcome, Result

GOOD = 'family = "queens"\nsize = 4\n[expect]\ncount = 2\n'


def put(folder: Path, name: str, text: str = GOOD) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_folder_is_searched_in_the_order_of_names(tmp_path: Path) -> None:
    put(tmp_path, "b.puzzle.toml")
    put(tmp_path, "a/z.puzzle.toml")
    put(tmp_path, "a.txt", "1.....3..2.....4:1\n")
    put(tmp_path, "notes.txt", "dinner at 12:30\nabcdefgh: a list\n")
    put(tmp_path, "pyproject.toml", "")
    for foreign in (".git/x.puzzle.toml", "node_modules/x.puzzle.toml", "env/pyvenv.cfg", "env/lib/x.puzzle.toml"):
        put(tmp_path, foreign)
    files, errors = find([str(tmp_path)])
    assert [Path(file).relative_to(tmp_path).as_posix() for file in files] == [
        "a.txt",
        "b.puzzle.toml",
        "a/z.puzzle.toml",
    ]
    assert errors == []


def test_a_file_named_twice_is_checked_once(tmp_path: Path) -> None:
    path = put(tmp_path, "b.puzzle.toml")
    files, _ = find([str(path), str(tmp_path), str(tmp_path / ".." / tmp_path.name / "b.puzzle.toml")])
    assert files == [str(path)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.....3..2.....4:1\n", True),
        ("# header\n\n1.....3..2.....4 : many\n", True),
        ("1 . . . . . 3 . . 2 . . . . . 4:1\n", True),
        ("1.....3..2.....4\n", False),
        ("at 12:30 we meet\n12:30\n", False),
        ("", False),
    ],
)
def test_what_is_a_collection(tmp_path: Path, text: str, expected: bool) -> None:
    assert is_collection(str(put(tmp_path, "c.txt", text))) is expected


def test_a_path_that_names_nothing_is_an_error_of_its_own(tmp_path: Path) -> None:
    good = put(tmp_path, "good.puzzle.toml")
    (tmp_path / "empty").mkdir()
    items = select([str(tmp_path / "empty"), str(tmp_path / "nowhere"), str(good)]).items
    assert [isinstance(item, Result) for item in items] == [True, True, False]


def bad(folder: Path, text: str, name: str = "p.puzzle.toml") -> Result:
    path = put(folder, name, text)
    (item,) = select([str(path)]).items
    assert isinstance(item, Result)
    assert item.outcome is Outcome.BAD_FILE
    assert item.file == str(path)
    return item


@pytest.mark.parametrize(
    ("text", "line", "because"),
    [
        ("family = \n", 1, "not TOML"),
        ('family = "queens"\nsize = 4\nsiz = 3\n', 3, "unknown key siz; did you mean size?"),
        ('family = "chess"\n', 1, 'family "chess", expected one of sudoku'),
        ('family = "queens"\nsize = 4\n[expect]\n# so many\ncount = "many"\n', 5, 'count is "many", expected a whole'),
        ('family = "queens"\nsize = 4\n[expect]\ncounts = 2\n', 4, "unknown key counts; did you mean count?"),
        ('family = "queens"\nsize = 4\n[expect]\ncount = 2\nunique = true\n', 3, "unique is true, but count is 2"),
        ('family = "queens"\nsize = 4\n', None, "claims nothing about its solutions, expected [expect] with count"),
        ('family = "queens"\nsize = 4\n[expect]\nsource = "x"\n', None, "claims nothing"),
        ('family = "tree"\ntree = [[3, 5], []]\n[expect]\nvalue = 3\n', 2, "tree"),
        ('family = "tree"\ntree = [[3, 5]]\n[expect]\nvalue = "three"\n', 4, 'value is "three", expected a number'),
        ('family = "tree"\ntree = [[3, 5]]\n[expect]\nvalue = nan\n', 4, "value is nan"),
        ('family = "tree"\ntree = [[3, 5]]\n[expect]\ncount = 3\n', 4, "unknown key count; expected one of value"),
        ('family = "tree"\n[expect]\nvalue = 3\n', 1, "neither tree nor file, expected one of them"),
        ('family = "tree"\nfile = "x.json"\ntree = [1]\n', 3, "both tree and file, expected one of them"),
        ('# here\nfamily = "tree"\nfile = "nowhere.json"\n[expect]\nvalue = 3\n', 3, "no such file"),
        ('family = "tree"\ntree = [[3, 5]]\n', None, "claims nothing"),
    ],
)
def test_bad_files_say_where_and_what(tmp_path: Path, text: str, line: int | None, because: str) -> None:
    result = bad(tmp_path, text)
    assert result.line == line
    assert because in result.because


def test_bad_lines_of_a_collection(tmp_path: Path) -> None:
    wrong_count = bad(tmp_path, "# c\n1.....3..2.....4:1\n................:many\n", "c.txt")
    assert (wrong_count.line, wrong_count.because) == (3, "'many' after the colon, expected the number of solutions")
    assert bad(tmp_path, "1.....3..2.....4:1\n...............:1\n", "c.txt").line == 2


def test_each_puzzle_of_a_collection_must_claim_something(tmp_path: Path) -> None:
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    path = put(tmp_path, "c.txt", f"{puzzle}:1\n{puzzle}\n")
    first, second = select([str(path)]).items
    assert not isinstance(first, Result)
    assert isinstance(second, Result)
    assert (second.line, second.because) == (2, "claims nothing about its solutions, expected puzzle:count")


def test_unclaimed_puzzles_can_be_skipped_but_are_named(tmp_path: Path) -> None:
    put(tmp_path, "good.puzzle.toml")
    path = put(tmp_path, "plain.puzzle.toml", 'family = "queens"\nsize = 4\n')
    selection = select([str(tmp_path)], skip_unclaimed=True)
    assert len(selection.items) == 1
    assert selection.unclaimed == (str(path),)


def test_names_of_the_bundled_collection() -> None:
    (item,) = select(["@queens-6"]).items
    assert not isinstance(item, Result)
    (wrong,) = select(["@nothing-of-that-name"]).items
    assert isinstance(wrong, Result)
