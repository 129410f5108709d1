"""The tree as written: statements, options and choices. `tree.py` hands all of them on."""

from __future__ import annotations

from rulespec.compiler.spans import NOWHERE, Citation, Span
from rulespec.compiler.surface.tree_expressions import Call, Expr, Generator, Name, Type
from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Let:
    """`let x = E`, `let (a, b) = E`: values that do not change. A `Draw` gives the kind that was drawn."""

    names: tuple[Name, ...]
    value: Expr | RandomExpr | Draw
    span: Span


@dataclass(frozen=True, slots=True)
class Var:
    """`var x: T = E`: a local that may change; the type may be left out."""

    name: Name
    type: Type | None
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Assign:
    """`x := E`, `x += E`, `x -= E`; `operator` is `:=`, `+=` or `-=`."""

    target: Expr
    operator: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Add:
    """`add p to live`, `remove p from live`, `append x to list`; `operator` is the first word."""

    operator: str
    value: Expr
    target: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Move:
    """Pieces from one place to another.

    `move 2 green from a to b`: `amount` 2, `what` green. `move green from ...`: `amount` None means one.
    `move all green from ...`: `every` with `what`. `move all from ...`: `every`, `what` None.
    `move cards from ...` where `cards` is a bag or a set: the checker tells by its type.
    """

    every: bool
    amount: Expr | None
    what: Expr | None
    source: Expr
    target: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Draw:
    """`draw 4 from pile to p.hand`, `draw up to 1 from ...`: by chance; None draws one."""

    amount: Expr | None
    up_to: bool
    source: Expr
    target: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Pay:
    """`pay 5 from p.purse to bank`; `pay up to 5 ...` pays what is there."""

    amount: Expr
    up_to: bool
    source: Expr
    target: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Score:
    """`score 3 to p`."""

    amount: Expr
    player: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class RandomExpr:
    """`roll 2d6`, `random player`, `random c in Color where W`; only as the value of a `let`.

    With `seen by p` only the player p sees what comes.
    """

    dice: int
    sides: int
    generator: Generator | None
    where: Expr | None
    seen_by: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    """`if`, any number of `else if` (nested in `other`), `else`."""

    condition: Expr
    then: tuple[Statement, ...]
    other: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class OrderKey:
    value: Expr
    descending: bool


@dataclass(frozen=True, slots=True)
class For:
    """`for c in Color where W order by K descending, K2:`, fixed when the loop begins."""

    generator: Generator
    where: Expr | None
    order: tuple[OrderKey, ...]
    keeps: tuple[Expr, ...]
    body: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class While:
    """`while C:` or, with `condition` None, `repeat:` (left by `return` or `stop`)."""

    condition: Expr | None
    decreasing: tuple[Expr, ...]
    keeps: tuple[Expr, ...]
    body: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Stop:
    """`stop`: leave the innermost loop."""

    span: Span


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Assert:
    """`assert E "why"`."""

    condition: Expr
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Do:
    """A rule called as a statement."""

    call: Call
    span: Span


@dataclass(frozen=True, slots=True)
class OptionParam:
    """`amount: ducat in 1..p.purse`, `q: Player in others of p`, `cards: Bag[Building] of 2 in p.hand`."""

    name: Name
    type: Type
    size: Expr | None
    domain: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Option:
    """`phrase` shows parameters in braces: `"bids {amount}"`; `phrase_span` is that text with its quotes."""

    name: Name
    params: tuple[OptionParam, ...]
    guard: Expr | None
    phrase: str
    citation: Citation | None
    body: tuple[Statement, ...]
    span: Span
    phrase_span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Choose:
    """`p chooses:` or, with `optional`, `p may choose:`."""

    actor: Expr
    optional: bool
    options: tuple[Option, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class AtOnce:
    """`all players p at once:` (`optional`: `all players p may at once:`)."""

    name: Name
    where: Expr | None
    optional: bool
    options: tuple[Option, ...]
    span: Span


Statement = (
    Let
    | Var
    | Assign
    | Add
    | Move
    | Draw
    | Pay
    | Score
    | If
    | For
    | While
    | Stop
    | Return
    | Assert
    | Do
    | Choose
    | AtOnce
)
