"""The game trees of UC Berkeley's CS188, project 2: a .test file with the tree and a .solution file with the answer.

Agent 0 maximises and the others minimise in turn; `depth` counts rounds of all agents. A state is a leaf when it is
won, lost or out of depth. States may be reached along several paths: the tree has one node for each path.
"""

import re
from dataclasses import dataclass

from crosscount.puzzles.errors import InputError, at
from crosscount.puzzles.gametree import GameTree, TreeBuilder, Value, parse_value

MAX_NODES = 2_000_000
"""A few states can unroll into a tree that no memory holds."""

ENTRY = re.compile(r'(?P<key>\w+)\s*:\s*(?P<quote>"""|")')
SEARCHES = {"MinimaxAgent": False, "AlphaBetaAgent": True}
"""Whether the search named by `alg` prunes."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What a .solution file claims; `generated` are state names, None where the file does not list them."""

    place: str
    action: str | None
    generated: frozenset[str] | None
    prunes: bool
    """False where the .test asks for plain minimax, which generates every state."""


def parse_entries(text: str, place: str) -> dict[str, tuple[int, str]]:
    """Each `key: "value"` or `key: \"\"\"several lines\"\"\"` with the line it starts on."""
    entries: dict[str, tuple[int, str]] = {}
    lines = text.split("\n")
    k = 0
    while k < len(lines):
        line, number = lines[k].strip(), k + 1
        k += 1
        if not line or line.startswith("#"):
            continue
        match = ENTRY.match(line)
        if match is None:
            raise at(place, number, f'found {line[:40]!r}, expected key: "value", key: """lines""" or a comment')
        key, quote, rest = match["key"], match["quote"], line[match.end() :]
        if key in entries:
            raise at(place, number, f"found {key} a second time, expected each key once")
        if quote == '"':
            value, closed, tail = rest.partition('"')
        else:
            parts = [rest]
            while '"""' not in parts[-1] and k < len(lines):
                parts.append(lines[k])
                k += 1
            value, closed, tail = "\n".join(parts).partition('"""')
        if not closed:
            raise at(place, number, f"{key} starts with {quote} and does not end, expected {quote}")
        if tail.strip() and not tail.strip().startswith("#"):
            raise at(place, number, f"found {tail.strip()[:40]!r} after the value of {key}, expected a new line")
        entries[key] = (number, value)
    return entries


def parse_cs188(text: str, place: str, root_maximises: bool | None = None) -> tuple[GameTree, bool]:
    """The tree of a .test file, and whether the search that it asks for prunes."""
    entries = parse_entries(text, place)
    prunes = _search(entries, place)
    agents, depth = _count(entries, "num_agents", 1, place), _count(entries, "depth", 0, place)
    start = _entry(entries, "start_state", place)[1].strip()
    ends = {*entries.get("win_states", (0, ""))[1].split(), *entries.get("lose_states", (0, ""))[1].split()}
    successors = _successors(*_entry(entries, "successors", place), place)
    worth = _evaluation(*_entry(entries, "evaluation", place), place)
    builder = TreeBuilder(place)
    builder.movers[0] = True
    # (state, action, ply, node above); ply -1 closes the node above.
    work = [(start, "", 0, -1)]
    while work:
        state, action, ply, above = work.pop()
        if ply < 0:
            builder.close(above)
            continue
        node = builder.add(above)
        if node >= MAX_NODES:
            raise at(place, None, f"the states unroll into more than {MAX_NODES} nodes, expected a smaller depth")
        builder.names[node] = state
        if above >= 0:
            builder.moves[node] = action
        builder.movers[node] = ply % agents == 0
        steps = successors.get(state, [])
        if state in ends or ply == agents * depth or not steps:
            if state not in worth:
                why = "is a leaf" if state in ends or steps else "has no successors"
                raise at(place, None, f"state {state!r} {why} and has no evaluation, expected a line for it there")
            builder.values[node] = worth[state]
            continue
        work.append((state, "", -1, node))
        work.extend((after, name, ply + 1, node) for name, after in reversed(steps))
    return builder.finish(root_maximises), prunes


def parse_solution(text: str, place: str, prunes: bool) -> Solution:
    """What the .solution file beside a .test claims."""
    entries = parse_entries(text, place)
    states = entries.get("generated") or entries.get("expanded")
    action = entries.get("action")
    if states is None and action is None:
        raise at(place, None, "found neither action nor generated, expected at least one of them")
    return Solution(
        place,
        None if action is None else action[1].strip(),
        None if states is None else frozenset(states[1].split()),
        prunes,
    )


def _entry(entries: dict[str, tuple[int, str]], key: str, place: str) -> tuple[int, str]:
    if key not in entries:
        raise at(place, None, f"found no {key}, expected a line {key}: ...")
    return entries[key]


def _search(entries: dict[str, tuple[int, str]], place: str) -> bool:
    line, name = entries.get("alg", (0, "AlphaBetaAgent"))
    if name not in SEARCHES:
        raise at(place, line, f"found alg {name!r}, expected {' or '.join(SEARCHES)}")
    return SEARCHES[name]


def _count(entries: dict[str, tuple[int, str]], key: str, least: int, place: str) -> int:
    line, text = _entry(entries, key, place)
    if not text.strip().isdecimal() or int(text) < least:
        raise at(place, line, f"found {key} {text!r}, expected a whole number from {least}")
    return int(text)


def _successors(line: int, text: str, place: str) -> dict[str, list[tuple[str, str]]]:
    steps: dict[str, list[tuple[str, str]]] = {}
    for number, words in _rows(line, text):
        if len(words) != 3:
            raise at(place, number, f"found {len(words)} words, expected three: state, action, next state")
        state, action, after = words
        if any(action == known for known, _ in steps.get(state, ())):
            raise at(place, number, f"found action {action} of state {state} a second time, expected each once")
        steps.setdefault(state, []).append((action, after))
    return steps


def _evaluation(line: int, text: str, place: str) -> dict[str, Value]:
    worth: dict[str, Value] = {}
    for number, words in _rows(line, text):
        if len(words) != 2:
            raise at(place, number, f"found {len(words)} words, expected two: state, number")
        if words[0] in worth:
            raise at(place, number, f"found the state {words[0]} a second time, expected each once")
        try:
            worth[words[0]] = parse_value(words[1])
        except ValueError:
            raise at(place, number, f"found {words[1]!r}, expected a number for state {words[0]}") from None
    return worth


def _rows(line: int, text: str) -> list[tuple[int, list[str]]]:
    rows = [(line + k, row.split("#")[0].split()) for k, row in enumerate(text.split("\n"))]
    return [(number, words) for number, words in rows if words]


def generated_states(tree: GameTree, leaves: list[int]) -> set[str]:
    """The states that a search generates which evaluates these leaves: each of them and all that lead to it."""
    # A search goes from a node that it generates straight down to some leaf, so the leaves tell of every node.
    seen = bytearray(len(tree))
    for leaf in leaves:
        node = leaf
        while node >= 0 and not seen[node]:
            seen[node] = 1
            node = tree.parent[node]
    try:
        return {tree.names[node] for node in range(len(tree)) if seen[node]}
    except KeyError as missing:
        raise InputError(f"{tree.place}: node {tree.path(missing.args[0])} has no name, expected one") from None
