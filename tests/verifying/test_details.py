"""What is told below the table: reasons, plays, places."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console
from verdicts_made import made, outcome, part

from rulespec.outline import Outline
from rulespec.proofs.verdicts import Other, Play, Step, Verdict
from rulespec.verifying.details import players_in, plays, unsettled, where
from rulespec.verifying.report import show
from rulespec.verifying.run import Outcome


def _play(length: int, example: str = "example x:\n") -> Play:
    return Play(
        tuple(Step(0, (n,), f"p0 moves {n}", "", "A turn") for n in range(length)), "it is 3", example
    )


def _broken(name: str, play: Play, players: int = 2) -> Verdict:
    return made(name, name.partition(" ")[0], "refuted", players, title=name, play=play)


def _shown(found: Outcome, *, verbose: bool = False) -> str:
    stream = StringIO()
    console = Console(file=stream, width=80)
    for entry in unsettled(found):
        entry.show(console, verbose)
    for each in plays(found, "refuted"):
        each.show(console, verbose)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def test_claims_with_one_reason_are_told_together() -> None:
    names = [f"invariant i{n}" for n in range(6)]
    late = [made(name, "invariant", "sampled", n, count=9, reason="late") for name in names for n in (2, 3)]
    odd = made("invariant odd", "invariant", "unknown", 3, reason="odd")

    assert _shown(outcome(*late, odd)) == (
        "sampled 9  I0; i1; i2; i3; and 2 more claims, with 2 and 3 players\n           late\n"
        "unknown  Odd, with 3 players\n         odd"
    )


def test_what_only_sums_up_others_is_left_out() -> None:
    found = outcome(
        made("loop a.loop.1 ends", "loop", "unknown", title="A", reason="hard"),
        made("the game ends", "end", "unknown", reason="loop a.loop.1 ends: hard"),
        made("every choice has a move", "choice", "unknown", reason="late"),
    )

    assert [entry.labels for entry in unsettled(found)] == [("A (a.loop.1)",), ("every choice has a move",)]


def test_a_reason_is_cut_unless_all_is_asked_for() -> None:
    found = outcome(made("invariant i", "invariant", "unknown", reason="word " * 100 + "end"))

    assert "end" not in _shown(found)
    assert _shown(found).endswith("...")
    assert _shown(found, verbose=True).endswith("end")


def test_the_shortest_play_of_all_configurations_is_shown() -> None:
    found = outcome(_broken("invariant i", _play(5), 2), _broken("invariant i", _play(3), 3))

    (counterexample,) = plays(found, "refuted")
    assert counterexample.part.players == 3
    assert counterexample.where == "with 2 and 3 players"
    assert "the play: 3 players, 3 steps; made short" in _shown(found)


def test_a_leak_is_shown_with_both_plays_and_what_differs() -> None:
    other = Other(1, _play(1).steps, ("hand[p0] is 1 or 2",), ("take",), ())
    play = replace(_play(2, ""), other=other)
    name = "choice turn.choice.1 offers only what its player sees"
    leak = made(name, "information", "refuted", title="A turn", play=play)
    lines = _shown(outcome(leak)).splitlines()

    assert lines[0] == "refuted  What is offered in A turn (turn.choice.1), with 2 players"
    assert "  the other play: 2 players, 1 step" in lines
    assert "  what differs and p1 does not see, after the one or the other:" in lines
    assert lines[-2:] == [
        "    hand[p0] is 1 or 2",
        "  all that p1 saw on the way is the same, too",
    ]


def test_one_play_that_breaks_several_claims_is_shown_once() -> None:
    found = outcome(_broken("invariant i", _play(2)), _broken("invariant j", _play(2)))

    assert _shown(found).splitlines() == [
        "refuted  Invariant i; invariant j, with 2 players",
        "  what failed: it is 3",
        "  the play: 2 players, 2 steps; made short, but not shown to be shortest",
        "     1. p0 moves 0  [A turn]",
        "     2. p0 moves 1  [A turn]",
        "  as an example: pasted into the rulebook it fails there",
        "",
        "example x:",
    ]


def test_of_a_long_play_the_end_is_shown() -> None:
    found = outcome(_broken("invariant i", _play(40)))

    assert "... 28 steps before these\n    29. p0 moves 28" in _shown(found)
    assert " 1. p0 moves 0" in _shown(found, verbose=True)


def test_nothing_in_an_example_is_taken_for_markup_or_cut() -> None:
    text = f"example x:\n    given:\n        a[bold] = {{{'red: 1, ' * 20}}}\n"

    assert text.rstrip() in _shown(outcome(_broken("invariant i", _play(1, text))))


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ([], ""),
        ([1], "1 player"),
        ([3], "3 players"),
        ([3, 2], "2 and 3 players"),
        ([2, 3, 4, 3], "2 to 4 players"),
        ([2, 4, 5], "2, 4 and 5 players"),
    ],
)
def test_numbers_of_players_in_words(numbers: list[int], told: str) -> None:
    assert players_in(numbers) == told


def test_changed_readings_and_scopes_are_named() -> None:
    parts = [part(2), part(3), part(3, changed="bank = limited"), part(2, scope="pocket")]

    assert where(parts) == "with 2 and 3 players; with 3 players, bank = limited; in `pocket`"


def test_changes_that_do_not_fit_go_on_below_where_they_begin() -> None:
    changes = tuple(f"purse[p{n}] 10 -> 1{n}" for n in range(5))
    play = Play((Step(0, (1,), "p0 pays", "", "A turn", "", changes),), "it is 3", "example x:\n")
    shown = _shown(outcome(_broken("invariant i", play))).splitlines()

    (first,) = (n for n, line in enumerate(shown) if line.startswith("        purse[p0] 10 -> 10;"))
    assert shown[first + 1].startswith("        ")
    assert shown[first + 1].endswith("purse[p4] 10 -> 14")


def test_a_play_that_reaches_something_is_shown_as_such() -> None:
    name = "reachable r"
    found = outcome(made(name, "reachable", "proved", 2, title=name, play=_play(2)))
    stream = StringIO()
    (reached,) = plays(found, "proved")
    reached.show(Console(file=stream, width=80), False)

    assert stream.getvalue().startswith("reached  Reachable r, with 2 players")
    assert "what failed" not in stream.getvalue()
    assert "pasted into the rulebook it holds there" in stream.getvalue()
    assert plays(found, "refuted") == []


def test_who_looks_closely_is_told_where_tighter_bounds_come_from() -> None:
    def shown(verdict: str, *, verbose: bool) -> str:
        stream = StringIO()
        outline = Outline("sample", "Sample", (2, 2), (), (), (), (), (), ())
        found = outcome(made("bound purse", "bound", verdict))
        show(Console(file=stream, width=100), "sample", found, outline, verbose=verbose)
        return stream.getvalue()

    assert "`rulespec bounds sample` looks for tighter bounds" in shown("proved", verbose=True)
    assert "rulespec bounds" not in shown("proved", verbose=False) + shown("unknown", verbose=True)
