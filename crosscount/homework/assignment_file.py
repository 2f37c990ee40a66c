"""Reading an assignment file. The keys are in `assignment_models`; docs/grading.md shows them.

Importing this module imports pydantic, so callers import it where they need it.
"""

import hashlib
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

import crosscount
from crosscount.homework.assignment import OF_PUZZLES, OF_TREES, Ask, Assignment, Case, Places, Rubric, Subject, Writing
from crosscount.homework.assignment_models import AssignmentTable, CaseTable, LimitsTable
from crosscount.homework.sandbox import Allowance
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.read import read, read_source_text
from crosscount.puzzles.toml_file import Document
from crosscount.puzzles.toml_lines import locate
from crosscount.puzzles.tree_files import load_tree

PLACEHOLDERS = ("{program}", "{puzzle}", "{algorithm}", "{n}")
_BRACES = re.compile(r"\{\w*\}")
_FILE_NAME = re.compile(r"[^/\\\x00-\x1f]+")
MEGABYTE = 1 << 20


def read_assignment(path: str) -> Assignment:
    """The assignment in a file; InputError with the place, what was found and what was expected."""
    return _Reader(Document(read_source_text(path), path), Path(path).parent).assignment()


def files_named(path: str) -> list[Path]:
    """The files that an assignment needs beside itself."""
    reader = _Reader(Document(read_source_text(path), path), Path(path).parent)
    sources = [source for case in reader.table.cases for source in _listed(case.puzzle) + _listed(case.tree)]
    found = (Path(reader.find(source).partition("#")[0]) for source in sources if not source.startswith("@"))
    return list(dict.fromkeys(file for file in found if _is_file(file)))


