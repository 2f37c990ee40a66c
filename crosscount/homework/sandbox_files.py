"""The folder of a run: filled from a submission, measured, and read back without trusting anything in it.

Nothing here follows a link. A folder is opened by its name in the folder above, which is open already, so that no
component of a path can be exchanged for a link.
"""

import errno
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

PAGE = 4096
DEEPEST = 32
"""Folders within folders that are looked into."""
MOST_FILES = 100
"""Files read back from one run, at most; their contents together are at most `MOST_BYTES`."""
MOST_BYTES = 16 << 20
LARGEST_SUBMISSION = 256 << 20
"""Bytes of a submission that are copied."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# A FIFO opened for reading without O_NONBLOCK waits for a writer that never comes.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_KINDS = (
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)

Stamp = tuple[int, int, int]
"""What changes when a file is written or replaced: inode, size, time in nanoseconds."""


class Unusable(Exception):
    """The submission cannot be copied; the message says why."""


def kind(mode: int) -> str:
    return next((words for test, words in _KINDS if test(mode)), "a regular file")


def walk(folder: int, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, int, str, os.stat_result]]:
    """(path, open folder, name in it, what it is) for everything below an open folder, folders before their content."""
    for name in sorted(os.listdir(folder)):
        with suppress(OSError):  # it went away meanwhile, or may not be looked at
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            yield prefix + name, folder, name, found
            if stat.S_ISDIR(found.st_mode) and depth < DEEPEST:
                below = os.open(name, _FOLDER, dir_fd=folder)
                try:
                    yield from walk(below, f"{prefix}{name}/", depth + 1)
                finally:
                    os.close(below)


def measure(root: int) -> tuple[int, int]:
    """Bytes, in whole pages, and entries below an open folder or of an open file."""
    found = os.fstat(root)
    if not stat.S_ISDIR(found.st_mode):
        return _pages(found.st_size), 1
    size = entries = 0
    for _, _, _, found in walk(root):
        entries += 1
        # What a file with holes takes up is less than its size, unless it is copied.
        size += _pages(found.st_size) if stat.S_ISREG(found.st_mode) else 0
    return size, entries


def taken(root: int) -> tuple[int, int]:
    """Bytes really taken and entries below an open folder."""
    found = [entry for _, _, _, entry in walk(root)]
    return sum(entry.st_blocks * 512 for entry in found), len(found)


def _pages(size: int) -> int:
    return -(-size // PAGE) * PAGE


def copy(source: int, name: str, target: int) -> list[str]:
    """Copy a submission, an open folder's content or an open file called `name`, into an open folder.

    Links are copied as links: what they point at is looked up where the program runs. The notes name what was left out.
    """
    if not stat.S_ISDIR(os.fstat(source).st_mode):
        _copy_file(source, name, target)
        return []
    notes = []
    for path, folder, bare, found in walk(source):
        with _parent(target, path) as (parent, last):
            if stat.S_ISDIR(found.st_mode):
                with suppress(FileExistsError):
                    os.mkdir(last, 0o755, dir_fd=parent)
            elif stat.S_ISLNK(found.st_mode):
                os.symlink(os.readlink(bare, dir_fd=folder), last, dir_fd=parent)
            elif stat.S_ISREG(found.st_mode):
                one = os.open(bare, _FILE, dir_fd=folder)
                try:
                    _copy_file(one, last, parent)
                finally:
                    os.close(one)
            else:
                notes.append(f"{shown(path)} is {kind(found.st_mode)}: not copied")
    return notes


def _copy_file(source: int, name: str, target: int) -> None:
    found = os.fstat(source)
    if not stat.S_ISREG(found.st_mode):
        raise Unusable(f"{shown(name)} is {kind(found.st_mode)}, expected a file or a folder")
    with open(os.open(name, _NEW, 0o644 | found.st_mode & 0o111, dir_fd=target), "wb") as to:
        while data := os.read(source, 1 << 20):
            to.write(data)


class _parent:  # noqa: N801 - reads as a verb where it is used
    """The open folder in which the last component of a path lies; what stands in the way of a folder is removed."""

    def __init__(self, root: int, path: str) -> None:
        self.fd = os.dup(root)
        *folders, self.last = PurePosixPath(path).parts
        for folder in folders:
            below = _folder(self.fd, folder)
            os.close(self.fd)
            self.fd = below

    def __enter__(self) -> tuple[int, str]:
        return self.fd, self.last

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)


def _folder(above: int, name: str) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=above)
    except OSError as error:
        if error.errno != errno.ENOENT:
            os.unlink(name, dir_fd=above)
    os.mkdir(name, 0o755, dir_fd=above)
    return os.open(name, _FOLDER, dir_fd=above)


def lay(inputs: Mapping[str, bytes], root: int, mode: int = 0o444) -> None:
    """Write files over whatever an open folder holds at their paths."""
    for path, content in inputs.items():
        parts = PurePosixPath(path).parts
        if not parts or ".." in parts or path.startswith("/"):
            raise Unusable(f"input {path!r}, expected a path inside the run's folder")
        with _parent(root, path) as (folder, name):
            remove(folder, name)
            with open(os.open(name, _NEW, mode, dir_fd=folder), "wb") as to:
                to.write(content)


def remove(folder: int, name: str) -> None:
    """Remove what an open folder has under this name, if anything, with all that is in it."""
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(mode):
        os.unlink(name, dir_fd=folder)
        return
    if mode & 0o700 != 0o700:
        os.chmod(name, 0o700, dir_fd=folder)
    below = os.open(name, _FOLDER, dir_fd=folder)
    try:
        for inner in os.listdir(below):
            remove(below, inner)
    finally:
        os.close(below)
    os.rmdir(name, dir_fd=folder)


def stamps(root: int) -> dict[str, Stamp]:
    """What is there before the program runs, so that an answer handed in with it does not pass for one it gave."""
    return {path: _stamp(found) for path, _, _, found in walk(root)}


def _stamp(found: os.stat_result) -> Stamp:
    return found.st_ino, found.st_size, found.st_mtime_ns


def read_back(
    root: int, patterns: Sequence[str], before: Mapping[str, Stamp], largest: int
) -> tuple[dict[str, bytes], list[str]]:
    """New or changed regular files that match a pattern, with notes on those that were not read."""
    files: dict[str, bytes] = {}
    notes: list[str] = []
    room = MOST_BYTES
    for path, folder, name, found in walk(root):
        if before.get(path) == _stamp(found) or not _matches(path, name, patterns):
            continue
        why = _refusal(found, largest, room, len(files))
        if why is not None:
            notes.append(f"{shown(path)} {why}: not read")
            continue
        content = _content(folder, name, found.st_size)
        if content is None:
            notes.append(f"{shown(path)} could not be opened: not read")
            continue
        room -= len(content)
        files[shown(path)] = content
    return files, notes


def _refusal(found: os.stat_result, largest: int, room: int, read: int) -> str | None:
    if not stat.S_ISREG(found.st_mode):
        return f"is {kind(found.st_mode)}"
    # Another name may be that of a file which the program could link to but not read.
    if found.st_nlink != 1:
        return f"has {found.st_nlink} names (hard links)"
    if found.st_size > largest:
        return f"has {found.st_size} bytes, at most {largest} are read"
    if read >= MOST_FILES or found.st_size > room:
        return f"comes after {read} other files"
    return None


def _content(folder: int, name: str, size: int) -> bytes | None:
    try:
        with open(os.open(name, _FILE, dir_fd=folder), "rb") as one:
            is_file = stat.S_ISREG(os.fstat(one.fileno()).st_mode)
            return one.read(size) if is_file else None
    except OSError:
        return None


def _matches(path: str, name: str, patterns: Sequence[str]) -> bool:
    path, name = path.lower(), name.lower()
    return any(fnmatchcase(text, pattern.lower()) for pattern in patterns for text in (path, name))


def shown(path: str) -> str:
    """A path that can be printed, whatever bytes it has: a name may hold what moves a terminal's cursor."""
    text = os.fsencode(path).decode("utf-8", "replace")
    return "".join(character if character.isprintable() else "\ufffd" for character in text)
