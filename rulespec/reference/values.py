"""Values and kinds of value in words: `2 green, 1 red`, `4 ducats`, `a number from 0 to 10`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.constants import NotConstant, Value, evaluate
from rulespec.compiler.typed.print_expressions import Printer

TOGETHER = "\u00a0"  # a space at which no line ends: between a number and what it counts


@dataclass(frozen=True)
class Run:
    """A stretch of words; where it names a member of an enum or a row of a table, which one."""

    text: str
    enum: str = ""
    member: str = ""


Runs = tuple[Run, ...]


def said(runs: Iterable[Run]) -> str:
    """The words alone."""
    return "".join(run.text for run in runs)


class Words:
    """Tells values in the words of one rulebook."""

    def __init__(self, rulebook: t.Rulebook) -> None:
        self.enums = {enum.name: enum for enum in rulebook.enums}
        self.currencies = {each.name: each for each in rulebook.currencies}
        self.titles = {enum.name: enum.title for enum in rulebook.enums}
        self.titles |= {piece.name: piece.title for piece in rulebook.pieces}
        self.printer = Printer({enum.name: enum.members for enum in rulebook.enums})

    def cell(self, type: t.Type, e: t.Expr) -> Runs:
        """What a constant expression comes to; as it is written where that is not known before play."""
        try:
            return self.value(type, evaluate(e))
        except NotConstant:
            return (Run(self.printer.show(e)),)

    def value(self, type: t.Type, value: Value) -> Runs:
        """A value as `typed.constants` has it."""
        match type:
            case t.TBool():
                return (Run("yes" if value else "no"),)
            case t.TInt(unit):
                return (Run(self.amount(value, unit)),)
            case t.TEnum(name):
                return (self.member(name, value),)
            case t.TOption(inner):
                return (Run("none"),) if value is None else self.value(inner, value)
            case t.TSet(kind):
                return _joined([(self.member(kind.name, k),) for k in sorted(value)])
            case t.TBag(kind) | t.TDeck(kind):
                counted = [(k, n) for k, n in sorted(value.items()) if n]
                return _joined([(Run(f"{n}{TOGETHER}"), self.member(kind.name, k)) for k, n in counted])
            case _:
                return _joined(list(self._parts(type, value)))

    def _parts(self, type: t.Type, value: Value) -> Iterator[Runs]:
        match type:
            case t.TMap(key, inner):
                for k, each in sorted(value.items()):
                    yield (self.member(key.name, k), Run(": "), *self.value(inner, each))
            case t.TList(item):
                yield from (self.value(item, each) for each in value)
            case t.TTuple(names, items):
                for name, item, each in zip(names, items, value, strict=True):
                    yield (Run(f"{spaced(name)}: " if name else ""), *self.value(item, each))
            case t.TRecord(_, fields):
                for (name, item), each in zip(fields, value, strict=True):
                    yield (Run(f"{spaced(name)}: "), *self.value(item, each))

    def member(self, enum: str, position: int) -> Run:
        """A member by its position; a seat is called as in the rules."""
        if enum == "Player":
            return Run(f"p{position}")
        found = self.enums[enum]
        return Run(found.labels[position] or found.members[position], enum, found.members[position])

    def amount(self, number: int, unit: str) -> str:
        """`4 ducats`, `1 point`."""
        if not unit:
            return f"{number:,}"
        if abs(number) == 1:
            return f"{number}{TOGETHER}{'point' if unit == 'points' else unit}"
        return f"{number:,}{TOGETHER}{self.unit(unit)}"

    def unit(self, unit: str) -> str:
        """What several of a currency are called; `points` are points."""
        return self.currencies[unit].title or unit if unit in self.currencies else unit

    def kind(self, type: t.Type) -> str:
        """What values a type has: `number from 0 to 10`, `pile: building card`."""
        match type:
            case t.TBool():
                return "yes or no"
            case t.TInt(unit, low, high):
                return f"{self.unit(unit) if unit else 'number'}{self._ends(low, high)}"
            case t.TEnum(name):
                return self.title(name)
            case t.TOption(inner):
                return f"{self.kind(inner)}, or none"
            case t.TSet(kind, piece):
                return f"set: {self.title(piece or kind.name)}"
            case t.TBag(kind, piece):
                return f"bag: {self.title(piece or kind.name)}"
            case t.TDeck(_, piece):
                return f"shuffled pile: {self.title(piece)}"
            case t.TMap(key, inner):
                return f"for each {without_article(self.title(key.name))}: {self.kind(inner)}"
            case t.TList(item, limit):
                return f"list of up to {self.printer.show(limit)}: {self.kind(item)}"
            case t.TTuple(names, items):
                return self._record(zip(names, items, strict=True))
            case t.TRecord(name, fields):
                return f"{name} ({self._record(fields)})"

    def _record(self, fields: Iterable[tuple[str, t.Type]]) -> str:
        parts = (f"{spaced(name)}: {self.kind(type)}" if name else self.kind(type) for name, type in fields)
        return ", ".join(parts)

    def _ends(self, low: t.Expr | None, high: t.Expr | None) -> str:
        if low is None or high is None:
            return ""
        return f" from {self.bound(low)} to {self.bound(high)}"

    def bound(self, e: t.Expr) -> str:
        """A limit of a range: its number alone where it is one, else as the rules write it."""
        return f"{e.value:,}" if isinstance(e, t.Lit) else self.printer.show(e)

    def least(self, type: t.Type) -> str:
        """What a variable begins with when the rules do not say; "" for what is not known before play."""
        match type:
            case t.TBool():
                return "no"
            case t.TInt(unit, low, high):
                if low is None and (high is None or isinstance(high, t.Lit)):
                    return self.amount(min(0, high.value) if isinstance(high, t.Lit) else 0, unit)
                return self.amount(low.value, unit) if isinstance(low, t.Lit) else ""
            case t.TEnum(name):
                return self.member(name, 0).text
            case t.TOption():
                return "none"
            case t.TSet() | t.TBag() | t.TDeck() | t.TList():
                return "empty"
            case t.TMap(_, value):
                return f"each: {inside}" if (inside := self.least(value)) else ""
        return ""

    def title(self, name: str) -> str:
        """What an enum, table or piece is called, without its article."""
        if name == "Player":
            return "player"
        return without_article(self.titles.get(name) or name)

    # --- limits of what is assumed --------------------------------------------------------------------------

    def limit(self, e: t.Expr) -> str:
        """A test over the columns of a row in words, "" where the rules' own text is the best there is."""
        match e:
            case t.Within(value, t.Numbers(low, high)):
                return self._about(value, f"from {self.bound(low)} to {self.bound(high)}")
            case t.Compare(operator, value, right) if (
                isinstance(right.type, t.TInt) and operator in _COMPARED
            ):
                return self._about(value, f"{_COMPARED[operator]} {self.bound(right)}")
            case t.Logic("and", parts):
                each = [self.limit(part) for part in parts]
                return ", and ".join(each) if all(each) else ""
        return ""

    def _about(self, value: t.Expr, rest: str) -> str:
        match value:
            case t.ColumnOf(_, column, _, t.TInt(unit)):
                return f"{spaced(column)}: {rest}" + (f" {self.unit(unit)}" if unit else "")
            case t.Size(t.ColumnOf(_, column)):
                return f"{spaced(column)}: {rest} in all"
        return ""


_COMPARED = {
    "=": "exactly",
    "!=": "anything but",
    "<": "less than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
}


def spaced(name: str) -> str:
    """A name of the rules as words."""
    return name.replace("_", " ")


def without_article(title: str) -> str:
    """`color` for `a color`: titles of enums are written with an article, those of pieces without."""
    for article in ("a ", "an ", "the "):
        if title.startswith(article) and len(title) > len(article):
            return title.removeprefix(article)
    return title


def _joined(parts: Sequence[Runs]) -> Runs:
    if not parts:
        return (Run("none"),)
    return tuple(
        run for n, part in enumerate(parts) for run in ((Run(", "), *part) if n else part) if run.text
    )
