"""Writing a file so that nobody ever sees half of it."""

import os
import tempfile
from pathlib import Path

from crosscount.puzzles.errors import InputError


def write_whole(path: Path, text: str) -> None:
    """All of it or nothing; InputError where that is not possible. A file that was there is replaced."""
    name = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        # A temporary file is private; what we leave behind is an ordinary one.
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except OSError as error:
        if name is not None:
            os.unlink(name)
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
