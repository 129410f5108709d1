"""`rulespec new`."""

from __future__ import annotations

from pathlib import Path

import pytest
from clicalls import Cli

from rulespec.cli.exit_code import ExitCode


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_what_is_made_works_at_once(cli: Cli) -> None:
    said = cli("new", "harbor")

    assert said.status == ExitCode.FINE
    rulebook = Path("harbor", "harbor.rules.md")
    assert [each.name for each in sorted(Path("harbor").iterdir())] == ["README.md", "harbor.rules.md"]
    assert said.out.endswith(f"next: rulespec test {rulebook}\n")
    assert cli("check", "--strict", rulebook).status == ExitCode.FINE
    assert cli("test", rulebook).out.startswith(f"{rulebook}: good, 1 example ")
    assert cli("fmt", "--check", rulebook).status == ExitCode.FINE


def test_names_are_filled_in(cli: Cli) -> None:
    cli("new", "my_harbor2")

    for path in Path("my_harbor2").iterdir():
        text = path.read_text()
        assert text.startswith("# My harbor2\n")
        assert "<<" not in text
        assert "my_harbor2" in text


def test_others_may_read_what_is_made(cli: Cli) -> None:
    plain = Path("plain")
    plain.mkdir()
    cli("new", "harbor")

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
        ("", "with a letter\n"),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_advice(cli: Cli, name: str, advice: str) -> None:
    said = cli("new", name)

    assert said.status == ExitCode.USAGE
    assert advice in said.err
    assert list(Path().iterdir()) == []


def test_a_failed_write_leaves_nothing(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fail)

    said = cli("new", "harbor")

    assert said.status == ExitCode.PROBLEMS
    assert "no space left on device" in said.err
    assert list(Path().iterdir()) == []
