"""The verdict on one run: strict, and with the evidence for every point that it takes.

Any valid solution is right. A solution that is missing, invalid or there twice is shown. What was read is told in any
case, so that a student can see why.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from crosscount.compare.audit import Auditor
from crosscount.homework.assignment import Ask, Assignment, Case
from crosscount.homework.judge_numbers import judge_nodes, judge_time
from crosscount.homework.judge_solutions import judge_all, judge_count, judge_one
from crosscount.homework.judge_tree import judge_tree
from crosscount.homework.reference import Known
from crosscount.homework.results import CaseResult, Part, Verdict
from crosscount.homework.ruling import Answers, Ruling
from crosscount.homework.sandbox import Ended
from crosscount.homework.sources import decode
from crosscount.puzzles.puzzle import Puzzle

LAST_LINES = 8
LONGEST_LINE = 300
_FOLDER = re.compile(r"(?:/[\w.-]+)*/crosscount-run-[\w-]+/work/|(?<![\w.-])/work/")
WHOLE = {
    "timed out": Verdict.TIMED_OUT,
    "out of memory": Verdict.OUT_OF_MEMORY,
    "too much output": Verdict.TOO_MUCH,
    "too much disk": Verdict.TOO_MUCH,
    "killed by a signal": Verdict.CRASHED,
    "could not start": Verdict.NOT_RUN,
}
"""Endings after which nothing that the program said counts."""
JUDGES: dict[Ask, Callable[[Answers], Ruling]] = {
    Ask.ONE: judge_one,
    Ask.ALL: judge_all,
    Ask.COUNT: judge_count,
    Ask.VALUE: judge_tree,
    Ask.MOVE: judge_tree,
    Ask.VISITED: judge_tree,
    Ask.NODES: judge_nodes,
    Ask.TIME: judge_time,
}


def judge(assignment: Assignment, case: Case, ended: Ended, known: Known) -> CaseResult:
    """What this run is worth."""
    worth = assignment.rubric.parts(case.asked, case.points)
    judging = _Judging(assignment, case, ended, known)
    rulings = [judging.ruling(ask) for ask in case.asked]
    parts = tuple(
        Part(ask, ruling.verdict, worth[ask] * ruling.share, worth[ask], ruling.evidence)
        for ask, ruling in zip(case.asked, rulings, strict=True)
    )
    failed = next((ruling for ruling in rulings if ruling.verdict is not Verdict.PASSED), rulings[0])
    return CaseResult(
        case=case.name,
        verdict=failed.verdict,
        # Whoever loses nothing gets the very number that the assignment says, not a sum of parts.
        points=case.points if all(r.share == 1 for r in rulings) else sum(part.points for part in parts),
        most=case.points,
        parts=parts,
        read=tuple(dict.fromkeys(line for ruling in rulings for line in ruling.read)),
        expected=failed.expected,
        actual=failed.actual,
        boards=failed.boards,
        drawing=next((ruling.drawing for ruling in rulings if ruling.drawing), ""),
        notes=(*ended.notes, *dict.fromkeys(note for ruling in rulings for note in ruling.notes)),
        ended=how_it_ended(ended),
        stderr=last_lines(ended.stderr),
        seconds=round(ended.seconds, 3),
        nodes=next((ruling.nodes for ruling in rulings if ruling.nodes is not None), judging.claimed_nodes()),
        open_cells=_open_cells(case),
    )


def _open_cells(case: Case) -> int | None:
    return sum(len(d) > 1 for d in case.subject.domains) if isinstance(case.subject, Puzzle) else None


@dataclass(slots=True)
class _Judging:
    assignment: Assignment
    case: Case
    ended: Ended
    known: Known
    whole: Verdict | None = field(init=False)

    def __post_init__(self) -> None:
        self.whole = WHOLE.get(self.ended.how)

    def answers(self, ask: Ask) -> Answers:
        return Answers(ask, self.assignment, self.case, self.ended, self.known)

    def ruling(self, ask: Ask) -> Ruling:
        """On one thing asked. A run that ended badly explains what is missing; it does not excuse what is wrong."""
        ending = self.ending_evidence()
        if self.whole is not None and self.whole is not Verdict.CRASHED:
            # What was printed until then may be anything and very long; only what was expected is of use.
            said = JUDGES[ask](replace(self.answers(ask), ended=Ended(self.ended.how)))
            return Ruling(self.whole, 0.0, ending, expected=said.expected, actual=how_it_ended(self.ended))
        ruling = JUDGES[ask](self.answers(ask))
        if self.whole is not None:
            kept = ruling.evidence if ruling.verdict is Verdict.WRONG else ()
            actual = how_it_ended(self.ended)
            return replace(ruling, verdict=self.whole, share=0.0, evidence=(*ending, *kept), actual=actual)
        if self.ended.code and ruling.verdict is Verdict.NO_ANSWER:
            actual = how_it_ended(self.ended)
            return replace(ruling, verdict=Verdict.CRASHED, evidence=(*ending, *ruling.evidence), actual=actual)
        if self.ended.code and ruling.verdict is Verdict.WRONG:
            return replace(ruling, evidence=(*ruling.evidence, how_it_ended(self.ended)))
        return ruling

    def ending_evidence(self) -> tuple[str, ...]:
        lines = last_lines(self.ended.stderr)
        said = f"standard error ends with:\n{lines}" if lines else "nothing on standard error"
        sentence = how_it_ended(self.ended)
        if self.ended.how == "could not start":
            return (sentence, *self.ended.notes)
        return (sentence, said) if self.ended.how in ("exited", "killed by a signal") else (sentence,)

    def claimed_nodes(self) -> int | None:
        if isinstance(self.known, Auditor) or self.whole is not None:
            return None
        return judge_nodes(self.answers(Ask.NODES)).nodes


def how_it_ended(ended: Ended) -> str:
    """In words."""
    match ended.how:
        case "exited":
            return f"ended with exit code {ended.code}"
        case "killed by a signal":
            return f"was killed by {ended.signal}"
        case "timed out":
            return f"was still running after {ended.seconds:.1f} s, and was stopped"
        case "out of memory":
            used = f" ({ended.memory >> 20} MB)" if ended.memory else ""
            return f"used more memory than allowed{used}, and was stopped"
        case "too much output":
            return f"printed more than allowed ({len(ended.stdout) >> 10} KB were read), and was stopped"
        case "too much disk":
            return "wrote more files than allowed, and was stopped"
        case _:
            return "could not be started"


def last_lines(data: bytes) -> str:
    """The end of what was printed, for evidence."""
    text, _ = decode(data[-20_000:])
    lines: Sequence[str] = text.rstrip().splitlines()[-LAST_LINES:]
    # Where the run's folder was, is another place every time, and tells a student nothing.
    lines = [_FOLDER.sub("", line) for line in lines]
    return "\n".join(line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 3] + "..." for line in lines)


def not_run(case: Case, why: str = "") -> CaseResult:
    """A case that nobody looked at, or that could not be."""
    parts = tuple(Part(ask, Verdict.NOT_RUN, 0.0, 0.0, (why,) if why else ()) for ask in case.asked[:1])
    return CaseResult(case.name, Verdict.NOT_RUN, 0.0, case.points, parts, ended=why)
