"""Examples as they are carried out: the position before each step, who does what by which rule, what that
changes, and the conditions at the end with their values.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rulespec import cache
from rulespec.compiler.core import from_typed
from rulespec.compiler.core.tree import Act, Core, Expr, Script
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t
from rulespec.engine import observation, record
from rulespec.engine.examples import Carried, ExampleResult, carry_out
from rulespec.engine.explain import explain
from rulespec.engine.interpreter.evaluate import Wrong, evaluate
from rulespec.engine.interpreter.stepper import initial
from rulespec.engine.state import Happened, Played
from rulespec.engine.stepper import Record
from rulespec.play.changes import Changes
from rulespec.play.table import table

ACT, REFUSED, CHANCE, BEGIN = "act", "refused", "chance", "begin"
FORMAT = 2  # raised when what is kept comes to mean something else


@dataclass(frozen=True)
class Position:
    """What lies where, for people, by the name of the variable: `lines` are what everybody shares, `rows`
    what each player has, a cell for each seat. What is empty is "".
    """

    lines: Mapping[str, str]
    rows: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Step:
    """`kind` is `ACT` or `REFUSED` of the seat `actor`, `CHANCE`, or `BEGIN`, which comes first.

    `rule` is the name of the rule that asks or lets chance decide, "" for none, `citation` what it cites
    there; `entered` are the rules that begin before the next step. `after` is the position then.
    """

    kind: str
    text: str
    rule: str
    citation: str
    entered: tuple[str, ...]
    changes: str
    after: Position
    actor: int = -1


@dataclass(frozen=True)
class Check:
    """A condition at the end. `values` are those of its parts, `holds` None where it was not come to."""

    text: str
    values: tuple[str, ...]
    holds: bool | None


@dataclass(frozen=True)
class Told:
    """One example. `steps` begin with how the rule begins that it runs; `wrong` says what does not go as the
    example says, "" where all does; `unreachable` names what the given position breaks.

    `rules` are those that it exercises, in the order of play; `titles` says what the variables of its
    positions are called, in the order of the rulebook.
    """

    name: str
    players: int
    given: Position
    steps: tuple[Step, ...]
    checks: tuple[Check, ...]
    rules: tuple[str, ...]
    titles: Mapping[str, str]
    wrong: str = ""
    unreachable: tuple[str, ...] = ()


def told(rulebook: t.Rulebook, sources: Mapping[str, str], rules_hash: str) -> tuple[Told, ...]:
    """All examples of a rulebook, carried out now, or kept from when it had the same rules and examples."""
    kept, name = cache.opened(), cache.key(rules_hash, str(FORMAT))
    text = kept.get("steps", name)
    if text is not None:
        try:
            return tuple(_from_data(each) for each in json.loads(text))
        except (ValueError, KeyError, TypeError):
            pass
    made = tuple(_one(rulebook, example, sources) for example in rulebook.examples)
    kept.put("steps", name, json.dumps([asdict(each) for each in made], ensure_ascii=False))
    return made


def exercised(examples: Sequence[Told]) -> Mapping[str, tuple[str, ...]]:
    """For each rule the names of the examples that exercise it."""
    found: dict[str, list[str]] = {}
    for example in examples:
        for rule in example.rules:
            found.setdefault(rule, []).append(example.name)
    return {rule: tuple(names) for rule, names in found.items()}


def _one(rulebook: t.Rulebook, example: t.Example, sources: Mapping[str, str]) -> Told:
    script, found = from_typed.compile_example(rulebook, example)
    if script is None:
        wrong = "; ".join(each.message for each in found)
        return Told(example.name, example.players, Position({}, {}), (), (), (), {}, wrong)
    return _Telling(script, sources).told(_base(rulebook, example.run.rule))


def _base(rulebook: t.Rulebook, rule: str) -> str:
    return next(each.base for each in rulebook.rules if each.name == rule)


class _Telling:
    def __init__(self, script: Script, sources: Mapping[str, str]) -> None:
        self.script = script
        self.core: Core = script.core
        self.sources = sources
        self._changes = Changes(self.core)
        self._titles: dict[str, str] = {}

    def told(self, rule: str) -> Told:
        carried = carry_out(self.script)
        given = initial(self.core)
        steps = tuple(self._steps(carried, rule, given))
        rules = dict.fromkeys(name for step in steps for name in (step.rule, *step.entered) if name)
        return Told(
            self.script.name,
            self.core.configuration.players,
            self._position(given),
            steps,
            tuple(self._checks(carried)),
            tuple(rules),
            {slot.name: self._titles[slot.name] for slot in self.core.slots if slot.name in self._titles},
            _wrong(carried.result),
            carried.result.unreachable,
        )

    # --- steps ---------------------------------------------------------------------------------------------

    def _steps(self, carried: Carried, rule: str, given: Record) -> Iterator[Step]:
        if carried.state is None:
            return
        opening, *entries = record.record(carried.state).entries
        yield self._step(BEGIN, "", opening, rule, given)
        taken = 0
        for asked, number in carried.done:
            for entry in entries[taken:number]:
                yield self._taken(entry)
            taken = number
            if isinstance(asked, Act) and asked.refused:
                at = entries[taken - 1] if taken else opening
                yield self._refused(asked, at.after)
        for entry in entries[taken:]:
            yield self._taken(entry)

    def _taken(self, entry: record.Entry) -> Step:
        match entry.step:
            case Played(actor, move, _):
                return self._step(ACT, f"p{actor} {move.phrase}", entry, "", entry.before, actor)
            case Happened(outcome, _):
                return self._step(CHANCE, outcome.label, entry, "", entry.before)
            case None:
                raise ValueError("only the opening is no step")

    def _step(
        self, kind: str, text: str, entry: record.Entry, rule: str, before: Record, actor: int = -1
    ) -> Step:
        by = entry.rule
        return Step(
            kind,
            text,
            by.name if by else rule,
            by.citation if by else "",
            tuple(dict.fromkeys(each.name for each in entry.entered)),
            self._changes.told(before[: len(entry.after) - 1], entry.after[:-1]),
            self._position(entry.after),
            actor,
        )

    def _refused(self, asked: Act, at: Record) -> Step:
        move = " ".join((asked.option, *asked.arguments))
        origin = self.core.blocks[at[-1]].origin
        cited = str(origin.citation or "")
        text = f"p{asked.actor} cannot {move}"
        return Step(REFUSED, text, origin.rule, cited, (), "", self._position(at), asked.actor)

    def _position(self, r: Record) -> Position:
        seen = table(self.core, observation.slots(self.core, r, None, everything=True), whole=True)
        self._titles |= {line.slot: line.title for line in seen.lines}
        self._titles |= {row.slot: row.title for row in seen.rows}
        return Position(
            {line.slot: line.content for line in seen.lines}, {row.slot: row.cells for row in seen.rows}
        )

    # --- conditions ----------------------------------------------------------------------------------------

    def _checks(self, carried: Carried) -> Iterator[Check]:
        failed = not carried.result.passed
        spans = [span for _, span in self.script.then]
        came_to = not failed or carried.result.span in spans
        for condition, span in self.script.then:
            text = " ".join(_text(self.sources, span).split())
            if carried.state is None or not came_to:
                yield Check(text, (), None)
            else:
                yield self._check(condition, text, carried.state.record)

    def _check(self, condition: Expr, text: str, r: Record) -> Check:
        try:
            holds = bool(evaluate(self.core, condition, r, {}))
            return Check(text, explain(self.core, condition, r), holds)
        except Wrong as wrong:
            return Check(text, (wrong.text,), False)


def _wrong(result: ExampleResult) -> str:
    return "" if result.passed else "; ".join((result.message, *result.parts))


def _text(sources: Mapping[str, str], span: Span) -> str:
    """What stands at a place in the text."""
    lines = sources[span.file].split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


# --- from data, as the cache has it ------------------------------------------------------------------------


def _from_data(data: dict[str, Any]) -> Told:
    return Told(
        **{
            **data,
            "given": _position(data["given"]),
            "steps": tuple(_step(each) for each in data["steps"]),
            "checks": tuple(Check(**{**each, "values": tuple(each["values"])}) for each in data["checks"]),
            "rules": tuple(data["rules"]),
            "unreachable": tuple(data["unreachable"]),
        }
    )


def _step(data: dict[str, Any]) -> Step:
    return Step(**{**data, "entered": tuple(data["entered"]), "after": _position(data["after"])})


def _position(data: dict[str, Any]) -> Position:
    return Position(data["lines"], {title: tuple(cells) for title, cells in data["rows"].items()})
