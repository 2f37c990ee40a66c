"""Ready files for `grade --init`: the course's sudokus, alpha-beta, and an autograder for Gradescope."""

import io
import os
import zipfile
from importlib import resources
from pathlib import Path

from crosscount.puzzles.errors import InputError, at

ASSIGNMENTS = ("course-sudoku", "alpha-beta")
NAMES = (*ASSIGNMENTS, "gradescope")
AUTOGRADER = "autograder.zip"
_FOLDER = resources.files("crosscount.homework") / "starters"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The date of all files in the archive: the same content makes the same archive."""


def write_starter(name: str, folder: Path, assignment: Path | None = None) -> Path:
    """Write a ready file and say which; InputError where there is one already, which is never overwritten.

    The autograder is for `assignment`, or for the course's sudokus where none is given.
    """
    if name not in NAMES:
        raise InputError(f"--init {name}: no such starter, expected one of {', '.join(NAMES)}")
    if name == "gradescope":
        path, data = folder / AUTOGRADER, _archive(assignment)
    else:
        path, data = folder / f"{name}.toml", _text(f"{name}.toml").encode()
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise at(str(path), None, "is there already, expected a folder without it; nothing was written") from None
    except OSError as error:
        raise at(str(path), None, f"cannot be written: {error.strerror}") from None
    return path


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _archive(assignment: Path | None) -> bytes:
    """setup.sh, run_autograder and the assignment with the files that it names."""
    if assignment is None:
        files = {"assignment.toml": _text("course-sudoku.toml").encode()}
    else:
        from crosscount.homework.assignment_file import files_named, read_assignment

        read_assignment(str(assignment))  # an autograder for a bad assignment would fail far away
        files = {"assignment.toml": assignment.read_bytes()}
        for path in files_named(str(assignment)):
            inside = os.path.relpath(path, assignment.parent)
            if inside.startswith(".."):
                raise at(str(assignment), None, f"names {path}, expected files in its own folder for an archive")
            files[inside] = path.read_bytes()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("setup.sh", "run_autograder"):
            _add(archive, name, _text(name).encode(), 0o755)
        for name, data in sorted(files.items()):
            _add(archive, name, data, 0o644)
    return made.getvalue()


def _add(archive: zipfile.ZipFile, name: str, data: bytes, mode: int) -> None:
    entry = zipfile.ZipInfo(name, _LONG_AGO)
    entry.external_attr = (0o100000 | mode) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)
