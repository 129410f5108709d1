"""The small changes of one node of the typed rulebook, with what the text would then say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulespec.compiler.spans import NOWHERE, Span
from rulespec.compiler.typed import tree as t

_COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "="}
_ARITH = {"+": "-", "-": "+", "min": "max", "max": "min", "half_up": "half_down", "half_down": "half_up"}
_FOLDS = {"all": "any", "any": "all", "min": "max", "max": "min"}
_SETS = {"union": "intersect", "intersect": "union"}
_SIDES = {"left": "right", "right": "left"}
_DROPPED = (
    t.Assign, t.Update, t.MoveKind, t.MoveBag, t.Draw, t.Pay, t.CallRule, t.If, t.For, t.Choose, t.AtOnce,
    t.Stop, t.Return,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """`new` for the node, or for what is `below` it. `after` is the text for `span`, None for none at all."""

    operator: str
    new: Any
    span: Span
    after: str | None
    below: tuple[str | int, ...] = ()


@dataclass(frozen=True)
class Source:
    """The texts, by file name."""

    texts: Mapping[str, str]

    def text(self, span: Span) -> str:
        """What stands there."""
        lines = self.texts.get(span.file, "").split("\n")[span.line - 1 : span.end_line]
        if not lines or span == NOWHERE:
            return ""
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)

    def swapped(self, span: Span, left: Span, right: Span, old: str, new: str) -> str:
        """The text with the operator between two sides, or before the `=` of an update, exchanged."""
        between = self._between(left, right)
        if between is not None and old in between:
            return self.text(left) + between.replace(old, new, 1) + self.text(right)
        text = self.text(span)
        if f" {old}= " in text:
            return text.replace(f" {old}= ", f" {new}= ", 1)
        return text.replace(old, new, 1) if text.count(old) == 1 else ""

    def _between(self, left: Span, right: Span) -> str | None:
        if NOWHERE in (left, right) or left.file != right.file:
            return None
        if (left.end_line, left.end_column) > (right.line, right.column):
            return None
        gap = Span(left.file, left.end_line, left.end_column, right.line, right.column)
        return self.text(gap)

    def lines(self, span: Span, after: str | None) -> tuple[str, str]:
        """The lines of a place, and how they read with `after` there; what is left out whole has no other."""
        whole = self.texts.get(span.file, "").split("\n")[span.line - 1 : span.end_line]
        if after is None or not whole:
            return _short(self.text(span)), ""
        head, tail = whole[0][: span.column - 1], whole[-1][span.end_column - 1 :]
        return _short("\n".join(whole)), _short(head + after + tail)


def _short(text: str) -> str:
    """On one line; of what is longer, how it begins."""
    lines = [" ".join(line.split()) for line in text.strip().split("\n")]
    return lines[0] if len(lines) == 1 else f"{lines[0]} ..."


# --- values -------------------------------------------------------------------------------------------------


def value_changes(node: Any, source: Source) -> Iterator[Change]:
    """Changes of an expression."""
    match node:
        case t.Lit():
            yield from _of_literal(node, source)
        case t.Compare(operator, left, right):
            ordered = isinstance(left.type, t.TInt) or operator in ("=", "!=")
            if ordered:
                yield _exchanged("compare", node, source, _COMPARED[operator], left.span, right.span)
        case t.Arith(operator, (left, right)) if operator in ("+", "-"):
            yield _exchanged("arith", node, source, _ARITH[operator], left.span, right.span)
        case t.Arith(operator) if operator in _ARITH and operator not in ("+", "-"):
            yield _worded("arith", node, source, operator, _ARITH[operator])
        case t.Logic():
            yield from _of_logic(node, source)
        case t.Conditional(condition, then, other) if not _binds(condition) and not is_settled(condition):
            texts = source.text(then.span), source.text(other.span)
            text = source.text(node.span)
            if all(texts) and texts[0] != texts[1] and text.count(texts[0]) == text.count(texts[1]) == 1:
                after = text.replace(texts[0], "\0").replace(texts[1], texts[0]).replace("\0", texts[1])
                yield Change("turn", replace(node, then=other, other=then), node.span, after)
        case t.Seat(side):
            yield _worded("side", replace(node, side=_SIDES[side]), source, side, _SIDES[side])
        case t.Fold():
            yield from _of_fold(node, source)
        case t.SetOf(_, where) if where is not None and not _binds(where):
            yield _without_where(node, where, source)
        case t.SetOp(operator, left, right) if operator in _SETS:
            yield _exchanged("set", node, source, _SETS[operator], left.span, right.span)


def _of_literal(node: t.Lit, source: Source) -> Iterator[Change]:
    text = source.text(node.span)
    if isinstance(node.type, t.TInt) and text == str(node.value):
        for value in (node.value - 1, node.value + 1):
            if value >= 0:
                yield Change("number", replace(node, value=value), node.span, str(value))
    elif isinstance(node.type, t.TBool) and text in ("true", "false"):
        other = "false" if text == "true" else "true"
        yield Change("truth", replace(node, value=1 - node.value), node.span, other)


def _of_logic(node: t.Logic, source: Source) -> Iterator[Change]:
    match node.operator, node.arguments:
        case "not", (only,) if not is_settled(only):
            yield Change("part", only, node.span, source.text(only.span))
        case (("and" | "or"), (left, right)):
            if not is_settled(right):
                yield Change("part", left, node.span, source.text(left.span))
            if not _binds(left) and not is_settled(left):
                yield Change("part", right, node.span, source.text(right.span))


def _of_fold(node: t.Fold, source: Source) -> Iterator[Change]:
    if node.operator in _FOLDS and (node.operator in ("all", "any") or len(node.generators) == 1):
        yield _worded("fold", node, source, node.operator, _FOLDS[node.operator])
    if node.where is not None and not _binds(node.where):
        yield _without_where(node, node.where, source)


def _without_where(node: Any, where: t.Expr, source: Source) -> Change:
    text, condition = source.text(node.span), source.text(where.span)
    after = text.replace(f" where {condition}", "", 1) if f" where {condition}" in text else ""
    return Change("where", replace(node, where=None), node.span, after)


def _exchanged(operator: str, node: Any, source: Source, new: str, left: Span, right: Span) -> Change:
    after = source.swapped(node.span, left, right, node.operator, new)
    return Change(operator, replace(node, operator=new), node.span, after)


def _worded(operator: str, node: Any, source: Source, old: str, new: str) -> Change:
    """A word at the beginning of the text exchanged."""
    text, word, other = source.text(node.span), old.replace("_", " "), new.replace("_", " ")
    after = other + text.removeprefix(word) if text.startswith(word) else text.replace(word, other, 1)
    changed = node if operator == "side" else replace(node, operator=new)
    return Change(operator, changed, node.span, after)


def _binds(condition: Any) -> bool:
    """Whether it names something for what comes after it."""
    match condition:
        case t.IsSome(_, binder):
            return binder is not None
        case t.Logic(_, arguments):
            return any(_binds(a) for a in arguments)
    return False


# --- statements ---------------------------------------------------------------------------------------------


def statement_changes(node: Any, source: Source) -> Iterator[Change]:
    """Changes of a statement, an option, the ranking or a list of one of these."""
    match node:
        case tuple():
            yield from _of_list(node, source)
        case t.If(condition, _, other) if not is_settled(condition):
            if not _binds(condition):
                turned = t.Logic("not", (condition,), condition.span)
                text = source.text(condition.span)
                yield Change("turn", turned, condition.span, f"not ({text})", ("condition",))
            if other:
                yield Change("else", (), other[0].span.to(other[-1].span), None, ("other",))
        case t.Option(_, _, guard) if guard is not None and not is_settled(guard):
            yield Change("guard", None, guard.span, "true", ("guard",))
        case t.For(where=where, order=order):
            if where is not None and not _binds(where):
                yield Change("where", None, where.span, "true", ("where",))
            for number, by in enumerate(order):
                turned_key = replace(by, descending=not by.descending)
                after = f"{source.text(by.value.span)} (the other way round)"
                yield Change("order", turned_key, by.value.span, after, ("order", number))
        case t.Pay(amount, up_to) if amount.span != NOWHERE:
            shown = source.text(amount.span)
            if not up_to:
                yield Change("up_to", True, amount.span, f"up to {shown}", ("up_to",))
            elif source.text(wide := _earlier(amount.span, len("up to "))).startswith("up to "):
                yield Change("up_to", False, wide, shown, ("up_to",))
        case t.Ranking(keys=keys) if len(keys) > 1:
            for number, key in enumerate(keys):
                yield Change("key", (*keys[:number], *keys[number + 1 :]), key.span, None, ("keys",))
    yield from _of_places(node, source)


def _earlier(span: Span, letters: int) -> Span:
    """The span with some letters before it, on the same line."""
    return replace(span, column=max(1, span.column - letters))


def _of_list(items: tuple[Any, ...], source: Source) -> Iterator[Change]:
    for number, item in enumerate(items):
        rest = (*items[:number], *items[number + 1 :])
        if isinstance(item, t.Option) and len(items) > 1:
            yield Change("option", rest, item.span, None)
        elif isinstance(item, _DROPPED) and _may_go(item) and source.text(item.span):
            yield Change("drop", rest, item.span, None)


def _may_go(item: Any) -> bool:
    """Whether nothing needs what the statement says."""
    match item:
        case t.Assign(declares=declares):
            return not declares
        case t.CallRule(targets=targets):
            return not targets
        case t.Draw(into=into):
            return into is None
        case t.Return(value):
            return value is None
        case t.If(condition):
            return not is_settled(condition)
    return True


def is_settled(condition: Any) -> bool:
    """Whether the configuration has a part in deciding it."""
    match condition:
        case t.ReadingIs() | t.VariantOn():
            return True
        case t.Logic(_, arguments):
            return any(is_settled(a) for a in arguments)
    return False


def _of_places(node: Any, source: Source) -> Iterator[Change]:
    """The player to the left of the one that a statement is about."""
    match node:
        case t.Pay() | t.MoveKind() | t.MoveBag():
            for name in ("source", "target"):
                yield from _neighbour(getattr(node, name), (name,), source)
        case t.Assign(target):
            yield from _neighbour(target, ("target",), source)
        case t.Choose(actor):
            yield from _next_seat(actor, ("actor",), source)
        case t.CallRule(arguments=arguments):
            for number, argument in enumerate(arguments):
                yield from _next_seat(argument, ("arguments", number), source)


def _neighbour(place: Any, path: tuple[str | int, ...], source: Source) -> Iterator[Change]:
    match place:
        case t.StateRef(player=player) if player is not None:
            yield from _next_seat(player, (*path, "player"), source)
        case t.IndexOf(value) | t.FieldOf(value):
            yield from _neighbour(value, (*path, "value"), source)


def _next_seat(player: Any, path: tuple[str | int, ...], source: Source) -> Iterator[Change]:
    text = source.text(player.span)
    if isinstance(player, t.Local | t.Bound | t.StateRef) and player.type == t.PLAYER and text:
        yield Change("neighbour", t.Seat("left", player, player.span), player.span, f"(left of {text})", path)
