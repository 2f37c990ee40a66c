"""The filter of system calls: its numbers are the kernel's, and its program is one that the kernel would take."""

import re
import struct
from pathlib import Path

import pytest

from crosscount.homework import sandbox_filter

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
ALLOW, EPERM, ENOSYS, EAFNOSUPPORT = 0x7FFF0000, 0x50001, 0x50026, 0x50061
CLONE_NEWUSER, SIGCHLD = 0x10000000, 17


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_the_numbers_are_those_of_the_kernel_s_headers(machine: str, column: int) -> None:
    if not HEADERS[machine].exists():
        pytest.skip(f"{HEADERS[machine]} is not installed")
    found = dict(re.findall(r"#define __NR3?\w*?_(\w+)\s+(\d+)", HEADERS[machine].read_text()))
    found |= dict(re.findall(r"#define __NR_(\w+)\s+(\d+)", HEADERS[machine].read_text()))
    ours = sandbox_filter._NUMBERS | {
        "clone": sandbox_filter._CLONE,
        "clone3": sandbox_filter._CLONE3,
        "ioctl": sandbox_filter._IOCTL,
        "socket": sandbox_filter._SOCKET,
        "socketpair": sandbox_filter._SOCKETPAIR,
    }
    wrong = {
        name: (numbers[column], found.get(name))
        for name, numbers in ours.items()
        if found.get(name) != str(numbers[column])
    }
    # A header may be older than a call, but not speak of it under another number.
    assert all(theirs is None for _, theirs in wrong.values()), wrong
    assert len(wrong) <= 5, wrong


def judged(machine: str, number: int, first: int = 0, second: int = 0, audit: int | None = None) -> int:
    """What the filter says of a call, worked out as the kernel does."""
    code = sandbox_filter.program(machine)
    assert code is not None
    lines = [struct.unpack("=HBBI", code[place : place + 8]) for place in range(0, len(code), 8)]
    words = {0: number, 4: sandbox_filter._MACHINES[machine][1] if audit is None else audit, 16: first, 24: second}
    value = at = 0
    while True:
        operation, if_true, if_false, operand = lines[at]
        at += 1
        if operation == 0x20:
            value = words[operand]
        elif operation == 0x06:
            return int(operand)
        else:
            tests = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}
            at += if_true if tests[operation] else if_false


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_each_call_is_judged_by_its_number_and_its_arguments(machine: str, column: int) -> None:
    for numbers in sandbox_filter._NUMBERS.values():
        assert judged(machine, numbers[column]) == EPERM
    clone, socket_, ioctl = (
        one[column] for one in (sandbox_filter._CLONE, sandbox_filter._SOCKET, sandbox_filter._IOCTL)
    )
    assert judged(machine, clone, SIGCHLD) == ALLOW
    assert judged(machine, clone, SIGCHLD | CLONE_NEWUSER) == EPERM
    assert judged(machine, 435) == ENOSYS
    assert [judged(machine, socket_, family) for family in (1, 2, 10, 16, 40)] == [ALLOW] + [EAFNOSUPPORT] * 4
    assert judged(machine, sandbox_filter._SOCKETPAIR[column], 1) == ALLOW
    assert [judged(machine, ioctl, 0, request) for request in (0x5412, 0x541C, 0x5401)] == [EPERM, EPERM, ALLOW]
    assert judged(machine, {"x86_64": 1, "aarch64": 64}[machine]) == ALLOW  # write


def test_a_call_by_another_door_is_refused() -> None:
    assert judged("x86_64", 1, audit=0x40000003) == EPERM  # the 32-bit calls, with numbers of their own
    assert judged("x86_64", 0x40000001) == ENOSYS  # x32


def test_an_unknown_machine_has_no_filter() -> None:
    assert sandbox_filter.program("pdp11") is None
