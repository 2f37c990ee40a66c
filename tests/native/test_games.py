"""Real games against what is known about them."""

from functools import reduce
from itertools import product
from operator import xor
from typing import Any

import pytest

from crosscount.native.game_pencil import Domineering, DotsAndBoxes
from crosscount.native.game_states import state_graph, whole_tree
from crosscount.native.games import ConnectK, NamedGame, Nim, TicTacToe, make_game
from crosscount.native.gamesearch import SEARCHES, Search, search_game, search_tree
from crosscount.puzzles.engine import Stopped
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.gametree import backed_up

every_search = pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.name)


def solve(game: NamedGame, name: str = "alphabeta-tt") -> Any:
    return search_game(game, game.start(), name).value


@every_search
def test_tic_tac_toe_is_a_draw_whatever_the_first_move(search: Search) -> None:
    trace = search_game(TicTacToe(), (0, 0), search.name)
    assert (trace.value, trace.moves) == (0, tuple(range(9)))
    if search.name == "minimax":
        assert (trace.nodes, len(trace.leaves)) == (549_946, 255_168)


def test_tic_tac_toe_has_5478_positions() -> None:
    assert len(state_graph(TicTacToe(), (0, 0), 10_000).children) == 5478


@every_search
def test_every_opening_of_tic_tac_toe(search: Search) -> None:
    game = TicTacToe()
    for text in ("X........", "....X....", ".X......."):
        assert search_game(game, game.position(text), search.name).value == 0
    # A corner answered on an edge loses.
    assert search_game(game, game.position("XO......."), search.name).value == 1


@every_search
def test_nim_is_decided_by_the_nim_sum(search: Search) -> None:
    for heaps in product(range(3), repeat=3):
        normal, misere = Nim(heaps), Nim(heaps, misere=True)
        assert search_game(normal, normal.start(), search.name).value == (1 if reduce(xor, heaps) else -1)
        # Misère play differs exactly where no heap is larger than one.
        wins = bool(reduce(xor, heaps)) if max(heaps) > 1 else sum(heaps) % 2 == 0
        assert search_game(misere, misere.start(), search.name).value == (1 if wins else -1)


@pytest.mark.parametrize("heaps", [(3, 4, 5), (1, 4, 5), (7, 7), (5, 6, 3), (1, 2, 3, 4)])
def test_larger_nim_with_a_table(heaps: tuple[int, ...]) -> None:
    for name in ("alphabeta-tt", "mtdf"):
        assert solve(Nim(heaps), name) == (1 if reduce(xor, heaps) else -1)


def test_the_winning_move_in_nim_makes_the_sum_zero() -> None:
    game = Nim((3, 4, 5))
    trace = search_game(game, game.start(), "alphabeta-tt")
    after = [game.play(game.start(), game.moves(game.start())[k])[0] for k in trace.moves]
    assert after == [(1, 4, 5)]


# The table in https://github.com/ChristopheSteininger/c4, which continues John Tromp's, has a draw for this board.
def test_connect_4_on_a_board_of_four_by_four_is_a_draw() -> None:
    for name in ("alphabeta-tt", "mtdf"):
        assert solve(ConnectK(4, 4, 4), name) == 0
    assert len(state_graph(ConnectK(4, 4, 4), (0, 0), 200_000).children) == 161_029


@pytest.mark.parametrize(
    ("columns", "rows", "k", "value"),
    [(1, 1, 1, 1), (2, 1, 2, 0), (3, 1, 2, 1), (2, 2, 2, 1), (4, 1, 2, 1), (4, 4, 3, 1), (3, 3, 3, 0)],
)
def test_small_connect_games(columns: int, rows: int, k: int, value: int) -> None:
    game = ConnectK(columns, rows, k)
    tree_value = {search.name: search_game(game, game.start(), search.name).value for search in SEARCHES[1:]}
    assert set(tree_value.values()) == {value}


def test_connect_lines_run_in_every_direction_and_not_around_the_edge() -> None:
    game = ConnectK(4, 4, 3)
    for moves, value in (
        ("1 2 1 2 1", 1),
        ("1 1 2 2 3", 1),
        ("1 2 2 3 4 3 3", 1),
        ("4 3 3 2 1 2 2", 1),
        ("1 4 1 4 2 4", -1),
    ):
        assert game.value(game.position(moves)) == value
    # Two on top of one column and one at the bottom of the next are no line.
    assert game.value((0b00001_01100, 0b00000_00011)) is None


