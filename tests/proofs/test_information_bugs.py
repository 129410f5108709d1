"""A bug put into what proves that offers give nothing away is found by the wrong rulebooks.

Without the bug all that is false in these is refuted, which `test_books.py` looks after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import books
import pytest

from rulespec.compiler.core.tree import Block, Choose, Expr, Read
from rulespec.compiler.core.walk import children
from rulespec.engine.sight import Veiled
from rulespec.proofs.information import flow
from rulespec.proofs.smt import two_runs
from rulespec.proofs.smt.terms import Term
from rulespec.proofs.verdicts import Limits, Verdict
from rulespec.proofs.verify import verify

QUICK = Limits(total=15.0, proof=8.0, question=1.0, sampling=0.5, plays=50, machine=0, shrinking=0.2)
Patch = pytest.MonkeyPatch


def everything_private_is_ones_own(patch: Patch) -> None:
    def sees(self: flow.Flow, read: Read, actor: Expr) -> bool:
        return self.core.slot[read.slot].sight != "hidden"

    patch.setattr(flow.Flow, "_sees", sees)


def indices_are_forgotten(patch: Patch) -> None:
    def unseen(self: flow.Flow, e: Expr, actor: Expr, witnessed: frozenset[str]) -> Iterator[Expr]:
        if isinstance(e, Read):
            if e.slot not in witnessed and not self._sees(e, actor):
                yield e
            return
        for part in children(e):
            yield from unseen(self, part, actor, witnessed)

    patch.setattr(flow.Flow, "_unseen", unseen)


def ranges_are_forgotten(patch: Patch) -> None:
    known = flow.Flow.doubts

    def doubts(self: flow.Flow, block: Block) -> tuple[str, ...]:
        assert isinstance(block.end, Choose)
        options = tuple(replace(o, params=()) for o in block.end.options)
        return known(self, replace(block, end=replace(block.end, options=options)))

    patch.setattr(flow.Flow, "doubts", doubts)


def what_is_hidden_is_the_same_in_both(patch: Patch) -> None:
    def other(self: two_runs.TwoRuns, element: Term) -> Term:
        return element

    patch.setattr(two_runs.TwoRuns, "_other", other)


def all_is_open_for_now(patch: Patch) -> None:
    known = two_runs.TwoRuns._alike

    def alike(self: two_runs.TwoRuns, veiled: Veiled, one: two_runs.Store, two: two_runs.Store) -> Term:
        pairs = ((self._of(p, one), self._of(p, two)) for p in veiled.positions if veiled.flag is not None)
        return self.terms.conj((known(self, veiled, one, two), *(self.terms.eq(a, b) for a, b in pairs)))

    patch.setattr(two_runs.TwoRuns, "_alike", alike)


def only_the_first_seat_is_asked(patch: Patch) -> None:
    known = two_runs.TwoRuns._is_asked

    def is_asked(self: two_runs.TwoRuns, actor: Expr, seat: int, store: two_runs.Store) -> Term:
        return known(self, actor, seat, store) if seat > 2 else self.terms.false

    patch.setattr(two_runs.TwoRuns, "_is_asked", is_asked)


def all_amounts_are_counted(patch: Patch) -> None:
    known = two_runs.TwoRuns._alike

    def alike(self: two_runs.TwoRuns, veiled: Veiled, one: two_runs.Store, two: two_runs.Store) -> Term:
        return known(self, replace(veiled, counted=True), one, two)

    patch.setattr(two_runs.TwoRuns, "_alike", alike)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bug", "name"),
    [
        (everything_private_is_ones_own, "peeks_at_a_hand"),
        (indices_are_forgotten, "digs_where_it_is"),
        (ranges_are_forgotten, "raises_as_high_as_the_other"),
        (what_is_hidden_is_the_same_in_both, "knows_the_pile"),
        (all_is_open_for_now, "outbids_a_sealed_bid"),
        (only_the_first_seat_is_asked, "asks_the_holder"),
        (all_amounts_are_counted, "raises_as_high_as_the_other"),
    ],
)
def test_a_bug_is_caught(bug: Callable[[Patch], None], name: str, monkeypatch: Patch) -> None:
    bug(monkeypatch)

    found = false(name)
    assert any(verdict.verdict != "refuted" or "fault in the verifier" in verdict.reason for verdict in found)


def false(name: str) -> list[Verdict]:
    """The verdicts on what a book says is false of its offers, and on what would tell of a fault."""
    book = books.read(name)
    said = book.said[0]
    found = verify(book.core(said), limits=QUICK, sources=book.sources)
    return [v for v in found if v.property in said.false or "fault in the verifier" in v.reason]
