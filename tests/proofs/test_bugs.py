"""Whether a bug in the translation to formulas would be noticed: each of a list is put in, and caught.

A wrong rulebook or core of which something false is then proved catches it, with no play that helps.
"""

from __future__ import annotations

import nets
import pytest
from bugs import Bug

from tests.proofs.slips import BUGS

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
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.wrong)
def test_a_bug_is_caught(bug: Bug) -> None:
    with bug.at_work() as ran:
        found = wrongs(bug.caught_by)

    assert ran
    assert found
