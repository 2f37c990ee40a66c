"""A page for each student and one for the teacher: no outside requests, and no trust in what a program printed."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crosscount.homework.report_table import summary
from crosscount.homework.results import Board, SubmissionResult, Verdict, shown_points, tally
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.whole_file import write_whole

if TYPE_CHECKING:
    from jinja2 import Environment

INDEX = "index.html"
MARKS = {
    "given": "",
    "blank": "",
    "": "",
    "wrong": "breaks a rule",
    "changed": "a given was changed",
    "differs": "is different here",
}


def expect_jinja() -> None:
    """InputError where pages cannot be made: better before grading than after it."""
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise InputError("--html: jinja2 is not installed, expected it: pip install 'crosscount[grade]'") from None


def write_pages(title: str, results: Sequence[SubmissionResult], folder: Path) -> None:
    """index.html and one page a student; InputError where they cannot be written."""
    environment = _environment()
    names = page_names([result.name for result in results])
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--html {folder}: cannot be made: {error.strerror}") from None
    student = environment.get_template("student.html")
    for result, name in zip(results, names, strict=True):
        write_whole(folder / name, student.render(title=title, result=result, index=INDEX))
    index = environment.get_template("index.html")
    rows = list(zip(results, names, strict=True))
    write_whole(folder / INDEX, index.render(title=title, rows=rows, tally=tally(results)))


def page_names(names: Sequence[str]) -> list[str]:
    """File names that no system objects to, each another one, also where capitals make no difference."""
    taken = {INDEX}
    found = []
    for name in names:
        stem = re.sub(r"[^\w.-]+", "_", name).strip("._")[:100] or "submission"
        page, k = f"{stem}.html", 1
        while page.lower() in taken:
            k += 1
            page = f"{stem}-{k}.html"
        taken.add(page.lower())
        found.append(page)
    return found


def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("crosscount.homework", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"points": shown_points, "cells": cells, "summary": summary}
    environment.globals |= {"Verdict": Verdict, "marks": MARKS}
    return environment


def cells(board: Board) -> list[list[dict[str, Any]]]:
    """Rows of cells with the classes that draw their lines and say what is wrong with them."""
    rows = []
    regions = board.regions or (0,) * len(board.values)
    for start in range(0, len(board.values), board.columns):
        row = []
        for v in range(start, start + board.columns):
            classes = [board.marks[v]] if board.marks[v] else []
            if v >= board.columns and regions[v] != regions[v - board.columns]:
                classes.append("above")
            if v > start and regions[v] != regions[v - 1]:
                classes.append("before")
            row.append({"text": board.values[v], "classes": " ".join(classes), "mark": board.marks[v]})
        rows.append(row)
    return rows
