"""One submission on one case: run in the sandbox, read, judged."""

from dataclasses import dataclass, replace

from crosscount.homework.assignment import Assignment, Case
from crosscount.homework.handout import fill_in, replay, to_text
from crosscount.homework.judge import judge
from crosscount.homework.reference import Known
from crosscount.homework.results import CaseResult
from crosscount.homework.sandbox import Sandbox
from crosscount.homework.sources import collected
from crosscount.homework.submissions import Submission


@dataclass(frozen=True, slots=True)
class Attempt:
    """A submission that can be run on anything."""

    assignment: Assignment
    submission: Submission
    sandbox: Sandbox

    @property
    def words(self) -> tuple[str, ...]:
        """The command, with its places still open."""
        return self.assignment.command(self.submission.ending) or ()

    def run(self, case: Case, known: Known, seconds: float | None = None) -> CaseResult:
        """What the submission is worth on this case; `seconds` may be fewer than the case allows."""
        allowance = case.allowance if seconds is None else replace(case.allowance, seconds=seconds)
        places = self.assignment.places
        patterns = collected((*places.solution, *places.performance), case.number)
        text = to_text(case.subject, self.assignment.writing)
        ended = self.sandbox.run(
            fill_in(self.words, case, self.submission.program),
            self.submission.path,
            {case.file: text.encode()},
            allowance,
            # Everything else is brought back as well, to be able to say what was written where nothing was found.
            list(dict.fromkeys([*patterns, "*.txt", "*.out", "*.csv", "*.json"])),
        )
        return judge(self.assignment, case, ended, known)

    def replay(self, case: Case) -> str:
        """A command for a shell that shows the same again."""
        text = to_text(case.subject, self.assignment.writing)
        return replay(self.words, case, self.submission.program, text)
