"""Solutions and counts against the certified truth."""

from collections import Counter
from collections.abc import Sequence

from crosscount.homework.boards import answer_board, boards, nearest, puzzle_board, solution_board
from crosscount.homework.read_numbers import read_count
from crosscount.homework.read_solutions import Grid, Solutions, read_solutions
from crosscount.homework.reference import Truth
from crosscount.homework.results import Board, Verdict
from crosscount.homework.ruling import Answers, Ruling, passed
from crosscount.homework.sources import Source
from crosscount.puzzles.puzzle import Puzzle

MOST_SENTENCES = 4
LONGEST_COUNT = 60


def judge_one(answers: Answers) -> Ruling:
    """Any valid solution is right, and so are several; that there is none is checked."""
    puzzle, truth = _about(answers)
    found = _find(answers, puzzle)
    expected = "no solution" if truth.sample is None else "a solution"
    if found is None:
        return answers.missing("solution", expected, _left_over(answers, puzzle))
    source, said = found
    read = _read(source, said)
    if said.says_none:
        return _none_claimed(puzzle, truth, source, read, expected)
    wrong = _invalid(puzzle, said.grids, truth, read, expected)
    return wrong or passed(read, expected, "a solution")


def judge_all(answers: Answers) -> Ruling:
    """Every solution, each once."""
    puzzle, truth = _about(answers)
    assert truth.count is not None
    found = _find(answers, puzzle)
    expected = truth.words
    if found is None:
        return answers.missing("solution", expected, _left_over(answers, puzzle))
    source, said = found
    read = _read(source, said)
    if said.says_none:
        return _none_claimed(puzzle, truth, source, read, expected)
    wrong = _invalid(puzzle, said.grids, truth, read, expected)
    if wrong is not None:
        return wrong
    distinct = set(said.grids)
    actual = _solutions(len(distinct))
    repeated = sorted(grid for grid, times in Counter(said.grids).items() if times > 1)
    if repeated:
        times = said.grids.count(repeated[0])
        because = f"the same solution is there {times} times ({len(said.grids) - len(distinct)} repeats in all)"
        shown = boards(solution_board(puzzle, f"there {times} times", repeated[0]))
        return Ruling(Verdict.WRONG, 0.0, (because,), read, expected, f"{len(said.grids)} grids", shown)
    if len(distinct) == truth.count:
        return passed(read, expected, actual)
    because = f"{truth.count - len(distinct)} of {_solutions(truth.count)} missing, {len(distinct)} there"
    share = len(distinct) / truth.count if answers.assignment.rubric.share else 0.0
    shown = ()
    if truth.solutions is not None:
        lacks = min(truth.solutions - distinct)
        near = nearest(lacks, distinct)
        shown = boards(
            solution_board(puzzle, "missing", lacks, near),
            None if near is None else solution_board(puzzle, "the nearest that is there", near, lacks),
        )
    return Ruling(Verdict.WRONG, share, (because,), read, expected, actual, shown)


def judge_count(answers: Answers) -> Ruling:
    """How many there are, said in words or shown by listing them."""
    puzzle, truth = _about(answers)
    assert truth.count is not None
    found = answers.first(read_count)
    if found is not None:
        source, count = found
        read: tuple[str, ...] = (f"{source}: {_shown(count)} solutions",)
    else:
        listed = _find(answers, puzzle)
        if listed is None:
            return answers.missing("number of solutions", truth.words)
        source, said = listed
        count = len(set(said.grids))
        read = _read(source, said)
        if not said.says_none:
            read = (*read, "no number of solutions was found, so the grids were counted")
    if count == truth.count:
        return passed(read, truth.words, _solutions(count))
    because = f"{source.name} says {_shown(count)}, there {'is' if truth.count == 1 else 'are'} {truth.words}"
    shown = boards(puzzle_board(puzzle), _sample(puzzle, truth))
    return Ruling(Verdict.WRONG, 0.0, (because,), read, truth.words, _shown(count), shown)


