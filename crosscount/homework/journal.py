"""What is finished, kept on disk case by case, so that a killed run goes on where it was.

One JSON object a line. A line counts only for the same assignment, the same submission and the same sandbox, letter by
letter. Half a line, which a kill may leave at the end, is as if it were not there.
"""

import fcntl
import json
import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any

from crosscount.homework.results import CaseResult
from crosscount.puzzles.errors import at

Key = tuple[str, str]
"""A submission's digest and a case's name."""
_VERSION = 1


def default_journal(assignment: str) -> Path:
    """Beside the assignment."""
    path = Path(assignment)
    return path.with_name(f"{path.stem}.journal.jsonl")


class Journal:
    """Finished cases. With `resume` those of earlier runs are there; without, it begins anew. Close it."""

    def __init__(self, path: Path, assignment: str, sandbox: str, resume: bool) -> None:
        self.path = path
        self.stamp = {"version": _VERSION, "assignment": assignment, "sandbox": sandbox}
        self.cases: dict[Key, CaseResult] = {}
        self.done: set[str] = set()
        self.lock = Lock()
        try:
            self.file = path.open("a+", encoding="utf-8")
        except OSError as error:
            raise at(str(path), None, f"cannot be written ({error.strerror}), expected a place for --journal") from None
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.file.close()
            raise at(str(path), None, "another run is writing it, expected another file for --journal") from None
        if resume:
            self._read()
        else:
            self.file.truncate(0)

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def add(self, submission: str, result: CaseResult) -> None:
        """A case is finished."""
        with self.lock:
            self.cases[submission, result.case] = result
            self._write({"submission": submission, "case": asdict(result)})

    def finish(self, submission: str) -> None:
        """All about a submission is known."""
        with self.lock:
            self.done.add(submission)
            self._write({"submission": submission, "done": True})

    def _write(self, entry: dict[str, Any]) -> None:
        self.file.write(json.dumps(self.stamp | entry, ensure_ascii=True) + "\n")
        self.file.flush()

    def _read(self) -> None:
        from pydantic import TypeAdapter, ValidationError

        adapter = TypeAdapter(CaseResult)
        self.file.seek(0)
        end = 0
        for line in iter(self.file.readline, ""):
            if line.endswith("\n"):
                end = self.file.tell()
            with suppress(ValueError, ValidationError, KeyError, TypeError, AttributeError):
                entry = json.loads(line)
                if {key: entry.get(key) for key in self.stamp} != self.stamp:
                    continue
                if "case" in entry:
                    result = adapter.validate_python(entry["case"])
                    self.cases[entry["submission"], result.case] = result
                elif entry.get("done"):
                    self.done.add(entry["submission"])
        # The next line must not be joined to half of one.
        self.file.seek(end)
        self.file.truncate()
        self.file.seek(0, os.SEEK_END)
