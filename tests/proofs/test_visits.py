"""Small games visited whole: each verdict is right, and a play that shows something is a shortest one.

The cores in `wrong/` say which claims about them are true and which false.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rulespec.compiler.core.from_text import parse
from rulespec.compiler.core.tree import TRUE, Core
from rulespec.engine.explore import explore
from rulespec.proofs.evidence import Task
from rulespec.proofs.verdicts import Limits, Verdict
from rulespec.proofs.verify import run_task
from rulespec.proofs.watched import noted

WRONG = Path(__file__).parent / "wrong"


def core_of(name: str) -> Core:
    return parse((WRONG / f"{name}.core").read_text())


def visited(core: Core, limits: Limits | None = None) -> dict[str, Verdict]:
    return {v.property: v for v in run_task(Task(core, "whole", limits=limits or Limits()))}


def steps(verdict: Verdict) -> list[tuple[int, ...]]:
    """Those of the play that shows it."""
    assert verdict.play is not None
    return [step.raw for step in verdict.play.steps]


def said() -> Iterator[tuple[str, bool, str]]:
    """The cores by name, and what is true or false of them."""
    for path in sorted(WRONG.glob("*.core")):
        for line in path.read_text().splitlines():
            kind, _, claim = line.removeprefix("# ").partition(": ")
            if line.startswith("# ") and kind in ("true", "false"):
                yield path.stem, kind == "true", claim


@pytest.mark.parametrize(("name", "true", "claim"), list(said()))
def test_what_is_said_of_a_core_is_found(name: str, true: bool, claim: str) -> None:
    verdict = visited(core_of(name))[claim]

    if verdict.verdict == "unknown":
        # Termination is told of the whole; where it is false no loop is told from the others.
        assert verdict.kind == "loop"
        assert verdict.reason in ("some play can go on for ever", "a play breaks off")
    else:
        assert verdict.verdict == ("exhaustive" if true else "refuted")
    assert "does not confirm" not in verdict.reason


def test_a_broken_invariant_comes_with_a_shortest_play() -> None:
    verdict = visited(core_of("late_bound"))["bound points"]

    assert verdict.play is not None
    assert verdict.play.shortest
    assert len(steps(verdict)) == 6  # all six rounds are won as high as possible
    assert "points is 18" in verdict.reason


def test_what_a_loop_does_not_keep_comes_with_a_shortest_play() -> None:
    """The first put of an odd sum comes to the head, where nobody waits."""
    verdict = visited(core_of("not_kept"))["what the loops of fill keep"]

    assert (verdict.verdict, verdict.reason) == ("refuted", "`pot mod 2 = 0`: pot is 1")
    assert steps(verdict) == [(0, 1)]


def test_what_a_loop_keeps_is_looked_at_on_the_way_too() -> None:
    """Nobody is asked between two rounds, and at the end it holds again."""
    text = (WRONG / "not_kept.core").read_text()
    text = text.replace("block next: ; fill\n", "block next: ; fill\n    put := 2\n")
    text = text.replace("branch turns < 4 to ask else over", "branch turns < 4 to next else over")
    text = text.replace("keeps pot mod 2 = 0", "keeps pot != 4")
    verdict = visited(parse(text))["what the loops of fill keep"]

    assert (verdict.verdict, verdict.reason) == ("refuted", "`pot != 4`: pot is 4")
    assert steps(verdict) == []


def test_what_a_loop_keeps_may_have_no_value_and_stops_nothing() -> None:
    text = (WRONG / "not_kept.core").read_text()
    unclear = "keeps min($n in 1..4 where $n > turns: $n) > 0"
    found = visited(parse(text.replace("keeps pot mod 2 = 0", unclear)))

    assert found["what the loops of fill keep"].verdict == "refuted"
    assert "it has no value" in found["what the loops of fill keep"].reason
    assert found["range of pot"].count == visited(core_of("not_kept"))["range of pot"].count
    assert found["the game ends"].verdict == "exhaustive"


def test_a_claim_without_a_value_is_refuted_alone() -> None:
    text = (WRONG / "late_bound.core").read_text()
    unclear = "min($n in 1..5 where $n > round: $n) > 0"
    more = f'property invariant least "the least is there": {unclear}\n'
    more += 'property reachable late "the last round": round = 6\n'
    more += f'property reachable strange "it is below": not ({unclear})\nrank points'
    found = visited(parse(text.replace("rank points", more)))

    assert "it has no value" in found["invariant least"].reason
    assert len(steps(found["invariant least"])) == 5
    assert found["reachable late"].verdict == "proved"
    assert found["reachable strange"].verdict == "refuted"
    assert len(steps(found["bound points"])) == 6


def test_a_play_without_end_refutes_that_the_game_ends() -> None:
    verdict = visited(core_of("for_ever"))["the game ends"]

    assert (verdict.verdict, verdict.reason) == ("refuted", "the game comes back to where it was")
    assert steps(verdict) == [(0,), (0,)]


def test_what_a_limit_leaves_open_is_told() -> None:
    found = visited(core_of("late_bound"), replace(Limits(), scope_states=12))

    assert found["bound points"].verdict == "bounded"
    assert found["bound points"].reason == "stopped by the limit on states after 12 positions"
    assert found["the game ends"].verdict == "unknown"


@pytest.mark.parametrize("name", ["late_bound", "equal_bids", "lock"])
def test_notes_add_no_position(name: str) -> None:
    """Where all is kept, the game that notes what is not has as many positions as the game itself."""
    core = core_of(name)
    blocks = [
        replace(b, loop=replace(b.loop, keeps=(TRUE,), measure=())) if b.loop else b for b in core.blocks
    ]
    game, notes = noted(replace(core, blocks=tuple(blocks)))

    assert len(notes) == len(game.slots) - len(core.slots) > 0
    assert explore(game).states == explore(replace(core, blocks=tuple(blocks))).states
