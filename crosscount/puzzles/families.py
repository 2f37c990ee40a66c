"""The families: puzzles that a few words describe. Each is a value with `puzzle(name)`."""

from crosscount.puzzles.latin import Latin
from crosscount.puzzles.queens import Queens
from crosscount.puzzles.sudoku import Sudoku

Family = Sudoku | Latin | Queens

FAMILIES: dict[str, type[Sudoku] | type[Latin] | type[Queens]] = {"sudoku": Sudoku, "latin": Latin, "queens": Queens}

__all__ = ["FAMILIES", "Family", "Latin", "Queens", "Sudoku"]
