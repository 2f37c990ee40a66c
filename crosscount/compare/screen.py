"""A console that prints names and numbers as they are."""

from rich.console import Console
from rich.table import Table


class Screen(Console):
    """Nothing in a text means anything to it: a puzzle may be called `[bold]` or `:smile:`."""

    def __init__(self, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, markup=False, emoji=False)

    def on_broken_pipe(self) -> None:
        """Nobody reads on. Rich would end the program with code 1, which to us means that something is wrong."""
        raise  # rich calls this where it caught the error


def table(*names: str, title: str | None = None, right: tuple[str, ...] = ()) -> Table:
    """An empty table whose cells are wrapped where the screen is narrow, never cut: half a number is a wrong number."""
    made = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name in names:
        made.add_column(name, justify="right" if name in right else "left", overflow="fold")
    return made
