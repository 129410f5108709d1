"""A verification that is stopped: what is finished is kept, and of the rest nothing is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from clicalls import write
from here import Here
from tiny import TINY

from rulespec import api
from rulespec.proofs.verdicts import Limits
from rulespec.verifying import run
from rulespec.verifying.before import Before
from rulespec.verifying.ledger import Ledger
from rulespec.verifying.plan import Wanted, make
from rulespec.verifying.run import Outcome
from rulespec.verifying.work import Stage


class Nobody:
    """Watches nothing."""

    def began(self, job: int) -> None:
        pass

    def stage(self, job: int, stage: Stage) -> None:
        pass

    def ended(self, job: int, outcome: Outcome) -> None:
        pass

    def tick(self) -> None:
        pass


def test_what_is_not_finished_in_time_is_unknown_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    book = api.open_rulebook(write(tmp_path / "tiny.rules", TINY))
    parts = make(book, Wanted(scopes=False), Limits()).parts
    ledger = Ledger(book, Limits())
    game = str(tmp_path / "tiny.rules")

    # The first job is the larger game; then it is already late.
    outcome = run.verify(
        game,
        parts,
        Here(1),  # type: ignore[arg-type]
        Nobody(),
        examples=False,
        games=False,
        before=Before(ledger=ledger),
        until=0.0,
    )
    assert outcome.late
    assert not outcome.interrupted
    verdicts = {part.players: outcome.verdicts[number] for number, part in enumerate(parts)}
    assert all(each.verdict == "proved" or each.verdict == "exhaustive" for each in verdicts[3])
    assert {(each.verdict, each.reason) for each in verdicts[2]} == {("unknown", "the time for all was over")}
    again = Ledger(book, Limits())
    known = {part.players: again.known(part, games=False) for part in parts}
    assert known[3].done
    assert known[2].anew
