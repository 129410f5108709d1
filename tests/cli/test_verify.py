"""`rulespec verify`: verdicts, what is shown of them, and with what status it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from claimed import FALSE, OPEN, SMALL, TRUE, counter
from clicalls import Cli, Said, write
from tiny import TINY, changed

from rulespec.cli.exit_code import ExitCode

RULESPEC = Path(sys.executable).with_name("rulespec")
LEAST = {"game", "players", "property", "kind", "verdict", "method", "seconds"}
HOLDS = ("proved", "exhaustive")


@pytest.fixture
def verify(cli: Cli, tmp_path: Path, in_this_process: None) -> Cli:
    """Verifies a rulebook given as text, in one process and not for long."""

    def call(text: str, *args: str) -> Said:
        path = write(tmp_path / "counter.rules", text)
        return cli("verify", path, "--jobs", "1", "--time", "20", *args)

    return call


def _by_property(said: Said) -> dict[str, dict[str, object]]:
    return {each["property"]: each for each in said.json}


def test_what_holds_is_proved_and_told_in_a_table(verify: Cli, tmp_path: Path) -> None:
    said = verify(counter(TRUE))

    assert said.status == ExitCode.FINE, said.out
    lines = [line.rstrip() for line in said.out.splitlines()]
    assert " ".join(lines[0].split()) == "What is true with how many players 2"
    assert "What the rulebook says is always true" in lines
    row = next(line for line in lines if "A coin in a turn" in line)
    assert row.split()[-1] in HOLDS
    assert " claims with 2 players: " in said.out
    assert lines[-1].startswith(f"{tmp_path / 'counter.rules'}: nothing is refuted, in ")
    assert "1 example holds, 8 random games went the same way in both engines" in said.out
    assert "rulebook: good" in said.err
    assert "2 players: " in said.err


def test_json_is_one_list_and_nothing_else(verify: Cli) -> None:
    said = verify(counter(TRUE), "--json")

    assert said.status == ExitCode.FINE
    objects = said.json
    assert all(each.keys() >= LEAST for each in objects)
    assert {each["game"] for each in objects} == {"counter"}
    assert {each["players"] for each in objects} == {2}
    assert all(each["verdict"] in HOLDS for each in objects if each["kind"] != "agreement")
    kinds = {each["kind"] for each in objects}
    assert kinds == {
        "invariant",
        "conservation",
        "range",
        "loop",
        "choice",
        "chance",
        "end",
        "checks",
        "information",
        "agreement",
    }
    assert _by_property(said)["both engines play alike"]["count"] == 8


def test_a_refuted_claim_comes_with_an_example_that_fails_in_the_rulebook(
    verify: Cli, cli: Cli, tmp_path: Path
) -> None:
    said = verify(counter(TRUE, FALSE), "--json", "--no-scopes")
    found = _by_property(said)["invariant poor"]

    assert said.status == ExitCode.PROBLEMS
    assert found["verdict"] == "refuted"
    assert "purse[p" in str(found["failed"])
    example = str(found["counterexample"])

    pasted = write(tmp_path / "pasted.rules", counter(TRUE, FALSE, example))
    tested = cli("test", pasted, "--json")
    assert tested.status == ExitCode.PROBLEMS
    assert {each["name"]: each["passed"] for each in tested.json} == {"taking": True, "invariant_poor": False}
    (failed,) = (each for each in tested.json if not each["passed"])
    assert str(failed["message"]).endswith("invariant `poor` does not hold")
    assert "purse[p" in " ".join(failed["values"])

    outside = write(tmp_path / "dispute.rules", example)
    assert cli("test", tmp_path / "counter.rules", "--with", outside).status == ExitCode.PROBLEMS


def test_the_example_holds_once_the_claim_is_mended(verify: Cli, cli: Cli, tmp_path: Path) -> None:
    found = _by_property(verify(counter(FALSE), "--json"))["invariant poor"]
    mended = counter(str(found["counterexample"])).replace("<= 3", "<= 4")

    assert cli("test", write(tmp_path / "mended.rules", mended)).status == ExitCode.FINE


def test_the_example_begins_where_chance_left_the_table(verify: Cli, cli: Cli, tmp_path: Path) -> None:
    drawn = counter(FALSE).replace("rule play", "    let p = random player\n    first := p\n\nrule play", 1)
    found = _by_property(verify(drawn, "--json", "--no-scopes"))["invariant poor"]
    example = str(found["counterexample"])

    assert "chance" not in example
    mended = (drawn + "\n" + example).replace("<= 3", "<= 4")
    assert cli("test", write(tmp_path / "mended.rules", mended)).status == ExitCode.FINE


def test_the_example_names_readings_only_where_there_is_a_choice(verify: Cli) -> None:
    questions = (
        'reading slow "May one think?":\n    yes "yes" default',
        'reading side "Where does one sit?":\n    left "left" default\n    right "right"',
    )
    found = _by_property(verify(counter(FALSE, *questions), "--property", "poor", "--json"))["invariant poor"]

    lines = str(found["counterexample"]).splitlines()
    assert [line.strip() for line in lines if "reading" in line] == ["reading side is left"]


def test_a_refuted_claim_is_shown_with_its_play(verify: Cli) -> None:
    said = verify(counter(FALSE), "--property", "invariant")

    assert said.status == ExitCode.PROBLEMS
    shown = said.out[said.out.index("refuted  Nobody has four coins, with 2 players") :]
    assert "what failed: " in shown
    assert "takes a coin  [Taking a coin]" in shown
    # At the margin, so that it can be copied.
    assert '\nexample invariant_poor "Against: Nobody has four coins":\n    players 2\n' in shown
    assert "1 claim with 2 players: 1 refuted" in shown


def test_what_is_unknown_is_not_held_against_the_rules_unless_strict(
    verify: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = verify(counter(OPEN), "--property", "reachable", "--time", "4")

    assert said.status == ExitCode.FINE
    assert "unknown  The number is 777, with 2 players" in said.out
    assert "1 claim with 2 players: 1 unknown, none refuted" in said.out
    strict = verify(counter(OPEN), "--property", "lucky", "--time", "4", "--strict", "--json")
    assert strict.status == ExitCode.PROBLEMS
    assert [(each["property"], each["verdict"]) for each in strict.json] == [("reachable lucky", "unknown")]
    # All means were tried, none left traces but the lock file.
    assert sorted(each.name for each in tmp_path.iterdir()) == ["counter.rules", "rulespec.lock"]


def test_a_failing_example_is_told_and_counts(verify: Cli) -> None:
    said = verify(counter(taken=2))

    assert said.status == ExitCode.PROBLEMS
    assert "failed  example taking: Taking one" in said.out
    assert "1 of 1 example failed" in said.out
    assert "examples: 1 of 1 failed" in said.err
    objects = verify(counter(taken=2), "--json").json
    assert [each["property"] for each in objects if each["verdict"] == "refuted"] == ["example taking"]
    assert all(each.keys() >= LEAST for each in objects)


def test_a_rulebook_with_errors_is_not_verified(verify: Cli) -> None:
    said = verify(changed("score 1 to p", "score 1 to q"), "--json")

    assert said.status == ExitCode.PROBLEMS
    assert said.json == []
    assert "score 1 to q" in said.err


def test_every_number_of_players_and_every_scope_is_verified(verify: Cli) -> None:
    said = verify(TINY, "--json")

    assert said.status == ExitCode.FINE
    assert {(each["players"], each.get("scope")) for each in said.json} == {
        (2, None),
        (3, None),
        (2, "pocket"),
    }
    small = [each for each in said.json if each.get("scope")]
    visited = [each for each in small if each["kind"] != "information"]
    assert {(each["verdict"], each["count"]) for each in visited} == {("exhaustive", 7)}
    assert {each["method"] for each in small if each["kind"] == "information"} == {"flow"}


def test_players_and_scopes_can_be_left_out(verify: Cli) -> None:
    said = verify(TINY, "--json", "--players", "2", "--no-scopes", "--property", "purse")

    assert [(each["players"], each["property"]) for each in said.json] == [(2, "range of purse")]


def test_a_scope_goes_with_its_number_of_players(verify: Cli) -> None:
    said = verify(TINY, "--json", "--players", "3", "--property", "thrift")

    assert [(each["players"], each.get("scope")) for each in said.json] == [(3, None)]


def test_each_open_question_is_read_each_way(verify: Cli) -> None:
    args = ("--players", "2..3", "--no-scopes", "--property", "thrift")
    every = verify(TINY, "--all-readings", "--json", *args).json

    readings = [(each["players"], each.get("readings", {})) for each in every]
    assert readings == [(2, {}), (3, {}), (2, {"first": "oldest"}), (3, {"first": "oldest"})]
    one = verify(TINY, "--json", "--reading", "first=oldest", *args).json
    assert [each["readings"] for each in one] == 2 * [{"first": "oldest"}]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--players", "two"), "`two` is not of the form `3`, `2,3` or `2..5`"),
        (("--players", "3..2"), "is not of the form"),
        (("--players", "2,4"), "`tiny` is for 2 to 3 players, not for 4"),
        (("--reading", "first=last"), "the reading `first` has no meaning `last`"),
        (("--variant", "poor"), "there is no variant `poor`"),
        (("--property", "invariant thrft"), "did you mean `invariant thrift`?"),
    ],
)
def test_what_the_rulebook_does_not_have_is_refused(verify: Cli, args: tuple[str, ...], said: str) -> None:
    refused = verify(TINY, *args)

    assert refused.status == ExitCode.USAGE
    assert said in refused.err


def test_verbose_has_a_line_for_each_claim_with_its_method(verify: Cli) -> None:
    said = verify(TINY, "--verbose", "--players", "2", "--property", "range")

    lines = [line.split() for line in said.out.splitlines()]
    assert ["how", "seconds"] in [line[-2:] for line in lines]
    assert any(line[:4] == ["Numbers", "inside", "A", "turn"] and "intervals" in line for line in lines)


@pytest.mark.slow
def test_an_interrupt_keeps_and_shows_what_is_finished(tmp_path: Path) -> None:
    """The claims of three players are finished; those of two take longer than anybody waits here."""
    path = write(tmp_path / "counter.rules", counter(TRUE, OPEN, SMALL, players="2..3"))
    args = [str(RULESPEC), "verify", str(path), "--jobs", "1", "--json"]
    with subprocess.Popen(
        args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stderr is not None
        told = ""
        while not re.search(r"^3 players: .* proved", told, re.MULTILINE):
            line = process.stderr.readline()
            assert line, told
            told += line
        # As a terminal does: to every process of the group.
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=600)

    assert process.returncode == ExitCode.INTERRUPTED, err
    found = json.loads(out)
    assert {each["players"] for each in found} == {3}
    assert "reachable lucky" in {each["property"] for each in found}
    assert "Traceback" not in err
    again = json.loads(subprocess.run([*args, "--players", "3", "--locked"], capture_output=True).stdout)
    assert {(each["players"], "locked" in each) for each in again} == {(3, True)}


MUST_BE_PROVED = (
    "every choice has a move",
    "the game ends",
    "loop ascending_auction.loop.1 ends",
    "conservation ducat",
    "conservation Building.blue",
    "conservation CityCard.milan",
    "conservation MajorRole.red",
    "conservation MinorRole.red",
    "conservation Blazon.p0",
    "range of on",
    "range of major",
    "range of minor",
    "range of purse",
    "bound points",
)


@pytest.mark.deep
def test_il_principe_is_proved_for_every_number_of_players(cli: Cli) -> None:
    said = cli("verify", "il_principe", "--no-lock", "--json")

    assert said.status == ExitCode.FINE, said.err
    proved = {(each["players"], each["property"]) for each in said.json if each["verdict"] == "proved"}
    assert {(n, name) for n in (2, 3, 4, 5) for name in MUST_BE_PROVED} - proved == set()


def test_what_never_happens_is_reported_when_asked_for(verify: Cli) -> None:
    text = counter(TRUE).replace(
        "        turns += 1\n", "        turns += 1\n        if turns < 1:\n            turns := 9\n"
    )
    said = verify(text, "--vacuity", "--json")

    found = [each for each in said.json if each["kind"] == "vacuity"]
    assert said.status == ExitCode.FINE
    assert {each["property"]: each["verdict"] for each in found} == {
        "`turns < 1` never holds: what it leads to never happens": "vacuous",
        "`when bank > 0` never keeps option `take` back": "vacuous",
    }
