"""`rulespec verify --facts`: what a proof rests on is kept with its verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from claimed import TRUE, counter
from clicalls import Cli, write

from rulespec.cli.exit_code import ExitCode

pytestmark = pytest.mark.usefixtures("in_this_process")

ARGUMENTS = ("--jobs", "1", "--time", "20", "--json")


def _verdicts(cli: Cli, rulebook: Path, *more: str) -> dict[tuple[str, int], dict[str, Any]]:
    said = cli("verify", rulebook, *ARGUMENTS, *more)
    assert said.status == ExitCode.FINE
    return {(each["property"], each["players"]): each for each in json.loads(said.out)}


def test_facts_are_kept_with_the_verdict_until_it_is_found_anew(cli: Cli, tmp_path: Path) -> None:
    rulebook = write(tmp_path / "counter.rules", counter(TRUE))
    found = _verdicts(cli, rulebook, "--facts")
    asked = {name: each["facts"] for name, each in found.items() if "facts" in each}
    assert any("the claim itself, everywhere" in fact for facts in asked.values() for fact in facts)
    assert all(found[name]["verdict"] == "proved" for name in asked)

    later = _verdicts(cli, rulebook)
    assert all("locked" in each for each in later.values())
    assert {name: each["facts"] for name, each in later.items() if "facts" in each} == asked

    anew = _verdicts(cli, rulebook, "--fresh")
    assert not any("facts" in each for each in anew.values())


@pytest.mark.parametrize("option", ["--locked", "--explain=pace"])
def test_where_nothing_is_proved_for_the_lock_no_facts_are_kept(
    cli: Cli, tmp_path: Path, option: str
) -> None:
    said = cli("verify", write(tmp_path / "counter.rules", counter(TRUE)), "--facts", option)

    assert said.status == ExitCode.USAGE
    assert "`--facts`" in said.err
