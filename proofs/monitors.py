"""What a play says about claims: where it breaks one, and where it shows that something can be reached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.compiler.core.tree import Core, Expr
from rulespec.engine.faults import Fault
from rulespec.proofs.claims import ALWAYS, GAME_ENDS, Claims
from rulespec.proofs.plays import Passed, Trail
from rulespec.proofs.smt.columns import Columns
from rulespec.proofs.smt.encode import Encoder, Scope
from rulespec.proofs.smt.locations import Rounds
from rulespec.proofs.smt.terms import Term, Terms
from rulespec.proofs.watched import AFTER

WAITING = ("choice", "chance", "end")


@dataclass(frozen=True, slots=True)
class Broken:
    """A claim, and the number of steps after which the play breaks it (or, if `reachable`, reaches it)."""

    claim: str
    steps: int
    text: str = ""


class Monitor:
    """Watches plays for some of the claims."""

    def __init__(self, core: Core, claims: Claims, wanted: Iterable[str], rounds: Rounds | None) -> None:
        self.core = core
        self.claims = claims
        self.wanted = set(wanted)
        self.rounds = rounds
        self._encoder = Encoder(core, Terms())
        self._always: list[tuple[str, Term, bool]] = []
        for name in sorted(self.wanted & claims.all.keys()):
            claim = claims.all[name]
            if claim.property is not None:
                term = self._encoder.sound_truth(claim.property.condition, {})
                self._always.append((name, term, claim.kind in ALWAYS))
        self._keeps = [
            (claims.kept(b.name), b.name, self._encoder.sound_truth(e, {}))
            for b in core.blocks
            if b.loop is not None and b.loop.keeps and claims.kept(b.name) in self.wanted
            for e in b.loop.keeps
        ]
        self._watch_ends = GAME_ENDS in self.wanted or any(
            claims.loop(b.name) in self.wanted for b in core.blocks if b.loop is not None
        )

    def look(self, trail: Trail) -> list[Broken]:
        """For each watched claim that the play breaks or reaches, where it first does."""
        found: dict[str, Broken] = {}
        for broken in (*self._records(trail), *self._loops(trail), *self._fault(trail)):
            known = found.get(broken.claim)
            if broken.claim in self.wanted and (known is None or broken.steps < known.steps):
                found[broken.claim] = broken
        return list(found.values())

    def _fault(self, trail: Trail) -> Iterator[Broken]:
        if trail.fault is None:
            return
        yield Broken(claim_of_fault(self.claims, trail.fault), len(trail.steps), str(trail.fault))
        if trail.fault.kind == "endless":
            for claim in self._endless(trail, trail.fault):
                yield Broken(claim, len(trail.steps), str(trail.fault))

    def _endless(self, trail: Trail, fault: Fault) -> Iterable[str]:
        """The loops that go on and ask nobody; where it is not seen which, that of the fault's block."""
        last = len(trail.passed) - 1
        known = range(last - 1, -1, -1) if self.rounds is not None else ()
        first = next((n for n in known if trail.passed[n] == trail.passed[last]), None)
        return [self.claims.loop(fault.block)] if first is None else list(self._around(trail, first, last))

    def _around(self, trail: Trail, first: int, last: int) -> Iterator[str]:
        """The loops that are gone round between two control points: they are come to, and not left."""
        assert self.rounds is not None
        where = self.rounds.where(trail.passed[first : last + 1])
        for nest in self.rounds.nests:
            left = any(self.rounds.is_left(nest, here) for here in where)
            if not left and any(nest.head in here.locations for here in where):
                yield self.claims.loop(nest.head.block)

    def _records(self, trail: Trail) -> Iterator[Broken]:
        waiting = [n for n, (place, _) in enumerate(trail.passed) if place[1] in WAITING]
        columns = Columns([trail.passed[n][1] for n in waiting])
        for name, term, always in self._always:
            for step, value in enumerate(columns.of(term) if waiting else ()):
                if bool(value) is not always:
                    yield Broken(name, step)
                    break
        for claim, block, term in self._keeps:
            heads = [n for n, (place, _) in enumerate(trail.passed) if place == (block, "head")]
            if heads:
                values = Columns([trail.passed[n][1] for n in heads]).of(term)
                yield from (
                    Broken(claim, _steps(trail, n)) for n, v in zip(heads, values, strict=True) if not v
                )

    def _loops(self, trail: Trail) -> Iterator[Broken]:
        if not self._watch_ends or self.rounds is None:
            return
        where = self.rounds.where(trail.passed)
        for nest in self.rounds.nests:
            claim = self.claims.loop(nest.head.block)
            loop = self.core.block[nest.head.block].loop
            if claim in self.wanted and loop is not None and loop.measure:
                pairs = list(self.rounds.of(nest, where))
                yield from self._stalls(claim, pairs, loop.measure, trail)
        yield from self._comes_back(trail)

    def _stalls(
        self, claim: str, pairs: Sequence[tuple[int, int]], measure: Sequence[Expr], trail: Trail
    ) -> Iterator[Broken]:
        """Where the measure does not fall between two visits of the head, one time round apart."""
        if not pairs:
            return
        terms = [self._encoder.number(e, Scope({})) for e in measure]
        before = Columns([trail.passed[a][1] for a, _ in pairs])
        after = Columns([trail.passed[b][1] for _, b in pairs])
        for number, (_, b) in enumerate(pairs):
            was = tuple(before.of(t)[number] for t in terms)
            now = tuple(after.of(t)[number] for t in terms)
            if now >= was or min(now) < 0:
                yield Broken(claim, _steps(trail, b), f"the measure goes from {was} to {now}")
                return

    def _comes_back(self, trail: Trail) -> Iterator[Broken]:
        """A waiting point with a record that was there before: from there the play can go on for ever."""
        assert self.rounds is not None
        seen: dict[Passed, int] = {}
        for number, passed in enumerate(trail.passed):
            if passed[0][1] not in WAITING:
                continue
            if passed in seen:
                text = "the game comes back to where it was"
                yield Broken(GAME_ENDS, _steps(trail, number), text)
                for claim in self._around(trail, seen[passed], number):
                    yield Broken(claim, _steps(trail, number), text)
                return
            seen[passed] = number


def _steps(trail: Trail, number: int) -> int:
    """How many steps were taken before the control point was passed."""
    return sum(1 for wait in trail.waits if wait < number)


def claim_of_fault(claims: Claims, fault: Fault) -> str:
    """The claim that a fault speaks against."""
    return claims.of_fault(fault.kind, fault.subject, fault.block.removesuffix(AFTER), fault.origin.rule)
