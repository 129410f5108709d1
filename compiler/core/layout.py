"""The slots of a configuration: what the game declares, what its rules keep."""

from __future__ import annotations

from rulespec.compiler.core import constants, shapes
from rulespec.compiler.core.context import Context, SlotDraft
from rulespec.compiler.core.expressions import Scope
from rulespec.compiler.core.limits import ELEMENTS, Refused
from rulespec.compiler.core.spoken import spoken
from rulespec.compiler.core.tree import Domain, Origin
from rulespec.compiler.core.views import View
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t
from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Kept:
    """A piece or currency: how many of each kind there are, None for money without end."""

    name: str
    each: int | None
    home: str


def keepers(ctx: Context) -> dict[str, Kept]:
    """All pieces and currencies of this configuration."""
    found: dict[str, Kept] = {}
    for piece in ctx.rulebook.pieces:
        each = constants.value(ctx, piece.each)
        if each < 0:
            raise Refused("R0509", f"there are {each} of each `{piece.name}`", piece.span)
        found[piece.name] = Kept(piece.name, each, piece.home)
    for currency in ctx.rulebook.currencies:
        supply = None
        endless = currency.unlimited_if is not None and constants.value(ctx, currency.unlimited_if)
        if currency.supply is not None and not endless:
            supply = constants.value(ctx, currency.supply)
        if supply is not None and supply < 0:
            raise Refused("R0509", f"there are {supply} of `{currency.name}`", currency.span)
        found[currency.name] = Kept(currency.name, supply, currency.home)
        if supply is None:
            ctx.unlimited.add(currency.home)
    return found


def kept_in(ctx: Context, type: t.Type) -> str:
    """The piece or currency that a state variable of this type is a place for; "" for none."""
    match type:
        case t.TSet(_, piece) | t.TBag(_, piece) | t.TDeck(_, piece):
            return piece
        case t.TInt(unit):
            return unit if unit in ctx.currencies else ""
        case t.TMap(_, value):
            return kept_in(ctx, value)
    return ""


def declare_state(ctx: Context) -> None:
    """Everything that the game declares, with all pieces and all money at home."""
    kept = keepers(ctx)
    for currency in ctx.rulebook.currencies:
        if currency.home not in ctx.state:
            place = t.TInt(currency.name)
            ctx.state[currency.home] = t.StateVar(
                currency.home, "", place, "open", "", None, False, currency.citation, currency.span
            )
    for variable in ctx.state.values():
        _declare_variable(ctx, variable, kept)
    for keeper in kept.values():
        _fill_home(ctx, keeper)


def _declare_variable(ctx: Context, variable: t.StateVar, kept: dict[str, Kept]) -> None:
    dims = (ctx.domains["Player"],) if variable.per_player else ()
    keeper = kept_in(ctx, variable.type)
    origin = Origin(variable.span, "", variable.citation)
    leaves = _leaves(ctx, variable.name, variable.type, dims, variable.span)  # refuses what is too large
    start = _initial(ctx, variable)
    repeats = len(ctx.domains["Player"].names) if variable.per_player else 1
    place = f"{{0}}.{variable.name}" if variable.per_player else variable.name
    said = spoken(variable.type, place, len(dims))
    for leaf in leaves:
        low, high = leaf.low, leaf.high
        if keeper:
            most = kept[keeper].each
            low = max(low or 0, 0)  # a place never holds less than nothing
            high = min(1, most or 0) if isinstance(leaf.type, t.TSet) else most if high is None else high
        numbers = start[leaf.name.removeprefix(variable.name)] * repeats
        for number in numbers:
            if (low is not None and number < low) or (high is not None and number > high):
                span = variable.initial.span if variable.initial else variable.span
                text = f"`{variable.name}` starts at {number}, outside its range"
                advice = ("all money begins at home, so a place of it has to hold 0 too",) if keeper else ()
                raise Refused("R0507", text, span, help=advice)
        counted = variable.sight != "open" and bool(keeper) and not isinstance(leaf.type, t.TInt)
        ctx.slots[leaf.name] = SlotDraft(
            leaf.name, low, high, leaf.dims, leaf.domain, "state", variable.sight, counted, keeper,
            variable.title, numbers, origin, variable.unless, said[leaf.name.removeprefix(variable.name)],
        )  # fmt: skip


def _initial(ctx: Context, variable: t.StateVar) -> dict[str, list[int]]:
    if variable.initial is not None:
        view = Scope(ctx).view(variable.initial)
    else:
        home = bool(kept_in(ctx, variable.type))  # whose places begin empty, whatever their range
        view = shapes.lowest(ctx, lambda x: (0, None) if home else constants.bounds(ctx, x), variable.type)
    return constants.flatten(ctx, variable.type, view, variable.span)


def _leaves(ctx: Context, name: str, type: t.Type, dims: tuple[Domain, ...], span: Span) -> list[shapes.Leaf]:
    def bounds(x: t.TInt) -> tuple[int | None, int | None]:
        return constants.bounds(ctx, x)

    found = list(shapes.leaves(ctx, bounds, lambda x: constants.limit(ctx, x), name, type, dims))
    for leaf in found:
        size = 1
        for dim in leaf.dims:
            size *= len(dim.names)
        if size > ELEMENTS:
            raise Refused("R0516", f"`{name}` takes {size} numbers, and {ELEMENTS} are the most", span)
    return found


def _fill_home(ctx: Context, keeper: Kept) -> None:
    draft = ctx.slots[keeper.home]
    if keeper.each is None:
        draft.low, draft.high = -_most_elsewhere(ctx, keeper), 0
        return
    draft.low, draft.high = 0, keeper.each if draft.high is None else min(draft.high, keeper.each)
    draft.initial = [keeper.each] * draft.size


def _most_elsewhere(ctx: Context, keeper: Kept) -> int:
    """What all other places may hold together: so much may a home without end have paid out."""
    total = 0
    for draft in ctx.slots.values():
        if draft.keeps == keeper.name and draft.name != keeper.home:
            if draft.high is None:
                text = f"there is no end of `{keeper.name}`, so `{draft.name}` needs a range"
                raise Refused("R0503", text, draft.origin.span, help=(f"write `{keeper.name} in 0..100`",))
            total += draft.high * draft.size
    return total


def declare_local(
    ctx: Context,
    wanted: str,
    type: t.Type,
    origin: Origin,
    role: str = "local",
    dims: tuple[Domain, ...] = (),
) -> str:
    """Slots for something that a rule keeps; the name they got."""
    name = ctx.claim(wanted)
    said = {} if dims else spoken(type, name, 0)  # with dimensions of its own it is no variable of the rules
    for leaf in _leaves(ctx, name, type, dims, origin.span):
        ctx.slots[leaf.name] = SlotDraft(
            leaf.name, leaf.low, leaf.high, leaf.dims, leaf.domain, role, origin=origin,
            said=said.get(leaf.name.removeprefix(name), ""),
        )  # fmt: skip
    return name


def local_view(ctx: Context, wanted: str, type: t.Type, origin: Origin) -> tuple[str, View]:
    name = declare_local(ctx, wanted, type, origin)
    return name, shapes.read(ctx, name, type)


def scalar_slot(
    ctx: Context, wanted: str, low: int | None, high: int | None, domain: Domain, origin: Origin
) -> str:
    """A control slot of one number."""
    name = ctx.claim(wanted)
    ctx.slots[name] = SlotDraft(name, low, high, (), domain, "control", origin=origin, said=name)
    return name
