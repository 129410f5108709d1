"""What a counterexample tells: what fails and for whom, the rules of each step, and how short it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec import api
from rulespec.proofs.verdicts import Limits, Verdict
from rulespec.proofs.verify import verify

QUICK = Limits(total=15.0, proof=8.0, question=1.0, sampling=0.5, plays=200, machine=0, shrinking=1.0)

BOOK = """\
game shop "Shop"
source rb "A leaflet" of 9 lines
players 2..3 @rb(1)

currency coin "coins": 30 in bank

state:
    turns "turns taken": Int in 0..{turns}
    per player:
        purse "coins": coin in 0..30
        debt "debts": Int in 0..30

rule setup "Setting up":
    nothing

rule play "Turns" @rb(2):
    while turns < {turns}:
        decreasing {turns} - turns
        for p in players:
            take(p)
        turns += 1

rule take(p: Player) "Taking" @rb(3):
    p chooses:
        much n: Int in 1..{most} "takes {{n}}" @rb(4, 5):
            pay_out(p, 1 * n)
        nothing_at_all "takes nothing":
            nothing

rule pay_out(p: Player, n: coin) "Paying" @rb(6):
    pay up to n from bank to p.purse

ranking "Most coins" for p: p.purse

{claim}
"""


def shop(tmp_path: Path, claim: str, *, turns: int = 3, most: int = 3, counter: str = "turns") -> Verdict:
    path = tmp_path / "shop.rules"
    text = BOOK.replace(" turns", f" {counter}").format(claim=claim, turns=turns, most=most)
    path.write_text(text, encoding="utf-8")
    book = api.Book(path)
    core = book.core(book.configuration(players=2))
    found = verify(core, ["invariant", "checks"], QUICK, sources=book.sources)
    return next(v for v in found if v.verdict == "refuted")


def test_the_part_that_fails_and_for_whom(tmp_path: Path) -> None:
    claim = 'invariant x "x": turns <= 3 and all p in players where p.debt = 0: p.purse <= 4 and p.debt = 0'
    verdict = shop(tmp_path, claim)

    assert verdict.play is not None
    assert verdict.play.conjunct.startswith("`purse[p] <= 4` with p = p")
    assert ": purse[p" in verdict.play.conjunct


def test_each_step_has_its_rule_its_lines_and_what_it_changed(tmp_path: Path) -> None:
    verdict = shop(tmp_path, 'invariant x "x": all p in players: p.purse <= 2')

    assert verdict.play is not None
    (step,) = [s for s in verdict.play.steps if s.text.endswith("takes 3")]
    assert (step.rule, step.citation) == ("Taking", "@rb(4, 5)")
    assert "bank 30 -> 27" in step.changes
    assert step.through[0] == "Paying @rb(6)"


def test_a_play_is_shown_to_be_shortest(tmp_path: Path) -> None:
    verdict = shop(tmp_path, 'invariant x "x": all p in players: p.purse <= 8')

    assert verdict.play is not None
    assert verdict.play.shortest
    assert len([s for s in verdict.play.steps if s.text.endswith("takes 3")]) == 3


def test_a_play_is_not_said_to_be_shortest_where_not_all_shorter_ones_were_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulespec.proofs.verify.FIRST_STATES", 20)
    monkeypatch.setattr("rulespec.proofs.shortest.STATES", 30)
    verdict = shop(tmp_path, 'invariant x "x": all p in players: p.purse <= 8', most=5)

    assert verdict.play is not None
    assert not verdict.play.shortest


def test_a_check_that_fails_is_told_with_its_values(tmp_path: Path) -> None:
    claim = 'invariant x "x": true'
    text = BOOK.replace("    pay up to n from", "    assert p.purse + n <= 7\n    pay up to n from")
    path = tmp_path / "shop.rules"
    path.write_text(text.format(claim=claim, turns=3, most=3), encoding="utf-8")
    book = api.Book(path)
    found = verify(book.core(book.configuration(players=2)), ["checks"], QUICK, sources=book.sources)
    verdict = next(v for v in found if v.verdict == "refuted")

    assert verdict.play is not None
    assert "assert in pay_out at" in verdict.play.conjunct
    assert "`purse[p] + n <= 7`: n is 3; p is p" in verdict.play.conjunct
    assert "; purse[p" in verdict.play.conjunct


def test_a_loop_that_goes_on_is_shown_by_a_shortest_play(tmp_path: Path) -> None:
    """All have to take nothing once, and are where they were."""
    text = BOOK.replace("        decreasing {turns} - turns\n", "").replace(
        "        turns += 1\n", "        turns := max(turns, 0)\n"
    )
    path = tmp_path / "shop.rules"
    path.write_text(text.format(claim='invariant x "x": true', turns=3, most=3), encoding="utf-8")
    book = api.Book(path)
    found = verify(book.core(book.configuration(players=2)), ["end"], QUICK, sources=book.sources)
    verdict = next(v for v in found if v.property == "the game ends")

    assert verdict.play is not None
    assert verdict.play.shortest
    assert len(verdict.play.steps) == 2


def test_a_name_that_is_a_word_of_core_is_shown_as_it_is_written(tmp_path: Path) -> None:
    verdict = shop(tmp_path, "invariant early: sum <= 2", counter="sum")

    assert verdict.play is not None
    assert verdict.play.conjunct == "`sum <= 2`: sum is 3"
