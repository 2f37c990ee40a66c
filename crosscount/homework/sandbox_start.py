"""Starting a program, with the limits of the kernel's that bind each of its processes."""

import ctypes
import json
import os
import resource
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from crosscount.homework.sandbox_run import SELF, Limits, Run

STARTING = 30.0
"""Seconds within which bubblewrap must have made the sandbox."""
FIRST = ("/bin/sh", "-c", 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?', SELF)
"""The first process of the sandbox, which starts the program and waits for it.

Not bubblewrap's own, because that runs without the filter of system calls, and a program can write into the memory of
another that has the same user. What the shell says of signals is thrown away, what it cannot start is not.
"""
_PR_SET_CHILD_SUBREAPER = 36


def bubblewrapped(
    bwrap: Sequence[str],
    said: Sequence[str],
    argv: Sequence[str],
    bpf: bytes | None,
    user: int | None,
    limits: Limits,
) -> Run:
    """Start `argv` in bubblewrap; the limits bind before the first instruction of it runs."""
    _adopt_orphans()
    info_in, info_out = os.pipe()
    held_in, held_out = os.pipe()
    passed = [info_out, held_in]
    options = [*said, "--as-pid-1", "--info-fd", str(info_out), "--block-fd", str(held_in)]
    if bpf is not None:
        passed.append(_readable(bpf))
        options += ["--seccomp", str(passed[-1])]
    # Through a pipe, because the program can read the command line of its first process, and that holds our paths.
    passed.append(_readable(b"".join(os.fsencode(word) + b"\0" for word in options)))
    process = subprocess.Popen(
        [*bwrap, "--args", str(passed[-1]), "--", *FIRST, *argv],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=passed,
        env={},
        cwd="/",
        user=user,
        group=user,
        extra_groups=None if user is None else [],
    )
    for fd in passed:
        os.close(fd)
    begun = time.monotonic()
    init = _init(info_in)
    os.close(info_in)
    if init is not None:
        _limit_as(user, init, limits)
        begun = time.monotonic()
        os.write(held_out, b"x")
    else:
        # Closing the pipe lets it go on, and nothing would bind it.
        process.kill()
    os.close(held_out)
    return Run(process, limits, begun, wrapped=True, init=init)


def plain(argv: Sequence[str], cwd: Path, environment: Mapping[str, str], limits: Limits) -> Run:
    """Start `argv` as an ordinary program of this user."""
    _adopt_orphans()
    process = subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=dict(environment),
        start_new_session=True,
        preexec_fn=lambda: _limit(0, limits),  # the stage has one thread, so this is safe
    )
    return Run(process, limits, time.monotonic(), wrapped=False)


def _adopt_orphans() -> None:
    """Whatever a program leaves behind becomes our child, so that it can be found and waited for."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _readable(content: bytes) -> int:
    """An open file with this content."""
    fd = os.memfd_create("crosscount")
    os.write(fd, content)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _init(info: int) -> int | None:
    """The first process of the sandbox, as it is known outside; None where bubblewrap gave up."""
    said, until = b"", time.monotonic() + STARTING
    while b"}" not in said:
        left = until - time.monotonic()
        if left <= 0 or not select.select([info], [], [], left)[0]:
            return None
        data = os.read(info, 4096)
        if not data:
            return None
        said += data
    return int(json.loads(said)["child-pid"])


def _limit_as(user: int | None, pid: int, limits: Limits) -> None:
    """Set limits of a process that belongs to `user`: root may do that only with a capability, its owner always."""
    if user is None:
        _limit(pid, limits)
        return
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
            _limit(pid, limits)
            os._exit(0)
        finally:
            os._exit(1)
    if os.waitpid(child, 0)[1] != 0:
        raise OSError("the limits could not be set")


def _limit(pid: int, limits: Limits) -> None:
    """Limits of the kernel's for each process that will descend from this one (0: from us)."""
    cpu = int(limits.cpu_seconds) + 2
    wanted = {
        # Not 0: a machine that pipes core dumps to a program of its own, with root's rights, does that all the same,
        # and makes an exception for 1 alone.
        resource.RLIMIT_CORE: 1,
        resource.RLIMIT_CPU: cpu,
        resource.RLIMIT_FSIZE: limits.file_size,
        resource.RLIMIT_NOFILE: 512,
        # A backstop for one process that takes too much at once. Not RLIMIT_AS: Java and Node reserve far more room
        # than they use. Not the limit itself: whoever passes that is told so instead of being refused.
        resource.RLIMIT_DATA: 2 * limits.memory + (1 << 30),
        # In a namespace of users of its own, only the processes inside are counted; the first is ours.
        resource.RLIMIT_NPROC: limits.processes + 1,
    }
    if pid == 0:
        # Outside, it would count everything that this user runs.
        del wanted[resource.RLIMIT_NPROC]
    for which, most in wanted.items():
        hard = resource.getrlimit(which)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # The first of the two sends a signal that has a name, the second kills.
        bounds = (max(most - 1, 1), most) if which == resource.RLIMIT_CPU else (most, most)
        if pid == 0:
            resource.setrlimit(which, bounds)
        else:
            resource.prlimit(pid, which, bounds)