# Published: Puzzling Stack Exchange on optimal play with nine dots. The first player wins, and must begin on the
# outside: after a line inside, the second player draws by mirroring every move.
def test_dots_and_boxes_two_by_two_is_won_from_the_outside() -> None:
    game = DotsAndBoxes(2, 2)
    for name in ("alphabeta-tt", "mtdf"):
        trace = search_game(game, game.start(), name)
        assert trace.value == 2
        # Horizontal lines are 0 to 5 with 2 and 3 inside, vertical ones 6 to 11 with 7 and 10 inside.
        assert trace.moves == (0, 1, 4, 5, 6, 8, 9, 11)


@every_search
def test_small_dots_and_boxes(search: Search) -> None:
    assert solve(DotsAndBoxes(1, 1), search.name) == -1
    assert solve(DotsAndBoxes(2, 1), search.name) == 0


# Published: 2x2 is a win for the first player (Lachmann, Moore and Rapaport, https://arxiv.org/abs/math/0006066)
# and 5x5 for the second (Conway, 1976). The others are what all our engines say.
@pytest.mark.parametrize(("side", "value"), [(1, -1), (2, 1), (3, 1), (4, 1), (5, -1)])
def test_domineering_on_squares(side: int, value: int) -> None:
    assert solve(Domineering(side, side)) == value


@pytest.mark.parametrize(
    "game", [TicTacToe(), Nim((2, 2)), ConnectK(3, 2, 2), DotsAndBoxes(1, 1), Domineering(3, 2)], ids=lambda g: g.name
)
def test_the_whole_tree_of_a_game_has_its_value(game: NamedGame) -> None:
    start = game.position("X.O......") if game.name == "tic-tac-toe" else game.start()
    tree = whole_tree(game, start, 100_000)
    trace = search_game(game, start, "minimax")
    assert backed_up(tree)[0] == trace.value
    assert len(tree) == trace.nodes
    on_tree = search_tree(tree, "alphabeta")
    on_game = search_game(game, start, "alphabeta")
    assert (on_tree.nodes, len(on_tree.leaves), on_tree.moves) == (on_game.nodes, len(on_game.leaves), on_game.moves)


def test_what_is_too_large_is_stopped() -> None:
    for spell_out in (state_graph, whole_tree):
        with pytest.raises(Stopped):
            spell_out(TicTacToe(), (0, 0), 1000)


BAD_POSITIONS = [
    ("tic-tac-toe", "X.O", "found 'X.O', expected nine of X, O and ."),
    ("tic-tac-toe", "XX.......", "found 2 X and 0 O, expected as many of each or one X more"),
    ("tic-tac-toe", "XXXOO.O..", "found a move after the game was won"),
    ("tic-tac-toe", "OOOXX.X.X", "found a move after the game was won"),
    ("nim", "3,x", "found '3,x', expected heap sizes"),
    ("connect-3", "19", "found '9' as move 2, expected one of 1 2 3 4 5 6 7"),
    ("connect-2", "1123", "found move 4 (3), expected none: the game is over"),
    ("dots-and-boxes", "0 0", "found '0' as move 2, expected a line from 0 to 11 that is not drawn yet"),
    ("domineering", "r4c1", "found 'r4c1' as move 1, expected one of r1c1"),
]


@pytest.mark.parametrize(("name", "text", "message"), BAD_POSITIONS)
def test_bad_positions(name: str, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        make_game(name).position(text)
    assert message in str(caught.value)


def test_positions_can_be_shown() -> None:
    assert TicTacToe().show(TicTacToe().position("X.O/.X./...")) == "X . O\n. X .\n. . ."
    assert ConnectK(3, 2, 3).show(ConnectK(3, 2, 3).position("112")) == "O . .\nX X ."
    assert (
        DotsAndBoxes(1, 1).show(DotsAndBoxes(1, 1).position("0 2 3 1")) == "+--+\n|  |\n+--+\nfirst player ahead by -1"
    )
    assert Domineering(2, 2).show(Domineering(2, 2).position("r1c1")) == "# .\n# ."
    assert Nim((3, 4)).show(Nim((3, 4)).start()) == "heaps 3 4"


def test_games_are_found_by_name() -> None:
    game = make_game("connect-5", 6, 7)
    assert isinstance(game, ConnectK)
    assert (game.columns, game.rows, game.k) == (6, 7, 5)
    for name, board in (("chess", ()), ("connect-1", ()), ("nim", (3, 3)), ("domineering", (100, 100))):
        with pytest.raises(InputError, match="expected"):
            make_game(name, *board)
