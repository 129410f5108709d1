"""Who chooses, in the rulebook's words: where the seat that core asks comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rulespec.compiler.core.tree import Choose, Core, Expr, For, If, Let, Origin, Read, Set, Statement, Var
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t
from rulespec.reference.wording import Wording, short

MOST = 3  # ways to come to be asked that are all named
_LEAST_TELLING = 3  # letters of a name that says something
_IN_TURN = "each player in turn"
_HEADER = re.compile(r"^for \S+ in (?P<domain>.*?)(?: where .*)?(?: order by .*)?$")

Sources = Mapping[str, tuple[tuple[Expr, Origin], ...]]  # what a slot is set to, and where


class Actors:
    def __init__(self, core: Core, wording: Wording) -> None:
        self.core = core
        self.wording = wording
        self._sources = _sources(core)

    def who(self, span: Span, asked: Iterable[Choose]) -> str:
        """Who makes the choice that stands there."""
        if self.core.configuration.players == 1:
            return "the player"
        choice = self.wording.statement(span)
        if isinstance(choice, t.AtOnce):
            where = f" where {self.wording.text(choice.where.span)}" if choice.where is not None else ""
            return f"all players{where}"
        found: dict[str, None] = {}
        for each in asked:
            if isinstance(each.actor, Read) and not each.actor.index:
                found |= dict.fromkeys(self._of_slot(each.actor.slot, set()))
        if not found and isinstance(choice, t.Choose):
            return self.wording.text(choice.actor.span)
        return _listed(list(found))

    def _of_slot(self, slot: str, seen: set[str]) -> list[str]:
        """The ways to say who is kept in a slot."""
        if slot in seen:
            return []
        seen.add(slot)
        known = self.core.slot[slot]
        if known.role == "state":
            return [short(known.title or _words(slot))]
        name = _words(slot)
        sources = self._sources.get(slot, ())
        found: list[str] = []
        for value, origin in sources:
            found += self._of_source(slot, name, value, origin, seen)
        return list(dict.fromkeys(found)) or [name]

    def _of_source(self, slot: str, name: str, value: Expr, origin: Origin, seen: set[str]) -> list[str]:
        statement = self.wording.statement(origin.span)
        if isinstance(statement, t.For):
            return [self._each(statement)]
        if isinstance(statement, t.AtOnce):
            return [_IN_TURN]
        if len(name) >= _LEAST_TELLING:
            return [name]
        if isinstance(value, Read) and not value.index:
            return self._of_slot(value.slot, seen)
        if isinstance(statement, t.CallRule):
            return [self._argument(statement, slot) or name]
        return [name]

    def _each(self, loop: t.For) -> str:
        found = _HEADER.match(self.wording.header(loop.span))
        domain = found["domain"] if found else "players"
        if domain == "players":
            return _IN_TURN
        start = domain.removeprefix("players from ")
        return f"{_IN_TURN}, from {start}" if start != domain else f"each of {domain} in turn"

    def _argument(self, call: t.CallRule, slot: str) -> str:
        """The text of what a rule is given for the parameter that is kept in the slot."""
        rule = next((r for r in self.wording.rulebook.rules if r.name == call.rule), None)
        if rule is None:
            return ""
        name = slot.rpartition(".")[2]
        given = zip(rule.parameters, call.arguments, strict=True)
        return next((self.wording.text(value.span) for p, value in given if p.name == name), "")


def _listed(found: list[str]) -> str:
    if _IN_TURN in found:
        found = [_IN_TURN, *(each for each in found if not each.startswith(_IN_TURN))]
    if len(found) > MOST:
        return "a player"
    return " or ".join(found)


def _words(slot: str) -> str:
    """The name of a local as words; `rule.first_holder.2` is the first holder."""
    return re.sub(r"\.\d+$", "", slot).rpartition(".")[2].replace("_", " ")


def _sources(core: Core) -> Sources:
    found: dict[str, list[tuple[Expr, Origin]]] = {}
    for block in core.blocks:
        _collect(block.body, {}, found)
    return {slot: tuple(values) for slot, values in found.items()}


def _collect(
    body: Iterable[Statement], named: dict[str, Expr], found: dict[str, list[tuple[Expr, Origin]]]
) -> None:
    for s in body:
        match s:
            case Let(name, value):
                named = {**named, name: value}
            case Set(slot, (), value, origin):
                known = named.get(value.name, value) if isinstance(value, Var) else value
                found.setdefault(slot, []).append((known, origin))
            case If(_, then, other):
                _collect(then, named, found)
                _collect(other, named, found)
            case For(_, _, _, inside):
                _collect(inside, named, found)
