"""A whole play as text, a paragraph for each step: who did what by which rule, and what came of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from rulespec.engine.interpreter.stepper import initial
from rulespec.engine.observation import slots
from rulespec.engine.record import Entry, PlayRecord, Rule
from rulespec.engine.state import Happened, Played
from rulespec.play.changes import Changes
from rulespec.play.events import seat_names
from rulespec.play.working import Workings

WIDTH = 100
_INDENT = " " * 6


def chronicle(record: PlayRecord, unusual: dict[str, str]) -> Iterator[str]:
    """The lines, for a reader who may see everything. `unusual` are the readings that are not the default."""
    core, configuration = record.core, record.core.configuration
    yield f"{core.title}, {configuration.players} players, seed {record.seed}"
    if configuration.variants:
        yield f"variants: {', '.join(configuration.variants)}"
    if unusual:
        yield "readings: " + ", ".join(f"{name} is {meaning}" for name, meaning in unusual.items())
    yield ""
    names, changes, workings = seat_names(core), Changes(core), Workings(core)
    for entry in record.entries:
        yield f"{entry.number:4}  {_told(entry, names)}{_rule(entry, workings)}"
        if others := _others(entry):
            yield from _paragraph(f"then {'; '.join(map(str, others))}")
        before = initial(core) if entry.step is None else entry.before
        if changed := changes.told(before, entry.after):
            yield from _paragraph(changed)


def _rule(entry: Entry, workings: Workings) -> str:
    """What the step rests on: the rule, and where that cites nothing the rules that called it."""
    if entry.rule is None:
        return ""
    if entry.rule.citation:
        return f"  [{entry.rule}]"
    return f"  [{workings.where(entry.before, slots(workings.core, entry.before, None, everything=True))}]"


def callers(entry: Entry, workings: Workings) -> list[dict[str, str]]:
    """The rules that called the one that a step rests on, as values for JSON, the nearest first."""
    if entry.step is None:
        return []
    seen = slots(workings.core, entry.before, None, everything=True)
    return [
        {"title": rule.title, "citation": str(rule.citation or "")}
        for rule in workings.where(entry.before, seen).rules[1:]
    ]


def _told(entry: Entry, names: tuple[str, ...]) -> str:
    match entry.step:
        case Played(actor, move):
            return f"{names[actor]} {move.phrase}"
        case Happened(outcome):
            return f"chance: {outcome.label}"
        case None:
            return "the game begins"


def _others(entry: Entry) -> list[Rule]:
    """The rules that a step led to, each once."""
    return [rule for rule in dict.fromkeys(entry.entered) if rule != entry.rule]


def _paragraph(text: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=_INDENT, subsequent_indent=f"{_INDENT}  ", break_long_words=False
    )
