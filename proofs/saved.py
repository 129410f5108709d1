"""Verdicts as plain data that can be written to a file and read again, field by field.

The fields are those of the data classes, whatever is added to them. Of a play the moves are kept; what is
told of them is found anew by carrying it out.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, Union, get_args, get_origin, get_type_hints

from rulespec.compiler.core.tree import Configuration, Core
from rulespec.proofs.claims import Claim
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.information.search import Witness
from rulespec.proofs.monitors import Broken
from rulespec.proofs.smt.encode import Encoder
from rulespec.proofs.smt.locations import Rounds, explore, nesting
from rulespec.proofs.smt.paths import TooMany
from rulespec.proofs.smt.terms import Terms
from rulespec.proofs.verdicts import Other, Play, Step, Verdict

# Raised when what the verifier found before is not to be relied on: a fault is mended that could have let a
# wrong verdict through, or a claim comes to say something else.
VERIFIER = 2

SETTLED = ("proved", "exhaustive", "vacuous", "refuted")

# What says where a verdict belongs, or is said anew by the rules.
_ELSEWHERE = frozenset(
    {"game", "players", "property", "scope", "variants", "readings", "title", "origin", "locked"}
)
_TOLD_ANEW = ("steps", "conjunct", "example", "other")  # of a play


def solver() -> str:
    """The solver's name and version, without loading it."""
    return f"z3 {version('z3-solver')}"


def to_data(verdict: Verdict) -> dict[str, Any]:
    """What is to be kept of a verdict; fields with their usual value are left out."""
    data = {
        field.name: _plain(getattr(verdict, field.name))
        for field in dataclasses.fields(Verdict)
        if field.name not in _ELSEWHERE and getattr(verdict, field.name) != field.default
    }
    data["seconds"] = round(verdict.seconds, 3)
    if verdict.play is not None:
        data["play"] = {
            field.name: _plain(getattr(verdict.play, field.name))
            for field in dataclasses.fields(Play)
            if field.name not in _TOLD_ANEW and getattr(verdict.play, field.name) != field.default
        }
        data["play"]["moves"] = [list(step.raw) for step in verdict.play.steps]
        if verdict.play.other is not None:
            data["play"]["other"] = [list(step.raw) for step in verdict.play.other.steps]
    return data


def from_data(data: Mapping[str, Any], configuration: Configuration, claim: Claim, scope: str) -> Verdict:
    """The verdict that was kept; the steps of its play tell nothing until it is `replayed`.

    Raises:
        ValueError: it is no such data.
    """
    try:
        fields = dict(data)
        if "play" in fields:
            play = dict(fields["play"])
            moves = _made(tuple[tuple[int, ...], ...], play.pop("moves"))
            play["steps"] = [_plain(Step(-1, raw, "", "")) for raw in moves]
            if "other" in play:
                moves = _made(tuple[tuple[int, ...], ...], play["other"])
                steps = tuple(Step(-1, raw, "", "") for raw in moves)
                play["other"] = _plain(Other(-1, steps, (), (), ()))
            fields["play"] = play
        place = {"game": configuration.game, "players": configuration.players, "property": claim.name}
        verdict: Verdict = _made(Verdict, fields | place)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"this is no verdict: {error}") from None
    return dataclasses.replace(
        verdict,
        title=claim.title,
        origin=claim.origin,
        scope=scope,
        variants=configuration.variants,
        readings=configuration.readings,
    )


def replayed(verdict: Verdict, replayer: Replayer, claim: Claim) -> Verdict | None:
    """The verdict with its play carried out again and told anew; None if it does not do it any more."""
    play = verdict.play
    if play is None:
        return verdict
    if claim.kind in ("loop", "end") and replayer.rounds is None:
        replayer.rounds = _rounds(replayer.core)
    for name in (claim.name, *claim.parts):
        try:
            shown = _again(play, name, replayer)
        except (ValueError, IndexError):
            return None  # a move that the rules do not have any more
        if shown is not None:
            anew = {field: getattr(shown, field) for field in _TOLD_ANEW}
            return dataclasses.replace(verdict, play=dataclasses.replace(play, **anew))
    return None


def _again(play: Play, claim: str, replayer: Replayer) -> Play | None:
    """The play, with the other one where it takes two, if it still speaks against the claim."""
    moves = tuple(step.raw for step in play.steps)
    if play.other is None:
        return replayer.confirm(Broken(claim, len(moves)), moves)
    core, information = replayer.core, replayer.claims.information
    block = next((b.name for b in core.blocks if b.kind == "choice" and information(b.name) == claim), None)
    pair = moves, tuple(step.raw for step in play.other.steps)
    shown = None if block is None else Witness(core, replayer).shown(block, pair)
    return shown.play if shown is not None and shown.all_along else None


def _rounds(core: Core) -> Rounds | None:
    """What tells going round a loop from coming in anew, where that is not too much."""
    encoder = Encoder(core, Terms())
    try:
        graph = explore(core, encoder)
    except TooMany:
        return None
    return Rounds(core, graph, nesting(graph).all())


# --- plain data and back, by the types of fields -----------------------------------------------------------


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"`{type(value).__name__}` cannot be kept")


def _made(hint: Any, data: Any) -> Any:
    """The value of a type that this is the plain data of; a TypeError if it is none."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return None if data is None else _made(next(p for p in parts if p is not type(None)), data)
    if origin is tuple and isinstance(data, list):
        if parts[-1:] == (Ellipsis,):
            return tuple(_made(parts[0], part) for part in data)
        return tuple(_made(kind, part) for kind, part in zip(parts, data, strict=True))
    if isinstance(hint, type) and dataclasses.is_dataclass(hint) and isinstance(data, dict):
        hints = _hints(hint)
        return hint(**{name: _made(hints[name], part) for name, part in data.items()})
    if hint is float and isinstance(data, int | float) and not isinstance(data, bool):
        return float(data)
    if hint in (bool, int, str) and type(data) is hint:
        return data
    raise TypeError(f"`{data}` is not of type {hint}")


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
