"""Whether a bug in the translation to formulas would be noticed: each of a list is put in, and caught.

A wrong rulebook or core of which something false is then proved catches it, with no play that helps.
"""

from __future__ import annotations

import nets
import pytest
from bugs import Bug

from rulespec.proofs.verdicts import Limits
from rulespec.proofs.verify import verify
from tests.proofs.slips import BUGS

QUICK = Limits(total=6.0, proof=4.0, question=0.5, sampling=0.1, plays=20, machine=0, shrinking=0.1)

# Among them bugs that make the terms of a claim wrong, in the proof as well as in whatever else uses them.
SEEN_IN_PLAYS = (
    "one more than the most is let through",
    "the last option is not looked at",
    "what a player names is not kept",
    "an element reads as it was before the path",
    "the other case is taken to be looked at under the condition",
    "the lesser is the greater",
    "a quotient is rounded towards 0",
    "a claim holds here because it holds elsewhere",
)
SUBJECTS = sorted({bug.caught_by for bug in BUGS})


def wrongs(name: str) -> list[str]:
    """What the prover says too much about a book or core."""
    return [wrong for told in nets.told(name) for wrong in nets.said_wrongly(*told)]


def test_there_are_enough_of_them() -> None:
    assert len({bug.wrong for bug in BUGS}) == len(BUGS) >= 20
    assert len({bug.place for bug in BUGS}) >= 20


@pytest.mark.slow
@pytest.mark.parametrize("name", SUBJECTS)
def test_without_a_bug_nothing_is_said_too_much(name: str) -> None:
    assert wrongs(name) == []


@pytest.mark.slow
@pytest.mark.parametrize("wrong", SEEN_IN_PLAYS)
def test_plays_speak_against_what_a_bug_lets_through(wrong: str) -> None:
    """They are looked at without the translation, so that a bug in it does not hide itself."""
    (bug,) = (bug for bug in BUGS if bug.wrong == wrong)
    with bug.at_work():
        for core, false, _ in nets.told(bug.caught_by):
            verdicts = verify(core, limits=QUICK)
            assert any("fault in the verifier" in verdict.reason for verdict in verdicts)
            assert not {v.property for v in verdicts if v.verdict == "proved"} & {*false}


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.wrong)
def test_a_bug_is_caught(bug: Bug) -> None:
    with bug.at_work() as ran:
        found = wrongs(bug.caught_by)

    assert ran
    assert found
