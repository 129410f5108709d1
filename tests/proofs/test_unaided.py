"""Proofs without the rulebook's help: no measures, no `keeps`, no `requires` and `ensures`, no hints."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulespec import api
from rulespec.compiler.core.tree import Core
from rulespec.compiler.core.walk import checks
from rulespec.proofs.claims import Claims
from rulespec.proofs.evidence import Task
from rulespec.proofs.unaided import HELP, unaided
from rulespec.proofs.verdicts import Limits, Verdict
from rulespec.proofs.verify import certify, verify

STANDARD = Path(api.__file__).parent / "std" / "proofs"
MECHANISMS = ("ascending_auction", "cover_by_any", "income", "majority", "order", "places")
ABOUT_HELP = ("checks", "kept")  # kinds of claims of which some go with what they are about

COLLECTING = """\
game collecting "Collecting"
players 2

state:
    left "cards that are left": Int in 0..200 = 200
    given "rounds that were played": Int in 0..200 = 0
    per player:
        points: points in 0..500

rule setup "Setting up":
    nothing

rule play "Until the cards run out":
    repeat:
        if left < 2:
            stop
        given += 1
        for p in players:
            p chooses:
                take n: Int in 0..1 "takes {n}":
                    left -= n
                    score 2 * n to p
                wait "waits":
                    nothing
        left -= min(left, 1)

ranking "Points" for p: p.points

bound points "Nobody has more than all cards are worth" for p in players: p.points in 0..400
"""


def core_of(path: Path | str, players: int = 2) -> Core:
    book = api.open_rulebook(str(path))
    return book.core(book.configuration(players=players))


@cache
def by_itself(mechanism: str) -> dict[str, Verdict]:
    core = unaided(core_of(STANDARD / f"{mechanism}.rules"))
    return {v.property: v for v in verify(core, limits=Limits(machine=0, plays=50))}


def test_help_goes_and_claims_stay() -> None:
    core = core_of("il_principe")
    bare = unaided(core)
    before, after = Claims(core).all, Claims(bare).all

    assert bare.hints == ()
    assert all(not block.loop.measure and not block.loop.keeps for block in bare.blocks if block.loop)
    assert not any(check.kind in HELP for block in bare.blocks for check in checks(block.body))
    assert after.keys() < before.keys()
    assert {before[name].kind for name in before.keys() - after.keys()} <= set(ABOUT_HELP)
    assert bare.properties == core.properties


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_mechanisms_are_proved_without_help(mechanism: str) -> None:
    verdicts = by_itself(mechanism)
    not_proved = {
        name: verdict.verdict
        for name, verdict in verdicts.items()
        if verdict.verdict not in ("proved", "vacuous")
    }

    assert "the game ends" in verdicts
    assert not_proved == {}


def test_a_measure_of_two_parts_is_found_and_can_be_pasted() -> None:
    found = by_itself("ascending_auction")["loop ascending_auction.loop.1 ends"].found
    measures = [line for line in found if line.startswith("ascending_auction: decreasing ")]

    assert len(measures) == 1
    parts = measures[0].removeprefix("ascending_auction: decreasing ").split(", ")
    assert len(parts) == 2
    assert "size(live)" in parts


def test_a_slope_is_found_and_can_be_pasted(tmp_path: Path) -> None:
    path = tmp_path / "collecting.rules"
    path.write_text(COLLECTING)
    verdicts = {v.property: v for v in verify(core_of(path))}
    bound = verdicts["bound points"]

    assert bound.verdict == "proved"
    hints = [line for line in bound.found if line.startswith("hint ")]
    assert hints
    path.write_text(COLLECTING + "\n" + "\n".join(hints) + "\n")
    assert api.open_rulebook(str(path)).diagnostics == ()
    assert len(core_of(path).hints) == len(hints)


def test_what_took_more_facts_is_explained_by_them(tmp_path: Path) -> None:
    path = tmp_path / "collecting.rules"
    path.write_text(COLLECTING)
    found = certify(Task(core_of(path), properties=("bound points",)))

    assert found.proof.certificate is not None
    assert "bound points" in found.proved
    facts = found.proof.certificate.rests_on(["bound points"]).facts
    assert any(len(fact.variables) > 1 for here in facts.values() for fact in here)


@pytest.mark.deep
def test_il_principe_is_proved_without_help() -> None:
    verdicts = verify(unaided(core_of("il_principe")), limits=Limits(total=900.0, proof=600.0, claim=600.0))

    assert {v.property: v.reason for v in verdicts if v.verdict not in ("proved", "vacuous")} == {}
