"""Reading `*.puzzle.toml`: what each family says, and what is wrong with a file that is not one."""

import pytest

from crosscount.puzzles.constraints import AllDifferent, Linear, Product, Table
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.expect import Entry, Expect
from crosscount.puzzles.families import Latin, Queens, Sudoku
from crosscount.puzzles.puzzle import Drawing, Puzzle
from crosscount.puzzles.toml_file import read_toml

FOUR = 'family = "sudoku"\nsize = 4\n'
QUEENS = 'family = "queens"\nsize = 4\n'
CSP = 'family = "csp"\n[cells]\na = "1-3"\nb = [1, 2]\n'


def read(text: str) -> Entry:
    return read_toml(text, "p.toml", "p")


@pytest.mark.parametrize(
    ("text", "family"),
    [
        (FOUR, Sudoku.blank(4)),
        (FOUR + "diagonals = true\n", Sudoku.blank(4, diagonals=True)),
        ('family = "sudoku"\nsize = 6\nbox = [3, 2]\n', Sudoku.blank(6, box=(3, 2))),
        ('family = "sudoku"\ngrid = """\n12\n21\n"""\n', Sudoku(((1, 2), (2, 1)))),
        ('family = "sudoku"\ngrid = "12 21"\n', Sudoku(((1, 2), (2, 1)))),
        ('family = "sudoku"\ngrid = [[1, 0], [0, 1]]\n', Sudoku(((1, 0), (0, 1)))),
        ('family = "sudoku"\ngrid = "...."\nregions = """\nAB\nAB\n"""\n', Sudoku.blank(2, regions=(tuple("AB"),) * 2)),
        ('family = "sudoku"\nsize = 2\nregions = [[1, 2], [1, 2]]\n', Sudoku.blank(2, regions=(tuple("12"),) * 2)),
        ('family = "latin"\nsize = 3\n', Latin.blank(3)),
        ('family = "latin"\ngrid = """\n1 .\n. .\n"""\n', Latin(((1, 0), (0, 0)))),
        (QUEENS, Queens(4)),
        (QUEENS + "placed = { 1 = 2, 3 = 1 }\n", Queens(4, {1: 2, 3: 1})),
        (QUEENS + "[placed]\n1 = 2\n", Queens(4, {1: 2})),
    ],
)
def test_families(text: str, family: Sudoku | Latin | Queens) -> None:
    for ending in ("\n", "\r\n"):
        entry = read(text.replace("\n", ending))
        assert entry.puzzle == family.puzzle("p")
        assert entry.puzzle.family == family
        assert entry.expect is None


def test_a_grid_of_sixteen_small_values_is_one_grid() -> None:
    grid = "1...............\n" + "................\n" * 15
    assert read(f'family = "sudoku"\ngrid = """\n{grid}"""').puzzle.family == Sudoku(
        ((1,) + (0,) * 15, *(((0,) * 16,) * 15))
    )


def test_csp() -> None:
    text = """
        family = "csp"
        name = "mixed"
        title = "A mixed bag"
        drawing = { rows = 1, columns = 4 }
        [cells]
        a = "1-3"
        b = "-2..1"
        "c d" = "1-3, 7, 9-10"
        e = [5, -5]
        [[constraints]]
        type = "all-different"
        cells = ["a", "b"]
        label = "both"
        [[constraints]]
        type = "linear"
        cells = ["a", "c d"]
        value = 4
        [[constraints]]
        type = "linear"
        cells = ["a", "b"]
        coefficients = [2, -1]
        relation = "<="
        value = -1
        [[constraints]]
        type = "product"
        cells = ["a", "a"]
        value = 0
        relation = "!="
        [[constraints]]
        type = "table"
        cells = ["a", "b"]
        allowed = [[1, 1], [2, -2]]
        [[constraints]]
        type = "table"
        cells = []
        forbidden = []
        """
    entry = read(text)
    assert entry.title == "A mixed bag"
    assert entry.puzzle == Puzzle(
        "mixed",
        ((1, 2, 3), (-2, -1, 0, 1), (1, 2, 3, 7, 9, 10), (-5, 5)),
        (
            AllDifferent((0, 1), "both"),
            Linear((0, 2), (1, 1), "==", 4),
            Linear((0, 1), (2, -1), "<=", -1),
            Product((0, 0), 0, "!="),
            Table((0, 1), frozenset({(1, 1), (2, -2)})),
            Table((), frozenset(), allowed=False),
        ),
        Drawing(("a", "b", "c d", "e"), 1, 4),
    )


