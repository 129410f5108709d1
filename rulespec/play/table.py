"""What a seat sees, as a table that people read: open things first, then a column for each player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulespec.compiler.core.tree import Core, Domain, Slot
from rulespec.engine.observation import TOTAL, Observed

UNKNOWN = "?"
NOTHING = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A thing in the middle of the table; `slot` is where it is kept, where it is kept in one."""

    title: str
    content: str
    slot: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A thing that each player has; `name` is shorter than the title."""

    title: str
    name: str
    cells: tuple[str, ...]
    slot: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that is to be seen, without what is empty."""

    lines: tuple[Line, ...]
    rows: tuple[Row, ...]


def table(core: Core, seen: Observed, *, whole: bool = False) -> Table:
    """The state that an observation shows, arranged for people; `whole`: with what is empty."""
    lines: list[Line] = []
    rows: list[Row] = []
    for slot in core.slots:
        if slot.role != "state" or slot.name not in seen or _is_endless_home(slot):
            continue
        if _by_player(core, slot):
            cells = tuple(_cells(slot, seen[slot.name]))
            if whole or any(cell not in (NOTHING, "0") for cell in cells):
                rows.append(Row(_title(slot), _name(slot), cells, slot.name))
        elif (text := content(slot, slot.dims, seen[slot.name])) or whole:
            lines.append(Line(_title(slot), text, slot.name))
    return Table(tuple(lines), tuple(rows))


def _is_endless_home(slot: Slot) -> bool:
    """Whether it only counts, below zero, what an unlimited currency has paid out."""
    return bool(slot.keeps) and not slot.dims and slot.high <= 0


def _title(slot: Slot) -> str:
    # The home of a currency has the title of the currency.
    is_home = bool(slot.keeps) and not slot.dims
    return _name(slot) if is_home or not slot.title else slot.title


def _name(slot: Slot) -> str:
    return slot.name.replace("_", " ")


def _by_player(core: Core, slot: Slot) -> bool:
    return bool(slot.dims) and _is_players(core, slot.dims[0])


def _is_players(core: Core, domain: Domain) -> bool:
    return domain.name == "Player" and len(domain.names) == core.configuration.players


def _cells(slot: Slot, seen: Mapping[str, Any]) -> Iterator[str]:
    for name in slot.dims[0].names:
        yield content(slot, slot.dims[1:], seen[name]) if name in seen else UNKNOWN


def content(slot: Slot, dims: Sequence[Domain], seen: Any) -> str:
    """What is observed of a slot, or in it by the remaining dimensions, in words; nothing when empty."""
    if not isinstance(seen, dict):
        return _scalar(slot, seen)
    if TOTAL in seen:
        return f"{seen[TOTAL]} unseen" if seen[TOTAL] else NOTHING
    members = zip(dims[0].names, dims[0].labels or dims[0].names, strict=True)
    parts = [
        part
        for name, label in members
        if name in seen and (part := _member(slot, dims[1:], label, seen[name]))
    ]
    return ("; " if len(dims) > 1 else ", ").join(parts)


def _member(slot: Slot, inner: Sequence[Domain], label: str, seen: Any) -> str:
    """One member of a container with what it holds, or nothing."""
    if isinstance(seen, dict):
        held = content(slot, inner, seen)
        return f"{label}: {held}" if held else NOTHING
    if isinstance(seen, bool) or (slot.keeps and slot.high == 1):
        return label if seen else NOTHING
    if slot.keeps:
        return f"{seen} {label}" if seen else NOTHING
    held = _scalar(slot, seen)
    return f"{label} {held}" if held and seen != 0 else NOTHING


def _scalar(slot: Slot, seen: int | bool | str) -> str:
    match seen:
        case bool():
            return "yes" if seen else NOTHING
        case int():
            return str(seen)
        case "none":
            return NOTHING
        case _:
            labels = dict(zip(slot.domain.names, slot.domain.labels or slot.domain.names, strict=True))
            return labels.get(seen, seen)
