"""Pictures of the turn structure as they are drawn: no overlaps, links that lead somewhere, text as text."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from time import process_time
from xml.etree import ElementTree

import pytest

from rulespec import api
from rulespec.reference.picture import Box, Link, Picture
from rulespec.reference.structure import GAME, structure
from rulespec.site import layered
from rulespec.site.draw import Links, listed, svg
from rulespec.site.layered import Arrow, Layout, Placed, Point, layout
from rulespec.site.letters import width, wrapped
from rulespec.site.pages import structure as pages
from rulespec.site.subject import Subject

SMALL = Path(__file__).parents[1] / "games" / "small"
BOOKS = ["leduc_poker", "kuhn_poker", str(SMALL / "fair.rules"), str(SMALL / "ledger.rules.md")]
SVG = "{http://www.w3.org/2000/svg}"


@cache
def _il_principe() -> Subject:
    return Subject("il_principe")


@cache
def _pictures(book: str) -> tuple[Picture, ...]:
    shown = structure(api.Book(book)).shown.values()
    return tuple(each.picture for several in shown for each in several if each.picture is not None)


@cache
def _laid_out(picture: Picture) -> tuple[Layout, list[Arrow]]:
    """With boxes of sizes of their own, so that rows are uneven."""
    sizes = [(90.0 + 37 * (n % 5), 30.0 + 17 * (n % 3)) for n in range(len(picture.boxes))]
    arrows = [Arrow(k.source, k.target, k.back, (30.0, 16.0) if k.label else None) for k in picture.links]
    return layout(sizes, arrows), arrows


def _apart(a: Placed, b: Placed) -> bool:
    return a.right <= b.left or b.right <= a.left or a.bottom <= b.top or b.bottom <= a.top


def _along(points: tuple[Point, ...], back: bool) -> Iterator[Point]:
    """Places on an arrow, bends as they are drawn."""
    for n, ((x0, y0), (x1, y1)) in enumerate(pairwise(points)):
        for step in range(1, 20):
            t = step / 20
            bent = not back and n % 2 == 1
            across = t * t * (3 - 2 * t) if bent else t
            down = 1.5 * t * (1 - t) + t**3 if bent else t
            yield x0 + (x1 - x0) * across, y0 + (y1 - y0) * down


def _inside(point: Point, box: Placed) -> bool:
    x, y = point
    return box.left + 1 < x < box.right - 1 and box.top + 1 < y < box.bottom - 1


@pytest.mark.parametrize("book", BOOKS)
def test_boxes_and_labels_do_not_overlap_and_no_arrow_runs_across_them(book: str) -> None:
    assert _pictures(book)
    for picture in _pictures(book):
        found, arrows = _laid_out(picture)
        labels = [route.label for route in found.routes if route.label is not None and not route.back]
        solid = [*found.boxes, *labels]
        for n, one in enumerate(solid):
            assert all(_apart(one, other) for other in solid[:n]), picture.title
        for arrow, route in zip(arrows, found.routes, strict=True):
            others = [box for n, box in enumerate(found.boxes) if n not in (arrow.source, arrow.target)]
            others += [label for label in labels if label is not route.label]
            for point in _along(route.points, route.back):
                assert not any(_inside(point, box) for box in others), (picture.title, arrow)


@pytest.mark.parametrize("book", BOOKS)
def test_arrows_begin_and_end_at_their_boxes(book: str) -> None:
    for picture in _pictures(book):
        found, arrows = _laid_out(picture)
        for arrow, route in zip(arrows, found.routes, strict=True):
            for number, (x, y) in ((arrow.source, route.points[0]), (arrow.target, route.points[-1])):
                box = found.boxes[number]
                assert box.left - 0.01 <= x <= box.right + 0.01
                assert box.top - 0.01 <= y <= box.bottom + 0.01
                assert not _inside((x, y), box)
            assert arrow.back == route.back
            assert route.back or route.points[-1][1] > route.points[0][1]


def test_the_end_lies_below_all_else() -> None:
    for picture in _pictures("leduc_poker"):
        found, _ = _laid_out(picture)
        assert picture.boxes[-1].kind == "end"
        assert all(box.bottom < found.boxes[-1].top for box in found.boxes[:-1])


@pytest.mark.parametrize("book", BOOKS)
def test_a_picture_is_well_formed_and_says_all_that_the_list_says(book: str) -> None:
    for picture in _pictures(book):
        drawn = ElementTree.fromstring(svg(picture, {}, "x"))
        told = "".join(ElementTree.fromstring(listed(picture, {})).itertext())
        words = {word.strip(",") for part in drawn.iter(f"{SVG}text") for word in (part.text or "").split()}
        for box in picture.boxes:
            for word in (*box.text.split(), *box.who.split(), *(w for d in box.detail for w in d.split())):
                assert word.strip(",").lower() in {w.lower() for w in words}, word
                assert word.lower() in told.lower()
        assert len(drawn.findall(f"{SVG}g")) == len(picture.boxes) + 1


def test_the_links_of_the_page_lead_to_rules_and_pictures_that_are_there() -> None:
    subject = _il_principe()
    made = pages.page(subject)
    assert made is not None
    links = set(re.findall(r'href="([^"]*)"', made.body))
    rules = {rule.base: rule for rule in subject.rulebook.rules}
    anchors = set(re.findall(r"\{#([\w-]+)\}", made.body))
    assert {"picture-play", "picture-sell", "picture-ascending_auction"} <= anchors
    assert "picture-score_regions" not in anchors
    for link in links:
        path, _, anchor = link.removeprefix("site:").partition("#")
        match path:
            case "il_principe/structure/":
                assert anchor in anchors
            case "il_principe/":
                assert rules[anchor].span.file == subject.main_file
            case _:
                assert path == f"il_principe/uses/{Path(rules[anchor].span.file).stem}/"
    assert {"site:il_principe/#sell", "site:il_principe/uses/auction/#ascending_auction"} <= links


def test_what_is_drawn_for_one_rule_is_what_the_page_has() -> None:
    subject = Subject("leduc_poker")
    made = pages.page(subject)
    assert made is not None
    assert pages.of_rule(subject, "bet") in made.body
    assert pages.of_rule(subject, "share") == ""
    assert (pages.has_picture(subject, "bet"), pages.has_picture(subject, "share")) == (True, False)


def test_a_game_for_several_numbers_of_players_says_which_the_picture_shows() -> None:
    body = pages.of_rule(_il_principe(), GAME)
    assert "With 3 to 5 players." in body
    assert "<summary>Otherwise with 2 players</summary>" in body


HOSTILE = '<script>alert("1")</script> & {#x} [a](site:b) **c** </text></svg>'


def test_text_of_a_rulebook_stays_text() -> None:
    box = Box("call", HOSTILE, (HOSTILE,), rule="r")
    boxes = (Box("start", HOSTILE), box, Box("choice", "", who=HOSTILE), Box("end", HOSTILE))
    picture = Picture("r", HOSTILE, boxes, tuple(Link(n, n + 1, HOSTILE) for n in range(3)))
    links = {"r": Links('x"y', "z'<")}
    for made in (svg(picture, links, "x"), listed(picture, links)):
        assert "<script" not in made
        assert "</text></svg>" not in made[:-6]
        tree = ElementTree.fromstring(made)
        assert "<script>" in "".join(tree.itertext())


def test_a_hostile_title_does_not_leave_its_place_on_the_page(tmp_path: Path) -> None:
    title = HOSTILE.replace('"', "'")
    text = (SMALL / "cups.rules").read_text(encoding="utf-8")
    for old in ("Going somewhere", "Cups and squares", "goes {w}"):
        assert old in text
        text = text.replace(old, title if "{" not in old else f"goes {{w}} {title.replace('{#x}', '')}")
    path = tmp_path / "cups.rules"
    path.write_text(text, encoding="utf-8")
    made = pages.page(Subject(str(path)))
    assert made is not None
    markdown = pytest.importorskip("markdown")
    html = markdown.markdown(made.body, extensions=["attr_list", "md_in_html", "toc"])
    assert "<script" not in html
    assert 'id="x"' not in html
    assert "<strong>c</strong>" not in html
    assert html.count("</svg>") == html.count("<svg")


def test_the_same_picture_is_drawn_the_same_in_every_process() -> None:
    code = (
        "from rulespec import api; from rulespec.reference.structure import structure;"
        "from rulespec.site.draw import svg;"
        f"shown = structure(api.Book({BOOKS[3]!r})).shown.values();"
        "print(*(svg(each.picture, {}, 'x') for several in shown for each in several))"
    )
    here = " ".join(svg(picture, {}, "x") for picture in _pictures(BOOKS[3]))
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    run = [sys.executable, "-c", code]
    there = subprocess.run(run, env=env, check=True, capture_output=True, text=True).stdout
    assert there.strip() == here


def test_text_is_not_wider_than_it_is_measured_and_is_wrapped_to_fit() -> None:
    assert width("W" * 10, 14) > width("i" * 10, 14) > 0
    assert width("bids", 14, bold=True) > width("bids", 14)
    for line in wrapped("a long word: " + "x" * 400 + " and 日本語 " * 9, 120, 14):
        assert width(line, 14) <= 120
    assert "".join(wrapped("x" * 400, 120, 14)) == "x" * 400


def test_a_picture_of_the_largest_size_is_drawn_in_little_time() -> None:
    count = 150
    boxes = tuple(Box("test", f"condition {n}") for n in range(count))
    links = [Link(n, n + 1, "no") for n in range(count - 1)]
    links += [Link(n, min(count - 1, n + 2 + n % 9), "yes") for n in range(0, count - 2, 2)]
    links += [Link(n, n - n % 13, "no", back=True) for n in range(20, count, 7)]
    before = process_time()
    drawn = svg(Picture("r", "Large", boxes, tuple(links)), {}, "x")
    assert process_time() - before < 10
    assert drawn.count('class="box test"') == count


def test_the_layout_wants_its_extra() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "fast_sugiyama", None)
        with pytest.raises(ImportError):
            layout([(10, 10), (10, 10)], [Arrow(0, 1)])
    assert layered.layout([(10, 10)], []).boxes[0].width == 10
