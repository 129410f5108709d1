"""What accounts for a paragraph: every citation of the rulebook, and what is set aside."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec import api
from rulespec.coverage import accounts
from rulespec.coverage.accounts import Coverage, TooMuch
from rulespec.coverage.index import Indexed
from rulespec.coverage.paragraphs import Paragraph

# Each declaration that can cite does, on a line of its own.
EVERY = """\
game every "Every"
source rb "The rules" of 60 lines
players 2..3 @rb(1)
enum Color "a color" @rb(2):
    red
    assumed "not named" @rb(3):
        blue
currency coin "coins" @rb(4): 9 in bank
piece Card "card" of Color @rb(5): 1 each in deck
table City "city" @rb(6):
    columns price: coin in 0..3
    milan "Milan" @rb(7): 3
    assumed "not printed" @rb(8) where price in 1..3:
        genoa "Genoa" @rb(9): 2
grid Square "a square" 2 x 2 @rb(10)
param share "a share": coin = 1 @rb(11)
variant rich "more" @rb(12):
    share = 2 @rb(13)
when players = 3 @rb(14):
    share = 1 @rb(15)
reading tie "Who wins?" @rb(16) T1:
    both "all" @rb(17) default
    none_of_them "nobody" @rb(18)
state:
    deck "the deck" @rb(19) hidden: Deck[Card]
    per player:
        purse: coin in 0..9 @rb(20)
function half(n: Int in 0..9) -> Int @rb(21) = n div 2
rule setup "Setting up" @rb(22):
    for p in players:
        pay half(2) * share from bank to p.purse
rule play "Playing" @rb(23):
    for p in players:
        if reading tie is both:
            p chooses:
                pass "passes" @rb(24):
                    nothing
                give when p.purse > 0 "gives one" @rb(25):
                    pay 1 from p.purse to bank
ranking "who has most" for p @rb(26): p.purse
invariant little "little" @rb(27): all p in players: p.purse <= 9
reachable some_money "some" @rb(28): any p in players: p.purse > 0
bound purse "a purse" for p in players @rb(29): p.purse in 0..9
scope pocket "small":
    players 2
    share = 2 @rb(30)
example passing "passing" @rb(31):
    players 2
    run play()
    when:
        p0 pass
        p1 pass
    then:
        bank = 9
aside flavor "the age" @rb(32)
aside:
    outside "tournaments" @rb(33)
"""

SORTS = [
    ("players", "", ""),
    ("enum", "Color", ""),
    ("assumed members", "", "Color"),
    ("currency", "coin", ""),
    ("piece", "Card", ""),
    ("table", "City", ""),
    ("row", "milan", "City"),
    ("assumed rows", "", "City"),
    ("row", "genoa", "City"),
    ("grid", "Square", ""),
    ("param", "share", ""),
    ("variant", "rich", ""),
    ("setting", "share", "rich"),
    ("when players", "= 3", ""),
    ("setting", "share", "= 3"),
    ("reading", "tie", ""),
    ("meaning", "both", "tie"),
    ("meaning", "none_of_them", "tie"),
    ("state variable", "deck", ""),
    ("state variable", "purse", ""),
    ("function", "half", ""),
    ("rule", "setup", ""),
    ("rule", "play", ""),
    ("option", "pass", "play"),
    ("option", "give", "play"),
    ("ranking", "", ""),
    ("invariant", "little", ""),
    ("reachable", "some_money", ""),
    ("bound", "purse", ""),
    ("setting", "share", "pocket"),
    ("example", "passing", ""),
    ("flavor", "", ""),
    ("outside", "", ""),
]


def covered(text: str, *ranges: tuple[int, int], tmp_path: Path) -> Coverage:
    """With paragraphs that have these first and last lines."""
    path = tmp_path / "every.rules"
    path.write_text(text)
    paragraphs = tuple(Paragraph(first, last, "text", "0" * 16) for first, last in ranges)
    return accounts.with_index(api.open_rulebook(path), {"rb": Indexed(60, paragraphs)})


def test_whatever_cites_is_named(tmp_path: Path) -> None:
    (source,) = covered(EVERY, *((n, n) for n in range(1, 35)), tmp_path=tmp_path).sources

    named = [[(a.by.sort, a.by.name, a.by.of) for a in one.by] for one in source.paragraphs]
    assert named == [*([sort] for sort in SORTS), []]
    assert [one.state for one in source.paragraphs] == ["cited"] * 31 + ["aside"] * 2 + ["open"]
    assert [one.paragraph.first for one in source.open] == [34]


def test_each_is_named_where_its_name_stands(tmp_path: Path) -> None:
    (source,) = covered(EVERY, (7, 7), (25, 25), (33, 33), tmp_path=tmp_path).sources
    lines = EVERY.splitlines()

    places = [one.by[0].by.span for one in source.paragraphs]
    words = [lines[span.line - 1][span.column - 1 : span.end_column - 1] for span in places]
    assert words == ["milan", "give", 'outside "tournaments" @rb(33)']


RANGES = """\
game small "Small"
source rb "The rules" of 60 lines
source faq "Answers" of 9 lines
players 2
state:
    per player:
        points: points in 0..1