@pytest.mark.parametrize(
    ("text", "expect"),
    [
        ("count = 288", Expect(288)),
        ('count = "6670903752021072936960"', Expect(6670903752021072936960)),
        ("count = 6670903752021072936960", Expect(6670903752021072936960)),
        ("count = 0", Expect(0)),
        ("at_least = 5", Expect(at_least=5)),
        ("unique = true", Expect(unique=True)),
        ("unique = false\nat_least = 2", Expect(unique=False, at_least=2)),
        ('count = 3\nsource = "a book"', Expect(3, source="a book")),
        ('solutions = ["1234341221434321"]', Expect(solutions=((1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1),))),
        ("solutions = [[[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]]", None),
        ("solutions = [[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]]", None),
        ('solutions = ["""\n12 34\n34 12\n\n21 43\n43 21"""]', None),
        ("solutions = []\ncount = 0", Expect(0, solutions=())),
        ("", Expect()),
    ],
)
def test_expectations(text: str, expect: Expect | None) -> None:
    solved = Expect(solutions=((1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1),))
    assert read(f"{FOUR}[expect]\n{text}\n").expect == (expect or solved)


def test_unique_is_a_count_of_one() -> None:
    assert Expect(unique=True).exactly == 1
    assert Expect(7).exactly == 7
    assert Expect(0).exactly == 0
    assert Expect(unique=False).exactly is None
    assert Expect().exactly is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "p.toml: no key family, expected one of sudoku, latin, queens, csp"),
        ("family = 3", "p.toml:1: family 3, expected one of sudoku, latin, queens, csp"),
        ('\nfamily = "kakuro"', 'p.toml:2: family "kakuro", expected one of sudoku, latin, queens, csp'),
        ('family "sudoku"', "p.toml:1: not TOML: expected '=' after a key in a key/value pair"),
        ("a = 1\nb =", "p.toml:2: not TOML: invalid value"),
        ('a = """\nx', "p.toml:2: not TOML: unterminated string"),
        (FOUR + "diagonal = true", "p.toml:3: unknown key diagonal; did you mean diagonals?"),
        (
            FOUR + "zzz = 1",
            "p.toml:3: unknown key zzz; expected one of family, name, title, expect, grid, size, box",
        ),
        (FOUR + "diagonals = 1", "p.toml:3: diagonals is 1, expected true or false"),
        (FOUR + 'name = ""', 'p.toml:3: name is "", expected text'),
        ('family = "sudoku"', "p.toml:1: neither grid nor size, expected one of them"),
        (FOUR + 'grid = "...."', "p.toml:3: both grid and size, expected one of them"),
        ('family = "sudoku"\nsize = 26', "p.toml:2: size is 26, expected 1 to 25"),
        ('family = "sudoku"\nsize = "4"', 'p.toml:2: size is "4", expected 1 to 25'),
        ('family = "sudoku"\ngrid = 4', "p.toml:2: grid is 4, expected rows of cells, as text or as lists of integers"),
        ('family = "sudoku"\ngrid = [[1, 2], [2]]', "p.toml:2: row 2 has 1 cells, expected 2"),
        ('family = "sudoku"\ngrid = [[1, 2], [2, true]]', "p.toml:2: grid is [[1, 2], [2, true]], expected rows"),
        ('family = "sudoku"\ngrid = """\n12\n2\n"""', "p.toml:4: 1 cells, expected 2; a blank is 0 . _ * or x"),
        ('family = "sudoku"\ngrid = """\n1?\n..\n"""', "p.toml:3: '?' is not a cell"),
        ('family = "sudoku"\ngrid = """\n# box: 1x2\n12\n21\n"""', "p.toml:3: a header for box in the grid"),
        ('family = "sudoku"\ngrid = ""', "p.toml:2: 0 grids, expected 1"),
        (FOUR + "box = [2]", "p.toml:3: box is [2], expected [rows, columns] of a box"),
        (FOUR + "box = [2, 3]", "p.toml:3: box 2x3, expected one of 4 cells"),
        (FOUR + 'regions = "AB"', "p.toml:3: 1 rows of regions, expected 4"),
        ('family = "queens"', "p.toml: no key size, expected 0 to 64"),
        (QUEENS + "placed = { 5 = 1 }", "p.toml:3: a queen placed in row 5, expected 1 to 4"),
        (QUEENS + "placed = { a = 1 }", "p.toml:3: row 'a', expected a number from 1"),
        (QUEENS + "placed = { 1 = 'a' }", 'p.toml:3: placed is {"1": "a"}, expected a table of row = column'),
        (FOUR + "[expect]\ncount = -1", "p.toml:4: count is -1, expected a whole number, 0 or more"),
        (FOUR + "[expect]\ncount = 1.5", "p.toml:4: count is 1.5, expected a whole number, 0 or more"),
        (FOUR + '[expect]\ncount = "many"', 'p.toml:4: count is "many", expected a whole number, 0 or more'),
        (FOUR + "[expect]\ncounts = 1", "p.toml:4: unknown key counts; did you mean count?"),
        (FOUR + "expect.counts = 1", "p.toml:3: unknown key counts; did you mean count?"),
        (FOUR + "expect = 288", "p.toml:3: expect is 288, expected a table [expect]"),
        (FOUR + "[expect]\ncount = 2\nunique = true", "p.toml:3: unique is true, but count is 2"),
        (FOUR + "[expect]\ncount = 2\nat_least = 3", "p.toml:3: at_least is 3, but count is 2"),
        (FOUR + '[expect]\nsolutions = ["12"]', "p.toml:4: solution:1: 2 cells, expected 4 in a row or 16 in all"),
        (FOUR + "[expect]\nsolutions = [[1, 2]]", "p.toml:4: a solution of 2 values, expected 16"),
        (FOUR + "[expect]\nsolutions = [1]", "p.toml:4: solutions is [1], expected a list of solutions"),
        ('family = "csp"', "p.toml: no key cells, expected a table of cell name = values"),
        ('family = "csp"\n[cells]\na = "1-x"', "p.toml:3: a: '1-x', expected a list of integers or text such as"),
        ('family = "csp"\n[cells]\na = "3-1"', "p.toml:3: a: '3-1' runs down, expected the smaller value first"),
        ('family = "csp"\n[cells]\na = "1-9999999999"', "p.toml:3: a: '1-9999999999', expected at most 1000000 values"),
        ('family = "csp"\n[cells]\na = 3', "p.toml:3: a: 3, expected a list of integers or text such as"),
        ('family = "csp"\n[cells]\na = [1, true]', "p.toml:3: a: True in the list of values, expected integers"),
        (CSP + '[[constraints]]\ntype = "sum"\ncells = []', 'p.toml:6: type is "sum", expected one of all-different'),
        (CSP + '[[constraints]]\ntype = "linear"', "p.toml:5: no key cells, expected a list of cell names"),
        (CSP + '[[constraints]]\ntype = "linear"\ncells = ["a"]', "p.toml:5: no key value, expected one in a"),
        (
            CSP + '[[constraints]]\ntype = "table"\ncells = ["a"]\nallowed = [[1]]\n'
            '[[constraints]]\ntype = "all-different"\ncells = ["a", "c"]',
            "p.toml:11: no cell is called 'c'; expected one of [cells]",
        ),
        (
            CSP + '[[constraints]]\ntype = "product"\ncells = ["a"]\nvalue = 1\ncoefficients = [1]',
            "p.toml:9: coefficients in a constraint of type product, expected cells, relation, value, label",
        ),
        (
            CSP + '[[constraints]]\ntype = "linear"\ncells = ["a"]\nvalue = 1\ncoefficients = [1, 2]',
            "p.toml:5: 2 coefficients for 1 cells",
        ),
        (
            CSP + '[[constraints]]\ntype = "linear"\ncells = ["a"]\nvalue = 1\nrelation = "="',
            'p.toml:9: relation is "=", expected one of == != <= < >= >',
        ),
        (CSP + '[[constraints]]\ntype = "table"\ncells = ["a"]', "p.toml:5: a table needs either allowed or forbidden"),
        (CSP + '[[constraints]]\ntype = "table"\ncells = ["a"]\nallowed = [[1, 2]]', "p.toml:5: tuple (1, 2) has 2"),
        ('family = "csp"\ndrawing = { rows = 2, columns = 2 }\n[cells]\na = [1]', "p.toml:2: 2 rows of 2 columns"),
        ('family = "csp"\ndrawing = { row = 2 }\n[cells]\na = [1]', "p.toml:2: unknown key row; did you mean rows?"),
        ('family = "csp"\ndrawing = { regions = [1, 2] }\n[cells]\na = [1]', "p.toml:2: 2 regions, expected 1"),
        ('family = "csp"\ndrawing = { rows = 2, board = true }\n[cells]\na = [1]', "p.toml:2: a board of 2 rows"),
    ],
)
def test_the_message_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read(text)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_the_first_of_several_mistakes_is_named() -> None:
    with pytest.raises(InputError, match=r"^p.toml:3: unknown key zap"):
        read(FOUR + "zap = 1\nzip = 1\n[expect]\ncount = -1\n")


def test_a_key_within_a_text_is_not_a_key() -> None:
    with pytest.raises(InputError, match=r"^p.toml:7: count is -1"):
        read('family = "sudoku"\ngrid = """\n1.  # count = 1\n..\n"""\n[expect]\ncount = -1\n')


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises(InputError, match="not TOML"):
        read("a = " + "[" * 100_000)


def test_a_number_without_end_is_refused() -> None:
    with pytest.raises(InputError, match="not TOML"):
        read("a = " + "9" * 5_000)
