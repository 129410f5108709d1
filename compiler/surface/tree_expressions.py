"""The tree as written: names, types and expressions. `tree.py` hands all of them on."""

from __future__ import annotations

from rulespec.compiler.spans import Span
from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier where it is written."""

    text: str
    span: Span


# --- types -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NamedType:
    """`Color`, `Player`, `Bool`, `Int`, `ducat`, optionally with a range: `Int in 0..9`."""

    name: Name
    low: Expr | None
    high: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class OptionType:
    """`Player?`."""

    inner: Type
    span: Span


@dataclass(frozen=True, slots=True)
class TupleType:
    """`(winner: Player?, price: money)`; the names may be missing."""

    items: tuple[tuple[Name | None, Type], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class GenericType:
    """`Set[Color]`, `Bag[Building]`, `Deck[CityCard]`, `Map[K, V]`, `List[T] up to n`."""

    head: Name
    arguments: tuple[Type, ...]
    limit: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class FunctionType:
    """`(Player) -> money`: only for parameters of rules and functions."""

    parameters: tuple[Type, ...]
    result: Type
    span: Span


Type = NamedType | OptionType | TupleType | GenericType | FunctionType


# --- expressions -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Nothing:
    """`none`."""

    span: Span


@dataclass(frozen=True, slots=True)
class Ref:
    """A name used as a value."""

    name: Name
    span: Span


@dataclass(frozen=True, slots=True)
class FieldOf:
    """`p.hand`."""

    value: Expr
    field: Name
    span: Span


@dataclass(frozen=True, slots=True)
class Index:
    """`on[r, p]`, `reserve[c]`."""

    value: Expr
    keys: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """`affordable(p, c)`: functions, rules and the built-in `size`, `min`, `max`, `abs`."""

    function: Name
    arguments: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    """`not x`, `-x`, `some x`, `left of p`, `right of p`, `others of p`, `half up x`, `half down x`."""

    operator: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """`+ - * div mod`, `= != < <= > >=`, `in`, `not in`, `and or implies`, `union minus intersect`."""

    operator: str
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class IsSome:
    """`winner is some p` (binds `p` where the test is true), `winner is none` when `name` is None."""

    value: Expr
    name: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class IsReading:
    """`reading bank is limited`."""

    reading: Name
    meaning: Name
    span: Span


@dataclass(frozen=True, slots=True)
class IsVariant:
    """`variant generous`: true when that variant is played."""

    variant: Name
    span: Span


@dataclass(frozen=True, slots=True)
class Conditional:
    """`a if c else b`."""

    condition: Expr
    then: Expr
    other: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class RangeExpr:
    """`a..b`, both ends in."""

    low: Expr
    high: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class SeatsFrom:
    """`players from p`: all seats clockwise, starting with `p`."""

    start: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Generator:
    """`c in Color`, one source of values in a quantifier, fold, comprehension or `for`."""

    name: Name
    domain: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Fold:
    """A value made from many.

    `operator` is one of `all any` (body is the test), `sum min max` (`sum(E for c in Color where W)`),
    `count` (`count(c in Color where W)`, no body), `first` (`first q in players from p where W`, one
    generator, gives an option), `set` (`{c in Color where W}`), `map` (`{k: E for c in Color}`, one
    generator; `key` is k). `default` is the `or E` of `min` and `max`.
    """

    operator: str
    generators: tuple[Generator, ...]
    where: Expr | None
    body: Expr | None
    span: Span
    default: Expr | None = None
    key: Expr | None = None


@dataclass(frozen=True, slots=True)
class TupleExpr:
    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SetExpr:
    """`{green, red}`; `{}` is the empty set, bag or map, by what is expected."""

    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class MapExpr:
    """`{blue: 2, red: 1}`: a map, a bag, or a record, by what is expected."""

    items: tuple[tuple[Expr, Expr], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ListExpr:
    """`[a, b]`."""

    items: tuple[Expr, ...]
    span: Span


Expr = (
    Number
    | Truth
    | Nothing
    | Ref
    | FieldOf
    | Index
    | Call
    | Unary
    | Binary
    | IsSome
    | IsReading
    | IsVariant
    | Conditional
    | RangeExpr
    | SeatsFrom
    | Fold
    | TupleExpr
    | SetExpr
    | MapExpr
    | ListExpr
)
