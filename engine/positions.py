"""Records that differ only in what no rule will read again are the same position: which numbers those are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rulespec.compiler.core.liveness import Mask, masks
from rulespec.compiler.core.tree import Core, Expr
from rulespec.compiler.core.walk import reads
from rulespec.engine.stepper import Record


@dataclass(frozen=True)
class _Fill:
    """Where the record has these values, the stretches of it are put to their initial values."""

    when: tuple[tuple[int, int], ...]  # position, value
    stretches: tuple[tuple[int, int, tuple[int, ...]], ...]  # from, to, values


class Positions:
    """Puts a core's waiting records into one form for each position.

    `watched` are expressions whose value must stay as it is, beside all that the rules declare as state.
    """

    def __init__(self, core: Core, watched: Iterable[Expr] = ()) -> None:
        self._core = core
        kept = frozenset(read.slot for expr in watched for read in reads(expr))
        self._fills: list[tuple[_Fill, ...]] = []
        found = masks(core)
        for block in core.blocks:
            # Masks speak of the block's beginning; a record waits at its end.
            usable = found[block.name] if not block.body else ()
            self._fills.append(tuple(self._fill(mask, kept) for mask in usable))

    def settle(self, r: Record) -> None:
        """Changes a waiting record into the one that stands for its position."""
        for fill in self._fills[r[-1]]:
            if all(r[position] == value for position, value in fill.when):
                for start, end, values in fill.stretches:
                    r[start:end] = values
                return

    def _fill(self, mask: Mask, kept: frozenset[str]) -> _Fill:
        offset = self._core.offset
        when = tuple((offset[name], value) for name, value in mask.when)
        dead = [name for name in mask.dead if name not in kept]
        return _Fill(when, tuple(self._stretches(dead)))

    def _stretches(self, dead: Sequence[str]) -> list[tuple[int, int, tuple[int, ...]]]:
        """Neighbors are joined, so that there are few."""
        result: list[tuple[int, int, tuple[int, ...]]] = []
        for name in sorted(dead, key=self._core.offset.__getitem__):
            start, slot = self._core.offset[name], self._core.slot[name]
            if result and result[-1][1] == start:
                before, _, values = result.pop()
                result.append((before, start + slot.size, (*values, *slot.initial)))
            else:
                result.append((start, start + slot.size, slot.initial))
        return result
