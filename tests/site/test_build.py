"""A whole site: what is in it, that its links hold, that no rulebook can write HTML, and that it appears
whole.
"""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from small_site import HARM, book, write

from rulespec.site import build, folder, links, rendering
from rulespec.site.links import Broken
from rulespec.site.subject import Subject
from rulespec.whole_file import Unwritable

BAD_PROSE = f"""
{HARM}

<div onclick="alert(1)" markdown="1">raw</div> {{: onclick=alert(1) }}

[click](javascript:alert(1)) [click](JaVaScRiPt:alert(1)) [data](data:text/html,x) [file](../../etc/passwd)
[inside](site:small/) ![image](https://elsewhere.example/x.png) [out](https://elsewhere.example/)

--8<-- "/etc/passwd"

| a | <script>alert(2)</script> |
|---|---|
| `<script>alert(3)</script>` | b |

## <script>alert(4)</script> {{: onclick=alert(1) }}

```html
<script>alert(5)</script>
```
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a small game, and of one whose texts mean harm."""
    place = tmp_path_factory.mktemp("site")
    good = write(place, book())
    bad = write(place, book("harm", HARM, BAD_PROSE), "harm")
    build.build([Subject(str(good)), Subject(str(bad))], place / "out", title=HARM)
    return place / "out"


