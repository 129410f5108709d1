"""The GitHub action and the hooks of pre-commit, by carrying out their steps.

The action's `run:` steps are carried out as a runner would: with bash, and with the expressions in `env:`
filled in. What `uses:` another action (setting up Python, uploading to code scanning) cannot run here: only
the form of these steps is looked at. pip is not run either: a stand-in writes down what it was asked for.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from clicalls import write
from tiny import TINY, changed

yaml = pytest.importorskip("yaml", reason="PyYAML comes with the extra `site`")

ROOT = Path(__file__).resolve().parents[2]
FAILING = changed("p1.purse = 1\n", "p1.purse = 2\n")
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")  # as a runner calls it


@dataclass(frozen=True)
class Done:
    """How a step ended, what it printed, and what it put out."""

    status: int
    out: str
    outputs: Mapping[str, str]


@pytest.fixture(scope="module")
def action() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "action.yml").read_text()))


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    """`rulespec`, and a `python` that writes down what pip was asked for."""
    folder = tmp_path / "bin"
    folder.mkdir()
    python = shlex.quote(sys.executable)
    command = f"exec {python} -c 'from rulespec.cli.main import main; main()' \"$@\""
    _script(folder / "rulespec", command)
    _script(folder / "python", f'printf "%s\\n" "$@" > {shlex.quote(str(tmp_path / "asked"))}')
    return folder


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The workspace of the job."""
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def _script(path: Path, text: str) -> None:
    write(path, f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def _filled(text: str, values: Mapping[str, str]) -> str:
    return EXPRESSION.sub(lambda found: values[found[1]], text)


def _step(action: Mapping[str, Any], name: str) -> dict[str, Any]:
    (found,) = (step for step in action["runs"]["steps"] if step.get("name") == name)
    return dict(found)


def _carry_out(action: Mapping[str, Any], name: str, work: Path, bin_folder: Path, **inputs: str) -> Done:
    """One step of the action, with inputs by their names (`_` for `-`), the others as they are by default."""
    given = {key.replace("_", "-"): value for key, value in inputs.items()}
    known = {f"inputs.{key}": given.pop(key, each["default"]) for key, each in action["inputs"].items()}
    assert not given
    known["github.action_path"] = "/the/action"
    step = _step(action, name)
    assert step["shell"] == "bash"
    put_out = write(work.parent / "outputs", "")
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", "")))),
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(work),
        "GITHUB_OUTPUT": str(put_out),
        "GITHUB_STEP_SUMMARY": str(work.parent / "summary.md"),
        **{key: _filled(value, known) for key, value in step["env"].items()},
    }
    where = work / _filled(step.get("working-directory", "."), known)
    done = subprocess.run(
        [*BASH, step["run"]], cwd=where, env=environment, capture_output=True, text=True, check=False
    )
    return Done(done.returncode, done.stdout + done.stderr, _outputs(put_out.read_text()))


def _outputs(text: str) -> dict[str, str]:
    """`name<<END`, lines, `END`: as a runner reads them."""
    found = {}
    for match in re.finditer(r"^(\w+)<<(\S+)\n(.*?)\n\2$", text, re.MULTILINE | re.DOTALL):
        found[match[1]] = match[3]
    return found


# --- the action --------------------------------------------------------------------------------------------


def test_every_input_is_described_and_nothing_untrusted_reaches_a_shell(action: dict[str, Any]) -> None:
    assert action["runs"]["using"] == "composite"
    assert all(each["description"] and "default" in each for each in action["inputs"].values())
    steps = action["runs"]["steps"]
    for step in steps:
        assert ("run" in step) != ("uses" in step)
        assert "${{" not in step.get("run", "")
        assert step.get("shell") == ("bash" if "run" in step else None)
    used = EXPRESSION.findall(json.dumps(steps))
    asked = {name.removeprefix("inputs.") for name in used if name.startswith("inputs.")}
    conditions = " ".join(step.get("if", "") for step in steps)
    assert asked | set(re.findall(r"inputs\.([\w-]+)", conditions)) == set(action["inputs"])


def test_what_cannot_run_here_names_an_action_with_its_version(action: dict[str, Any]) -> None:
    uses = [step["uses"] for step in action["runs"]["steps"] if "uses" in step]

    assert [each.partition("@")[0] for each in uses] == [
        "actions/setup-python",
        "github/codeql-action/upload-sarif",
    ]
    assert all(re.fullmatch(r"[\w./-]+@v\d+", each) for each in uses)


@pytest.mark.parametrize(
    ("package", "asked"), [("", "/the/action[site]"), ("rulespec==1; echo oh", "rulespec==1; echo oh")]
)
def test_the_action_installs_itself_or_what_is_asked_for(
    action: dict[str, Any], work: Path, bin_folder: Path, package: str, asked: str
) -> None:
    done = _carry_out(action, "Install rulespec", work, bin_folder, package=package)

    assert done.status == 0, done.out
    words = (work.parent / "asked").read_text().splitlines()
    assert words == ["-m", "pip", "install", "--disable-pip-version-check", "--", asked]


