"""Numbers of the rules for people, with each number of players."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulespec.compiler.typed.tree import TBool, TInt
from rulespec.reference.amounts import Value, runs
from rulespec.reference.parts import Param
from rulespec.reference.values import Words, said
from rulespec.site.page import text
from rulespec.site.pages.cells import players

Show = Callable[[Value], str]


def plainly(value: Value) -> str:
    """A number of things; without end where it is none."""
    return "without end" if value is None else f"{value:,}"


def worded(words: Words, param: Param) -> Show:
    """How the values of a param are told: `yes`, `5 ducats`, `red`."""
    match param.type:
        case TBool():
            return lambda value: "yes" if value else "no"
        case TInt(unit):
            return lambda value: words.amount(value or 0, unit)
    return lambda value: said(words.value(param.type, value))


def values(found: Iterable[tuple[int, Value]], show: Show) -> str:
    """One value where there is one, else each with the numbers of players that have it, as HTML."""
    shown = runs(found)
    if len(shown) == 1:
        return text(show(shown[0][1]))
    return "<br>".join(with_players(numbers, show(value)) for numbers, value in shown)


def with_players(numbers: Iterable[int], shown: str) -> str:
    """`3 to 5 players: 4`."""
    return f"{players(numbers)}: {text(shown)}"
