"""What notices a change: each kind of thing that a rulebook has against one, and what none of them sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec import api
from rulespec.compiler.core import from_typed
from rulespec.compiler.core.tree import Core
from rulespec.compiler.typed.mutants import apply
from rulespec.engine.explore import explore
from rulespec.mutating.bench import (
    ALIKE,
    COMPILER,
    EXAMPLES,
    PLAYED,
    PROOF,
    UNNOTICED,
    Bench,
    Tried,
    Work,
    changes,
)
from rulespec.proofs.again import HOLDS, SAME, Known, prover, unproved
from rulespec.proofs.verdicts import Limits

LIMITS = Limits(proof=20.0, question=1.0)

TEXT = """\
game pots "Pots"
players 2..2

currency coin "coins": 12 in bank

state:
    round: Int in 0..4
    last: Bool
    per player:
        purse: coin in 0..12
        points: points in 0..40
        fives: Int in 0..12

rule setup "Setting up":
    for p in players:
        pay 2 from bank to p.purse

rule play "The game":
    while round < 4:
        decreasing 4 - round
        round += 1
        last := round >= 4
        for p in players:
            turn(p)

rule turn(p: Player) "A turn":
    p chooses:
        buy when p.purse > 0 "buys":
            pay 1 from p.purse to bank
            score 2 to p
            p.fives := min(p.fives + 1, 5)
        earn "earns":
            pay up to 1 from bank to p.purse
            if last and p.points >= 0:
                score 1 to p

ranking "Most points" for p: p.points

invariant pace "Two points for a coin": all p in players: p.points <= 8

example buying "A coin for two points":
    players 2
    given:
        p0.purse = 3
    run turn(p0)
    when:
        p0 buy
    then:
        p0.purse = 2
        p0.points = 2

example none_left "Without a coin":
    players 2
    run turn(p0)
    when:
        p0 cannot buy
        p0 earn
    then:
        p0.purse = 1
"""


SECRETS = """\
game secrets "Secrets"
players 2

enum Rank "a rank": low, high

piece Card "card" of Rank: 2 each in stock

state:
    stock hidden: Deck[Card]
    per player:
        hand private: Bag[Card]
        points: points in 0..2

rule setup "Setting up":
    for p in players:
        draw 1 from stock to p.hand

rule play "A turn each":
    for p in players:
        turn(p)

rule turn(p: Player) "A turn":
    p chooses:
        guess when p.hand[low] > 0:
            score 1 to p
        wait:
            nothing

ranking "Points" for p: p.points
"""


def work_on(folder: Path, text: str) -> Work:
    path = folder / "book.rules"
    path.write_text(text, encoding="utf-8")
    book = api.Book(path)
    assert book.diagnostics == ()
    return Work(Bench(str(path), book.configuration(players=2), LIMITS))


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    return work_on(tmp_path_factory.mktemp("pots"), TEXT)


def tried(work: Work, before: str, after: str) -> Tried:
    """What becomes of the change that is shown so."""
    (found,) = [m.id for m in work.mutants.values() if (m.before, m.after) == (before, after)]
    return work.look(found)


def test_an_example_notices(work: Work) -> None:
    found = tried(work, "score 2 to p", "score 3 to p")

    assert (found.outcome, found.by) == (EXAMPLES, "buying")


def test_the_compiler_notices(tmp_path: Path) -> None:
    gift = 'param gift "a gift": coin in 0..2 = 2'
    text = TEXT.replace("rule setup", f"{gift}\n\nrule setup").replace("pay 2 from", "pay gift from")
    found = tried(work_on(tmp_path, text), gift, gift.replace("= 2", "= 3"))

    assert (found.outcome, found.by) == (COMPILER, "param `gift` is 3, outside 0..2")


def test_the_proof_notices_an_offer_that_gives_a_secret_away(tmp_path: Path) -> None:
    work = work_on(tmp_path, SECRETS)
    leak = tried(work, "p chooses:", "(left of p) chooses:")

    assert leak.outcome == PROOF
    assert leak.by == "choice turn.choice.1 offers only what its player sees"
    assert tried(work, "guess when p.hand[low] > 0:", "guess when true:").outcome == UNNOTICED


def test_plays_notice_a_claim_that_breaks(work: Work) -> None:
    found = tried(work, "while round < 4:", "while round <= 4:")

    assert (found.outcome, found.by) == (PLAYED, "range of round")


def test_what_no_example_or_claim_is_about_is_unnoticed(work: Work) -> None:
    found = tried(work, "p.fives := min(p.fives + 1, 5)", "p.fives := min(p.fives + 2, 5)")

    assert found.outcome == UNNOTICED
    assert found.differs
    assert found.proved
    assert found.examples == 2


def test_what_makes_no_difference_is_left_out(work: Work) -> None:
    compiled_away = tried(work, "if last and p.points >= 0:", "if last:")
    proved = tried(work, "pay 2 from bank to p.purse", "pay up to 2 from bank to p.purse")

    assert (compiled_away.outcome, compiled_away.by) == (ALIKE, "it compiles to the same")
    assert (proved.outcome, proved.by) == (ALIKE, "it is proved that no play can tell")


def test_ids_are_those_of_the_rulebook(work: Work) -> None:
    book = api.Book(work.bench.game)

    assert {m.id for m in changes(book)} == set(work.mutants)


def compiled(work: Work, name: str) -> Core | None:
    try:
        return from_typed.compile(apply(work.rulebook, work.mutants[name]), work.bench.configuration)[0]
    except (KeyError, AssertionError):
        return None


@pytest.mark.slow
def test_a_proof_taken_up_again_says_what_a_new_one_says(work: Work) -> None:
    """`SAME` is held against all positions, `HOLDS` against a proof from the beginning."""
    made = prover(work.core, LIMITS)
    assert not made.run().stopped
    known = Known(made)
    assert known.check(work.core, 20.0) == SAME
    whole = explore(work.core)
    counts = {SAME: 0, HOLDS: 0}
    for name in sorted(work.mutants)[::2]:
        core = compiled(work, name)
        if core is None or core == work.core:
            continue
        how = known.check(core, 20.0)
        if how == SAME:
            found = explore(core)
            assert (found.states, found.transitions, found.ends) == (
                whole.states,
                whole.transitions,
                whole.ends,
            )
        elif how == HOLDS:
            again = prover(core, LIMITS)
            assert not again.run().stopped
            assert unproved(again) <= known.unproved, name
        counts[how] = counts.get(how, 0) + 1

    assert counts[HOLDS] > 0
