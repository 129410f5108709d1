"""Proofs without the rulebook's help: no measures, no `keeps`, no `requires` and `ensures`, no hints."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from without_help import PUSHING, SALE

from rulespec import api, library
from rulespec.compiler.core.tree import Core
from rulespec.compiler.core.walk import checks
from rulespec.proofs.claims import Claims
from rulespec.proofs.evidence import Task
from rulespec.proofs.smt import deeper
from rulespec.proofs.unaided import HELP, unaided
from rulespec.proofs.verdicts import Limits, Verdict
from rulespec.proofs.verify import certify, verify

MECHANISMS = tuple(name.removeprefix("std/") for name in library.proofs())
LOOP = re.compile(r" +(repeat|while .*|for .*):$")
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
def by_itself(mechanism: str, players: int = 2) -> dict[str, Verdict]:
    core = unaided(core_of(library.PROOFS / f"{mechanism}.rules", players))
    return {v.property: v for v in verify(core, limits=Limits(question=30.0, machine=0, plays=50))}


def not_proved(verdicts: dict[str, Verdict]) -> dict[str, str]:
    return {name: v.reason for name, v in verdicts.items() if v.verdict not in ("proved", "vacuous")}


def pasted(text: str, found: Iterable[str]) -> str:
    """The rulebook with lines that were found where they say that they belong."""
    lines = text.splitlines()
    for line in dict.fromkeys(found):
        rule, _, said = line.partition(": ")
        if rule.startswith("hint "):
            lines += ["", line]
            continue
        begins = next(n for n, each in enumerate(lines) if each.startswith(f"rule {rule}"))
        head = next(n for n in range(begins, len(lines)) if LOOP.match(lines[n]))
        last = said.startswith("keeps") and lines[head + 1].strip().startswith("decreasing")
        indent = " " * (len(lines[head]) - len(lines[head].lstrip()) + 4)
        lines.insert(head + 1 + last, indent + said)
    return "\n".join(lines) + "\n"


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

    assert "the game ends" in verdicts
    assert not_proved(verdicts) == {}


@pytest.mark.deep
@pytest.mark.parametrize("players", range(3, 7))
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_mechanisms_are_proved_without_help_for_each_number_of_bidders(mechanism: str, players: int) -> None:
    verdicts = by_itself(mechanism, players)

    assert "the game ends" in verdicts
    assert not_proved(verdicts) == {}


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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            SALE,
            ("decreasing size(live), ", "keeps all p in players: leader = p implies high <= p.purse"),
        ),
        (PUSHING, ("decreasing left", "keeps hand + kept + table <= 6 * throws")),
    ],
    ids=("sale", "pushing"),
)
def test_what_was_found_can_be_pasted_and_is_enough(
    tmp_path: Path, text: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "book.rules"
    path.write_text(text)
    verdicts = verify(core_of(path))
    found = [line for verdict in verdicts for line in verdict.found]
    assert all(any(word in line for line in found) for word in words), found

    path.write_text(pasted(text, found))
    assert api.open_rulebook(str(path)).diagnostics == ()
    monkeypatch.setattr(deeper, "WAYS", ())
    again = {v.property: v for v in verify(core_of(path))}

    assert not_proved(again) == {}
    assert {claim for claim, verdict in again.items() if verdict.found} == set()
    assert any(claim.startswith("what ") or verdict.kind == "kept" for claim, verdict in again.items())


@pytest.mark.deep
def test_il_principe_is_proved_without_help() -> None:
    verdicts = verify(unaided(core_of("il_principe")), limits=Limits(total=900.0, proof=600.0, claim=600.0))

    assert {v.property: v.reason for v in verdicts if v.verdict not in ("proved", "vacuous")} == {}
