"""Which rules a claim is about: those where it stands, and those that change what it speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulespec.compiler.core.tree import Core
from rulespec.compiler.core.walk import checks, reads, sets
from rulespec.proofs.claims import Claim, Claims, rule_of


class About:
    """For the claims of one core. Rules are told by the names that they have in the text."""

    def __init__(self, core: Core, claims: Claims) -> None:
        self._core = core
        self._claims = claims
        self._standing = _gathered(self._places())
        self._writers = _gathered(_writers(core))

    def rules(self, claim: Claim) -> tuple[str, ...]:
        """Those where the claim stands: whose loop ends, whose choice has a move."""
        return tuple(self._standing.get(claim.name, {}))

    def touching(self, claim: Claim) -> tuple[str, ...]:
        """Those that change a variable that the claim reads, or of which it is the range."""
        if claim.property is not None:
            slots = {read.slot for read in reads(claim.property.condition)}
        elif claim.name.startswith("range of "):
            slots = {slot.name for slot in self._core.slots if self._claims.range_of(slot) == claim.name}
        else:
            slots = set()
        rules = {rule for slot in slots for rule in self._writers.get(slot, ())}
        own = self._standing.get(claim.name, {})
        return tuple(rule.name for rule in self._core.rules if rule.name in rules and rule.name not in own)

    def _places(self) -> Iterator[tuple[str, str]]:
        claims = self._claims
        for block in self._core.blocks:
            rule = rule_of(block)
            if block.kind == "choice":
                yield claims.choice(block.name), rule
                yield claims.information(block.name), rule
            elif block.kind == "chance":
                yield claims.chance(block.name), rule
            if block.loop is not None:
                yield claims.loop(block.name), rule
                if block.loop.keeps:
                    yield claims.kept(block.name), rule
            for check in checks(block.body):
                of = check.origin.rule or rule
                yield claims.checks_of(of), of
        for name in (rule.name for rule in self._core.rules):
            yield claims.checks_of(name), name
            yield f"range of the locals of {name}", name


def _writers(core: Core) -> Iterator[tuple[str, str]]:
    for block in core.blocks:
        for statement in sets(block.body):
            if rule := statement.origin.rule or rule_of(block):
                yield statement.slot, rule


def _gathered(pairs: Iterator[tuple[str, str]]) -> Mapping[str, Mapping[str, None]]:
    """The second parts by the first, each once and in order."""
    found: dict[str, dict[str, None]] = {}
    for first, second in pairs:
        if second:
            found.setdefault(first, {})[second] = None
    return found
