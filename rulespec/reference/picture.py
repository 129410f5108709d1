"""What a picture of the turn structure is: boxes and arrows, as data."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.compiler.spans import NOWHERE, Span

GAME = ""  # the rule of the picture of the whole game


@dataclass(frozen=True, slots=True)
class Option:
    """`phrase` as people say it, names of parameters in braces; `given` and `guard` are rules text."""

    name: str
    phrase: str
    given: tuple[str, ...] = ()
    guard: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """Something inside a rule that is shown as a box; `depth` counts from 0."""

    depth: int
    kind: str  # `loop`, `choice`, `chance`, `call`
    text: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """`kind`: `start`, `end`, `choice`, `options` (those answers to a choice that lead to the same),
    `chance`, `loop`, `test`, `call`, `step`.

    `rule` is the one that is called; `chooses`: somebody chooses in it. `who` chooses; `together`: they do so
    at once, unseen by each other. `detail` is rules text.
    """

    kind: str
    text: str
    detail: tuple[str, ...] = ()
    who: str = ""
    together: bool = False
    options: tuple[Option, ...] = ()
    rule: str = ""
    chooses: bool = False
    lines: tuple[Line, ...] = ()
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Link:
    """An arrow between boxes, by their numbers; `back`: it leads to where one has been before."""

    source: int
    target: int
    label: str = ""
    back: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """Boxes in the order in which play comes to them, the start first."""

    rule: str
    title: str
    boxes: tuple[Box, ...]
    links: tuple[Link, ...]
