"""Whether two cores, of two meanings of a reading, are the same game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from rulespec.compiler.core.tidy import aim, targets
from rulespec.compiler.core.tree import Branch, Choose, Core, For, Goto, If, Statement, Terminator
from rulespec.proofs.vacuity.sites import Key, key

SAME = "the two are one and the same game"
APART = "what differs is never come to"


def alike(a: Core, b: Core, never: Collection[Key]) -> str:
    """`SAME`, `APART` or "" for neither.

    `never` is what is known never to happen in `a`. Where the two differ only there, every play of `a` is one
    of `b`, and as both ask and offer the same at each step, the other way round too.
    """
    if replace(b, configuration=a.configuration) == a:
        return SAME
    ours = {slot.name: slot for slot in a.slots}
    theirs = {slot.name: slot for slot in b.slots}
    shared = ours.keys() & theirs.keys()
    state = {s.name for s in (*a.slots, *b.slots) if s.role == "state"}
    around = (a.tables, a.properties, a.ranking) == (b.tables, b.properties, b.ranking)
    if not around or not state <= shared or any(ours[name] != theirs[name] for name in shared):
        return ""
    return APART if _Walk(a, b, never).same() else ""


class _Walk:
    """Goes through both at once, from the start, leaving out what never happens in `a`."""

    def __init__(self, a: Core, b: Core, never: Collection[Key]) -> None:
        self.a, self.b, self.never = a, b, never

    def same(self) -> bool:
        known = {self.a.start: self.b.start}
        waiting = [self.a.start]
        while waiting:
            one = waiting.pop()
            pairs = self._onward(one, known[one])
            if pairs is None:
                return False
            for mine, its in pairs:
                if mine not in known:
                    waiting.append(mine)
                if known.setdefault(mine, its) != its:
                    return False
        return True

    def _onward(self, one: str, other: str) -> list[tuple[str, str]] | None:
        """Where two stretches lead to, in pairs; None where they do not do the same."""
        mine, a = self._stretch(self.a, one)
        its, b = self._stretch(self.b, other)
        heads = self.a.block[one].loop is None, self.b.block[other].loop is None
        ways, others = targets(a), targets(b)
        nowhere = dict.fromkeys((*ways, *others), "")
        if heads[0] is not heads[1] or mine != its or aim(a, nowhere) != aim(b, nowhere):
            return None
        pairs = list(zip(ways, others, strict=True))
        return [pair for n, pair in enumerate(pairs) if not self._is_never(a, n)]

    def _stretch(self, core: Core, name: str) -> tuple[list[Statement], Terminator]:
        """What happens from a block on, until the way parts, somebody waits or a loop begins."""
        body: list[Statement] = []
        passed: set[str] = set()
        while True:
            block = core.block[name]
            passed.add(name)
            body += self._pruned(block.body)
            following = self._only_way(block.end)
            if following is None:
                return body, block.end
            if following in passed or core.block[following].loop is not None:
                return body, Goto(following)
            if body and core.block[following].kind != "step":
                return body, Goto(following)
            name = following

    def _only_way(self, end: Terminator) -> str | None:
        match end:
            case Goto(target):
                return target
            case Branch(_, then, other):
                if self._is_never(end, 0):
                    return other
                return then if self._is_never(end, 1) else None
        return None

    def _is_never(self, end: Terminator, way: int) -> bool:
        match end:
            case Branch(origin=origin):
                return key("other" if way else "then", origin) in self.never
            case Choose(_, options):
                return key("option", options[way].origin) in self.never
        return False

    def _pruned(self, body: Sequence[Statement]) -> Iterable[Statement]:
        """Without the sides of conditions that never come out so; what tests them has no effect."""
        for statement in body:
            match statement:
                case If(_, then, other, origin, turned):
                    kinds = ("other", "then") if turned else ("then", "other")
                    if key(kinds[0], origin) in self.never:
                        yield from self._pruned(other)
                    elif key(kinds[1], origin) in self.never:
                        yield from self._pruned(then)
                    else:
                        yes, no = tuple(self._pruned(then)), tuple(self._pruned(other))
                        yield replace(statement, then=yes, other=no)
                case For(_, _, _, inner):
                    yield replace(statement, body=tuple(self._pruned(inner)))
                case _:
                    yield statement
