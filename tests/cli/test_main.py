"""`rulespec` itself: its help, its registry, and what it does not import."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from rulespec.cli import registry
from rulespec.cli.exit_code import MEANINGS, ExitCode
from rulespec.cli.guard import run
from rulespec.cli.main import app

HEAVY = ("hypothesis", "lark", "matplotlib", "numpy", "pyarrow", "rich", "z3")


def test_help_lists_every_command_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["--help"]) == ExitCode.FINE

    said = capsys.readouterr().out
    for entry in registry.COMMANDS:
        assert f"  {entry.name} " in said
        assert entry.summary in said
        assert entry.example in said


def test_help_explains_every_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    run(app, ["--help"])

    said = capsys.readouterr().out.split("Exit status:")[1]
    for code in ExitCode:
        assert f"  {int(code)} " in said
        assert MEANINGS[code] in said


def test_version_option_names_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["--version"]) == ExitCode.FINE
    assert capsys.readouterr().out.startswith("rulespec ")


@pytest.mark.parametrize("entry", registry.COMMANDS, ids=lambda entry: entry.name)
def test_each_command_teaches(entry: registry.Entry, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, [entry.name, "--help"]) == ExitCode.FINE

    said = capsys.readouterr().out
    assert entry.summary in said
    assert "Examples:" in said
    assert f"  rulespec {entry.name}" in said


def test_a_module_without_a_command_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulespec.cli.version.command", "not one")

    with pytest.raises(TypeError, match=r"rulespec\.cli\.version\.command"):
        registry.load(registry.Entry("version", "", ""))


@pytest.mark.parametrize(
    ("typed", "advice"),
    [("versoin", "did you mean `version`?"), ("zzz", "`rulespec --help` lists the commands")],
)
def test_unknown_command_is_a_usage_error_with_advice(
    typed: str, advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(app, [typed]) == ExitCode.USAGE

    captured = capsys.readouterr()
    assert f"there is no command `{typed}`; {advice}" in captured.err
    assert captured.out == ""


@pytest.mark.parametrize("args", [["--no-such"], ["version", "--no-such"], ["version", "extra"], []])
def test_what_is_not_understood_ends_in_the_usage_status(
    args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(app, args) == ExitCode.USAGE
    assert "Usage: rulespec" in capsys.readouterr().err


def test_no_color_reaches_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with app.make_context("rulespec", ["version"]) as ctx:
        app.invoke(ctx)
    assert ctx.color is False


def test_without_no_color_each_stream_decides(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    with app.make_context("rulespec", ["version"]) as ctx:
        app.invoke(ctx)
        click.secho("red", fg="red")
    assert ctx.color is None
    assert "\x1b" not in capsys.readouterr().out


def test_help_imports_no_parser_and_no_solver() -> None:
    code = (
        "import sys; from rulespec.cli import guard, main; guard.run(main.app, ['--help']);"
        f"print('loaded', [name for name in {HEAVY} if name in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "loaded []"
