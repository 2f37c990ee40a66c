"""Compiled once, kept on disk, never stale."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import crosscount

PROGRAM = """
import logging, sys
logging.basicConfig(stream=sys.stdout, format="%(message)s")
logging.getLogger("crosscount").setLevel(logging.INFO)
from crosscount.native import ENGINES
from crosscount.puzzles.engine import Limits
from crosscount.puzzles.families import Latin
print(sum(len(b.solutions) for b in ENGINES["bf"].search(Latin.blank(3).puzzle("latin"), Limits())))
"""


def run(package: Path, cache: Path) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=environment, cwd=package.parent, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_the_first_run_says_that_it_compiles_and_a_changed_source_is_compiled_again(tmp_path: Path) -> None:
    package = tmp_path / "crosscount"
    shutil.copytree(Path(crosscount.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    cache = tmp_path / "cache"
    first = run(package, cache)
    assert first == ["compiling bf (only the first time; kept on disk)", "12"]
    compiled = {path.name.split(".")[0] for path in cache.rglob("*.nbi")}
    assert compiled <= {"bf", "plain", "nary"}, "only what is used is compiled"
    assert run(package, cache) == ["12"]
    # A function that bf calls, in another file, with the same size and time stamp: numba alone would not notice.
    source = package / "native" / "plain.py"
    before = source.stat()
    text = source.read_text()
    changed = text.replace("value[u] == value[v]", "value[u] >  value[v]")
    assert len(changed) == len(text)
    assert changed != text
    source.write_text(changed)
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    again = run(package, cache)
    assert again[0].startswith("compiling bf")
    assert again[1] != "12"
