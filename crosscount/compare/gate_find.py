"""Which files the gate looks at.

In a folder, and in the folders below it: every `*.puzzle.toml`, and every text file with a line `puzzle:count`. Hidden
folders, virtual environments and `node_modules` are other people's. A file that is named is taken whatever its name.
"""

import os
import re
from collections.abc import Iterator, Sequence

from crosscount.puzzles.errors import InputError
from crosscount.puzzles.read import read_source_text

TOML = ".puzzle.toml"
TEXT = (".txt", ".sdk", ".sdm", ".sudoku", ".puzzles")
NOT_OURS = frozenset({"node_modules", "__pycache__", "site-packages"})
EXPECTED = f"expected *{TOML} or a text file with lines puzzle:count"

# Sixteen cells and a colon. Smaller grids, and prose that looks like cells, are too easily mistaken for each other; a
# file of 3x3 grids has to be named. What follows the colon is not looked at: a wrong count must not hide a collection.
_COUNTED = re.compile(r"^[ \t]*(?:[0-9A-Pa-p._*xX][ \t,]?){16,}:", re.MULTILINE)


def find(paths: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """The files, each once: paths in their order, files in a folder by name. And paths that name none, with why."""
    files: dict[str, str] = {}
    errors = []
    for path in paths:
        if path.startswith("@") or os.path.isfile(path):
            files.setdefault(os.path.realpath(path), path)
        elif os.path.isdir(path):
            found = list(_walk(path))
            if not found:
                errors.append((path, f"no puzzles in this folder, {EXPECTED}"))
            for file in found:
                files.setdefault(os.path.realpath(file), file)
        else:
            errors.append((path, "no such file or folder, expected puzzles"))
    return list(files.values()), errors


def _walk(folder: str) -> Iterator[str]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_foreign(os.path.join(here, name)))
        for name in sorted(names):
            path = os.path.normpath(os.path.join(here, name))
            if name.endswith(TOML) or (name.lower().endswith(TEXT) and is_collection(path)):
                yield path


def _is_foreign(folder: str) -> bool:
    name = os.path.basename(folder)
    return name.startswith(".") or name in NOT_OURS or os.path.exists(os.path.join(folder, "pyvenv.cfg"))


def is_collection(path: str) -> bool:
    """Whether some line of this text file is `puzzle:count`."""
    try:
        return _COUNTED.search(read_source_text(path)) is not None
    except InputError:
        return False  # a text file that is no text is nobody's collection
