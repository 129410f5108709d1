"""Plays as readable records, for those who may see all and for those who may not."""

from __future__ import annotations

import json
from pathlib import Path

from golden import Golden
from samples import sample

from rulespec.engine.game import Game
from rulespec.engine.record import Viewer, record

FOLDER = Path(__file__).parent / "golden"


def test_a_record_for_those_who_see_all(golden: Golden) -> None:
    play = record(Game(sample("duel")).random_play(1))
    golden.check(FOLDER / "duel.record.txt", play.text(Viewer(everything=True)))


def test_a_record_for_a_spectator(golden: Golden) -> None:
    play = record(Game(sample("market")).random_play(1))
    golden.check(FOLDER / "market.record.txt", play.text())


def test_a_record_for_a_seat_shows_its_own_draws_and_answers() -> None:
    play = record(Game(sample("duel")).random_play(1))
    text = play.text(Viewer(seat=0))
    assert "   1  chance: red  [Deal three cards each @rb(3)]" in text
    assert "   2  chance decides unseen" in text
    assert "   7  p0 plays white" in text
    assert "   8  p1 answers in secret" in text


def test_a_record_of_a_play_that_is_not_over_says_so() -> None:
    assert "the game is not over" in record(Game(sample("auction")).start(1)).text()


def test_a_record_as_json() -> None:
    play = record(Game(sample("auction")).replay(3, ["bid 2", "pass"]))
    found = json.loads(json.dumps(play.as_json()))
    assert (found["game"], found["players"], found["seed"], found["over"]) == ("auction", 3, 3, False)
    opening, worth, bid, _ = found["steps"]
    assert opening["entered"] == [{"name": "sell", "title": "Sell two lots", "citation": "@rb(1..3)"}]
    assert worth["chance"] == {"outcome": "4", "number": 4, "probability": "1/6"}
    assert (bid["actor"], bid["move"], bid["text"]) == (0, {"text": "bid 2", "number": 1}, "p0 bids 2")
    assert bid["rule"] == {"name": "auction", "title": "Ascending auction", "citation": "@rb(7)"}
    assert {"what": "high", "before": 0, "after": 2} in bid["changes"]


def test_a_record_hides_from_machines_what_it_hides_from_people() -> None:
    play = record(Game(sample("duel")).random_play(1))
    steps = play.as_json(Viewer(seat=1))["steps"]
    assert steps[1]["chance"] is None
    assert steps[2]["chance"]["outcome"] == "green"
    assert steps[7]["move"] is None


def test_a_play_taken_up_in_the_middle_has_a_record_from_there() -> None:
    game = Game(sample("auction"))
    state = game.unpack(game.replay(3, ["bid 2"]).pack())
    state.play("pass")
    play = record(state)
    assert [entry.number for entry in play.entries] == [0, 1]
    assert play.entries[0].entered == ()
