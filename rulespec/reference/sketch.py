"""The ways through a rule made plain: one stop for each statement, and none that makes no difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rulespec.compiler.core.tree import Choose
from rulespec.compiler.typed import tree as t
from rulespec.reference.ways import DECLINE, START, Stop, Ways
from rulespec.reference.wording import Wording

Follows = dict[Stop, dict[tuple[str, Stop], None]]  # label and target of each way on, in order


@dataclass
class Sketch:
    follows: Follows
    asked: dict[Stop, list[Choose]]

    @property
    def stops(self) -> list[Stop]:
        """In the order of play: what leads on before what is led to, but for ways back."""
        done: dict[Stop, None] = {}
        open_: set[Stop] = {START}
        waiting = [(START, iter(self._back_to_front(START)))]
        while waiting:
            stop, rest = waiting[-1]
            following = next((s for s in rest if s not in open_), None)
            if following is None:
                done[stop] = None
                waiting.pop()
            else:
                open_.add(following)
                waiting.append((following, iter(self._back_to_front(following))))
        return list(reversed(done))

    def _back_to_front(self, stop: Stop) -> list[Stop]:
        return [target for _, target in reversed(self.follows.get(stop, {}))]


def sketch(ways: Ways, wording: Wording) -> Sketch:
    """The ways with each statement of the text as one stop."""
    made = Sketch({}, {})
    named: dict[Stop, Stop] = {}  # options of choices that all make at once
    for stop, asked in ways.asked.items():
        one = _one(stop, wording)
        made.asked.setdefault(one, []).extend(asked)
        for option in (option for each in asked for option in each.options):
            if option.name != DECLINE:
                named[Stop("option", option.origin.span)] = Stop("option", one.span, option.name)
    for way in ways.ways:
        source, target = (named.get(stop) or _one(stop, wording) for stop in (way.source, way.target))
        _follow(made, way.source.kind, source, way.label, target)
    for stop in [stop for stop in made.stops if stop.kind == "together"]:
        _carried_out(made, stop)
    _leave_out(made, _no_difference)
    _without_detours(made)
    _leave_out(made, _no_difference)
    return made


def _one(stop: Stop, wording: Wording) -> Stop:
    """What stands for all that core makes of one statement."""
    match stop.kind, wording.statement(stop.span):
        case (("loop" | "chance"), (t.Draw() | t.Random())):
            return Stop("chance", stop.span)
        case (("loop" | "choose"), t.AtOnce()):
            return Stop("together", stop.span)
    return stop


def _follow(made: Sketch, kind: str, source: Stop, label: str, target: Stop) -> None:
    """`kind` is the source's in core."""
    follows = made.follows.setdefault(source, {})
    if kind == source.kind == "choose":
        option = Stop("option", source.span, label)
        follows["", option] = None
        made.follows.setdefault(option, {})["", target] = None
    elif kind == "choose":
        follows["", Stop("option", source.span, label)] = None  # carried out later
    elif source != target:
        plain = source.kind in ("together", "chance") or target.kind == "option"
        follows["" if plain else label, target] = None


def _carried_out(made: Sketch, together: Stop) -> None:
    """Answers given by all at once are carried out one after the other, and then it goes on."""
    options = [target for _, target in made.follows[together] if target.kind == "option"]
    after = [target for _, target in made.follows[together] if target.kind != "option"]
    inside, waiting = set(options), list(options)
    while waiting:
        stop = waiting.pop()
        follows = made.follows.get(stop, {("", together): None})
        kept: dict[tuple[str, Stop], None] = {}
        for label, target in follows:
            kept |= {(label, aim): None for aim in (after if target == together else [target])}
        made.follows[stop] = kept
        waiting += [s for _, s in kept if s not in inside and s not in after]
        inside |= {s for _, s in kept}
    if options:
        made.follows[together] = {("", option): None for option in options}


def _leave_out(made: Sketch, senseless: Callable[[Sketch, Stop], list[Stop] | None]) -> None:
    """Takes out stops for as long as there are some that can be left out."""
    found = True
    while found:
        found = False
        for stop in made.stops:
            instead = senseless(made, stop) if stop in made.follows else None
            if instead is not None:
                _splice(made, stop, instead)
                found = True


def _no_difference(made: Sketch, stop: Stop) -> list[Stop] | None:
    """What follows a test or loop all the same, whichever way it goes."""
    if stop.kind not in ("test", "loop"):
        return None
    sides: dict[str, set[Stop]] = {}
    for label, target in made.follows.get(stop, {}):
        sides.setdefault(label, set()).add(target)
    several = list(sides.values())
    if stop.kind == "test" and len(several) == 2 and several[0] == several[1]:
        return [target for label, target in made.follows[stop] if label == "yes"]
    if stop.kind == "loop" and set(sides) == {"no"}:
        return [target for _, target in made.follows[stop]]
    return None


def _splice(made: Sketch, stop: Stop, instead: Iterable[Stop]) -> None:
    for source, follows in made.follows.items():
        kept: dict[tuple[str, Stop], None] = {}
        for label, target in follows:
            aims = instead if target == stop else (target,)
            kept |= {(label, aim): None for aim in aims if aim != source or target == source}
        made.follows[source] = kept
    del made.follows[stop]


def _without_detours(made: Sketch) -> None:
    """Chance is passed over where there is nothing left to draw; nobody needs to see that."""
    for chance in [stop for stop in made.stops if stop.kind == "chance"]:
        after = {target for _, target in made.follows.get(chance, {})}
        for source, follows in made.follows.items():
            for label in [name for name, target in follows if target == chance]:
                if source != chance and after <= {target for name, target in follows if name == label}:
                    kept = [way for way in follows if way[0] != label or way[1] not in after]
                    made.follows[source] = dict.fromkeys(kept)
                    follows = made.follows[source]
