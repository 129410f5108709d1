"""`rulespec bounds`: a table, plain data, plays that can be followed, and mistakes with their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from clicalls import Cli

from rulespec import interruption
from rulespec.cli.exit_code import ExitCode

ROUNDS = Path(__file__).parents[1] / "proofs" / "books" / "sixth_round.rules"


def test_without_expressions_it_shows_what_every_game_has(cli: Cli) -> None:
    said = cli("bounds", ROUNDS)

    assert said.status == ExitCode.FINE
    lines = {line.strip().split("  ")[0]: line.split() for line in said.out.splitlines() if line.strip()}
    assert "6 6 19 19 exact" in " ".join(lines["each player's score (at the end)"])
    assert "0 0 19 19 exact 0..18" in " ".join(lines["No more than eighteen"])
    assert "12 12 12 12 exact" in " ".join(lines["choices made in a game (at the end)"])
    assert "1 1 6 6 exact" in " ".join(lines["round"])
    assert "every position: each position of the game was visited" in said.out


def test_json_has_the_plays(cli: Cli) -> None:
    said = cli("bounds", ROUNDS, "2 * p.points for p in players", "--json")

    assert said.status == ExitCode.FINE
    (found,) = said.json["bounds"]
    assert (found["name"], found["when"]) == ("2 * p.points for p in players", "always")
    assert (found["most"]["proved"], found["most"]["found"], found["most"]["exact"]) == (38, 38, True)
    assert found["most"]["method"] == "every position"
    assert found["least"]["proved"] == 0
    assert found["most"]["moves"].count("p0 market") + found["most"]["moves"].count("p1 market") >= 5
    assert "any p in players: (2 * p.points) = 38" in found["most"]["example"]


def test_a_play_can_be_followed_and_holds_as_an_example(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "plays"
    said = cli("bounds", ROUNDS, "round - 1", "--out", out, "--verbose")

    assert said.status == ExitCode.FINE
    names = sorted(file.name for file in out.iterdir())
    assert names == ["01_round___1_least.moves", "01_round___1_most.moves"]
    followed = cli("run", ROUNDS, "--players", 2, "--moves", out / names[1], "--json")
    assert followed.status == ExitCode.FINE
    assert len(followed.json["steps"]) >= 10
    examples = tmp_path / "plays.rules"
    examples.write_text(said.out[said.out.index("example ") :])
    tested = cli("test", ROUNDS, "--with", examples)
    assert tested.status == ExitCode.FINE, tested.out + tested.err


def test_a_mistake_is_shown_in_the_expression(cli: Cli) -> None:
    said = cli("bounds", ROUNDS, "round", "p.point for p in players")

    assert said.status == ExitCode.PROBLEMS
    assert "error[R0204]: no player has a `point`" in said.err
    assert "expression 2:1:3" in said.err
    assert "did you mean `points`?" in said.err


def test_a_for_without_anything_behind_it_is_a_mistake(cli: Cli) -> None:
    said = cli("bounds", ROUNDS, "p.points for")

    assert said.status == ExitCode.PROBLEMS
    assert "error[R0130]: expected a name, found the end" in said.err
    assert "expression 1:1:13" in said.err


def test_json_of_mistakes_is_json_too(cli: Cli, tmp_path: Path) -> None:
    broken = tmp_path / "broken.rules"
    broken.write_text('game broken "Broken"\nplayers\n')

    assert cli("bounds", broken, "--json").json == cli("bounds", ROUNDS, "p.point", "--json").json == {}


def test_a_configuration_that_is_not_there_is_refused(cli: Cli) -> None:
    assert cli("bounds", ROUNDS, "--players", 7).status == ExitCode.USAGE


def test_interrupted_it_shows_what_is_known(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def at_once() -> Iterator[Callable[[], bool]]:
        yield lambda: True

    monkeypatch.setattr(interruption, "interruptible", at_once)
    said = cli("bounds", ROUNDS, "round")

    assert said.status == ExitCode.INTERRUPTED
    assert "unknown" in said.out
    assert "interrupted" in said.err
