"""`crosscount check`: is this answer a solution?"""

import json
from typing import Annotated

import typer

from crosscount.cli.style import FAILED, PASSED, AsJson, PuzzleArgument


def check(
    puzzle: PuzzleArgument,
    answer: Annotated[
        str, typer.Argument(metavar="ANSWER", help="A path, - or the answer on one line.", show_default=False)
    ],
    as_json: AsJson = False,
) -> None:
    """Is this answer a solution? If not, every broken constraint is named."""
    from crosscount.compare import as_json as objects
    from crosscount.puzzles.answer import read_answer
    from crosscount.puzzles.read import read_answer_text, read_one

    subject = read_one(puzzle).puzzle
    text, place = read_answer_text(answer)
    answers = read_answer(text, subject, place)
    code = PASSED
    for number, values in enumerate(answers, 1):
        broken = [str(violation) for violation in subject.violated(values)]
        code = FAILED if broken else code
        if as_json:
            typer.echo(json.dumps(objects.check(subject, broken)))
            continue
        which = f"answer {number} of {len(answers)}" if len(answers) > 1 else "the answer"
        typer.echo(f"{subject.name}: {which} is {'not a solution:' if broken else 'a solution'}")
        for sentence in broken:
            typer.echo(f"  {sentence}")
    raise typer.Exit(code)
