"""Statements of the typed rulebook: places told from values, options with their parameters."""

from __future__ import annotations

from rulespec.compiler.spans import NOWHERE, Citation, Span
from rulespec.compiler.typed.tree_expressions import Domain, Expr, Generator, Local
from rulespec.compiler.values import dataclass

# --- statements --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Let:
    """Binds a local once; a tuple on the right is taken apart when there are several names."""

    targets: tuple[Local, ...]
    value: Expr
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Assign:
    """`target := value`; `+=` and `-=` are written out. A Local or StateRef, or IndexOf, FieldOf of one."""

    target: Expr
    value: Expr
    declares: bool = False  # a `var`
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Update:
    """`add`/`remove` (sets), `append` (lists)."""

    operator: str
    value: Expr
    target: Expr
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class MoveKind:
    """`amount` pieces of one kind; None moves all of that kind."""

    kind: Expr
    amount: Expr | None
    source: Expr
    target: Expr
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class MoveBag:
    """The pieces that a bag or set of kinds names; None moves everything."""

    pieces: Expr | None
    source: Expr
    target: Expr
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Draw:
    """`amount` pieces by chance, one at a time; None draws one.

    With `up_to` it stops when the deck is empty. `into` names the kind, of a single one.
    """

    amount: Expr | None
    up_to: bool
    source: Expr
    target: Expr
    into: Local | None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Pay:
    amount: Expr
    up_to: bool
    source: Expr
    target: Expr
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Random:
    """`into` becomes the sum of `dice` dice, or (dice 0) a value of the generator where `where` holds.

    All see it, or `seen_by` alone.
    """

    into: Local
    dice: int
    sides: int
    generator: Generator | None
    where: Expr | None
    seen_by: Expr | None = None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class If:
    """The condition may bind Locals with IsSome in a conjunction."""

    condition: Expr
    then: tuple[Statement, ...]
    other: tuple[Statement, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class OrderKey:
    value: Expr
    descending: bool


@dataclass(frozen=True, slots=True)
class For:
    """Over a snapshot; in `where` and `order` the variable is a Bound with the same name as `variable`."""

    variable: Local
    domain: Domain
    where: Expr | None
    order: tuple[OrderKey, ...]
    keeps: tuple[Expr, ...]
    body: tuple[Statement, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class While:
    """`condition` None is `repeat`."""

    condition: Expr | None
    decreasing: tuple[Expr, ...]
    keeps: tuple[Expr, ...]
    body: tuple[Statement, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Stop:
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Return:
    """`value` has the rule's result type; None for a rule without a result."""

    value: Expr | None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Assert:
    condition: Expr
    text: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class CallRule:
    """`rule` names an instance in `Rulebook.rules`.

    `targets` take the result: one the whole of it, several its parts; without any it is dropped.
    """

    rule: str
    arguments: tuple[Expr, ...]
    targets: tuple[Local, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class OptionParam:
    """`size` is given for a bag of that many pieces taken from the place in `domain` (a Members).

    The local is then a `TBag` with its piece; else it is a `TInt` or `TEnum`.
    """

    local: Local
    domain: Domain
    size: Expr | None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Option:
    """Parameters are Locals in domain, guard and body. `phrase` alternates text and expressions."""

    name: str
    params: tuple[OptionParam, ...]
    guard: Expr | None
    phrase: tuple[str | Expr, ...]
    citation: Citation | None
    body: tuple[Statement, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Choose:
    """`may choose` has its `decline` option written out."""

    actor: Expr
    options: tuple[Option, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class AtOnce:
    """`player` is a Local in `where` (as a Bound of the same name), the options and their bodies."""

    player: Local
    where: Expr | None
    options: tuple[Option, ...]
    span: Span = NOWHERE


Statement = (
    Let | Assign | Update | MoveKind | MoveBag | Draw | Pay | Random | If | For | While | Stop | Return |
    Assert | CallRule | Choose | AtOnce
)  # fmt: skip
