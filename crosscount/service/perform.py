"""One job from its request to its answer. Runs in a process that may be killed at any moment."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from crosscount.compare import as_json
from crosscount.compare.comparison import Comparing, Progress
from crosscount.compare.runs import Comparison
from crosscount.compare.worker import Job as EngineJob
from crosscount.puzzles.engine import Engine, Limits, Solutions
from crosscount.puzzles.puzzle import Puzzle
from crosscount.service.cells import CellCounts, cells_file, counted, listed
from crosscount.service.certificate import certificate
from crosscount.service.models import Operation
from crosscount.service.reading import chosen_engines, find_engine, read_puzzle, read_tree
from crosscount.service.settings import MB, Settings
from crosscount.service.store import Artifact, Ending

KEEP = 32 * MB
"""Bytes of solutions for each engine: some 350,000 of a sudoku."""
CHUNK = 1_000
"""Solutions in one row of the store."""
IN_RESULT = 1_000
"""Solutions in the result of `solve`; all that are kept can be paged through."""
TELL_EVERY = 0.25
log = logging.getLogger(__name__)

Request = Mapping[str, Any]
Tell = Callable[[dict[str, Any]], None]


def perform(operation: Operation, request: Request, settings: Settings, tell: Tell) -> Ending:
    """Answer the question; `tell` is called now and then with how far it is."""
    match operation:
        case "compare":
            return _compare(request, settings, tell)
        case "count" | "solve":
            return _one_engine(operation, request, settings, tell)
        case "check":
            return _check(request)
        case "tree":
            return _tree(request)


def _compare(request: Request, settings: Settings, tell: Tell) -> Ending:
    puzzle = read_puzzle(request["puzzle"], request["number"]).puzzle
    engines = chosen_engines(puzzle, request, settings.engine_module)
    limits = Limits(request["time_limit"], request["max_solutions"], memory=request["max_memory"] * MB)
    kept, comparison = _run(puzzle, engines, limits, settings, tell)
    return _ending(comparison, as_json.comparison(comparison), kept, cell_counts(request, comparison, kept, limits))


def _one_engine(operation: Operation, request: Request, settings: Settings, tell: Tell) -> Ending:
    puzzle = read_puzzle(request["puzzle"], request["number"]).puzzle
    engine = find_engine(request["engine"], settings.engine_module)
    wanted, nodes = None, None
    if operation == "solve":
        wanted = request["limit"] if request["limit"] is not None else None if request["all"] else 1
        nodes = request["max_nodes"]
    limits = Limits(request["time_limit"], wanted, nodes, settings.memory_mb * MB)
    kept, comparison = _run(puzzle, [engine], limits, settings, tell)
    alone = as_json.single(puzzle, comparison.runs[0])
    result = as_json.comparison(comparison) if comparison.findings else alone
    if operation == "solve":
        rows = kept.best(comparison)[0][:IN_RESULT]
        result["solutions"] = [as_json.rows(puzzle, solution) for solution in rows.tolist()]
        return _ending(comparison, result, kept, cell_counts(request, comparison, kept, limits))
    cells = cell_counts(request, comparison, kept, limits)
    if request["cells"] and cells is not None:
        result |= as_json.cell_counts(puzzle, cells[1])
    proof = certificate(request, comparison, limits, settings)
    if proof is not None:
        result["certificate"] = proof.said
    return _ending(comparison, result, kept, cells, None if proof is None else proof.file)


def _check(request: Request) -> Ending:
    from crosscount.puzzles.answer import read_answer

    puzzle = read_puzzle(request["puzzle"], request["number"]).puzzle
    answers = read_answer(request["answer"], puzzle)
    results = [as_json.check(puzzle, map(str, puzzle.violated(answer))) for answer in answers]
    if len(results) == 1:
        result = results[0]
    else:
        broken = [f"answer {k}: {sentence}" for k, one in enumerate(results, 1) for sentence in one["broken"]]
        result = {**as_json.check(puzzle, broken), "answers": results}
    return Ending("done", result=result, summary={"valid": result["valid"]})


def _tree(request: Request) -> Ending:
    from crosscount.compare.tree_report import to_object
    from crosscount.compare.tree_run import compare_tree
    from crosscount.compare.tree_svg import to_svg
    from crosscount.compare.tree_view import view
    from crosscount.puzzles.tree_answer import parse_answer

    found = read_tree(request["tree"], request["root"])
    answer = None if request["answer"] is None else parse_answer(request["answer"], "answer")
    comparison = compare_tree(found.tree, request["cutoff"] or found.rule or "le", answer, found.solution)
    result = to_object(comparison)
    svg = Artifact("image/svg+xml", to_svg(view(comparison)).encode())
    summary = {"verdict": result["verdict"], "value": result["value"]}
    return Ending("done", result=result, summary=summary, artifacts={"svg": svg})


def _run(
    puzzle: Puzzle, engines: Sequence[Engine], limits: Limits, settings: Settings, tell: Tell
) -> tuple["Kept", Comparison]:
    kept = Kept(settings.solutions_kept)
    begun = time.perf_counter()
    told = begun

    def watch(progress: Progress) -> None:
        nonlocal told
        now = time.perf_counter()
        kept.look(progress.jobs)
        if now - told > TELL_EVERY:
            told = now
            tell(_progress(puzzle, progress.jobs, now - begun))

    with Comparing(engines, settings.engines_at_once, KEEP) as comparing:
        comparison = comparing.compare(puzzle, engines, limits, watch)
    runs = [_engine(run.engine, run.family, run.status, run) for run in comparison.runs]
    kept.progress = {"puzzle": puzzle.name, "seconds": round(time.perf_counter() - begun, 3), "engines": runs}
    return kept, comparison


def _progress(puzzle: Puzzle, jobs: Sequence[EngineJob], seconds: float) -> dict[str, Any]:
    now = time.perf_counter()
    engines = []
    for job in jobs:
        if job.run is not None:
            engines.append(_engine(job.engine.name, job.engine.family, job.run.status, job.run))
        else:
            spent = now - job.begun if job.begun else 0.0
            status = "running" if job.begun else "waiting"
            engines.append(_engine(job.engine.name, job.engine.family, status, job, spent))
    return {"puzzle": puzzle.name, "seconds": round(seconds, 3), "engines": engines}


def _engine(name: str, family: str, status: str, of: Any, seconds: float | None = None) -> dict[str, Any]:
    """`of` is a run, or an engine's job under way."""
    return {
        "name": name,
        "family": family,
        "status": status,
        "reason": getattr(of, "reason", ""),
        "count": as_json.number(of.count),
        "nodes": of.nodes,
        "seconds": round(of.seconds if seconds is None else seconds, 3),
    }


