"""`crosscount serve` before it serves: what it refuses, in one line."""

import fcntl
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_a_missing_extra_is_named_with_the_command_that_installs_it() -> None:
    code = (
        "import sys; sys.modules['uvicorn'] = None; sys.argv = ['crosscount', 'serve']\n"
        "from crosscount.cli import main; main()"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == (
        "crosscount: serve needs uvicorn, which is not installed; pip install 'crosscount[serve]' installs it\n"
    )


def test_a_port_in_use_is_refused(call: Run, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = call("serve", "--port", str(port), "--data", str(tmp_path / "data"))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"crosscount: 127.0.0.1:{port}: Address already in use, expected an address that is free\n"


def test_a_folder_in_use_is_refused(call: Run, tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ran = call("serve", "--data", str(tmp_path))
    assert ran.returncode == 2
    assert ran.stderr == f"crosscount: {tmp_path}: another service uses it, expected a folder of its own\n"


def test_a_file_is_no_folder(call: Run, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    ran = call("serve", "--data", str(tmp_path / "data"))
    assert ran.returncode == 2
    assert "expected a folder that can be written" in ran.stderr


@pytest.mark.parametrize(("content", "said"), [("\n", "empty, expected a token"), (None, "cannot be read")])
def test_a_token_file_without_a_token_is_refused(call: Run, tmp_path: Path, content: str | None, said: str) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_text(content)
    ran = call("serve", "--token-file", str(file), "--data", str(tmp_path / "data"))
    assert ran.returncode == 2
    assert said in ran.stderr
    assert not (tmp_path / "data").exists()
