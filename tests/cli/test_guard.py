"""Every way a command can end: its exit status, and what is said."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from rulespec.cli.exit_code import ExitCode
from rulespec.cli.guard import run, working_on
from rulespec.cli.main import app

RULESPEC = Path(sys.executable).with_name("rulespec")


def command_that(act: Callable[[], object]) -> click.Command:
    return click.Command("act", callback=act)


def fails() -> None:
    with working_on("checking `toy.rules`"), working_on("lowering rule `sell`"):
        raise KeyError("reserve")


@pytest.mark.parametrize(
    ("returned", "status"),
    [(None, 0), (ExitCode.FINE, 0), (ExitCode.PROBLEMS, 1), (ExitCode.USAGE, 2)],
)
def test_what_a_command_returns_is_the_status(returned: ExitCode | None, status: int) -> None:
    assert run(command_that(lambda: returned), []) == status


def test_fault_says_what_was_worked_on_and_shows_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("RULESPEC_DEBUG", raising=False)

    assert run(command_that(fails), []) == ExitCode.FAULT

    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.splitlines()
    assert lines[:3] == [
        "internal fault: this is an error in rulespec, not in your rules",
        "  while checking `toy.rules`",
        "  while lowering rule `sell`",
    ]
    assert lines[3].startswith("  KeyError: 'reserve' (in rulespec.cli.guard:")
    assert "RULESPEC_DEBUG=1" in lines[4]
    assert "Traceback" not in captured.err


def test_fault_shows_its_traceback_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULESPEC_DEBUG", "1")

    assert run(command_that(fails), []) == ExitCode.FAULT

    said = capsys.readouterr().err
    assert said.startswith("internal fault:")
    assert "Traceback" in said


def test_endless_recursion_and_long_messages_end_in_one_short_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def deep() -> object:
        return deep()

    def wordy() -> None:
        raise ValueError("word\n" * 10_000)

    assert run(command_that(deep), []) == ExitCode.FAULT
    assert run(command_that(wordy), []) == ExitCode.FAULT
    assert max(map(len, capsys.readouterr().err.splitlines())) < 400


@pytest.mark.parametrize("error", [KeyboardInterrupt, click.Abort])
def test_interruption_is_said_in_one_word(
    error: type[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    def act() -> None:
        raise error

    assert run(command_that(act), []) == ExitCode.INTERRUPTED
    assert capsys.readouterr().err == "\ninterrupted\n"


def test_a_file_that_cannot_be_opened_is_a_problem_not_a_fault(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def act() -> None:
        raise click.FileError("toy.rules", "permission denied")

    assert run(command_that(act), []) == ExitCode.PROBLEMS
    assert "toy.rules" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_fault() -> None:
    # Far more than a pipe holds, so that the writer is still writing when its reader has gone.
    code = (
        "import sys, click; from rulespec.cli.guard import run\n"
        "def act() -> None:\n"
        "    for _ in range(100_000): click.echo('line')\n"
        "sys.exit(run(click.Command('act', callback=act), []))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()

    assert process.returncode == ExitCode.BROKEN_PIPE
    assert said == b""


def test_a_character_the_terminal_lacks_stops_nothing() -> None:
    code = (
        "import sys, click; from rulespec.cli.guard import run\n"
        "sys.exit(run(click.Command('act', callback=lambda: click.echo('a → b')), []))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONIOENCODING": "latin-1"}, capture_output=True, check=False
    )

    assert (done.returncode, done.stdout) == (ExitCode.FINE, b"a ? b\n")


def test_the_installed_command_ends_the_process_with_the_status() -> None:
    done = subprocess.run([RULESPEC, "no-such"], capture_output=True, text=True, check=False)

    assert done.returncode == ExitCode.USAGE
    assert "there is no command `no-such`" in done.stderr


def test_rules_that_fail_at_their_very_start_are_no_fault_of_the_tool(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = tmp_path / "broke.rules"
    game.write_text(
        'game broke "Broke"\nplayers 2\ncurrency coin "coins": 3 in bank\n'
        "state:\n    per player:\n        purse: coin in 0..9\n        points: points in 0..9\n"
        "rule setup:\n    for p in players:\n        pay 2 from bank to p.purse\n"
        "rule play:\n    nothing\nranking for p: p.points\n"
    )

    assert run(app, ["run", str(game)]) == ExitCode.PROBLEMS

    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        f"Error: the rules fail: `bank` does not hold that much (enough in setup at {game}:10)\n"
    )
