"""Deliberate faults: one number or comparison of the rulebook changed in each of many places.

Each is put into a copy of the rulebook. What notices it is an example or the compiler; the proofs would see
more, and are not needed for these.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

import rulespec
from rulespec import api, examples

BOOK = Path(rulespec.__file__).parent / "games" / "il_principe" / "il-principe.rules.md"


@dataclass(frozen=True)
class Fault:
    """`before` stands once in the rulebook, and `after` takes its place."""

    what: str
    before: str
    after: str


FAULTS = (
    Fault("starting capital", '"starting capital": ducat = 5', '"starting capital": ducat = 6'),
    Fault("income", 'each round": ducat = 5', 'each round": ducat = 4'),
    Fault("cards drawn by two", "    drawn = 5\n", "    drawn = 4\n"),
    Fault("cards set aside", 'sets aside": Int = 2', 'sets aside": Int = 1'),
    Fault("cards set aside by two", "    set_aside = 3\n", "    set_aside = 2\n"),
    Fault("city row", '"face-up city cards": Int = 4', '"face-up city cards": Int = 3'),
    Fault("copies", '"building cards of each color": Int = 20', '"building cards of each color": Int = 19'),
    Fault("blazons", '"blazons of each family": Int = 12', '"blazons of each family": Int = 11'),
    Fault("buildings removed for two", "    removed = 7\n", "    removed = 6\n"),
    Fault("cities hidden for two", "    hidden_cities = 5\n", "    hidden_cities = 4\n"),
    Fault("threshold of three", 'last round begins": Int = 12', 'last round begins": Int = 13'),
    Fault("threshold of two", "    few_cards = 10\n", "    few_cards = 11\n"),
    Fault("threshold of four", "    few_cards = 16\n", "    few_cards = 17\n"),
    Fault("threshold of five", "    few_cards = 20\n", "    few_cards = 21\n"),
    Fault("last cards of five", "    final_cards = 10\n", "    final_cards = 9\n"),
    Fault("last cards of three", 'in the last round": Int = 6', 'in the last round": Int = 5'),
    Fault("too few cities", "if size(row) < row_size:", "if size(row) <= row_size:"),
    Fault("lowest bid", '"the lowest opening bid": ducat = 1', '"the lowest opening bid": ducat = 2'),
    Fault("lots with one card", "where reserve[c] > 0 order by", "where reserve[c] > 1 order by"),
    Fault("order of the lots", "order by reserve[c]:", "order by reserve[c] descending:"),
    Fault("first building round", 'cities may be built": Int = 2', 'cities may be built": Int = 1'),
    Fault("building too late", "round >= first_building_round", "round > first_building_round"),
    Fault("price not quite paid", "p.purse >= c.price", "p.purse > c.price"),
    Fault("cards not quite enough", "missing(p, c, k) <= p.hand[k]", "missing(p, c, k) < p.hand[k]"),
    Fault(
        "Milan's points", "{blue: 2, red: 1, yellow: 1}, 4, 6, 2,", "{blue: 2, red: 1, yellow: 1}, 4, 7, 2,"
    ),
    Fault(
        "Milan's price", "{blue: 2, red: 1, yellow: 1}, 4, 6, 2,", "{blue: 2, red: 1, yellow: 1}, 3, 6, 2,"
    ),
    Fault("Major's reward", "                score 2 to q", "                score 3 to q"),
    Fault("Minor's reward", "                score 1 to q", "                score 2 to q"),
    Fault("half rounded down", "move half up p.up[c] c", "move half down p.up[c] c"),
    Fault("sole contender", "if size(contenders) = 1:", "if size(contenders) = 2:"),
    Fault(
        "Bishop's point",
        "        score 1 to p\n    else if c = red",
        "        score 2 to p\n    else if c = red",
    ),
    Fault("Banker's ducats", "pay up to 2 from bank", "pay up to 3 from bank"),
    Fault("Magistrate's card", "draw up to 1 from pile", "draw up to 2 from pile"),
    Fault("most blazons", "            score 5 to p", "            score 4 to p"),
    Fault(
        "second most blazons",
        "        for p in second:\n            score 2 to p",
        "        for p in second:\n            score 3 to p",
    ),
    Fault("Major Roles at the end", "score 2 * size(p.major)", "score 1 * size(p.major)"),
    Fault("sets of five", "score 2 * sets_of_five(p)", "score 3 * sets_of_five(p)"),
    Fault("most ducats", "q.purse <= p.purse", "q.purse < p.purse"),
    Fault("most cards", "size(q.hand) <= size(p.hand)", "size(q.hand) >= size(p.hand)"),
    Fault("face-up for green", "turn_up k: Color when k != green and", "turn_up k: Color when k = green and"),
)

MISSED_AT_MOST = len(FAULTS) // 10


def _notices(path: Path) -> str:
    """What notices that something is wrong with the rulebook at `path`; "" if nothing does."""
    collection = examples.own(api.open_rulebook(path))
    if collection.rulebook is None:
        return "the compiler"
    for example in collection.examples:
        if not examples.run(collection.rulebook, example).passed:
            return f"example {example.name}"
    return ""


def test_each_fault_changes_one_place() -> None:
    text = BOOK.read_text(encoding="utf-8")
    for fault in FAULTS:
        assert text.count(fault.before) == 1, fault.what


@pytest.mark.slow
def test_deliberate_faults_are_noticed(tmp_path: Path) -> None:
    text = BOOK.read_text(encoding="utf-8")
    copy = tmp_path / BOOK.name
    shutil.copy(BOOK, copy)
    assert _notices(copy) == "", "the rulebook as it is must be good"
    missed = []
    for fault in FAULTS:
        copy.write_text(text.replace(fault.before, fault.after), encoding="utf-8")
        if not _notices(copy):
            missed.append(fault.what)
    assert len(missed) <= MISSED_AT_MOST, missed
