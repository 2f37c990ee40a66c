"""Programs with one classic mistake each: the right one with one place changed."""

from tests.homework.sudoku_programs import ALL, FIND, ONE, UNDO, WRITE, Program, changed


def _wrong(name: str, verdict: str, evidence: str, small: str, *changes: tuple[str, str]) -> Program:
    return Program(name, changed(ONE, *changes), verdict, evidence, small)


WRONG_ONE = [
    _wrong(
        "box-index",
        "wrong answer",
        "there is no solution, but there is one",
        "a 4x4 grid with 1 empty cell",
        ("c // w * w\n", "r // w * w\n"),
    ),
    _wrong(
        "box-too-narrow",
        "wrong answer",
        "box",
        "a 4x4 grid with 7 empty cells",
        ("for j in range(w))", "for j in range(w - 1))"),
    ),
    _wrong("forgets-to-undo", "wrong answer", "no solution", "a 4x4 grid with 4 empty cells", (UNDO, "")),
    _wrong(
        "stops-at-the-first-dead-end",
        "wrong answer",
        "there is no solution, but there is one",
        "a 4x4 grid with 3 empty cells",
        ("            if found:\n                return found\n", "            return found\n"),
    ),
    _wrong(
        "copies-shallowly",
        "wrong answer",
        "",
        "a 4x4 grid with 4 empty cells",
        ("grid[r][c] = x\n", "copy = grid[:]\n            copy[r][c] = x\n"),
        ("search(grid, cells[1:])", "search(copy, cells[1:])"),
        (UNDO, ""),
    ),
    _wrong(
        "zero-is-a-value",
        "wrong answer",
        "there is no solution, but there is one",
        "a 4x4 grid with 2 empty cells",
        (
            FIND,
            "bad = any(row.count(x) > 1 for row in grid for x in row)\nfound = None if bad else search(grid, empty)\n",
        ),
    ),
    _wrong(
        "rows-only",
        "wrong answer",
        "column",
        "a 4x4 grid with 2 empty cells",
        ("    if any(grid[i][c] == x for i in range(n)):\n        return False\n", ""),
        ("return all(", "return True or all("),
    ),
    _wrong(
        "forgets-columns",
        "wrong answer",
        "column",
        "a 4x4 grid with 2 empty cells",
        ("grid[i][c] == x for", "grid[c][c] == x for"),
    ),
    _wrong(
        "changes-a-given",
        "wrong answer",
        "is given as",
        "a 4x4 grid with 2 empty cells",
        ("empty = [", "grid = [[0] * n if 0 in row else row for row in grid]\nempty = ["),
    ),
    _wrong(
        "prints-the-puzzle",
        "wrong answer",
        "the puzzle itself",
        "a 4x4 grid with 1 empty cell",
        (FIND, "before = [row[:] for row in grid]\n" + FIND + "found = before\n"),
    ),
    _wrong(
        "says-no-solution",
        "wrong answer",
        "there is no solution, but there is one",
        "a 4x4 grid with 1 empty cell",
        (FIND, FIND + "if nodes > 0: found = None\n"),
    ),
    _wrong(
        "never-tries-the-largest",
        "wrong answer",
        "no solution",
        "a 4x4 grid with 1 empty cell",
        ("range(1, n + 1)", "range(1, n)"),
    ),
    _wrong(
        "crashes-on-a-full-grid",
        "crashed",
        "IndexError",
        "a 4x4 grid with no empty cell",
        (FIND, "first = empty[0]\n" + FIND),
    ),
    _wrong(
        "runs-out-of-stack",
        "crashed",
        "RecursionError",
        "a 4x4 grid with 5 empty cells",
        (FIND, "sys.setrecursionlimit(9)\n" + FIND),
    ),
    _wrong(
        "segfault",
        "crashed",
        "SIGSEGV",
        "a 4x4 grid with no empty cell",
        (FIND, FIND + "import os; os.kill(os.getpid(), 11)\n"),
    ),
    _wrong(
        "never-stops",
        "timed out",
        "still running",
        "a 4x4 grid with 1 empty cell",
        (FIND, FIND + "while nodes: pass\n"),
    ),
    _wrong(
        "eats-memory",
        "out of memory",
        "memory",
        "a 4x4 grid with 1 empty cell",
        (FIND, FIND + "hog = [bytearray(1 << 20) for _ in range(nodes * 4000)]\n"),
    ),
    _wrong(
        "floods",
        "too much output",
        "printed more than allowed",
        "a 4x4 grid with 1 empty cell",
        (FIND, FIND + "while nodes: print('x' * 65536)\n"),
    ),
    _wrong(
        "prints-nothing",
        "no answer",
        "no solution was found",
        "a 4x4 grid with 1 empty cell",
        (
            WRITE,
            "    file.write('' if nodes else ' '.join(str(x) for row in found for x in row))\n",
        ),
    ),
    _wrong(
        "forgets-the-last-row",
        "no answer",
        "rows",
        "a 4x4 grid with 1 empty cell",
        ("for row in found) if found", "for row in (found[:-1] if nodes else found)) if found"),
    ),
    _wrong(
        "transposed",
        "wrong answer",
        "is given as",
        "a 4x4 grid with no empty cell",
        ("map(str, row)) for row in found)", "map(str, row)) for row in zip(*found))"),
    ),
    _wrong(
        "values-from-zero",
        "wrong answer",
        "",
        "a 4x4 grid with 1 empty cell",
        (
            '" ".join(map(str, row)) for row in found)',
            '" ".join(str(x % n if (r, c) in empty else x) for c, x in enumerate(row)) for r, row in enumerate(found))',
        ),
    ),
]
"""Every one is asked for one solution of the same few puzzles."""


def _wrong_all(name: str, evidence: str, small: str, *changes: tuple[str, str]) -> Program:
    return Program(name, changed(ALL, *changes), "wrong answer", evidence, small)


APPEND = "        solutions.append([row[:] for row in grid])\n"
WRONG_ALL = [
    _wrong_all(
        "counts-one-twice",
        "there 2 times",
        "a 4x4 grid with no empty cell",
        (APPEND, APPEND + "        if len(solutions) == 1: solutions.append(solutions[0])\n"),
    ),
    _wrong_all(
        "misses-the-last",
        "1 of 2 solutions missing",
        "a 4x4 grid with 4 empty cells",
        ("for solution in solutions:", "if len(solutions) > 1: solutions.pop()\nfor solution in solutions:"),
    ),
    _wrong_all(
        "stops-after-the-first",
        "missing",
        "a 4x4 grid with 4 empty cells",
        ("            search(cells[1:])\n", "            search(cells[1:])\n            if solutions: return\n"),
    ),
    _wrong_all(
        "keeps-the-same-list",
        "the puzzle itself",
        "a 4x4 grid with 1 empty cell",
        ("solutions.append([row[:] for row in grid])", "solutions.append(grid)"),
    ),
    _wrong_all(
        "counts-from-zero", "says 0", "a 4x4 grid with no empty cell", ("len(solutions))\n", "len(solutions) - 1)\n")
    ),
]
"""Every one is asked for all solutions and how many there are."""
