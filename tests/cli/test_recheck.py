"""`rulespec verify --recheck`: what a second solver says is told, and where it disagrees it is an error."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from claimed import TRUE, counter
from clicalls import Cli, write

from rulespec.cli.exit_code import ExitCode
from rulespec.proofs.smt import second
from rulespec.verifying import run
from rulespec.verifying.run import Outcome


@pytest.fixture
def rulebook(tmp_path: Path) -> Path:
    return write(tmp_path / "counter.rules", counter(TRUE))


def test_both_solvers_agree(cli: Cli, rulebook: Path) -> None:
    pytest.importorskip("cvc5")
    said = cli("verify", rulebook, "--jobs", "1", "--time", "20", "--recheck")

    assert said.status == ExitCode.FINE
    assert "rest on, and agrees" in said.out


def test_without_cvc5_the_extra_is_named(cli: Cli, rulebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second, "is_installed", lambda: False)
    said = cli("verify", rulebook, "--recheck")

    assert said.status == ExitCode.PROBLEMS
    assert (
        "`--recheck` needs cvc5, which is in the extra `recheck`: pip install 'rulespec[recheck]'" in said.err
    )


def test_a_disagreement_is_an_error_that_names_the_claim(
    cli: Cli, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = run.verify

    def doubting(*args: Any, **more: Any) -> Outcome:
        outcome = usual(*args, **more)
        for number, verdicts in outcome.verdicts.items():
            first, *rest = verdicts
            wrong = replace(first, verdict="unknown", reason="cvc5 finds an answer", second="disagrees")
            outcome.verdicts[number] = (wrong, *(replace(each, second="gave up") for each in rest))
        return outcome

    monkeypatch.setattr(run, "verify", doubting)
    said = cli("verify", rulebook, "--jobs", "1", "--time", "20")

    assert said.status == ExitCode.FAULT
    assert "gave up on" in said.out
    assert "disagrees with 1" in said.out
    assert "players: cvc5 finds an answer" in said.err
