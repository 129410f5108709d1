"""What `rulespec bounds` looks at: expressions that were given, or else what every game has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rulespec.compiler.asked import Asked, resolve_asked, said
from rulespec.compiler.core import from_typed
from rulespec.compiler.core.tree import Core, Expr, Fold, Quantity, Read, Slot, Var
from rulespec.compiler.typed.properties import measured
from rulespec.proofs.example import condition_text
from rulespec.proofs.extremes import Target, lengths

if TYPE_CHECKING:
    from rulespec import api
    from rulespec.compiler.core.tree import Configuration
    from rulespec.compiler.diagnostics import Diagnostic
    from rulespec.compiler.typed.properties import Measured
    from rulespec.compiler.typed.tree import Rulebook

COUNTERS = 8  # of the game's numbers that stand for themselves
SEATS = "p in players"


@dataclass(frozen=True)
class Plan:
    """What is to be looked at; no `core` where the rulebook or an expression has errors."""

    core: Core | None
    targets: tuple[Target, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]


def plan(book: api.Book, configuration: Configuration, expressions: Sequence[str]) -> Plan:
    """Compile the game with the expressions, or with what there is to ask of every game if there are none."""
    checked = book.checked
    if checked is None or checked.rulebook is None:
        return Plan(None, (), book.diagnostics, book.sources)
    asked = [Asked(f"expression {number}", text) for number, text in enumerate(expressions, 1)]
    sources = {**book.sources, **{one.file: one.text for one in asked}}
    found: tuple[Diagnostic, ...] = checked.diagnostics
    rulebook: Rulebook = checked.rulebook
    wanted: list[Measured] = [measured(p) for p in rulebook.properties if p.kind == "bound" and not asked]
    if asked:
        resolved, more = resolve_asked(checked.documents, asked)
        found += more
        if resolved is None:
            return Plan(None, (), found, sources)
        rulebook, meant = resolved
        wanted = list(meant)
    made, more = from_typed.compile_measured(rulebook, configuration, wanted)
    found += more
    if made is None:
        return Plan(None, (), found, sources)
    core, quantities = made
    if asked:
        # What they were resolved with is named after them, and no property of the game.
        names = {q.name for q in quantities}
        core = replace(core, properties=tuple(p for p in core.properties if p.name not in names))
        targets = tuple(_asked(one, q) for one, q in zip(asked, quantities, strict=True))
    else:
        targets = tuple(_usual(core, quantities, book.sources))
    return Plan(core, targets, found, sources)


def _asked(one: Asked, quantity: Quantity) -> Target:
    body, generators = said(one)
    named = replace(quantity, name=one.text, title="", stated=(None, None))
    return Target(named, "asked", at_end=False, said=(generators, body))


def _usual(core: Core, bounds: Sequence[Quantity], sources: Mapping[str, str]) -> Iterator[Target]:
    """The score, what bounds are about, purses, counters, and how long a game takes."""
    if core.ranking:
        yield Target(_score(core), "score", at_end=True, said=_said_of_score(core))
    known: set[Expr] = set()
    for quantity in bounds:
        known.add(quantity.most)
        yield Target(quantity, "bound", at_end=False, said=_said_of_bound(core, quantity, sources))
    counters = 0
    for slot in core.slots:
        kind = _kind(slot)
        quantity = _of_slot(core, slot)
        counters += kind == "counter"
        if kind and quantity.most not in known and (kind == "money" or counters <= COUNTERS):
            text = (SEATS, f"p.{slot.name}") if slot.dims else ("", slot.name)
            yield Target(quantity, kind, at_end=False, said=text)
    yield from lengths()


def _kind(slot: Slot) -> str:
    """Whether a slot is a purse or a counter."""
    if slot.role != "state":
        return ""
    if slot.keeps and slot.domain.name == slot.keeps and [d.name for d in slot.dims] == ["Player"]:
        return "money"
    counts = not slot.dims and not slot.domain.names and not slot.keeps and slot.high - slot.low > 1
    return "counter" if counts else ""


def _of_slot(core: Core, slot: Slot) -> Quantity:
    if not slot.dims:
        return Quantity(slot.name, slot.title, Read(slot.name), Read(slot.name), origin=slot.origin)
    return replace(_of_players(core, Read(slot.name, (Var("p"),))), name=slot.name, title=slot.title)


def _score(core: Core) -> Quantity:
    return replace(_of_players(core, core.ranking[0]), name="score", title="each player's score")


def _of_players(core: Core, over: Expr) -> Quantity:
    last = core.configuration.players - 1
    most, least = (Fold(operator, "p", 0, last, None, over) for operator in ("max", "min"))
    return Quantity("", "", most, least)


def _said_of_score(core: Core) -> tuple[str, str]:
    match core.ranking[0]:
        case Read(slot, (Var("p"),)):
            return SEATS, f"p.{slot}"
    return "", ""


def _said_of_bound(core: Core, quantity: Quantity, sources: Mapping[str, str]) -> tuple[str, str]:
    """As the rulebook has it: `all GENERATORS: VALUE in LOW..HIGH`."""
    text = condition_text(dict(sources), core, quantity.name)
    generators, colon, body = text.partition(":") if text.startswith("all ") else ("", ":", text)
    value, between, _ = body.rpartition(" in ")
    return (generators.removeprefix("all ").strip(), value.strip()) if colon and between else ("", "")
