"""Every claim gets the outcome that it deserves: passed only where two unlike engines have shown it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from crosscount.compare.engines import find
from crosscount.compare.gate import Gate, Settings, check
from crosscount.compare.gate_read import PuzzleSubject, Subject, load
from crosscount.compare.gate_result import Outcome, Result, tally, worst
from crosscount.native import ENGINES
from crosscount.puzzles.engine import Batch, Engine, Limits, Stopped, Unavailable
from crosscount.puzzles.puzzle import Puzzle

FC, SAT = find("fc-mrv"), find("sat")
QUICK = Settings((FC, SAT), Limits(seconds=20))
FOUR_QUEENS = 'family = "queens"\nsize = 4\n[expect]\n'


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """What is loaded here, every worker inherits; otherwise each would load it again."""
    for engine in (FC, SAT):
        list(engine.search(Puzzle("p", ((1, 2),), ()), Limits()))


def subjects(folder: Path, text: str, name: str = "p.puzzle.toml") -> list[Subject]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    found = load(str(path))
    assert not any(isinstance(item, Result) for item in found), found
    return [item for item in found if not isinstance(item, Result)]


def one(folder: Path, text: str, settings: Settings = QUICK) -> Result:
    (result,) = check(subjects(folder, text), settings)
    return result


CLAIMS = {
    "count = 2": "passed",
    "count = 1": "failed",
    "count = 3": "failed",
    "count = 0": "failed",
    'count = "2"': "passed",
    "unique = true": "failed",
    "unique = false": "passed",
    "at_least = 0": "passed",
    "at_least = 1": "passed",
    "at_least = 2": "passed",
    "at_least = 3": "failed",
    "at_least = 2\nunique = false": "passed",
    "at_least = 3\nunique = false": "failed",
    "solutions = [[2, 4, 1, 3], [3, 1, 4, 2]]": "passed",
    "solutions = [[2, 4, 1, 3]]": "failed",
    "solutions = [[2, 4, 1, 3]]\ncount = 2": "passed",
    "solutions = [[2, 4, 1, 3]]\nat_least = 1": "passed",
    "solutions = [[2, 4, 1, 3]]\ncount = 1": "failed",
    "solutions = [[1, 2, 3, 4]]\ncount = 2": "failed",
    "solutions = []": "failed",
}


def test_claims_about_four_queens(tmp_path: Path) -> None:
    claimed = [s for claim in CLAIMS for s in subjects(tmp_path, FOUR_QUEENS + claim)]
    outcomes = [str(result.outcome) for result in check(claimed, QUICK)]
    assert dict(zip(CLAIMS, outcomes, strict=True)) == CLAIMS


def test_claims_about_a_puzzle_without_solutions(tmp_path: Path) -> None:
    claims = {"count = 0": "passed", "unique = false": "passed", "unique = true": "failed", "at_least = 1": "failed"}
    three_queens = 'family = "queens"\nsize = 3\n[expect]\n'
    results = check([s for claim in claims for s in subjects(tmp_path, three_queens + claim)], QUICK)
    assert [result.outcome for result in results] == list(claims.values())


def test_a_unique_solution(tmp_path: Path) -> None:
    full = 'family = "queens"\nsize = 4\nplaced = { 1 = 2 }\n[expect]\n'
    assert one(tmp_path, full + "unique = true").outcome is Outcome.PASSED
    failed = one(tmp_path, full + "unique = false")
    assert failed.because == "expected none or several solutions, found exactly 1 solution"


def test_a_refuted_claim_shows_grids_that_anybody_can_check(tmp_path: Path) -> None:
    result = one(tmp_path, FOUR_QUEENS + "unique = true")
    assert result.because == "expected exactly 1 solution, found exactly 2 solutions"
    assert "one solution" in result.difference
    assert "They differ in q1 (2, 3)" in result.difference
    listed = one(tmp_path, FOUR_QUEENS + "solutions = [[2, 4, 1, 3]]")
    assert "not listed" in listed.difference
    none = one(tmp_path, FOUR_QUEENS + "solutions = [[1, 2, 3, 4]]")
    assert none.because.startswith("a listed solution is none: ")
    assert "listed as a solution" in none.difference


def test_more_solutions_than_claimed_refute_before_all_are_found(tmp_path: Path) -> None:
    result = one(tmp_path, 'family = "sudoku"\nsize = 9\n[expect]\ncount = 5')
    assert result.outcome is Outcome.FAILED
    assert result.found.startswith("at least ")
    assert "They differ in " in result.difference


def test_at_least_is_confirmed_by_checked_solutions_alone(tmp_path: Path) -> None:
    result = one(tmp_path, 'family = "sudoku"\nsize = 9\n[expect]\nat_least = 50')
    assert result.outcome is Outcome.PASSED
    assert "each checked" in result.because


def test_a_claim_beyond_the_limits_is_undecided_also_at_the_right_number(tmp_path: Path) -> None:
    def stops(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        yield from ENGINES["fc-mrv"].search(puzzle, Limits())
        raise Stopped("time")

    lazy = replace(FC, name="lazy", search=stops)
    result = one(tmp_path, FOUR_QUEENS + "count = 2", Settings((lazy, SAT)))
    assert result.outcome is Outcome.UNDECIDED
    assert "two families are needed" in result.because


def test_a_count_too_large_to_list_is_undecided(tmp_path: Path) -> None:
    claim = 'family = "sudoku"\nsize = 9\n[expect]\ncount = "6670903752021072936960"'
    result = one(tmp_path, claim, Settings((FC, SAT), Limits(seconds=0.2)))
    assert result.outcome is Outcome.UNDECIDED
    assert "stopped (time)" in result.because


def test_one_family_alone_is_undecided(tmp_path: Path) -> None:
    assert one(tmp_path, FOUR_QUEENS + "count = 2", Settings((FC, ENGINES["bt"]))).outcome is Outcome.UNDECIDED


def test_an_engine_that_was_skipped_is_named(tmp_path: Path) -> None:
    def unavailable(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        raise Unavailable("pip install 'crosscount[asp]'")

    asp = Engine("asp", "asp", "", "", unavailable)
    result = one(tmp_path, FOUR_QUEENS + "count = 2", Settings((FC, asp)))
    assert result.outcome is Outcome.UNDECIDED
    assert result.facts is not None
    assert [(e.name, e.status) for e in result.facts.engines] == [("fc-mrv", "complete"), ("asp", "skipped")]


def test_sat_stands_in_where_cpsat_cannot_count_that_far(tmp_path: Path) -> None:
    far = 2**62
    text = f"""
