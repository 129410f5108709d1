"""Claims in words: which group of the table one belongs to, and what its line is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from rulespec.proofs.claims import EVERY_CHANCE, EVERY_CHOICE, GAME_ENDS, NOTHING_TOLD
from rulespec.proofs.verdicts import Verdict

# In the order of the table.
GROUPS = {
    "end": "It comes to an end",
    "move": "Nobody gets stuck",
    "information": "What is offered gives no secret away",
    "conservation": "Nothing is lost and nothing is made",
    "invariant": "What the rulebook says is always true",
    "bound": "What the rulebook says are limits",
    "reachable": "What the rulebook says can happen",
    "range": "Everything stays in its range",
    "inside": "What the rules require on the way",
    "agreement": "What is played is what is proved",
}
# Claims that sum up others, and the kind of those.
SUMMARIES = {
    EVERY_CHOICE: "choice",
    EVERY_CHANCE: "chance",
    GAME_ENDS: "loop",
    NOTHING_TOLD: "information",
}


@dataclass(frozen=True)
class Words:
    """A claim for people: `label`, and where that is not enough `name` in brackets after it.

    Claims with the same `fold` share one line while all is well with them; `line` is what it is called, and
    `noun` what it counts.
    """

    group: str
    label: str
    name: str = ""
    fold: str = ""
    line: str = ""
    noun: str = ""

    @property
    def exact(self) -> str:
        """The label that no other claim has."""
        return f"{self.label} ({self.name})" if self.name and self.name != self.label else self.label


def words(verdict: Verdict) -> Words:
    """What a verdict's claim is called."""
    title, name = verdict.title, verdict.property
    match verdict.kind:
        case "end":
            return Words("end", "the game")
        case "loop":
            block = name.removeprefix("loop ").removesuffix(" ends")
            label = title or block
            return Words("end", label, block, f"loop {label}", label, "loops")
        case "choice" if name == EVERY_CHOICE:
            return Words("move", "every choice has a move")
        case "choice":
            block = name.removeprefix("choice ").removesuffix(" has a move")
            label = title or block
            return Words("move", label, block, f"choice {label}", label, "choices")
        case "chance" if name == EVERY_CHANCE:
            return Words("move", name, "", "chance", name)
        case "chance":
            block = name.removeprefix("chance ").removesuffix(" has an outcome")
            return Words("move", f"chance in {title or block}", block, "chance", EVERY_CHANCE, "places")
        case "information" if name == NOTHING_TOLD:
            return Words("information", name, "", "information", name)
        case "information":
            block = name.removeprefix("choice ").removesuffix(" offers only what its player sees")
            label = f"what is offered in {title or block}"
            return Words("information", label, block, "information", NOTHING_TOLD, "choices")
        case "conservation":
            piece, _, kind = name.removeprefix("conservation ").partition(".")
            label = title.partition(":")[0] or piece
            return Words("conservation", label, "", kind and piece, piece, "kinds")
        case "invariant" | "bound" | "reachable":
            return Words(verdict.kind, title or name.partition(" ")[2])
        case "agreement":
            return Words("agreement", title)
    return _inside(verdict)


def _inside(verdict: Verdict) -> Words:
    title, name = verdict.title, verdict.property
    match verdict.kind:
        case "range" if name.startswith("range of the locals of "):
            rule = name.removeprefix("range of the locals of ")
            label = f"numbers inside {title or rule}"
            return Words("range", label, rule, "locals", "numbers inside the rules", "rules")
        case "range":
            slot = name.removeprefix("range of ")
            return Words("range", title or slot, slot)
        case "checks":
            rule = name.removeprefix("checks of ")
            label = f"checks in {title or rule}"
            return Words("inside", label, rule, "checks", "what the rules check holds", "rules")
        case "kept":
            rule = name.removeprefix("what the loops of ").removesuffix(" keep")
            label = f"what the loops keep in {title or rule}"
            return Words("inside", label, rule, "kept", "what loops keep", "rules")
    return Words("inside", title or name, name)


def line(members: Sequence[Verdict]) -> str:
    """What the one line of claims with the same fold is called."""
    first = words(members[0])
    names = {each.property for each in members if each.property not in SUMMARIES}
    if first.group == "conservation":
        called = _in_common([words(each).label for each in members]) or first.line
    else:
        called = first.line
    noun = next((noun for each in members if (noun := words(each).noun)), "")
    return f"{called} ({len(names)} {noun})" if len(names) > 1 else called


def _in_common(labels: Sequence[str]) -> str:
    """`building card` of `building card of blue` and `building card of red`."""
    pairs = zip(*(label.split() for label in labels), strict=False)
    return " ".join(same[0] for same in takewhile(lambda w: len(set(w)) == 1, pairs)).removesuffix(" of")


def capital(text: str) -> str:
    """With a capital letter in front."""
    return text[:1].upper() + text[1:]
