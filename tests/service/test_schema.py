"""What OpenAPI says is what the service does: schemathesis makes calls and holds every answer against it."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.service.conftest import Service

EXAMPLES, CALLS = (300, 5000) if os.environ.get("CROSSCOUNT_FULL") else (5, 300)
"""The full number takes two minutes; docs/service.md says how it is run."""
CONFIGURATION = Path(__file__).with_name("schemathesis.toml")


def test_no_generated_call_finds_a_failure(service: Service, tmp_path: Path) -> None:
    phases = "examples,coverage,fuzzing" + (",stateful" if CALLS > 300 else "")
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIGURATION)),
            *("run", f"{service.url}/openapi.json", "--max-examples", str(EXAMPLES), "--phases", phases),
            *("--continue-on-failure", "--no-color"),
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-5000:] + ended.stderr[-2000:]
    found = re.search(r"(\d+) generated, (\d+) passed", ended.stdout)
    assert found is not None, ended.stdout[-2000:]
    assert found[1] == found[2]
    assert int(found[1]) >= CALLS
