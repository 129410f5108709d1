"""What is to be verified: the configurations, and in each the claims that were asked for."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rulespec.compiler.core.tree import Configuration, Core
from rulespec.compiler.diagnostics import Diagnostic, Severity
from rulespec.outline import ConfigurationError
from rulespec.proofs.claims import Claims
from rulespec.proofs.unaided import unaided
from rulespec.proofs.verdicts import Limits

if TYPE_CHECKING:
    from rulespec import api
    from rulespec.outline import Outline


@dataclass(frozen=True)
class Wanted:
    """What was asked for. No `players` are all that the rulebook has, no `properties` all of a game's.

    `every_reading`: also each meaning of each question that is open, one question at a time. A property
    is asked for by its kind, or by a part of its name or title. `unaided`: as if the rulebook gave no help
    with proofs.
    """

    players: tuple[int, ...] = ()
    variants: tuple[str, ...] = ()
    readings: Mapping[str, str] = field(default_factory=dict)
    every_reading: bool = False
    scopes: bool = True
    properties: tuple[str, ...] = ()
    unaided: bool = False


@dataclass(frozen=True)
class Part:
    """One configuration. `scope` is the name of a small one, which is visited whole; `changed` the reading
    in which it differs from what was asked for, `name = meaning`.

    `properties` are names of claims, None for all of them.
    """

    core: Core
    scope: str = ""
    changed: str = ""
    properties: tuple[str, ...] | None = None
    limits: Limits = field(default_factory=Limits)
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def players(self) -> int:
        return self.core.configuration.players

    @property
    def label(self) -> str:
        """Which configuration it is, for people."""
        players = f"{self.players} player{'s' * (self.players != 1)}"
        return self.scope or (f"{players}, {self.changed}" if self.changed else players)


@dataclass(frozen=True)
class Plan:
    """All that is to be verified; nothing where the rulebook has errors."""

    parts: tuple[Part, ...]
    diagnostics: tuple[Diagnostic, ...]


def make(book: api.Book, wanted: Wanted, limits: Limits) -> Plan:
    """Compile every configuration that was asked for.

    Raises:
        ConfigurationError: the rulebook does not have one of them, or no such property.
    """
    outline = book.outline
    if outline is None:
        return Plan((), book.diagnostics)
    parts: list[Part] = []
    found: dict[Diagnostic, list[str]] = {}
    asked = list(_configurations(book, outline, wanted))
    for configuration, scope, changed in asked:
        core, diagnostics = book.compile(configuration)
        core = unaided(core) if core is not None and wanted.unaided else core
        part = None if core is None else Part(core, scope, changed, None, limits, book.sources)
        where = scope or f"{configuration.players} players"
        for diagnostic in diagnostics:
            found.setdefault(diagnostic, []).append(where)
        parts += [part] if part else []
    told = (*book.diagnostics, *(_placed(each, where, len(asked)) for each, where in found.items()))
    if any(each.severity is Severity.ERROR for each in told):
        return Plan((), told)
    return Plan(tuple(choose(parts, wanted.properties)), told)


def _configurations(
    book: api.Book, outline: Outline, wanted: Wanted
) -> Iterator[tuple[Configuration, str, str]]:
    """Each configuration, with its scope's name and the reading that is changed in it."""
    low, high = outline.players
    numbers = wanted.players or tuple(range(low, high + 1))
    for changed in (None, *_changes(outline, wanted)):
        readings = dict([*wanted.readings.items(), *([changed] if changed else [])])
        for players in numbers:
            chosen = book.configuration(players=players, variants=wanted.variants, readings=readings)
            yield chosen, "", " = ".join(changed or ())
    for scope in outline.scopes if wanted.scopes else ():
        if scope.players in numbers:
            chosen = book.configuration(scope=scope.name, variants=wanted.variants, readings=wanted.readings)
            yield chosen, scope.name, ""


def _changes(outline: Outline, wanted: Wanted) -> Iterator[tuple[str, str]]:
    """Each reading and meaning other than those asked for."""
    if not wanted.every_reading:
        return
    for reading in outline.readings:
        taken = wanted.readings.get(reading.name, reading.default)
        yield from ((reading.name, each.name) for each in reading.meanings if each.name != taken)


def _placed(diagnostic: Diagnostic, where: list[str], all_of_them: int) -> Diagnostic:
    if len(where) == all_of_them:
        return diagnostic
    return replace(diagnostic, help=(*diagnostic.help, f"found with {', '.join(dict.fromkeys(where))}"))


def choose(parts: Sequence[Part], wanted: tuple[str, ...]) -> Iterator[Part]:
    """The parts with their claims' names put in; those without a claim asked for are left out.

    Raises:
        ConfigurationError: no part has a property that was asked for.
    """
    if not wanted:
        yield from parts
        return
    met: set[str] = set()
    known: set[str] = set()
    chosen: list[Part] = []
    for part in parts:
        names: list[str] = []
        for claim in Claims(part.core).all.values():
            known.update((claim.name, claim.kind))
            asked = {each for each in wanted if _is_meant(each, claim.name, claim.kind, claim.title)}
            met |= asked
            names += [claim.name] if asked else []
        chosen += [replace(part, properties=tuple(names))] if names else []
    for each in wanted:
        if each not in met:
            near = difflib.get_close_matches(each, known, n=1, cutoff=0.5)
            advice = f"did you mean `{near[0]}`?" if near else "without `--property` all are shown"
            raise ConfigurationError(f"there is no property `{each}`; {advice}")
    yield from chosen


def _is_meant(asked: str, name: str, kind: str, title: str) -> bool:
    lower = asked.lower()
    return lower == kind or lower in name.lower() or lower in title.lower()
