"""Answers that were found before, so that an unchanged collection is checked in seconds and a killed run goes on.

An answer is found again only where everything that could change it is the same: domains and constraints (names and
drawings are not looked at), what is claimed, engines, limits, and the versions and the source of whatever computes.
Only answers are kept: what was undecided, or where engines disagree, is looked at again every time.

One SQLite file. It is opened for a moment to read and for a moment to write, so that any number of runs may share it,
and nothing of it is open while processes are forked. A cache that cannot be used is reported and does not matter.
"""

import hashlib
import json
import os
import platform
import sqlite3
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import lru_cache
from importlib import metadata
from pathlib import Path

import crosscount
from crosscount.compare.gate_claim import Claim
from crosscount.compare.gate_result import Facts, facts_from, facts_object
from crosscount.puzzles.constraints import AllDifferent, Constraint, Linear, Product
from crosscount.puzzles.engine import Engine, Limits
from crosscount.puzzles.gametree import GameTree
from crosscount.puzzles.puzzle import Puzzle

FILE = "gate.sqlite3"
PATIENCE = 10.0
"""Seconds to wait for another run that is writing."""
EVERY = 1.0
"""Seconds between two writes: what a killed run loses at the most."""
AT_ONCE = 500
LIBRARIES = ("numpy", "numba", "python-sat", "ortools", "clingo", "pyganak")
COMPUTES = ("puzzles", "native", "encodings", "compare")


def default_folder() -> Path:
    """Where programs of this user keep what can be computed again."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "crosscount"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "crosscount"


class Cache:
    """Answers in a folder. `trouble` says why it is not used, where it is not."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.trouble = ""
        self.new: dict[str, str] = {}
        self.written = time.perf_counter()

    def find(self, keys: Sequence[str]) -> dict[str, Facts]:
        """The answers that are known, by key."""
        found: dict[str, Facts] = {}

        def look(connection: sqlite3.Connection) -> None:
            for start in range(0, len(keys), AT_ONCE):
                some = keys[start : start + AT_ONCE]
                marks = ",".join("?" * len(some))
                for key, text in connection.execute(f"SELECT key, facts FROM answers WHERE key IN ({marks})", some):
                    # Somebody else's row, or half of one, is as if it were not there.
                    with suppress(ValueError, TypeError, KeyError):
                        found[key] = facts_from(json.loads(text))

        self._open(look)
        return found

    def add(self, key: str, facts: Facts) -> None:
        """Remember an answer; it is written within about a second, or by `flush`."""
        self.new[key] = json.dumps(facts_object(facts), separators=(",", ":"))
        if time.perf_counter() - self.written > EVERY:
            self.flush()

    def flush(self) -> None:
        """Write what is new."""

        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", self.new.items())

        if self.new:
            self._open(write)
        self.new.clear()
        self.written = time.perf_counter()

    def _open(self, use: Callable[[sqlite3.Connection], None]) -> None:
        """A connection for a moment. A trouble with it is noted, and from then on there is none."""
        if self.trouble:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=PATIENCE)) as connection:
                # Readers do not wait for writers then, where the file system can do it.
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")
                connection.execute("CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, facts TEXT NOT NULL)")
                use(connection)
        except (OSError, sqlite3.Error) as error:
            self.trouble = f"{self.path}: {error}"


def puzzle_key(puzzle: Puzzle, claim: Claim, engines: Sequence[Engine], limits: Limits) -> str:
    """What an answer about a puzzle depends on."""
    asked = [claim.exactly, claim.at_least, claim.several_or_none, claim.solutions]
    who = sorted(f"{engine.name}/{engine.family}" for engine in engines)
    bounds = [limits.seconds, limits.solutions, limits.nodes, limits.memory]
    return _key("puzzle", puzzle.domains, canonical(puzzle.constraints), asked, who, bounds)


def tree_key(tree: GameTree, rule: str, limits: Limits) -> str:
    """What the value of a tree depends on."""
    return _key("tree", tree.parent, list(map(str, tree.values)), tree.maximises, rule, [limits.seconds])


def _key(*parts: object) -> str:
    return hashlib.sha256(json.dumps([versions(), *parts], separators=(",", ":")).encode()).hexdigest()


@lru_cache(maxsize=64)
def canonical(constraints: tuple[Constraint, ...]) -> tuple[str, ...]:
    """The constraints without their labels, in an order of their own. Cached: many puzzles have the same ones."""
    return tuple(sorted({json.dumps(_constraint(constraint)) for constraint in constraints}))


def _constraint(constraint: Constraint) -> list[object]:
    match constraint:
        case AllDifferent():
            # Which of the cells comes first makes no difference here; in the others it does.
            return ["all different", sorted(constraint.scope)]
        case Linear():
            return ["linear", constraint.scope, constraint.coefficients, constraint.relation, constraint.value]
        case Product():
            return ["product", constraint.scope, constraint.relation, constraint.value]
        case _:
            return ["table", constraint.scope, constraint.allowed, sorted(constraint.tuples)]


@lru_cache(maxsize=1)
def versions() -> str:
    """Of all that takes part in finding an answer: libraries, Python, and our own source, letter by letter.

    A version number alone would not do: who works on an engine changes it many times between two versions.
    """
    parts = [crosscount.__version__, platform.python_version(), platform.machine()]
    for library in LIBRARIES:
        try:
            parts.append(f"{library} {metadata.version(library)}")
        except metadata.PackageNotFoundError:
            parts.append(f"no {library}")
    source = hashlib.sha256()
    package = Path(crosscount.__file__).parent
    for folder in COMPUTES:
        for path in sorted((package / folder).glob("*.py")):
            source.update(f"{folder}/{path.name}\0".encode() + path.read_bytes())
    return ", ".join([*parts, source.hexdigest()])
