"""Stops put together that a picture shows as one box."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rulespec.reference.sketch import Follows, Sketch
from rulespec.reference.ways import START, Stop

_ASKS = ("choose", "together")


@dataclass
class Grouped:
    """`order` has one stop for each box, in the order of play.

    `options`: what can be chosen there, by choice or by the first of the options that share a box. `steps`:
    what happens, one after the other, by the first of them.
    """

    order: list[Stop]
    follows: Follows
    options: dict[Stop, list[Stop]]
    steps: dict[Stop, list[Stop]]

    @cached_property
    def number(self) -> dict[Stop, int]:
        return {stop: n for n, stop in enumerate(self.order)}


def grouped(made: Sketch) -> Grouped:
    """Options that lead to the same share a box, which is the choice's if all do; so do steps in a row."""
    follows: Follows = {stop: dict(ways) for stop, ways in made.follows.items()}
    options: dict[Stop, list[Stop]] = {}
    for stop in made.stops:
        if stop.kind in _ASKS:
            _share(stop, follows, options)
    steps = _rows(made.stops, follows)
    order = Sketch(follows, {}).stops
    for stop in order:
        follows.setdefault(stop, {})
    return Grouped(order, follows, options, steps)


def _share(choice: Stop, follows: Follows, options: dict[Stop, list[Stop]]) -> None:
    alike: dict[tuple[tuple[str, Stop], ...], list[Stop]] = {}
    for _, option in follows[choice]:
        alike.setdefault(tuple(follows.get(option, {})), []).append(option)
    options[choice] = []
    if len(alike) == 1:
        ((then, options[choice]),) = alike.items()
        follows[choice] = dict.fromkeys(then)
        return
    options |= {several[0]: several for several in alike.values()}
    follows[choice] = {("", several[0]): None for several in alike.values()}


def _rows(stops: list[Stop], follows: Follows) -> dict[Stop, list[Stop]]:
    into: dict[Stop, set[Stop]] = {}
    for stop in stops:
        for _, target in follows.get(stop, {}):
            into.setdefault(target, set()).add(stop)
    rows: dict[Stop, list[Stop]] = {}
    first: dict[Stop, Stop] = {}
    for stop in stops:
        if stop.kind != "step":
            continue
        before = next(iter(into.get(stop, ())), START)
        alone = len(into.get(stop, ())) == 1 and before in first and len(follows.get(before, {})) == 1
        first[stop] = first[before] if alone else stop
        rows.setdefault(first[stop], []).append(stop)
    for begin, row in rows.items():
        follows[begin] = dict(follows.get(row[-1], {}))
    return rows
