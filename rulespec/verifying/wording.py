"""Claims in words: which group of the table one belongs to, and what its line is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from rulespec.proofs.claims import EVERY_CHANCE, EVERY_CHOICE, GAME_ENDS
from rulespec.proofs.verdicts import Verdict

# In the order of the table.
GROUPS = {
    "end": "It comes to an end",
    "move": "Nobody gets stuck",
    "conservation": "Nothing is lost and nothing is made",
    "invariant": "What the rulebook says is always true",
    "bound": "What the rulebook says are limits",
    "reachable": "What the rulebook says can happen",
    "range": "Everything stays in its range",
    "inside": "What the rules require on the way",
    "agreement": "What is played is what is proved",
}
# Claims that sum up others, and the kind of those.
SUMMARIES = {EVERY_CHOICE: "choice", EVERY_CHANCE: "chance", GAME_ENDS: "loop"}


@dataclass(frozen=True)
class Words:
    """A claim for people.

    Claims with the same `fold` share one line while all is well with them; `line` is what it is called, and
    `noun` what it counts.
    """

    group: str
    label: str
    fold: str = ""
    line: str = ""
    noun: str = ""


def words(verdict: Verdict) -> Words:
    """What a verdict's claim is called."""
    title, name = verdict.title, verdict.property
    match verdict.kind:
        case "end":
            return Words("end", "the game")
        case "loop":
            block = name.removeprefix("loop ").removesuffix(" ends")
            return Words("end", _with(title, block), f"loop {title or block}", title or block, "loop")
        case "choice" if name == EVERY_CHOICE:
            return Words("move", "every choice has a move")
        case "choice":
            block = name.removeprefix("choice ").removesuffix(" has a move")
            return Words("move", _with(title, block), f"choice {title or block}", title or block, "choice")
        case "chance" if name == EVERY_CHANCE:
            return Words("move", "every chance has an outcome", "chance", "every chance has an outcome")
        case "chance":
            block = name.removeprefix("chance ").removesuffix(" has an outcome")
            label = f"chance in {_with(title, block)}"
            return Words("move", label, "chance", "every chance has an outcome", "place")
        case "conservation":
            piece, _, kind = name.removeprefix("conservation ").partition(".")
            return Words("conservation", title.partition(":")[0] or piece, kind and piece, piece, "kind")
        case "invariant" | "bound" | "reachable":
            return Words(verdict.kind, title or name.partition(" ")[2])
        case "agreement":
            return Words("agreement", title)
    return _inside(verdict)


def _inside(verdict: Verdict) -> Words:
    title, name = verdict.title, verdict.property
    match verdict.kind:
        case "range" if name.startswith("range of the locals of "):
            rule = title or name.removeprefix("range of the locals of ")
            return Words("range", f"numbers inside {rule}", "locals", "numbers inside the rules", "rule")
        case "range":
            return Words("range", _with(title, name.removeprefix("range of ")))
        case "checks":
            rule = title or name.removeprefix("checks of ")
            return Words("inside", f"checks in {rule}", "checks", "what the rules check holds", "rule")
        case "kept":
            rule = title or name.removeprefix("what the loops of ").removesuffix(" keep")
            return Words("inside", f"what the loops keep in {rule}", "kept", "what loops keep", "rule")
    return Words("inside", title or name)


def line(members: Sequence[Verdict]) -> str:
    """What the one line of claims with the same fold is called."""
    first = words(members[0])
    names = {each.property for each in members if each.property not in SUMMARIES}
    if len(names) < 2 and first.group in ("conservation", "end"):
        return first.label if first.group == "conservation" else first.line
    called = first.line
    if first.group == "conservation":
        called = _in_common([words(each).label for each in members]) or called
    if not names:
        return called
    noun = next((noun for each in members if (noun := words(each).noun)), "claim")
    return f"{called} ({len(names)} {noun}{'s' * (len(names) != 1)})"


def _in_common(labels: Sequence[str]) -> str:
    """`building card` of `building card of blue` and `building card of red`."""
    pairs = zip(*(label.split() for label in labels), strict=False)
    return " ".join(same[0] for same in takewhile(lambda w: len(set(w)) == 1, pairs)).removesuffix(" of")


def capital(text: str) -> str:
    """With a capital letter in front."""
    return text[:1].upper() + text[1:]


def _with(title: str, name: str) -> str:
    return f"{title} ({name})" if title else name
