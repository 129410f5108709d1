"""`rulespec run`: a game as a readable record, which can be played again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clicalls import Cli, write

from rulespec.cli.exit_code import ExitCode
from rulespec.compiler.core.tree import Core
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.rng import playout

RECORD = '{"players": %s, "variants": [], "readings": %s, "seed": %s, "steps": []}'


def test_each_step_names_its_rule_and_what_it_changed(duel: str, cli: Cli) -> None:
    said = cli("run", duel, "--players", 2, "--seed", 3)

    assert said.status == ExitCode.FINE
    assert "   1  chance: red  [Deal the cards]\n      deck −1 red; p0: hand +1 red\n" in said.out
    assert (
        "  11  p0 buys points for 2  [Buy points]\n      bank +2; p0: purse 6 → 4, points 5 → 6\n" in said.out
    )
    assert "      then Two rounds; Everybody lays a card\n" in said.out
    assert said.out.endswith("p0 wins\n")


def test_the_ranking_shows_every_key(duel: str, cli: Cli) -> None:
    lines = cli("run", duel, "--players", 2, "--seed", 3).out.splitlines()

    heading = next(line for line in lines if "place" in line)
    assert heading.split("  ")[0].strip() == "place"
    assert "victory points" in heading
    assert "tie-break" in heading
    assert ["1", "p0", "6", "1"] in [line.split() for line in lines]


def test_what_is_cited_is_shown(cli: Cli) -> None:
    said = cli("run", "il_principe", "--players", 2, "--seed", 1, "--reading", "lowest_bid=zero")

    assert said.status == ExitCode.FINE
    assert "readings: lowest_bid is zero\n" in said.out
    assert "[Phase 1: new building cards @rb(39)]" in said.out
    # The auction cites nothing itself: the rule that called it does.
    assert "[Ascending auction, in Selling one color @rb(43..49)]" in said.out


def test_a_seed_is_the_same_game_as_in_a_play_out(duel: str, duel_core: Core, cli: Cli) -> None:
    for seed in range(5):
        record, steps = playout(Interpreter(duel_core), seed)
        game = cli("run", duel, "--players", 2, "--seed", seed, "--json").json

        assert len(game["steps"]) == steps + 1
        assert game["scores"] == [keys[0] for keys in Interpreter(duel_core).scores(record)]


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_a_record_is_played_again_exactly(policy: str, duel: str, cli: Cli, tmp_path: Path) -> None:
    args = ("--players", 3, "--variant", "rich", "--seed", 5, "--policy", policy, "--json")
    first = cli("run", duel, *args)
    file = write(tmp_path / "game.json", first.out)

    again = cli("run", duel, "--moves", file, "--json")

    assert first.status == again.status == ExitCode.FINE
    assert again.out == first.out
    assert again.json["players"] == 3
    assert again.json["variants"] == ["rich"]


def test_ranking_in_json_has_places_and_keys(duel: str, cli: Cli) -> None:
    ranking = cli("run", duel, "--players", 2, "--seed", 3, "--json").json["ranking"]

    assert ranking == [
        {"place": 1, "seat": "p0", "keys": [6, 1]},
        {"place": 2, "seat": "p1", "keys": [3, 1]},
    ]


def test_a_saved_play_can_be_shown(duel: str, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    cli("play", duel, "--seed", 1, "--save", file, "--opponents", "random", typed="lay red\n1\nbuy 2\n")

    said = cli("run", duel, "--moves", file)

    assert said.status == ExitCode.FINE
    assert "p0 lays red" in said.out
    assert "p0 buys points for 2" in said.out


def test_moves_can_be_written_by_hand(duel: str, cli: Cli, tmp_path: Path) -> None:
    cards = "chance red\nchance white\nchance green\n" * 2
    file = write(tmp_path / "moves.txt", f"# dealt\n{cards}\np0 lay red  # high\np1: lay green\nlay white\n")

    said = cli("run", duel, "--players", 2, "--moves", file)

    assert said.status == ExitCode.FINE
    assert "p0: hand −1 red, points 0 → 3" in said.out
    assert said.out.endswith("the game is not over\n")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("lay blue\n", "line 1: `lay blue` is not offered to p0 now"),
        ("p1 lay red\n", "line 1: p0 is asked, not p1"),
        ("\n\nchance blue\n", "line 3: chance cannot decide for blue"),
        ('{"steps": 3}', "is neither a record, nor a saved play, nor a list of moves"),
        ("{", "is neither a record, nor a saved play, nor a list of moves"),
        (RECORD % ("[]", "{}", "1"), "is neither a record, nor a saved play, nor a list of moves"),
        (RECORD % ("2", "7", "1"), "is neither a record, nor a saved play, nor a list of moves"),
        (RECORD % ("2", "{}", "1e999"), "is neither a record, nor a saved play, nor a list of moves"),
        (None, "no such file"),
    ],
)
def test_moves_that_are_not_possible_are_named(
    text: str | None, answer: str, duel: str, cli: Cli, tmp_path: Path
) -> None:
    file = tmp_path / "moves.txt"
    if text is not None:
        file.write_text(text)

    said = cli("run", duel, "--players", 2, "--seed", 1, "--moves", file)

    assert said.status == ExitCode.PROBLEMS
    assert answer in said.err


def test_a_record_changed_by_hand_is_refused_at_the_step(duel: str, cli: Cli, tmp_path: Path) -> None:
    game = cli("run", duel, "--players", 2, "--seed", 3, "--json").json
    game["steps"][7]["move"]["number"] = 10_000
    file = write(tmp_path / "game.json", json.dumps(game))

    said = cli("run", duel, "--moves", file)

    assert said.status == ExitCode.PROBLEMS
    assert "step 7: there is no move number 10000" in said.err


def test_a_file_is_written_whole_or_not_at_all(duel: str, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    said = cli("run", duel, "--players", 2, "--seed", 3, "--out", file)

    assert (said.status, said.out) == (ExitCode.FINE, "")
    assert file.read_text() == cli("run", duel, "--players", 2, "--seed", 3).out
    refused = cli("run", duel, "--players", 2, "--out", tmp_path)
    assert refused.status == ExitCode.PROBLEMS
    assert "it is a folder" in refused.err
    assert [path.name for path in tmp_path.iterdir()] == ["game.txt"]


def test_rules_that_fail_are_said_with_what_was_played(duel: str, cli: Cli, tmp_path: Path) -> None:
    text = Path(duel).read_text().replace("points in 0..40", "points in 0..4")
    rules = write(tmp_path / "narrow.rules", text)

    said = cli("run", rules, "--players", 2, "--seed", 3)

    assert said.status == ExitCode.PROBLEMS
    assert "the rules cannot go on from here: `points[p0]` would become 5, above 4" in said.err
    assert "p0 lays red" in said.out
    assert "Traceback" not in said.err
