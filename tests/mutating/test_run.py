"""Choosing changes, and what is told of them."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from rulespec.compiler.spans import Span
from rulespec.compiler.typed.mutants import Mutant
from rulespec.mutating.bench import ALIKE, EXAMPLES, UNNOTICED, Tried
from rulespec.mutating.report import show, to_json
from rulespec.mutating.run import Outcome, choose


def mutant(rule: str, number: int) -> Mutant:
    span = Span("a.rules", number, 5, number, 6)
    name = f"{rule}.number.{number}"
    return Mutant(
        name, "number", "rule", rule, (), None, span, "2", "score 1 to p", "score 2 to p", "A turn", None
    )


FOUND = tuple(mutant(rule, n) for rule in ("play", "turn") for n in range(1, 6))


def test_a_sample_is_the_same_for_a_seed_and_in_the_order_of_the_text() -> None:
    drawn = choose(FOUND, 4, 1, (), ())

    assert drawn == choose(FOUND, 4, 1, (), ())
    assert len(drawn) == 4
    assert list(drawn) == [m for m in FOUND if m in drawn]
    assert drawn != choose(FOUND, 4, 2, (), ())


def test_rules_and_ids_are_chosen_by_name() -> None:
    assert {m.owner for m in choose(FOUND, None, 0, ("turn",), ())} == {"turn"}
    assert [m.id for m in choose(FOUND, None, 0, (), ("play.number.3",))] == ["play.number.3"]
    with pytest.raises(KeyError, match="nowhere"):
        choose(FOUND, None, 0, ("nowhere",), ())


def outcome() -> Outcome:
    made = Outcome({m.id: m for m in FOUND[:4]}, 10, 4)
    for m, tried in zip(
        FOUND,
        (
            Tried("", EXAMPLES, "buying"),
            Tried("", UNNOTICED, differs=True, examples=2, proved=True),
            Tried("", UNNOTICED),
            Tried("", ALIKE, "it compiles to the same"),
        ),
        strict=False,
    ):
        made.tried[m.id] = Tried(m.id, tried.outcome, tried.by, tried.differs, tried.examples, tried.proved)
    return made


def test_the_score_leaves_out_what_makes_no_difference() -> None:
    made = outcome()

    assert (made.noticed, made.counted) == (1, 3)
    assert made.score == pytest.approx(1 / 3)


def test_what_is_unnoticed_is_a_list_to_review() -> None:
    stream = StringIO()
    show(Console(file=stream, width=100), "a", 3, outcome(), verbose=False)

    assert stream.getvalue() == (
        "Changes that nothing notices\n"
        "  play.number.2  a.rules:2  A turn\n"
        "    - score 1 to p\n"
        "    + score 2 to p\n"
        "      2 examples may come by it; all that was proved is proved with it\n"
        "\n"
        "Unnoticed as well, but random plays do not tell them apart either\n"
        "  play.number.3  a.rules:3  A turn\n"
        "    - score 1 to p\n"
        "    + score 2 to p\n"
        "      no example comes by it; the proof was not asked\n"
        "\n"
        "4 of 10 changes tried with 3 players\n"
        "1 noticed by examples, 2 unnoticed, 1 left out because nothing differs with 3 players\n"
        "a: 1 of 3 noticed, a score of 33.3%\n"
    )


def test_programs_get_all_of_it() -> None:
    told = to_json("a", 3, 0, outcome())

    assert told["score"] == 0.3333
    assert [each["outcome"] for each in told["results"]] == [EXAMPLES, UNNOTICED, UNNOTICED, ALIKE]
    assert told["results"][0]["by"] == "buying"
    assert {"id", "before", "after", "file", "line", "rule"} <= told["results"][1].keys()
