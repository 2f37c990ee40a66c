"""Two games for pencil and squared paper: Dots and Boxes, and Domineering. The first player maximises."""

from collections.abc import Sequence

from crosscount.puzzles.errors import InputError
from crosscount.puzzles.gametree import Value

BoxState = tuple[int, bool, int]
"""Lines drawn, whether the first player moves, boxes of the first player minus those of the second."""


class DotsAndBoxes:
    """Who closes a box owns it and moves again. Worth the first player's boxes minus the second player's.

    Lines are numbered from 0: first all horizontal ones in reading order, then all vertical ones.
    """

    name = "dots-and-boxes"

    def __init__(self, columns: int = 2, rows: int = 2) -> None:
        self.columns, self.rows = columns, rows
        flat = columns * (rows + 1)
        self.lines = flat + (columns + 1) * rows
        self.boxes_at: list[list[int]] = [[] for _ in range(self.lines)]
        """For each line the boxes beside it, each as the mask of its four lines."""
        for row in range(rows):
            for column in range(columns):
                above = row * columns + column
                left = flat + row * (columns + 1) + column
                sides = (above, above + columns, left, left + 1)
                mask = sum(1 << side for side in sides)
                for side in sides:
                    self.boxes_at[side].append(mask)

    def start(self) -> BoxState:
        return 0, True, 0

    def moves(self, state: BoxState, /) -> Sequence[int]:
        return [line for line in range(self.lines) if not state[0] >> line & 1]

    def play(self, state: BoxState, move: int, /) -> BoxState:
        drawn, first, ahead = state
        drawn |= 1 << move
        closed = sum(drawn & box == box for box in self.boxes_at[move])
        if closed:
            return drawn, first, ahead + closed if first else ahead - closed
        return drawn, not first, ahead

    def value(self, state: BoxState, /) -> Value | None:
        return state[2] if state[0] == (1 << self.lines) - 1 else None

    def maximises(self, state: BoxState, /) -> bool:
        return state[1]

    def key(self, state: BoxState, /) -> BoxState:
        return state

    def move_name(self, state: BoxState, move: int, /) -> str:
        return str(move)

    def position(self, text: str, /) -> BoxState:
        """The lines drawn so far, by number and in order."""
        state = self.start()
        for count, word in enumerate(text.replace(",", " ").split(), 1):
            if not word.isdecimal() or int(word) >= self.lines or state[0] >> int(word) & 1:
                free = f"a line from 0 to {self.lines - 1} that is not drawn yet"
                raise InputError(f"position: found {word!r} as move {count}, expected {free}")
            state = self.play(state, int(word))
        return state

    def show(self, state: BoxState, /) -> str:
        drawn, _, ahead = state
        flat = self.columns * (self.rows + 1)
        out = []
        for row in range(self.rows + 1):
            sides = [drawn >> row * self.columns + column & 1 for column in range(self.columns)]
            out.append("+" + "".join(("--" if side else "  ") + "+" for side in sides))
            if row < self.rows:
                posts = [drawn >> flat + row * (self.columns + 1) + column & 1 for column in range(self.columns + 1)]
                out.append("  ".join("|" if post else " " for post in posts).rstrip())
        return "\n".join([*out, f"first player ahead by {ahead}"])


DominoState = tuple[int, bool]
"""Covered cells, and whether the first player moves."""


class Domineering:
    """The first player places dominoes upright, the second flat; who cannot move loses. Worth 1 or -1."""

    name = "domineering"

    def __init__(self, columns: int = 4, rows: int = 4) -> None:
        self.columns, self.rows = columns, rows
        cells = [(row, column) for row in range(rows) for column in range(columns)]
        bit = {cell: 1 << k for k, cell in enumerate(cells)}
        upright = [bit[r, c] | bit[r + 1, c] for r, c in cells if r + 1 < rows]
        flat = [bit[r, c] | bit[r, c + 1] for r, c in cells if c + 1 < columns]
        self.dominoes = (flat, upright)

    def start(self) -> DominoState:
        return 0, True

    def moves(self, state: DominoState, /) -> Sequence[int]:
        covered, first = state
        return [domino for domino in self.dominoes[first] if not covered & domino]

    def play(self, state: DominoState, move: int, /) -> DominoState:
        return state[0] | move, not state[1]

    def value(self, state: DominoState, /) -> Value | None:
        covered, first = state
        if any(not covered & domino for domino in self.dominoes[first]):
            return None
        return -1 if first else 1

    def maximises(self, state: DominoState, /) -> bool:
        return state[1]

    def key(self, state: DominoState, /) -> DominoState:
        return state

    def move_name(self, state: DominoState, move: int, /) -> str:
        row, column = divmod((move & -move).bit_length() - 1, self.columns)
        return f"r{row + 1}c{column + 1}"

    def position(self, text: str, /) -> DominoState:
        """The dominoes placed so far, upright and flat in turn, each by its upper or left cell: r1c1 r3c2."""
        state = self.start()
        for count, word in enumerate(text.replace(",", " ").split(), 1):
            known = {self.move_name(state, move): move for move in self.moves(state)}
            if word not in known:
                free = f"one of {' '.join(known)}" if known else "none: the game is over"
                raise InputError(f"position: found {word!r} as move {count}, expected {free}")
            state = self.play(state, known[word])
        return state

    def show(self, state: DominoState, /) -> str:
        rows = (range(row * self.columns, (row + 1) * self.columns) for row in range(self.rows))
        return "\n".join(" ".join("#" if state[0] >> cell & 1 else "." for cell in row) for row in rows)
