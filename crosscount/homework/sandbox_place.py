"""Where a run takes place: a folder of bounded size that leaves nothing behind.

    work/     the current folder of the program: the submission, and what it writes
    tmp/      its /tmp and its home
    shm/      its /dev/shm
    given/    the inputs, each shown read-only in work/; never shown as a folder
    etc/      the few files of /etc that programs ask for
    python/   a Python from outside the system folders, where one is wanted

In memory where we may mount, which the kernel bounds in bytes and in files; otherwise on disk, where the folder is
measured again and again while the program runs.
"""

import ctypes
import os
import re
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from crosscount.homework import sandbox_files

NOBODY = 65534
"""Who runs the program where the grader is root: no limit on processes binds root."""
STUDENT = 1000
"""Who the program sees itself as."""
MOUNTED = next((folder for folder in ("/media", "/srv", "/mnt") if os.path.isdir(folder)), "/tmp")
"""Where the file system in memory is mounted: in a namespace of its own, so any folder will do."""
WRITABLE = ("work", "tmp", "shm")
_PREFIX = "crosscount-run-"
_CLONE_NEWNS, _CLONE_NEWUSER = 0x00020000, 0x10000000
_NOSUID, _NODEV, _BIND, _REC, _PRIVATE = 2, 4, 4096, 16384, 1 << 18
_SPARE = 16
"""Entries that we make ourselves: the folders above, the files of etc/."""
_ETC = {
    "passwd": f"student:x:{STUDENT}:{STUDENT}:student:/tmp:/bin/sh\nnobody:x:{NOBODY}:{NOBODY}:nobody:/:/bin/false\n",
    "group": f"student:x:{STUDENT}:\nnogroup:x:{NOBODY}:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}


@dataclass(frozen=True, slots=True)
class Place:
    root: Path
    bounded: bool
    """The kernel bounds it: it is a file system of its own."""
    drops_to: int | None
    """The user to become, where we are root."""

    def full(self, disk: int, files: int) -> bool:
        """Has the program used up what it may write?"""
        if self.bounded:
            state = os.statvfs(self.root)
            return state.f_bavail == 0 or state.f_favail == 0
        size = entries = 0
        for name in WRITABLE:
            root = os.open(self.root / name, os.O_RDONLY | os.O_DIRECTORY)
            try:
                there = sandbox_files.taken(root)
            finally:
                os.close(root)
            size, entries = size + there[0], entries + there[1]
        return size > disk or entries > files

    def clear(self) -> None:
        """Leave nothing; a file system in memory goes by itself."""
        if not self.bounded:
            remove(self.root)


def in_memory(size: int, entries: int) -> Place:
    """Mount a file system for this process and its children alone; OSError where that is not allowed."""
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        _call("unshare", _CLONE_NEWNS)
    else:
        _call("unshare", _CLONE_NEWUSER | _CLONE_NEWNS)
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    # Nothing that we mount may appear outside.
    _call("mount", b"none", b"/", None, _REC | _PRIVATE, None)
    bounds = f"size={size},nr_inodes={entries + _SPARE},mode=755".encode()
    _call("mount", b"crosscount", MOUNTED.encode(), b"tmpfs", _NOSUID | _NODEV, bounds)
    return _furnished(Place(Path(MOUNTED), True, NOBODY if user == 0 else None))


def on_disk(drop: bool) -> Place:
    """A folder of our own among the temporary ones; its name says whose it is, so that `sweep` can tell."""
    root = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
    if drop and os.geteuid() == 0:
        root.chmod(0o711)
        return _furnished(Place(root, False, NOBODY))
    return _furnished(Place(root, False, None))


def _furnished(place: Place) -> Place:
    for name in (*WRITABLE, "given", "etc"):
        (place.root / name).mkdir(mode=0o755)
    for name, text in _ETC.items():
        (place.root / "etc" / name).write_text(text, encoding="ascii")
    return place


def hand_over(place: Place) -> None:
    """Make the writable folders and their content the program's own."""
    if place.drops_to is None:
        return
    for name in WRITABLE:
        root = os.open(place.root / name, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fchown(root, place.drops_to, place.drops_to)
            for _, folder, bare, _ in sandbox_files.walk(root):
                os.chown(bare, place.drops_to, place.drops_to, dir_fd=folder, follow_symlinks=False)
        finally:
            os.close(root)


def show_python(place: Place, prefix: str) -> str:
    """Where bubblewrap finds this Python: under the place, because a user without rights cannot pass a private home."""
    if not place.bounded:
        return prefix
    target = place.root / "python"
    target.mkdir()
    _call("mount", os.fsencode(prefix), os.fsencode(target), None, _BIND | _REC, None)
    return str(target)


def sweep() -> None:
    """Remove the folders of runs whose process was killed before it could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        owner = re.match(rf"{_PREFIX}(\d+)-", folder.name)
        with suppress(OSError):
            if owner and folder.lstat().st_uid == os.geteuid() and not _lives(int(owner[1])):
                remove(folder)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it is somebody's, so it is there
    return True


def remove(folder: Path) -> None:
    above = os.open(folder.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        sandbox_files.remove(above, folder.name)
    finally:
        os.close(above)


def _call(name: str, *arguments: object) -> None:
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
