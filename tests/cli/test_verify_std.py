"""`rulespec verify std`: the standard library, a line for each mechanism."""

from __future__ import annotations

import pytest
from clicalls import Cli

from rulespec import library
from rulespec.cli.exit_code import ExitCode

ONE = ("verify", "std", "--players", "2", "--jobs", "1")


@pytest.mark.slow
def test_each_mechanism_has_a_line_and_is_proved(cli: Cli) -> None:
    said = cli(*ONE, "--strict")

    assert said.status == ExitCode.FINE, said.out
    rows = [line.split()[-1] for line in said.out.splitlines() if line.startswith("  ")]
    assert rows == ["proved"] * len(library.proofs())
    assert said.out.splitlines()[-1].startswith(f"{len(library.proofs())} mechanisms with 2 players, ")
    assert " examples hold, in " in said.out


@pytest.mark.deep
def test_it_can_be_asked_for_one_claim(cli: Cli) -> None:
    said = cli(*ONE, "--property", "the game ends", "--json")

    assert said.status == ExitCode.FINE
    assert {each["verdict"] for each in said.json} == {"proved"}
    assert {each["kind"] for each in said.json} == {"end"}
    assert len({each["game"] for each in said.json}) == len(library.proofs())


def test_a_claim_that_only_some_have_is_asked_of_these(cli: Cli) -> None:
    said = cli(*ONE, "--property", "range of row")

    assert said.status == ExitCode.FINE, said.err
    assert "1 mechanism with 2 players, 1 claim: 1 proved, in " in said.out


def test_it_is_proved_for_up_to_six(cli: Cli) -> None:
    said = cli("verify", "std", "--players", "7")

    assert said.status == ExitCode.USAGE
    assert "7" in said.err


def test_it_has_no_lock_file(cli: Cli) -> None:
    said = cli("verify", "std", "--locked")

    assert said.status == ExitCode.USAGE
    assert "--locked" in said.err


def test_one_mechanism_is_a_rulebook_like_others(cli: Cli) -> None:
    said = cli("check", "std/ascending_auction")

    assert said.status == ExitCode.FINE
    assert "2 to 6 players" in said.out
