"""The grader's side of the stages: each is a process that performs one run after another.

A stage that is not busy waits for the next run, because starting Python takes longer than making a sandbox.
"""

import atexit
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

_IDLE: list["Stage"] = []
_LOCK = threading.Lock()


class Fault(Exception):
    """A stage failed: a fault of ours, whatever the program did."""


class Stage:
    """A process that performs runs. It ends by itself when this process does, however that ends."""

    def __init__(self) -> None:
        # Isolated, so that nothing in the current folder, which may hold submissions, is taken for a module.
        begin = (
            "import sys; sys.path.append(sys.argv.pop()); from crosscount.homework.sandbox_stage import main; main()"
        )
        self.owner = os.getpid()
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", begin, str(Path(__file__).parents[2])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the grader, which then closes the pipe
        )

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Fault("the sandbox's stage has gone") from None
        line = self.process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {"fault": "the sandbox's stage has gone"}
        if "fault" in answer:
            raise Fault(answer["fault"])
        return answer

    def close(self) -> None:
        """Let it go; whatever it was doing, it stops that first and clears up."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.stdout.close()
        self.process.wait()


def ask(request: dict[str, Any]) -> dict[str, Any]:
    """One run in a stage of its own, from any thread."""
    stage = _take()
    try:
        answer = stage.ask(request)
    except BaseException:
        # Ctrl-C among them: the run is still going on.
        stage.close()
        raise
    with _LOCK:
        _IDLE.append(stage)
    return answer


def _take() -> Stage:
    with _LOCK:
        while _IDLE:
            stage = _IDLE.pop()
            # After a fork the parent's stages are not ours to speak to.
            if stage.owner == os.getpid() and stage.process.poll() is None:
                return stage
    return Stage()


@atexit.register
def close_idle() -> None:
    """Let all stages go that wait for a run."""
    with _LOCK:
        idle = [stage for stage in _IDLE if stage.owner == os.getpid()]
        _IDLE.clear()
    for stage in idle:
        stage.close()
