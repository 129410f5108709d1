"""The page of a game's sources: each paragraph by its lines, what accounts for it, and none of its words."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from pathlib import Path

import pytest
from clicalls import write
from tiny import TINY

from rulespec.coverage import index
from rulespec.coverage.index import Indexed
from rulespec.coverage.paragraphs import lines_of, split
from rulespec.site.pages import coverage
from rulespec.site.subject import Subject

LEAFLET = """\
A leaflet
Leaflets say how many coins are given.
How it begins: coins are given out, a few to each of those who play, before
anybody is asked.
- Spend a coin.
- Most points win.
- All the others lose.
More coins may be given.
"""

ASIDES = """\
aside:
    heading @rb(7)
    outside "what <b>nobody</b> plays" @rb(9)
"""

EVIL = '<img src=x onerror=alert(1)> **\\"&amp;**'


def _subject(folder: Path, text: str, leaflet: str = LEAFLET) -> Subject:
    """With an index of the leaflet, "" for none."""
    book = write(folder / "tiny.rules", text)
    if leaflet:
        lines = lines_of(leaflet)
        index.write(index.path_of(book), {"rb": Indexed(len(lines), split(lines))})
    return Subject(str(book))


def _shown(subject: Subject) -> str:
    page = coverage.page(subject)
    assert page is not None
    assert (page.path, page.group) == ("tiny/coverage.md", "Tiny")
    return page.body + "".join(page.chunks)


def _rows(shown: str) -> dict[str, str]:
    """What is in each row of the tables, as text, by what stands at its head."""
    rows = re.findall(r'<tr role="row" id="[^"]*"><th[^>]*>(.*?)</th>(.*?)</tr>', shown)
    return {_words(head): _words(body) for head, body in rows}


def _words(html: str) -> str:
    return unescape(" ".join(re.sub(r"<[^>]*>", " ", html).split()))


def test_each_paragraph_is_told_with_what_accounts_for_it(tmp_path: Path) -> None:
    text = TINY.replace("@rb(4)", "@rb(3)").replace("@rb(3..5)", "@rb(3)").replace("of 9 lines", "of 8 lines")
    shown = _shown(_subject(tmp_path, text + 'aside outside "the <b>others</b>" @rb(7)\n'))

    assert "8 paragraphs in 8 lines" not in shown
    assert "7 paragraphs in 8 lines: 5 cited, 1 set aside, 1 in part." in shown
    assert _rows(shown) == {
        "✓ line 1 : cited heading": "Numbers: players",
        "✓ line 2 : cited": "Rules: Setting up Numbers: coins for each",
        "◐ lines 3 to 4 : in part": (
            "Not accounted for: line 4 Rules: opener (line 3) · A turn (line 3)"
            " Readings: Who begins? (line 3) · the second seat (line 3) · When is it over? (line 3)"
        ),
        "✓ line 5 : cited list item": "Rules: Spending Examples: A coin for a point",
        "✓ line 6 : cited list item": "Rules: Most points",
        "– line 7 : set aside list item": "Set aside, outside: the <b>others</b>",
        "✓ line 8 : cited": "Numbers: More coins",
    }
    assert 'Left: <a href="#rb-3">lines 3 to 4</a>' in shown


def test_no_word_of_the_source_is_there(tmp_path: Path) -> None:
    shown = _shown(_subject(tmp_path, TINY + ASIDES))

    assert not [word for word in ("Leaflets", "before", "anybody", "lose") if word in shown]


def test_what_accounts_for_it_is_linked(tmp_path: Path) -> None:
    shown = _shown(_subject(tmp_path, TINY))

    for link in (
        '<a href="site:tiny/#spend">Spending</a>',
        '<a href="site:tiny/readings/#reading-first">Who begins?</a>',
        '<a href="site:tiny/examples/#example-spending">A coin for a point</a>',
        '<a href="site:tiny/#share">coins for each</a>',
    ):
        assert link in shown


@pytest.mark.parametrize("leaflet", [LEAFLET, "A\n\n\n\nleaflet\n", ""])
def test_every_line_can_be_linked_to_once(tmp_path: Path, leaflet: str) -> None:
    ids = Counter(re.findall(r'id="([^"]*)"', _shown(_subject(tmp_path, TINY, leaflet))))

    assert ids == Counter(f"rb-{line}" for line in range(1, 10))


def test_of_a_long_source_only_what_is_cited_can_be_linked_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coverage, "EVERY_LINE", 5)
    ids = set(re.findall(r'id="rb-(\d+)"', _shown(_subject(tmp_path, TINY, ""))))

    assert ids == {"1", "2", "3", "4", "5", "6", "8"}


def test_paragraphs_with_one_aside_stand_together(tmp_path: Path) -> None:
    leaflet = "A\nB\nC\nD\nE\nF\nG\nH\nI\n"
    rows = _rows(_shown(_subject(tmp_path, TINY + "aside heading @rb(7, 9)\n", leaflet)))

    assert "– line 7 : set aside heading" in rows
    text = re.sub(r"@rb\([2-5.]*\)", "@rb(1)", TINY)
    rows = _rows(_shown(_subject(tmp_path, text + 'aside heading "letters" @rb(2..5, 7)\n', leaflet)))
    assert rows["– lines 2 to 5 : set aside 4 paragraphs"] == "Set aside, heading: letters"


def test_without_an_index_the_lines_that_are_cited_are_told(tmp_path: Path) -> None:
    shown = _shown(_subject(tmp_path, TINY + ASIDES, ""))

    assert "There is no index of it" in shown
    rows = _rows(shown)
    assert rows["✓ line 5 : cited"] == "Rules: Spending Examples: A coin for a point"
    assert rows["✓ lines 3 to 5 : cited"].startswith("Rules: opener · A turn Readings:")


def test_what_is_wrong_with_an_index_is_said(tmp_path: Path) -> None:
    shown = _shown(_subject(tmp_path, TINY))
    assert "The index is of a text of 8 lines, and has to be made anew." in shown

    subject = _subject(tmp_path, TINY)
    write(index.path_of(subject.path), "<<<<<<< mine")
    assert "The index of the sources cannot be used" in _shown(subject)
    assert "There is no index of it" in _shown(subject)


def test_citations_of_nothing_are_told(tmp_path: Path) -> None:
    shown = _shown(_subject(tmp_path, TINY, LEAFLET.replace("More coins may be given.", "---")))

    assert "<p>More coins cites @rb(8), where nothing stands.</p>" in shown


def test_a_game_without_sources_has_no_such_page(tmp_path: Path) -> None:
    text = re.sub(r" @rb\([^)]*\)", "", TINY.replace('source rb "A leaflet" of 9 lines\n', ""))

    assert coverage.page(_subject(tmp_path, text, "")) is None


def test_many_that_cite_one_place_are_folded(tmp_path: Path) -> None:
    readings = "".join(
        f'reading r{n} "Question {n}?" @rb(6):\n    a "yes" default\n' for n in range(coverage.SHOWN + 3)
    )
    shown = _shown(_subject(tmp_path, TINY + readings))

    assert "<details><summary>and 3 more</summary>" in shown
    assert all(f"Question {n}?" in shown for n in range(coverage.SHOWN + 3))


def test_no_title_can_be_taken_for_html_or_markdown(tmp_path: Path) -> None:
    text = TINY
    for title in ("A leaflet", "Spending", "Who begins?", "A coin for a point", "coins for each"):
        text = text.replace(f'"{title}"', f'"{title} {EVIL}"')
    text += f'aside outside "nobody {EVIL}" @rb(7)\n'
    for leaflet in (LEAFLET, ""):
        shown = _shown(_subject(tmp_path, text, leaflet))
        assert "<img" not in shown
        assert "&amp;amp;" in shown
        page = coverage.page(_subject(tmp_path, text, leaflet))
        assert page is not None
        assert "**" not in page.body


def test_search_finds_lines_by_their_numbers(tmp_path: Path) -> None:
    subject = _subject(tmp_path, TINY)
    page = coverage.page(subject)
    assert page is not None
    shown = page.body + "".join(page.chunks)

    assert [one.title for one in page.found][:2] == ["Line 1 of A leaflet", "Line 2 of A leaflet"]
    assert "rb(2)" in page.found[1].text
    assert all(f'id="{one.anchor}"' in shown for one in page.found)
