"""Whether what a choice offers reads only what the one who is asked sees: no solver, no plays.

Of two records that look alike to a seat that is asked in both, an expression has the same value when all that
it reads is what that seat sees in any record, at indices that have the same value themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rulespec.compiler.core.print import expression
from rulespec.compiler.core.tree import Block, Choose, Core, Expr, Fold, Read, Var
from rulespec.compiler.core.walk import children
from rulespec.proofs.information.known import Facts, known, to_seat


@dataclass(frozen=True)
class Flow:
    """Looks at the choices of one core."""

    core: Core

    def doubts(self, block: Block) -> tuple[str, ...]:
        """What is read for the offers of a choice and may be secret, as the core has it; nothing where all
        that decides them is seen.
        """
        choose = block.end
        assert isinstance(choose, Choose)
        witnessed = self.witnessed(block.name)
        asked: list[Expr] = []
        for option in choose.options:
            asked += [e for param in option.params for e in (param.low, param.high)]
            asked.append(option.guard)
        found = (expression(read) for e in asked for read in self._unseen(e, choose.actor, witnessed))
        return tuple(dict.fromkeys(found))

    def witnessed(self, block: str) -> frozenset[str]:
        """Slots that hold what the one who is asked has seen happen."""
        choose = self.core.block[block].end
        assert isinstance(choose, Choose)
        return to_seat(self._known.get(block, frozenset()), choose.actor)

    @cached_property
    def _known(self) -> dict[str, Facts]:
        return known(self.core)

    def _unseen(self, e: Expr, actor: Expr, witnessed: frozenset[str]) -> Iterator[Expr]:
        """The parts of `e` that may differ between records that look alike to `actor`.

        Who is asked is the same in both, however it was found out. Names stand for what is chosen, or for
        what is gone through, and have the same values on both sides.
        """
        if e == actor:
            return
        if isinstance(e, Fold) and (counted := self._counted(e)) is not None:
            for index in counted:
                yield from self._unseen(index, actor, witnessed)
            return
        if isinstance(e, Read) and e.slot not in witnessed and not self._sees(e, actor):
            yield e
        for part in children(e):
            yield from self._unseen(part, actor, witnessed)

    def _sees(self, read: Read, actor: Expr) -> bool:
        slot = self.core.slot[read.slot]
        if slot.sight == "open":
            return True
        return slot.sight in ("private", "seat") and read.index[0] == actor

    def _counted(self, fold: Fold) -> tuple[Expr, ...] | None:
        """The indices that say which place it is, if `fold` is the number of all that lies in one place whose
        number is public; else None.
        """
        spans: dict[str, tuple[int, int]] = {}
        inner: Expr | None = fold
        while isinstance(inner, Fold):
            if inner.operator != "sum" or inner.where is not None or inner.variable in spans:
                return None
            spans[inner.variable] = inner.low, inner.high
            inner = inner.body
        if not isinstance(inner, Read) or not self.core.slot[inner.slot].counted:
            return None
        slot = self.core.slot[inner.slot]
        first = 0 if slot.sight == "hidden" else 1
        for index, dim in zip(inner.index[first:], slot.dims[first:], strict=True):
            if not isinstance(index, Var) or spans.pop(index.name, None) != (0, len(dim.names) - 1):
                return None
        return None if spans else inner.index[:first]
