"""Every engine there is, by name."""

import difflib
from math import prod

from crosscount import encodings, native
from crosscount.compare import certified
from crosscount.puzzles.engine import Engine
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.puzzle import Puzzle

GT_AT_MOST = 10_000_000
"""Generate and test joins a comparison where there are no more combinations than that."""

DEFAULT = ("bf", "bt", "fc-mrv", "gac", "count", "sat", "cpsat", "asp")


def engines() -> dict[str, Engine]:
    """All of them, handwritten ones first."""
    certificate = certified.engine()
    return {**native.ENGINES, **encodings.ENGINES, certificate.name: certificate}


def find(name: str) -> Engine:
    """The engine of this name, in any case, with - or _; `sat:NAME` picks a SAT solver."""
    known = engines()
    plain = name.strip().lower().replace("_", "-")
    if plain in known:
        return known[plain]
    if plain.startswith("sat:"):
        return encodings.find(plain)
    near = difflib.get_close_matches(plain, known, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise InputError(f"engine {name!r} is not known, expected one of {', '.join(known)}{hint}")


def usual(puzzle: Puzzle) -> list[Engine]:
    """Those that `compare` runs when none are named."""
    known = engines()
    chosen = [known[name] for name in DEFAULT if name in known]
    if prod(len(domain) for domain in puzzle.domains) <= GT_AT_MOST:
        chosen.insert(0, known["gt"])
    return chosen
