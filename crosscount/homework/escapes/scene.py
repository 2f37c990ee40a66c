"""What lies outside the sandbox and is worth reaching: secrets, sockets, a process, a file to spoil.

It is made for the attempt and tells a program where everything is, so that no escape fails for want of an address.
"""

import json
import os
import secrets
import socket
import subprocess
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path

from crosscount.homework.sandbox_client import close_idle

VARIABLE = "CROSSCOUNT_ESCAPE_SECRET"
UNTOUCHED = "untouched\n"
HOME = os.path.expanduser("~")
"""In a container its user may have none."""


class Scene:
    """Use it as a context; everything in it goes at the end."""

    def __init__(self) -> None:
        self.secret = f"secret-{secrets.token_hex(16)}"
        self.opened = ExitStack()

    def __enter__(self) -> "Scene":
        with ExitStack() as opening:
            # Not under the name of a run's folder: somebody else may be clearing those up.
            self.folder = Path(opening.enter_context(tempfile.TemporaryDirectory(prefix="crosscount-scene-")))
            self.folder.chmod(0o755)  # the sandbox has to hold by itself, not by the rights of this folder
            for name in ("other/solver.py", "answers/solution1.txt"):
                (self.folder / name).parent.mkdir()
                (self.folder / name).write_text(f"{self.secret}\n", encoding="ascii")
            self.victim = self.folder / "victim.txt"
            self.victim.write_text(UNTOUCHED, encoding="ascii")
            self.victim.chmod(0o666)
            os.environ[VARIABLE] = self.secret
            opening.callback(os.environ.pop, VARIABLE, None)
            # A stage that was there before would not have the secret to keep.
            close_idle()
            opening.callback(close_idle)
            self.process = opening.enter_context(subprocess.Popen(["sleep", "600"]))
            opening.callback(self.process.kill)
            self.tcp = opening.enter_context(socket.create_server(("127.0.0.1", 0)))
            self.udp = opening.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            self.udp.bind(("127.0.0.1", 0))
            self.udp.setblocking(False)
            self.local = [opening.enter_context(self._listen(name)) for name in self._local_names()]
            self.inherited = os.open(self.folder / "answers/solution1.txt", os.O_RDONLY)
            opening.callback(os.close, self.inherited)
            os.set_inheritable(self.inherited, True)
            self.opened = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.opened.close()

    def _local_names(self) -> list[str]:
        # An abstract name belongs to a network namespace, the other to a file system.
        return [f"\0crosscount-{self.secret[-12:]}", str(self.folder / "socket")]

    def _listen(self, name: str) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(name)
        listener.listen()
        return listener

    def hints(self) -> bytes:
        """What a program is told, as JSON."""
        return json.dumps(
            {
                "other": str(self.folder / "other/solver.py"),
                "answers": str(self.folder / "answers/solution1.txt"),
                "victim": str(self.victim),
                "folder": str(self.folder),
                "home": HOME,
                "in_home": _names(HOME),
                "tcp": self.tcp.getsockname()[1],
                "udp": self.udp.getsockname()[1],
                "local": self._local_names(),
                "process": self.process.pid,
                "variable": VARIABLE,
                "secret_begins": "secret-",
            }
        ).encode()

    def spoiled(self) -> list[str]:
        """What happened out here that should not have, in words."""
        found = []
        if self.victim.read_text(encoding="utf-8", errors="replace") != UNTOUCHED:
            found.append("a file outside was changed")
            self.victim.write_text(UNTOUCHED, encoding="ascii")
        for path in sorted(self.folder.glob("new*")):
            found.append("a file was made outside")
            path.unlink()
        with suppress(BlockingIOError):
            self.udp.recv(100)
            found.append("a datagram arrived outside")
        if self.process.poll() is not None:
            found.append("a process outside was killed")
            self.process = self.opened.enter_context(subprocess.Popen(["sleep", "600"]))
            self.opened.callback(self.process.kill)
        return found


def _names(folder: str) -> list[str]:
    """A few names of what lies in a folder, if we can see any and it is not that of everything."""
    with suppress(OSError):
        return sorted(os.listdir(folder))[:20] if folder != "/" else []
    return []


def left_behind(token: str) -> list[int]:
    """Processes of this machine that have this word on their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if token.encode() in entry.read_bytes().split(b"\0"):
                found.append(int(entry.parent.name))
    return found
