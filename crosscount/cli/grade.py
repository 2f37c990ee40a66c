"""`crosscount grade`: other people's programs, run safely and judged fairly."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crosscount.cli.style import FAILED, OUR_FAULT, PASSED, UNDECIDED

if TYPE_CHECKING:
    from crosscount.homework.assignment import Assignment
    from crosscount.homework.grade import Grading
    from crosscount.homework.results import SubmissionResult
    from crosscount.homework.sandbox import Sandbox
    from crosscount.homework.submissions import Submission


def grade(
    assignment: Annotated[
        str | None, typer.Argument(metavar="ASSIGNMENT", help="A file such as --init writes.")
    ] = None,
    submissions: Annotated[
        list[str] | None,
        typer.Argument(metavar="SUBMISSION", help="Programs, folders with a program, or folders full of these."),
    ] = None,
    init: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Write a ready file and end: course-sudoku, alpha-beta or gradescope."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this submission; may be given several times.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Programs at once; as many as there are cores.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Keep what an earlier run has finished.")] = False,
    journal: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where finished cases are kept; beside the assignment if not given."),
    ] = None,
    unsafe: Annotated[bool, typer.Option("--unsafe", help="Run programs without a sandbox.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="DIR", help="A page for each student, and an index.")] = None,
    gradescope: Annotated[
        Path | None, typer.Option(metavar="FILE", help="results.json for Gradescope; for one submission.")
    ] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="A row for each student, for a spreadsheet.")] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a JUnit report.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line for each submission.")] = False,
) -> None:
    """Run and grade other people's programs: any valid answer is right, and every lost point comes with its evidence.

    Exit codes: 0 all got full points, 1 somebody lost some, 2 bad input, 3 cut short, 4 a fault of ours.
    """
    if init is not None:
        _init(init, assignment)
        return
    plan, chosen, sandbox = _plan(assignment, submissions or [], only or [], unsafe)
    _expect_places(html, {"--gradescope": gradescope, "--csv": csv, "--junit": junit}, len(chosen))
    begun = time.perf_counter()
    from crosscount.homework.grade import Grading
    from crosscount.homework.journal import Journal, default_journal
    from crosscount.homework.reference import certify

    with _begun(gradescope, plan, chosen):
        reference = certify(plan)
    kept = default_journal(plan.place) if journal is None else journal
    with Journal(kept, plan.digest, sandbox.name, resume) as written:
        work = Grading(plan, reference, chosen, sandbox, written, jobs)
        results = _run(work, gradescope, begun)
    _report(plan, results, html, csv, junit, as_json)
    raise typer.Exit(_exit_code(results))


def _init(name: str, assignment: str | None) -> None:
    from crosscount.homework.starter import write_starter

    path = write_starter(name, Path(), None if assignment is None else Path(assignment))
    typer.echo(f"{path} written")


def _plan(
    assignment: str | None, paths: list[str], only: list[str], unsafe: bool
) -> "tuple[Assignment, list[Submission], Sandbox]":
    """Everything that can be wrong with what was typed, before anything is run or written."""
    from crosscount.homework.assignment_file import read_assignment
    from crosscount.homework.submissions import find_submissions
    from crosscount.puzzles.errors import InputError

    if assignment is None:
        raise InputError("no assignment, expected a file; `crosscount grade --init course-sudoku` writes one")
    plan = read_assignment(assignment)
    if not paths:
        raise InputError("no submission, expected programs, or folders with programs")
    found = find_submissions(plan, paths)
    for name in only:
        if all(submission.name != name for submission in found):
            known = ", ".join(submission.name for submission in found[:8])
            raise InputError(f"--only {name}: no such submission, expected one of {known}")
    chosen = [submission for submission in found if not only or submission.name in only]
    sandbox = _sandbox(unsafe)
    _expect_interpreters(plan, chosen, sandbox)
    return plan, chosen, sandbox


def _expect_interpreters(plan: "Assignment", chosen: "list[Submission]", sandbox: "Sandbox") -> None:
    """A program that the assignment runs every submission with must be there, or everybody fails."""
    from crosscount.puzzles.errors import at
    from crosscount.puzzles.toml_lines import locate

    for ending in dict.fromkeys(submission.ending for submission in chosen if not submission.trouble):
        first = (plan.command(ending) or ("{program}",))[0]
        # A word to be filled in, and a relative path, is a file of the submission.
        own = "{" in first or ("/" in first and not first.startswith("/"))
        if not own and not sandbox.has(first):
            text = Path(plan.place).read_text(encoding="utf-8", errors="replace")
            line = locate(text, ("run", ending.removeprefix("."))) or locate(text, ("run",))
            raise at(plan.place, line, f"run begins with {first!r}, expected a program that {sandbox.sees}")


def _sandbox(unsafe: bool) -> "Sandbox":
    from crosscount.homework import sandbox
    from crosscount.puzzles.errors import InputError

    if unsafe:
        typer.echo("crosscount: --unsafe: programs run without a sandbox. Not protected:", err=True)
        for line in sandbox.NOT_PROTECTED:
            typer.echo(f"  {line}", err=True)
        return sandbox.unsafe()
    found = sandbox.bubblewrap()
    if found is None:
        why = sandbox.why_no_bubblewrap()
        raise InputError(f"no sandbox: {why}; --unsafe runs programs without one, and says what is then not protected")
    return found


def _expect_places(html: Path | None, files: dict[str, Path | None], count: int) -> None:
    """An hour of grading must not end in a report that cannot be written."""
    from crosscount.puzzles.errors import InputError
    from crosscount.puzzles.whole_file import expect_writable

    for option, file in files.items():
        if file is not None:
            expect_writable(option, file)
    if files["--gradescope"] is not None and count != 1:
        raise InputError(f"--gradescope: {count} submissions, expected 1; --only NAME chooses one")
    if html is not None:
        from crosscount.homework.report_html import expect_jinja

        expect_jinja()
        if html.exists() and not html.is_dir():
            raise InputError(f"--html {html}: a file, expected a folder")


@contextmanager
def _begun(gradescope: Path | None, plan: "Assignment", chosen: "list[Submission]") -> Iterator[None]:
    """Results that say that nothing was run yet: we may be ended before anything is. Gone again after bad input."""
    if gradescope is None:
        yield
        return
    from crosscount.homework.judge import not_run
    from crosscount.homework.report_gradescope import to_results
    from crosscount.homework.results import SubmissionResult
    from crosscount.puzzles.errors import InputError
    from crosscount.puzzles.whole_file import write_whole

    cases = tuple(not_run(case) for case in plan.cases)
    write_whole(gradescope, to_results(SubmissionResult(chosen[0].name, str(chosen[0].path), cases), 0.0, False))
    try:
        yield
    except InputError:
        gradescope.unlink(missing_ok=True)
        raise


def _run(work: "Grading", gradescope: Path | None, begun: float) -> "list[SubmissionResult]":
    """Grade, and keep what Gradescope reads up to date: it may end us at any time."""
    from crosscount.compare.gate_table import Bar
    from crosscount.homework.report_gradescope import to_results
    from crosscount.puzzles.whole_file import write_whole

    written = -1

    def keep(is_final: bool) -> None:
        if gradescope is not None:
            text = to_results(work.result(work.submissions[0]), time.perf_counter() - begun, is_final)
            write_whole(gradescope, text)

    with Bar("cases") as bar:

        def watch(state: "Grading") -> None:
            nonlocal written
            bar.watch(state.done, state.total)
            if written != state.done:
                written = state.done
                keep(False)

        results = work.run(watch)
    keep(True)
    return results


def _report(
    plan: "Assignment",
    results: "list[SubmissionResult]",
    html: Path | None,
    csv: Path | None,
    junit: Path | None,
    as_json: bool,
) -> None:
    from crosscount.homework.report_table import show

    if html is not None:
        from crosscount.homework.report_html import write_pages

        write_pages(plan.title, results, html)
    if csv is not None:
        from crosscount.homework.report_csv import to_csv
        from crosscount.puzzles.whole_file import write_whole

        write_whole(csv, to_csv(results))
    if junit is not None:
        from crosscount.homework.report_junit import write_junit

        write_junit(results, junit)
    if as_json:
        from crosscount.homework.report_json import to_object

        for result in results:
            typer.echo(json.dumps(to_object(result)))
    else:
        from crosscount.compare.screen import Screen

        show(results, Screen())


def _exit_code(results: "list[SubmissionResult]") -> int:
    from crosscount.homework.grade import FAULT

    if any(text.startswith(FAULT) for result in results for case in result.cases for text in (case.ended, *case.notes)):
        return OUR_FAULT
    if any(not result.is_finished for result in results):
        return UNDECIDED
    return PASSED if all(result.is_full for result in results) else FAILED
