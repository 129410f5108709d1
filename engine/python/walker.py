"""Blocks as Python: their statements, then where they lead, with everything inlined that `Flow` says may be.

`Walker` writes what every kind of generated code has in common. Its two children differ in what they do where
somebody is asked and where the code for the next block stands elsewhere.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from rulespec.compiler.core.tree import (
    Block,
    Branch,
    Chance,
    Choose,
    Compare,
    Const,
    Goto,
    Option,
    Read,
    Switch,
)
from rulespec.engine.python import statements
from rulespec.engine.python.expressions import truth
from rulespec.engine.python.flow import Flow
from rulespec.engine.python.frame import Frame
from rulespec.engine.python.writer import one_line


class Walker(ABC):
    def __init__(self, frame: Frame, flow: Flow) -> None:
        self.frame = frame
        self.flow = flow

    def told(self, name: str) -> str:
        """What a fault says of the block that it happens in."""
        return name

    def about(self, block: Block) -> str:
        """A block's name and place, and what is known of it, for readers."""
        line = block.origin.span.line
        return f"-- {block.name}, line {line}" if line else f"-- {block.name}"

    @abstractmethod
    def jump(self, target: str) -> None:
        """Writes how to go on at an entry."""

    @abstractmethod
    def wait(self, block: Block) -> None:
        """Writes what happens at the end of a block that waits."""

    def go(self, target: str) -> None:
        if target in self.flow.inlined:
            self.block(target)
        else:
            self.jump(target)

    def block(self, name: str) -> None:
        block = self.flow.core.block[name]
        frame = self.frame
        frame.out.comment(self.about(block))
        with frame.branch():
            frame.block, frame.origin = self.told(name), block.origin
            statements.run(frame, block.body)
            self._end(block)

    def _end(self, block: Block) -> None:
        match block.end:
            case Goto(target):
                self.go(target)
            case Branch():
                self._branch(block.end)
            case Switch():
                self._switch(block.end)
            case _:
                self.wait(block)

    def _branch(self, end: Branch) -> None:
        test = truth(self.frame, end.condition).source
        if end.then == end.other and self.frame.facts.safe(end.condition):
            test = "True"
        if test in ("True", "False"):
            self.go(end.then if test == "True" else end.other)
            return
        with self.frame.branch(end.condition, True), self.frame.out.indent(f"if {test}:"):
            self.go(end.then)
        with self.frame.branch(end.condition, False):
            self.go(end.other)

    def _switch(self, end: Switch) -> None:
        back = Read(end.slot)
        low, high = self.frame.facts.interval(back)
        for value in range(low, high):
            test = truth(self.frame, Compare("=", back, Const(value))).source
            with self.frame.branch(), self.frame.out.indent(f"if {test}:"):
                self.frame.facts.note(back, (value, value))
                self.go(end.targets[value])
        with self.frame.branch():
            self.frame.facts.note(back, (high, high))
            self.go(end.targets[high])


def waiting_for(block: Block) -> str:
    match block.end:
        case Choose(_, options):
            return "asks for " + ", ".join(one_line(o.name) for o in options)
        case Chance(slot):
            return f"chance decides {one_line(slot)}"
        case _:
            return "over"


def phrase(option: Option) -> str:
    """The option's phrase, with the names of its parameters."""
    names = [f"{{{param.name}}}" for param in option.params]
    return "".join(part if isinstance(part, str) else names[part] for part in option.phrase)
