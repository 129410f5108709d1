"""How values of each type lie in slots and constant tables, and how they are read there.

A scalar is one number, a truth value 0 or 1, an option of a member one number that is -1 for none. An option
of a number is two: `x.some` and `x`. A set is 0 or 1 for each member, a bag or deck the count of each kind; a
map puts its key before the indices of what it holds. Tuples and records are one slot (or more) for each part,
`x.part`; a list is `x.size` and its items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulespec.compiler.core import build
from rulespec.compiler.core.context import Context
from rulespec.compiler.core.tree import FALSE, Domain, Expr, Read
from rulespec.compiler.core.views import (
    BagView,
    ListView,
    MapView,
    Maybe,
    SetView,
    TupleView,
    View,
    as_bag,
    code_of,
    coded,
    components,
    maybe,
    scalar,
)
from rulespec.compiler.typed.tree import (
    TBag,
    TBool,
    TDeck,
    TEnum,
    TInt,
    TList,
    TMap,
    TOption,
    TRecord,
    TSet,
    TTuple,
    Type,
)
from rulespec.compiler.values import dataclass

Element = Callable[[str, tuple[Expr, ...]], Expr]  # by the name of a slot or table
Bounds = Callable[[TInt], tuple[int | None, int | None]]
Limit = Callable[[TList], int]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One slot or table of a value: `type` is a scalar, set, bag or deck as far as its numbers go."""

    name: str
    dims: tuple[Domain, ...]
    type: Type
    low: int | None
    high: int | None
    domain: Domain


def part_names(type: TTuple | TRecord) -> tuple[str, ...]:
    """Names of the parts, their numbers where they have none."""
    names = type.names if isinstance(type, TTuple) else tuple(name for name, _ in type.fields)
    return tuple(name or str(n) for n, name in enumerate(names))


def holds_numbers(type: Type) -> bool:
    return isinstance(type, TOption) and isinstance(type.inner, TInt)


def read(ctx: Context, name: str, type: Type, index: tuple[Expr, ...] = ()) -> View:
    """What is kept in slots."""
    return view(ctx, Read, lambda slot: ctx.slots[slot].dims, name, type, index)


def constant(ctx: Context, name: str, type: Type, index: tuple[Expr, ...]) -> View:
    """What is kept in constant tables."""
    return view(ctx, ctx.lookup, lambda table: ctx.tables[table].dims, name, type, index)


def view(
    ctx: Context,
    element: Element,
    dims: Callable[[str], tuple[Domain, ...]],
    name: str,
    type: Type,
    index: tuple[Expr, ...],
) -> View:
    match type:
        case TBool():
            return build.as_truth(element(name, index))
        case TInt() | TEnum():
            return element(name, index)
        case TOption(TInt()):
            return Maybe(build.as_truth(element(f"{name}.some", index)), element(name, index))
        case TOption(inner):
            return coded(element(name, index), inner)
        case TSet(kind, _):
            return SetView(ctx.members(kind), lambda k: build.as_truth(element(name, (*index, k))))
        case TBag(kind, _) | TDeck(kind, _):
            return BagView(ctx.members(kind), lambda k: element(name, (*index, k)))
        case TMap(key, value):
            return MapView(ctx.members(key), lambda k: view(ctx, element, dims, name, value, (*index, k)))
        case TList(item, _):
            length = element(f"{name}.size", index)
            limit = len(dims(name)[len(index)].names)
            return ListView(
                limit, length, lambda k: scalar(view(ctx, element, dims, name, item, (*index, k))), kept=True
            )
        case TTuple() | TRecord():
            parts = zip(part_names(type), components(type), strict=True)
            return TupleView(tuple(view(ctx, element, dims, f"{name}.{p}", t, index) for p, t in parts))


def positions(limit: int) -> Domain:
    return Domain("position", 0, tuple(map(str, range(limit))))


