"""Programs that try to get out of the sandbox, each with the promise that it would break.

The tests and `crosscount doctor` run the same ones, for real. A program says `ESCAPED` and what it could do, and says
`tried all` at its end: one that fell over before it tried proves nothing. Bombs are bounded, so that a machine on which
a promise does not hold survives the attempt.
"""

from crosscount.homework.escapes.answers import ANSWERS
from crosscount.homework.escapes.attempt import Escape, Finding, attempt
from crosscount.homework.escapes.reach import REACH
from crosscount.homework.escapes.scene import Scene
from crosscount.homework.escapes.use import USE

ESCAPES: tuple[Escape, ...] = (*REACH, *USE, *ANSWERS)

__all__ = ["ESCAPES", "Escape", "Finding", "Scene", "attempt"]
