"""A puzzle as the program gets it, and the command that gives it to the program."""

import shlex
from collections.abc import Sequence
from pathlib import PurePath

from crosscount.homework.assignment import Case, Subject, Writing
from crosscount.puzzles.gametree import GameTree
from crosscount.puzzles.latin import Latin
from crosscount.puzzles.sudoku import Sudoku
from crosscount.puzzles.text import to_grid, to_line
from crosscount.puzzles.toml_write import to_toml
from crosscount.puzzles.tree_write import to_json


def to_text(subject: Subject, writing: Writing) -> str:
    """What the file holds."""
    if isinstance(subject, GameTree):
        return to_json(subject)
    if not isinstance(subject.family, Sudoku | Latin):
        return to_toml(subject)
    if writing.shape == "line":
        return to_line(subject).replace(".", writing.blank) + "\n"
    lines = to_grid(subject).splitlines()
    # Headers say what the size alone does not, and have dots of their own.
    return "".join((line if line.startswith("#") else line.replace(".", writing.blank)) + "\n" for line in lines)


def fill_in(words: Sequence[str], case: Case, program: str) -> list[str]:
    """The command for one case. A word that becomes empty, because there is no algorithm, is left out."""
    filled = []
    for word in words:
        said = word.replace("{program}", program).replace("{puzzle}", case.file)
        said = said.replace("{algorithm}", case.algorithm).replace("{n}", case.number)
        if said or not word:
            filled.append(said)
    # A program that is run by itself is in the current folder, and not where the system keeps its own.
    if filled and filled[0] == program and "/" not in program:
        filled[0] = f"./{program}"
    return filled


def replay(words: Sequence[str], case: Case, program: str, text: str) -> str:
    """One line for a shell that gives the program this very puzzle."""
    lines = " ".join(shlex.quote(line) for line in text.splitlines())
    command = shlex.join(fill_in(words, case, program))
    return f"printf '%s\\n' {lines} > {shlex.quote(PurePath(case.file).name)} && {command}"
