"""Typed types and expressions as text: like the language, with every operand in brackets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulespec.compiler.typed import tree as t


@dataclass(frozen=True)
class Printer:
    """`members` gives the names of an enum's members in order."""

    members: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def type(self, type: t.Type) -> str:
        match type:
            case t.TBool():
                return "Bool"
            case t.TInt(unit, low, high):
                ends = (
                    f" in {self.show(low)}..{self.show(high)}" if low is not None and high is not None else ""
                )
                return f"{unit or 'Int'}{ends}"
            case t.TEnum(name):
                return name
            case t.TOption(inner):
                return f"{self.type(inner)}?"
            case t.TTuple(names, items):
                parts = (
                    f"{n}: {self.type(i)}" if n else self.type(i) for n, i in zip(names, items, strict=True)
                )
                return f"({', '.join(parts)})"
            case t.TRecord(name):
                return name
            case t.TSet(kind, piece):
                return f"Set[{piece or kind.name}]"
            case t.TBag(kind, piece):
                return f"Bag[{piece or kind.name}]"
            case t.TDeck(_, piece):
                return f"Deck[{piece}]"
            case t.TMap(key, value):
                return f"Map[{key.name}, {self.type(value)}]"
            case t.TList(item, limit):
                return f"List[{self.type(item)}] up to {self.show(limit)}"

    def show(self, e: t.Expr) -> str:
        """An expression; a number with a unit is followed by it, as in `5 ducat`."""
        match e:
            case t.Lit(value, type):
                return self._literal(value, type)
            case t.NoneOf():
                return "none"
            case t.SomeOf(value):
                return f"some {self.show(value)}"
            case t.ParamRef(name) | t.Local(name) | t.Bound(name):
                return name
            case t.StateRef(name, player):
                return name if player is None else f"{self.show(player)}.{name}"
            case t.ColumnOf(_, column, row):
                return f"{self.show(row)}.{column}"
            case t.SquareAt(column, row, _, _, type):
                return f"{self.type(type.inner)}({self.show(column)}, {self.show(row)})"
            case t.FieldOf(value, position):
                return f"{self.show(value)}.{_part(value.type, position)}"
            case t.IndexOf(value, key):
                return f"{self.show(value)}[{self.show(key)}]"
            case t.CallFunction(function, arguments):
                return f"{function}({self._all(arguments)})"
            case t.ReadingIs(reading, meaning):
                return f"(reading {reading} is {meaning})"
            case t.VariantOn(variant):
                return f"(variant {variant})"
            case t.Seat(side, player):
                return f"({side} of {self.show(player)})"
            case t.Size(value):
                return f"size({self.show(value)})"
            case _:
                return self._operation(e)

    def _operation(self, e: t.Expr) -> str:
        match e:
            case t.Arith(operator, (left, right)) if operator not in ("min", "max"):
                return f"({self.show(left)} {operator} {self.show(right)})"
            case t.Arith(operator, arguments):
                return f"{operator}({self._all(arguments)})"
            case t.Compare(operator, left, right) | t.SetOp(operator, left, right):
                return f"({self.show(left)} {operator} {self.show(right)})"
            case t.Logic(_, (only,)):
                return f"(not {self.show(only)})"
            case t.Logic(operator, arguments):
                return "(" + f" {operator} ".join(map(self.show, arguments)) + ")"
            case t.Within(value, domain):
                return f"({self.show(value)} in {self.domain(domain)})"
            case t.IsSome(value, binder):
                return f"({self.show(value)} is some{f' {binder.name}' if binder else ''})"
            case t.Conditional(condition, then, other):
                return f"({self.show(then)} if {self.show(condition)} else {self.show(other)})"
            case _:
                return self._many(e)

    def _many(self, e: t.Expr) -> str:
        match e:
            case t.Fold(operator, generators, where, body, default):
                inside = f"{self.show(body)} for " if body is not None else ""
                inside += ", ".join(map(self.generator, generators)) + self.where(where)
                inside += f" or {self.show(default)}" if default is not None else ""
                return f"{operator}({inside})"
            case t.SetOf(generator, where):
                return f"{{{self.generator(generator)}{self.where(where)}}}"
            case t.MapOf(generator, value):
                return f"{{{generator.binder.name}: {self.show(value)} for {self.generator(generator)}}}"
            case t.SetLit(items):
                return f"{{{self._all(items)}}}"
            case t.MapLit(entries):
                return "{" + ", ".join(f"{self.show(k)}: {self.show(v)}" for k, v in entries) + "}"
            case t.ListLit(items):
                return f"[{self._all(items)}]"
            case t.TupleLit(items):
                return f"({self._all(items)})"
        raise TypeError(f"no text for {type(e).__name__}")

    def _all(self, items: Sequence[t.Expr]) -> str:
        return ", ".join(map(self.show, items))

    def _literal(self, value: int, type: t.Type) -> str:
        match type:
            case t.TBool():
                return "true" if value else "false"
            case t.TInt(unit):
                return f"{value} {unit}" if unit else str(value)
            case t.TEnum("Player"):
                return f"p{value}"
            case t.TEnum(name) if value < len(self.members.get(name, ())):
                return self.members[name][value]
        return f"?{value}"

    def generator(self, g: t.Generator) -> str:
        return f"{g.binder.name} in {self.domain(g.domain)}"

    def where(self, e: t.Expr | None) -> str:
        return f" where {self.show(e)}" if e is not None else ""

    def domain(self, domain: t.Domain) -> str:
        match domain:
            case t.EveryMember(enum):
                return enum.name
            case t.SeatsFrom(start):
                return f"players from {self.show(start)}"
            case t.Numbers(low, high):
                return f"{self.show(low)}..{self.show(high)}"
            case t.Members(value):
                return self.show(value)


def _part(type: t.Type, position: int) -> str:
    match type:
        case t.TTuple(names):
            return names[position] or str(position)
        case t.TRecord(_, fields):
            return fields[position][0]
        case _:
            return str(position)
