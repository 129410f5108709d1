"""What a seat does not see, dealt anew: an opponent that thinks with this knows no more than it may.

Pieces and money are conserved, and what is seen is seen; so what is left over lies, in unknown order, in the
places that are not seen. It is dealt there at random, as many to each as are known to be there. Hidden values
that are not pieces are drawn from their range.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rulespec.compiler.core.tree import Core, Slot
from rulespec.engine.layout import Element, Layout
from rulespec.engine.observation import is_open
from rulespec.engine.stepper import Record
from rulespec.play.live import Live

# Deals that may go wrong, as a set takes one piece of a kind only, before the deal is given up.
_TRIES = 20
# Pieces that are dealt one by one at all.
_MOST_PIECES = 5_000


@dataclass(frozen=True)
class _Place:
    """Elements whose sum is public, or (`counted` false) whose content is not known at all."""

    elements: tuple[Element, ...]
    counted: bool


@dataclass(frozen=True)
class _Unseen:
    """What a seat does not see: places by the piece or currency, and what is no place."""

    loose: tuple[Element, ...]
    places: dict[str, tuple[_Place, ...]]


class Redealer:
    """Deals anew what one seat does not see of a core's records."""

    def __init__(self, core: Core, seat: int, live: Live) -> None:
        self.core = core
        self.seat = seat
        self._live = live
        self._elements = Layout(core).elements
        flags = dict.fromkeys(slot.unless for slot in core.slots if slot.unless)
        self._flags = [core.offset[flag] + at for flag in flags for at in range(core.slot[flag].size)]
        self._unseen: dict[tuple[int, ...], _Unseen] = {}

    def deal(self, r: Record, rng: random.Random, *, answered: bool = False) -> Record | None:
        """A record that looks the same from the seat; None when no fitting deal was found.

        Where others may have `answered` in secret, what they said is forgotten.
        """
        result = list(r)
        unseen = self._unseen_in(r)
        for element in unseen.loose:
            if answered or element.slot.sight != "seat":
                result[element.position] = self._value(element, rng)
        for keeps, places in unseen.places.items():
            if not any(self._deal(keeps, places, r, result, rng) for _ in range(_TRIES)):
                return None
        return result

    def may_hold_answers(self, r: Record) -> bool:
        """Whether answers of others, which only they have seen, may be kept for later."""
        return not self._live.at(r[-1]).isdisjoint(self._answers)

    def _unseen_in(self, r: Record) -> _Unseen:
        """What the seat does not see, which depends only on what the rules have opened to all."""
        opened = tuple(r[at] for at in self._flags)
        if opened not in self._unseen:
            unseen = tuple(e for e in self._elements if not self._sees(e, r))
            loose = tuple(e for e in unseen if not e.slot.keeps)
            self._unseen[opened] = _Unseen(loose, self._places(unseen))
        return self._unseen[opened]

    def _sees(self, element: Element, r: Record) -> bool:
        slot = element.slot
        if is_open(self.core, slot, r, element.index[0] if element.index else 0):
            return True
        return slot.sight != "hidden" and element.index[0] == self.seat

    @cached_property
    def _answers(self) -> frozenset[str]:
        return frozenset(slot.name for slot in self.core.slots if slot.sight == "seat")

    def _value(self, element: Element, rng: random.Random) -> int:
        # What only steers the rules is at rest between their steps.
        if element.slot.role == "state":
            return rng.randint(element.slot.low, element.slot.high)
        return element.slot.initial[0]

    def _places(self, unseen: tuple[Element, ...]) -> dict[str, tuple[_Place, ...]]:
        """By piece or currency, the unseen places; those with a known number first."""
        found: dict[str, list[_Place]] = {}
        for slot in self.core.slots:
            if slot.keeps:
                found.setdefault(slot.keeps, []).extend(_places_of(slot, unseen))
        return {
            keeps: tuple(sorted(places, key=lambda place: not place.counted))
            for keeps, places in found.items()
            if places
        }

    def _deal(
        self, keeps: str, places: tuple[_Place, ...], r: Record, result: Record, rng: random.Random
    ) -> bool:
        """Deal all of one piece or currency; false when the pieces did not fit."""
        for place in places:
            for element in place.elements:
                result[element.position] = max(0, element.slot.low)
        rest = tuple(e for place in places if not place.counted for e in place.elements)
        number = {place: sum(r[e.position] for e in place.elements) for place in places}
        if keeps in self._alike:
            shares = [(place.elements, number[place]) for place in places if place.counted]
            shares.append((rest, sum(number[place] for place in places if not place.counted)))
            return all(_split(total, elements, result, rng) for elements, total in shares)
        pool = list(self._pool(places, r).elements())
        if len(pool) > _MOST_PIECES:
            return False
        rng.shuffle(pool)
        for place in places:
            if place.counted and not self._put(number[place], pool, place.elements, result, rng):
                return False
        return self._put(len(pool), pool, rest, result, rng)

    def _pool(self, places: tuple[_Place, ...], r: Record) -> Counter[int]:
        """The pieces that lie unseen, by kind. Their sum is known from what is seen, as none is ever lost."""
        pool: Counter[int] = Counter()
        for place in places:
            for e in place.elements:
                pool[self._kind(e)] += r[e.position]
        return pool

    def _put(
        self,
        number: int,
        pool: list[int],
        places: tuple[Element, ...],
        result: Record,
        rng: random.Random,
    ) -> bool:
        """Put pieces from the end of the pool where they have room; false when one has none."""
        for _ in range(number):
            for at in range(len(pool) - 1, -1, -1):
                room = [e for e in places if self._kind(e) == pool[at] and result[e.position] < e.slot.high]
                if room:
                    result[rng.choice(room).position] += 1
                    del pool[at]
                    break
            else:
                return False
        return True

    def _kind(self, element: Element) -> int:
        """The last index tells the kind of a piece."""
        return element.index[-1]

    @cached_property
    def _alike(self) -> frozenset[str]:
        # The home of what has no kinds is one number.
        return frozenset(slot.keeps for slot in self.core.slots if slot.keeps and not slot.dims)


def _places_of(slot: Slot, unseen: tuple[Element, ...]) -> Iterator[_Place]:
    unseen = tuple(e for e in unseen if e.slot is slot)
    if slot.sight == "hidden" and unseen:
        yield _Place(unseen, slot.counted)
    elif unseen:
        for owner in sorted({e.index[0] for e in unseen}):
            yield _Place(tuple(e for e in unseen if e.index[0] == owner), slot.counted)


def _split(total: int, elements: tuple[Element, ...], result: Record, rng: random.Random) -> bool:
    """Split what is all alike between elements at random; false when there is not room for it."""
    room = {e: e.slot.high - result[e.position] for e in elements}
    left = sum(room.values())
    total -= sum(result[e.position] for e in elements)
    if not 0 <= total <= left:
        return False
    for element in rng.sample(elements, len(elements)):
        left -= room[element]
        share = rng.randint(max(0, total - left), min(total, room[element]))
        result[element.position] += share
        total -= share
    return True
