"""What the sandbox of this machine is made of, and which programs are seen inside."""

import os
import platform
import subprocess
import tempfile
from pathlib import Path

from crosscount.homework.sandbox import Allowance, Sandbox, Staged
from crosscount.homework.sandbox_bubblewrap import PYTHON, interpreter
from crosscount.homework.sandbox_run import LOOK, MEASURE

LANGUAGES = (
    *("python3", "pypy3", "node", "java", "javac", "gcc", "g++", "clang", "rustc", "go", "ghc", "ocaml", "ruby"),
    *("perl", "php", "julia", "Rscript", "swipl", "dotnet", "lua", "minizinc"),
)
"""Programs that homework is written for."""
_ASK = """\
for program in "$@"; do
    if command -v "$program" >/dev/null; then
        case $program in go) asked=version ;; lua) asked=-v ;; *) asked=--version ;; esac
        echo "$program: $("$program" $asked 2>&1 </dev/null | grep . | head -n 1)"
    fi
done
"""


def mechanisms(sandbox: Sandbox) -> dict[str, str]:
    """How the promises are kept here: the strongest means that work."""
    assert isinstance(sandbox, Staged)
    assert sandbox.bwrap is not None
    version = subprocess.run([sandbox.bwrap, "--version"], capture_output=True, text=True, check=False).stdout
    python = f"{sandbox.python}, shown as {PYTHON}" if sandbox.python else str(interpreter())
    return {
        "bubblewrap": f"{sandbox.bwrap}, {version.strip()}",
        "user": "nobody, because you are root" if os.geteuid() == 0 else "you, in a user namespace without rights",
        "folder": "in memory; the kernel bounds bytes and files"
        if sandbox.in_memory
        else f"on disk, measured every {MEASURE * 1000:.0f} ms: less strict",
        "memory": f"all processes summed every {LOOK * 1000:.0f} ms; control groups are not used",
        "namespaces": "switched off inside"
        if sandbox.can.get("--disable-userns")
        else "refused by the filter alone: bubblewrap is older than 0.8",
        "system calls": f"filtered ({platform.machine()})"
        if sandbox.filter
        else f"not filtered: no table for {platform.machine()}",
        "python": python,
    }


def visible(sandbox: Sandbox) -> dict[str, str]:
    """Interpreters and compilers inside, with what they say of their version."""
    with tempfile.TemporaryDirectory(prefix="crosscount-scene-") as folder:
        Path(folder, "ask.sh").write_text(_ASK, encoding="ascii")
        ended = sandbox.run(["sh", "ask.sh", *LANGUAGES], Path(folder), {}, Allowance(seconds=60, cpu_seconds=60))
    lines = ended.stdout.decode("utf-8", "replace").splitlines()
    return {name: said.strip() for name, _, said in (line.partition(": ") for line in lines)}
