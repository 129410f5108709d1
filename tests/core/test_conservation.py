"""Nothing is lost or made: the claims are there, and they hold wherever play comes to."""

from __future__ import annotations

import random

from lowered import Table, compiled

from rulespec.engine.interpreter.evaluate import evaluate

GAME = """
rule setup:
    for p in players:
        pay 10 from bank to p.purse
        draw 2 from pile to p.hand

rule play:
    for n in 1..3:
        all players p at once:
            lay c: Color in p.hand "lays {c}":
                move c from p.hand to box
            buy m: ducat in 1..3 when p.purse >= m and size(box) > 0 "pays {m}":
                pay m from p.purse to bank
                move all green from box to p.hand
        if size(box) > 2:
            move {c: box[c] div 2 for c in Color} from box to pile
        draw up to 2 from pile to box
"""


def test_each_kind_of_piece_and_each_currency_is_claimed_to_be_conserved() -> None:
    core = compiled(GAME)

    assert [p.name for p in core.properties if p.kind == "conservation"] == [
        "Card.green", "Card.white", "Card.red", "Tile.green", "Tile.white", "Tile.red", "ducat",
    ]  # fmt: skip


def test_everything_starts_at_home() -> None:
    table = Table(compiled("rule play:\n    nothing\n"))

    assert table.all("pile") == [5, 5, 5]
    assert table.all("shelf") == [1, 1, 1]
    assert table.read("bank") == 60
    assert not any(table.all("hand") + table.all("box") + table.all("shown") + table.all("purse"))


def test_the_claims_hold_throughout_random_plays() -> None:
    core = compiled(GAME, players=3)
    seen = 0
    for seed in range(20):
        table, dice = Table(core), random.Random(seed)
        while table.kind != "end":
            for claim in core.properties:
                assert evaluate(core, claim.condition, table.record, {})
            if table.kind == "choice":
                table.play(*dice.choice(table.moves))
            else:
                table.happen(dice.choice(table.engine.outcomes(table.record))[0])
            seen += 1

    assert seen > 20 * 15
