"""What never happens, as it is shown and as it is put together from several configurations."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

from rich.console import Console

from rulespec.compiler.spans import Span
from rulespec.proofs.vacuity.look import NO_PLAY, PROVED, VISITED
from rulespec.verifying.vacuity import Looked, Remark, Vacuity, together
from rulespec.verifying.vacuity_report import show, to_json

SPAN = Span("a.rules", 7, 8, 7, 13)
REMARK = Remark(
    "branch",
    "`n > 6` never holds: what it leads to never happens",
    SPAN,
    "A turn",
    "@rb(3)",
    PROVED,
    where=(2,),
    place=("then", SPAN),
)


def shown(found: Vacuity, *, verbose: bool = False) -> str:
    stream = StringIO()
    show(Console(file=stream, width=100), found, verbose=verbose)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def test_what_is_certain_and_what_was_not_seen_are_told_apart() -> None:
    unseen = replace(REMARK, text="option `x` can never be chosen", method=NO_PLAY, count=400)

    assert shown(Vacuity([REMARK, unseen])) == (
        "What never happens\n"
        "  `n > 6` never holds: what it leads to never happens\n"
        "      a.rules:7; A turn @rb(3); proved, with 2 players\n"
        "\n"
        "What was not seen to happen, which is a remark and no verdict\n"
        "  Option `x` can never be chosen\n"
        "      a.rules:7; A turn @rb(3); "
        "seen in none of 400 plays; it may happen all the same, with 2 players\n"
    )


def test_what_happens_with_other_players_is_told_only_when_asked_for() -> None:
    elsewhere = Looked(3, (), frozenset({("then", SPAN)}))
    found = together([Looked(2, (REMARK,), frozenset()), elsewhere])

    assert found.everywhere == []
    assert "1 more thing does not happen with some numbers of players" in shown(found)
    assert "`n > 6` never holds" in shown(found, verbose=True)


def test_the_weakest_knowledge_stands_for_all() -> None:
    three = replace(REMARK, method=NO_PLAY, count=400, where=(3,))
    found = together([Looked(2, (REMARK,), frozenset()), Looked(3, (three,), frozenset())])

    assert [(r.method, r.where) for r in found.everywhere] == [(NO_PLAY, (2, 3))]
    assert [o["verdict"] for o in to_json("a", found)] == ["unseen"]


def test_for_programs_it_is_one_object_each() -> None:
    visited = replace(REMARK, method=VISITED, count=84)
    (found,) = to_json("a", Vacuity([visited]))

    assert found == {
        "game": "a",
        "players": [2],
        "property": "`n > 6` never holds: what it leads to never happens",
        "kind": "vacuity",
        "what": "branch",
        "verdict": "vacuous",
        "method": "every position visited",
        "seconds": 0.0,
        "everywhere": True,
        "file": "a.rules",
        "line": 7,
        "column": 8,
        "count": 84,
        "rule": "A turn",
        "citation": "@rb(3)",
    }


def test_that_all_happens_is_only_said_where_all_was_looked_at() -> None:
    assert shown(Vacuity()) == "Every rule, option and branch is come to, and every premise is met.\n"
    assert shown(Vacuity(missing=1)) == "What never happens is not known of 1 configuration.\n"