def _about(answers: Answers) -> tuple[Puzzle, Truth]:
    assert isinstance(answers.case.subject, Puzzle)
    assert isinstance(answers.known, Truth)
    return answers.case.subject, answers.known


def _find(answers: Answers, puzzle: Puzzle) -> tuple[Source, Solutions] | None:
    def read(text: str) -> Solutions | None:
        said = read_solutions(text, puzzle)
        return said if said.grids or said.says_none else None

    return answers.first(read)


def _left_over(answers: Answers, puzzle: Puzzle) -> tuple[str, ...]:
    """What looks like the beginning of a grid."""
    found = ((source.name, read_solutions(source.text, puzzle).left_over) for source in answers.sources())
    return tuple(f"{name}: {why}" for name, why in found if why)


def _read(source: Source, said: Solutions) -> tuple[str, ...]:
    if said.says_none:
        return (f"{source}: that there is no solution",)
    return (f"{source}: {len(said.grids)} grid{'' if len(said.grids) == 1 else 's'}",)


def _none_claimed(puzzle: Puzzle, truth: Truth, source: Source, read: tuple[str, ...], expected: str) -> Ruling:
    if truth.sample is None:
        return passed(read, expected, "no solution")
    because = f"{source.name} says that there is no solution, but there is one"
    shown = boards(puzzle_board(puzzle), _sample(puzzle, truth))
    return Ruling(Verdict.WRONG, 0.0, (because,), read, expected, "no solution", shown)


def _sample(puzzle: Puzzle, truth: Truth) -> Board | None:
    if truth.sample is None:
        return None
    title = "its solution" if truth.count == 1 else "one of its solutions"
    return solution_board(puzzle, title, truth.sample)


def _invalid(
    puzzle: Puzzle, grids: Sequence[Grid], truth: Truth, read: tuple[str, ...], expected: str
) -> Ruling | None:
    """The first grid that is not a solution; None where all are."""
    for k, grid in enumerate(grids, 1):
        broken = puzzle.violated(grid)
        if not broken:
            continue
        which = "the grid" if len(grids) == 1 else f"grid {k} of {len(grids)}"
        unfilled = [v for v, x in enumerate(grid) if x == 0 and 0 not in puzzle.domains[v]]
        if unfilled:
            given = tuple(d[0] if len(d) == 1 else 0 for d in puzzle.domains)
            cells = "1 empty cell" if len(unfilled) == 1 else f"{len(unfilled)} empty cells"
            what = "the puzzle itself" if grid == given else cells
            lines = [f"{which} is not a solution: it is {what}" if grid == given else f"{which} has {what}"]
            others = [b for b in broken if _without_blanks(grid, b.cells)]
        else:
            lines, others = [f"{which} is not a solution"], broken
        shown = [*lines, *map(str, others[:MOST_SENTENCES])]
        if len(others) > MOST_SENTENCES:
            shown.append(f"and {len(others) - MOST_SENTENCES} more")
        if truth.sample is None:
            shown.append("the puzzle has no solution")
        drawn = boards(puzzle_board(puzzle), answer_board(puzzle, "the answer", grid), _sample(puzzle, truth))
        return Ruling(Verdict.WRONG, 0.0, tuple(shown), read, expected, "a grid that is not a solution", drawn)
    return None


def _without_blanks(grid: Grid, cells: Sequence[int]) -> bool:
    """Whether something is broken also when blanks are not counted as a value."""
    values = [grid[v] for v in cells if grid[v] != 0]
    return (len(cells) == 1 and bool(values)) or len(set(values)) < len(values)


def _solutions(count: int) -> str:
    return "1 solution" if count == 1 else f"{_shown(count)} solutions"


def _shown(count: int) -> str:
    # Python refuses to write very long numbers, and nobody wants to read one.
    if abs(count) >= 10**LONGEST_COUNT:
        return f"a number of more than {LONGEST_COUNT} digits"
    return str(count)
