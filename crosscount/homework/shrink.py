"""The smallest puzzle on which a program is wrong in the same way.

Smaller means: a smaller grid, where the program can handle one; fewer empty cells, filled in from a solution; for a
puzzle without a solution fewer givens; for a tree fewer nodes, then smaller values. It is minimal where no single one
of these steps leaves a puzzle that still fails.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from crosscount.compare.gate_suite import some, suite
from crosscount.compare.minimise import Budget, minimise
from crosscount.homework.assignment import Ask, Assignment, Case, Subject
from crosscount.homework.attempt import Attempt
from crosscount.homework.boards import boards, puzzle_board
from crosscount.homework.handout import to_text
from crosscount.homework.reference import Grid, Known, Truth, certify_small
from crosscount.homework.results import CaseResult, Small, Verdict
from crosscount.homework.shrink_tree import size_of_tree, smaller_trees
from crosscount.puzzles.gametree import GameTree
from crosscount.puzzles.latin import Latin
from crosscount.puzzles.puzzle import Puzzle
from crosscount.puzzles.queens import Queens
from crosscount.puzzles.sudoku import Sudoku

SMALL_SIZES = (4, 6)
PATIENCE = 1.0
"""Seconds for each try where the program never stops; the last one gets all of its time."""
EASY = ("a full grid", "one blank cell")
"""Whoever solves none of these cannot handle grids of that size."""
LARGEST_TREE = 5_000
"""Nodes; in a larger one there are too many steps to try."""
NOTHING_TO_LEARN = (Ask.NODES, Ask.TIME)

Kind = tuple[Verdict, str]


def kind_of(result: CaseResult) -> Kind | None:
    """What goes wrong, as far as it must stay the same; None where a smaller puzzle would not help."""
    failed = next((part for part in result.parts if part.verdict is not Verdict.PASSED), None)
    if failed is None or result.verdict is Verdict.NOT_RUN or failed.ask in NOTHING_TO_LEARN:
        return None
    return failed.verdict, failed.ask


def prepare(assignment: Assignment) -> None:
    """Make the puzzles to begin with; that is done once, and is not the fault of whoever comes first."""
    for case in assignment.cases:
        family = case.subject.family if isinstance(case.subject, Puzzle) else None
        if isinstance(family, Sudoku):
            for size in _sizes(family):
                suite("grid", size)


def _sizes(family: Sudoku) -> list[int]:
    """Of grids to begin with, the smallest first; none where a grid has rules of its own."""
    if family.box or family.regions or family.diagonals or family.size < SMALL_SIZES[0]:
        return []
    return [*(size for size in SMALL_SIZES if size < family.size), family.size]


def shrink(
    attempt: Attempt, case: Case, known: Known, failed: CaseResult, seconds: float, hints: Sequence[Subject] = ()
) -> tuple[Small, Subject] | None:
    """The smallest failing puzzle found within the time, for people and as it is; None where there is no use in one.

    `hints` are small puzzles on which another algorithm of the same program fails.
    """
    kind = kind_of(failed)
    if kind is None:
        return None
    shrinking = _Shrinking(attempt, case, kind, Budget(seconds))
    subject = case.subject
    if isinstance(subject, GameTree):
        hint = next((tree for tree in hints if isinstance(tree, GameTree) and shrinking.fails(tree)), subject)
        subject = shrinking.tree(hint) if len(hint) <= LARGEST_TREE else hint
    elif isinstance(subject.family, Sudoku | Latin) and isinstance(known, Truth):
        subject = shrinking.grid(subject, known, [hint for hint in hints if isinstance(hint, Puzzle)])
    elif isinstance(subject.family, Queens):
        subject = shrinking.queens(subject.family, subject)
    return shrinking.small(subject, failed), subject


@dataclass(slots=True)
class _Shrinking:
    attempt: Attempt
    case: Case
    kind: Kind
    budget: Budget
    tried: dict[str, bool] = field(default_factory=dict)

    @property
    def needs_all(self) -> bool:
        return any(ask in (Ask.ALL, Ask.COUNT) for ask in self.case.asked)

    @property
    def patience(self) -> float:
        allowed = self.case.allowance.seconds
        return min(allowed, PATIENCE) if self.kind[0] is Verdict.TIMED_OUT else allowed

    def fails(self, subject: Subject, solution: Grid | None = None) -> bool:
        """Whether the same thing goes wrong; nothing fails once time is up. `solution` is one, where that is known."""
        text = to_text(subject, self.attempt.assignment.writing)
        if text not in self.tried:
            if self.budget.is_spent:
                return False
            result = self.result(subject, self.patience, solution)
            self.tried[text] = result is not None and kind_of(result) == self.kind
        return self.tried[text]

    def result(self, subject: Subject, seconds: float, solution: Grid | None = None) -> CaseResult | None:
        if solution is not None and not self.needs_all:
            known: Known | None = Truth(solution)
        else:
            known = certify_small(subject, self.needs_all, self.case.rule)
        return None if known is None else self.attempt.run(replace(self.case, subject=subject), known, seconds)

    def grid(self, puzzle: Puzzle, truth: Truth, hints: Sequence[Puzzle]) -> Puzzle:
        """From the smallest of a few puzzles that fail, down to where no cell can be filled in any more."""
        solution = truth.sample
        for start, found in self.starts(puzzle, solution is not None, hints):
            if self.fails(start, found):
                puzzle, solution = start, found
                break

        def fails(changed: Puzzle) -> bool:
            again = regrid(changed)
            # A puzzle without a solution must stay one: to find none is then still the right answer.
            return (solution is not None or not some(again, 1)) and self.fails(again, solution)

        while not self.budget.is_spent:
            smaller = regrid(minimise(puzzle, fails, solution, self.budget.left))
            if smaller == puzzle:
                break
            puzzle = smaller
        return puzzle

    def starts(
        self, puzzle: Puzzle, is_solvable: bool, hints: Sequence[Puzzle]
    ) -> Iterator[tuple[Puzzle, Grid | None]]:
        """Puzzles to begin with, each with a solution: small grids first, and of one size those with few blanks."""
        for hint in hints:
            found = min(some(hint, 1), default=None)
            if (found is not None) == is_solvable:
                yield hint, found
        family = puzzle.family
        if not isinstance(family, Sudoku):
            return
        for size in _sizes(family):
            trials = suite("grid", size)
            easy = [trial.puzzle for trial in trials if trial.puzzle.name in EASY]
            if size < family.size and not any(self.passes(puzzle) for puzzle in easy):
                continue
            for trial in sorted(trials, key=lambda trial: _blanks(trial.puzzle)):
                fewer = size < family.size or _blanks(trial.puzzle) < _blanks(puzzle)
                if fewer and bool(trial.solutions) == is_solvable:
                    yield trial.puzzle, min(trial.solutions, default=None)
            if size < family.size and is_solvable:
                blank = Sudoku.blank(size).puzzle("blank")
                yield blank, min(some(blank, 1))

    def passes(self, puzzle: Puzzle) -> bool:
        """Whether the program gets this one right."""
        result = self.result(puzzle, self.patience)
        return result is not None and all(
            part.verdict is Verdict.PASSED for part in result.parts if part.ask not in NOTHING_TO_LEARN
        )

    def queens(self, family: Queens, puzzle: Puzzle) -> Puzzle:
        """A smaller board, without queens on it."""
        smaller = (Queens(size).puzzle(puzzle.name) for size in range(1, family.size))
        return next((board for board in smaller if self.fails(board)), puzzle)

    def tree(self, tree: GameTree) -> GameTree:
        """The first smaller tree that still fails, again and again."""
        while True:
            smaller = next((other for other in smaller_trees(tree) if self.fails(other)), None)
            if smaller is None:
                return tree
            tree = smaller

    def small(self, subject: Subject, failed: CaseResult) -> Small:
        """The subject with what goes wrong on it; once more, because the evidence must be about what is shown."""
        is_minimal = not self.budget.is_spent
        final = replace(self.case, subject=subject)
        if subject is not self.case.subject:
            truth = certify_small(subject, self.needs_all, self.case.rule)
            result = None if truth is None else self.attempt.run(final, truth)
            if result is None or kind_of(result) != self.kind:
                # Slow on a small puzzle is not too slow; then the puzzle of the case has to do.
                final, is_minimal = self.case, False
            else:
                failed = result
        shown = failed.boards
        if not shown and isinstance(final.subject, Puzzle):
            shown = boards(puzzle_board(final.subject))
        return Small(
            size=size_of(final.subject),
            text=to_text(final.subject, self.attempt.assignment.writing),
            verdict=failed.verdict,
            expected=failed.expected,
            actual=failed.actual,
            evidence=failed.evidence,
            command=self.attempt.replay(final),
            is_minimal=is_minimal,
            boards=shown,
        )


def regrid(puzzle: Puzzle) -> Puzzle:
    """A grid whose domains were changed, built again, so that it can be written as a file."""
    family = puzzle.family
    assert isinstance(family, Sudoku | Latin)
    values = [domain[0] if len(domain) == 1 else 0 for domain in puzzle.domains]
    rows = tuple(tuple(values[r * family.size : (r + 1) * family.size]) for r in range(family.size))
    return replace(family, grid=rows).puzzle(puzzle.name)


def size_of(subject: Subject) -> str:
    """How large it is, in words."""
    if isinstance(subject, GameTree):
        return size_of_tree(subject)
    blanks = _blanks(subject)
    cells = "no empty cell" if blanks == 0 else "1 empty cell" if blanks == 1 else f"{blanks} empty cells"
    drawing = subject.drawing
    if drawing is not None and drawing.is_grid:
        return f"a {drawing.rows}x{drawing.columns} grid with {cells}"
    return f"{len(subject.domains)} cells, {blanks} of them open"


def _blanks(puzzle: Puzzle) -> int:
    return sum(len(domain) > 1 for domain in puzzle.domains)
