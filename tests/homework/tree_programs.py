"""Alpha-beta in the style of a course: right ones, and wrong ones with one classic mistake each."""

from textwrap import dedent

from tests.homework.sudoku_programs import Program, changed

ALPHABETA = dedent("""\
    import json, sys

    tree = json.load(open(sys.argv[1]))
    visited = []
    INF = float("inf")

    def value(node, alpha, beta, maximise):
        if not isinstance(node, list):
            visited.append(node)
            return node
        best = -INF if maximise else INF
        for child in node:
            v = value(child, alpha, beta, not maximise)
            if maximise:
                best = max(best, v)
                alpha = max(alpha, best)
            else:
                best = min(best, v)
                beta = min(beta, best)
            if beta <= alpha:
                break
        return best

    result = value(tree, -INF, INF, True)
    print("value:", result)
    print("visited:", *visited)
    """)


def _wrong(name: str, evidence: str, small: str, *changes: tuple[str, str]) -> Program:
    return Program(name, changed(ALPHABETA, *changes), "wrong answer", evidence, small)


WRONG_TREE = [
    _wrong(
        "prunes-one-level-too-far",
        "pruned without right",
        "a tree with 3 leaves",
        (
            "        if beta <= alpha:\n            break\n",
            "        if beta <= alpha or (best in (alpha, beta) and alpha > -INF and beta < INF):\n            break\n",
        ),
    ),
    _wrong(
        "never-passes-bounds-down",
        "too little pruning",
        "a tree with 3 leaves",
        ("value(child, alpha, beta, not maximise)", "value(child, -INF, INF, not maximise)"),
    ),
    _wrong(
        "no-pruning",
        "too little pruning",
        "a tree with 3 leaves",
        ("        if beta <= alpha:\n            break\n", ""),
    ),
    _wrong(
        "alpha-begins-at-zero",
        "minimax gives",
        "a tree with 2 leaves",
        ("value(tree, -INF, INF, True)", "value(tree, 0, INF, True)"),
    ),
    _wrong("both-maximise", "minimax gives", "a tree with 2 leaves", ("beta, not maximise)", "beta, maximise)")),
    _wrong(
        "best-begins-at-zero",
        "minimax gives",
        "a tree with 1 leaf",
        ("best = -INF if maximise else INF", "best = 0 if maximise else INF"),
    ),
    _wrong(
        "skips-the-last-child",
        "minimax gives",
        "a tree with 2 leaves",
        ("for child in node:", "for child in node[:-1] or node:"),
    ),
    _wrong(
        "prunes-too-early",
        "pruned without right",
        "a tree with 3 leaves",
        ("if beta <= alpha:", "if beta <= alpha + 1:"),
    ),
]
RIGHT_TREE = [
    Program("fail-soft", ALPHABETA),
    Program("cuts-only-when-below", changed(ALPHABETA, ("beta <= alpha", "beta < alpha"))),
    Program(
        "in-its-own-words",
        changed(
            ALPHABETA,
            ('print("value:", result)', 'print("The minimax value of the root is", result)'),
            ('print("visited:", *visited)', 'print("Leaves evaluated (%d): %s" % (len(visited), visited))'),
        ),
    ),
]
