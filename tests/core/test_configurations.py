"""What a configuration settles, and what is said about one that the rulebook does not have."""

from __future__ import annotations

import pytest
from lowered import compiled, rulebook

from rulespec.compiler.core import from_typed

TEXT = """
reading night "Is it dark?" R1:
    no "no" default
    yes "yes"

param fee: Int in 0..9 = 1
param twice: Int = fee * 2

variant dear "Dear":
    fee = 4

when players = 3:
    fee = 2

scope tiny "Tiny":
    players 2
    variant dear
    fee = 7

rule play:
    count := twice
"""


def params(players: int, *variants: str) -> dict[str, int]:
    return dict(compiled(TEXT, players, None, *variants).params)


def test_what_is_said_last_counts() -> None:
    assert params(2) == {"fee": 1, "twice": 2}
    assert params(3) == {"fee": 2, "twice": 4}
    assert params(3, "dear") == {"fee": 4, "twice": 8}


def test_a_scope_has_the_last_word() -> None:
    book = rulebook(TEXT)
    wanted, found = from_typed.scope_configuration(book, book.scopes[0])
    assert found == ()
    assert wanted is not None
    core, found = from_typed.compile(book, wanted)

    assert found == ()
    assert core is not None
    assert dict(core.params) == {"fee": 7, "twice": 14}


def test_every_reading_is_settled() -> None:
    book = rulebook(TEXT)

    assert from_typed.configuration(book, 2).readings == (("night", "no"),)
    assert from_typed.configuration(book, 2, readings={"night": "yes"}).readings == (("night", "yes"),)
    assert [c.players for c in from_typed.configurations(book)] == [2, 3, 4]


@pytest.mark.parametrize(
    ("players", "variants", "readings", "settings", "message"),
    [
        (5, (), {}, (), "`sample` is for 2 to 4 players, and these are 5"),
        (2, ("cheap",), {}, (), "there is no variant `cheap`"),
        (2, (), {"day": "no"}, (), "there is no reading `day`"),
        (2, (), {"night": "maybe"}, (), "reading `night` has no meaning `maybe`"),
        (2, (), {}, (("fie", 3),), "there is no param `fie` to set"),
        (2, (), {}, (("fee", 10),), "param `fee` is 10, outside 0..9"),
    ],
)
def test_what_the_rulebook_does_not_have_is_refused(
    players: int,
    variants: tuple[str, ...],
    readings: dict[str, str],
    settings: tuple[tuple[str, int], ...],
    message: str,
) -> None:
    book = rulebook(TEXT)
    core, found = from_typed.compile(
        book, from_typed.configuration(book, players, variants, readings, settings)
    )

    assert core is None
    assert [d.message for d in found] == [message]
