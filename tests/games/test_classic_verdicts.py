"""What is proved of the classic games, and what their whole trees come to."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from classic import CLASSIC

from rulespec import api
from rulespec.engine.explore import explore
from rulespec.proofs.verdicts import Verdict
from rulespec.proofs.verify import verify


def _verdicts(name: str, players: int, *properties: str, variants: Sequence[str] = ()) -> list[Verdict]:
    book = api.open_rulebook(name)
    return verify(book.core(book.configuration(players=players, variants=variants)), properties or None)


def test_nobody_bids_what_it_is_worth() -> None:
    """Only what was offered says so, and the answers are secret until they are carried out."""
    found = _verdicts("first_sealed_auction", 3, "less")

    assert [v.verdict for v in found] == ["proved"]


def test_all_of_liars_dice_is_proved() -> None:
    assert {v.property: v.verdict for v in _verdicts("liars_dice", 2) if v.verdict != "proved"} == {}


def test_tic_tac_toe_has_5478_positions_and_three_ways_to_end() -> None:
    """The number of positions is known: line 47 of the source."""
    book = api.open_rulebook("tic_tac_toe")
    core = book.core(book.configuration(players=2))
    found = explore(core)

    assert found.finished
    assert found.states == 5478
    assert set(found.reached) == {"won", "lost", "drawn"}
    assert (found.broken, found.faults, found.endless) == ({}, [], None)


@pytest.mark.deep
@pytest.mark.parametrize("name", CLASSIC)
def test_all_of_it_is_proved_or_visited(name: str) -> None:
    outline = api.open_rulebook(name).outline
    assert outline is not None
    low, high = outline.players
    for players in range(low, high + 1):
        found = _verdicts(name, players)
        assert len(found) > 10
        assert {v.property: v.verdict for v in found if v.verdict not in ("proved", "exhaustive")} == {}


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "variant"),
    [("breakthrough", "small"), *(("goofspiel", cards) for cards in ("three", "four", "five", "eight"))],
)
def test_all_of_it_is_proved_of_each_variant(name: str, variant: str) -> None:
    found = _verdicts(name, 2, variants=[variant])
    assert len(found) > 10
    assert {v.property: v.verdict for v in found if v.verdict not in ("proved", "exhaustive")} == {}
