"""`rulespec mutate`: what of a rulebook notices small changes, as a person calls it."""

from __future__ import annotations

from pathlib import Path

import pytest
from claimed import TRUE, counter
from clicalls import Cli, write

from rulespec.cli.exit_code import ExitCode

pytestmark = pytest.mark.usefixtures("in_this_process")


@pytest.fixture
def rulebook(tmp_path: Path) -> str:
    return str(write(tmp_path / "counter.rules", counter(TRUE)))


def test_changes_are_tried_and_the_unnoticed_are_listed(cli: Cli, rulebook: str) -> None:
    said = cli("mutate", rulebook, "--rule", "take", "--no-proof", "--jobs", "1")

    assert said.status == ExitCode.FINE, said.err
    assert " changes tried with 2 players\n" in said.out
    assert "noticed by examples" in said.out
    assert "Changes that nothing notices\n" in said.out
    assert "take.guard.1  " in said.out
    assert '    - take when bank > 0 "takes a coin":\n    + take when true "takes a coin":\n' in said.out
    assert "a score of " in said.out.splitlines()[-1]


def test_one_change_can_be_tried_again_by_its_id(cli: Cli, rulebook: str) -> None:
    said = cli("mutate", rulebook, "--only", "take.number.2", "--jobs", "1", "--json")

    assert said.status == ExitCode.FINE, said.err
    (found,) = said.json["results"]
    assert said.json["tried"] == 1
    assert (found["id"], found["rule"]) == ("take.number.2", "Taking a coin")
    assert found["outcome"] in ("examples", "plays", "the proof")


def test_a_name_that_is_not_there_is_a_mistake(cli: Cli, rulebook: str) -> None:
    said = cli("mutate", rulebook, "--only", "take.number.99")

    assert said.status == ExitCode.USAGE
    assert "there is no change of `take.number.99`" in said.err


def test_examples_that_fail_already_notice_nothing(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "counter.rules", counter(TRUE, taken=2))
    said = cli("mutate", str(path), "--only", "take.drop.2", "--no-proof", "--jobs", "1", "--json")

    assert "example `taking` fails without any change, and is left out" in said.err
    assert said.json["results"][0]["outcome"] != "examples"
