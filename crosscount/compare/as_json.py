"""The objects that `--json` prints and the service returns."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from crosscount.compare.runs import Comparison, Finding, Run
from crosscount.puzzles.puzzle import Puzzle, Solution

if TYPE_CHECKING:
    from crosscount.native.count_cells import CellCounts

EXACT = 1 << 53
"""Past it, readers whose numbers are floating point would lose digits: a decimal string instead."""

Object = dict[str, Any]


def number(count: int | None) -> int | str | None:
    return count if count is None or count <= EXACT else str(count)


def rows(puzzle: Puzzle, solution: Solution) -> list[Any]:
    """A solution as a list of rows, flat where the puzzle has no grid."""
    drawing = puzzle.drawing
    values = [int(x) for x in solution]
    if drawing is None or not drawing.is_grid:
        return values
    return [values[i : i + drawing.columns] for i in range(0, len(values), drawing.columns)]


def run(result: Run) -> Object:
    return {
        "name": result.engine,
        "family": result.family,
        "status": result.status,
        "reason": result.reason,
        "count": number(result.count),
        "digest": result.digest,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 6),
        "search_seconds": round(result.search_seconds, 6),
    }


def finding(puzzle: Puzzle, found: Finding) -> Object:
    witness = None if found.witness is None else rows(puzzle, found.witness)
    return {"kind": found.kind, "engine": found.engine, "witness": witness, "because": found.because}


def comparison(result: Comparison) -> Object:
    return {
        "puzzle": result.puzzle.name,
        "verdict": str(result.verdict),
        "because": result.because,
        "count": number(result.count),
        "exact": result.exact,
        "at_least": number(result.at_least),
        "engines": [run(r) for r in result.runs],
        "findings": [finding(result.puzzle, f) for f in result.findings],
    }


def single(puzzle: Puzzle, result: Run) -> Object:
    """What one engine did: the same object, which never agrees because there is nobody to agree with."""
    exact = result.status == "complete"
    findings = []
    verdict, because = "undecided", "one engine alone proves nothing"
    if result.status == "failed":
        verdict, because = "disagree", f"{result.engine} failed: {result.reason}"
        findings = [finding(puzzle, Finding("crashed", result.engine, because))]
    return {
        "puzzle": puzzle.name,
        "verdict": verdict,
        "because": because,
        "count": number(result.count) if exact else None,
        "exact": exact,
        "at_least": number(result.count or 0),
        "engines": [run(result)],
        "findings": findings,
    }


def cell_counts(puzzle: Puzzle, counts: "CellCounts") -> Object:
    """For each cell how many solutions give it which value; the cells that never change; the best next clue."""
    names = puzzle.names
    clue = counts.next_clue
    left, total = (0, 1) if clue is None else counts.left_by(clue)
    return {
        "cells": [
            {"cell": name, "values": {str(value): number(times) for value, times in of.items()}}
            for name, of in zip(names, counts.cells, strict=True)
        ],
        "backbone": {names[v]: value for v, value in counts.backbone.items()},
        "next_clue": None if clue is None else {"cell": names[clue], "leaves": left / total},
    }


def verified(file: str, puzzle: str, count: int | None, proof: str, reason: str, seconds: float) -> Object:
    """What the checker says of a certificate."""
    return {
        "certificate": file,
        "accepted": not reason,
        "reason": reason,
        "puzzle": puzzle or None,
        "count": None if reason else number(count),
        "proof": proof or None,
        "seconds": seconds,
    }


def check(puzzle: Puzzle, broken: Iterable[str]) -> Object:
    sentences = list(broken)
    return {"puzzle": puzzle.name, "valid": not sentences, "broken": sentences}