class Elements(HTMLParser):
    """The elements of a page with their attributes, and its text outside of scripts and styles."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self._inside = ""
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts.append(data)
        elif self._inside != "style":
            self.text += data


def test_nothing_that_a_rulebook_says_is_html_or_script(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 15
    for page in pages:
        read = Elements(page)
        assert not any("alert(" in script for script in read.scripts), page
        for tag, attributes in read.elements:
            assert not any(name.startswith("on") for name in attributes), (page, tag, attributes)
            for name in ("href", "src", "action", "data"):
                value = (attributes.get(name) or "").strip().lower()
                assert not value.startswith(("javascript:", "vbscript:", "file:")), (page, tag, attributes)
            assert tag != "img" or "elsewhere" not in str(attributes.get("src")), page
        assert "root:" not in read.text


def test_what_a_rulebook_says_is_shown_as_it_is(site: Path) -> None:
    text = Elements(site / "harm" / "index.html").text
    assert "<script>alert(1)</script>" in text
    assert "{{ 7 * 7 }}" in text
    assert "--8<--" in text
    assert "<script>alert(5)</script>" in text


def test_a_link_to_elsewhere_is_followed_only_by_a_reader(site: Path) -> None:
    links_out = [
        attributes
        for tag, attributes in Elements(site / "harm" / "index.html").elements
        if "elsewhere" in str(attributes.get("href"))
    ]
    assert [attributes["rel"] for attributes in links_out] == ["nofollow noopener noreferrer"]


def test_links_hold(site: Path) -> None:
    assert links.check(site) == []


def test_nothing_is_asked_of_another_host(site: Path) -> None:
    for page in site.rglob("*.html"):
        for tag, attributes in Elements(page).elements:
            if tag != "a":
                address = str(attributes.get("href") or attributes.get("src") or "")
                assert not re.match(r"(https?:)?//", address), (page, tag, address)


def test_a_heading_yields_to_a_declaration(site: Path) -> None:
    read = Elements(site / "small" / "index.html")
    ids = [(tag, attributes["id"]) for tag, attributes in read.elements if attributes.get("id")]
    assert ("a", "setup") in ids
    assert ("h2", "setup-2") in ids
    assert ("a", "#setup-2") in [(tag, attributes.get("href")) for tag, attributes in read.elements]


def test_where_a_name_is_defined_it_has_its_anchor(site: Path) -> None:
    read = Elements(site / "small" / "index.html")
    defined = {
        str(attributes["id"]): (tag, attributes) for tag, attributes in read.elements if "id" in attributes
    }
    tag, rule = defined["random_seat"]
    assert (tag, rule["href"]) == ("a", "#random_seat")
    tag, reading = defined["reading-first"]
    assert (tag, reading["href"]) == ("a", "readings/#reading-first")
    for anchor in (
        "Side",
        "Side.heads",
        "Coin",
        "most",
        "held",
        "play.take",
        "property-few",
        "example-take_one",
    ):
        assert defined[anchor][0] == "span"


def test_terms_are_marked_once_in_a_section(site: Path) -> None:
    read = Elements(site / "small" / "index.html")
    marked = [attributes["href"] for tag, attributes in read.elements if attributes.get("class") == "rs-term"]
    assert marked == ["#Coin", "#Coin"]


def test_search_finds_rules_and_terms_at_their_place(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    places = {entry["location"]: entry["title"] for entry in index["docs"]}
    assert places["small/#setup"] == "Setting up"
    assert places["small/#Coin"] == "silver coin"
    assert places["small/#setup-2"] == "Setup"
    assert not any("<script" in entry["title"] + entry["text"] for entry in index["docs"])
    assert len(places) == len(index["docs"])


def test_definitions_are_kept_in_one_file(site: Path) -> None:
    told = json.loads((site / "small" / "names.json").read_text(encoding="utf-8"))
    title, lines = told["#random_seat"]
    assert title == "Who begins"
    assert lines.splitlines()[0] == 'rule random_seat() -> Player "Who begins":'
    assert lines.splitlines()[-1] == "    return p"


# --- links --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ('<a href="gone/">x</a>', "`gone/` leads nowhere"),
        ('<a href="#gone">x</a>', "`#gone` leads to a page that has no `#gone`"),
        ('<p id="a"></p><p id="a"></p>', "the id `a` stands twice"),
        ('<script src="https://elsewhere.example/x.js"></script>', "`https://elsewhere.example/x.js` is not"),
        ('<link href="//elsewhere.example/x.css">', "`//elsewhere.example/x.css` is not of this site"),
        ('<a href="javascript:x()">x</a>', "`javascript:x()` is not of this site"),
        ('<a href="/x">x</a>', "`/x` begins at the root"),
    ],
)
def test_broken_links_are_found(tmp_path: Path, page: str, reason: str) -> None:
    (tmp_path / "index.html").write_text(page)
    (found,) = links.check(tmp_path)
    assert found.page == "index.html"
    assert found.reason.startswith(reason)


def test_good_links_are_not_reported(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "index.html").write_text('<p id="x">a &lt;a href="gone"&gt;</p><a href="../">up</a>')
    text = """<a href="a/#x" title="src=gone" data-x='href="gone"'>x</a> <a href="https://example.org">out</a>
        <script>"<a href=gone>"</script> <!-- <a href=gone> -->"""
    (tmp_path / "index.html").write_text(text)
    assert links.check(tmp_path) == []


def test_where_a_site_will_be_published_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<link rel="canonical" href="https://me.example/games/">')
    (tmp_path / "404.html").write_text('<a href="/games/">home</a>')
    assert links.check(tmp_path, "https://me.example/games/") == []
    assert [each.page for each in links.check(tmp_path)] == ["404.html", "index.html"]
    (tmp_path / "404.html").write_text('<a href="/other/">x</a><a href="https://me.example/games/gone">x</a>')
    assert len(links.check(tmp_path, "https://me.example/games/")) == 2


def test_a_site_with_an_address_has_good_links(tmp_path: Path) -> None:
    subject = Subject(str(write(tmp_path, book())))
    build.build([subject], tmp_path / "out", url="https://me.example/games")
    assert 'href="/games/small/"' in (tmp_path / "out" / "404.html").read_text(encoding="utf-8")


def test_a_broken_link_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subject = Subject(str(write(tmp_path, book())))
    build.build([subject], tmp_path / "out")
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(links, "check", lambda *_: [Broken("index.html", "`gone` leads nowhere")])
    with pytest.raises(build.BrokenLinks, match="gone"):
        build.build([subject], tmp_path / "out")
    assert (tmp_path / "out" / "index.html").is_file()
    assert sorted(tmp_path.iterdir()) == before


# --- the folder ---------------------------------------------------------------------------------------------


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(Unwritable, match="has not made"), folder.replacing(tmp_path / "mine"):
        pytest.fail("it was not looked at")
    assert [each.name for each in (tmp_path / "mine").iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("place", ["no/such/site", "file"])
def test_where_no_site_can_be(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unwritable, match="cannot be written"), folder.replacing(tmp_path / place):
        pytest.fail("it was not looked at")


def test_an_interruption_changes_nothing(tmp_path: Path) -> None:
    with folder.replacing(tmp_path / "site") as making:
        (making / "index.html").write_text("first")

    def interrupted() -> None:
        with folder.replacing(tmp_path / "site") as making:
            (making / "index.html").write_text("second")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert (tmp_path / "site" / "index.html").read_text() == "first"
    assert [each.name for each in tmp_path.iterdir()] == ["site"]


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(Unwritable, match="no space left on device"),
        folder.replacing(tmp_path / "site"),
    ):
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_what_is_replaced_is_gone(tmp_path: Path) -> None:
    for name in ("first", "second"):
        with folder.replacing(tmp_path / "site") as making:
            (making / name).write_text("")
    assert sorted(each.name for each in (tmp_path / "site").iterdir()) == [folder.MARK, "second"]


def test_two_games_of_one_name_are_refused(tmp_path: Path) -> None:
    subject = Subject(str(write(tmp_path, book())))
    with pytest.raises(build.SameName, match="small"):
        build.build([subject, subject], tmp_path / "out")


def test_what_is_not_installed_is_told_before_all_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "material", None)
    with pytest.raises(rendering.Missing, match=r"`material` is not installed; .*rulespec\[site\]"):
        build.build([], tmp_path / "out")
