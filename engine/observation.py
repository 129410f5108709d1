"""What a seat may see of a record: by each slot's sight, as plain values and as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rulespec.compiler.core.tree import Core, Domain, Slot
from rulespec.engine.layout import value_name
from rulespec.engine.stepper import Record

# The key under which a sum stands in for what is not seen. Members of domains cannot be called so.
TOTAL = "(total)"

# What an observer is said to have seen before of what is shown for the first time.
UNSEEN = "unseen"

Observed = dict[str, Any]


def value(domain: Domain, number: int) -> int | bool | str:
    """A number as it is observed: a truth value, a member's name, or itself."""
    if domain.names == ("false", "true") and domain.low == 0:
        return number == 1
    name = value_name(domain, number)
    return number if not domain.names else name


def slots(core: Core, r: Record, seat: int | None, everything: bool = False) -> Observed:
    """By slot name, all that `seat` may see; None is a spectator, who sees what is open.

    With `everything` nothing is kept from the observer.

    A scalar is a value, an array a dict by the names of its first dimension, and so on inwards. What may not
    be seen is left out, or replaced by `{TOTAL: sum}` where its sum is public.
    """
    result: Observed = {}
    for slot in core.slots:
        offset = core.offset[slot.name]
        content = r[offset : offset + slot.size]
        seen = _shown(slot, content) if everything else _slot(core, r, slot, content, seat)
        if seen is not None:
            result[slot.name] = seen
    return result


def is_open(core: Core, slot: Slot, r: Record, owner: int = 0) -> bool:
    """Whether all may see what a slot holds, or what it holds for the seat that is its first index."""
    if slot.sight == "open" or not slot.unless:
        return slot.sight == "open"
    at = core.offset[slot.unless]
    return r[at + owner if core.slot[slot.unless].dims else at] != 0


def _slot(core: Core, r: Record, slot: Slot, content: Sequence[int], seat: int | None) -> Any:
    match slot.sight:
        case "open":
            return _shown(slot, content)
        case "hidden" if is_open(core, slot, r):
            return _shown(slot, content)
        case "hidden":
            return {TOTAL: sum(content)} if slot.counted else None
        case _:
            return _by_seat(core, r, slot, content, seat)


def _shown(slot: Slot, content: Sequence[int]) -> Any:
    return _nested(slot.dims, content, lambda v: value(slot.domain, v))


def _by_seat(core: Core, r: Record, slot: Slot, content: Sequence[int], seat: int | None) -> Observed | None:
    """`private` and `seat`: the first index says whose it is."""
    first, rest = slot.dims[0], slot.dims[1:]
    width = len(content) // len(first.names)
    result: Observed = {}
    for owner, name in enumerate(first.names):
        part = content[owner * width : (owner + 1) * width]
        if owner == seat or is_open(core, slot, r, owner):
            result[name] = _nested(rest, part, lambda v: value(slot.domain, v))
        elif slot.counted:
            result[name] = {TOTAL: sum(part)}
    return result or None


def _nested(dims: Sequence[Domain], content: Sequence[int], show: Callable[[int], Any]) -> Any:
    if not dims:
        return show(content[0])
    width = len(content) // len(dims[0].names)
    return {
        name: _nested(dims[1:], content[i * width : (i + 1) * width], show)
        for i, name in enumerate(dims[0].names)
    }


def lines(core: Core, observed: Observed) -> list[str]:
    """`observed` (by `slots`) as text: a line for each slot, or for each member of its first dimension.

    Pieces of which there are none are left out, and so are slots that only steer the rules.
    """
    result: list[str] = []
    for name, seen in observed.items():
        slot = core.slot[name]
        if slot.role != "state":
            continue
        if not isinstance(seen, dict):
            result.append(f"{name}: {_word(seen)}")
        elif len(slot.dims) > 1 and TOTAL not in seen:
            result += [f"{name}[{key}]: {_row(slot, inner)}" for key, inner in seen.items()]
        else:
            result.append(f"{name}: {_row(slot, seen)}")
    return result


@dataclass(frozen=True, slots=True)
class Change:
    """What an observer sees change: an element of a slot, or the sum of several."""

    what: str
    before: int | bool | str
    after: int | bool | str

    def __str__(self) -> str:
        return f"{self.what}: {_word(self.before)} → {_word(self.after)}"


def changes(core: Core, before: Observed, after: Observed) -> list[Change]:
    """The differences between two observations by the same observer, in what the rules declare as state."""
    result: list[Change] = []
    for name, seen in after.items():
        if core.slot[name].role == "state":
            result += _changes(name, (), before.get(name), seen)
    return result


def _changes(name: str, path: tuple[str, ...], before: Any, after: Any) -> Iterator[Change]:
    if isinstance(after, dict):
        known = before if isinstance(before, dict) else {}
        for key, inner in after.items():
            yield from _changes(name, (*path, key), known.get(key), inner)
    elif before != after:
        keys = [key for key in path if key != TOTAL]
        what = f"{name}[{', '.join(keys)}]" if keys else name
        was = UNSEEN if before is None else before
        yield Change(f"{what} {TOTAL}" if TOTAL in path else what, was, after)


def _row(slot: Slot, seen: Observed) -> str:
    if TOTAL in seen:
        return f"{seen[TOTAL]} in all"
    if all(isinstance(inner, bool) for inner in seen.values()):
        return ", ".join(key for key, inner in seen.items() if inner) or "nothing"
    sparse = len(slot.dims) > 1 or bool(slot.keeps)
    parts = [f"{key} {_cell(slot, inner)}" for key, inner in seen.items() if not (sparse and not _any(inner))]
    return ", ".join(parts) or "nothing"


def _cell(slot: Slot, seen: Any) -> str:
    return f"({_row(slot, seen)})" if isinstance(seen, dict) else _word(seen)


def _any(seen: Any) -> bool:
    return any(_any(inner) for inner in seen.values()) if isinstance(seen, dict) else bool(seen)


def _word(seen: Any) -> str:
    return str(seen).lower() if isinstance(seen, bool) else str(seen)
