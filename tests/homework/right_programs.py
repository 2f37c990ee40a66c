"""Programs that are right, each with habits of its own."""

from tests.homework.sudoku_programs import ALL, FIND, ONE, OPEN, PERFORMANCE, PERL, WRITE, Program, changed

FC = changed(
    ONE,
    (
        "    r, c = cells[0]\n",
        "    r, c = min(cells, key=lambda rc: sum(fits(grid, *rc, x) for x in range(1, n + 1)))\n",
    ),
    ("search(grid, cells[1:])", "search(grid, [rc for rc in cells if rc != (r, c)])"),
)

RIGHT_ONE = [
    Program("plain", ONE),
    Program("smallest-domain-first", FC),
    Program("largest-domain-first", changed(FC, ("min(cells", "max(cells"))),
    Program(
        "other-names-in-a-folder",
        changed(
            ONE,
            (OPEN, 'import os\nos.mkdir("output")\nwith open("output/My_Solution_" + number + ".TXT", "w") as file:\n'),
            ('"performance" + number', '"output/preformance" + number'),
        ),
    ),
    Program(
        "seconds",
        changed(
            ONE,
            ('%.3f ms\\n" % ((time.perf_counter() - begun) * 1000)', '%.6f s\\n" % (time.perf_counter() - begun)'),
            (
                'Search clock time: %.3f ms\\n" % ((searched - begun) * 1000)',
                'searched for %d ns\\n" % (1e9 * (searched - begun))',
            ),
        ),
    ),
    Program("a-python-list", changed(ONE, (OPEN + WRITE, 'print("solution =", found)\n'))),
    Program(
        "nothing-but-digits", changed(ONE, (WRITE, '    file.write("".join(str(x) for row in found for x in row))\n'))
    ),
    Program(
        "boxes-and-colours",
        changed(
            ONE,
            (
                OPEN + WRITE,
                'print("Puzzle:")\nfor line in open(name): print(line.strip().replace("0", "."))\n'
                'print("\\033[1mSolved!\\033[0m")\n'
                'for r in range(n):\n    if r and r % h == 0: print("-" * (2 * n + 1))\n'
                '    print(" | ".join(" ".join(str(x) for x in found[r][c:c + w]) for c in range(0, n, w)))\n',
            ),
        ),
    ),
    Program(
        "every-solution",
        changed(
            ONE,
            (
                "        return grid\n",
                "        for row in grid: print(*row, sep=', ')\n        print()\n        return None\n",
            ),
            (OPEN + WRITE, ""),
        ),
    ),
    Program("slow", changed(ONE, (FIND, FIND + "time.sleep(0.3)\n"))),
    Program(
        "gbk-and-no-labels",
        changed(
            ONE,
            (
                OPEN,
                'with open("solution" + number + ".txt", "w", encoding="gbk") as file:\n    file.write("答案\\n")\n',
            ),
            (
                PERFORMANCE,
                'with open("performance" + number + ".txt", "wb") as file:\n'
                '    file.write(b"\\xef\\xbb\\xbf12.5\\r\\n3.5\\r\\n%d" % nodes)\n',
            ),
        ),
    ),
    Program(
        "utf-16-and-an-exit-code",
        changed(ONE, (OPEN, 'with open("solution" + number + ".txt", "w", encoding="utf-16") as file:\n'))
        + "sys.exit(3)\n",
    ),
    Program("in-perl", PERL, ending="pl"),
]
RIGHT_ALL = [
    Program("lists-all", ALL),
    Program(
        "one-line-each",
        changed(
            ALL,
            (
                '    print("Solution:")\n    for row in solution:\n        print(*row)\n',
                '    print("".join(str(x) for row in solution for x in row))\n',
            ),
            ('print("Number of solutions:", len(solutions))', 'print(len(solutions), "solutions found in 3 ms")'),
        ),
    ),
]
