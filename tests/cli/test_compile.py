"""`rulespec compile`, and the options that choose a configuration."""

from __future__ import annotations

from pathlib import Path

import pytest
from clicalls import Cli, write
from tiny import TINY, changed

from rulespec.cli.exit_code import ExitCode
from rulespec.compiler.core.from_text import parse
from rulespec.compiler.core.tree import Configuration


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write(tmp_path / "tiny.rules", TINY)


def shown(cli: Cli, *args: str | Path) -> Configuration:
    said = cli("compile", *args, "--show", "core")
    assert (said.status, said.err) == (ExitCode.FINE, "")
    return parse(said.out).configuration


def test_python_names_rules_and_lines(cli: Cli, tiny: Path) -> None:
    said = cli("compile", tiny, "--players", "2")

    assert said.status == ExitCode.FINE
    compile(said.out, "generated", "exec")
    assert "# Spending (spend, line " in said.out
    assert "@rb(5)" in said.out


def test_core_can_be_read_back(cli: Cli, tiny: Path) -> None:
    assert shown(cli, tiny, "--players", "3") == Configuration(
        "tiny", 3, (), (("first", "youngest"), ("end", "once"))
    )


def test_a_configuration_is_chosen(cli: Cli, tiny: Path) -> None:
    chosen = shown(cli, tiny, "-p", "2", "--variant", "rich", "--reading", "first=oldest")

    assert chosen == Configuration("tiny", 2, ("rich",), (("first", "oldest"), ("end", "once")))


def test_a_second_run_says_the_same(cli: Cli, tiny: Path) -> None:
    for show in ("core", "python"):
        args = ("compile", tiny, "-p", "2", "--variant", "rich", "--show", show)
        assert cli(*args) == cli(*args)


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ([], "Missing option '-p' / '--players'"),
        (["-p", "4"], "`tiny` is for 2 to 3 players, not for 4"),
        (["-p", "0"], "is not in the range"),
        (["-p", "2", "--variant", "ritch"], "there is no variant `ritch`; did you mean `rich`?"),
        (["-p", "2", "--variant", "x"], "there is no variant `x`; known are `rich`"),
        (["-p", "2", "--reading", "frist=oldest"], "there is no reading `frist`; did you mean `first`?"),
        (
            ["-p", "2", "--reading", "first=xyz"],
            "the reading `first` has no meaning `xyz`; known are `youngest`, `oldest`",
        ),
        (["-p", "2", "--reading", "first"], "`first` is not of the form `NAME=MEANING`"),
        (
            ["-p", "2", "--reading", "first=oldest", "--reading", "first=youngest"],
            "`first` is settled twice",
        ),
        (["-p", "2", "--show", "wasm"], "'wasm' is not one of"),
    ],
)
def test_what_the_rulebook_does_not_have_is_a_usage_error(
    cli: Cli, tiny: Path, args: list[str], complaint: str
) -> None:
    said = cli("compile", tiny, *args)

    assert (said.status, said.out) == (ExitCode.USAGE, "")
    assert complaint in " ".join(said.err.split())


def test_a_rulebook_with_errors_shows_them(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "wrong.rules", changed("score 1 to p", "score 1 to q"))

    said = cli("compile", path, "-p", "2")

    assert (said.status, said.out) == (ExitCode.PROBLEMS, "")
    assert f"--> {path}:" in said.err


def test_an_error_of_this_configuration_alone_is_shown(cli: Cli, tmp_path: Path) -> None:
    text = changed("in 1..p.purse", "in 1..most").replace(
        "variant rich", "param most: coin = 3\n\nwhen players = 3:\n    most = 1000000\n\nvariant rich"
    )
    path = write(tmp_path / "large.rules", text)

    assert cli("compile", path, "-p", "2").status == ExitCode.FINE
    said = cli("compile", path, "-p", "3")
    assert (said.status, said.out) == (ExitCode.PROBLEMS, "")
    assert "error[R0511]" in said.err


def test_colors_are_for_terminals(cli: Cli, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in cli("compile", tiny, "-p", "2").out

    monkeypatch.setattr("rulespec.cli.output.colors_on", lambda stream: True)

    assert "\x1b[" in cli("compile", tiny, "-p", "2").out
