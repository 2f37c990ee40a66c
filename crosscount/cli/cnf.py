"""`crosscount cnf`: a puzzle as DIMACS, for any SAT solver or model counter."""

import typer

from crosscount.cli.style import PuzzleArgument


def cnf(puzzle: PuzzleArgument) -> None:
    """Write the puzzle as DIMACS CNF: the map from literals to cells in comments, and the projection line."""
    from crosscount.encodings.dimacs import to_dimacs
    from crosscount.puzzles.read import read_one

    typer.echo(to_dimacs(read_one(puzzle).puzzle), nl=False)
