"""Blocks in the making: statements go to the current block or to the list that is being collected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rulespec.compiler.core.context import Context
from rulespec.compiler.core.limits import BLOCKS, Refused
from rulespec.compiler.core.tree import (
    Branch,
    Check,
    Expr,
    Goto,
    If,
    Let,
    Origin,
    Set,
    Statement,
    Terminator,
)
from rulespec.compiler.spans import Span


@dataclass
class LoopDraft:
    measure: tuple[Expr, ...]
    bounded: bool
    keeps: tuple[Expr, ...]


@dataclass
class BlockDraft:
    """`under`: the conditions that decide whether it is reached within its rule. `loops`: heads around it."""

    key: str
    rule: str
    what: str
    origin: Origin
    under: tuple[Expr, ...]
    loops: tuple[str, ...]
    body: list[Statement] = field(default_factory=list)
    end: Terminator | None = None
    loop: LoopDraft | None = None
    spread: str = ""  # the variable in `Context.spreads` that bounds the outcomes of a chance


class Builder:
    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.blocks: dict[str, BlockDraft] = {}
        self.rule = ""
        self.under: list[Expr] = []
        self.loops: list[str] = []
        self._lists: list[list[Statement]] = []
        self.current = self.new("step", Origin())

    def new(self, what: str, origin: Origin) -> BlockDraft:
        """A block that nothing leads to yet, within the loops and conditions that are open now."""
        if len(self.blocks) >= BLOCKS:
            text = f"the rules come to more than {BLOCKS} blocks"
            raise Refused("R0517", text, origin.span)
        key = f"#{len(self.blocks)}"
        draft = BlockDraft(key, self.rule, what, origin, tuple(self.under), tuple(self.loops))
        self.blocks[key] = draft
        return draft

    def start(self, draft: BlockDraft) -> None:
        self.current = draft

    def end(self, terminator: Terminator) -> None:
        """Ends the current block; what follows before the next `start` is never reached."""
        assert not self._lists, "a block does not end inside a statement"
        if self.current.end is None:
            self.current.end = terminator
        self.current = BlockDraft("", self.rule, "step", self.current.origin, (), ())

    def goto(self, draft: BlockDraft) -> None:
        self.end(Goto(draft.key))

    def branch(
        self, condition: Expr, then: BlockDraft, other: BlockDraft, span: Span, origin: Origin | None = None
    ) -> None:
        """`origin`: where the text has this very condition, if it does."""
        self.end(Branch(self.ctx.sized(condition, span), then.key, other.key, origin or Origin()))

    def emit(self, s: Statement, span: Span) -> None:
        match s:
            case Set(_, index, value):
                for part in (*index, value):
                    self.ctx.sized(part, span)
            case Let(_, value) | If(value) | Check(value):
                self.ctx.sized(value, span)
        self.sink.append(s)

    @property
    def sink(self) -> list[Statement]:
        return self._lists[-1] if self._lists else self.current.body

    @property
    def collecting(self) -> bool:
        return bool(self._lists)

    @contextmanager
    def collect(self) -> Iterator[list[Statement]]:
        """Statements made meanwhile go to a list of their own."""
        made: list[Statement] = []
        self._lists.append(made)
        try:
            yield made
        finally:
            self._lists.pop()

    @contextmanager
    def depending(self, condition: Expr) -> Iterator[None]:
        """What is made meanwhile happens or not by `condition`."""
        kept, self.under = self.under, [*self.under, condition]
        try:
            yield
        finally:
            self.under = kept

    def announce(self) -> None:
        """A player has been asked, and all have seen it: what led here is no secret from now on."""
        self.under = []

    @contextmanager
    def looping(self, head: BlockDraft) -> Iterator[None]:
        self.loops.append(head.key)
        try:
            yield
        finally:
            self.loops.pop()
