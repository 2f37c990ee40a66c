"""Certificates of a count, to be downloaded and checked elsewhere."""

import resource
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crosscount.compare.certify import certify
from crosscount.compare.runs import Comparison
from crosscount.puzzles.engine import Limits, Stopped, Unavailable
from crosscount.puzzles.errors import InputError
from crosscount.service.settings import Settings
from crosscount.service.store import Artifact

FOLDER = "unfinished"
"""Of the data: for files that are being written."""
MEDIA_TYPE = "application/gzip"


@dataclass(frozen=True, slots=True)
class Proof:
    """A certificate, or the reason why there is none."""

    said: dict[str, Any]
    file: Artifact | None


def certificate(request: Mapping[str, Any], comparison: Comparison, limits: Limits, settings: Settings) -> Proof | None:
    """The certificate that the request asks for; None where it asks for none."""
    asked = request["certificate"]
    if asked == "none":
        return None
    kind = None if asked == "auto" else asked
    if not comparison.exact or comparison.count is None:
        return _without(kind, "the count is not known")
    within = Limits(limits.seconds, memory=limits.memory)
    folder = settings.data / FOLDER
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as name, _files_up_to(settings.certificate_bytes):
        path = Path(name) / "certificate"
        try:
            made = certify(path, comparison.puzzle, comparison.count, kind, within, lambda line: None)
        except Stopped as stopped:
            return _without(kind, f"stopped: {stopped.reason}")
        except Unavailable as unavailable:
            return _without(kind, str(unavailable))
        except InputError:
            return _without(kind, f"it would be larger than {settings.certificate_bytes} bytes")
        content = path.read_bytes()
    said = {"file": "certificate", "kind": made, "bytes": len(content), "reason": ""}
    return Proof(said, Artifact(MEDIA_TYPE, content))


def _without(kind: str | None, reason: str) -> Proof:
    return Proof({"file": None, "kind": kind, "bytes": None, "reason": reason}, None)


@contextmanager
def _files_up_to(size: int) -> Iterator[None]:
    """No file of this process gets larger: whoever tries is told that the disk has no room for it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
