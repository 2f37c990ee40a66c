"""How the kernels are compiled: numba, once, kept on disk.

Masks are int64 words with one bit a value, all 64 bits in use: mixing signed and unsigned words would turn numba's
arithmetic into floating point.
"""

import hashlib
import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
from llvmlite import ir
from numba.core import event
from numba.extending import intrinsic

P = ParamSpec("P")
R = TypeVar("R")

log = logging.getLogger(__name__)


def _cache_folder() -> str:
    """Where the machine code of exactly these sources is kept.

    Numba notices a change in the file of a compiled function, but not in the files of the functions that it calls, and
    would then run the old machine code. A folder named after a digest of all the sources rules that out.
    """
    sources = Path(__file__).parent
    digest = hashlib.sha256()
    for source in sorted(sources.glob("*.py")):
        digest.update(source.read_bytes())
    name = f"crosscount-{digest.hexdigest()[:16]}"
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    # Beside the sources, as Python does; installed packages may be read-only, and so may a home.
    for base in [chosen] if chosen else [str(sources / "__pycache__"), home, tempfile.gettempdir()]:
        folder = Path(base) / name
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return str(folder)
    return tempfile.mkdtemp(prefix=name)


_FOLDER = _cache_folder()


def _compile(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    # The folder is numba's global setting, read when a function is decorated; other users of numba keep theirs.
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = _FOLDER
    # Kernels allocate nothing, so they need no reference counts; counting made them five to ten times slower.
    options |= {"cache": True, "error_model": "numpy", "_nrt": False}
    try:
        return cast(Callable[P, R], numba.njit(**options)(function))
    finally:
        config.CACHE_DIR = before


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` at its first call, or load it from the cache."""
    return _compile(function)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """As `jit`, and copied into its callers.

    For small steps of hot loops: a model is a tuple of many arrays, and a real call would push all of them.
    """
    return _compile(function, forceinline=True)


class _SayOnce(event.Listener):
    def __init__(self, what: str) -> None:
        self.what = what
        self.said = False

    def on_start(self, event: Any) -> None:
        # Sent only when something is really compiled, not when it is loaded from the cache.
        if not self.said:
            log.info("compiling %s (only the first time; kept on disk)", self.what)
            self.said = True

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def saying_so(what: str) -> Iterator[None]:
    """Log once that `what` is being compiled, if it is not in the cache."""
    with event.install_listener("numba:compile", _SayOnce(what)):
        yield


def _bit_operation(generate: Callable[[Any, Any], Any]) -> Callable[[int], int]:
    """A machine instruction from int64 to int64."""

    @intrinsic
    def operation(typing_context: Any, mask: Any) -> Any:
        return numba.int64(numba.int64), lambda context, builder, signature, args: generate(builder, args[0])

    return cast(Callable[[int], int], operation)


popcount = _bit_operation(lambda builder, mask: builder.ctpop(mask))
"""How many bits are set."""
lowest = _bit_operation(lambda builder, mask: builder.cttz(mask, ir.Constant(ir.IntType(1), 1)))
"""The index of the lowest bit set; the mask is not zero."""
