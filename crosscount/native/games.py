"""Games small enough to be solved: tic-tac-toe, Nim either way, Connect-k. The first player maximises.

States are small tuples of integers; a board is a bitmask for each player.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from crosscount.native.game import Game
from crosscount.native.game_pencil import Domineering, DotsAndBoxes
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.gametree import Value

Masks = tuple[int, int]
"""The cells of the first player and those of the second."""


class NamedGame(Game[Any, Any], Protocol):
    """A game that people can talk to."""

    def move_name(self, state: Any, move: Any, /) -> str:
        """What a move is called, in positions too."""

    def position(self, text: str, /) -> Any:
        """The state that a text describes; InputError where it describes none."""

    def show(self, state: Any, /) -> str:
        """The state in a few lines."""


TTT_LINES = tuple(
    sum(1 << cell for cell in line)
    for line in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
)
TTT_WON = bytes(any(mask & line == line for line in TTT_LINES) for mask in range(512))
TTT_CELLS = tuple(tuple(1 << cell for cell in range(9) if not mask >> cell & 1) for mask in range(512))


class TicTacToe:
    """Worth 1 where X wins, -1 where O wins, 0 for a draw; cells in reading order."""

    name = "tic-tac-toe"

    def start(self) -> Masks:
        return 0, 0

    def moves(self, state: Masks, /) -> Sequence[int]:
        return TTT_CELLS[state[0] | state[1]]

    def play(self, state: Masks, move: int, /) -> Masks:
        x, o = state
        return (x | move, o) if x.bit_count() == o.bit_count() else (x, o | move)

    def value(self, state: Masks, /) -> Value | None:
        x, o = state
        if TTT_WON[x]:
            return 1
        if TTT_WON[o]:
            return -1
        return 0 if x | o == 511 else None

    def maximises(self, state: Masks, /) -> bool:
        return state[0].bit_count() == state[1].bit_count()

    def key(self, state: Masks, /) -> Masks:
        return state

    def move_name(self, state: Masks, move: int, /) -> str:
        row, column = divmod(move.bit_length() - 1, 3)
        return f"r{row + 1}c{column + 1}"

    def position(self, text: str, /) -> Masks:
        """Nine cells in reading order: X, O or a dot; blanks and slashes between them do not count."""
        cells = [cell for cell in text.upper() if cell not in " /|\n\t"]
        if len(cells) != 9 or set(cells) - set("XO._-"):
            raise InputError(f"position: found {text!r}, expected nine of X, O and . such as X.O/.X./...")
        x, o = (sum(1 << k for k, cell in enumerate(cells) if cell == player) for player in "XO")
        if x.bit_count() - o.bit_count() not in (0, 1):
            found = f"{x.bit_count()} X and {o.bit_count()} O"
            raise InputError(f"position: found {found}, expected as many of each or one X more: X begins")
        x_was_last = x.bit_count() > o.bit_count()
        if (TTT_WON[x] and not x_was_last) or (TTT_WON[o] and x_was_last):
            raise InputError("position: found a move after the game was won, expected none")
        return x, o

    def show(self, state: Masks, /) -> str:
        x, o = state
        cells = ["X" if x >> k & 1 else "O" if o >> k & 1 else "." for k in range(9)]
        return "\n".join(" ".join(cells[row : row + 3]) for row in (0, 3, 6))


NimState = tuple[tuple[int, ...], bool]
"""The heaps, and whether the first player moves."""


class Nim:
    """Take any number from one heap. Who takes the last wins, in misère Nim loses. Worth 1 or -1."""

    def __init__(self, heaps: Sequence[int] = (3, 4, 5), misere: bool = False) -> None:
        self.heaps = tuple(heaps)
        self.misere = misere
        self.name = "misere-nim" if misere else "nim"

    def start(self) -> NimState:
        return self.heaps, True

    def moves(self, state: NimState, /) -> Sequence[tuple[int, int]]:
        """(heap, what is left of it), the largest bites first."""
        return [(k, left) for k, heap in enumerate(state[0]) for left in range(heap)]

    def play(self, state: NimState, move: tuple[int, int], /) -> NimState:
        heaps, first = state
        k, left = move
        return (*heaps[:k], left, *heaps[k + 1 :]), not first

    def value(self, state: NimState, /) -> Value | None:
        heaps, first = state
        if any(heaps):
            return None
        return 1 if first == self.misere else -1

    def maximises(self, state: NimState, /) -> bool:
        return state[1]

    def key(self, state: NimState, /) -> NimState:
        return tuple(sorted(state[0])), state[1]

    def move_name(self, state: NimState, move: tuple[int, int], /) -> str:
        return f"heap {move[0] + 1} to {move[1]}"

    def position(self, text: str, /) -> NimState:
        """The heaps, such as 3,4,5; the first player is to move."""
        words = text.replace(",", " ").split()
        if not words or not all(word.isdecimal() for word in words):
            raise InputError(f"position: found {text!r}, expected heap sizes such as 3,4,5")
        return tuple(map(int, words)), True

    def show(self, state: NimState, /) -> str:
        return "heaps " + " ".join(map(str, state[0]))


class ConnectK:
    """Drop a stone into a column; k in a row win, in any direction. Worth 1, -1 or 0, for the first player.

    A column takes `rows` + 1 bits, the lowest for the lowest cell; the one on top stays empty, so that no line runs
    from one column into the next.
    """

    def __init__(self, columns: int = 7, rows: int = 6, k: int = 4) -> None:
        self.columns, self.rows, self.k = columns, rows, k
        self.name = f"connect-{k}"
        height = rows + 1
        self.bottoms = tuple(1 << column * height for column in range(columns))
        self.column_masks = tuple(((1 << rows) - 1) << column * height for column in range(columns))
        self.full = sum(self.column_masks)
        self.steps = (1, height - 1, height, height + 1)
        # Stones near the middle are in more lines, and good moves first are what alpha-beta lives on.
        self.order = tuple(sorted(range(columns), key=lambda column: (abs(2 * column - columns + 1), column)))

    def start(self) -> Masks:
        return 0, 0

    def moves(self, state: Masks, /) -> Sequence[int]:
        taken = state[0] | state[1]
        return [column for column in self.order if taken & self.column_masks[column] != self.column_masks[column]]

    def play(self, state: Masks, move: int, /) -> Masks:
        first, second = state
        taken = first | second
        # Adding the lowest bit carries over the stones to the first free cell.
        stone = (taken + self.bottoms[move]) & self.column_masks[move] & ~taken
        return (first | stone, second) if self.maximises(state) else (first, second | stone)

    def value(self, state: Masks, /) -> Value | None:
        first, second = state
        # Only the one who has just moved can have a new line.
        if not self.maximises(state):
            if self._line(first):
                return 1
        elif self._line(second):
            return -1
        return 0 if first | second == self.full else None

    def maximises(self, state: Masks, /) -> bool:
        return state[0].bit_count() == state[1].bit_count()

    def key(self, state: Masks, /) -> Masks:
        return state

    def move_name(self, state: Masks, move: int, /) -> str:
        return str(move + 1)

    def position(self, text: str, /) -> Masks:
        """The columns played so far from 1, such as 4 4 3 or 443 (with blanks or commas from ten columns on)."""
        after: Masks = play_names(self, text, lambda word: list(word) if self.columns < 10 else [word])
        return after

    def show(self, state: Masks, /) -> str:
        first, second = state
        rows = []
        for row in reversed(range(self.rows)):
            bits = [bottom << row for bottom in self.bottoms]
            rows.append(" ".join("X" if first & bit else "O" if second & bit else "." for bit in bits))
        return "\n".join(rows)

    def _line(self, stones: int) -> bool:
        for step in self.steps:
            runs = stones
            for _ in range(self.k - 1):
                runs &= runs >> step
            if runs:
                return True
        return False


def play_names(game: NamedGame, text: str, split: Callable[[str], list[str]] = lambda word: [word]) -> Any:
    """The state after the moves named in a text, from the start of the game."""
    state = game.start()
    words = [name for word in text.replace(",", " ").split() for name in split(word)]
    for count, word in enumerate(words, 1):
        if game.value(state) is not None:
            raise InputError(f"position: found move {count} ({word}), expected none: the game is over")
        known = {game.move_name(state, move): move for move in game.moves(state)}
        if word not in known:
            raise InputError(f"position: found {word!r} as move {count}, expected one of {' '.join(sorted(known))}")
        state = game.play(state, known[word])
    return state


GAMES = ("tic-tac-toe", "nim", "misere-nim", "connect-K", "dots-and-boxes", "domineering")
MOST_CELLS = 400


def make_game(name: str, columns: int | None = None, rows: int | None = None) -> NamedGame:
    """The game of that name on a board of that size, or on its usual one."""
    boards: dict[str, tuple[Callable[[int, int], NamedGame], int, int]] = {
        "dots-and-boxes": (DotsAndBoxes, 2, 2),
        "domineering": (Domineering, 4, 4),
    }
    head, _, tail = name.rpartition("-")
    if head == "connect" and tail.isdecimal() and 2 <= int(tail) <= 20:
        k = int(tail)
        boards[name] = (lambda columns, rows: ConnectK(columns, rows, k), 7, 6)
    if name in boards:
        build, usual_columns, usual_rows = boards[name]
        columns, rows = columns or usual_columns, rows or usual_rows
        if columns * rows > MOST_CELLS:
            raise InputError(f"board: found {columns}x{rows}, expected at most {MOST_CELLS} cells")
        return build(columns, rows)
    if columns is not None:
        raise InputError(f"board: {name} has no board to choose, expected no --board")
    if name == "tic-tac-toe":
        return TicTacToe()
    if name in ("nim", "misere-nim"):
        return Nim(misere=name != "nim")
    raise InputError(f"no game is called {name!r}, expected one of {', '.join(GAMES)} (connect-4 for K = 4)")
