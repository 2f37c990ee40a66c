"""From what a teacher types to submissions: programs, folders with a program, folders full of either."""

import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path

from crosscount.homework.assignment import Assignment
from crosscount.puzzles.errors import at

MAIN = ("main", "sudoku", "solver", "solve", "__main__")
"""Names that a program has, where several files could be one and the assignment does not say which."""
NOT_PROGRAMS = re.compile(
    r"\.(txt|md|rst|pdf|docx?|odt|csv|json|toml|ya?ml|xml|html?|css|ini|cfg|lock|log|png|jpe?g|gif|svg|zip|gz|tar|"
    r"pyc|o|a|so|class|hp?p?|test|solution|puzzle|in|out|ipynb)",
    re.IGNORECASE,
)
IGNORED = ("__pycache__", "__MACOSX", ".git")
MOST_FILES = 10_000


@dataclass(frozen=True, slots=True)
class Submission:
    """One student's work. `program` is relative to `path`, or its own name; empty where there is none."""

    name: str
    path: Path
    program: str
    trouble: str = ""
    """Why it cannot be run."""

    @property
    def ending(self) -> str:
        """Of the program's name, with its dot."""
        return Path(self.program).suffix

    def digest(self) -> str:
        """Of every file in it, so that a changed submission is graded again."""
        text = hashlib.sha256(self.program.encode())
        files = [self.path] if self.path.is_file() else sorted(_files(self.path))
        for file in files:
            text.update(str(file.relative_to(self.path.parent)).encode(errors="surrogateescape") + b"\0")
            try:
                with file.open("rb") as opened:
                    while block := opened.read(1 << 20):
                        text.update(block)
            except OSError as error:
                text.update(str(error.strerror).encode())
        return text.hexdigest()


def find_submissions(assignment: Assignment, paths: Sequence[str]) -> list[Submission]:
    """Every submission, each with a name of its own, in the order of the paths.

    InputError where a path is not there, and where nothing at all can be run. A student's folder without a program
    is a submission with `trouble`: it must not keep the others from being graded.
    """
    found: list[Submission] = []
    for path in paths:
        found += _expand(assignment, Path(path))
    # A shell's pattern may name a program and the folder that it is in.
    unique = list({submission.path.resolve(): submission for submission in found}.values())
    if unique and all(submission.trouble for submission in unique):
        raise at(str(unique[0].path), None, unique[0].trouble)
    return _named(unique)


def _expand(assignment: Assignment, path: Path) -> list[Submission]:
    if not path.exists():
        raise at(str(path), None, "no such file or folder, expected a program or a folder with one")
    if path.is_file():
        return [_file(assignment, path)]
    entries = _entries(path)
    program = _program(assignment, path, entries)
    if program is not None:
        return [Submission(path.name or path.resolve().name, path, program, _unknown(assignment, program))]
    below = [entry for entry in entries if entry.is_dir() or _is_program(assignment, entry)]
    if len(below) <= 1:
        # Nothing else is here: it is one student's, with a folder too many, or without a program.
        return [_below(assignment, path)]
    return [_below(assignment, entry) for entry in below]


def _below(assignment: Assignment, entry: Path) -> Submission:
    """One student in a folder of students."""
    if entry.is_file():
        return _file(assignment, entry)
    entries = _entries(entry)
    program = _program(assignment, entry, entries) or _deeper(assignment, entry)
    if program is None:
        return _without(assignment, entry, entries)
    return Submission(entry.name, entry, program, _unknown(assignment, program))


def _file(assignment: Assignment, path: Path) -> Submission:
    return Submission(path.stem, path, path.name, _unknown(assignment, path.name))


def _program(assignment: Assignment, folder: Path, entries: Iterable[Path]) -> str | None:
    """The program at the top of a folder: the one that the assignment names, or the only one that there can be."""
    files = [entry for entry in entries if entry.is_file()]
    for pattern in assignment.programs:
        fitting = [file.name for file in files if fnmatch(file.name.lower(), pattern.lower())]
        if fitting:
            return fitting[0]
    if assignment.programs:
        return None
    candidates = [file for file in files if _is_program(assignment, file)]
    if len(candidates) == 1 and not any(entry.is_dir() for entry in entries):
        return candidates[0].name
    return next((file.name for stem in MAIN for file in candidates if file.stem.lower() == stem), None)


def _deeper(assignment: Assignment, folder: Path) -> str | None:
    """The program somewhere in a student's folder: archives often have one folder too many."""
    files = sorted(_files(folder), key=lambda file: (len(file.parts), file))
    for pattern in assignment.programs:
        for file in files:
            if fnmatch(file.name.lower(), pattern.lower()):
                return file.relative_to(folder).as_posix()
    if assignment.programs:
        return None
    candidates = [file for file in files if _is_program(assignment, file)]
    chosen = next((file for stem in MAIN for file in candidates if file.stem.lower() == stem), None)
    if chosen is None and len(candidates) == 1:
        chosen = candidates[0]
    return None if chosen is None else chosen.relative_to(folder).as_posix()


def _is_program(assignment: Assignment, path: Path) -> bool:
    """Whether a file may be one: it has an ending that the assignment knows, or none that is known not to be."""
    if not path.is_file() or NOT_PROGRAMS.fullmatch(path.suffix):
        return False
    if path.suffix.removeprefix(".").lower() in assignment.run:
        return True
    if any(word.startswith("python") for word in assignment.run.get("", ())[:1]):
        return path.suffix.lower() == ".py"
    return "" in assignment.run and (bool(path.suffix) or os.access(path, os.X_OK))


def _unknown(assignment: Assignment, program: str) -> str:
    if assignment.command(Path(program).suffix) is not None:
        return ""
    known = ", ".join(f".{ending}" for ending in assignment.run)
    return f"the program {program}, expected one that ends in {known}"


def _without(assignment: Assignment, path: Path, entries: Sequence[Path]) -> Submission:
    names = [entry.name for entry in entries]
    found = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "") if names else "nothing"
    kinds = [f"*.{ending}" for ending in assignment.run if ending] or ["one program"]
    expected = " or ".join(assignment.programs or kinds)
    return Submission(path.name, path, "", f"no program: found {found}, expected {expected}")


def _entries(folder: Path) -> list[Path]:
    """What is in a folder, without what is hidden or made by tools."""
    try:
        found = sorted(folder.iterdir())
    except OSError as error:
        raise at(str(folder), None, f"cannot be read: {error.strerror}") from None
    return [
        entry for entry in found if not entry.name.startswith(".") and entry.name not in ("__pycache__", "__MACOSX")
    ]


def _files(folder: Path) -> list[Path]:
    """Every regular file below a folder; links are not followed."""
    found: list[Path] = []
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in IGNORED)
        found += [file for name in names if (file := Path(root, name)).is_file() and not file.is_symlink()]
        if len(found) > MOST_FILES:
            break
    return found


def _named(submissions: Sequence[Submission]) -> list[Submission]:
    """Names that tell submissions apart: with more of the path where the last part is not enough."""
    names = [submission.name for submission in submissions]
    taken: dict[str, int] = {}
    found = []
    for submission in submissions:
        name = "".join(letter if letter.isprintable() else "?" for letter in submission.name)
        if names.count(name) > 1:
            name = submission.path.name if names.count(name) and submission.path.is_file() else str(submission.path)
            name = name if names.count(name) <= 1 else str(submission.path)
        taken[name] = taken.get(name, 0) + 1
        found.append(replace(submission, name=name if taken[name] == 1 else f"{name} ({taken[name]})"))
    return found
