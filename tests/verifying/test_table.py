"""The table: what stands in a line of its own, what lines say together, and how claims are called."""

from __future__ import annotations

import pytest
from verdicts_made import made, outcome, part

from rulespec.proofs.verdicts import Verdict
from rulespec.verifying.run import Outcome
from rulespec.verifying.table import groups, legend, scopes, whole, worst


def _lines(found: Outcome, *, unfolded: bool = False) -> dict[str, list[str]]:
    """Each group's lines, each with the worst verdicts of its cells."""
    return {
        group.title: [
            f"{row.label}: {' '.join(f'{n} {worst(cell).verdict}' for n, cell in sorted(row.cells.items()))}"
            for row in group.rows
        ]
        for group in groups(found, unfolded=unfolded)
    }


def _locals(*verdicts: str) -> list[Verdict]:
    return [
        made(f"range of the locals of r{n}", "range", verdict, title=f"Rule {n}")
        for n, verdict in enumerate(verdicts)
    ]


def test_what_is_technical_shares_a_line_while_it_is_proved() -> None:
    found = outcome(*_locals("proved", "exhaustive", "proved"))

    assert list(_lines(found).values()) == [["Numbers inside the rules (3 rules): 2 exhaustive"]]
    assert len(_lines(found, unfolded=True)["Everything stays in its range"]) == 3


def test_what_is_not_proved_has_a_line_of_its_own() -> None:
    found = outcome(*_locals("proved", "unknown", "proved"))

    assert list(_lines(found).values()) == [
        ["Numbers inside the rules (2 rules): 2 proved", "Numbers inside Rule 1: 2 unknown"]
    ]


def test_what_is_not_proved_shares_a_line_with_what_stands_alike() -> None:
    found = outcome(*_locals("proved", "unknown", "unknown", "sampled", "refuted", "refuted"))

    assert list(_lines(found).values()) == [
        [
            "Numbers inside the rules: 2 proved",
            "Numbers inside the rules (2 rules): 2 unknown",
            "Numbers inside Rule 3: 2 sampled",
            "Numbers inside Rule 4: 2 refuted",
            "Numbers inside Rule 5: 2 refuted",
        ]
    ]


def test_what_is_not_proved_with_some_number_of_players_has_its_line_with_all() -> None:
    loops = [made("loop bid.loop.1 ends", "loop", title="Bidding", players=n) for n in (2, 3)]
    other = [
        made("loop bid.loop.2 ends", "loop", verdict, title="Bidding", players=n)
        for n, verdict in ((2, "proved"), (3, "sampled"))
    ]

    assert _lines(outcome(*loops, *other))["It comes to an end"] == [
        "Bidding (bid.loop.1): 2 proved 3 proved",
        "Bidding (bid.loop.2): 2 proved 3 sampled",
    ]


def test_kinds_of_a_piece_are_called_by_what_they_have_in_common() -> None:
    colors = [
        made(f"conservation Card.{c}", "conservation", title=f"coat of arms of {c}: none is lost or made")
        for c in ("red", "rose")
    ]
    money = made("conservation ducat", "conservation", title="ducats: none are lost or made")

    assert _lines(outcome(*colors, money))["Nothing is lost and nothing is made"] == [
        "Coat of arms (2 kinds): 2 proved",
        "Ducats: 2 proved",
    ]


def test_a_claim_is_called_by_its_title_else_by_its_name() -> None:
    found = outcome(
        made("invariant rich", "invariant", title="nobody is rich"),
        made("bound purse", "bound"),
        made("choice turn.choice.1 has a move", "choice", title="A turn"),
        made("choice odd.choice.1 has a move", "choice"),
        made("every choice has a move", "choice"),
        made("range of bank", "range", title="ducats"),
        made("range of purse", "range", title="ducats"),
        made("range of round", "range", title="rounds"),
    )

    assert list(_lines(found).values()) == [
        [
            "Every choice has a move: 2 proved",
            "A turn: 2 proved",
            "Odd.choice.1: 2 proved",
        ],
        ["Nobody is rich: 2 proved"],
        ["Purse: 2 proved"],
        ["Ducats (bank): 2 proved", "Ducats (purse): 2 proved", "Rounds: 2 proved"],
    ]


def test_what_is_vacuous_does_not_speak_for_others() -> None:
    assert worst(_locals("vacuous", "proved")).verdict == "proved"
    assert worst(_locals("vacuous", "vacuous")).verdict == "vacuous"
    assert worst(_locals("vacuous", "refuted", "unknown")).verdict == "refuted"


@pytest.mark.parametrize(
    ("verdicts", "common"),
    [
        (("exhaustive", "exhaustive"), "exhaustive"),
        # How far the visit came says more than what it could not decide.
        (("bounded", "unknown"), "bounded"),
        (("bounded", "refuted"), "refuted"),
        (("unknown", "unknown"), "unknown"),
    ],
)
def test_a_scope_has_the_verdict_its_claims_have_in_common(verdicts: tuple[str, ...], common: str) -> None:
    stands = whole(_locals(*verdicts))

    assert stands is not None
    assert stands.verdict == common


def test_a_scope_is_a_line_in_the_column_of_its_players() -> None:
    small = made("range of purse", "range", "exhaustive", scope="pocket", count=9)
    found = Outcome((part(2), part(2, scope="pocket")), {0: (made("range of purse", "range"),), 1: (small,)})

    (row,) = scopes(found, {"pocket": "one coin each"}).rows
    assert row.label == "Pocket: one coin each"
    assert row.cells == {2: [small]}
    assert _lines(found) == {"Everything stays in its range": ["Purse: 2 proved"]}


def test_the_legend_explains_what_is_there() -> None:
    found = outcome(*_locals("proved", "unknown", "sampled"))

    assert [name for name, _ in legend(groups(found, unfolded=False))] == ["proved", "sampled", "unknown"]