@dataclass(slots=True)
class Kept:
    """Solutions to show, also where there are too many for anybody to keep: the first ones of each engine."""

    most: int
    samples: dict[str, Solutions] = field(default_factory=dict)
    progress: dict[str, Any] | None = None
    """How far every engine came."""

    def look(self, jobs: Sequence[EngineJob]) -> None:
        """Copy now and then, each time twice as many: what an engine has found is dropped once it is too much."""
        for job in jobs:
            found, sample = job.found, self.samples.get(job.engine.name)
            have = 0 if sample is None else len(sample)
            if found is not None and found.is_kept and have < self.most and found.count >= max(1, 2 * have):
                self.samples[job.engine.name] = found.kept[: self.most].copy()

    def best(self, comparison: Comparison) -> tuple[Solutions, bool]:
        """The solutions in ascending order, and whether they are all there are.

        All valid ones of an engine that nobody blames, if there is such a one; otherwise the most that any has found.
        """
        blamed = {finding.engine for finding in comparison.findings}
        for run in comparison.runs:
            if run.solutions is not None and run.status == "complete" and run.engine not in blamed:
                return in_order(run.solutions), True
        sets = [run.solutions for run in comparison.runs if run.solutions is not None]
        sets += self.samples.values()
        cells = len(comparison.puzzle.domains)
        return in_order(max(sets, key=len, default=np.empty((0, cells), np.int8))), False


def cell_counts(request: Request, comparison: Comparison, kept: Kept, limits: Limits) -> tuple[str, CellCounts] | None:
    """For each cell, how often each value occurs: from the list where there is one, otherwise counted if asked for."""
    solutions, complete = kept.best(comparison)
    if complete:
        return "listing", listed(solutions)
    # Where nobody could count them all, nobody will count them cell by cell either.
    if not request.get("cells") or not comparison.exact:
        return None
    found = counted(comparison.puzzle, limits)
    if found is not None and found.total != comparison.count:
        # The verdict stands without it; nobody is shown what does not add up.
        log.error("counted cell by cell %s has %s solutions", comparison.puzzle.name, found.total)
        return None
    return None if found is None else ("counting", found)


def in_order(solutions: Solutions) -> Solutions:
    """Rows in ascending order, compared value by value."""
    if solutions.size == 0:
        return solutions
    # As unsigned numbers with the highest byte first, rows compare like strings; no byte string ends in what it lacks.
    width = solutions.dtype.itemsize
    offset = solutions.astype(np.int64) - int(solutions.min())
    rows = np.ascontiguousarray(offset.astype(f">u{width}"))
    return solutions[np.argsort(rows.view(f"S{width * solutions.shape[1]}").ravel(), kind="stable")]


def _ending(
    comparison: Comparison,
    result: dict[str, Any],
    kept: Kept,
    cells: tuple[str, CellCounts] | None,
    proof: Artifact | None = None,
) -> Ending:
    solutions, complete = kept.best(comparison)
    shown = solutions[: kept.most]
    chunks = [
        (len(part), np.ascontiguousarray(part).tobytes())
        for part in (shown[k : k + CHUNK] for k in range(0, len(shown), CHUNK))
    ]
    artifacts = {} if cells is None else {"cells": cells_file(*cells)}
    if proof is not None:
        artifacts["certificate"] = proof
    keys = ("verdict", "because", "count", "exact", "at_least")
    return Ending(
        "done",
        result=result,
        summary={key: result[key] for key in keys},
        chunks=chunks,
        dtype=str(solutions.dtype),
        kept_all=complete and len(shown) == len(solutions),
        artifacts=artifacts,
        progress=kept.progress,
    )