family = "csp"
[cells]
a = [0, 1]
b = [0, 1]
[[constraints]]
type = "linear"
cells = ["a", "b"]
coefficients = [{far}, {far}]
relation = "<="
value = {far}
[expect]
count = 3
"""
    result = one(tmp_path, text, Settings())
    assert result.facts is not None
    assert [e.status for e in result.facts.engines] == ["complete", "skipped", "complete"]
    assert result.outcome is Outcome.PASSED


def test_many_solutions_go_to_the_engines_that_list_them_fast(tmp_path: Path) -> None:
    latin = 'family = "latin"\nsize = 5\n[expect]\nat_least = {}'
    gate = Gate(Settings())
    for number, names in ((100, ["gac", "cpsat"]), (100_000, ["gac", "sat"])):
        (subject,) = subjects(tmp_path, latin.format(number))
        assert isinstance(subject, PuzzleSubject)
        assert [engine.name for engine in gate.first_choice(subject.claim)] == names


def test_a_lying_engine_fails_even_where_the_count_is_right(tmp_path: Path) -> None:
    def forgets(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        for batch in ENGINES["bt"].search(puzzle, limits):
            yield replace(batch, solutions=batch.solutions[:-1])

    liar = Engine("liar", "other", "", "", forgets)
    result = one(tmp_path, FOUR_QUEENS + "count = 2", Settings((FC, SAT, liar)))
    assert result.outcome is Outcome.FAILED
    assert result.because.startswith("the engines disagree: liar claims to be complete and lacks 1 solution")
    assert "liar lacks" in result.difference


def test_out_of_memory_is_a_limit_and_not_a_mistake(tmp_path: Path) -> None:
    def hungry(puzzle: Puzzle, limits: Limits) -> Iterator[Batch]:
        raise MemoryError
        yield

    result = one(tmp_path, FOUR_QUEENS + "count = 2", Settings((FC, Engine("hungry", "other", "", "", hungry))))
    assert result.outcome is Outcome.UNDECIDED
    assert "out of memory" in result.because


def test_results_come_in_the_order_of_the_claims_whatever_finishes_first(tmp_path: Path) -> None:
    grids = ["................:288", "1.....3..2.....4:1", "12..............:24", "................:288"]
    text = "\n".join(grids * 5)
    claims = subjects(tmp_path, text, "many.txt")
    results = check(claims, replace(QUICK, jobs=2))
    assert [result.line for result in results] == list(range(1, 21))
    assert [result.name for result in results] == [f"many#{k}" for k in range(1, 21)]
    assert tally(results) == "20 passed"


def test_a_fault_of_ours_concerns_one_claim_and_not_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from crosscount.compare import gate

    honest = gate.facts_of

    def breaks(comparison: object, claim: object) -> object:
        if comparison.puzzle.name.endswith("#2"):  # type: ignore[attr-defined]
            raise ZeroDivisionError("division by zero")
        return honest(comparison, claim)  # type: ignore[arg-type]

    monkeypatch.setattr(gate, "facts_of", breaks)
    results = check(subjects(tmp_path, "1.....3..2.....4:1\n................:288\n................:1", "c.txt"), QUICK)
    assert [result.outcome for result in results] == [Outcome.PASSED, Outcome.FAULT, Outcome.FAILED]
    assert worst(results) is Outcome.FAULT


def test_an_interrupt_leaves_the_rest_undecided(tmp_path: Path) -> None:
    claims = subjects(tmp_path, "\n".join(["................:288"] * 8), "c.txt")

    def interrupt(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    results = check(claims, replace(QUICK, jobs=1), interrupt)
    assert sum(result.outcome is Outcome.PASSED for result in results) == 3
    assert sum(result.because == "interrupted before it was checked" for result in results) == 5


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ("passed", "passed"),
        ("passed undecided", "undecided"),
        ("undecided failed passed", "failed"),
        ("failed bad_file undecided", "bad file"),
        ("bad_file fault failed", "fault of ours"),
        ("", "bad file"),
    ],
)
def test_the_worst_decides(outcomes: str, expected: str) -> None:
    results = [Result("f", 1, "p", "", Outcome[word.upper()], "") for word in outcomes.split()]
    assert worst(results) == expected


def test_trees(tmp_path: Path) -> None:
    tree = 'family = "tree"\ntree = [[3, 5], [2, 9]]\n[expect]\nvalue = '
    assert one(tmp_path, tree + "3").outcome is Outcome.PASSED
    assert one(tmp_path, tree + "3.0").outcome is Outcome.PASSED
    failed = one(tmp_path, tree + "5")
    assert (failed.outcome, failed.because) == (Outcome.FAILED, "expected the value 5, found 3")
    assert failed.line == 4
    other = one(tmp_path, tree.replace("tree = [[", 'root = "min"\ntree = [[') + "5")
    assert other.outcome is Outcome.PASSED


def test_a_tree_in_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text("[[3, 5], [2, 9]]")
    assert one(tmp_path, 'family = "tree"\nfile = "game.json"\n[expect]\nvalue = 3').outcome is Outcome.PASSED


def test_a_tree_beyond_its_time_is_undecided(tmp_path: Path) -> None:
    tree = 'family = "tree"\ntree = [[3, 5], [2, 9]]\n[expect]\nvalue = 3'
    result = one(tmp_path, tree, replace(QUICK, limits=Limits(seconds=0.0)))
    assert result.outcome is Outcome.UNDECIDED
    assert "time limit" in result.because


def test_lines_of_claims(tmp_path: Path) -> None:
    text = '# count = 1\nfamily = "queens"\nsize = 4\n\n[expect] # what we know\nat_least = 2\n# more\nunique = false\n'
    (subject,) = subjects(tmp_path, text)
    assert isinstance(subject, PuzzleSubject)
    assert (subject.line_of("at_least"), subject.line_of("unique")) == (6, 8)
    assert one(tmp_path, text.replace("= 2", "= 3")).line == 6
    inline = 'family = "queens"\nexpect = { count = 3 }\nsize = 4\n'
    assert one(tmp_path, inline).line == 2