class _Reader:
    def __init__(self, document: Document, folder: Path) -> None:
        self.document, self.folder = document, folder
        self.fail = document.fail
        try:
            self.table = AssignmentTable.model_validate(document.data)
        except ValidationError as error:
            document.explain(error.errors(include_url=False), AssignmentTable)

    def assignment(self) -> Assignment:
        table = self.table
        run = {"": table.run} if isinstance(table.run, str) else table.run
        commands = {ending.removeprefix(".").lower(): self.words(ending, text) for ending, text in run.items()}
        cases = tuple(self.cases())
        answers = table.answers
        usual = Places()
        places = Places(
            tuple(answers.solution or usual.solution),
            tuple(answers.performance or usual.performance),
            answers.time_unit,
        )
        if any(weight < 0 for weight in table.rubric.parts.values()):
            self.fail(("rubric", "parts"), "a part worth less than 0, expected numbers, 0 or more")
        rubric = Rubric(
            {Ask(ask): weight for ask, weight in table.rubric.parts.items()},
            share=table.rubric.some_solutions == "share",
            needless=table.rubric.needless_leaves == "fine",
        )
        return Assignment(
            place=self.document.place,
            title=table.title or Path(self.document.place).stem,
            programs=tuple(_listed(table.program)),
            run=commands,
            cases=cases,
            places=places,
            writing=Writing(table.puzzles.blank, table.puzzles.shape),
            rubric=rubric,
            shrink_seconds=table.shrink.seconds,
            certify_seconds=table.certify_seconds,
            digest=self.digest(cases),
        )

    def words(self, ending: str, text: str) -> tuple[str, ...]:
        """The words of a command; it must name the program, and nothing that we do not know."""
        path = ("run", ending) if ending else ("run",)
        try:
            words = shlex.split(text)
        except ValueError as error:
            self.fail(path, f"run is {text!r}: {str(error).lower()}, expected a command")
        for found in _BRACES.findall(text):
            if found not in PLACEHOLDERS:
                self.fail(path, f"run has {found}, expected one of {' '.join(PLACEHOLDERS)}")
        if "{program}" not in text:
            self.fail(path, f"run is {text!r}, expected {{program}} where the submitted program goes")
        return tuple(words)

    def cases(self) -> Iterator[Case]:
        """Every puzzle with every algorithm, in the order of the file."""
        names: set[str] = set()
        for k, table in enumerate(self.table.cases):
            for case in self.cases_of(k, table):
                if case.name in names:
                    self.fail(("cases", k), f"a second case is called {case.name!r}, expected another file or name")
                names.add(case.name)
                yield case

    def cases_of(self, k: int, table: CaseTable) -> Iterator[Case]:
        path = ("cases", k)
        if (table.puzzle is None) == (table.tree is None):
            which = "neither puzzle nor tree" if table.puzzle is None else "both puzzle and tree"
            self.fail((*path, "puzzle") if table.puzzle is not None else path, f"{which}, expected one of them")
        asked = tuple(dict.fromkeys(Ask(ask) for ask in _listed(table.ask)))
        wrong = set(asked) & (OF_TREES if table.tree is None else OF_PUZZLES)
        if wrong or not asked:
            of = "puzzle" if table.tree is None else "game tree"
            known = ", ".join(ask for ask in Ask if ask not in (OF_TREES if table.tree is None else OF_PUZZLES))
            found = sorted(wrong)[0] if wrong else "nothing"
            self.fail((*path, "ask"), f"ask is {found}, expected of a {of} any of {known}")
        for subject, file, number in self.subjects(k, table):
            for algorithm in _listed(table.algorithm) or [""]:
                yield Case(
                    name=" ".join(filter(None, (table.name, Path(file).stem, algorithm))),
                    subject=subject,
                    file=file,
                    number=number,
                    algorithm=algorithm,
                    asked=asked,
                    points=table.points,
                    allowance=_allowance(self.table.limits, table.seconds),
                    rule=table.cutoff,
                    line=locate(self.document.text, path),
                )

    def subjects(self, k: int, table: CaseTable) -> Iterator[tuple[Subject, str, str]]:
        """Each puzzle or tree with its file name and its number."""
        key = "puzzle" if table.tree is None else "tree"
        pattern = table.file or ("puzzle{n}.txt" if key == "puzzle" else "tree{n}.json")
        if not _FILE_NAME.fullmatch(pattern) or pattern in (".", ".."):
            self.fail(("cases", k, "file"), f"file is {pattern!r}, expected a file name without folders")
        found: list[tuple[Subject, str]] = []
        for source in _listed(table.puzzle if table.tree is None else table.tree):
            try:
                found += self.puzzles(source) if key == "puzzle" else self.trees(source, table.root)
            except InputError as error:
                self.fail(("cases", k, key), f"{key} {source!r}: {error}")
        if not found:
            self.fail(("cases", k, key), f"{key} is an empty list, expected at least one")
        digits = [match[0] for _, name in found if (match := re.search(r"\d+$", name))]
        # course-3 is number 3 wherever it stands; where names do not tell them all apart, they are counted.
        numbers = digits if len(set(digits)) == len(found) else [str(k) for k in range(1, len(found) + 1)]
        for (subject, _), number in zip(found, numbers, strict=True):
            yield subject, pattern.replace("{n}", number), number

    def puzzles(self, source: str) -> list[tuple[Subject, str]]:
        return [(entry.puzzle, entry.puzzle.name) for entry in read(self.find(source))]

    def trees(self, source: str, root: str | None) -> list[tuple[Subject, str]]:
        tree = load_tree(self.find(source), None if root is None else root == "max").tree
        return [(tree, Path(source).stem)]

    def find(self, source: str) -> str:
        """A path is seen from the assignment's own folder."""
        is_path = not source.startswith(("@", "[", "{", "(")) and _is_file(self.folder / source.partition("#")[0])
        return os.path.join(self.folder, source) if is_path else source

    def digest(self, cases: tuple[Case, ...]) -> str:
        """Of the file and of what the files that it names hold."""
        text = hashlib.sha256(f"{crosscount.__version__}\n{self.document.text}".encode())
        for case in cases:
            text.update(_content(case.subject).encode())
        return text.hexdigest()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a tree on one line may be longer than any name
        return False


def _content(subject: Subject) -> str:
    if isinstance(subject, Puzzle):
        return repr((subject.domains, subject.constraints))
    return repr((subject.parent, subject.values, subject.maximises))


def _allowance(limits: LimitsTable, seconds: float | None) -> Allowance:
    wall = limits.seconds if seconds is None else seconds
    return Allowance(
        seconds=wall,
        cpu_seconds=limits.cpu_seconds,
        memory=limits.memory * MEGABYTE,
        processes=limits.processes,
        disk=limits.disk * MEGABYTE,
        files=limits.files,
        output=limits.output * MEGABYTE,
    )


def _listed(value: str | Sequence[str] | None) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)
