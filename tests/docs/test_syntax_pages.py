"""The pages of the grammar: all of it is shown and described, and each example is in order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from small_game import check_text, errors, framed

from rulespec.cli.main import app
from rulespec.compiler.surface.grammar import source
from rulespec.site import handbook
from rulespec.site.generated import grammar, syntax
from rulespec.site.generated.grammar import Either, Maybe, Name, Word

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
FILES = ("declarations", "statements", "expressions")


@dataclass(frozen=True)
class Entry:
    """A section of a page: the productions that it shows, what it says, and its example."""

    file: str
    heading: str
    shown: tuple[str, ...]
    prose: str
    example: str


def entries() -> list[Entry]:
    """All sections that show productions."""
    found = []
    for file in FILES:
        for section in re.split(r"^## ", (REFERENCE / f"{file}.md").read_text("utf-8"), flags=re.M)[1:]:
            marks = re.findall(r"^<!-- syntax: (.*) -->$", section, re.M)
            example = "\n".join(re.findall(r"^```rules\n(.*?)^```$", section, re.M | re.S))
            heading, _, rest = section.partition("\n")
            prose = re.sub(r"<!--.*?-->|```.*?```", "", rest, flags=re.S).strip()
            if marks:
                found.append(Entry(file, heading, tuple(" ".join(marks).split()), prose, example))
    return found


ENTRIES = entries()


def test_each_production_is_shown_once_and_no_other() -> None:
    shown = [name for entry in ENTRIES for name in entry.shown]

    assert sorted(shown) == sorted(syntax.to_describe())


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.heading)
def test_each_entry_says_what_it_means(entry: Entry) -> None:
    assert len(entry.prose.split()) >= 4
    assert entry.prose.endswith(".")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.heading)
def test_each_example_is_in_order(entry: Entry) -> None:
    rulebook, found = check_text(framed(entry.example), auction="rule nothing_to_sell:\n    nothing\n")

    assert errors(found) == ()
    assert rulebook is not None


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.heading)
def test_each_example_has_a_word_of_what_it_is_an_example_of(entry: Entry) -> None:
    words = {word for name in entry.shown for word in _words(grammar.productions()[name].alternatives)}

    assert not words or any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", entry.example) for word in words)


def _words(alternatives: grammar.Alternatives) -> set[str]:
    found: set[str] = set()
    for parts in alternatives:
        for part in parts:
            if isinstance(part, Word) and part.text.replace(" ", "").isalpha():
                found.add(part.text)
            elif isinstance(part, Maybe | Either):
                found |= _words(part.inner)
    return found


def test_the_grammar_is_read_as_it_is_written() -> None:
    found = grammar.productions()

    assert list(found)[:4] == ["bad", "title", "citation", "where"]
    assert len(found) + len(grammar.templates()) == len(
        re.findall(r"^[?!]*[a-z]\w*(\{\w+\})?:", source(), re.M)
    )
    assert found["drawn"].alternatives == (
        (Word("draw"), Word("from"), Name("arith"), Word("to"), Name("arith")),
    )
    assert found["title"].alternatives == ((Maybe(((Name("STRING"),),)),),)


def test_what_is_shown_links_each_name_to_its_place() -> None:
    pages = {page.path: page.body for page in handbook.pages(app)}
    declarations = pages["handbook/reference/declarations.md"]

    assert '<span id="syntax-grid">grid</span> = <b>grid</b> <i>NAME</i>' in declarations
    assert '<a href="site:handbook/reference/expressions/#syntax-type">type</a>' in declarations
    assert "NEWLINE" not in declarations
    assert "bad" not in re.findall(r"[a-z]+", re.sub(r"(?s)^.*?<pre", "", declarations))
    links = {
        found for body in pages.values() for found in re.findall(r'href="site:([^"#]*)#(syntax-\w+)"', body)
    }
    there = {
        (path.removesuffix(".md") + "/", found)
        for path, body in pages.items()
        for found in re.findall(r'id="(syntax-\w+)"', body)
    }
    assert links <= there
