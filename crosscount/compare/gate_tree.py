"""The claimed value of a game tree, under a limit of time."""

import time
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from crosscount.compare.gate_read import TreeSubject
from crosscount.compare.gate_result import EngineFact, Facts, Outcome, Result
from crosscount.compare.runs import Finding
from crosscount.compare.worker import FORK
from crosscount.puzzles.engine import Limits
from crosscount.puzzles.gametree import show_value
from crosscount.puzzles.tree_toml import TreeEntry


@dataclass(frozen=True, slots=True)
class _Failure:
    """An exception from the process, in words; the exception itself may not travel."""

    words: str


def tree_facts(entry: TreeEntry, limits: Limits) -> Facts:
    """What all engines say about the tree, found in a process of its own that is ended when its time is up.

    Without a value where there is none that two families agree on; `because` says why.
    """
    here, there = FORK.Pipe(duplex=False)
    process = FORK.Process(target=_report, args=(entry, there), daemon=True)
    process.start()
    there.close()
    try:
        if not wait([here], limits.seconds):
            return Facts(because=f"not finished within the time limit of {limits.seconds:g} s")
        said = here.recv()
    except EOFError:
        said = _Failure("its process ended without a word")
    finally:
        process.kill()
        process.join()
        here.close()
    if isinstance(said, _Failure):
        raise RuntimeError(said.words)
    assert isinstance(said, Facts)
    return said


def _report(entry: TreeEntry, connection: "Connection[Any, Any]") -> None:
    try:
        connection.send(_compare(entry))
    except Exception as error:  # whatever it is, the parent must hear of it
        connection.send(_Failure(f"{type(error).__name__}: {error}"))


def _compare(entry: TreeEntry) -> Facts:
    from crosscount.compare.tree_run import compare_tree

    comparison = compare_tree(entry.tree, entry.rule)
    engines = tuple(
        EngineFact(run.name, run.family, "complete" if run.skipped is None else "skipped", run.skipped or "")
        for run in comparison.runs
    )
    findings = tuple(Finding("invalid", finding.engine, finding.because) for finding in comparison.findings)
    families = {engine.family for engine in engines if engine.status == "complete"}
    if findings or len(families) < 2:
        skipped = ", ".join(f"{engine.name} skipped ({engine.reason})" for engine in engines if engine.reason)
        return Facts(because=f"two families are needed: {skipped}", engines=engines, findings=findings)
    finished = sum(engine.status == "complete" for engine in engines)
    because = f"{finished} engines of {len(families)} families agree"
    return Facts(because=because, engines=engines, value=comparison.value)


def tree_result(subject: TreeSubject, facts: Facts, begun: float, cached: bool = False) -> Result:
    """What the facts make of the claimed value."""
    claimed = subject.entry.value
    assert claimed is not None
    outcome, because = Outcome.PASSED, facts.because
    if facts.findings:
        outcome, because = Outcome.FAILED, f"the engines disagree: {facts.findings[0].because}"
    elif facts.value is None:
        outcome = Outcome.UNDECIDED
    elif facts.value != claimed:
        outcome = Outcome.FAILED
        because = f"expected the value {show_value(claimed)}, found {show_value(facts.value)}"
    return Result(
        subject.file,
        subject.line,
        subject.name,
        f"value = {show_value(claimed)}",
        outcome,
        because,
        "unknown" if facts.value is None else f"value {show_value(facts.value)}",
        facts=facts,
        seconds=time.perf_counter() - begun,
        cached=cached,
    )
