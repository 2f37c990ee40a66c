"""How much memory a process takes up, together with those that it has started."""

import os
from pathlib import Path

PRIVATE = ("Private_Clean:", "Private_Dirty:", "Private_Hugetlb:", "Swap:")
SHARE = ("Pss:", "SwapPss:")


def holds_more(pid: int | None, limit: int) -> bool:
    """Whether a forked process and those below it hold more bytes of their own than that."""
    # What is resident is read in no time, but counts what the process still shares with its parent, and a parent may
    # be large. What is its own takes longer to tell, so only a process that may be guilty is asked.
    return resident(pid) > limit and _unshared(pid) > limit


def resident(pid: int | None) -> int:
    """Bytes that a process and those below it have in memory, shared or not; 0 where this cannot be told."""
    return sum(_resident(each) for each in (pid, *below(pid)))


def below(pid: int | None) -> list[int]:
    """The processes that a process has started, and theirs."""
    try:
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    return [*children, *(each for child in children for each in below(child))]


def _unshared(pid: int | None) -> int:
    """Bytes that the process has for itself, and the part that each one below it has in what those share."""
    return _rollup(pid, PRIVATE) + sum(_rollup(each, SHARE) for each in below(pid))


def _resident(pid: int | None) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _rollup(pid: int | None, names: tuple[str, ...]) -> int:
    try:
        rows = [line.split() for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()]
    except OSError:  # it has ended, or the kernel is an old one
        return _resident(pid)
    return sum(int(row[1]) << 10 for row in rows if row[0] in names)
