"""A filter for system calls that no homework needs and that reach past the namespaces, as a program for seccomp.

It stands beside the namespaces, so that no promise hangs on one mechanism: user namespaces are refused even where this
bubblewrap cannot switch them off; of sockets only local ones are allowed, because a network namespace does not hold all
families (vsock reaches the machine below a virtual one); and memory that belongs to no process (memfd, System V) is
refused, as are the means to look into another process. Numbers are those of the kernel's tables for x86_64 and aarch64.
"""

import errno
import platform
import socket
import struct

_NUMBERS = {
    # name: (x86_64, aarch64)
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "io_uring_setup": (425, 425),
    "syslog": (103, 116),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
}
_CLONE, _CLONE3, _IOCTL = (56, 220), (435, 435), (16, 29)
_SOCKET, _SOCKETPAIR = (41, 198), (53, 199)
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000
_NEW_NAMESPACES = 0x7E020000
"""Every CLONE_NEW flag that clone knows: mount, cgroup, uts, ipc, user, process, network."""
_TERMINAL = (0x5412, 0x541C)
"""TIOCSTI types into a terminal, TIOCLINUX pastes into a console."""

# A classic BPF program reads the words of struct seccomp_data: number, machine, and arguments of eight bytes each.
_LOAD, _EQUAL, _ABOVE, _BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _FIRST, _SECOND = 0, 4, 16, 24
_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000


def program(machine: str | None = None) -> bytes | None:
    """The filter for this machine, or None where we have no table for it."""
    known = _MACHINES.get(machine or platform.machine())
    if known is None:
        return None
    column, audit = known
    code = [
        _line(_LOAD, _MACHINE),
        _line(_EQUAL, audit, 1, 0),
        _refuse(errno.EPERM),
        _line(_LOAD, _NUMBER),
        *_when(_ABOVE, _X32, errno.ENOSYS),
        # glibc then falls back to clone, whose flags a filter can see.
        *_when(_EQUAL, _CLONE3[column], errno.ENOSYS),
    ]
    for numbers in _NUMBERS.values():
        code += _when(_EQUAL, numbers[column], errno.EPERM)
    code += _argument(_CLONE[column], _FIRST, _when(_BITS, _NEW_NAMESPACES, errno.EPERM))
    code += _argument(_IOCTL[column], _SECOND, [line for one in _TERMINAL for line in _when(_EQUAL, one, errno.EPERM)])
    for numbers in (_SOCKET, _SOCKETPAIR):
        only_local = [_line(_EQUAL, socket.AF_UNIX, 1, 0), _refuse(errno.EAFNOSUPPORT)]
        code += _argument(numbers[column], _FIRST, only_local)
    return b"".join([*code, _line(_RETURN, _ALLOW)])


def _line(operation: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, if_true, if_false, value)


def _refuse(error: int) -> bytes:
    return _line(_RETURN, _REFUSE | error)


def _when(test: int, value: int, error: int) -> list[bytes]:
    return [_line(test, value, 0, 1), _refuse(error)]


def _argument(number: int, place: int, body: list[bytes]) -> list[bytes]:
    """For this call only: look at an argument's low word, then at the number again."""
    inner = [_line(_LOAD, place), *body, _line(_LOAD, _NUMBER)]
    return [_line(_EQUAL, number, 0, len(inner)), *inner]
