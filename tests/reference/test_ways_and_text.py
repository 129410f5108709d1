"""What core says follows what, held against the text: the order of statements, told without core.

A way of a picture must be a way through the statements of the rule, past such only as the picture leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from rulespec import api, library
from rulespec.compiler.core import from_typed
from rulespec.compiler.core.tree import Chance, Choose, Core
from rulespec.compiler.spans import NOWHERE
from rulespec.compiler.typed import tree as t
from rulespec.reference.picture import GAME
from rulespec.reference.pictured import pictures
from rulespec.reference.sketch import sketch
from rulespec.reference.ways import RETURN, START, Flow, Stop
from rulespec.reference.wording import Wording

SMALL = Path(__file__).parents[1] / "games" / "small"
MODULES = {"trade.rules"}
BOOKS = [*library.games(), *library.proofs()]
BOOKS += [str(path) for path in sorted(SMALL.glob("*.rules*")) if path.name not in MODULES]


class Text:
    """The statements of a rule as stops, each with what can come next."""

    def __init__(self, rule: t.Rule, wording: Wording) -> None:
        self.wording = wording
        self.next: dict[Stop, set[Stop]] = {}
        self.next[START] = self.body(rule.body, {RETURN}, set())

    def body(self, body: tuple[t.Statement, ...], after: set[Stop], stop: set[Stop]) -> set[Stop]:
        """Where the statements begin; `after` is where they end, `stop` where `stop` leads."""
        for s in reversed(body):
            after = self.statement(s, after, stop)
        return after

    def statement(self, s: t.Statement, after: set[Stop], stop: set[Stop]) -> set[Stop]:
        match s:
            case t.Return():
                return {RETURN}
            case t.Stop():
                return stop
            case t.If():
                here = Stop("test", s.condition.span)
                return self.at(here, self.body(s.then, after, stop) | self.body(s.other, after, stop))
            case t.For() | t.While():
                here = Stop("loop", s.span)
                endless = isinstance(s, t.While) and s.condition is None
                return self.at(here, self.body(s.body, {here}, after) | (set() if endless else after))
            case t.Choose() | t.AtOnce():
                here = Stop("choose" if isinstance(s, t.Choose) else "together", s.span)
                for option in s.options:
                    self.at(Stop("option", s.span, option.name), self.body(option.body, after, stop))
                return self.at(here, {Stop("option", s.span, option.name) for option in s.options} | after)
            case t.CallRule():
                base = next(r.base for r in self.wording.rulebook.rules if r.name == s.rule)
                return self.at(Stop("call", s.span, base), after)
            case t.Draw() | t.Random():
                return self.at(Stop("chance", s.span), after)
        return self.at(Stop("step", s.span), after)

    def at(self, here: Stop, after: set[Stop]) -> set[Stop]:
        self.next.setdefault(here, set()).update(after)
        return {here}

    def leads(self, source: Stop, target: Stop, seen: Iterable[Stop]) -> bool:
        """Whether the text leads there without coming by another of those that are seen."""
        others = set(seen) - {target}
        waiting, known = list(self.next.get(source, ())), set()
        while waiting:
            stop = waiting.pop()
            if stop == target:
                return True
            if stop not in known and stop not in others:
                known.add(stop)
                waiting += self.next.get(stop, ())
        return False


def _as_seen(text: Text, wording: Wording) -> None:
    """Steps at the places where pictures tell them."""
    told = {stop: wording.happens(stop.span) for stop in text.next if stop.kind == "step"}
    for stop, span in told.items():
        if span not in (NOWHERE, stop.span):
            whole = Stop("step", span)
            text.next.setdefault(whole, set()).update(text.next[stop])
            text.next[stop].add(whole)
            for follows in text.next.values():
                if stop in follows:
                    follows.add(whole)


@cache
def _read(name: str) -> tuple[Core, Wording]:
    """A rulebook for as many players as it is for."""
    book = api.Book(name)
    assert book.checked is not None
    rulebook = book.checked.rulebook
    assert rulebook is not None
    core, _ = from_typed.compile(rulebook, from_typed.configurations(rulebook)[-1])
    assert core is not None
    return core, Wording(rulebook, book.sources)


@pytest.mark.parametrize("name", BOOKS)
def test_every_way_of_a_picture_is_a_way_through_the_text(name: str) -> None:
    core, wording = _read(name)
    flow = Flow(core, wording.happens)
    looked_at = 0
    for rule in flow.rules:
        made = sketch(flow.ways(rule), wording)
        texts = [Text(r, wording) for r in wording.rulebook.rules if r.base == rule]
        for text in texts:
            _as_seen(text, wording)
        for source in made.stops:
            for _, target in made.follows.get(source, {}):
                looked_at += 1
                assert any(text.leads(source, target, made.stops) for text in texts), (rule, source, target)
    assert looked_at >= len(flow.rules)


@pytest.mark.parametrize("name", BOOKS)
def test_every_choice_and_chance_of_core_is_in_the_picture_of_its_rule(name: str) -> None:
    core, wording = _read(name)
    made = pictures(core, wording)
    flow = Flow(core, wording.happens)
    asked = 0
    for block in core.blocks:
        rule, span = block.origin.rule, block.origin.span
        match block.end:
            case Choose(_, options, secret):
                picture, _ = made[rule]
                assert picture is not None
                offered = {option.name for box in picture.boxes for option in box.options}
                assert {option.name for option in options} <= offered
                assert any(box.span == span and box.together == secret for box in picture.boxes)
                asked += 1
            case Chance():
                assert Stop("chance", span) in sketch(flow.ways(rule), wording).stops
    assert (asked > 0) == any(rule != GAME for rule in made)
