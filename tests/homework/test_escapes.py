"""Every way out of the sandbox that we know is closed, and each attempt would notice if it were open."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from crosscount.homework.escapes import ESCAPES, Escape, Scene, attempt
from crosscount.homework.escapes.scene import left_behind
from crosscount.homework.sandbox import Allowance, Ended, Staged, unsafe

OUTSIDE = [escape for escape in ESCAPES if escape.outside]
INSIDE_ONLY = [escape for escape in ESCAPES if not escape.outside]


class Careless:
    """Runs a program as people do who have not thought about it."""

    name = "careless"
    sees = "is installed here"

    def has(self, program: str) -> bool:
        return shutil.which(program) is not None

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def run(
        self,
        argv: Sequence[str],
        program: Path,
        inputs: Mapping[str, bytes],
        allowance: Allowance,
        collect: Sequence[str] = (),
    ) -> Ended:
        for name, content in inputs.items():
            (program / name).write_bytes(content)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            command = [sys.executable, *argv[1:]]
            ran = subprocess.run(command, cwd=program, stdout=out, stderr=errors, close_fds=False, timeout=30)
            printed = []
            for file in (out, errors):
                file.seek(0)
                printed.append(file.read())
        files = {}
        for folder, folders, names in os.walk(program, followlinks=True):
            for name in [*names, *folders]:
                if any(fnmatchcase(name, pattern) for pattern in collect):
                    files[name] = self._content(Path(folder, name))
        return Ended("exited", ran.returncode, stdout=printed[0], stderr=printed[1], files=files)

    def _content(self, path: Path) -> bytes:
        try:
            # Without O_NONBLOCK, this test would wait for ever: that is what the escape is about.
            with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as file:
                return file.read(1 << 20) or b""
        except OSError:
            return b""


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    with Scene() as made:
        yield made


@pytest.mark.sandbox
@pytest.mark.parametrize("escape", ESCAPES, ids=lambda escape: escape.name)
def test_the_promise_holds_in_the_sandbox(escape: Escape, strong: Staged, scene: Scene) -> None:
    found = attempt(escape, strong, scene)
    assert found.broken is None, found.ended


@pytest.mark.parametrize("escape", OUTSIDE, ids=lambda escape: escape.name)
def test_without_a_sandbox_the_attempt_succeeds_and_is_noticed(escape: Escape, scene: Scene) -> None:
    found = attempt(escape, unsafe(), scene)
    if found.holds and escape.outside == "may succeed":
        pytest.skip("this user, or this container, is not allowed it anyway")
    assert found.broken is not None, found.ended
    assert b"ESCAPED" in found.ended.stdout


@pytest.mark.parametrize("escape", INSIDE_ONLY, ids=lambda escape: escape.name)
def test_a_careless_grader_falls_for_the_others(escape: Escape, scene: Scene) -> None:
    found = attempt(escape, Careless(scene), scene)
    for pid in left_behind_of(found.ended):
        os.kill(pid, signal.SIGKILL)
    assert found.broken is not None, found.ended
    assert "the attempt itself failed" not in found.broken


def left_behind_of(ended: Ended) -> list[int]:
    """The daemon says its own name at its end, because by now nobody else knows it."""
    return [
        pid
        for line in ended.stdout.decode().splitlines()
        if line.startswith("daemon ")
        for pid in left_behind(line[7:])
    ]


@pytest.mark.sandbox
@pytest.mark.parametrize("name", ["other networks", "memory of nobody", "the filter"])
def test_without_the_filter_its_promises_are_seen_to_break(name: str, strong: Staged, scene: Scene) -> None:
    (escape,) = [escape for escape in ESCAPES if escape.name == name]
    assert attempt(escape, replace(strong, filter=None), scene).broken is not None


@pytest.mark.sandbox
@pytest.mark.parametrize("name", ["huge file", "many files"])
def test_a_folder_on_disk_is_bounded_as_well_if_a_little_later(name: str, strong: Staged, scene: Scene) -> None:
    (escape,) = [escape for escape in ESCAPES if escape.name == name]
    assert attempt(escape, replace(strong, in_memory=False), scene).ended.how == "too much disk"


@pytest.mark.sandbox
@pytest.mark.parametrize("name", ["network", "local sockets", "nested namespaces", "privileges"])
def test_without_the_filter_the_namespaces_hold_by_themselves(name: str, strong: Staged, scene: Scene) -> None:
    (escape,) = [escape for escape in ESCAPES if escape.name == name]
    assert attempt(escape, replace(strong, filter=None), scene).broken is None


@pytest.mark.sandbox
def test_user_namespaces_are_refused_by_the_filter_alone(strong: Staged, scene: Scene) -> None:
    (escape,) = [escape for escape in ESCAPES if escape.name == "nested namespaces"]
    assert attempt(escape, replace(strong, can={}), scene).holds
    assert not attempt(escape, replace(strong, can={}, filter=None), scene).holds


def test_a_program_that_fell_over_before_it_tried_proves_nothing(scene: Scene) -> None:
    fallen = Escape("fallen", "", "", "raise SystemExit('too early')\n")
    assert "the attempt itself failed (exited): too early" in str(attempt(fallen, unsafe(), scene).broken)


def test_the_names_are_all_different() -> None:
    assert len({escape.name for escape in ESCAPES}) == len(ESCAPES)
    assert len({escape.promise for escape in ESCAPES}) == len(ESCAPES)


def test_the_scene_hands_an_open_file_to_whoever_does_not_close_it(scene: Scene) -> None:
    assert not fcntl.fcntl(scene.inherited, fcntl.F_GETFD) & fcntl.FD_CLOEXEC