def test_a_good_rulebook_passes_and_the_file_is_put_out(
    action: dict[str, Any], work: Path, bin_folder: Path
) -> None:
    (work / "games").mkdir()
    write(work / "games" / "tiny.rules", TINY)

    done = _carry_out(
        action, "rulespec ci", work, bin_folder, working_directory="games", stages="check\nexamples\n"
    )
    assert done.status == 0, done.out
    assert "good: 2 of 2 stages passed" in done.out
    assert done.outputs == {"sarif": "games/rulespec.sarif"}
    assert json.loads((work / done.outputs["sarif"]).read_text())["runs"][0]["results"] == []
    assert "| examples | passed |" in (work.parent / "summary.md").read_text()


def test_a_failing_example_fails_the_step_with_a_remark_beside_it(
    action: dict[str, Any], work: Path, bin_folder: Path
) -> None:
    write(work / "tiny.rules", FAILING)

    done = _carry_out(action, "rulespec ci", work, bin_folder, stages="examples")
    assert done.status == 1
    assert re.search(r"^::error file=tiny\.rules,line=\d+,.*title=rulespec R0690,", done.out, re.MULTILINE)
    (result,) = json.loads((work / "rulespec.sarif").read_text())["runs"][0]["results"]
    assert result["ruleId"] == "R0690"


def test_inputs_are_only_ever_words(action: dict[str, Any], work: Path, bin_folder: Path) -> None:
    nasty = '$(touch oops) `touch oops` "; touch oops; "\n--strict\n'

    done = _carry_out(
        action, "rulespec ci", work, bin_folder, paths=nasty, stages="check", sarif="a b';x.sarif"
    )
    assert done.status == 1
    assert sorted(path.name for path in work.iterdir()) == ["a b';x.sarif"]
    assert done.outputs == {"sarif": "./a b';x.sarif"}
    assert "there is no game and no file `--strict`" in done.out


def test_strictness_is_passed_on_and_no_file_is_written_unless_asked_for(
    action: dict[str, Any], work: Path, bin_folder: Path
) -> None:
    write(work / "odd.rules", changed("left of eldest if reading first is oldest else eldest", "eldest"))

    plain = _carry_out(action, "rulespec ci", work, bin_folder, stages="check", sarif="")
    strict = _carry_out(action, "rulespec ci", work, bin_folder, stages="check", sarif="", strict="true")
    assert (plain.status, strict.status) == (0, 1)
    assert plain.outputs == {}
    assert [path.name for path in work.iterdir()] == ["odd.rules"]


# --- the hooks of pre-commit -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hooks() -> dict[str, dict[str, Any]]:
    found = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    return {hook["id"]: hook for hook in found}


def _hook(
    hook: Mapping[str, Any], work: Path, bin_folder: Path, *files: str
) -> subprocess.CompletedProcess[str]:
    """Run a hook on those of the files that it is for, as pre-commit calls it."""
    meant = [file for file in files if re.search(hook["files"], file)]
    names = meant if hook.get("pass_filenames", True) else []
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", "")))),
    }
    command = [*shlex.split(hook["entry"]), *names]
    return subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)


def test_hooks_have_what_pre_commit_asks_for(hooks: dict[str, dict[str, Any]]) -> None:
    assert list(hooks) == ["rulespec-format", "rulespec-check", "rulespec-examples", "rulespec-verdicts"]
    for hook in hooks.values():
        assert hook["name"]
        assert hook["language"] == "python"
        assert re.search(hook["files"], "a/tiny.rules.md")
        assert re.search(hook["files"], "tiny.rules")
        assert not re.search(hook["files"], "rules.md")


def test_the_layout_is_put_right_by_its_hook(
    hooks: dict[str, dict[str, Any]], work: Path, bin_folder: Path
) -> None:
    write(work / "tiny.rules", changed("score 1 to p", "score  1 to p"))

    done = _hook(hooks["rulespec-format"], work, bin_folder, "tiny.rules", "README.md")
    assert done.returncode == 0, done.stderr
    assert (work / "tiny.rules").read_text() == TINY


@pytest.mark.parametrize(
    ("hook", "text", "expected"),
    [
        ("rulespec-check", TINY, 0),
        ("rulespec-check", changed("score 1 to p", "score 1 to q"), 1),
        ("rulespec-examples", TINY, 0),
        ("rulespec-examples", FAILING, 1),
        ("rulespec-verdicts", TINY, 1),  # there is no lock file
    ],
)
def test_a_hook_fails_where_something_is_wrong(
    hooks: dict[str, dict[str, Any]], work: Path, bin_folder: Path, hook: str, text: str, expected: int
) -> None:
    write(work / "tiny.rules", text)

    done = _hook(hooks[hook], work, bin_folder, "tiny.rules")
    assert done.returncode == expected, done.stdout + done.stderr
    assert " of 1 stage passed" in done.stdout
