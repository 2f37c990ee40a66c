"""Reaching something outside: the network, files, processes, the kernel."""

from crosscount.homework.escapes.attempt import Escape

REACH = (
    Escape(
        "network",
        "no network, not even to this machine",
        "network namespace",
        """\
def connect():
    socket.create_connection(("127.0.0.1", scene["tcp"]), timeout=2)

def datagram():
    one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    one.sendto(b"hello", ("127.0.0.1", scene["udp"]))
    return False  # whether it arrives is seen outside

def route():
    # Connecting a datagram socket sends nothing: it asks whether there is a way to a name server.
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("192.0.2.1", 53))

can("connect to a port of this machine", connect)
can("send a datagram", datagram)
can("find a way to the world", route)
print("tried all")
""",
        outside="succeeds",
    ),
    Escape(
        "local sockets",
        "no sockets of other programs",
        "network and mount namespaces",
        """\
for name in scene["local"]:
    can("connect to a socket of another program", lambda: socket.socket(socket.AF_UNIX).connect(name))
print("tried all")
""",
        outside="succeeds",
    ),
    Escape(
        "other networks",
        "no sockets but local ones",
        "filter of system calls",
        """\
families = {"internet": 2, "vsock": 40, "netlink": 16, "packet": 17, "alg": 38, "bluetooth": 31}
for name, number in families.items():
    can("open a socket of the family " + name, lambda: socket.socket(number, socket.SOCK_RAW).close())
    can("open a socket of the family " + name, lambda: socket.socket(number, socket.SOCK_STREAM).close())
print("tried all")
""",
        outside="succeeds",
    ),
    Escape(
        "another submission",
        "no other submission can be read",
        "mount namespace",
        """\
can("read another submission", lambda: open(scene["other"]).read())
can("list the folder above", lambda: "escape.py" not in os.listdir("..") and "other" in os.listdir(scene["folder"]))
print("tried all")
""",
        outside="succeeds",
    ),
    Escape(
        "expected answers",
        "the expected answers cannot be read",
        "they never enter the sandbox",
        """\
read = can("read the expected answers", lambda: open(scene["answers"]).read())
begun = time.monotonic()
for folder, folders, files in [] if read else os.walk("/"):
    folders[:] = [one for one in folders if os.path.join(folder, one) not in ("/usr", "/proc", "/sys", "/dev")]
    for name in files:
        path = os.path.join(folder, name)
        try:
            if os.path.isfile(path) and b"secret-" in open(path, "rb").read(100) and name != "scene.json":
                escaped("find the expected answers")
        except OSError:
            pass
    if time.monotonic() - begun > 2:
        break
print("tried all")
""",
        outside="succeeds",
    ),
    Escape(
        "home folder",
        "your home folder is not there",
        "mount namespace",
        """\
for name in scene["in_home"]:
    can("see what is in the home folder", lambda: os.path.lexists(os.path.join(scene["home"], name)))
for path in ("/root", "/home"):
    can("see " + path, lambda: os.path.exists(path))
print("tried all")
""",
        outside="succeeds",
    ),
    Escape(
        "environment",
        "an empty environment, also in /proc",
        "bubblewrap started with none",
        """\
if scene["variable"] in os.environ:
    escaped("read the grader's environment")
for pid in filter(str.isdigit, os.listdir("/proc")):
    for name in ("environ", "cmdline"):
        try:
            content = open("/proc/" + pid + "/" + name, "rb").read()
        except OSError:
            continue
        if scene["variable"].encode() in content:
            escaped("read the grader's environment in /proc")
        if name == "cmdline" and scene["folder"].encode() in content:
            escaped("read the grader's paths in /proc")
# Shells and Python add some themselves; the last is for a Python from outside the system.
usual = {"PATH", "HOME", "LANG", "PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE", "LD_LIBRARY_PATH"}
extra = sorted(set(os.environ) - usual)
if extra:
    escaped("find more in the environment: " + " ".join(extra))
print("tried all")
""",
        outside="succeeds",
    ),
    Escape(
        "writing outside",
        "nothing outside can be written",
        "mount namespace, read-only system",
        """\
can("change a file outside", lambda: open(scene["victim"], "w").write("spoiled"))
can("make a file outside", lambda: open(scene["folder"] + "/new", "w"))
if not os.path.exists(scene["folder"]):
    for folder in ("/", "/usr", "/usr/bin", "/etc", "/dev", "/opt", "/opt/bin", "/var", "/run", "/proc"):
        can("make a file in " + folder, lambda: open(os.path.join(folder, "new"), "w"))
        can("make a folder in " + folder, lambda: os.mkdir(os.path.join(folder, "new-folder")))
print("tried all")
""",
        outside="succeeds",
    ),
    Escape(
        "the system",
        "the system is read-only, Python too",
        "read-only mounts",
        """\
# Opened for writing, and nothing is written.
for path in (os.path.realpath(sys.executable), os.__file__, "/bin/sh", "/etc/passwd", "/etc/ld.so.cache"):
    can("open for writing " + path, lambda: open(path, "r+b").close())
print("tried all")
""",
        outside="may succeed",
    ),
    Escape(
        "the puzzle",
        "the puzzle is read-only",
        "a read-only mount of the one file",
        """\
def write():
    open("puzzle1.txt", "w").write("2")

def change():
    os.chmod("puzzle1.txt", 0o666)
    write()

def replace():
    open("mine.txt", "w").write("2")
    os.rename("mine.txt", "puzzle1.txt")

can("write to the puzzle", write)
can("make the puzzle writable", change)
can("replace the puzzle", replace)
can("remove the puzzle", lambda: os.unlink("puzzle1.txt"))
print("tried all")
""",
        outside="succeeds",
    ),
    Escape(
        "processes outside",
        "no process outside can be reached",
        "process namespace",
        """\
def seen():
    return open("/proc/%d/cmdline" % scene["process"]).read().startswith("sleep")

visible = can("see a process outside", seen)
can("trace a process", lambda: call("ptrace", 16, scene["process"] if visible else 1, 0, 0))
if visible:
    call("ptrace", 17, scene["process"], 0, 0)
    os.kill(scene["process"], signal.SIGKILL)
else:
    can("signal a process outside", lambda: os.kill(scene["process"], signal.SIGKILL))
print("tried all")
""",
        outside="succeeds",
    ),
    Escape(
        "nested namespaces",
        "no namespaces of its own",
        "--disable-userns and the filter",
        """\
flags = {"user": 0x10000000, "mount": 0x20000, "network": 0x40000000, "process": 0x20000000}

def cloned(flag):
    number = {"x86_64": 56, "aarch64": 220}.get(os.uname().machine)
    if number is None:
        return False
    child = libc.syscall(number, flag | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    if child == -1:
        raise OSError(ctypes.get_errno(), "clone")
    os.waitpid(child, 0)

for name, flag in flags.items():
    can("clone into a new namespace: " + name, lambda: cloned(flag))
    can("clone into new namespaces: user and " + name, lambda: cloned(flag | flags["user"]))
for name, flag in flags.items():
    can("make a namespace: " + name, lambda: call("unshare", flag))
print("tried all")
""",
        outside="may succeed",
    ),
    Escape(
        "privileges",
        "no privileges, and no way to gain any",
        "no capabilities, no_new_privs",
        """\
# Every process that is seen, because one can write into the memory of another of the same user.
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        status = dict(line.split(":", 1) for line in open("/proc/" + pid + "/status"))
    except OSError:
        continue
    if any(int(status[name], 16) for name in ("CapEff", "CapPrm", "CapBnd", "CapAmb")):
        escaped("find a process with capabilities")
    if status["NoNewPrivs"].strip() != "1":
        escaped("find a process that may gain privileges")
if os.getuid() == 0:
    escaped("is root")
elif os.path.exists("/proc/1/root"):
    can("become root", lambda: os.setuid(0))
    can("mount", lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None))
    can("make a device", lambda: os.mknod("device", 0o20666, os.makedev(1, 5)))
print("tried all")
""",
        outside="succeeds",
    ),
    Escape(
        "the filter",
        "no process without the filter",
        "it binds from the first process on",
        """\
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        status = dict(line.split(":", 1) for line in open("/proc/" + pid + "/status"))
    except OSError:
        continue
    if status["Seccomp"].strip() != "2":
        escaped("find a process without a filter")
print("tried all")
""",
        outside="may succeed",
    ),
    Escape(
        "the kernel",
        "the kernel cannot be set",
        "a user without rights",
        """\
# Opened for writing, and nothing is written.
for path in ("/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname",
             "/proc/sys/user/max_user_namespaces", "/proc/sys/vm/overcommit_memory", "/sys/power/state"):
    can("open for writing " + path, lambda: open(path, "r+b").close())
can("list the devices of this machine", lambda: len(os.listdir("/sys/class")) > 0)
print("tried all")
""",
        outside="may succeed",
    ),
    Escape(
        "terminal and files held open",
        "no terminal, no open files",
        "new session, closed descriptors",
        """\
import fcntl, termios

def open_files():
    # One more is open while the list is read.
    return len([fd for fd in os.listdir("/proc/self/fd") if int(fd) > 2]) > 1

can("find open files", open_files)
can("open the terminal", lambda: open("/dev/tty"))
for fd in (0, 1, 2):
    can("type into the terminal", lambda: fcntl.ioctl(fd, termios.TIOCSTI, b"x"))
can("read standard input", lambda: os.read(0, 1) != b"")
print("tried all")
""",
    ),
)
