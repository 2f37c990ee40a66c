"""`crosscount sample`: solutions drawn at random, each as likely as any other."""

import random
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from crosscount.cli.style import FAILED, PASSED, UNDECIDED, AsJson, PuzzleArgument, TimeLimit, watched

if TYPE_CHECKING:
    from crosscount.native.count_sample import Sampler
    from crosscount.puzzles.puzzle import Puzzle


def sample(
    puzzle: PuzzleArgument,
    number: Annotated[int, typer.Option("-n", "--number", min=1, help="How many to draw; one may come twice.")] = 1,
    seed: Annotated[int | None, typer.Option(help="The same seed draws the same solutions.")] = None,
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
) -> None:
    """Draw solutions uniformly at random, without listing them: count, then choose by the counts."""
    from crosscount.compare.sampling import JsonDrawn, TextDrawn
    from crosscount.puzzles.engine import Stopped
    from crosscount.puzzles.read import read_one

    subject = read_one(puzzle).puzzle
    chosen = random.SystemRandom().getrandbits(32) if seed is None else seed
    drawn = JsonDrawn(subject, chosen) if as_json else TextDrawn(subject, chosen, boxes=watched())
    total, reason = None, ""
    try:
        source = _counted(subject, time_limit)
        total = 0 if source is None else source.total
        generator = random.Random(chosen)
        while source is not None and drawn.number < number:
            drawn.add(source.draw(generator))
    except Stopped as stopped:
        reason = stopped.reason
    except KeyboardInterrupt:
        reason = "interrupted"
    drawn.close(total, reason)
    sys.stdout.flush()
    raise typer.Exit(UNDECIDED if reason else PASSED if total else FAILED)


def _counted(puzzle: "Puzzle", seconds: float | None) -> "Sampler | None":
    """What draws; None where there is nothing to draw."""
    from crosscount.compare.screen import Screen
    from crosscount.native.count_sample import sampler
    from crosscount.puzzles.engine import Limits

    steps = sampler(puzzle, Limits(seconds=seconds))
    with Screen(stderr=True).status("counting") as status:
        try:
            while True:
                at = next(steps)
                status.update(f"counting, at least {at.at_least()} so far, {at.counter.closed:.1%} of the search space")
        except StopIteration as stop:
            source: Sampler | None = stop.value
            return source
