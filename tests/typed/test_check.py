"""The invariants of typed rulebooks: each is noticed when it is broken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from small_game import check_text, framed

from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.check import check

TEXT = """
param fee: ducat = 2
table City:
    columns price: ducat
    milan: 4
reading tie "Who wins?" @rb(1):
    shared "both" default
    first "the first"
variant dear:
    fee = 3
function worth(c: City) -> ducat = c.price + fee if reading tie is shared else 1
rule take(p: Player) -> Int:
    let n = size(p.hand)
    if variant dear and worth(milan) > 3 and turn = p:
        return n
    p chooses:
        pass "passes":
            return 1
rule again:
    let n = take(turn)
    assert n > 0 "n"
example taken:
    players 2
    run take(p1)
    when:
        p1 pass
"""


def book() -> t.Rulebook:
    rulebook, found = check_text(framed(TEXT))
    assert rulebook is not None, found
    return rulebook


def rule(rulebook: t.Rulebook, name: str, **changes: object) -> t.Rulebook:
    rules = tuple(replace(r, **changes) if r.name == name else r for r in rulebook.rules)  # type: ignore[arg-type]
    return replace(rulebook, rules=rules)


HERO = t.Local("p", t.PLAYER)
SEAT = t.Lit(0, t.PLAYER)
MONEY = t.TInt("money")


BROKEN: list[tuple[str, Callable[[t.Rulebook], t.Rulebook], str]] = [
    ("function gone", lambda b: replace(b, functions=()), "no function worth"),
    ("rule gone", lambda b: replace(b, rules=b.rules[1:]), "no rule take"),
    ("rule twice", lambda b: replace(b, rules=(*b.rules, b.rules[0])), "the rule take is defined twice"),
    ("no play", lambda b: replace(b, rules=b.rules[:-1]), "there is no rule play"),
    ("param gone", lambda b: replace(b, params=()), "no param fee"),
    ("setting loose", lambda b: replace(b, params=()), "the param fee is set and does not exist"),
    ("state gone", lambda b: replace(b, state=()), "no state variable hand"),
    ("home gone", lambda b: replace(b, state=()), "Card has its home pile nowhere"),
    ("table gone", lambda b: replace(b, tables=()), "City has no column price"),
    ("reading gone", lambda b: replace(b, readings=()), "tie has no meaning shared"),
    ("variant gone", lambda b: replace(b, variants=()), "there is no variant dear"),
    ("default", lambda b: replace(b, readings=(replace(b.readings[0], default="x"),)), "none of its"),
    ("enum gone", lambda b: replace(b, enums=()), "City has no member 0"),
    (
        "whose",
        lambda b: replace(b, state=tuple(replace(v, per_player=False) for v in b.state)),
        "hand stands with a player or without, wrongly",
    ),
    ("parameter gone", lambda b: rule(b, "take", parameters=()), "p is used and not introduced"),
    ("parameter twice", lambda b: rule(b, "take", parameters=(HERO, HERO)), "p is introduced twice"),
    ("arguments", lambda b: rule(b, "take", parameters=()), "take takes 0 arguments and is given 1"),
    (
        "argument type",
        lambda b: rule(b, "take", parameters=(replace(HERO, type=t.BOOL),)),
        "an argument of take is a Player where a Bool belongs",
    ),
    ("result", lambda b: rule(b, "take", result=t.BOOL), "a returned value is a Int where a Bool belongs"),
    ("no result", lambda b: rule(b, "take", result=None), "a return has a value or none, wrongly"),
    ("options", lambda b: rule(b, "again", body=(t.Choose(SEAT, ()),)), "a choice has no options"),
    (
        "money",
        lambda b: rule(b, "again", body=(t.Let((t.Local("m", MONEY),), t.Lit(1, MONEY)),)),
        "the unit of `money` is not settled",
    ),
    (
        "unknown",
        lambda b: rule(b, "again", body=(t.Assert(t.Lit(1, t.TEnum("?")), ""),)),
        "a type is unknown",
    ),
    (
        "comparison",
        lambda b: rule(b, "again", body=(t.Assert(t.Compare("=", SEAT, t.Lit(1, t.BOOL)), ""),)),
        "a side of a comparison is a Player where a Bool belongs",
    ),
    (
        "seat",
        lambda b: replace(b, examples=(replace(b.examples[0], players=1),)),
        "example taken: p1 is no seat",
    ),
]


def test_a_rulebook_from_text_keeps_them() -> None:
    assert check(book()) == ()


@pytest.mark.parametrize(("change", "said"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_a_broken_one_is_noticed(change: Callable[[t.Rulebook], t.Rulebook], said: str) -> None:
    assert any(said in sentence for sentence in check(change(book())))
