"""Answers about game trees, through the audit that holds every search against minimax."""

from crosscount.compare.audit import Audit, Auditor
from crosscount.compare.audit_answer import claim_of_answer
from crosscount.compare.tree_run import TreeComparison
from crosscount.compare.tree_text import to_lines
from crosscount.compare.tree_view import view
from crosscount.homework.assignment import Ask
from crosscount.homework.read_tree import read_tree_answer
from crosscount.homework.results import Verdict
from crosscount.homework.ruling import Answers, Ruling, passed
from crosscount.puzzles.errors import InputError
from crosscount.puzzles.gametree import show_value
from crosscount.puzzles.tree_answer import Answer, Item

MOST_LINES = 40
MOST_LEAVES = 60
WORDS = {Ask.VALUE: "value of the root", Ask.MOVE: "move", Ask.VISITED: "list of visited leaves"}


def judge_tree(answers: Answers) -> Ruling:
    """The value, the move, or the visited leaves."""
    auditor, ask = answers.known, answers.ask
    assert isinstance(auditor, Auditor)

    def read(text: str) -> Answer | None:
        return _only(read_tree_answer(text), ask)

    found = answers.first(read)
    expected = _expected(auditor, ask)
    if found is None:
        return answers.missing(WORDS[ask], expected)
    source, answer = found
    actual = _said(answer, ask)
    told = (f"{source}: {ask} {actual}",)
    try:
        claim, wrong = claim_of_answer(auditor, answer)
    except InputError as error:
        return Ruling(Verdict.WRONG, 0.0, (str(error),), told, expected, actual)
    audit = auditor.audit(claim)
    audit = Audit((*wrong, *audit.findings), audit.notes, audit.needless)
    evidence = [finding.because for finding in audit.findings]
    notes = list(audit.notes)
    if audit.needless and not answers.assignment.rubric.needless:
        evidence += [note for note in notes if note.startswith("too little pruning")]
        notes = [note for note in notes if not note.startswith("too little pruning")]
    drawing = _drawing(auditor, audit, claim.visited) if ask is Ask.VISITED and evidence else ""
    if not evidence:
        return passed(told, expected, actual, notes=tuple(notes))
    return Ruling(Verdict.WRONG, 0.0, tuple(evidence), told, expected, actual, drawing=drawing, notes=tuple(notes))


def _only(answer: Answer, ask: Ask) -> Answer | None:
    """The answer without what was not asked; None where it does not say what was."""
    match ask:
        case Ask.VALUE if answer.value is not None:
            return Answer(answer.place, value=answer.value)
        case Ask.MOVE if answer.move is not None:
            return Answer(answer.place, move=answer.move)
        case Ask.VISITED if answer.visited is not None:
            return Answer(answer.place, visited=answer.visited, pruned=answer.pruned)
        case Ask.VISITED if answer.pruned is not None:
            return Answer(answer.place, pruned=answer.pruned)
    return None


def _expected(auditor: Auditor, ask: Ask) -> str:
    if ask is Ask.VALUE:
        return show_value(auditor.value)
    if ask is Ask.MOVE:
        return " or ".join(auditor.move_label(k) for k in auditor.optimal) or "no move: the root is a leaf"
    leaves = [auditor.tree.values[leaf] for leaf in auditor.reference.leaves]
    return f"for instance {_leaves(tuple(value for value in leaves if value is not None))}"


def _said(answer: Answer, ask: Ask) -> str:
    if ask is Ask.VALUE and answer.value is not None:
        return show_value(answer.value)
    if ask is Ask.MOVE:
        return str(answer.move)
    if answer.visited is None:
        return f"all but {_leaves(answer.pruned or ())}"
    return _leaves(answer.visited)


def _leaves(items: tuple[Item, ...]) -> str:
    shown = " ".join(item if isinstance(item, str) else show_value(item) for item in items[:MOST_LEAVES])
    return f"{shown} … ({len(items)} in all)" if len(items) > MOST_LEAVES else shown or "none"


def _drawing(auditor: Auditor, audit: Audit, visited: "object") -> str:
    """The tree as the program searched it."""
    seen = tuple(visited) if isinstance(visited, list | tuple) else None
    if seen is None:
        return ""
    comparison = TreeComparison(
        auditor.tree, auditor.rule, auditor.value, auditor.optimal, (), audit.findings, audit, auditor, seen
    )
    return "\n".join(to_lines(view(comparison), MOST_LINES))
