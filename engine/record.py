"""A play as a readable record: each step with who did what, by which rule, and what it changed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulespec.compiler.core.tree import Block, Chance, Choose, Core, Enter, Origin
from rulespec.engine import observation
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.observation import Change
from rulespec.engine.state import Happened, Played, State, Step
from rulespec.engine.stepper import Record


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as it is cited: its name, its title, and the passage of the source."""

    name: str
    title: str
    citation: str

    def __str__(self) -> str:
        return f"{self.title or self.name} {self.citation}".strip()

    def as_json(self) -> dict[str, str]:
        return {"name": self.name, "title": self.title, "citation": self.citation}


@dataclass(frozen=True, slots=True)
class Entry:
    """One step. `rule` is the one that asked or let chance decide, `entered` those that it led to.

    `before` and `after` are the records around it; `step` is None for the opening.
    """

    number: int
    step: Step | None
    rule: Rule | None
    entered: tuple[Rule, ...]
    before: Record
    after: Record


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who reads a record: a seat, a spectator (None), or with `everything` somebody who may see all."""

    seat: int | None = None
    everything: bool = False

    def sees(self, step: Step) -> bool:
        """Whether the viewer learns what was answered or decided."""
        if self.everything:
            return True
        if isinstance(step, Played):
            return not step.secret or step.actor == self.seat
        return step.seen_by == -1 or (step.seen_by >= 0 and step.seen_by == self.seat)


@dataclass(frozen=True, slots=True)
class PlayRecord:
    """A whole play, for a reader who may see only part of it."""

    core: Core
    seed: int
    entries: tuple[Entry, ...]
    over: bool
    scores: tuple[int, ...]
    winners: tuple[int, ...]

    def changes(self, entry: Entry, viewer: Viewer) -> list[Change]:
        before, after = (
            observation.slots(self.core, r, viewer.seat, viewer.everything)
            for r in (entry.before, entry.after)
        )
        return observation.changes(self.core, before, after)

    def text(self, viewer: Viewer | None = None) -> str:
        """The record for people, a paragraph for each step; by default as a spectator sees it."""
        viewer = viewer or Viewer()
        lines = list(self._title())
        for entry in self.entries:
            rule = f"  [{entry.rule}]" if entry.rule else ""
            lines.append(f"{entry.number:4}  {_told(entry.step, viewer)}{rule}")
            if entered := [r for r in entry.entered if r != entry.rule]:
                lines += _wrapped(f"then {'; '.join(str(r) for r in entered)}")
            lines += _wrapped("; ".join(str(c) for c in self.changes(entry, viewer)))
        return "\n".join([*lines, "", *self._end()]) + "\n"

    def as_json(self, viewer: Viewer | None = None) -> dict[str, Any]:
        """The same for machines, as values that JSON can hold."""
        viewer = viewer or Viewer()
        configuration = self.core.configuration
        return {
            "game": configuration.game,
            "title": self.core.title,
            "players": configuration.players,
            "variants": list(configuration.variants),
            "readings": dict(configuration.readings),
            "seed": self.seed,
            "steps": [self._entry(entry, viewer) for entry in self.entries],
            "over": self.over,
            "scores": list(self.scores),
            "winners": list(self.winners),
        }

    def _entry(self, entry: Entry, viewer: Viewer) -> dict[str, Any]:
        seen = [{"what": c.what, "before": c.before, "after": c.after} for c in self.changes(entry, viewer)]
        return {
            "number": entry.number,
            "text": _told(entry.step, viewer),
            **_step_json(entry.step, viewer),
            "rule": entry.rule.as_json() if entry.rule else None,
            "entered": [rule.as_json() for rule in entry.entered],
            "changes": seen,
        }

    def _title(self) -> Iterator[str]:
        configuration = self.core.configuration
        yield f"{self.core.title}, {configuration.players} players, seed {self.seed}"
        if configuration.variants:
            yield f"variants: {', '.join(configuration.variants)}"
        if configuration.readings:
            yield "readings: " + ", ".join(f"{name} is {taken}" for name, taken in configuration.readings)
        yield ""

    def _end(self) -> Iterator[str]:
        standing = ", ".join(f"p{seat} {score}" for seat, score in enumerate(self.scores))
        yield f"scores: {standing}" if standing else "this game keeps no scores"
        if self.winners:
            who = " and ".join(f"p{seat}" for seat in self.winners)
            yield f"{who} {'wins' if len(self.winners) == 1 else 'win together'}"
        elif not self.over:
            yield "the game is not over"


def record(state: State) -> PlayRecord:
    """The record of a play so far; stepped again through the interpreter, to learn the rules it enters."""
    entries = tuple(_Recorder(state).entries())
    return PlayRecord(state.game.core, state.seed, entries, state.over, state.scores, state.winners)


class _Recorder:
    def __init__(self, state: State) -> None:
        self.state = state
        self.core = state.game.core
        self.rules = {info.name: info for info in self.core.rules}
        self.entered: list[Origin] = []
        self.stepper = Interpreter(self.core, self.watch)

    def watch(self, event: Block | Enter, r: Record) -> None:
        if isinstance(event, Enter):
            self.entered.append(Origin(event.origin.span, event.rule, event.origin.citation))

    def entries(self) -> Iterator[Entry]:
        r = self.state.first
        if self.stepper.start() != r:  # the play was taken up in the middle
            self.entered.clear()
        yield Entry(0, None, None, self.led_to(), r, r)
        for number, step in enumerate(self.state.history, 1):
            self.entered.clear()
            before, r = r, list(r)
            origin = self.take(r, step)
            yield Entry(number, step, self.rule(origin), self.led_to(), before, r)

    def take(self, r: Record, step: Step) -> Origin:
        """Carry `r` over one step; where the step comes from."""
        block = self.core.blocks[r[-1]]
        match block.end, step:
            case Choose(_, options), Played(_, move):
                number = self.state.game.encoding.option(r[-1], move)
                self.stepper.play(r, (number, *move.values))
                return options[number].origin
            case Chance(), Happened(outcome):
                self.stepper.happen(r, outcome.number)
                return block.origin
            case _:
                raise ValueError("the history of this play does not fit its rules")

    def led_to(self) -> tuple[Rule, ...]:
        return tuple(found for found in map(self.rule, self.entered) if found is not None)

    def rule(self, origin: Origin) -> Rule | None:
        info = self.rules.get(origin.rule)
        if info is None:
            return None
        return Rule(info.name, info.title, str(origin.citation or info.citation or ""))


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent="      ", subsequent_indent="        ")


def _told(step: Step | None, viewer: Viewer) -> str:
    match step:
        case None:
            return "the game begins"
        case Played(actor, move, _):
            return f"p{actor} {move.phrase}" if viewer.sees(step) else f"p{actor} answers in secret"
        case Happened(outcome, _):
            return f"chance: {outcome.label}" if viewer.sees(step) else "chance decides unseen"


def _step_json(step: Step | None, viewer: Viewer) -> dict[str, Any]:
    match step:
        case Played(actor, move, _) if viewer.sees(step):
            return {"actor": actor, "move": {"text": move.text, "number": move.number}}
        case Played(actor, _, _):
            return {"actor": actor, "move": None}
        case Happened(outcome, _) if viewer.sees(step):
            odds = str(outcome.probability)
            return {"chance": {"outcome": outcome.name, "number": outcome.number, "probability": odds}}
        case Happened():
            return {"chance": None}
        case None:
            return {}
