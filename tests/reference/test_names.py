"""What names mean: every name of every rulebook leads to its definition, or is a word of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache

import pytest

from rulespec import api, library
from rulespec.compiler.front import Checked, Text, check
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed.asides import KINDS
from rulespec.compiler.typed.scope import BUILT_IN_FUNCTIONS, BUILT_IN_TYPES, RESERVED
from rulespec.reference.names import Definition, Names, names

# Names that the language gives, so that no line of a rulebook defines them.
GIVEN = RESERVED | {*BUILT_IN_FUNCTIONS, *BUILT_IN_TYPES, "points", "result", "decline", *KINDS}


@cache
def known(game: str) -> tuple[Checked, Names]:
    checked = api.open_rulebook(game).checked
    assert checked is not None
    return checked, names(checked)


def every_name(node: object) -> Iterator[s.Name]:
    if isinstance(node, s.Name):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from every_name(part)
    elif is_dataclass(node):
        for field in fields(node):
            yield from every_name(getattr(node, field.name))


@pytest.mark.parametrize("game", [*api.games(), *library.proofs()])
def test_every_name_leads_to_its_definition(game: str) -> None:
    checked, found = known(game)
    seen = 0
    for document in checked.documents:
        for name in every_name(document.declarations):
            if name.span.end_column - name.span.column != len(name.text):
                continue  # the parser made it up, for `random player`
            seen += 1
            meaning = found.meaning(name.span)
            if meaning is None:
                assert name.text in GIVEN or re.fullmatch(r"p\d", name.text), name
            else:
                assert name.text == meaning.name or _is_of_grid(name, meaning), (name, meaning)
    assert seen > 40


def _is_of_grid(name: s.Name, meaning: Definition) -> bool:
    """A grid defines the names of its squares and their two numbers, all where its own name stands."""
    return meaning.sort == "grid" and re.fullmatch(r"column|row|[a-z]+\d+", name.text) is not None


def meaning_of(game: str, line: str, name: str) -> Definition:
    """What the first word `name` in the first line with `line` means."""
    checked, found = known(game)
    (text,) = [t for f, t in api.open_rulebook(game).sources.items() if f == checked.documents[0].file]
    number, written = next((n, each) for n, each in enumerate(text.split("\n"), 1) if line in each)
    column = re.search(rf"\b{name}\b", written)
    assert column is not None
    spans = [span for span in (*found.uses, *found.definitions) if span.file == checked.documents[0].file]
    (span,) = {each for each in spans if (each.line, each.column) == (number, column.start() + 1)}
    meant = found.meaning(span)
    assert meant is not None
    return meant


@pytest.mark.parametrize(
    ("line", "name", "sort", "of"),
    [
        ("let (winner, price) = ascending_auction", "ascending_auction", "rule", ""),
        ("pay price from p.purse to bank", "price", "let", "sell"),
        ("pay price from p.purse to bank", "purse", "state variable", "each player"),
        ("pay price from p.purse to bank", "bank", "state variable", "ducat"),
        ("move all c from reserve to p.hand", "c", "parameter", "sell"),
        ("if reading short_final is paid", "short_final", "reading", ""),
        ("if reading short_final is paid", "paid", "meaning", "short_final"),
        ("drawn = 5", "drawn", "param", ""),
        ("        p0 put_aside", "put_aside", "option", "new_cards"),
        ("        p0 build milan", "milan", "row", "City"),
        ("only the names are known", "borders", "column", "City"),
    ],
)
def test_what_names_of_il_principe_mean(line: str, name: str, sort: str, of: str) -> None:
    meaning = meaning_of("il_principe", line, name)
    assert (meaning.sort, meaning.name, meaning.of) == (sort, name, of)


def test_a_name_of_two_enums_means_the_one_that_is_expected() -> None:
    text = (
        'game g "G"\nplayers 2\nenum Color: red, blue\nenum Mood: calm, red\nstate:\n'
        "    mood: Mood\n    per player:\n        points: points in 0..9\n"
        "rule setup:\n    mood := red\nrule play:\n    mood := Mood.red\nranking for p: p.points\n"
    )
    checked = check(Text("g.rules", text), lambda _: pytest.fail("it uses nothing"))
    assert checked.rulebook is not None
    found = names(checked)
    for line, column in ((10, 13), (12, 18)):
        (meaning,) = [
            found.meaning(span) for span in found.uses if (span.line, span.column) == (line, column)
        ]
        assert meaning is not None
        assert (meaning.name, meaning.of, meaning.span.line) == ("red", "Mood", 4)
