"""`rulespec new`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from clicalls import Cli, Said

from rulespec.cli.exit_code import ExitCode

PLUGIN = ("-p", "no:rulespec", "-p", "rulespec.pytest_plugin", "-p", "no:cacheprovider")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


MADE = [
    ".editorconfig",
    ".github/workflows/rules.yml",
    ".gitignore",
    ".pre-commit-config.yaml",
    ".vscode/extensions.json",
    ".vscode/settings.json",
    ".vscode/tasks.json",
    "README.md",
    "harbor.rules.md",
    "pytest.ini",
    "requirements.txt",
]


def _files(folder: str) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in Path(folder).rglob("*") if p.is_file())


@pytest.fixture
def template(cli: Cli) -> Cli:
    """Makes a project without proofs, which take a few seconds."""

    def call(name: str) -> Said:
        return cli("new", name, "--no-verify")

    return call


def test_what_is_made_works_at_once(template: Cli, cli: Cli) -> None:
    said = template("harbor")

    assert said.status == ExitCode.FINE
    rulebook = Path("harbor", "harbor.rules.md")
    assert _files("harbor") == MADE
    assert said.out.endswith(f"next: rulespec test {rulebook}\n")
    assert all(f"  {Path('harbor', each)}\n" in said.out for each in MADE)
    assert cli("check", "--strict", rulebook).status == ExitCode.FINE
    assert cli("test", rulebook).out.startswith(f"{rulebook}: good, 1 example ")
    assert cli("fmt", "--check", rulebook).status == ExitCode.FINE


@pytest.mark.usefixtures("in_this_process")
def test_a_project_passes_its_own_ci_and_its_own_tests(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    made = cli("new", "my-harbor")
    monkeypatch.chdir("my-harbor")
    said = cli("ci", "--strict", "--json")

    assert made.status == ExitCode.FINE
    assert "31 claims with 2 to 4 players: 31 proved, none refuted\n1 example holds" in made.out
    results = {each["stage"]: each["result"] for each in said.json["stages"]}
    site = results.pop("site")
    assert site == ("passed" if find_spec("material") else "skipped")
    assert results == {
        "check": "passed",
        "format": "passed",
        "examples": "passed",
        "verdicts": "passed",
        "coverage": "skipped",
    }
    tests = subprocess.run(
        [sys.executable, "-m", "pytest", *PLUGIN, "--rulespec-locked", "-q"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.search(r"^1\d\d passed in ", tests.stdout, re.MULTILINE), tests.stdout
    assert _files(".") == sorted([*(m.replace("harbor", "my-harbor") for m in MADE), "rulespec.lock"])


@pytest.mark.parametrize(("name", "game"), [("my_harbor2", "my_harbor2"), ("my-harbor2", "my_harbor2")])
def test_names_are_filled_in(template: Cli, cli: Cli, name: str, game: str) -> None:
    template(name)

    for path in filter(Path.is_file, Path(name).rglob("*")):
        assert "<<" not in path.read_text(), path
    assert Path(name, "README.md").read_text().startswith(f"# My harbor2\n\n`{name}.rules.md` is ")
    rulebook = Path(name, f"{name}.rules.md")
    assert f'game {game} "My harbor2"' in rulebook.read_text()
    assert cli("check", name).status == ExitCode.FINE
    assert (
        Path(name, "requirements.txt").read_text().endswith(f"rulespec[site,test]=={version('rulespec')}\n")
    )


def test_settings_are_read_by_those_who_read_them(template: Cli) -> None:
    yaml = pytest.importorskip("yaml")
    template("harbor")

    for path in Path("harbor", ".vscode").iterdir():
        assert json.loads(path.read_text())
    workflow = yaml.safe_load(Path("harbor/.github/workflows/rules.yml").read_text())
    runs = [step["run"] for step in workflow["jobs"]["rules"]["steps"] if "run" in step]
    assert "rulespec ci --sarif rulespec.sarif" in runs
    assert not any("${{" in run for run in runs)
    hooks = yaml.safe_load(Path("harbor/.pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    assert [hook["id"] for hook in hooks] == ["rulespec-format", "rulespec-check", "rulespec-examples"]


def test_the_editor_finds_the_places_that_are_printed(template: Cli, cli: Cli) -> None:
    template("harbor")
    rulebook = Path("harbor", "harbor.rules.md")
    rulebook.write_text(rulebook.read_text().replace("score w.worth to p", "score w.wort to p"))
    tasks = json.loads(Path("harbor/.vscode/tasks.json").read_text())["tasks"]
    first, second = (each["regexp"] for each in tasks[0]["problemMatcher"]["pattern"])

    said = cli("ci", rulebook, "--stage", "check").out.splitlines()
    at = next(n for n, text in enumerate(said) if re.search(first, text))
    place = re.search(second, said[at + 1])
    assert place is not None
    assert place[1] == str(rulebook)


def test_others_may_read_what_is_made(template: Cli) -> None:
    plain = Path("plain")
    plain.mkdir()
    template("harbor")

    assert Path("harbor").stat().st_mode == plain.stat().st_mode


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_nothing_is_overwritten(cli: Cli, kind: str) -> None:
    there = Path("harbor")
    if kind == "folder":
        there.mkdir()
    elif kind == "file":
        there.write_text("mine")
    else:
        there.symlink_to("nowhere")

    said = cli("new", "harbor")

    assert said.status == ExitCode.PROBLEMS
    assert "`harbor` is there already, and nothing is overwritten" in said.err
    assert [each.name for each in Path().iterdir()] == ["harbor"]


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("My Harbor", "; `my_harbor` would do"),
        ("../up", "; `up` would do"),
        ("2", "with a letter\n"),
        ("harbor-", "; `harbor` would do"),
        ("for", "it is a word of the language"),
        ("", "with a letter\n"),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_advice(cli: Cli, name: str, advice: str) -> None:
    said = cli("new", name)

    assert said.status == ExitCode.USAGE
    assert advice in said.err
    assert list(Path().iterdir()) == []


def test_what_is_interrupted_while_proving_stays_as_it_was_made(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulespec.verifying import run
    from rulespec.verifying.run import Outcome

    monkeypatch.setattr(run, "verify", lambda game, parts, *_, **__: Outcome(tuple(parts), interrupted=True))

    said = cli("new", "harbor")
    assert said.status == ExitCode.INTERRUPTED
    assert "what is left is proved by `rulespec verify`" in said.out
    assert _files("harbor") == MADE


def test_a_failed_write_leaves_nothing(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fail)

    said = cli("new", "harbor")

    assert said.status == ExitCode.PROBLEMS
    assert "no space left on device" in said.err
    assert list(Path().iterdir()) == []
