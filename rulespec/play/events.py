"""What has happened in a play, told to one seat: nobody reads what the seat may not see."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.compiler.core.tree import Choose, Core
from rulespec.compiler.spans import Citation
from rulespec.engine.state import Happened, Played, State, Step
from rulespec.play.working import Where, Workings

SEEN_BY_ALL = -1


@dataclass(frozen=True, slots=True)
class Event:
    """A step of a play and the place in the rules where it was taken."""

    step: Step
    where: Where


def option_citation(core: Core, block: int, option: str) -> Citation | None:
    """What an option of a choice cites itself."""
    end = core.blocks[block].end
    if not isinstance(end, Choose):
        return None
    return next((o.origin.citation for o in end.options if o.name == option), None)


def told(event: Event, names: tuple[str, ...], seat: int | None) -> str | None:
    """The event as a seat may know it (None: a spectator); None when it may not know that it happened.

    `names` are those of the seats.
    """
    match event.step:
        case Played(actor, move, secret):
            if secret and actor != seat:
                return f"{names[actor]} answers in secret"
            return f"{names[actor]} {move.phrase}"
        case Happened(outcome, seen_by):
            if seen_by in (SEEN_BY_ALL, seat):
                return f"chance: {outcome.label}"
            return None


def seat_names(core: Core) -> tuple[str, ...]:
    """`p0`, or `p0 Anna` where the rules give the seats names for people."""
    labels = next((d.labels for slot in core.slots for d in slot.dims if d.name == "Player" and d.labels), ())
    seats = range(core.configuration.players)
    return tuple(
        f"p{seat} {labels[seat]}" if seat < len(labels) and labels[seat] != f"p{seat}" else f"p{seat}"
        for seat in seats
    )


def retold(state: State, workings: Workings) -> list[Event]:
    """The events of a play so far, from its start."""
    twin = state.copy()
    places: list[Where] = []
    while twin.history:
        twin.undo()
        places.append(workings.where(twin.record))
    return [Event(step, place) for step, place in zip(state.history, reversed(places), strict=True)]
