"""Answer files that are not what they seem: whoever reads them would read something else, or wait for ever."""

from crosscount.homework.escapes.attempt import Escape, Predicate, tried
from crosscount.homework.escapes.scene import Scene
from crosscount.homework.sandbox import Ended

COLLECT = ("solution*.txt",)


def not_read(path: str = "solution1.txt", why: str = "") -> Predicate:
    """The file was left alone, with a note that says why, and no secret came back."""

    def kept(ended: Ended, scene: Scene) -> str | None:
        if any(scene.secret.encode() in content for content in ended.files.values()):
            return "a secret was read back"
        if path in ended.files:
            return f"{path} was read"
        if wrong := tried(ended, scene):
            return wrong
        if not any(note.startswith(f"{path} ") and why in note for note in ended.notes):
            return f"nothing says why {path} was not read"
        return None

    return kept


def nothing_read(ended: Ended, scene: Scene) -> str | None:
    """No answer came back: the file could not even be made."""
    return f"{', '.join(ended.files)} was read" if ended.files else tried(ended, scene)


def _answer(name: str, promise: str, source: str, kept: Predicate) -> Escape:
    end = 'print("tried all")\n'
    return Escape(name, promise, "files are opened without links", source + end, kept, collect=COLLECT)


ANSWERS = (
    _answer(
        "symbolic link",
        "no answer that is a link",
        'os.symlink(scene["answers"], "solution1.txt")\n',
        not_read(why="symbolic link"),
    ),
    _answer(
        "link to the grader",
        "no link into the grader's own /proc",
        'os.symlink("/proc/self/environ", "solution1.txt")\n',
        not_read(why="symbolic link"),
    ),
    _answer(
        "folder that is a link",
        "no link in place of a folder",
        'os.symlink(os.path.dirname(scene["answers"]), "out")\n',
        nothing_read,
    ),
    _answer(
        "hard link",
        "no answer with a second name",
        """\
can("link to the expected answers", lambda: os.path.exists(scene["folder"]) and os.link(scene["answers"], "linked"))
open("mine", "w").write("1")
os.link("mine", "solution1.txt")
""",
        not_read(why="hard link"),
    ),
    _answer(
        "FIFO",
        "a FIFO is not waited for",
        'os.mkfifo("solution1.txt")\n',
        not_read(why="FIFO"),
    ),
    _answer(
        "folder",
        "a folder is no answer",
        'os.mkdir("solution1.txt")\n',
        not_read(why="folder"),
    ),
    _answer(
        "socket",
        "a socket is no answer",
        'socket.socket(socket.AF_UNIX).bind("solution1.txt")\n',
        not_read(why="socket"),
    ),
    _answer(
        "device",
        "a device is no answer",
        """\
try:
    os.mknod("solution1.txt", 0o20666, os.makedev(1, 5))
    escaped("make a device")
except OSError:
    os.symlink("/dev/zero", "solution1.txt")
""",
        not_read(why="symbolic link"),
    ),
    _answer(
        "large answer",
        "an answer is read up to a size",
        """\
with open("solution1.txt", "wb") as file:
    file.truncate(2 << 20)
""",
        not_read(why="bytes"),
    ),
)
