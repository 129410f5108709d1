"""Numbers that depend on how the game is played: params, and how many there are of pieces and currencies.

With each number of players, in each variant, and under each meaning of a reading that is asked for them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.compiler.core import from_typed
from rulespec.compiler.core.from_typed import Amounts
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.walk import every

MOST_SETTLED = 500  # configurations; a rulebook with more is told of without its variants and readings
PATIENCE = 5.0  # seconds of this process for all of them

Value = int | None  # None is without end; a truth value is 0 or 1


@dataclass(frozen=True)
class Change:
    """A variant that is played (`meaning` "") or another meaning of a reading."""

    name: str
    meaning: str = ""


@dataclass(frozen=True)
class Varied:
    """A number in the default configuration and in those that are one change away from it.

    `usual` has a value for each number of players; `changed` the changes that make a difference, with theirs.
    """

    usual: tuple[tuple[int, Value], ...]
    changed: tuple[tuple[Change, tuple[tuple[int, Value], ...]], ...] = ()

    @property
    def is_one(self) -> bool:
        """Whether it is the same with all numbers of players, as long as nothing is changed."""
        return len({value for _, value in self.usual}) <= 1

    def map(self, with_players: Callable[[int, Value], Value]) -> Varied:
        """What is worked out from it, for each number of players."""

        def each(values: tuple[tuple[int, Value], ...]) -> tuple[tuple[int, Value], ...]:
            return tuple((players, with_players(players, value)) for players, value in values)

        return Varied(each(self.usual), tuple((change, each(values)) for change, values in self.changed))


@dataclass(frozen=True)
class Settled:
    """All such numbers of a rulebook. `is_whole`: all changes were looked at, else none."""

    params: dict[str, Varied]
    kept: dict[str, Varied]
    is_whole: bool = True


def settle(rulebook: t.Rulebook) -> Settled:
    """The numbers in each configuration. Those that a configuration refuses are left out of it."""
    low, high = rulebook.players
    numbers = range(low, high + 1)
    changes = list(_changes(rulebook))
    is_whole = len(numbers) * (len(changes) + 1) <= MOST_SETTLED
    usual = _each(rulebook, numbers, None)
    changed: list[tuple[Change, _Each]] = []
    end = time.process_time() + PATIENCE
    for change in changes if is_whole else ():
        if time.process_time() > end:
            changed, is_whole = [], False
            break
        changed.append((change, _each(rulebook, numbers, change)))
    kept = [piece.name for piece in rulebook.pieces] + [each.name for each in rulebook.currencies]
    return Settled(
        {p.name: _varied(usual, changed, _param(p.name)) for p in rulebook.params},
        {name: _varied(usual, changed, _kept(name)) for name in kept},
        is_whole,
    )


def _param(name: str) -> Callable[[Amounts], Value]:
    return lambda amounts: dict(amounts.params)[name]


def _kept(name: str) -> Callable[[Amounts], Value]:
    return lambda amounts: dict(amounts.kept)[name]


def runs(values: Iterable[tuple[int, Value]]) -> list[tuple[tuple[int, ...], Value]]:
    """The values with the numbers of players that have them, in the order of the first."""
    found: dict[Value, list[int]] = {}
    for players, value in values:
        found.setdefault(value, []).append(players)
    return [(tuple(players), value) for value, players in found.items()]


_Each = tuple[tuple[int, Amounts], ...]


def _each(rulebook: t.Rulebook, numbers: Iterable[int], change: Change | None) -> _Each:
    found: list[tuple[int, Amounts]] = []
    variants = (change.name,) if change and not change.meaning else ()
    readings = ((change.name, change.meaning),) if change and change.meaning else ()
    for players in numbers:
        wanted = from_typed.configuration(rulebook, players, variants, readings)
        amounts, _ = from_typed.settled_values(rulebook, wanted)
        if amounts is not None:
            found.append((players, amounts))
    return tuple(found)


def _varied(
    usual: _Each, changed: Sequence[tuple[Change, _Each]], pick: Callable[[Amounts], Value]
) -> Varied:
    base = tuple((players, pick(amounts)) for players, amounts in usual)
    others = [(change, tuple((players, pick(a)) for players, a in each)) for change, each in changed]
    return Varied(base, tuple((change, values) for change, values in others if values != base))


def _changes(rulebook: t.Rulebook) -> Iterator[Change]:
    """Each variant, and each other meaning of the readings that some number asks for."""
    yield from (Change(variant.name) for variant in rulebook.variants)
    parts = (rulebook.params, rulebook.pieces, rulebook.currencies, rulebook.when_players, rulebook.variants)
    asked = {node.reading for node in every(parts) if isinstance(node, t.ReadingIs)}
    for reading in rulebook.readings:
        if reading.name in asked:
            yield from (Change(reading.name, m.name) for m in reading.meanings if m.name != reading.default)