rule setup @rb(11..13, 17) @faq(2):
    nothing
rule play @rb(13..15, 40) @rb(14):
    nothing
ranking for p @rb: p.points
aside heading @rb(16, 30..32)
"""


@pytest.mark.parametrize(
    ("first", "last", "state", "missing"),
    [
        (11, 12, "cited", ()),
        (11, 15, "cited", ()),
        (10, 13, "part", ((10, 10),)),
        (10, 18, "part", ((10, 10), (18, 18))),
        (15, 16, "cited", ()),
        (16, 16, "aside", ()),
        (31, 33, "part", ((33, 33),)),
        (20, 29, "open", ((20, 29),)),
    ],
)
def test_a_paragraph_is_accounted_for_when_all_its_lines_are(
    first: int, last: int, state: str, missing: object, tmp_path: Path
) -> None:
    (one,) = covered(RANGES, (first, last), tmp_path=tmp_path).sources[0].paragraphs

    assert (one.state, one.missing, one.accounted) == (state, missing, not missing)


def test_what_meets_only_part_of_a_paragraph_says_which(tmp_path: Path) -> None:
    (one,) = covered(RANGES, (12, 17), tmp_path=tmp_path).sources[0].paragraphs

    assert [(a.by.name or a.by.sort, a.lines, a.whole) for a in one.by] == [
        ("setup", ((12, 13), (17, 17)), False),
        ("play", ((13, 15),), False),
        ("play", ((14, 14),), False),
        ("heading", ((16, 16),), False),
    ]
    (whole,) = covered(RANGES, (13, 14), tmp_path=tmp_path).sources[0].paragraphs
    assert [a.whole for a in whole.by] == [False, True, False]


def test_a_citation_of_lines_where_nothing_stands_is_astray(tmp_path: Path) -> None:
    ranges = [(10, 17), (30, 60)]
    assert covered(RANGES, *ranges, tmp_path=tmp_path).sources[0].astray == ()

    rb, faq = covered(RANGES, (10, 16), (31, 33), tmp_path=tmp_path).sources
    assert [(one.name, one.citation.alone) for one in rb.astray] == [
        ("setup", "@rb(11..13, 17)"),
        ("play", "@rb(13..15, 40)"),
    ]
    assert faq.astray == ()
    assert not rb.good


def test_a_source_without_an_index_is_not_good_but_its_citations_are_known(tmp_path: Path) -> None:
    coverage = covered(RANGES, (11, 17), (30, 32), (40, 40), tmp_path=tmp_path)
    rb, faq = coverage.sources

    assert rb.good
    assert (faq.indexed, faq.paragraphs, faq.good) == (None, (), False)
    assert [one.name for one in faq.cited] == ["setup"]
    assert not coverage.good


def test_an_index_of_another_length_is_not_good(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text(RANGES.replace("of 60 lines", "of 61 lines"))
    index = {"rb": Indexed(60, ()), "faq": Indexed(9, ())}

    assert not accounts.with_index(api.open_rulebook(tmp_path / "a.rules"), index).sources[0].good


def test_a_rulebook_with_errors_has_no_coverage(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text("game")

    with pytest.raises(api.RulesError):
        accounts.of(api.open_rulebook(tmp_path / "a.rules"))
    with pytest.raises(api.RulesError):
        accounts.of(api.open_rulebook(tmp_path / "nothing.rules"))


def test_so_many_citations_that_nobody_wrote_them_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "MOST", 5)

    with pytest.raises(TooMuch, match="more than 5 paragraphs are cited"):
        covered(RANGES, *((n, n) for n in range(11, 18)), tmp_path=tmp_path)
