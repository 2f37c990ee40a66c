"""The bundled puzzles, `@name`: one `name.puzzle.toml` each, with its count and where that was published."""

import difflib
import re
from functools import cache
from importlib import resources

from crosscount.puzzles.cells import shorten
from crosscount.puzzles.errors import at
from crosscount.puzzles.expect import Entry

SUFFIX = ".puzzle.toml"


@cache
def names() -> tuple[str, ...]:
    """Every name, without the @: alphabetical, numbers in their order."""
    files = (file.name for file in resources.files(__name__).iterdir())
    return tuple(sorted((name.removesuffix(SUFFIX) for name in files if name.endswith(SUFFIX)), key=_natural))


@cache
def entry(name: str) -> Entry:
    """The puzzle `@name`; InputError with the closest names where there is none."""
    if name not in names():
        near = difflib.get_close_matches(name.lower(), names(), 3, cutoff=0.5)
        hint = "did you mean " + " or ".join(f"@{n}" for n in near) + "?" if near else "expected one of " + _all()
        raise at(f"@{shorten(name)}", None, f"no such puzzle; {hint}")
    from crosscount.puzzles.toml_file import read_toml

    text = (resources.files(__name__) / (name + SUFFIX)).read_text(encoding="utf-8")
    return read_toml(text, f"@{name}", name)


def _all() -> str:
    return ", ".join(f"@{name}" for name in names())


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]
