"""Who is right: blame, not votes.

Every solution that any run reports is either invalid, and then its finder is wrong, or valid, and then every complete
run that lacks it is wrong. So a disagreement never needs a majority.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crosscount.compare import certified
from crosscount.compare.digest import Words
from crosscount.compare.found import Found
from crosscount.compare.runs import Comparison, Finding, Run, Verdict
from crosscount.puzzles.engine import Solutions
from crosscount.puzzles.puzzle import Puzzle


@dataclass(frozen=True, slots=True)
class Report:
    """A run and what it found; `found` is None for runs that list nothing."""

    run: Run
    found: Found | None

    @property
    def lists_all(self) -> bool:
        return self.run.status == "complete" and self.found is not None


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def own_findings(puzzle: Puzzle, reports: Sequence[Report]) -> list[Finding]:
    """What is wrong with a run whatever the others say."""
    findings = []
    for report in reports:
        run, found = report.run, report.found
        if run.status == "failed":
            findings.append(Finding("crashed", run.engine, f"{run.engine} failed: {run.reason}"))
        if found is not None and found.first_invalid is not None:
            witness = found.first_invalid
            wrong = "; ".join(str(violation) for violation in puzzle.violated(witness)[:3])
            others = f" (and {found.invalid - 1} more)" if found.invalid > 1 else ""
            because = f"{run.engine} reports a grid that is not a solution: {wrong}{others}"
            findings.append(Finding("invalid", run.engine, because, witness))
    return findings


def set_findings(puzzle: Puzzle, reports: Sequence[Report]) -> tuple[list[Finding], int]:
    """Solutions that came twice or are missing, among what is kept; and how many distinct ones are known.

    Every report must have its solutions kept.
    """
    ordered = [report.found.in_order() for report in reports if report.found is not None]
    names = [report.run.engine for report in reports if report.found is not None]
    complete = [report.lists_all for report in reports if report.found is not None]
    if not ordered:
        return [], 0
    distinct = [_distinct(prints) for _, prints in ordered]
    rows, _ = ordered[0]
    if all(keep.all() for keep in distinct) and all(np.array_equal(rows, others) for others, _ in ordered[1:]):
        return [], len(rows)  # the usual case, and the exact one: the same solutions, value for value
    findings = []
    for name, (rows, _), keep in zip(names, ordered, distinct, strict=True):
        if not keep.all():
            witness = _first(rows[~keep])
            times = int(np.count_nonzero(np.all(rows == np.array(witness), axis=1)))
            also = len(rows) - int(np.count_nonzero(keep))
            because = f"{name} reports a solution {times} times" + (f" ({also} repeats in all)" if also > 1 else "")
            findings.append(Finding("duplicate", name, because, witness))
    union, prints = _union(ordered)
    for name, (_, own), is_complete in zip(names, ordered, complete, strict=True):
        lacks = ~_among(prints, own)
        if is_complete and lacks.any():
            witness = _first(union[lacks])
            finders = [n for n, (_, p) in zip(names, ordered, strict=True) if _among(prints[lacks], p).any()]
            missing = int(np.count_nonzero(lacks))
            because = f"{name} claims to be complete and lacks {plural(missing, 'solution')} that {_and(finders)} found"
            findings.append(Finding("missing", name, because, witness))
    return findings, len(union)


def _distinct(prints: Words) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which of the ordered rows are not a repeat of the one before."""
    keep = np.ones(len(prints), np.bool_)
    keep[1:] = np.any(prints[1:] != prints[:-1], axis=1)
    return keep


def _union(ordered: Sequence[tuple[Solutions, Words]]) -> tuple[Solutions, Words]:
    rows = np.concatenate([rows for rows, _ in ordered])
    prints = np.concatenate([prints for _, prints in ordered])
    order = np.lexsort((prints[:, 1], prints[:, 0]))
    rows, prints = rows[order], prints[order]
    keep = _distinct(prints)
    return rows[keep], prints[keep]


def _among(prints: Words, own: Words) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which of the fingerprints are among `own`."""
    pair = np.dtype([("high", np.uint64), ("low", np.uint64)])
    return np.isin(np.ascontiguousarray(prints).view(pair).ravel(), np.ascontiguousarray(own).view(pair).ravel())


def _first(rows: Solutions) -> tuple[int, ...]:
    """The one that comes first in the order of its values, so that two runs name the same witness."""
    return tuple(min(rows.tolist()))


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def count_findings(reports: Sequence[Report], known: int, blamed: set[str]) -> list[Finding]:
    """Engines that only count, against what is known and against each other."""
    counters = [r.run for r in reports if r.found is None and r.run.status == "complete" and r.run.count is not None]
    listers = [r.run.engine for r in reports if r.lists_all and r.run.engine not in blamed]
    findings = []
    for run in counters:
        if run.count is not None and run.count < known:
            because = (
                f"{run.engine} counts {run.count}, but {plural(known, 'distinct solution')} were listed and checked"
            )
            findings.append(Finding("count", run.engine, because))
        elif run.count != known and listers:
            because = f"{run.engine} counts {run.count}, but {_and(listers)} found no more than {known}"
            findings.append(Finding("count", run.engine, because))
    if not listers and len({run.count for run in counters}) > 1:
        counts = _and([f"{run.engine} says {run.count}" for run in counters])
        known_wrong = {finding.engine for finding in findings}
        findings += [
            Finding("count", run.engine, f"the counts differ: {counts}")
            for run in counters
            if run.engine not in known_wrong
        ]
    return findings


def conclude(puzzle: Puzzle, reports: Sequence[Report], findings: Sequence[Finding], known: int) -> Comparison:
    """The verdict, given everything that is wrong."""
    blamed = {finding.engine for finding in findings}
    runs = tuple(report.run for report in reports)
    trusted = [report for report in reports if report.run.status == "complete" and report.run.engine not in blamed]
    lister = next((report for report in trusted if report.lists_all), None)
    count = lister.run.count if lister else trusted[0].run.count if trusted else None
    families = {report.run.family for report in trusted}
    if findings:
        verdict, because = Verdict.DISAGREE, findings[0].because
    elif lister is None and certified.FAMILY not in families:
        verdict, because = Verdict.UNDECIDED, _why_undecided(runs, trusted)
    elif len(families) < 2:
        (family,) = families
        only = f"only {_and([report.run.engine for report in trusted])} of the family {family} finished"
        verdict, because = Verdict.UNDECIDED, f"{only}; two families are needed"
    else:
        engines = "engines" if len(trusted) > 1 else "engine"
        verdict = Verdict.AGREE
        because = f"{len(trusted)} {engines} of {len(families)} families agree"
    counted = [run.count for run in runs if run.count is not None and run.digest is None and run.status == "stopped"]
    return Comparison(
        puzzle, runs, tuple(findings), verdict, because, count, count is not None, max([known, *counted], default=known)
    )


def _why_undecided(runs: Sequence[Run], trusted: Sequence[Report]) -> str:
    if trusted:
        only = f"only {_and([report.run.engine for report in trusted])} finished, and listed nothing to check"
        return f"{only}; --engines count,certificate may decide it"
    if not runs:
        return "no engine was run"
    why = [f"{run.engine} {run.status} ({run.reason})" for run in runs]
    return "no engine finished: " + ", ".join(why)
