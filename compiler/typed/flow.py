"""How control leaves statements: by `return`, by `stop`, or by reaching their end."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.compiler.surface import tree as s


def leaves(e: s.Statement) -> bool:
    """True when what follows the statement is never reached."""
    match e:
        case s.Return() | s.Stop():
            return True
        case s.If():
            return bool(e.other) and leave(e.then) and leave(e.other)
        case s.Choose():
            return not e.optional and bool(e.options) and all(leave(o.body) for o in e.options)
        case s.While():
            return endless(e) and not stops(e.body)
        case _:
            return False


def leave(body: tuple[s.Statement, ...]) -> bool:
    return any(map(leaves, body))


def returns(e: s.Statement) -> bool:
    """True when the statement never goes on but by `return`: what a rule with a result must end in."""
    match e:
        case s.Return():
            return True
        case s.If():
            return bool(e.other) and any(map(returns, e.then)) and any(map(returns, e.other))
        case s.Choose():
            return not e.optional and bool(e.options) and all(any(map(returns, o.body)) for o in e.options)
        case s.While():
            return endless(e) and not stops(e.body)
        case _:
            return False


def endless(e: s.While) -> bool:
    """`repeat` and `while true` go on until they are left."""
    return e.condition is None or (isinstance(e.condition, s.Truth) and e.condition.value)


def has_exit(e: s.While) -> bool:
    return stops(e.body) or any(isinstance(x, s.Return) for x in inside(e.body))


def stops(body: tuple[s.Statement, ...]) -> bool:
    """True when a `stop` in these statements leaves the loop around them."""
    return any(isinstance(x, s.Stop) for x in inside(body, loops=False))


def inside(body: tuple[s.Statement, ...], loops: bool = True) -> Iterator[s.Statement]:
    """All statements in a body at any depth; without those of inner loops if `loops` is false."""
    for e in body:
        yield e
        match e:
            case s.If():
                yield from inside(e.then, loops)
                yield from inside(e.other, loops)
            case s.For() | s.While() if loops:
                yield from inside(e.body, loops)
            case s.Choose() | s.AtOnce():
                for option in e.options:
                    yield from inside(option.body, loops)
