"""Programs in the style of a course, from which others are made by changing a place or two."""

from dataclasses import dataclass
from textwrap import dedent

ONE = dedent("""\
    import sys, time

    begun = time.perf_counter()
    name, algorithm = sys.argv[1], sys.argv[2]
    number = "".join(ch for ch in name if ch.isdigit())
    with open(name) as file:
        grid = [[int(x) for x in line.split()] for line in file if line.strip()]
    n = len(grid)
    h = max(k for k in range(1, n) if n % k == 0 and k * k <= n)
    w = n // h
    nodes = 0

    def fits(grid, r, c, x):
        if x in grid[r]:
            return False
        if any(grid[i][c] == x for i in range(n)):
            return False
        top, left = r // h * h, c // w * w
        return all(grid[top + i][left + j] != x for i in range(h) for j in range(w))

    def search(grid, cells):
        global nodes
        if not cells:
            return grid
        r, c = cells[0]
        for x in range(1, n + 1):
            if fits(grid, r, c, x):
                nodes += 1
                grid[r][c] = x
                found = search(grid, cells[1:])
                if found:
                    return found
                grid[r][c] = 0
        return None

    empty = [(r, c) for r in range(n) for c in range(n) if grid[r][c] == 0]
    found = search(grid, empty)
    searched = time.perf_counter()
    with open("solution" + number + ".txt", "w") as file:
        file.write("\\n".join(" ".join(map(str, row)) for row in found) if found else "No solution")
    with open("performance" + number + ".txt", "w") as file:
        file.write("Total clock time: %.3f ms\\n" % ((time.perf_counter() - begun) * 1000))
        file.write("Search clock time: %.3f ms\\n" % ((searched - begun) * 1000))
        file.write("Number of nodes generated: %d\\n" % nodes)
    """)

ALL = dedent("""\
    import sys

    grid = [[int(x) for x in line.split()] for line in open(sys.argv[1]) if line.strip()]
    n = len(grid)
    h = max(k for k in range(1, n) if n % k == 0 and k * k <= n)
    w = n // h
    solutions = []

    def fits(r, c, x):
        top, left = r // h * h, c // w * w
        return (x not in grid[r] and all(grid[i][c] != x for i in range(n))
                and all(grid[top + i][left + j] != x for i in range(h) for j in range(w)))

    def search(cells):
        if not cells:
            solutions.append([row[:] for row in grid])
            return
        r, c = cells[0]
        for x in range(1, n + 1):
            if fits(r, c, x):
                grid[r][c] = x
                search(cells[1:])
                grid[r][c] = 0

    search([(r, c) for r in range(n) for c in range(n) if grid[r][c] == 0])
    for solution in solutions:
        print("Solution:")
        for row in solution:
            print(*row)
    print("Number of solutions:", len(solutions))
    """)

PERL = dedent("""\
    use strict;
    my ($name, $algorithm) = @ARGV;
    open(my $in, "<", $name) or die;
    my @g = map { [split] } grep { /\\S/ } <$in>;
    my ($n, $nodes) = (scalar @g, 0);
    my $h = 1;
    for my $k (1 .. $n) { $h = $k if $n % $k == 0 && $k * $k <= $n; }
    my $w = $n / $h;
    sub fits {
        my ($r, $c, $x) = @_;
        for my $i (0 .. $n - 1) { return 0 if $g[$r][$i] == $x || $g[$i][$c] == $x; }
        my ($top, $left) = (int($r / $h) * $h, int($c / $w) * $w);
        for my $i (0 .. $h - 1) { for my $j (0 .. $w - 1) { return 0 if $g[$top + $i][$left + $j] == $x; } }
        return 1;
    }
    sub search {
        my ($v) = @_;
        return 1 if $v == $n * $n;
        my ($r, $c) = (int($v / $n), $v % $n);
        return search($v + 1) if $g[$r][$c];
        for my $x (1 .. $n) {
            next unless fits($r, $c, $x);
            $nodes++;
            $g[$r][$c] = $x;
            return 1 if search($v + 1);
            $g[$r][$c] = 0;
        }
        return 0;
    }
    print search(0) ? join("", map { join("", @$_) } @g) : "unsolvable";
    print "\\nnodecount=$nodes\\ntime 0.001 sec";
    """)


@dataclass(frozen=True)
class Program:
    """A right program, or a wrong one with the verdict and the words that its evidence must have."""

    name: str
    text: str
    verdict: str = "passed"
    evidence: str = ""
    small: str = ""
    """How large the smallest failing puzzle is."""
    ending: str = "py"


def changed(text: str, *changes: tuple[str, str]) -> str:
    """The text with something else in some places; each is there exactly once."""
    for old, new in changes:
        assert text.count(old) == 1, (old, text.count(old))
        text = text.replace(old, new)
    return text


WRITE = """    file.write("\\n".join(" ".join(map(str, row)) for row in found) if found else "No solution")\n"""
OPEN = 'with open("solution" + number + ".txt", "w") as file:\n'
PERFORMANCE = ONE[ONE.index('with open("performance"') :]
FIND = "found = search(grid, empty)\n"
UNDO = "            grid[r][c] = 0\n"
