"""`crosscount engines` and `crosscount formats`: what there is."""

from typing import Annotated

import typer

FORMATS = (
    (
        "grid",
        "sudoku text: a row a line, spaces or none, blanks 0 . _ * x, boxes drawn or not; several one after another",
    ),
    ("line", "sudoku text: one puzzle a line, n*n characters, letters past 9, optionally followed by :count"),
    ("toml", "*.puzzle.toml: any puzzle, of a family or spelled out, with what is expected of it"),
    ("cnf", "DIMACS: read as a puzzle over its variables; `crosscount cnf` writes one"),
)


def engines() -> None:
    """List the engines, their families and what each counts as a node."""
    from crosscount.compare.engines import engines
    from crosscount.compare.screen import Screen, table

    rows = table("engine", "family", "what it does", "a node is")
    for engine in engines().values():
        rows.add_row(engine.name, engine.family, engine.title, engine.node)
    Screen().print(rows)


def formats(
    puzzle: Annotated[
        str | None, typer.Argument(metavar="[PUZZLE]", help="A puzzle to write in another format.")
    ] = None,
    to: Annotated[str, typer.Option(help="grid, line or toml.")] = "toml",
) -> None:
    """List the file formats and the bundled puzzles, or write PUZZLE in one of the formats."""
    if puzzle is None:
        _list_formats()
        return
    from crosscount.puzzles.errors import InputError
    from crosscount.puzzles.read import read
    from crosscount.puzzles.text import to_grid, to_line
    from crosscount.puzzles.toml_write import to_toml

    entries = read(puzzle)
    if to == "toml":
        if len(entries) > 1:
            raise InputError(f"{puzzle}: holds {len(entries)} puzzles, expected 1: a TOML file has one")
        typer.echo(to_toml(entries[0].puzzle, entries[0].expect, entries[0].title), nl=False)
    elif to in ("grid", "line"):
        write = to_grid if to == "grid" else to_line
        texts = [write(entry.puzzle) for entry in entries]
        typer.echo("\n".join(text.rstrip("\n") + ("\n" if to == "grid" else "") for text in texts).rstrip("\n"))
    else:
        raise InputError(f"format {to!r} is not known, expected grid, line or toml")


def _list_formats() -> None:
    from crosscount.compare.screen import Screen, table
    from crosscount.puzzles import collection

    screen = Screen()
    rows = table("format", "what it is")
    for name, what in FORMATS:
        rows.add_row(name, what)
    screen.print(rows)
    screen.print()
    rows = table("bundled", "solutions", "what it is")
    # The longest count has 38 digits. On two lines it leaves room for the words beside it.
    rows.columns[1].max_width = 22
    for name in collection.names():
        entry = collection.entry(name)
        count = entry.expect.exactly if entry.expect is not None else None
        rows.add_row(f"@{name}", "unknown" if count is None else str(count), entry.title)
    screen.print(rows)
