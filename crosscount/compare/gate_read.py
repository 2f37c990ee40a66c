"""From files to what is claimed in them. A file that cannot be read is a result of its own; the others go on."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

from crosscount.compare.gate_claim import CLAIMS, Claim, claim_of
from crosscount.compare.gate_find import TOML, find
from crosscount.compare.gate_result import Outcome, Result
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.expect import Entry
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.read import read, read_source_text
from crosscount.puzzles.toml_lines import locate
from crosscount.puzzles.tree_toml import TreeEntry, is_tree, read_tree

KEYS = ("count", "unique", "at_least", "solutions")


@dataclass(frozen=True, slots=True)
class PuzzleSubject:
    """A puzzle and what is claimed about it. `lines` says where each key of the claim stands, where keys have lines."""

    file: str
    line: int | None
    puzzle: Puzzle
    claim: Claim
    lines: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        return self.puzzle.name

    def line_of(self, key: str) -> int | None:
        return dict(self.lines).get(key, self.line)


@dataclass(frozen=True, slots=True)
class TreeSubject:
    """A game tree and the value that is claimed for it."""

    file: str
    line: int | None
    entry: TreeEntry

    @property
    def name(self) -> str:
        return self.entry.name


Subject = PuzzleSubject | TreeSubject


@dataclass(frozen=True, slots=True)
class Selection:
    """All that was found, in order: claims, bad files, and the places of puzzles about which nothing is claimed."""

    items: tuple[Subject | Result, ...]
    unclaimed: tuple[str, ...] = ()


def select(paths: Iterable[str], skip_unclaimed: bool = False) -> Selection:
    """Read everything that `paths` name. A puzzle without a claim is a bad file, unless such are to be skipped."""
    files, errors = find(list(paths))
    items: list[Subject | Result] = [Result(path, None, path, "", Outcome.BAD_FILE, why) for path, why in errors]
    unclaimed: list[str] = []
    for file in files:
        try:
            found = load(file)
        except InputError as error:
            items.append(bad_file(file, error))
            continue
        for item in found:
            if isinstance(item, Result) and skip_unclaimed:
                unclaimed.append(item.place)
            else:
                items.append(item)
    return Selection(tuple(items), tuple(unclaimed))


def load(file: str) -> list[Subject | Result]:
    """What one file claims; a Result stands for a puzzle about which it claims nothing. InputError where it is bad."""
    if file.startswith("@"):
        return [_subject(file, entry, "") for entry in read(file)]
    text = read_source_text(file)
    if not is_tree(text):
        return [_subject(file, entry, text) for entry in read(file)]
    tree = read_tree(text, file, os.path.basename(file).removesuffix(TOML))
    if tree.value is None:
        return [_claims_nothing(file, None, tree.name)]
    return [TreeSubject(file, tree.line, tree)]


def _subject(file: str, entry: Entry, text: str) -> Subject | Result:
    claim = claim_of(entry.expect)
    if claim is None:
        return _claims_nothing(file, entry.line, entry.puzzle.name)
    lines = []
    if entry.line is None:
        present = [key for key in KEYS if getattr(entry.expect, key) is not None]
        lines = [(key, line) for key in present if (line := locate(text, ("expect", key))) is not None]
    return PuzzleSubject(file, dict(lines).get(claim.key, entry.line), entry.puzzle, claim, tuple(lines))


def _claims_nothing(file: str, line: int | None, name: str) -> Result:
    because = f"claims nothing about its solutions, expected [expect] with {CLAIMS}"
    if line is not None:
        because = "claims nothing about its solutions, expected puzzle:count"
    return Result(file, line, name, "", Outcome.BAD_FILE, because)


def bad_file(file: str, error: InputError) -> Result:
    """The error as a result; it starts with the file, and mostly with the line, which are given on their own."""
    message = str(error)
    inner = re.fullmatch(re.escape(f"{' '.join(file.splitlines())}:") + r"(?:(\d+):)? (.*)", message, re.DOTALL)
    line = int(inner[1]) if inner and inner[1] else None
    return Result(file, line, file, "", Outcome.BAD_FILE, inner[2] if inner else message)
