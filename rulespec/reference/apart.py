"""Whether two meanings of a reading can be told apart in play: the same play in both, until they differ."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, product

from rulespec.compiler.core.tree import Chance, Choose, Core, Slot
from rulespec.engine.faults import Fault
from rulespec.engine.layout import value_name
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.stepper import Record
from rulespec.proofs.plays import chooser

MOST_STEPS = 5_000  # of one play
SECONDS = 5.0  # of this process, for all plays
SHOWN = 4  # things that differ at once

# What differs first, in the order in which it is looked for.
FAULT, ASKED, OFFERED, CHANCE, TABLE, SCORES = "fault", "asked", "offered", "chance", "table", "scores"


@dataclass(frozen=True)
class Difference:
    """The first step of a play at which two meanings differ.

    `choices` were made by players until then; `moves` are all that happened. `what` is one of those above.
    `one` and `other` say what there is under the first meaning and under the second, and are as many; `more`
    are not shown.
    """

    seed: int
    choices: int
    moves: tuple[str, ...]
    what: str
    one: tuple[str, ...]
    other: tuple[str, ...]
    more: int = 0

    @property
    def length(self) -> tuple[int, int]:
        return self.choices, len(self.moves)


@dataclass(frozen=True)
class Search:
    """So many plays were tried; `difference` is that of the play with the fewest choices, None for none."""

    plays: int
    difference: Difference | None


def search(a: PythonEngine, b: PythonEngine, plays: int, steps: int, seconds: float = SECONDS) -> Search:
    """Play both with the same choices and the same chance, as often as asked for or until `steps` were taken,
    and find the shortest way to a difference. Games of which a step takes long are left when `seconds` of
    this process are over. The engines' cores are those that were just compiled: text forgets how the rules
    write things.
    """
    one, other = _Side(a, b.core), _Side(b, a.core)
    best: Difference | None = None
    done = 0
    end = time.process_time() + seconds
    while done < plays and steps > 0 and (best is None or best.choices):
        most = MOST_STEPS if best is None else len(best.moves)
        found, taken = _play(one, other, done, most, end)
        if taken < 0:
            break
        done, steps = done + 1, steps - taken - 1
        if found is not None and (best is None or found.length < best.length):
            best = found
    return Search(done, best)


# --- one side -----------------------------------------------------------------------------------------------

_Key = tuple[str, tuple[int, ...]]  # what is possible: an option's name with its values, or an outcome


@dataclass(frozen=True)
class _Seen:
    """What there is at a step; `fault` broke the play off."""

    kind: str = ""
    asked: str = ""
    keys: tuple[_Key, ...] = ()
    raw: Sequence[tuple[int, ...]] = ()
    scores: tuple[tuple[int, ...], ...] = ()
    fault: str = ""


@dataclass(frozen=True)
class _Place:
    """A state slot at `at` of the record. `base`: what its values count from, where that is not nothing."""

    slot: Slot
    at: int
    size: int
    base: tuple[int, ...] | None

    def values(self, record: Record) -> list[int]:
        found = record[self.at : self.at + self.size]
        return found if self.base is None else [x - y for x, y in zip(found, self.base, strict=True)]

    def told(self, number: int, value: int) -> str:
        """How the rules write an element, and what it is."""
        index = list(product(*(range(len(dim.names)) for dim in self.slot.dims)))[number]
        names = [dim.names[i] for dim, i in zip(self.slot.dims, index, strict=True)]
        plain = f"{self.slot.name}[{', '.join(names)}]" if names else self.slot.name
        said = self.slot.said.format(*names) if self.slot.said else plain
        if self.base is not None:
            return f"{said} has {abs(value)} {'less' if value < 0 else 'more'} than at the start"
        return f"{said} is {value_name(self.slot.domain, value)}"


class _Side:
    """One of the two games."""

    def __init__(self, engine: PythonEngine, other: Core) -> None:
        self.core = core = engine.core
        self.engine = engine
        self.record: Record = []
        self.names = [
            tuple(option.name for option in block.end.options) if isinstance(block.end, Choose) else ()
            for block in core.blocks
        ]
        self.places = [
            _Place(slot, core.offset[slot.name], slot.size, _base(slot, other.slot[slot.name]))
            for slot in core.slots
            if slot.role == "state" and slot.name in other.slot and slot.dims == other.slot[slot.name].dims
        ]
        self.places.sort(key=lambda place: place.base is not None)  # what a bank lacks says least
        self.length = sum(place.size for place in self.places)
        self.is_plain = self._is_plain()

    def _is_plain(self) -> bool:
        """Whether the places are the beginning of the record, one after the other."""
        ends = [0, *accumulate(place.size for place in self.places)]
        return all(
            place.at == at and place.base is None for place, at in zip(self.places, ends, strict=False)
        )

    def begin(self) -> _Seen:
        try:
            self.record = self.engine.start()
        except Fault as fault:
            return _Seen(fault=fault.text)
        return self._look()

    def step(self, seen: _Seen, key: _Key) -> _Seen:
        """Take what is possible, and look again."""
        taken = seen.raw[seen.keys.index(key)]
        try:
            if seen.kind == "chance":
                self.engine.happen(self.record, taken[0])
            else:
                self.engine.play(self.record, taken)
        except Fault as fault:
            return _Seen(fault=fault.text)
        return self._look()

    def _look(self) -> _Seen:
        engine, record = self.engine, self.record
        try:
            match engine.kind(record):
                case "choice":
                    moves, names = engine.moves(record), self.names[record[-1]]
                    keys = tuple([(names[move[0]], move[1:]) for move in moves])
                    return _Seen("choice", f"p{engine.actor(record)} chooses", keys, moves)
                case "chance":
                    outcomes = engine.outcomes(record)
                    return _Seen(
                        "chance", "chance decides", tuple(("", found) for found in outcomes), outcomes
                    )
            return _Seen("end", "the game is over", scores=engine.scores(record))
        except Fault as fault:
            return _Seen(fault=fault.text)

    def told(self, seen: _Seen, key: _Key) -> str:
        """The same, with the weight of an outcome."""
        return self.written(seen, key) + (f", weight {key[1][1]}" if seen.kind == "chance" else "")

    def written(self, seen: _Seen, key: _Key) -> str:
        """A move or an outcome as the rules write it."""
        end = self.core.blocks[self.record[-1]].end
        if isinstance(end, Chance):
            return value_name(end.domain, key[1][0])
        assert isinstance(end, Choose)
        option = end.options[seen.raw[seen.keys.index(key)][0]]
        values = (value_name(param.domain, value) for param, value in zip(option.params, key[1], strict=True))
        return " ".join((option.name, *values))


def _base(slot: Slot, other: Slot) -> tuple[int, ...] | None:
    """Money at home counts from its beginning where there is no end of it in one of the games."""
    is_money = bool(slot.keeps) and slot.domain.name == slot.keeps
    return slot.initial if is_money and min(slot.low, other.low) < 0 else None


# --- one play -----------------------------------------------------------------------------------------------

_Pairs = list[tuple[str, str]]


def _play(one: _Side, other: _Side, seed: int, most: int, end: float) -> tuple[Difference | None, int]:
    """One play until the two differ, it ends, or it gets too long; and how long it was, -1 where it was
    broken off for want of time.
    """
    choose = chooser(seed)
    moves: list[tuple[str, str]] = []
    choices = 0
    a, b = one.begin(), other.begin()
    while True:
        what, pairs = _differing(one, a, other, b)
        if pairs:
            shown = pairs[:SHOWN]
            first, second = tuple(x for x, _ in shown), tuple(y for _, y in shown)
            told = tuple(" ".join(move) for move in moves)
            more = len(pairs) - len(shown)
            return Difference(seed, choices, told, what, first, second, more), len(moves)
        if a.fault or a.kind == "end" or len(moves) >= most:
            return None, len(moves)
        if time.process_time() > end:
            return None, -1
        key = a.keys[choose.outcome(_weights(a)) if a.kind == "chance" else choose.move(a.raw)]
        moves.append((a.asked.split()[0], one.written(a, key)))
        choices += a.kind == "choice"
        a, b = one.step(a, key), other.step(b, key)


def _weights(seen: _Seen) -> list[tuple[int, int]]:
    return [(value, weight) for value, weight in seen.raw]


def _differing(one: _Side, a: _Seen, other: _Side, b: _Seen) -> tuple[str, _Pairs]:
    """What differs first, and how; no pairs where nothing does."""
    if a.fault or b.fault:
        told = (a.fault or "goes on", b.fault or "goes on")
        return FAULT, [told] if bool(a.fault) is not bool(b.fault) else []
    if a.asked != b.asked:
        return ASKED, [(a.asked, b.asked)]
    if a.keys != b.keys and set(a.keys) != set(b.keys):
        ours, theirs = set(a.keys), set(b.keys)
        pairs = [(one.told(a, key), "") for key in a.keys if key not in theirs]
        pairs += [("", other.told(b, key)) for key in b.keys if key not in ours]
        return CHANCE if a.kind == "chance" else OFFERED, pairs
    table: _Pairs = []
    if not _alike(one, other):
        pairs_of_places = zip(one.places, other.places, strict=True)
        table = [pair for mine, its in pairs_of_places for pair in _moved(one, mine, other, its)]
    if table or a.kind != "end":
        return TABLE, table
    scores = enumerate(zip(a.scores, b.scores, strict=True))
    return SCORES, [(f"p{n}: {x[0]}", f"p{n}: {y[0]}") for n, (x, y) in scores if x != y]


def _alike(one: _Side, other: _Side) -> bool:
    """Whether the tables are the same; quick where both games keep them alike."""
    if not one.is_plain or not other.is_plain or one.length != other.length:
        return False
    return one.record[: one.length] == other.record[: other.length]


def _moved(one: _Side, mine: _Place, other: _Side, its: _Place) -> _Pairs:
    ours, theirs = mine.values(one.record), its.values(other.record)
    if ours == theirs:
        return []
    pairs = enumerate(zip(ours, theirs, strict=True))
    return [(mine.told(n, x), its.told(n, y)) for n, (x, y) in pairs if x != y]
