"""What is claimed of a core: the stated properties and those that every game must have.

Each claim gets one verdict. Faults, obligations of proofs and broken properties are all named by the claim
they speak against, so that a play and a proof are about the same thing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.compiler.core.tree import Block, Check, Core, Origin, Property, Set, Slot
from rulespec.compiler.core.walk import checks, sets

ALWAYS = ("invariant", "bound", "conservation")
EVERY_CHOICE = "every choice has a move"
EVERY_CHANCE = "every chance has an outcome"
GAME_ENDS = "the game ends"
NOTHING_TOLD = "what is offered depends only on what is seen"


@dataclass(frozen=True, slots=True)
class Claim:
    """`name` is unique in a core. `summary` claims hold where all of `parts` do."""

    name: str
    kind: str
    title: str = ""
    origin: Origin = field(default=Origin(), compare=False)
    property: Property | None = field(default=None, compare=False)
    parts: tuple[str, ...] = ()


class Claims:
    """All claims of a core, by name, stated ones first."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.all: dict[str, Claim] = {}
        self._writers = _writers(core)
        for stated in core.properties:
            self._add(Claim(f"{stated.kind} {stated.name}", stated.kind, stated.title, stated.origin, stated))
        for slot in core.slots:
            self._add(self._range(slot))
        self._places()
        for block in core.blocks:
            if any(True for _ in checks(block.body)):
                self._add(self._checks(rule_of(block)))
            if block.loop and block.loop.keeps:
                self._add(self._kept(rule_of(block)))

    def _add(self, claim: Claim) -> None:
        self.all.setdefault(claim.name, claim)

    def _places(self) -> None:
        choices: list[str] = []
        chances: list[str] = []
        loops: list[str] = []
        offers: list[str] = []
        for block in self.core.blocks:
            if block.kind == "choice":
                self._add(Claim(self.choice(block.name), "choice", _title(self.core, block), block.origin))
                choices.append(self.choice(block.name))
                self._add(self._information(block))
                offers.append(self.information(block.name))
            elif block.kind == "chance":
                self._add(Claim(self.chance(block.name), "chance", _title(self.core, block), block.origin))
                chances.append(self.chance(block.name))
            if block.loop is not None:
                self._add(Claim(self.loop(block.name), "loop", _title(self.core, block), block.origin))
                loops.append(self.loop(block.name))
        self._add(Claim(EVERY_CHOICE, "choice", parts=tuple(choices)))
        self._add(Claim(EVERY_CHANCE, "chance", parts=tuple(chances)))
        self._add(Claim(GAME_ENDS, "end", parts=tuple(loops)))
        self._add(Claim(NOTHING_TOLD, "information", parts=tuple(offers)))

    def named(self, name: str) -> Claim | None:
        """The claim of this name; of a rule's checks also where it has not come into being yet."""
        found = self.all.get(name)
        if found is None:
            unseen = (self._checks(rule) for rule in ("", *(r.name for r in self.core.rules)))
            found = next((claim for claim in unseen if claim.name == name), None)
        return found

    def range_of(self, slot: Slot) -> str:
        return self._range(slot).name

    def checks_of(self, rule: str) -> str:
        return self._checks(rule).name

    def choice(self, block: str) -> str:
        return f"choice {block} has a move"

    def information(self, block: str) -> str:
        return f"choice {block} offers only what its player sees"

    def chance(self, block: str) -> str:
        return f"chance {block} has an outcome"

    def loop(self, block: str) -> str:
        return f"loop {block} ends"

    def kept(self, block: str) -> str:
        return self._kept(rule_of(self.core.block[block])).name

    def _information(self, block: Block) -> Claim:
        return Claim(self.information(block.name), "information", _title(self.core, block), block.origin)

    def _range(self, slot: Slot) -> Claim:
        if slot.role == "state":
            return Claim(f"range of {slot.name}", "range", slot.title, slot.origin)
        rule = self._writers.get(slot.name, "")
        return Claim(f"range of the locals of {rule or 'the game'}", "range", _rule_title(self.core, rule))

    def _checks(self, rule: str) -> Claim:
        return Claim(f"checks of {rule or 'the game'}", "checks", _rule_title(self.core, rule))

    def _kept(self, rule: str) -> Claim:
        return Claim(f"what the loops of {rule or 'the game'} keep", "kept", _rule_title(self.core, rule))

    def of_fault(self, kind: str, subject: str, block: str, rule: str) -> str:
        """The claim that a fault, or an obligation not met, speaks against; the claim comes into being if
        need be.

        `subject` is the slot for `range`; `rule` that of the place, "" if unknown.
        """
        match kind:
            case "choice" | "seat":
                return self.choice(block)
            case "chance":
                return self.chance(block)
            case "range" if subject in self.core.slot:
                return self._range(self.core.slot[subject]).name
            case "endless":
                return GAME_ENDS
        claim = self._checks(rule or rule_of(self.core.block[block]))
        self._add(claim)
        return claim.name


def rule_of(block: Block) -> str:
    """The rule that a block belongs to, as far as its origin or its statements' tell."""
    if block.origin.rule:
        return block.origin.rule
    for statement in block.body:
        if isinstance(statement, Set | Check) and statement.origin.rule:
            return statement.origin.rule
    return ""


def _writers(core: Core) -> dict[str, str]:
    """For each slot the first rule that sets it."""
    found: dict[str, str] = {}
    for block in core.blocks:
        for statement in sets(block.body):
            found.setdefault(statement.slot, statement.origin.rule or rule_of(block))
    return found


def _rule_title(core: Core, rule: str) -> str:
    return next((r.title for r in core.rules if r.name == rule), "")


def _title(core: Core, block: Block) -> str:
    return _rule_title(core, rule_of(block))
