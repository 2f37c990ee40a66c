"""What the processes of a run use, all together, read from /proc.

A limit of the kernel's for a process says nothing about a hundred of them, and a control group is there for us only
where somebody has delegated one. So whoever runs a program looks often, and stops it when the sum is too large.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Usage:
    processes: int
    cpu_seconds: float
    """Of those that run and of those that they have waited for."""
    memory: int
    """Bytes in memory. Pages that several share are counted once as soon as it matters."""


def inside(init: int) -> str:
    """The /proc of the process namespace whose first process is `init`: it lists its processes and no others.

    OSError while the sandbox is being made: until `init` has a root of its own, this would be our own /proc.
    """
    proc = f"/proc/{init}/root/proc"
    if os.stat(proc).st_dev == os.stat("/proc").st_dev:
        raise FileNotFoundError(proc)
    return proc


def pids(proc: str) -> list[str]:
    return [name for name in os.listdir(proc) if name.isdigit()]


def below(ancestor: int) -> list[str]:
    """The descendants of a process in /proc, itself left out."""
    children: dict[int, list[int]] = {}
    for pid in pids("/proc"):
        if fields := _stat("/proc", pid):
            children.setdefault(int(fields[1]), []).append(int(pid))
    found, waiting = [], [ancestor]
    while waiting:
        born = children.get(waiting.pop(), [])
        found += [str(pid) for pid in born]
        waiting += born
    return found


def usage(proc: str, members: Iterable[str], limit: int) -> Usage:
    """What these processes use. The exact sum takes longer, so it is taken only where the rough one passes `limit`."""
    known = [(pid, fields) for pid in members if (fields := _stat(proc, pid))]
    cpu = sum(int(ticks) for _, fields in known for ticks in fields[11:15]) / _TICKS
    resident = {pid: _resident(proc, pid, fields) for pid, fields in known}
    memory = sum(resident.values())
    if memory > limit:
        memory = sum(_proportional(proc, pid, most) for pid, most in resident.items())
    return Usage(len(known), cpu, memory)


def _resident(proc: str, pid: str, fields: list[str]) -> int:
    if fields[0] != "Z":
        return int(fields[21]) * _PAGE
    # The first thread may end and leave the others: /proc then shows a process without memory.
    with suppress(OSError):
        threads = (_stat(f"{proc}/{pid}/task", thread) for thread in os.listdir(f"{proc}/{pid}/task"))
        return max((int(of_thread[21]) * _PAGE for of_thread in threads if of_thread), default=0)
    return 0


def _stat(proc: str, pid: str) -> list[str] | None:
    """The fields of /proc/PID/stat from the state on: a program may call itself `) R 1`, so the last bracket counts."""
    with suppress(OSError), open(f"{proc}/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rpartition(")")[2].split()
    return None


def _proportional(proc: str, pid: str, otherwise: int) -> int:
    with suppress(OSError), open(f"{proc}/{pid}/smaps_rollup", encoding="utf-8") as file:
        for line in file:
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    return otherwise