def leaves(
    ctx: Context, bounds: Bounds, limit: Limit, name: str, type: Type, dims: tuple[Domain, ...]
) -> Iterator[Leaf]:
    """The slots or tables that a value of `type` needs."""
    match type:
        case TBool():
            yield Leaf(name, dims, type, 0, 1, ctx.domain_of(type))
        case TInt():
            yield Leaf(name, dims, type, *bounds(type), ctx.domain_of(type))
        case TEnum():
            yield Leaf(name, dims, type, 0, ctx.members(type) - 1, ctx.domain_of(type))
        case TOption(TInt() as inner):
            yield Leaf(f"{name}.some", dims, TBool(), 0, 1, ctx.domain_of(TBool()))
            yield Leaf(name, dims, inner, *bounds(inner), ctx.domain_of(inner))
        case TOption(inner):
            domain = ctx.domain_of(type)
            yield Leaf(name, dims, type, -1, len(domain.names) - 2, domain)
        case TSet(kind, _):
            yield Leaf(name, (*dims, ctx.domain_of(kind)), type, 0, 1, ctx.domain_of(TBool()))
        case TBag(kind, _) | TDeck(kind, _):
            yield Leaf(name, (*dims, ctx.domain_of(kind)), type, 0, None, Domain("Int"))
        case TMap(key, value):
            yield from leaves(ctx, bounds, limit, name, value, (*dims, ctx.domain_of(key)))
        case TList(item, _):
            most = limit(type)
            yield Leaf(f"{name}.size", dims, TInt(), 0, most, Domain("Int"))
            yield from leaves(ctx, bounds, limit, name, item, (*dims, positions(most)))
        case TTuple() | TRecord():
            for part, inner in zip(part_names(type), components(type), strict=True):
                yield from leaves(ctx, bounds, limit, f"{name}.{part}", inner, dims)


def lowest(ctx: Context, bounds: Bounds, type: Type) -> View:
    """The value that a variable starts with when the rules do not say."""
    match type:
        case TBool():
            return FALSE
        case TInt():
            low, high = bounds(type)
            return build.number(low if low is not None else min(0, high or 0))
        case TEnum():
            return build.ZERO
        case TOption(TInt() as inner):
            return Maybe(FALSE, scalar(lowest(ctx, bounds, inner)))
        case TOption(inner):
            return coded(build.number(-1), inner)
        case TSet(kind, _):
            return SetView(ctx.members(kind), lambda _: FALSE)
        case TBag(kind, _) | TDeck(kind, _):
            return BagView(ctx.members(kind), lambda _: build.ZERO)
        case TMap(key, value):
            inside = lowest(ctx, bounds, value)
            return MapView(ctx.members(key), lambda _: inside)
        case TList(item, _):
            first = scalar(lowest(ctx, bounds, item))
            return ListView(0, build.ZERO, lambda _: first)
        case TTuple() | TRecord():
            return TupleView(tuple(lowest(ctx, bounds, part) for part in components(type)))


Known = Callable[[Expr], int]


def flatten(
    ctx: Context, bounds: Bounds, limit: Limit, known: Known, type: Type, value: View
) -> dict[str, list[int]]:
    """The numbers of a known value, by what follows the name of its slot (`""`, `.size`, ...)."""

    def inner(type: Type, value: View) -> dict[str, list[int]]:
        return flatten(ctx, bounds, limit, known, type, value)

    match type, value:
        case TOption(TInt() as number), Maybe(some, amount, _):
            there = known(some)
            rest = amount if there else scalar(lowest(ctx, bounds, number))
            return {".some": [there], "": [known(rest)]}
        case TOption(), _:
            return {"": [known(code_of(maybe(value)))]}
        case TSet(), SetView(size, has):
            return {"": [known(has(build.number(k))) for k in range(size)]}
        case ((TBag() | TDeck()), _):
            bag = as_bag(value)
            return {"": [known(bag.count(build.number(k))) for k in range(bag.size)]}
        case TMap(_, part), MapView(size, at):
            return _joined([inner(part, at(build.number(k))) for k in range(size)])
        case TList(item, _), ListView(length=length, at=at):
            return _flat_list(inner, limit(type), item, known(length), at, lowest(ctx, bounds, item))
        case ((TTuple() | TRecord()), TupleView(items)):
            result: dict[str, list[int]] = {}
            for name, part, x in zip(part_names(type), components(type), items, strict=True):
                result |= {f".{name}{suffix}": found for suffix, found in inner(part, x).items()}
            return result
    return {"": [known(scalar(value))]}


def _flat_list(
    inner: Callable[[Type, View], dict[str, list[int]]],
    limit: int,
    item: Type,
    length: int,
    at: Callable[[Expr], Expr],
    rest: View,
) -> dict[str, list[int]]:
    items = [inner(item, at(build.number(k)) if k < length else rest) for k in range(limit)]
    return {".size": [length], **_joined(items)}


def _joined(parts: list[dict[str, list[int]]]) -> dict[str, list[int]]:
    result: dict[str, list[int]] = {suffix: [] for suffix in parts[0]} if parts else {"": []}
    for part in parts:
        for suffix, found in part.items():
            result[suffix].extend(found)
    return result
