"""`did you mean`: the known names nearest to a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

# What beginners know by another name.
FOREIGN_FUNCTIONS = {
    "range": ("a range is written `0..3`, with both ends in it",),
    "len": ("`size(...)` says how many there are",),
    "length": ("`size(...)` says how many there are",),
    "next": ("the next player is `left of p`",),
    "random": ("write `let x = random k in 1..6`, or `roll 1d6`",),
    "randint": ("write `let x = random k in 1..6`, or `roll 1d6`",),
    "shuffle": ("a `Deck` is always shuffled",),
    "round": ("write `half up x` or `half down x`",),
    "floor": ("`div` rounds down",),
}
FOREIGN_VALUES = dict.fromkeys(("null", "None", "nil", "nobody", "undefined"), ("write `none`",))
FOREIGN_VALUES |= {"True": ("write `true`",), "False": ("write `false`",)}

NEAR = 0.7
MOST = 3


def nearest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Up to three names like `name`, the likeliest first."""
    scored = sorted((-_likeness(name, other), other) for other in set(known) if other != name)
    return tuple(other for score, other in scored if -score >= NEAR)[:MOST]


def _likeness(a: str, b: str) -> float:
    low, other = a.lower(), b.lower()
    if low == other:
        return 1.0
    if abs(len(low) - len(other)) > max(len(low), len(other)) // 2:
        return 0.0
    return SequenceMatcher(None, low, other).ratio()


def did_you_mean(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The advice itself: one line, or nothing when no name is near."""
    names = [f"`{n}`" for n in nearest(name, known)]
    if not names:
        return ()
    listed = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
    return (f"did you mean {listed}?",)


def listing(names: Iterable[str], most: int = 8) -> str:
    """`a`, `b`, `c` and 4 more."""
    quoted = [f"`{n}`" for n in names]
    if len(quoted) <= most:
        return ", ".join(quoted)
    return ", ".join(quoted[:most]) + f" and {len(quoted) - most} more"


def with_article(sort: str) -> str:
    """`an enum`, `a table`."""
    return f"an {sort}" if sort[0] in "aeiou" else f"a {sort}"
