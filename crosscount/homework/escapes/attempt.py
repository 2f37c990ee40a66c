"""One escape and what came of it."""

import secrets
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from crosscount.homework.escapes.scene import Scene, left_behind
from crosscount.homework.sandbox import MIB, Allowance, Ended, Sandbox

PRELUDE = """\
import ctypes, json, os, signal, socket, sys, time

scene = json.load(open("scene.json"))
libc = ctypes.CDLL(None, use_errno=True)


def escaped(what):
    print("ESCAPED", what, flush=True)


def can(what, action):
    try:
        result = action()
    except Exception as error:
        print("refused", what, error, flush=True)
        return False
    if result is False:
        print("refused", what, flush=True)
        return False
    escaped(what)
    return True


def call(name, *arguments):
    if getattr(libc, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)


"""
SMALL = Allowance(seconds=5, memory=128 * MIB, processes=32, disk=8 * MIB, files=200, output=MIB // 4)

Predicate = Callable[[Ended, Scene], str | None]
"""What is wrong, in words, or None when the promise was kept."""


def tried(ended: Ended, scene: Scene) -> str | None:
    """The program tried all it wanted and could do nothing of it."""
    text = ended.stdout.decode("utf-8", "replace")
    if done := [line.removeprefix("ESCAPED ") for line in text.splitlines() if line.startswith("ESCAPED ")]:
        return ", ".join(dict.fromkeys(done))
    if scene.secret in text:
        return "it printed a secret"
    if "tried all" not in text.splitlines():
        last = (ended.stderr.decode("utf-8", "replace").strip().splitlines() or ["nothing on standard error"])[-1]
        return f"the attempt itself failed ({ended.how}): {last}"
    return None


@dataclass(frozen=True, slots=True)
class Escape:
    name: str
    promise: str
    """What the sandbox says, in words."""
    by: str
    """What keeps the promise."""
    source: str
    """The program, after `PRELUDE`."""
    kept: Predicate = tried
    allowance: Allowance = SMALL
    collect: tuple[str, ...] = ()
    outside: Literal["", "succeeds", "may succeed"] = ""
    """Without a sandbox: it does no harm there and succeeds, or may, for root or where no container forbids it."""
    inputs: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    escape: Escape
    broken: str | None
    """What the program could do, or None when the promise holds."""
    ended: Ended

    @property
    def holds(self) -> bool:
        return self.broken is None


def attempt(escape: Escape, sandbox: Sandbox, scene: Scene) -> Finding:
    """Run the program, then look at what it says, at the scene, and for processes that it left."""
    token = f"crosscount-escape-{secrets.token_hex(8)}"
    with tempfile.TemporaryDirectory(prefix="crosscount-scene-") as folder:
        Path(folder, "escape.py").write_text(PRELUDE + escape.source, encoding="utf-8")
        ended = sandbox.run(
            ["python3", "escape.py", token],
            Path(folder),
            {"scene.json": scene.hints(), "puzzle1.txt": b"1\n", **escape.inputs},
            escape.allowance,
            escape.collect,
        )
    wrong = scene.spoiled()
    if said := escape.kept(ended, scene):
        wrong.insert(0, said)
    if left := left_behind(token):
        wrong.append(f"{len(left)} processes were left behind")
    return Finding(escape, "; ".join(wrong) or None, ended)
