"""Which entries of a lock file still hold, by who found them and within which limits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from clicalls import write
from tiny import TINY

from rulespec import api, library
from rulespec.proofs.claims import Claims
from rulespec.proofs.saved import VERIFIER
from rulespec.proofs.verdicts import Limits, Verdict
from rulespec.verifying import ledger as ledgers
from rulespec.verifying import lock
from rulespec.verifying.before import Known
from rulespec.verifying.ledger import Ledger
from rulespec.verifying.plan import Part, Wanted, make
from rulespec.verifying.work import AGREEMENT


@pytest.fixture
def book(tmp_path: Path) -> api.Book:
    return api.open_rulebook(write(tmp_path / "tiny.rules", TINY))


@pytest.fixture
def part(book: api.Book) -> Part:
    return make(book, Wanted((2,), scopes=False), Limits()).parts[0]


def _verdicts(part: Part, verdict: str) -> list[Verdict]:
    return [
        Verdict("tiny", 2, claim.name, claim.kind, verdict, "induction", 0.0, title=claim.title)
        for claim in Claims(part.core).all.values()
    ]


def _write(book: api.Book, part: Part, verdict: str, limits: Limits | None = None) -> None:
    Ledger(book, limits or Limits()).keep(part, Known(), _verdicts(part, verdict))


def _open(book: api.Book, part: Part, limits: Limits | None = None) -> set[str]:
    """Why claims are tried again."""
    return set(Ledger(book, limits or Limits()).known(part, games=False).open.values())


@pytest.mark.parametrize("verdict", ["proved", "exhaustive", "vacuous", "refuted"])
def test_what_is_settled_holds_whoever_asks(
    book: api.Book, part: Part, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(book, part, verdict, Limits(total=1.0))

    monkeypatch.setattr(ledgers, "solver", lambda: "z3 99")
    assert _open(book, part, Limits(total=1000.0)) == set()


@pytest.mark.parametrize("verdict", ["unknown", "sampled", "bounded"])
def test_what_is_open_is_tried_again_by_whoever_can_do_more(
    book: api.Book, part: Part, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(book, part, verdict, Limits(total=100.0))

    assert _open(book, part, Limits(total=100.0)) == set()
    assert _open(book, part, Limits(total=50.0, plays=10)) == set()
    assert _open(book, part, Limits(total=101.0)) == {ledgers.OPEN}
    assert _open(book, part, Limits(total=50.0, plays=100_000)) == {ledgers.OPEN}
    monkeypatch.setattr(ledgers, "solver", lambda: "z3 99")
    assert _open(book, part, Limits(total=100.0)) == {ledgers.OPEN}


def test_nothing_holds_of_another_edition(
    book: api.Book, part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(book, part, "proved")

    monkeypatch.setattr(ledgers, "VERIFIER", VERIFIER + 1)
    assert _open(book, part) == {ledgers.OTHER_VERIFIER}


def test_examples_and_games_hold_for_one_version(
    book: api.Book, part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = AGREEMENT.name
    agreed = Verdict("tiny", 2, name, "agreement", "sampled", "games", 0.0, count=8)
    first = Ledger(book, Limits())
    first.keep(part, Known(), [*_verdicts(part, "proved"), agreed])
    first.keep_examples(3)
    assert Ledger(book, Limits()).known(part, games=True).done
    assert Ledger(book, Limits()).examples() == 3

    monkeypatch.setattr(ledgers, "version", lambda name: "99")
    assert Ledger(book, Limits()).known(part, games=True).open == {name: ledgers.OTHER_RULESPEC}
    assert Ledger(book, Limits()).examples() is None


def test_two_runs_at_once_keep_what_each_finds(book: api.Book, part: Part) -> None:
    other = replace(part, core=replace(part.core, configuration=replace(part.core.configuration, players=3)))
    first, second = Ledger(book, Limits()), Ledger(book, Limits())

    first.keep(part, Known(), _verdicts(part, "proved"))
    second.keep(other, Known(), _verdicts(other, "proved"))
    assert _open(book, part) == _open(book, other) == set()


def test_lines_of_two_files_make_one(book: api.Book, part: Part) -> None:
    """As when two people have verified different things and their versions are merged."""
    assert book.path is not None
    file = book.path.parent / lock.NAME
    half = len(_verdicts(part, "proved")) // 2
    texts = []
    for verdicts in (_verdicts(part, "proved")[:half], _verdicts(part, "proved")[half:]):
        chosen = replace(part, properties=tuple(each.property for each in verdicts))
        Ledger(book, Limits()).keep(chosen, Known(), verdicts)
        texts.append(file.read_text())
        file.unlink()

    file.write_text("\n".join(dict.fromkeys("\n".join(texts).splitlines())))
    known = Ledger(book, Limits()).known(part, games=False)
    assert known.verdicts.keys() == {each.property for each in _verdicts(part, "proved")}
    assert not known.done  # whether these are all, neither of the two knew


def test_the_file_is_beside_the_rulebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = tmp_path / lock.NAME
    assert ledgers.place(tmp_path / "tiny.rules") == ledgers.Place((beside,), beside)
    game = min(library.GAMES.rglob("*.rules.md"))
    assert ledgers.place(game).written == game.parent / lock.NAME

    # An installed rulespec leaves its own folder alone.
    monkeypatch.setattr(library, "PACKAGE", library.GAMES)
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    found = ledgers.place(game)
    assert found.written is not None
    assert found.written.is_relative_to(tmp_path / "cache" / "locks")
    assert found.read == (found.written, game.parent / lock.NAME)
