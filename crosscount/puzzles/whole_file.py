"""Files that are there whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from crosscount.puzzles.errors import InputError


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """What is written becomes `path` when the block ends well; whatever else ends it, nothing is left behind."""
    name = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            yield file
        # A temporary file is private; what we leave behind is an ordinary one.
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
        name = None
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        if name is not None:
            os.unlink(name)


def write_whole(path: Path, text: str) -> None:
    """All of the text or nothing; InputError where that is not possible. A file that was there is replaced."""
    with whole_file(path) as file:
        file.write(text.encode())


def expect_writable(option: str, path: Path) -> None:
    """InputError where `path` could not be written: better before a long search than after it."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise InputError(f"{option}: the folder {path.parent} cannot be written to: {error.strerror}") from None
    if path.is_dir():
        raise InputError(f"{option}: {path} is a folder, expected the name of a file")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
