"""The standard library: each mechanism has a rulebook that proves it, and one that is wrong is not proved."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulespec import api, examples, library
from rulespec.compiler.core.tree import Core
from rulespec.proofs.claims import Claims
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.sampled import Search
from rulespec.proofs.samples import FIRST_PLAYS, FIRST_POINTS, Samples
from rulespec.proofs.smt.prove import Finding, Prover
from rulespec.proofs.verdicts import Limits
from rulespec.proofs.verify import verify

QUICK = Limits(total=15.0, proof=8.0, question=2.0, sampling=1.0, plays=400, machine=0, shrinking=0.2)


@dataclass(frozen=True)
class Mistake:
    """`right` in a module is `wrong` instead; then the rulebook `proof` claims what is false.

    `players` are enough to show it.
    """

    proof: str
    module: str
    right: str
    wrong: str
    kind: str = "checks"
    players: int = 2

    def __str__(self) -> str:
        return f"{self.proof}: {self.wrong.strip() or self.right.strip()}"


MISTAKES = [
    Mistake(
        "ascending_auction",
        "auction",
        "in high + 1..purse(asked)",
        "in max(floor, high)..purse(asked)",
        "ends",
    ),
    Mistake("ascending_auction", "auction", "..purse(asked) ", "..purse(asked) + 1 "),
    Mistake("ascending_auction", "auction", "price <= purse(w)", "price < purse(w)"),
    Mistake("ascending_auction", "auction", "remove asked from live", "nothing", "ends"),
    Mistake("once_around_auction", "auction", "in high + 1..purse(p)", "in max(0, high)..purse(p)"),
    Mistake("open_auction", "bidding", "min(least, purse(asked))", "min(least + raise, purse(asked))"),
    Mistake("open_auction", "bidding", "pass when opening != opener_must or leader is some l", "pass"),
    Mistake("open_auction", "bidding", "must_take and floor <= purse(asked)", "must_take"),
    Mistake("open_auction", "bidding", "        leader := opener\n", "        turn := left of opener\n"),
    Mistake("sealed_auction", "sealed", "from nearest where q in", "from left of nearest where q in"),
    Mistake(
        "sealed_auction", "sealed", "best, bids[w])", "best, max(bids[q] for q in bidders where q != w or 0))"
    ),
    Mistake("all_pay_auction", "sealed", "in 0..purse(p)", "in 0..purse(p) + 1"),
    Mistake("cover", "cover", "return given", "return max(0, given - 1)"),
    Mistake("cover_by_any", "cover", "worth * given < price:", "worth * given <= price:"),
    Mistake("majority", "majority", "        and size(most) = 1\n", "", players=3),
    Mistake(
        "places",
        "places",
        "1 + count(r in players where amount[r] >",
        "1 + count(r in players where amount[r] >=",
    ),
    Mistake("order", "order", "q in players from left of marker where", "q in players from marker where"),
    Mistake("draft", "draft", " when (all q in players: taken[q] != place)", ""),
    Mistake("income", "income", "min(due(p), rest)", "due(p)"),
]
FIRST_OF_EACH = list({mistake.module: mistake for mistake in reversed(MISTAKES)}.values())


def core_of(book: api.Book, players: int) -> Core:
    return book.core(book.configuration(players=players))


def prove(core: Core, seconds: float = 20.0) -> dict[str, Finding]:
    """What the prover finds on each claim."""
    claims, samples = Claims(core), Samples(core)
    Search(core, claims, Replayer(core, claims, None)).gather(FIRST_PLAYS, FIRST_POINTS, 0, samples)
    proof = Prover(core, claims, samples, seconds=seconds, question=5.0).run()
    assert not proof.stopped
    return {name: proof.findings.get(name, Finding()) for name in claims.all}


def with_mistake(folder: Path, mistake: Mistake) -> api.Book:
    """The rulebook with the mistaken module beside it."""
    text = (library.STANDARD / f"{mistake.module}.rules").read_text(encoding="utf-8")
    assert mistake.right in text
    (folder / "mistaken.rules").write_text(text.replace(mistake.right, mistake.wrong), encoding="utf-8")
    main = (library.PROOFS / f"{mistake.proof}.rules").read_text(encoding="utf-8")
    main = main.replace(f'use "{mistake.module}"', 'use "mistaken"')
    (folder / "main.rules").write_text(main, encoding="utf-8")
    return api.Book(folder / "main.rules")


def rules_of(module: str) -> list[str]:
    text = (library.STANDARD / f"{module}.rules").read_text(encoding="utf-8")
    return re.findall(r"^rule (\w+)", text, re.MULTILINE)


def test_each_rule_of_the_library_is_proved_by_some_rulebook() -> None:
    written = {rule for module in library.modules() for rule in rules_of(module)}
    called = {
        rule.name
        for name in library.proofs()
        for rule in core_of(api.open_rulebook(name), 2).rules
        if rule.name in written
    }

    assert called == written


@pytest.mark.parametrize("name", library.proofs())
def test_the_examples_hold(name: str) -> None:
    rulebook = examples.own(api.open_rulebook(name)).rulebook

    assert rulebook is not None
    assert rulebook.examples
    for example in rulebook.examples:
        ran = examples.run(rulebook, example)
        assert ran.passed, (example.name, ran.result, ran.diagnostics)


@pytest.mark.parametrize("name", library.proofs())
def test_a_mechanism_is_proved_for_two(name: str) -> None:
    assert all(finding.proved for finding in prove(core_of(api.open_rulebook(name), 2)).values())


@pytest.mark.deep
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("name", library.proofs())
def test_a_mechanism_is_proved_for_each_number_of_bidders(name: str, players: int) -> None:
    for verdict in verify(core_of(api.open_rulebook(name), players)):
        assert verdict.verdict == "proved", verdict


@pytest.mark.slow
@pytest.mark.parametrize("mistake", FIRST_OF_EACH, ids=str)
def test_a_mistake_is_not_proved(tmp_path: Path, mistake: Mistake) -> None:
    found = prove(core_of(with_mistake(tmp_path, mistake), mistake.players), 3.0)

    # Not for want of time: there are numbers with which it fails.
    wrong = [name for name, finding in found.items() if any(failure.values for failure in finding.failures)]
    assert any(mistake.kind in name for name in wrong), wrong


@pytest.mark.deep
@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_a_mistake_is_refuted(tmp_path: Path, mistake: Mistake) -> None:
    core = core_of(with_mistake(tmp_path, mistake), 3)

    found = {v.property: v.verdict for v in verify(core, limits=QUICK)}

    broken = {name for name, verdict in found.items() if verdict == "refuted"}
    assert any(mistake.kind in name for name in broken), found
