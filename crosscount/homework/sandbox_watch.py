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
FREE_SOCKETS = 32
SOCKET = 416 << 10
"""Bytes that a socket may hold for its reader, when a program has asked for the most."""


@dataclass(frozen=True, slots=True)
class Usage:
    processes: int
    cpu_seconds: float
    """Of those that run and of those that they have waited for."""
    memory: int
    """Bytes in memory, page tables included. Pages that several share are counted once as soon as it matters."""


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
        if fields := _stat(f"/proc/{pid}"):
            children.setdefault(int(fields[1]), []).append(int(pid))
    found, waiting = [], [ancestor]
    while waiting:
        born = children.get(waiting.pop(), [])
        found += [str(pid) for pid in born]
        waiting += born
    return found


def usage(proc: str, members: Iterable[str], limit: int) -> Usage:
    """What these processes use. The exact sum takes longer, so it is taken only where the rough one passes `limit`."""
    known = {f"{proc}/{pid}": fields for pid in members if (fields := _stat(f"{proc}/{pid}"))}
    cpu = sum(int(ticks) for fields in known.values() for ticks in fields[11:15]) / _TICKS
    resident = dict(_holder(task, fields) for task, fields in known.items())
    tables = sum(_number(f"{task}/status", "VmPTE:") or 0 for task in resident)
    memory = sum(resident.values())
    if memory + tables > limit:
        exact = {task: _number(f"{task}/smaps_rollup", "Pss:") for task in resident}
        memory = sum(resident[task] if size is None else size for task, size in exact.items())
    return Usage(len(known), cpu, memory + tables)


def sockets(init: int) -> int:
    """Bytes that the sockets of a network namespace may hold, which are no process's own."""
    used = _number(f"/proc/{init}/net/sockstat", "sockets: used", unit=1) or 0
    return max(0, used - FREE_SOCKETS) * SOCKET


def _holder(task: str, fields: list[str]) -> tuple[str, int]:
    """Where in /proc the memory of a process is shown, and how much of it is resident.

    The first thread may end and leave the others: the process is then shown without memory, and they are not.
    """
    if fields[0] == "Z":
        with suppress(OSError):
            for thread in os.listdir(f"{task}/task"):
                of_thread = _stat(f"{task}/task/{thread}")
                if of_thread and of_thread[0] != "Z":
                    return f"{task}/task/{thread}", int(of_thread[21]) * _PAGE
    return task, int(fields[21]) * _PAGE


def _stat(task: str) -> list[str] | None:
    """The fields of /proc/PID/stat from the state on: a program may call itself `) R 1`, so the last bracket counts."""
    with suppress(OSError), open(f"{task}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rpartition(")")[2].split()
    return None


def _number(path: str, name: str, unit: int = 1024) -> int | None:
    """The number after a name in a file of /proc, in bytes; None where there is none."""
    with suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith(name):
                return int(line.removeprefix(name).split()[0]) * unit
    return None
