"""How much there is to do at most between two waits: what could take for ever is refused before play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulespec.compiler.core.limits import EFFORT, Refused
from rulespec.compiler.core.tree import (
    Block,
    Branch,
    Chance,
    Check,
    Choose,
    Expr,
    Fold,
    For,
    If,
    Let,
    Option,
    Set,
    Statement,
    Switch,
)
from rulespec.compiler.core.walk import children
from rulespec.compiler.spans import Span


def keep_bounded(blocks: Iterable[Block], expressions: Sequence[tuple[Expr, Span]]) -> None:
    """Refuses a step, a choice or a claim that could take a machine very long."""
    effort = Effort()
    for block in blocks:
        found = effort.of_block(block)
        if found > EFFORT:
            _refuse(found, effort.place(block.body) or block.origin.span)
    for e, span in expressions:
        _refuse(effort.of(e), span)


def _refuse(found: int, span: Span) -> None:
    if found > EFFORT:
        text = f"this can take {found} steps at once, and {EFFORT} are the most"
        advice = "loops and folds inside one another multiply, as do the parameters of an option"
        raise Refused("R0525", text, span, help=(advice,))


class Effort:
    """Counts the nodes that are looked at, each as often as loops and folds may go through it."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Expr, int]] = {}  # the expression is kept, so that its id stays its own

    def of(self, e: Expr) -> int:
        known = self._known.get(id(e))
        if known is not None:
            return known[1]
        match e:
            case Fold(_, _, low, high, where, body, default):
                inside = sum(self.of(part) for part in (where, body) if part is not None)
                found = 1 + max(0, high - low + 1) * (1 + inside) + (self.of(default) if default else 0)
            case _:
                found = 1 + sum(map(self.of, children(e)))
        self._known[id(e)] = e, found
        return found

    def of_all(self, statements: Iterable[Statement]) -> int:
        return sum(map(self._statement, statements))

    def _statement(self, s: Statement) -> int:
        match s:
            case Set(_, index, value):
                return 1 + self.of(value) + sum(map(self.of, index))
            case Let(_, value) | Check(value):
                return self.of(value)
            case If(condition, then, other):
                return self.of(condition) + max(self.of_all(then), self.of_all(other))
            case For(_, low, high, body):
                return max(0, high - low + 1) * (1 + self.of_all(body))
            case _:
                return 0

    def place(self, statements: Sequence[Statement]) -> Span | None:
        """Where the text says what takes longest, if it is one of these."""
        longest = max(statements, key=self._statement, default=None)
        match longest:
            case For(_, _, _, body):
                return self.place(body)
            case If(_, then, other):
                return self.place(max(then, other, key=self.of_all))
            case Set() | Check() if longest.origin.span.line:
                return longest.origin.span
            case _:
                return None

    def of_block(self, block: Block) -> int:
        """Its body and its end: the test, every move that might be offered, every outcome."""
        loop = block.loop
        claims = sum(map(self.of, (*loop.measure, *loop.keeps))) if loop else 0
        return claims + self.of_all(block.body) + self._end(block)

    def _end(self, block: Block) -> int:
        match block.end:
            case Branch(condition):
                return self.of(condition)
            case Switch(_, targets):
                return len(targets)
            case Choose(actor, options):
                return self.of(actor) + sum(map(self._option, options))
            case Chance(_, low, high, weight):
                return (high - low + 1) * self.of(weight)
            case _:
                return 0

    def _option(self, option: Option) -> int:
        found = self.of(option.guard)
        for param in reversed(option.params):
            found = self.of(param.low) + self.of(param.high) + (param.most - param.least + 1) * (1 + found)
        return found
