"""The pages of the grammar: all of it is shown and described, and each example is in order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from small_game import check_text, errors, framed

from rulespec.cli.main import app
from rulespec.compiler.surface.grammar import Rule, source
from rulespec.compiler.surface.parser import Parser
from rulespec.site import handbook
from rulespec.site.generated import grammar, syntax
from rulespec.site.generated.grammar import Maybe, Name, Word

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
def test_each_example_shows_all_that_it_is_an_example_of(
    entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: set[str] = set()
    reduce = Parser._reduce

    def noting(parser: Parser, rule: Rule, ahead: str) -> None:
        found.update((rule.origin, rule.action))
        reduce(parser, rule, ahead)

    monkeypatch.setattr(Parser, "_reduce", noting)
    check_text(entry.example)

    assert {name for name in entry.shown if not _only_names(name)} - found == set()


def _only_names(name: str) -> bool:
    """Whether it is another name for one of several, of which the parser takes no notice."""
    return all(
        len(parts) == 1 and isinstance(parts[0], Name)
        for parts in ([part for part in each if part != Name("NEWLINE")] for each in _alternatives(name))
    )


def _alternatives(name: str) -> grammar.Alternatives:
    return grammar.productions()[name].alternatives


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
