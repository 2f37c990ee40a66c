"""The action and the hook, run as their hosts run them: GitHub's runner and pre-commit.

Only what needs the network is left out: steps that use other actions are noted, and so is what would be installed.
"""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")

GOOD = 'family = "queens"\nsize = 4\n[expect]\ncount = 2\n'
WRONG = "# a comment\n" + GOOD.replace("2", "3")


@dataclass
class Job:
    """What a workflow leaves behind: its exit code, its log, the outputs and the files that GitHub reads."""

    code: int = 0
    log: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    used: list[str] = field(default_factory=list)
    installed: str = ""
    summary: str = ""


class Runner:
    """As much of GitHub's runner as a composite action needs."""

    def __init__(self, workspace: Path, inputs: dict[str, str]) -> None:
        unknown = set(inputs) - set(ACTION["inputs"])
        assert not unknown, unknown
        self.workspace = workspace / "repository"
        self.temporary = workspace / "temp"
        self.programs = workspace / "bin"
        for folder in (self.workspace, self.temporary, self.programs):
            folder.mkdir(exist_ok=True)
        self.inputs = {name: entry.get("default", "") for name, entry in ACTION["inputs"].items()} | inputs
        # Whatever is installed is noted; everything else is the Python that runs this test.
        python = self.programs / "python"
        python.write_text(
            f'#!/bin/sh\nif [ "$2" = pip ]; then echo "$@" > "$RUNNER_TEMP/installed"; exit 0; fi\n'
            f'exec "{sys.executable}" "$@"\n'
        )
        python.chmod(0o755)

    def run(self) -> Job:
        job = Job()
        for number, step in enumerate(ACTION["runs"]["steps"]):
            wanted = self.fill_in(step.get("if", "${{ success() }}"), job)
            if wanted == "false" or (job.code and "always()" not in step.get("if", "")):
                continue
            if "uses" in step:
                job.used.append(step["uses"])
            else:
                self.script(step, number, job)
        installed = self.temporary / "installed"
        job.installed = installed.read_text() if installed.exists() else ""
        return job

    def script(self, step: dict[str, Any], number: int, job: Job) -> None:
        assert step["shell"] == "bash"
        script = self.temporary / f"step{number}.sh"
        script.write_text(self.fill_in(step["run"], job))
        files = {name: self.temporary / f"{name}{number}" for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in files.values():
            path.touch()
        environment = {
            **os.environ,
            **{name: self.fill_in(str(value), job) for name, value in step.get("env", {}).items()},
            **{name: str(path) for name, path in files.items()},
            "GITHUB_WORKSPACE": str(self.workspace),
            "RUNNER_TEMP": str(self.temporary),
            "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}",
        }
        bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
        ran = subprocess.run(bash, cwd=self.workspace, env=environment, capture_output=True, text=True)
        job.log += ran.stdout + ran.stderr
        job.code = job.code or ran.returncode
        job.summary += files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
        for line in files["GITHUB_OUTPUT"].read_text().splitlines():
            name, _, value = line.partition("=")
            job.outputs[f"steps.{step['id']}.outputs.{name}"] = value

    def fill_in(self, text: str, job: Job) -> str:
        """Replace expressions; only those are known that the action may use."""
        known: dict[str, str] = {f"inputs.{name}": value for name, value in self.inputs.items()} | job.outputs
        known |= {"github.action_path": str(ROOT), "runner.temp": str(self.temporary), "runner.os": "Linux"}
        known |= {"github.run_id": "1", "github.run_attempt": "1", "success()": "true"}

        def value(match: re.Match[str]) -> str:
            expression = match[1].strip().removeprefix("always() && ")
            name, compares, literal = expression.partition(" == ")
            if compares:
                return str(known[name] == literal.strip("'")).lower()
            return known[name]

        return re.sub(r"\$\{\{(.*?)\}\}", value, text)


def act(folder: Path, files: dict[str, str], **inputs: str) -> Job:
    runner = Runner(folder, {name.replace("_", "-"): value for name, value in inputs.items()})
    for name, text in files.items():
        path = runner.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return runner.run()


def test_the_action_is_what_github_expects() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert {"name", "description", "branding", "inputs", "outputs", "runs"} == set(ACTION)
    for entry in ACTION["inputs"].values():
        assert isinstance(entry["default"], str)
        assert entry["description"]
    for step in ACTION["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step)
        # A script must not be made of what somebody else writes.
        assert "${{" not in step.get("run", "")


def test_a_green_run(tmp_path: Path) -> None:
    job = act(tmp_path, {"puzzles/good.puzzle.toml": GOOD}, engines="fc-mrv,sat")
    assert job.code == 0, job.log
    assert job.outputs["steps.gate.outputs.exit-code"] == "0"
    assert job.installed.split()[-1] == str(ROOT)
    assert [used.partition("@")[0] for used in job.used] == [
        "actions/setup-python",
        "actions/cache/restore",
        "actions/cache/save",
    ]
    assert "1 passed" in job.summary
    assert (tmp_path / "temp" / "crosscount" / "gate.sqlite3").is_file()


def test_a_red_run_annotates_and_still_saves_its_answers(tmp_path: Path) -> None:
    files = {"my puzzles/wrong.puzzle.toml": WRONG, "other/good.puzzle.toml": GOOD, "left out/bad.puzzle.toml": "x"}
    job = act(
        tmp_path, files, paths="my puzzles\nother\n", engines="fc-mrv,sat", junit="report.xml", arguments="--jobs 1"
    )
    assert job.code == 1
    assert "::error file=my puzzles/wrong.puzzle.toml,line=5,title=failed" in job.log
    assert job.used[-1].startswith("actions/cache/save")
    assert "<failure" in (tmp_path / "repository" / "report.xml").read_text(encoding="utf-8")
    assert "| failed | my puzzles/wrong.puzzle.toml:5 |" in job.summary


def test_an_empty_repository_is_not_green(tmp_path: Path) -> None:
    job = act(tmp_path, {}, cache="false")
    assert job.code == 2
    assert job.outputs["steps.gate.outputs.exit-code"] == "2"
    assert not any("cache" in used for used in job.used)


def test_inputs_cannot_become_commands(tmp_path: Path) -> None:
    nasty = '"; touch stolen; $(touch stolen) `touch stolen`'
    job = act(tmp_path, {"good.puzzle.toml": GOOD}, paths=nasty, engines="fc-mrv,sat")
    assert job.code == 2
    assert not list(tmp_path.rglob("stolen"))


def hook(folder: Path, files: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str] | None":
    """What pre-commit does on a commit of these files: None where it finds nothing for the hook to do."""
    (described,) = HOOKS
    for name, text in files.items():
        (folder / name).write_text(text)
    wanted = sorted(name for name in files if re.search(described["files"], name))
    if not wanted:
        return None
    program, *rest = shlex.split(described["entry"])
    # The program of the environment that pre-commit makes for the hook.
    command = [str(Path(sys.executable).parent / program), *rest, *arguments, *wanted]
    environment = {**os.environ, "PRE_COMMIT": "1", "CROSSCOUNT_CACHE": str(folder / "cache")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_the_hook_is_what_pre_commit_expects() -> None:
    (described,) = HOOKS
    assert {"id", "name", "entry", "language"} <= set(described)
    assert described["language"] == "python"


def test_the_hook_passes_and_fails(tmp_path: Path) -> None:
    engines = ("--engines", "fc-mrv,sat")
    passed = hook(tmp_path, {"good.puzzle.toml": GOOD, "README.md": "x"}, *engines)
    assert passed is not None
    assert (passed.returncode, passed.stdout.splitlines()[-1]) == (0, "1 passed")
    failed = hook(tmp_path, {"good.puzzle.toml": GOOD, "wrong.puzzle.toml": WRONG}, *engines)
    assert failed is not None
    assert failed.returncode == 1
    assert "wrong.puzzle.toml:5: expected exactly 3 solutions, found exactly 2 solutions" in failed.stdout
    assert hook(tmp_path, {"README.md": "x"}) is None


@pytest.mark.parametrize("block", re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
def test_the_examples_on_the_page_are_yaml_and_name_what_exists(block: str) -> None:
    example = yaml.safe_load(block)
    assert example
    for repository in example.get("repos", []):
        assert {entry["id"] for entry in repository["hooks"]} <= {described["id"] for described in HOOKS}
    for job in (example.get("jobs") or {}).values():
        for step in job["steps"]:
            if "crosscount" in step.get("uses", ""):
                assert set(step.get("with", {})) <= set(ACTION["inputs"])


def test_the_page_has_both_examples() -> None:
    assert "uses: OWNER/crosscount@" in PAGE
    assert "id: crosscount-gate" in PAGE
