"""What never happens is reported, each kind of it, and its twin that does happen is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulespec import api
from rulespec.proofs.vacuity import look
from rulespec.proofs.vacuity.look import NO_PLAY, PROVED, VISITED
from rulespec.proofs.verdicts import Limits
from rulespec.verifying.vacuity import Remark, VacuityJob, Words, together, uncalled

BOOK = Path(__file__).parent / "never" / "never.rules"
LIMITS = Limits(total=30.0, proof=20.0, question=1.0)


def expected() -> set[tuple[int, str]]:
    """Line and kind of each thing that the book says never happens."""
    lines = BOOK.read_text(encoding="utf-8").splitlines()
    found = ((n, re.search(r"# never (\w+)", line)) for n, line in enumerate(lines, 1))
    return {(n, match[1]) for n, match in found if match}


def remarks(players: tuple[int, ...] = (2, 3)) -> list[Remark]:
    book = api.Book(BOOK)
    assert book.checked is not None
    assert book.checked.rulebook is not None
    jobs = [VacuityJob(str(BOOK), book.configuration(players=n), LIMITS) for n in players]
    looked = [found for job in jobs if (found := job.do(lambda _: None)) is not None]
    rulebook = book.checked.rulebook
    return [*uncalled(rulebook, Words(rulebook, book.sources)), *together(looked).everywhere]


def places(found: list[Remark]) -> set[tuple[int, str]]:
    return {(r.span.line, r.what) for r in found}


@pytest.mark.slow
def test_all_that_never_happens_is_found_where_every_position_is_visited() -> None:
    found = remarks()

    assert all(r.is_certain for r in found)
    assert places(found) == expected()
    assert {r.method for r in found} >= {VISITED, PROVED}


@pytest.mark.slow
def test_what_is_proved_never_to_happen_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "STATES", 1)

    found = remarks()
    certain = places([r for r in found if r.is_certain])

    assert certain <= expected()
    assert len([r for r in found if r.method == PROVED]) >= 7
    assert places(found) == expected()


@pytest.mark.slow
def test_without_a_proof_it_is_a_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "STATES", 1)
    monkeypatch.setattr(look._Looker, "_proved", lambda self: set())

    found = {r.span.line: r for r in remarks((2,)) if r.what == "option"}
    option = next(iter(found.values()))

    assert option.method == NO_PLAY
    assert option.known == "seen in none of 400 plays; it may happen all the same"


STUCK = """\
game stuck "Stuck"
players 2

state:
    left: Int in 0..9 = 9
    per player:
        points: points in 0..1

rule setup "Setting up":
    nothing

rule play "Turns":
    for i in 1..6:
        for p in players:
            p chooses:
                take when left > 0 "takes one":
                    left -= 1

ranking "Points" for p: p.points
"""


def test_to_keep_back_the_only_move_is_to_keep_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The play breaks off there, and yet comes to a position in which the `when` does not hold."""
    monkeypatch.setattr(look, "STATES", 1)
    monkeypatch.setattr(look, "PLAYS", 0)
    path = tmp_path / "stuck.rules"
    path.write_text(STUCK, encoding="utf-8")
    book = api.Book(path)
    found = look.look(book.core(book.configuration(players=2)), [], [], LIMITS)

    assert {n.method for n in found if n.kind == "kept back"} == {NO_PLAY}
