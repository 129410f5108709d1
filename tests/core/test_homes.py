"""Where pieces and money begin: all of them at home, whatever the ranges of other places say."""

from __future__ import annotations

from lowered import played, refused, script

PLAY = "rule play:\n    nothing\n"


def test_a_place_of_money_begins_empty_whatever_its_range() -> None:
    table = played("state:\n    pot: ducat in -5..60\n    owed: Map[Color, ducat in -2..9]\n" + PLAY)

    assert (table.read("bank"), table.read("pot"), table.all("owed")) == (60, 0, [0, 0, 0])
    assert table.core.slot["pot"].low == 0


def test_a_place_of_money_that_can_never_be_empty_is_refused() -> None:
    (found,) = refused("state:\n    pot: ducat in 2..60\n" + PLAY)

    assert (found.code, found.message) == ("R0507", "`pot` starts at 0, outside its range")
    assert "all money begins at home" in found.help[0]


def test_pieces_given_to_a_map_of_places_come_from_their_home() -> None:
    text = PLAY + (
        "state:\n    on: Map[Player, Bag[Card]]\n"
        "example given:\n    players 2\n    given:\n        on = {p0: {red: 2}, p1: {green: 1, red: 1}}\n"
        "    run play()\n"
    )
    core = script(text).core

    assert core.slot["on"].initial == (0, 0, 2, 1, 0, 1)
    assert core.slot["pile"].initial == (4, 5, 2)
