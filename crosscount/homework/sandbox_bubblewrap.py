"""What bubblewrap is told: an empty machine with the system's programs, one folder, and nothing else."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from crosscount.homework.sandbox_place import STUDENT, Place

WORK = "/work"
"""The run's folder, as the program sees it."""
PYTHON = "/opt/python"
"""A Python from outside the system folders, as the program sees it."""
_OWN_BIN = "/opt/bin"
_SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
_TOP = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
# Programs that are installed in the usual way keep these under /etc. All of /etc is not for strangers to read.
_ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "java-*-openjdk")


def environment(python: str | None) -> dict[str, str]:
    """Everything that the program finds in its environment."""
    path = ":".join([*_SYSTEM_PATH, _OWN_BIN])
    said = {"PATH": path, "HOME": "/tmp", "LANG": "C.UTF-8"}
    if python is not None:
        said["PATH"] = f"{PYTHON}/bin:{path}"
        if any(Path(python, "lib").glob("libpython*.so*")):
            # It would look for its own library where it was built, and take the system's for it.
            said["LD_LIBRARY_PATH"] = f"{PYTHON}/lib"
    return said


def options(place: Place, inputs: Sequence[str], python: str | None, can: Mapping[str, bool]) -> list[str]:
    """The options of bubblewrap for one run.

    python: where the Python to be shown lies, if one is. can: options that only newer releases know.
    """
    root = str(place.root)
    said = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    said += ["--disable-userns"] if can.get("--disable-userns") else []
    said += ["--uid", str(STUDENT), "--gid", str(STUDENT), "--hostname", "sandbox"]
    said += _system()
    said += ["--proc", "/proc", "--dev", "/dev"]
    for name in ("passwd", "group", "hosts", "nsswitch.conf"):
        said += ["--ro-bind", f"{root}/etc/{name}", f"/etc/{name}"]
    said += ["--bind", f"{root}/work", WORK, "--bind", f"{root}/tmp", "/tmp", "--bind", f"{root}/shm", "/dev/shm"]
    for name in inputs:
        said += ["--ro-bind", f"{root}/given/{name}", f"{WORK}/{name}"]
    if python is not None:
        said += ["--ro-bind", python, PYTHON]
    found = f"{PYTHON}/bin/python3" if python is not None else interpreter()
    if found is not None:
        said += ["--symlink", found, f"{_OWN_BIN}/python", "--symlink", found, f"{_OWN_BIN}/python3"]
    # The root and /dev are file systems in memory without a bound: nothing may be written there.
    said += ["--remount-ro", "/dev", "--remount-ro", "/"]
    for name, value in environment(python).items():
        said += ["--setenv", name, value]
    return [*said, "--chdir", WORK]


def _system() -> list[str]:
    said = ["--ro-bind", "/usr", "/usr"]
    for name in _TOP:
        top = Path("/", name)
        if top.is_symlink():
            said += ["--symlink", os.readlink(top), str(top)]
        elif top.is_dir():
            said += ["--ro-bind", str(top), str(top)]
    for pattern in _ETC:
        for found in sorted(Path("/etc").glob(pattern)):
            said += ["--ro-bind", str(found), str(found)]
    return said


def interpreter() -> str | None:
    """The system's Python, if it has one."""
    return find("python3")


def find(name: str) -> str | None:
    """Where a program of the system lies, inside and outside; `name` may be its path."""
    for path in [name] if name.startswith("/") else [f"{folder}/{name}" for folder in _SYSTEM_PATH]:
        # A link from /usr/local into somebody's home leads nowhere inside.
        real = os.path.realpath(path)
        if real.startswith(("/usr/", "/bin/", "/lib/")) and os.path.isfile(real) and os.access(real, os.X_OK):
            return path
    return None
