"""Alpha-beta step by step on a game tree, with the window at every step.

Step for step what the fail-soft search in `native.alphabeta` does; tests hold the two against each other.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from crosscount.puzzles.gametree import RULE_TEXT, GameTree, Rule, Value, show_value

Kind = Literal["enter", "leaf", "return", "cut", "end"]


@dataclass(frozen=True, slots=True)
class TreeStep:
    """One thing that the search did.

    At `enter` the search comes to `node`; at `leaf` and `return`, what it came back with is taken over there; at `cut`
    the children in `skipped` are passed over. The window, and `best`, are those of `node` afterwards.
    """

    kind: Kind
    node: int
    alpha: Value
    beta: Value
    best: Value | None
    """The best value seen at the node; None before the first."""
    child: int | None = None
    skipped: tuple[int, ...] = ()
    because: str = ""


@dataclass(slots=True)
class _Frame:
    """A node that the search is in the middle of."""

    node: int
    left: list[int]
    alpha: Value
    beta: Value
    best: Value | None = None


def replay_tree(tree: GameTree, rule: Rule = "le") -> list[TreeStep]:
    """Every step from the root and back."""
    return list(_steps(tree, rule))


def _steps(tree: GameTree, rule: Rule) -> Iterator[TreeStep]:
    value = tree.values[0]
    if value is not None:
        yield TreeStep("end", 0, -math.inf, math.inf, value, because=f"the root is a leaf: {show_value(value)}")
        return
    stack = [_Frame(0, tree.children(0), -math.inf, math.inf)]
    yield _entered(tree, stack[0])
    while True:
        here = stack[-1]
        if here.left:
            child = here.left.pop(0)
            value = tree.values[child]
            if value is None:
                stack.append(_Frame(child, tree.children(child), here.alpha, here.beta))
                yield _entered(tree, stack[-1])
                continue
            kind: Kind = "leaf"
        else:
            stack.pop()
            child, value = here.node, here.best
            assert value is not None, "a node that is no leaf has children"
            if not stack:
                yield TreeStep("end", 0, here.alpha, here.beta, value, because=f"the root is worth {show_value(value)}")
                return
            here, kind = stack[-1], "return"
        because = _take_over(tree, here, child, value, kind)
        yield TreeStep(kind, here.node, here.alpha, here.beta, here.best, child, because=because)
        if here.left and (here.beta <= here.alpha if rule == "le" else here.beta < here.alpha):
            skipped, here.left = tuple(here.left), []
            because = f"{RULE_TEXT[rule]}: {_branches(len(skipped))} of {tree.label(here.node)} cannot matter"
            yield TreeStep("cut", here.node, here.alpha, here.beta, here.best, None, skipped, because)


def _entered(tree: GameTree, frame: _Frame) -> TreeStep:
    mover = "max" if tree.maximises[frame.node] else "min"
    because = f"to {tree.label(frame.node)}, where {mover} moves"
    return TreeStep("enter", frame.node, frame.alpha, frame.beta, None, because=because)


def _take_over(tree: GameTree, here: _Frame, child: int, value: Value, kind: Kind) -> str:
    """Bring the node's best value and window up to date; one sentence of what that changed."""
    maxi = tree.maximises[here.node]
    what = f"leaf {tree.label(child)} is worth" if kind == "leaf" else f"{tree.label(child)} comes back with"
    better = here.best is None or (value > here.best if maxi else value < here.best)
    said = f"{what} {show_value(value)}"
    if not better:
        return f"{said}: no better for {'max' if maxi else 'min'} at {tree.label(here.node)}"
    here.best = value
    if maxi and value > here.alpha:
        here.alpha = value
        return f"{said}: alpha rises to {show_value(value)}"
    if not maxi and value < here.beta:
        here.beta = value
        return f"{said}: beta falls to {show_value(value)}"
    return f"{said}: the best so far at {tree.label(here.node)}"


def _branches(count: int) -> str:
    return "the last branch" if count == 1 else f"the last {count} branches"


def to_object(steps: list[TreeStep]) -> list[list[Any]]:
    """For the player in the browser: [kind, node, alpha, beta, best, child, skipped, because] a step."""
    return [
        [
            step.kind,
            step.node,
            show_value(step.alpha),
            show_value(step.beta),
            None if step.best is None else show_value(step.best),
            step.child,
            list(step.skipped),
            step.because,
        ]
        for step in steps
    ]
