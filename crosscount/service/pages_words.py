"""What a result means, in words and rows for a page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from crosscount.compare.words import LIMITS
from crosscount.service.store import Job

Tone = Literal["agree", "disagree", "undecided", "busy", "plain"]

DASH = "\N{EN DASH}"
MARKS: dict[Tone, str] = {"agree": "✓", "disagree": "✗", "undecided": "?", "busy": "…", "plain": DASH}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The sentence that a person came for, and what stands behind it."""

    tone: Tone
    title: str
    text: str

    @property
    def mark(self) -> str:
        return MARKS[self.tone]


@dataclass(frozen=True, slots=True)
class Row:
    """One engine in the table."""

    name: str
    family: str
    status: str
    """One word, for the stylesheet."""
    state: str
    claim: str
    nodes: str
    seconds: str
    bar: float
    """Its count as a share of the largest, from 0 to 1."""


def grouped(number: int | str | None) -> str:
    """12,345; a dash where there is no number."""
    return DASH if number is None else f"{int(number):,}"


def solutions(count: int | str) -> str:
    return "1 solution" if int(count) == 1 else f"{grouped(count)} solutions"


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def shown_seconds(seconds: float) -> str:
    if seconds < 0.0005:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.0f} ms" if seconds < 0.9995 else f"{seconds:.1f} s"


def rows(job: Job) -> list[Row]:
    """The engines as far as they are."""
    source = job.result or job.progress
    entries: list[dict[str, Any]] = [] if source is None else source.get("engines", [])
    most = max((int(entry["count"]) for entry in entries if entry["count"] is not None), default=0)
    return [_row(entry, most) for entry in entries]


def _row(entry: Mapping[str, Any], most: int) -> Row:
    count = entry["count"]
    status = entry["status"]
    if status == "skipped":
        claim = DASH
    elif status == "complete" and count is not None:
        claim = f"exactly {grouped(count)}"
    elif status in ("running", "waiting"):
        claim = "" if count is None else f"{grouped(count)} so far"
    else:
        claim = f"at least {grouped(count)}" if count else "unknown"
    reason = entry["reason"]
    state = f"{status}: {LIMITS.get(reason, reason)}" if reason else status
    bar = int(count) / most if count is not None and most else 1.0 if status == "complete" else 0.0
    seconds = "" if status in ("skipped", "waiting") else shown_seconds(entry["seconds"])
    nodes = "" if status in ("skipped", "waiting") else grouped(entry["nodes"])
    return Row(entry["name"], entry["family"], status, state, claim, nodes, seconds, bar)


def verdict(job: Job) -> Verdict:
    """What is known, whatever was asked and however far it is."""
    if job.status == "queued":
        before = "" if not job.position else f" {plural(job.position, 'job')} come first."
        return Verdict("busy", "Waiting for its turn", f"Accepted and kept, whatever happens.{before}")
    if job.status == "running":
        return _running(job)
    if job.status == "cancelled":
        return Verdict("plain", "Cancelled", "It was ended before there was an answer.")
    result = job.result
    if job.status == "failed" or result is None:
        return Verdict("plain", "It could not be answered", job.reason or "nothing is known about why")
    if job.operation == "check":
        return _checked(result)
    if job.operation == "tree":
        return _tree(result)
    return _compared(result) if result["verdict"] != "undecided" else _undecided(result)


def _running(job: Job) -> Verdict:
    engines = (job.progress or {}).get("engines", [])
    done = sum(entry["status"] not in ("running", "waiting") for entry in engines)
    most = max((int(entry["count"] or 0) for entry in engines), default=0)
    known = f" At least {solutions(most)} so far." if most else ""
    if not engines:
        return Verdict("busy", "Starting", "The engines are being prepared.")
    return Verdict("busy", "Searching", f"{done} of {plural(len(engines), 'engine')} have finished.{known}")


def _compared(result: Mapping[str, Any]) -> Verdict:
    if result["verdict"] == "disagree":
        engines = list(dict.fromkeys(finding["engine"] for finding in result["findings"]))
        wrong = ", ".join(engines)
        title = f"{wrong} {'is' if len(engines) == 1 else 'are'} wrong"
        known = "" if result["count"] is None else f" The others find exactly {solutions(result['count'])}."
        return Verdict("disagree", title, f"{_sentence(result['because'])}{known}")
    count = int(result["count"])
    title = "No solution" if count == 0 else f"Exactly {solutions(count)}"
    meaning = {0: "The puzzle cannot be filled.", 1: "The puzzle is well-formed."}.get(count, "")
    why = f"{result['because']}, and every grid that was listed has been checked against the rules."
    return Verdict("agree", title, f"{meaning} {why}".strip())


def _undecided(result: Mapping[str, Any]) -> Verdict:
    alone = len(result["engines"]) == 1
    if alone and result["exact"]:
        engine = result["engines"][0]["name"]
        count = int(result["count"])
        title = "No solution" if count == 0 else f"Exactly {solutions(count)}"
        return Verdict("plain", f"{title}, says {engine}", "One engine alone proves nothing: compare it with others.")
    known = f"At least {solutions(result['at_least'])}" if int(result["at_least"]) else "Unknown"
    if alone:
        engine = result["engines"][0]
        why = LIMITS.get(engine["reason"], engine["reason"])
        return Verdict("plain", known, f"{engine['name']} {engine['status']}: {why}.")
    return Verdict("undecided", known, f"Undecided: {result['because']}.")


def _checked(result: Mapping[str, Any]) -> Verdict:
    if result["valid"]:
        return Verdict("agree", "The answer is a solution", "Every rule of the puzzle holds.")
    count = len(result["broken"])
    return Verdict(
        "disagree", "The answer is not a solution", f"{plural(count, 'rule')} {'is' if count == 1 else 'are'} broken."
    )


def _tree(result: Mapping[str, Any]) -> Verdict:
    moves = ", ".join(str(int(move) + 1) for move in result["moves"])
    best = "" if not result["moves"] else f" Best: branch {moves}, counted from the left."
    value = f"The root is worth {result['value']}."
    if result["verdict"] == "agree":
        title = "The answer holds" if "answer" in result else f"Alpha-beta and minimax agree: {result['value']}"
        return Verdict("agree", title, f"{value}{best} All pruning is justified.")
    own = [finding for finding in result["findings"] if finding["engine"] in ("answer", "solution")]
    title = "The answer is wrong" if own else "The searches disagree"
    return Verdict("disagree", title, f"{plural(len(result['findings']), 'finding')} below. {value}{best}")


def _sentence(words: str) -> str:
    """With a full stop. It may begin with the name of an engine, so its first letter stays as it is."""
    return words if words.endswith((".", "!", "?")) else f"{words}."
