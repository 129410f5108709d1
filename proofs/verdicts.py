"""What the verifier says of a property: never a bool, and never "failed" where it only does not know."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from typing import Any

from rulespec.compiler.core.tree import Configuration, Origin

# Of which assumed numbers a verdict holds: whatever they are within their limits, or as they are assumed.
ANY = "any"
GIVEN = "given"
# What a second solver says of a proof.
AGREES, GAVE_UP, DISAGREES = "agrees", "gave up", "disagrees"
WORST_FIRST = ("refuted", "unknown", "sampled", "bounded", "vacuous", "exhaustive", "proved")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a play: `actor` -1 is chance. `text` is for people, `example` as an `example` has it.

    `raw` is a move (option, parameters...) or a chance's outcome alone. `through` are the rules that begin
    before somebody is asked again, with their citations.
    """

    actor: int
    raw: tuple[int, ...]
    text: str
    example: str
    rule: str = ""
    citation: str = ""
    changes: tuple[str, ...] = ()
    through: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Other:
    """Another play, after which all that `seat` sees is the same, and it is offered other moves.

    `secret` is what differs, as it is after the one or the other; `offered` are the moves offered only after
    the first play, `offered_there` those only after this one. What it saw on the way was the same, too.
    """

    seat: int
    steps: tuple[Step, ...]
    secret: tuple[str, ...]
    offered: tuple[str, ...]
    offered_there: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A play that shows something, replayed in the interpreter.

    `shortest` when every shorter play was looked at; else it is only short. `conjunct` is the part that
    failed, with the values of what it reads. `example` can be pasted into the rulebook. What only two plays
    together show has the `other`, and no example.
    """

    steps: tuple[Step, ...]
    conjunct: str = ""
    example: str = ""
    shortest: bool = False
    other: Other | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """One property of one configuration.

    | verdict | |
    |---|---|
    | `proved` | for every reachable state, whatever the length of the game |
    | `exhaustive` | every state of a small configuration (`scope`) was visited: `count` of them |
    | `bounded` | every play of up to `count` steps was looked at |
    | `sampled` | `count` random plays, none of which spoke against it |
    | `refuted` | by `play`; or, for a `reachable` property, by a proof |
    | `unknown` | `reason` says why |
    | `vacuous` | it holds only because its place is never reached |

    `assumed`: `any` where it holds whatever the numbers are that no source has, within the limits of the
    assumption (`any but TABLES` where some had to be known before play), `given` where it holds with the
    numbers as assumed, "" where the game looks at none.

    `kind` is `invariant bound conservation reachable range choice chance loop end checks kept information`;
    `seconds` what it took, a share where several were settled at once. `locked` is the day (`2026-11-30`) on
    which it was found, where it comes from a lock file. `second` is what a second solver says of what was
    proved, where it was asked: `agrees`, `gave up` or `disagrees`. `found` has what the proof needed and the
    rulebook does not say, each in a line: `RULE: decreasing ...`, `RULE: keeps ...` or `hint NAME: ...`.
    `facts` are what the proof rests on, where that was asked for, each with its places: `FACT    # PLACES`.
    """

    game: str
    players: int
    property: str
    kind: str
    verdict: str
    method: str
    seconds: float
    reason: str = ""
    count: int = 0
    play: Play | None = None
    title: str = ""
    scope: str = ""
    variants: tuple[str, ...] = ()
    readings: tuple[tuple[str, str], ...] = ()
    assumed: str = ""
    origin: Origin = field(default=Origin(), compare=False)
    locked: str = field(default="", compare=False)
    second: str = ""
    found: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()

    @builtins.property
    def label(self) -> str:
        """The verdict for people: `sampled 2000`."""
        return f"{self.verdict} {self.count}" if self.count else self.verdict

    @builtins.property
    def holds(self) -> bool:
        """Nothing speaks against it and it is not merely unknown."""
        return self.verdict in ("proved", "exhaustive", "sampled", "bounded", "vacuous")


def as_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict as plain data. Always has `game players property kind verdict method seconds`."""
    data: dict[str, Any] = {
        "game": verdict.game,
        "players": verdict.players,
        "property": verdict.property,
        "kind": verdict.kind,
        "verdict": verdict.verdict,
        "method": verdict.method,
        "seconds": round(verdict.seconds, 3),
    }
    for name in ("reason", "count", "title", "scope", "assumed", "second"):
        if getattr(verdict, name):
            data[name] = getattr(verdict, name)
    if verdict.locked:
        data["locked"] = verdict.locked
    for name in ("found", "facts"):
        if getattr(verdict, name):
            data[name] = list(getattr(verdict, name))
    if verdict.variants:
        data["variants"] = list(verdict.variants)
    if verdict.readings:
        data["readings"] = dict(verdict.readings)
    if verdict.origin.citation:
        data["citation"] = str(verdict.origin.citation)
    if verdict.play:
        data["play"] = [step_json(s) for s in verdict.play.steps]
        data["shortest"] = verdict.play.shortest
        data["failed"] = verdict.play.conjunct
        if verdict.play.other is not None:
            data["other"] = _other_json(verdict.play.other)
        else:
            data["example"] = verdict.play.example
    return data


def _other_json(other: Other) -> dict[str, Any]:
    return {
        "seat": other.seat,
        "play": [step_json(s) for s in other.steps],
        "secret": list(other.secret),
        "only_after_play": list(other.offered),
        "only_after_other": list(other.offered_there),
    }


def step_json(step: Step) -> dict[str, Any]:
    """A step of a play as plain data."""
    data: dict[str, Any] = {"actor": step.actor, "step": step.text}
    for name in ("rule", "citation"):
        if getattr(step, name):
            data[name] = getattr(step, name)
    for name in ("changes", "through"):
        if getattr(step, name):
            data[name] = list(getattr(step, name))
    return data


def of(configuration: Configuration, **rest: Any) -> Verdict:
    """A verdict on a configuration."""
    return Verdict(
        game=configuration.game,
        players=configuration.players,
        variants=configuration.variants,
        readings=configuration.readings,
        **rest,
    )


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of one processor, and what else a run may use: on a busy machine it comes as far, only later.

    `total` is for one configuration, `proof` of it for proving, `claim` of that for the obligations of one
    claim, `question` for one question to the solver. `memory` is in megabytes, for one process.
    `plays` random plays at most, within `sampling` seconds; `machine` Hypothesis examples (0: none).
    `recheck` is for the second solver, `facts` for finding what each proof rests on; with 0 it is not asked.
    """

    total: float = 180.0
    proof: float = 120.0
    claim: float = 60.0
    question: float = 5.0
    sampling: float = 6.0
    plays: int = 3000
    machine: int = 25
    scope_states: int = 400_000
    scope_seconds: float = 20.0
    shrinking: float = 5.0
    memory: int = 4000
    seed: int = 0
    recheck: float = 0.0
    facts: float = 0.0

    @builtins.property
    def patience(self) -> float:
        """Seconds by the clock after which a process is given up that keeps to its share of a processor
        itself: with others to share it, all takes longer.
        """
        return 8 * self.total + 60


@dataclass(frozen=True, slots=True)
class Event:
    """Progress. `kind`: `stage` (text says what is being tried, `done` of `whole`), or `verdict`."""

    kind: str
    game: str
    players: int
    text: str = ""
    done: int = 0
    whole: int = 0
    verdict: Verdict | None = None
