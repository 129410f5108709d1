"""What a rulebook has to choose from, kept small enough to be read from the cache without the compiler."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rulespec.compiler.diagnostics import Diagnostic, Label, Severity
from rulespec.compiler.spans import Span

if TYPE_CHECKING:
    from rulespec.compiler.core.tree import Configuration


@dataclass(frozen=True)
class Meaning:
    """One answer to a question that the source leaves open."""

    name: str
    title: str
    citation: str


@dataclass(frozen=True)
class Reading:
    """A question that the source leaves open. `default` is the name of one of its meanings."""

    name: str
    ident: str
    question: str
    citation: str
    meanings: tuple[Meaning, ...]
    default: str


@dataclass(frozen=True)
class Assumed:
    """What no source has: rows of a table, members of an enum, or (without names) the value of a param."""

    of: str
    names: tuple[str, ...]
    why: str
    citation: str


@dataclass(frozen=True)
class Scope:
    """A small configuration; the rulebook's defaults hold where it says nothing."""

    name: str
    title: str
    players: int
    variants: tuple[str, ...]
    readings: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Outline:
    """The choices and the size of a rulebook. `counts` are in the order in which they are told."""

    game: str
    title: str
    players: tuple[int, int]
    variants: tuple[tuple[str, str], ...]  # name, title
    readings: tuple[Reading, ...]
    scopes: tuple[Scope, ...]
    counts: tuple[tuple[str, int], ...]
    cited: tuple[tuple[str, int, int], ...]  # source, lines cited, lines it has
    assumed: tuple[Assumed, ...]


class ConfigurationError(ValueError):
    """A number of players, a variant, a reading or a scope that the rulebook does not have."""


def settle(
    outline: Outline,
    players: int | None = None,
    variants: Iterable[str] = (),
    readings: Mapping[str, str] | None = None,
    scope: str | None = None,
) -> Configuration:
    """The configuration that is meant; what is not said is the scope's, else the rulebook's default.

    Every variant and reading of the rulebook is settled in it, in the rulebook's order.

    Raises:
        ConfigurationError: the rulebook does not have it; the message says what it has.
    """
    from rulespec.compiler.core.tree import Configuration  # not needed by what only reads an outline

    base = None if scope is None else _scope(outline, scope)
    chosen = set(base.variants if base else ())
    for name in variants:
        chosen.add(_one_of(name, [known for known, _ in outline.variants], "there is no variant"))
    meanings = {reading.name: reading.default for reading in outline.readings}
    meanings.update(base.readings if base else ())
    meanings.update(_meanings(outline, readings or {}))
    return Configuration(
        outline.game,
        _players(outline, players, base),
        tuple(name for name, _ in outline.variants if name in chosen),
        tuple(meanings.items()),
        base.settings if base else (),
    )


def _players(outline: Outline, players: int | None, scope: Scope | None) -> int:
    if scope is not None:
        if players not in (None, scope.players):
            message = f"the scope `{scope.name}` is for {scope.players} players, not for {players}"
            raise ConfigurationError(message)
        return scope.players
    low, high = outline.players
    if players is None or isinstance(players, bool) or not low <= players <= high:
        number = f"{low}" if low == high else f"{low} to {high}"
        asked = "" if players is None else f", not for {players}"
        raise ConfigurationError(f"`{outline.game}` is for {number} players{asked}")
    return players


def _meanings(outline: Outline, readings: Mapping[str, str]) -> dict[str, str]:
    known = {reading.name: reading for reading in outline.readings}
    chosen: dict[str, str] = {}
    for name, meaning in readings.items():
        reading = known[_one_of(name, list(known), "there is no reading")]
        names = [each.name for each in reading.meanings]
        chosen[name] = _one_of(meaning, names, f"the reading `{name}` has no meaning")
    return chosen


def _scope(outline: Outline, name: str) -> Scope:
    known = {scope.name: scope for scope in outline.scopes}
    return known[_one_of(name, list(known), "there is no scope")]


def _one_of(name: str, known: Sequence[str], otherwise: str) -> str:
    if name in known:
        return name
    near = difflib.get_close_matches(name, known, n=1)
    listed = ", ".join(f"`{each}`" for each in known) or "none"
    advice = f"did you mean `{near[0]}`?" if near else f"known are {listed}"
    raise ConfigurationError(f"{otherwise} `{name}`; {advice}")


# --- as text, for the cache --------------------------------------------------------------------------------


def to_text(outline: Outline | None, diagnostics: Sequence[Diagnostic]) -> str:
    """One JSON text of both."""
    found = [_diagnostic_to_json(diagnostic) for diagnostic in diagnostics]
    return json.dumps({"outline": outline and asdict(outline), "diagnostics": found}, ensure_ascii=False)


def from_text(text: str) -> tuple[Outline | None, tuple[Diagnostic, ...]]:
    """The inverse of `to_text`.

    Raises:
        ValueError, KeyError, TypeError: it is not what `to_text` writes.
    """
    data = json.loads(text)
    found = data["outline"]
    return found and _outline(found), tuple(_diagnostic_from_json(each) for each in data["diagnostics"])


def _outline(data: dict[str, Any]) -> Outline:
    return Outline(
        data["game"],
        data["title"],
        (data["players"][0], data["players"][1]),
        _pairs(data["variants"]),
        tuple(_reading(each) for each in data["readings"]),
        tuple(_scope_from(each) for each in data["scopes"]),
        _pairs(data["counts"]),
        tuple((source, lines, of) for source, lines, of in data["cited"]),
        tuple(Assumed(**{**each, "names": tuple(each["names"])}) for each in data["assumed"]),
    )


def _reading(data: dict[str, Any]) -> Reading:
    return Reading(**{**data, "meanings": tuple(Meaning(**each) for each in data["meanings"])})


def _scope_from(data: dict[str, Any]) -> Scope:
    pairs = {"readings": _pairs(data["readings"]), "settings": _pairs(data["settings"])}
    return Scope(**{**data, **pairs, "variants": tuple(data["variants"])})


def _pairs(data: list[list[Any]]) -> tuple[tuple[Any, Any], ...]:
    return tuple((first, second) for first, second in data)


def _diagnostic_to_json(diagnostic: Diagnostic) -> dict[str, Any]:
    return asdict(diagnostic) | {"severity": diagnostic.severity.value}


def _diagnostic_from_json(data: dict[str, Any]) -> Diagnostic:
    return Diagnostic(
        data["code"],
        data["message"],
        Span(**data["span"]),
        tuple(Label(Span(**each["span"]), each["text"]) for each in data["labels"]),
        tuple(data["help"]),
        Severity(data["severity"]),
        tuple(data["breadcrumb"]),
    )
