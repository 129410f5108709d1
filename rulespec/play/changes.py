"""What a step changed, in few words: `p1: hand +2 green, purse 9 → 5; reserve -2 green`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rulespec.compiler.core.tree import Core
from rulespec.engine.layout import Element, Layout, value_label
from rulespec.engine.stepper import Record


class Changes:
    """Tells the difference between records of a core, hidden things too."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self._layout = Layout(core)

    def told(self, before: Record, after: Record) -> str:
        """The differences in what the rules declare as state; first those of everybody, then by player."""
        changed = [change for change in self._layout.changes(before, after) if change[0].slot.role == "state"]
        parts: dict[str, list[str]] = {"": []}
        for (_, owner), group in groupby(changed, key=lambda change: _place(self.core, change[0])):
            one = list(group)
            name = one[0][0].slot.name.replace("_", " ")
            parts.setdefault(owner, []).append(f"{name} {', '.join(_words(self.core, one))}")
        ordered = [("", parts.pop("")), *sorted(parts.items())]
        return "; ".join(
            f"{owner}: {', '.join(told)}" if owner else "; ".join(told) for owner, told in ordered if told
        )


def _place(core: Core, element: Element) -> tuple[str, str]:
    """The slot, and the player whose it is ("" for nobody's)."""
    slot = element.slot
    if slot.dims and slot.dims[0].name == "Player" and len(slot.dims[0].names) == core.configuration.players:
        return slot.name, slot.dims[0].names[element.index[0]]
    return slot.name, ""


def _words(core: Core, changes: list[tuple[Element, int, int]]) -> Iterator[str]:
    for element, before, after in changes:
        slot = element.slot
        owned = bool(_place(core, element)[1])
        members = [
            (dim.labels or dim.names)[number]
            for dim, number in list(zip(slot.dims, element.index, strict=True))[owned:]
        ]
        name = " ".join(members)
        sign, number = ("+", after - before) if after > before else ("−", before - after)
        if members and (slot.keeps or slot.domain.name == "Bool"):
            yield f"{sign}{name}" if slot.high == 1 else f"{sign}{number} {name}"
        elif slot.keeps and slot.low < 0:  # a supply without end, counted from where it began
            yield f"{name} {sign}{number}".strip()
        else:
            change = f"{value_label(slot.domain, before)} → {value_label(slot.domain, after)}"
            yield f"{name} {change}" if name else change
