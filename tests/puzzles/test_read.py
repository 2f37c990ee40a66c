"""The one way in: paths, standard input, puzzles on one line, bundled names; and everything that is none of them."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from crosscount.puzzles import read as reading
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.expect import Expect
from crosscount.puzzles.read import read, read_one, read_source_text

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = "\n".join(LINE[i : i + 9] for i in range(0, 81, 9)) + "\n"
TOML = 'family = "queens"\nsize = 6\n[expect]\ncount = 4\n'


def write(path: Path, data: str | bytes) -> str:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return str(path)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("puzzle3.txt", "puzzle3"),
        ("puzzle3.sdk", "puzzle3"),
        ("puzzle3", "puzzle3"),
        ("a.b.txt", "a.b"),
        (".txt", ".txt"),
        ("grid 1.TXT", "grid 1"),
    ],
)
def test_a_file_names_its_puzzle(tmp_path: Path, file: str, name: str) -> None:
    entry = read_one(write(tmp_path / file, ROWS))
    assert entry.puzzle.name == name
    assert entry.place == f"{tmp_path / file}:1"


def test_a_toml_file_names_its_puzzle_unless_it_says_otherwise(tmp_path: Path) -> None:
    assert read_one(write(tmp_path / "six.puzzle.toml", TOML)).puzzle.name == "six"
    assert read_one(write(tmp_path / "six.toml", TOML)).puzzle.name == "six"
    named = read_one(write(tmp_path / "b.puzzle.toml", 'name = "bee"\n' + TOML))
    assert named.puzzle.name == "bee"
    assert named.expect == Expect(4)


def test_toml_is_known_by_its_family(tmp_path: Path) -> None:
    assert read_one(write(tmp_path / "six.txt", TOML)).puzzle.name == "six"
    assert read_one("-", io.BytesIO(TOML.encode())).puzzle.name == "stdin"


def test_standard_input() -> None:
    entry = read_one("-", io.BytesIO(ROWS.encode()))
    assert entry.puzzle.name == "stdin"
    assert entry.place == "stdin:1"


@pytest.mark.parametrize("source", [LINE, " ".join(LINE), ROWS, LINE + ":1", "1234341221434321", "1 2 2 1"])
def test_a_puzzle_on_the_command_line(source: str) -> None:
    assert read_one(source).puzzle.name == "puzzle"


def test_a_file_wins_over_a_puzzle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / LINE, "1234341221434321")
    assert len(read_one(LINE).puzzle.domains) == 16


def test_several_puzzles_and_picking_one(tmp_path: Path) -> None:
    path = write(tmp_path / "three.txt", f"{LINE}\n{LINE}:1\n{LINE}\n")
    assert [entry.puzzle.name for entry in read(path)] == ["three#1", "three#2", "three#3"]
    picked = read_one(f"{path}#2")
    assert picked.puzzle.name == "three#2"
    assert picked.expect == Expect(1)
    assert picked.place == f"{path}:2"
    with pytest.raises(InputError) as error:
        read_one(path)
    assert str(error.value) == f"{path}: holds 3 puzzles, expected 1; {path}#1 is the first of them"
    for number in (0, 4):
        with pytest.raises(InputError) as error:
            read_one(f"{path}#{number}")
        assert str(error.value) == f"{path}: puzzle {number}, but it holds 3; expected 1 to 3"
    assert read_one("-#2", io.BytesIO(f"{LINE}\n{LINE}".encode())).puzzle.name == "stdin#2"


def test_a_file_with_a_hash_in_its_name(tmp_path: Path) -> None:
    assert read_one(write(tmp_path / "a#1", LINE)).puzzle.name == "a#1"


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + ROWS.encode(),
        ROWS.encode("utf-16"),
        b"\xff\xfe" + ROWS.encode("utf-16-le"),
        b"\xfe\xff" + ROWS.encode("utf-16-be"),
        ROWS.replace("\n", "\r\n").encode(),
        ROWS.rstrip().encode(),
        ROWS.replace("\n", " \t\n").encode(),
    ],
)
def test_encodings_and_line_ends(tmp_path: Path, data: bytes) -> None:
    assert read_one(write(tmp_path / "p.txt", data)).puzzle == read_one(write(tmp_path / "p.txt", ROWS)).puzzle


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty, expected a puzzle"),
        (b"\xef\xbb\xbf", "empty, expected a puzzle"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "binary data, expected a puzzle as text"),
        (b"\xff\xfe\x00\x00", "binary data, expected a puzzle as text"),
        (LINE.encode("utf-16-le"), "binary data, expected a puzzle as text"),
        (b"# caf\xc3\xa9\n# caf\xe9\n", "2: byte 0xe9, expected UTF-8 text"),
        (b"\xff\xfe1", "1: byte 0x31, expected UTF-16 text"),
        (b"." * 10, "1: 1 row of 10 cells, expected 10"),
    ],
)
def test_files_that_are_no_puzzles(tmp_path: Path, data: bytes, message: str) -> None:
    path = write(tmp_path / "p.txt", data)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value) in (f"{path}: {message}", f"{path}:{message}")
    with pytest.raises(InputError) as error:
        read("-", io.BytesIO(data))
    assert str(error.value).startswith("stdin")


def test_an_empty_toml_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="empty, expected a puzzle"):
        read(write(tmp_path / "p.puzzle.toml", " \n"))


def test_a_file_too_large_to_be_puzzles_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 1 << 20)
    with pytest.raises(InputError, match="more than 1 MB, expected fewer puzzles in one file"):
        read(write(tmp_path / "p.txt", b".\n" * (1 << 20)))
    monkeypatch.setattr(reading, "MOST_LINES", 10)
    with pytest.raises(InputError, match="more than 10 lines, expected fewer puzzles in one file"):
        read(write(tmp_path / "p.txt", b".\n" * 11))


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no /dev/zero")
def test_a_file_without_end() -> None:
    with pytest.raises(InputError, match="binary data"):
        read("/dev/zero")


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read(str(tmp_path))
    assert str(error.value) == f"{tmp_path}: a directory, expected a file"


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path / "p.txt", LINE)
    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value) == f"{path}: no permission to read it"


@pytest.mark.parametrize(
    "source", ["nope.txt", "", "53..7", "a\0b", "no/such/file", "x" * 5000, "file.txt#2", "--help"]
)
def test_nothing_of_that_name(source: str) -> None:
    with pytest.raises(InputError) as error:
        read(source)
    assert "\n" not in str(error.value)
    assert "expected" in str(error.value)


def test_a_missing_file_says_what_could_be_meant() -> None:
    with pytest.raises(InputError) as error:
        read("nope.txt")
    expected = "expected a path, - for standard input, a puzzle or @name"
    assert str(error.value) == f"nope.txt: no such file, {expected}"


def test_a_puzzle_on_the_command_line_with_a_cell_missing() -> None:
    with pytest.raises(InputError, match=r"^puzzle:1: 80 cells, expected 81 for a 9x9 grid on one line"):
        read(LINE[1:])


def test_the_text_of_a_file_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_source_text(str(tmp_path / "gone"))


def test_reading_text_does_not_import_pydantic() -> None:
    code = (
        "import sys; from crosscount.puzzles.read import read; read(sys.argv[1]); assert 'pydantic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, LINE], check=True)
