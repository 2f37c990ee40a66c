"""`crosscount tree`: alpha-beta against minimax on one game tree."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class CutoffRule(StrEnum):
    """When a search stops looking at a node."""

    le = "le"
    lt = "lt"


class Mover(StrEnum):
    """Who moves at the root."""

    max = "max"
    min = "min"


def tree(
    source: Annotated[
        str,
        typer.Argument(
            metavar="TREE",
            help="A file (JSON, Newick, or a CS188 .test), - for standard input, the tree itself, or @name.",
        ),
    ],
    cutoff: Annotated[
        CutoffRule | None,
        typer.Option(help="le: cut where beta <= alpha; lt: only where beta < alpha. Default le, for CS188 files lt."),
    ] = None,
    root: Annotated[Mover | None, typer.Option(help="Who moves at the root, where the file does not say.")] = None,
    answer: Annotated[
        Path | None, typer.Option(help="A student's answer to check: value, visited, pruned, move.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the searched tree into this file.")] = None,
    dot: Annotated[Path | None, typer.Option(help="Write the tree for Graphviz into this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Every leaf that alpha-beta visits and prunes, held against exhaustive minimax."""
    from crosscount.compare.tree_run import compare_tree
    from crosscount.puzzles.tree_answer import load_answer
    from crosscount.puzzles.tree_files import load_tree
    from crosscount.puzzles.tree_write import to_dot

    found = load_tree(source, None if root is None else root is Mover.max)
    student = None if answer is None else load_answer(str(answer))
    rule = found.rule or "le" if cutoff is None else cutoff.value
    comparison = compare_tree(found.tree, rule, student, found.solution)
    if svg is not None:
        from crosscount.compare.tree_svg import to_svg
        from crosscount.compare.tree_view import view

        _write(svg, to_svg(view(comparison)))
    if dot is not None:
        _write(dot, to_dot(found.tree))
    if as_json:
        import json

        from crosscount.compare.tree_report import to_object

        typer.echo(json.dumps(to_object(comparison), allow_nan=False))
    else:
        from crosscount.compare.tree_report import aligned, summary, to_table
        from crosscount.compare.tree_text import to_lines
        from crosscount.compare.tree_view import view

        for line in to_lines(view(comparison)):
            typer.echo(line)
        typer.echo()
        for line in aligned(to_table(comparison), frozenset({1, 3, 4, 5, 6})):
            typer.echo(line)
        typer.echo()
        for line in summary(comparison):
            typer.echo(line)
    if comparison.verdict != "agree":
        raise typer.Exit(1)


def _write(path: Path, text: str) -> None:
    from crosscount.puzzles.errors import InputError

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as wrong:
        raise InputError(f"{path}: cannot be written: {wrong.strerror}") from None
