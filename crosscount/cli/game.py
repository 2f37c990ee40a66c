"""`crosscount game`: every search and both solvers on a position of a real game."""

from typing import Annotated

import typer

from crosscount.cli.tree import CutoffRule


def game(
    name: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="tic-tac-toe, nim, misere-nim, connect-K (any K), dots-and-boxes or domineering.",
        ),
    ],
    position: Annotated[
        str | None,
        typer.Option(
            help="Where to start: X.O/.X./... for tic-tac-toe, heaps 3,4,5 for Nim, the moves so far for the others."
        ),
    ] = None,
    board: Annotated[str | None, typer.Option(metavar="COLUMNSxROWS", help="The size of the board.")] = None,
    cutoff: Annotated[CutoffRule, typer.Option(help="le: cut where beta <= alpha; lt: only where beta < alpha.")] = (
        CutoffRule.le
    ),
    max_nodes: Annotated[int, typer.Option(min=1, help="Where each search stops.")] = 1_000_000,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """The value of a position and its best moves, by unlike engines."""
    from crosscount.compare.game_run import compare_game, game_lines, game_object
    from crosscount.compare.tree_report import aligned
    from crosscount.native.games import make_game
    from crosscount.puzzles.gametree import show_value

    played = make_game(name, *_size(board))
    state = played.start() if position is None else played.position(position)
    found = compare_game(played, state, cutoff.value, max_nodes)
    if as_json:
        import json

        typer.echo(json.dumps(game_object(found), allow_nan=False))
    else:
        typer.echo(played.show(state))
        mover = "first (max)" if played.maximises(state) else "second (min)"
        typer.echo("the game is over" if played.value(state) is not None else f"{mover} player to move")
        typer.echo()
        for line in aligned(game_lines(found), frozenset({1, 3, 4, 5})):
            typer.echo(line)
        typer.echo()
        value = "unknown" if found.value is None else show_value(found.value)
        audited = "; every search audited on the whole tree" if found.audited else ""
        states = "" if found.states is None else f"; {found.states} distinct states"
        typer.echo(f"value {value}{states}")
        typer.echo(f"{found.verdict}: {found.reason}{audited}")
        for finding in found.findings:
            typer.echo(f"  {finding.engine}: {finding.because}")
    code = {"agree": 0, "disagree": 1, "undecided": 3}[found.verdict]
    if code:
        raise typer.Exit(code)


def _size(board: str | None) -> tuple[int | None, int | None]:
    from crosscount.puzzles.errors import InputError

    if board is None:
        return None, None
    columns, x, rows = board.lower().partition("x")
    if not (x and columns.isdecimal() and rows.isdecimal() and int(columns) and int(rows)):
        raise InputError(f"board: found {board!r}, expected columns and rows such as 7x6")
    return int(columns), int(rows)
