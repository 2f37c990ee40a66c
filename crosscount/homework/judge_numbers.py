"""Node counts and times: that they are there. Whether they can be true is for `sanity`, and costs nobody a point."""

from crosscount.homework.read_numbers import Time, read_nodes, read_times
from crosscount.homework.ruling import Answers, Ruling, passed


def judge_nodes(answers: Answers) -> Ruling:
    """A number of nodes."""
    found = answers.first(read_nodes)
    if found is None:
        return answers.missing("number of nodes", "a number of nodes")
    source, nodes = found
    return passed((f"{source}: {nodes:,} nodes",), "a number of nodes", f"{nodes} nodes", nodes=nodes)


def judge_time(answers: Answers) -> Ruling:
    """A time, in any unit."""

    def read(text: str) -> list[Time] | None:
        return read_times(text, answers.assignment.places.time_unit) or None

    found = answers.first(read)
    if found is None:
        return answers.missing("time", "a time")
    source, times = found
    shown = ", ".join(f"{time.label} {time.shown}" for time in times[:4])
    ran = answers.ended.seconds
    # A clock that is a little off, or a process that was slow to start, is no reason for a word.
    late = [time for time in times if time.has_unit and time.seconds > 1.5 * ran + 0.5]
    notes = tuple(f"{source.name} claims {time.shown}, but the whole run took {ran:.2f} s" for time in late[:1])
    return passed((f"{source}: {shown}",), "a time", shown, notes=notes)
