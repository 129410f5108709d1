"""What is said of terms in the rules language means the same when it is read again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from words_book import BOOK, Made, core_of

from rulespec.proofs.smt.encode import Encoder
from rulespec.proofs.smt.language import Language
from rulespec.proofs.smt.terms import Term, Terms, conjuncts
from rulespec.proofs.smt.values import evaluate


def read_again(texts: Sequence[str], folder: Path, players: int) -> list[Term]:
    hints = "".join(f"\nhint h{number}: {text}\n" for number, text in enumerate(texts))
    core = core_of(BOOK + hints, folder, players)
    encoder = Encoder(core, Terms())
    return [encoder.sound_truth(hint.condition, {}) for hint in core.hints]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_said_means_the_same_when_it_is_read(seed: int, tmp_path: Path) -> None:
    players = 2 + seed % 3
    made = Made(core_of(BOOK, tmp_path, players), seed)
    wanted = [made.everywhere() if number % 3 == 0 else made.truth(2) for number in range(80)]
    said = [term for term in wanted if made.language.can_say(term)]
    texts = [made.language.say(term) for term in said]

    again = read_again(texts, tmp_path, players)

    assert len(said) > 25
    records = list(made.records(25))
    for term, text, read in zip(said, texts, again, strict=True):
        for record in records:
            assert evaluate(term, record, {}) == evaluate(read, record, {}), text


def test_what_is_told_together_is_all_of_it(tmp_path: Path) -> None:
    made = Made(core_of(BOOK, tmp_path, 3), 9)
    facts = [part for _ in range(60) for part in conjuncts(made.everywhere())]
    told = made.language.tell(facts, to_paste=True)

    again = read_again(told, tmp_path, 3)

    assert len(told) < len(set(facts))
    assert any(text.startswith("all p in players: ") for text in told)
    for record in made.records(200):
        assert all(evaluate(f, record, {}) for f in facts) == all(evaluate(r, record, {}) for r in again)


SAID = (
    "size(pile) + sum(size(p.hand) for p in players) <= 12",
    "all p in players: p.purse <= 3 * round",
    "all p in players, q in others of p: p.points + q.points >= 3",
    "all p in players, c in Color: c not in p.title or p.hand[c] = 0",
    "leader = winner",
    "trump != red",
    "not winner is none",
    "any p in players: p.out",
    "count(p in players where p.out) = 2",
    "not done or size(row) = 0",
    "round < size(titles)",
    "max(p.purse for p in players) <= 3 * round",
    "min(round, size(titles)) >= 1",
    "max(round - 2, 0) <= size(titles)",
    "all p in players: p.points < 1 * round + 10 * size(titles)",
)


def test_what_the_rules_say_is_said_as_they_say_it(tmp_path: Path) -> None:
    hints = "".join(f"\nhint h{number}: {text}\n" for number, text in enumerate(SAID))
    core = core_of(BOOK + hints, tmp_path, 3)
    terms = Terms()
    encoder = Encoder(core, terms)
    language = Language(core, terms)

    for hint, text in zip(core.hints, SAID, strict=True):
        told = language.tell(conjuncts(encoder.sound_truth(hint.condition, {})), to_paste=True)
        assert told == (text,)


def test_a_single_seat_can_be_said_but_not_be_pasted(tmp_path: Path) -> None:
    made = Made(core_of(BOOK, tmp_path, 3), 0)
    base = made.core.offset["purse"]
    fact = made.terms.le(made.encoder.elements[base], made.encoder.elements[base + 1])

    assert made.language.tell([fact]) == ("p0.purse <= p1.purse",)
    assert made.language.tell([fact], to_paste=True) == ()


def test_names_of_a_rule_are_known_inside_it_alone(tmp_path: Path) -> None:
    made = Made(core_of(BOOK, tmp_path, 3), 0)
    passed = made.encoder.elements[made.core.offset["play.passed"]]
    fact = made.terms.le(passed, made.terms.integer(2))

    assert not made.language.can_say(fact)
    inside = Language(made.core, made.terms, "play")
    assert inside.can_say(fact)
    assert inside.say(fact) == "passed <= 2"


def test_units_that_do_not_mix_are_not_pasted(tmp_path: Path) -> None:
    made = Made(core_of(BOOK, tmp_path, 2), 0)
    offset, elements = made.core.offset, made.encoder.elements
    fact = made.terms.le(elements[offset["bank"]], elements[offset["points"]])

    assert not made.language.can_say(fact)


def test_what_would_be_too_long_is_not_written_out(tmp_path: Path) -> None:
    made = Made(core_of(BOOK, tmp_path, 2), 0)
    terms, done = made.terms, made.encoder.elements[made.core.offset["round"]]
    term = done
    for number in range(40):
        term = terms.ite(
            terms.le(term, terms.integer(3)), terms.add(term, done), terms.sub(term, terms.integer(number))
        )

    assert made.language.say(term) == "..."
    assert not made.language.can_say(term)
