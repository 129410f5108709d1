"""`rulespec games`."""

from __future__ import annotations

import json

from clicalls import Cli

from rulespec import api


def test_every_bundled_game_has_a_line(cli: Cli) -> None:
    said = cli("games")

    assert said.status == 0
    assert [line.split()[0] for line in said.out.splitlines()[1:]] == list(api.games())


def test_as_json_it_says_what_can_be_chosen(cli: Cli) -> None:
    said = cli("games", "--json")

    by_name = {each["name"]: each for each in json.loads(said.out)}
    assert by_name["breakthrough"]["variants"] == ["small"]
    assert by_name["kuhn_poker"]["players"] == [2, 5]
    assert "bank" in by_name["il_principe"]["readings"]
    assert list(by_name) == list(api.games())
