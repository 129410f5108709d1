"""`rulespec verify --recheck` and `--export`: a second solver's word, and proofs for others to check."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from claimed import FALSE, TRUE, VISITED, counter
from clicalls import Cli, write

from rulespec.cli.exit_code import ExitCode
from rulespec.proofs.smt import second
from rulespec.verifying import run
from rulespec.verifying.run import Outcome

pytestmark = pytest.mark.usefixtures("in_this_process")


@pytest.fixture
def rulebook(tmp_path: Path) -> Path:
    return write(tmp_path / "counter.rules", counter(TRUE))


def test_both_solvers_agree(cli: Cli, rulebook: Path) -> None:
    said = cli("verify", rulebook, "--jobs", "1", "--time", "20", "--recheck")

    assert said.status == ExitCode.FINE
    assert "rest on, and agrees\n" in said.out
    without = " more verdicts need no question, and hold by the form of the rules alone\n"
    assert without in said.out

    later = cli("verify", rulebook, "--jobs", "1", "--time", "20")
    assert "rest on, and agrees\n" in later.out
    assert without not in later.out


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


def test_proofs_are_written_into_a_folder(cli: Cli, rulebook: Path, tmp_path: Path) -> None:
    place = tmp_path / "proofs"
    said = cli("verify", rulebook, "--jobs", "1", "--time", "20", "--export", place)

    assert said.status == ExitCode.FINE, said.err
    assert "proved claims are in" in said.out
    assert (place / "README.md").read_text().startswith("# What the proofs of ")
    assert list(place.rglob("*.smt2"))


def test_a_folder_of_somebody_else_is_refused_before_anything_is_proved(
    cli: Cli, rulebook: Path, tmp_path: Path
) -> None:
    said = cli("verify", rulebook, "--export", tmp_path)

    assert said.status == ExitCode.PROBLEMS
    assert "`counter.rules` in it is not from an export" in said.err


def test_a_claim_is_explained(cli: Cli, rulebook: Path) -> None:
    said = cli("verify", rulebook, "--jobs", "1", "--time", "20", "--explain", "the game ends")

    assert said.status == ExitCode.FINE, said.err
    assert said.out.startswith("the game ends, with 2 players\n")


@pytest.mark.parametrize(
    ("claim", "status", "said"),
    [
        (
            "never_five",
            ExitCode.FINE,
            "It holds in each of the game's 616 positions, all of which were visited.",
        ),
        ("reachable fifty", ExitCode.FINE, "A play comes to it, which `verify --verbose` shows."),
        ("reachable five", ExitCode.PROBLEMS, "It is not proved: it holds in no position of the game"),
        ("reachable soon", ExitCode.FINE, "It is proved that no play comes to it."),
    ],
)
def test_what_is_known_otherwise_than_by_facts_is_said(
    cli: Cli, tmp_path: Path, claim: str, status: ExitCode, said: str
) -> None:
    place = write(tmp_path / "orbit.rules", VISITED)
    told = cli("verify", place, "--jobs", "1", "--explain", claim)

    assert (told.status, told.out.splitlines()[2]) == (status, said)


def test_what_is_not_proved_is_a_problem_for_who_asks_why(cli: Cli, tmp_path: Path) -> None:
    place = write(tmp_path / "counter.rules", counter(FALSE))
    said = cli("verify", place, "--jobs", "1", "--time", "20", "--explain", "poor")

    assert said.status == ExitCode.PROBLEMS
    assert "It is not proved: a play speaks against it" in said.out


@pytest.mark.parametrize("option", ["--locked", "--vacuity", "--recheck", "--strict", "--deadline=5"])
def test_no_option_is_left_out_without_a_word(cli: Cli, rulebook: Path, option: str) -> None:
    said = cli("verify", rulebook, "--explain", "pace", option)

    assert said.status == ExitCode.USAGE
    assert f"`{option.partition('=')[0]}`: not with `--export` and `--explain`" in said.err


def test_what_is_explained_is_named_once(cli: Cli, rulebook: Path) -> None:
    said = cli("verify", rulebook, "--explain", "pace", "--property", "range")

    assert said.status == ExitCode.USAGE
    assert "takes no `--property`" in said.err


def test_an_export_is_no_json(cli: Cli, rulebook: Path, tmp_path: Path) -> None:
    said = cli("verify", rulebook, "--export", tmp_path / "proofs", "--json")

    assert said.status == ExitCode.USAGE
    assert "`--json`: not with" in said.err


def test_a_cvc5_that_cannot_be_loaded_is_none(
    cli: Cli, rulebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    write(tmp_path / "elsewhere" / "cvc5.py", "raise ImportError('made for another machine')")
    monkeypatch.syspath_prepend(tmp_path / "elsewhere")
    monkeypatch.delitem(sys.modules, "cvc5", raising=False)
    said = cli("verify", rulebook, "--recheck")

    assert said.status == ExitCode.PROBLEMS
    assert "`--recheck` needs cvc5" in said.err


def test_a_claim_that_is_not_there_cannot_be_explained(cli: Cli, rulebook: Path) -> None:
    said = cli("verify", rulebook, "--explain", "nonsense")

    assert said.status == ExitCode.USAGE
    assert "there is no property `nonsense`" in said.err
