"""Examples: the position they start from, and their steps with arguments by name."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.compiler.core import constants, shapes
from rulespec.compiler.core.context import Context, SlotDraft
from rulespec.compiler.core.expressions import Scope
from rulespec.compiler.core.limits import Refused
from rulespec.compiler.core.multisets import canonical
from rulespec.compiler.core.tree import Act, Happens
from rulespec.compiler.core.views import components, scalar
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t
from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Spot:
    """A part of the record that is given: its slots' name, where in them, and its type."""

    slot: str
    index: tuple[int, ...]
    type: t.Type


def give(ctx: Context, given: Sequence[t.Given]) -> None:
    """Puts what is given into the initial values; pieces and money come from their homes if they can.

    A home whose content is given as well holds that and nothing else.
    """
    given_homes: dict[str, list[int]] = {}
    for one in given:
        spot = _spot(ctx, one.target)
        numbers = _numbers(ctx, spot, one)
        for suffix, found in numbers.items():
            draft = ctx.slots[spot.slot + suffix]
            _put(ctx, draft, spot.index, found, one)
            if draft.keeps and draft.name == _home(ctx, draft.keeps):
                assert draft.initial is not None
                given_homes[draft.name] = list(draft.initial)
    for name, content in given_homes.items():
        ctx.slots[name].initial = content


def _spot(ctx: Context, e: t.Expr) -> Spot:
    match e:
        case t.StateRef(name, player):
            index = () if player is None else (constants.value(ctx, player),)
            return Spot(name, index, ctx.state[name].type)
        case t.IndexOf(value, key):
            whole = _spot(ctx, value)
            at = (*whole.index, constants.value(ctx, key))
            return Spot(whole.slot, at, whole.type.value if isinstance(whole.type, t.TMap) else e.type)
        case t.FieldOf(value, position):
            whole = _spot(ctx, value)
            assert isinstance(whole.type, t.TTuple | t.TRecord)
            name = shapes.part_names(whole.type)[position]
            return Spot(f"{whole.slot}.{name}", whole.index, components(whole.type)[position])
    raise AssertionError("the checker lets only state variables be given")


def _numbers(ctx: Context, spot: Spot, one: t.Given) -> dict[str, list[int]]:
    """The numbers to be put there, by what follows the name of the slot."""
    if (
        one.includes
        and isinstance(one.value.type, t.TEnum)
        and isinstance(spot.type, t.TSet | t.TBag | t.TDeck)
    ):
        member = constants.value(ctx, one.value)
        return {"": [int(k == member) for k in range(ctx.members(spot.type.kind))]}
    type = one.value.type if one.includes else spot.type
    return constants.flatten(ctx, type, Scope(ctx).view(one.value), one.span)


def _put(ctx: Context, draft: SlotDraft, index: tuple[int, ...], numbers: list[int], one: t.Given) -> None:
    first = 0
    for at, dim in zip(index, draft.dims, strict=False):
        if not 0 <= at < len(dim.names):
            raise Refused("R0612", f"there is no place {at} in `{draft.name}`", one.span)
        first = first * len(dim.names) + at
    first *= len(numbers)
    if draft.initial is None:
        draft.initial = [0] * draft.size
    for position, number in enumerate(numbers):
        old = draft.initial[first + position]
        new = old + number if one.includes else number
        _within(draft, new, one.span)
        draft.initial[first + position] = new
        if draft.keeps:
            _take(ctx, draft, position, new - old)


def _within(draft: SlotDraft, number: int, span: Span) -> None:
    if (draft.low is not None and number < draft.low) or (draft.high is not None and number > draft.high):
        low = "" if draft.low is None else draft.low
        high = "" if draft.high is None else draft.high
        raise Refused("R0612", f"`{draft.name}` cannot be {number}, only {low}..{high}", span)


def _take(ctx: Context, draft: SlotDraft, number: int, amount: int) -> None:
    """Takes from the home what came to a place at its `number`, or what is there of it."""
    home = ctx.slots[_home(ctx, draft.keeps)]
    if home is draft:
        return
    assert home.initial is not None
    position = number % home.size  # the kinds of pieces are the last dimension of every place
    low, high = home.low, home.high
    assert low is not None
    assert high is not None
    home.initial[position] = max(low, min(high, home.initial[position] - amount))


def _home(ctx: Context, keeps: str) -> str:
    homes = {p.name: p.home for p in ctx.rulebook.pieces}
    return (homes | {c.name: c.home for c in ctx.rulebook.currencies})[keeps]


# --- steps --------------------------------------------------------------------------------------------------


def step(ctx: Context, s: t.Act | t.Happens) -> Act | Happens:
    if isinstance(s, t.Happens):
        return Happens(s.outcome, s.span)
    if not 0 <= s.actor < ctx.players:
        raise Refused("R0603", f"there is no seat `p{s.actor}` among {ctx.players} players", s.span)
    return Act(s.actor, s.refused, s.option, tuple(_argument(ctx, a) for a in s.arguments), s.span)


def _argument(ctx: Context, e: t.Expr) -> str:
    """A member's name, digits, `true` or `false`, or a bag's canonical name."""
    view = Scope(ctx).view(e)
    if isinstance(e.type, t.TBag | t.TDeck | t.TSet):
        counts = constants.flatten(ctx, e.type, view, e.span)[""]
        return canonical(ctx.domains[e.type.kind.name], tuple(counts))
    number = ctx.evaluate(scalar(view), e.span)
    names = ctx.domain_of(e.type).names
    return names[number] if names else str(number)
