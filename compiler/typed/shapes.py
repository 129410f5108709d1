"""Types compared and shown: which are the same up to ranges, which hold pieces or money."""

from __future__ import annotations

from rulespec.compiler.typed import tree as t
from rulespec.compiler.values import dataclass

# Stands where a type could not be found: it agrees with every other, so that one mistake is told once.
UNKNOWN = t.TEnum("?")
INT = t.TInt()
POINTS = t.TInt("points")

# Inside a rule of a module that nobody calls, `money` is a unit of its own.
MONEY = "money"


@dataclass(frozen=True, slots=True)
class FunctionShape:
    """`(Player) -> ducat`, the type of a parameter that stands for a function."""

    parameters: tuple[t.Type, ...]
    result: t.Type


Shape = t.Type | FunctionShape


def known(*types: t.Type) -> bool:
    return UNKNOWN not in types


def same(a: t.Type, b: t.Type) -> bool:
    """Equal up to the ranges of numbers, the names of components and the limits of lists."""
    if a is b or a == UNKNOWN or b == UNKNOWN:
        return True
    match a, b:
        case t.TInt(), t.TInt():
            return a.unit == b.unit
        case t.TOption(), t.TOption():
            return same(a.inner, b.inner)
        case t.TTuple(), t.TTuple():
            return len(a.items) == len(b.items) and all(map(same, a.items, b.items))
        case t.TRecord(), t.TRecord():
            return a.name == b.name
        case (t.TSet(k), t.TSet(l)) | (t.TBag(k), t.TBag(l)) | (t.TDeck(k), t.TDeck(l)):
            return same(k, l)
        case t.TMap(), t.TMap():
            return same(a.key, b.key) and same(a.value, b.value)
        case t.TList(), t.TList():
            return same(a.item, b.item)
        case _:
            return a == b


def plain(type: t.Type) -> t.Type:
    """The type of a value that is read: without range, and no longer a place."""
    match type:
        case t.TInt(unit, low, high) if low is not None or high is not None:
            return t.TInt(unit)
        case t.TSet(kind, piece) if piece:
            return t.TSet(kind)
        case t.TBag(kind, piece) if piece:
            return t.TBag(kind)
        case t.TOption(inner):
            return t.TOption(plain(inner))
        case t.TMap(key, value):
            return t.TMap(key, plain(value))
        case t.TTuple(names, items):
            return t.TTuple(names, tuple(map(plain, items)))
        case _:
            return type


def scalar(type: t.Type) -> bool:
    return isinstance(type, (t.TBool, t.TInt, t.TEnum)) or (
        isinstance(type, t.TOption) and scalar(type.inner)
    )


def is_money(type: t.Type) -> bool:
    return isinstance(type, t.TInt) and type.unit not in ("", "points")


def holds(type: t.Type) -> str:
    """`pieces` or `money` when a state variable of this type is a place, else ""."""
    match type:
        case t.TSet() | t.TBag() | t.TDeck():
            return "pieces" if type.piece else ""
        case t.TMap():
            return holds(type.value)
        case _:
            return "money" if is_money(type) else ""


def show(type: Shape) -> str:
    """As a person would write it."""
    match type:
        case t.TBool():
            return "Bool"
        case t.TInt():
            return type.unit or "Int"
        case t.TEnum():
            return type.name
        case t.TOption():
            return f"{show(type.inner)}?"
        case t.TTuple():
            parts = (f"{n}: {show(i)}" if n else show(i) for n, i in zip(type.names, type.items, strict=True))
            return f"({', '.join(parts)})"
        case t.TRecord():
            return type.name
        case t.TSet() | t.TBag() | t.TDeck():
            return f"{type.__class__.__name__[1:]}[{type.piece or type.kind.name}]"
        case t.TMap():
            return f"Map[{type.key.name}, {show(type.value)}]"
        case t.TList():
            return f"List[{show(type.item)}]"
        case FunctionShape():
            return f"({', '.join(map(show, type.parameters))}) -> {show(type.result)}"


def a_type(type: Shape) -> str:
    """The type with its article and in backticks, for messages."""
    return an(show(type))


def an(word: str) -> str:
    """`an` or `a` and the word in backticks."""
    return f"an `{word}`" if word[:1] in "AEIOUaeiou" else f"a `{word}`"


def with_unit(type: Shape, money: str) -> Shape:
    """The type with `money` replaced by the unit that a call fixes."""
    match type:
        case FunctionShape():
            return FunctionShape(
                tuple(put_unit(p, money) for p in type.parameters), put_unit(type.result, money)
            )
        case _:
            return put_unit(type, money)


def put_unit(type: t.Type, money: str) -> t.Type:
    match type:
        case t.TInt() if type.unit == MONEY:
            return t.TInt(money, type.low, type.high)
        case t.TOption():
            return t.TOption(put_unit(type.inner, money))
        case t.TTuple():
            return t.TTuple(type.names, tuple(put_unit(i, money) for i in type.items))
        case t.TMap():
            return t.TMap(type.key, put_unit(type.value, money))
        case t.TList():
            return t.TList(put_unit(type.item, money), type.limit)
        case _:
            return type


def unit_in(pattern: t.Type, actual: t.Type) -> str | None:
    """The unit that stands in `actual` where `pattern` says `money`; None when it does not tell."""
    match pattern, actual:
        case t.TInt(), t.TInt():
            return actual.unit if pattern.unit == MONEY else None
        case t.TOption(), t.TOption():
            return unit_in(pattern.inner, actual.inner)
        case t.TOption(), _:
            return unit_in(pattern.inner, actual)
        case t.TMap(), t.TMap():
            return unit_in(pattern.value, actual.value)
        case t.TList(), t.TList():
            return unit_in(pattern.item, actual.item)
        case t.TTuple(), t.TTuple():
            found = (unit_in(p, a) for p, a in zip(pattern.items, actual.items, strict=False))
            return next((u for u in found if u is not None), None)
        case _:
            return None


def mentions_money(type: Shape) -> bool:
    match type:
        case FunctionShape():
            return mentions_money(type.result) or any(map(mentions_money, type.parameters))
        case t.TInt():
            return type.unit == MONEY
        case t.TOption():
            return mentions_money(type.inner)
        case t.TTuple():
            return any(map(mentions_money, type.items))
        case t.TMap():
            return mentions_money(type.value)
        case t.TList():
            return mentions_money(type.item)
        case _:
            return False
