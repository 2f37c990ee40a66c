"""Using up more than is allowed, or going on after the end."""

from dataclasses import replace

from crosscount.homework.escapes.attempt import SMALL, Escape, Predicate, tried
from crosscount.homework.escapes.scene import Scene
from crosscount.homework.sandbox import Ended


def stopped(how: str) -> Predicate:
    """The program was stopped for this reason before it got what it wanted."""

    def kept(ended: Ended, scene: Scene) -> str | None:
        if ended.how == how and b"ESCAPED" not in ended.stdout:
            return None
        return tried(ended, scene) or f"it was not stopped: {ended.how}"

    return kept


def cut(ended: Ended, scene: Scene) -> str | None:
    """Stopped for its output, of which no more than the limit was kept."""
    kept = max(len(ended.stdout), len(ended.stderr))
    if kept > SMALL.output:
        return f"{kept} bytes of output were kept"
    return stopped("too much output")(ended, scene)


# Twice the limit, and it is held for a while: whoever looks now and then must have seen it.
_TAKE = """\
def take(size):
    held = []
    for _ in range(size >> 22):
        held.append(bytearray(b"x" * (1 << 22)))
    time.sleep(0.5)
    return held

"""

USE = (
    Escape(
        "fork bomb",
        "no more processes than allowed",
        "RLIMIT_NPROC of a user of its own",
        """\
made = 0
try:
    while made < 64:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        made += 1
except OSError as error:
    print("refused after", made, error)
if made > 32:
    escaped("start %d processes" % made)
print("tried all")
""",
        outside="succeeds",
    ),
    Escape(
        "thread bomb",
        "no more threads than allowed",
        "RLIMIT_NPROC of a user of its own",
        """\
import threading
made = 0
try:
    while made < 64:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        made += 1
except RuntimeError as error:
    print("refused after", made, error)
if made > 32:
    escaped("start %d threads" % made)
print("tried all", flush=True)
os._exit(0)
""",
        outside="succeeds",
    ),
    Escape(
        "memory in one process",
        "no more memory than allowed",
        "all processes summed every 20 ms",
        _TAKE + 'take(256 << 20)\nescaped("take 256 MiB of 128")\n',
        stopped("out of memory"),
    ),
    Escape(
        "memory in many processes",
        "the memory of all processes together",
        "all processes summed every 20 ms",
        _TAKE
        + """\
for _ in range(8):
    if os.fork() == 0:
        take(32 << 20)
        os._exit(0)
time.sleep(1)
escaped("take 256 MiB of 128 in eight processes")
""",
        stopped("out of memory"),
    ),
    Escape(
        "memory of a dead thread",
        "no memory behind a dead thread",
        "all threads are looked at",
        _TAKE
        + """\
import threading

def later():
    take(256 << 20)
    escaped("take 256 MiB of 128")
    os._exit(0)

threading.Thread(target=later).start()
leave = {"x86_64": 60, "aarch64": 93}.get(os.uname().machine)
if leave is not None:
    libc.syscall(leave, 0)  # ends this thread and no other
""",
        stopped("out of memory"),
    ),
    Escape(
        "memory of nobody",
        "no memory that belongs to no process",
        "filter of system calls",
        """\
def shared():
    segment = libc.shmget(0, 1 << 20, 0o1600)
    if segment == -1:
        raise OSError(ctypes.get_errno(), "shmget")
    libc.shmctl(segment, 0, None)

can("hold memory in a file without a name", lambda: os.close(os.memfd_create("x")))
can("hold memory in a System V segment", shared)
print("tried all")
""",
        outside="succeeds",
    ),
    Escape(
        "memory in sockets",
        "no memory in unread sockets",
        "sockets are counted",
        """\
for _ in range(3):
    if os.fork() == 0:
        pairs = []
        while len(pairs) < 200:
            pairs.append(socket.socketpair())
            for one in pairs[-1]:
                one.setblocking(False)
                try:
                    while one.send(b"x" * 65536):
                        pass
                except OSError:
                    pass
        time.sleep(5)
        os._exit(0)
time.sleep(1)
escaped("keep 200 MiB of 128 in sockets")
""",
        stopped("out of memory"),
    ),
    Escape(
        "memory in page tables",
        "no memory in page tables",
        "page tables are added",
        """\
import mmap
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
size = 80 << 30
# Only read: what is read without ever having been written is one page of zeros, and belongs to nobody.
start = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, -1, 0)
libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(size), 15)
for place in range(start, start + size, 2 << 20):
    ctypes.c_char.from_address(place).value
time.sleep(0.5)
escaped("keep 160 MiB of 128 in page tables")
""",
        stopped("out of memory"),
    ),
    Escape(
        "endless",
        "stopped when its time is over",
        "the clock",
        'signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(1)\nescaped("go on")\n',
        stopped("timed out"),
        replace(SMALL, seconds=0.5),
    ),
    Escape(
        "busy processes",
        "the processor time of all together",
        "all processes summed every 20 ms",
        """\
for _ in range(4):
    if os.fork() == 0:
        while time.process_time() < 0.3:
            pass
        os._exit(0)
for _ in range(4):
    os.wait()
escaped("use more than a second of half a one")
""",
        stopped("timed out"),
        replace(SMALL, seconds=15, cpu_seconds=0.5),
    ),
    Escape(
        "output flood",
        "no more output than allowed",
        "the pipe is no longer read",
        """\
for _ in range(64):
    os.write(1, b"x" * (1 << 20))
escaped("print 64 MiB")
""",
        cut,
    ),
    Escape(
        "error flood",
        "no more errors printed than allowed",
        "the pipe is no longer read",
        """\
for _ in range(64):
    os.write(2, b"x" * (1 << 20))
escaped("print 64 MiB")
""",
        cut,
    ),
    Escape(
        "huge file",
        "no more disk than allowed",
        "a file system of bounded size",
        """\
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
written = 0
for folder in (".", "/tmp", "/dev/shm"):
    try:
        with open(folder + "/huge", "wb", buffering=0) as file:
            for _ in range(16):
                written += file.write(b"x" * (1 << 20))
    except OSError as error:
        print("refused", error)
if written > 9 << 20:
    escaped("write %d MiB" % (written >> 20))
can("make a file of a terabyte with a hole", lambda: os.truncate("huge", 1 << 40))
""",
        stopped("too much disk"),
    ),
    Escape(
        "many files",
        "no more files than allowed",
        "a file system of bounded inodes",
        """\
made = 0
try:
    for made in range(600):
        os.mkdir("folder%d" % made) if made % 2 else open("file%d" % made, "w").close()
except OSError as error:
    print("refused after", made, error)
if made > 250:
    escaped("make %d files" % made)
""",
        stopped("too much disk"),
    ),
    Escape(
        "daemon",
        "no process is left at the end",
        "process namespace",
        """\
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(1, 65):
            if number not in (signal.SIGKILL, signal.SIGSTOP, 32, 33):
                signal.signal(number, signal.SIG_IGN)
        for fd in range(3):
            os.close(fd)
        time.sleep(60)
    os._exit(0)
os.wait()
print("daemon", sys.argv[1])
print("tried all")
""",
    ),
)
