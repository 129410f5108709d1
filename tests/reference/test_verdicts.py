"""How claims are said to stand: only what the lock file still vouches for counts."""

from __future__ import annotations

from pathlib import Path

from clicalls import write
from tiny import TINY, changed

from rulespec import api
from rulespec.proofs.claims import Claims
from rulespec.proofs.verdicts import Limits, Verdict
from rulespec.reference.verdicts import ABSENT, STALE, Verdicts, verdicts
from rulespec.verifying import ledger as ledgers
from rulespec.verifying.before import Known
from rulespec.verifying.ledger import Ledger
from rulespec.verifying.lock import NAME
from rulespec.verifying.plan import Part, Wanted, make


def _book(folder: Path, text: str = TINY) -> api.Book:
    return api.open_rulebook(write(folder / "tiny.rules", text))


def _keep(book: api.Book, verdict: str, limits: Limits | None = None) -> Part:
    """Write down one verdict on every claim with two players."""
    part = make(book, Wanted((2,), scopes=False), Limits()).parts[0]
    found = [
        Verdict("tiny", 2, claim.name, claim.kind, verdict, "induction", 0.5, title=claim.title)
        for claim in Claims(part.core).all.values()
    ]
    Ledger(book, limits or Limits()).keep(part, Known(), found)
    return part


def _found(book: api.Book) -> Verdicts:
    return verdicts(book, book.core)


def test_without_a_lock_file_nothing_is_verified(tmp_path: Path) -> None:
    known = _found(_book(tmp_path))
    assert known.claims
    assert {claimed.word for claimed in known.claims} == {ABSENT}
    assert all(standing.verdict is None for claimed in known.claims for standing in claimed.standings)


def test_what_the_lock_file_vouches_for_stands_with_its_method_and_day(tmp_path: Path) -> None:
    book = _book(tmp_path)
    part = _keep(book, "proved")
    place = next(place for place in _found(book).places if place.players == part.players)
    for claimed in _found(book).claims:
        standing = claimed.at(place)
        assert standing is not None
        assert standing.word == "proved"
        assert standing.verdict is not None
        assert standing.verdict.method == "induction"
        assert standing.run is not None
        assert standing.run.date == Ledger(book, Limits()).run.date


def test_what_depends_on_a_rule_that_has_changed_is_stale(tmp_path: Path) -> None:
    _keep(_book(tmp_path), "proved")
    other = _found(_book(tmp_path, changed("score 1 to p", "score 2 to p")))

    points = other.named["range of points"].at(other.places[0])
    assert points is not None
    assert (points.word, points.why) == (STALE, ledgers.CHANGED)
    assert points.verdict is not None
    assert points.verdict.verdict == "proved"
    purse = other.named["range of purse"].at(other.places[0])
    assert purse is not None
    assert purse.word == "proved"  # no purse depends on points


def test_one_place_without_a_verdict_keeps_the_whole_from_counting(tmp_path: Path) -> None:
    book = _book(tmp_path)
    _keep(book, "proved")
    known = _found(book)
    of_two, of_three = known.places[:2]
    both = [claimed for claimed in known.claims if claimed.at(of_two) and claimed.at(of_three)]
    assert both
    assert {claimed.word for claimed in both} == {ABSENT}


def test_a_lock_file_that_cannot_be_used_is_told_of(tmp_path: Path) -> None:
    book = _book(tmp_path)
    (tmp_path / NAME).write_text('{"rulespec.lock": 99}\n')
    known = _found(book)
    assert "another version" in known.problem
    assert str(tmp_path) not in known.problem
    assert {claimed.word for claimed in known.claims} == {ABSENT}


def test_a_line_that_somebody_changed_counts_for_nothing(tmp_path: Path) -> None:
    book = _book(tmp_path)
    _keep(book, "unknown")
    lock = tmp_path / NAME
    lock.write_text(lock.read_text().replace('"verdict": "unknown"', '"verdict": "proved"'))
    known = _found(book)
    assert known.wrong
    assert {claimed.word for claimed in known.claims} == {ABSENT}


def test_what_was_left_open_is_told_however_short_the_try(tmp_path: Path) -> None:
    book = _book(tmp_path)
    _keep(book, "unknown", limits=Limits(total=1.0, plays=1))
    known = _found(book)
    words = {standing.word for claimed in known.claims if (standing := claimed.at(known.places[0]))}
    assert words == {"unknown"}


def test_il_principe_claims_know_their_rules() -> None:
    book = api.open_rulebook("il_principe")
    known = _found(book)
    loop = known.named["loop ascending_auction.loop.1 ends"]
    assert loop.rules == ("ascending_auction",)
    assert known.of_rule("ascending_auction")[0] is loop
    purse = known.named["bound purse"]
    assert "sell" in purse.touching
    assert "seat_of_chance" not in purse.touching
    assert purse in known.touched_by("sell")
    assert purse.stated is not None
