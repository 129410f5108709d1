"""Types and expressions of the typed rulebook: every name resolved, every expression with its type."""

from __future__ import annotations

from rulespec.compiler.spans import NOWHERE, Span
from rulespec.compiler.values import dataclass

# --- types -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TBool:
    pass


@dataclass(frozen=True, slots=True)
class TInt:
    """A whole number; `unit` is a currency, `points` or "". `low`, `high` are over constants and params."""

    unit: str = ""
    low: Expr | None = None
    high: Expr | None = None


@dataclass(frozen=True, slots=True)
class TEnum:
    """An enum or table by name; `Player` is the enum of the seats."""

    name: str


@dataclass(frozen=True, slots=True)
class TOption:
    inner: Type


@dataclass(frozen=True, slots=True)
class TTuple:
    """Names may be "" when the components have none."""

    names: tuple[str, ...]
    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class TRecord:
    name: str
    fields: tuple[tuple[str, Type], ...]


@dataclass(frozen=True, slots=True)
class TSet:
    """A set over an enum; a place when `piece` is named."""

    kind: TEnum
    piece: str = ""


@dataclass(frozen=True, slots=True)
class TBag:
    kind: TEnum
    piece: str = ""


@dataclass(frozen=True, slots=True)
class TDeck:
    kind: TEnum
    piece: str


@dataclass(frozen=True, slots=True)
class TMap:
    key: TEnum
    value: Type


@dataclass(frozen=True, slots=True)
class TList:
    item: Type
    limit: Expr


Type = TBool | TInt | TEnum | TOption | TTuple | TRecord | TSet | TBag | TDeck | TMap | TList

PLAYER = TEnum("Player")
BOOL = TBool()


# --- expressions -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lit:
    """A number, truth value (0 or 1) or enum member (its position from 0), by `type`."""

    value: int
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class NoneOf:
    type: TOption
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class SomeOf:
    """A value where an option is expected."""

    value: Expr
    type: TOption
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ParamRef:
    name: str
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Local:
    """What a rule keeps.

    Parameters, `let`, `var`, `for` variables, `is some` names in an `if`, option parameters, the result.
    `name` is unique in its rule instance (a second `x` is `x.2`).
    """

    name: str
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Bound:
    """A name bound inside an expression: generator, `is some` in an expression, function parameter.

    `name` is unique within its function, rule or property; the binding node carries the same string.
    """

    name: str
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class StateRef:
    """A state variable; `player` is given exactly when it is one per player."""

    name: str
    player: Expr | None
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ColumnOf:
    table: str
    column: str
    row: Expr
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class SquareAt:
    """The square of a grid at a column and a row, counted from 1; none beside the board."""

    column: Expr
    row: Expr
    columns: int
    rows: int
    type: TOption
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class FieldOf:
    """Component number `position` of a tuple or record."""

    value: Expr
    position: int
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class IndexOf:
    """One key into a map, bag, deck or list; `m[a, b]` becomes two nodes."""

    value: Expr
    key: Expr
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class CallFunction:
    """A pure function of `Rulebook.functions`."""

    function: str
    arguments: tuple[Expr, ...]
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Arith:
    """`+ - * div mod min max` on numbers; also `half_up half_down abs neg`, with one argument."""

    operator: str
    arguments: tuple[Expr, ...]
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Compare:
    """`= != < <= > >=` on sides of one type up to ranges; bags and sets: `= != <= >=`, as being contained."""

    operator: str
    left: Expr
    right: Expr
    span: Span = NOWHERE
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class Logic:
    """`not` (one argument), `and`, `or`, `implies` (two): the right is looked at only when needed."""

    operator: str
    arguments: tuple[Expr, ...]
    span: Span = NOWHERE
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class Within:
    """`x in D`: D a set, bag, place or range."""

    value: Expr
    domain: Domain
    span: Span = NOWHERE
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class IsSome:
    """True when the option holds a value; `binder` names it: a Bound in expressions, a Local in an `if`."""

    value: Expr
    binder: Bound | Local | None
    span: Span = NOWHERE
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class ReadingIs:
    reading: str
    meaning: str
    span: Span = NOWHERE
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class VariantOn:
    variant: str
    span: Span = NOWHERE
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Expr
    then: Expr
    other: Expr
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Seat:
    """`left` or `right` neighbour of a player."""

    side: str
    player: Expr
    span: Span = NOWHERE
    type: Type = PLAYER


@dataclass(frozen=True, slots=True)
class Size:
    """Number of elements of a set, bag, deck, list or place."""

    value: Expr
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Generator:
    binder: Bound
    domain: Domain


@dataclass(frozen=True, slots=True)
class Fold:
    """`all any sum min max count first`; `default` only for `min`/`max` (`or E`).

    `all`, `any`: `body` is the test. `sum min max`: `body` the number. `count`, `first`: `body` is None.
    `first` has one generator and an option type.
    """

    operator: str
    generators: tuple[Generator, ...]
    where: Expr | None
    body: Expr | None
    default: Expr | None
    type: Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class SetOf:
    """`{c in Color where W}`: always over one enum; also `others of p` and `players` are written so."""

    generator: Generator
    where: Expr | None
    type: TSet
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class MapOf:
    """`{c: E for c in Color}`, as a map or a bag by `type`."""

    generator: Generator
    value: Expr
    type: TMap | TBag
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class SetLit:
    items: tuple[Expr, ...]
    type: TSet
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class MapLit:
    """A bag or a map; a missing key of a bag counts 0, a map must name every key. Keys are literals."""

    items: tuple[tuple[Lit, Expr], ...]
    type: TMap | TBag
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ListLit:
    items: tuple[Expr, ...]
    type: TList
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class TupleLit:
    """Tuples and records, components in declared order."""

    items: tuple[Expr, ...]
    type: TTuple | TRecord
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class SetOp:
    """`union minus intersect` on sets; `+ -` on bags."""

    operator: str
    left: Expr
    right: Expr
    type: TSet | TBag
    span: Span = NOWHERE


Expr = (
    Lit | NoneOf | SomeOf | ParamRef | Local | Bound | StateRef | ColumnOf | SquareAt | FieldOf | IndexOf |
    CallFunction | Arith | Compare | Logic | Within | IsSome | ReadingIs | VariantOn | Conditional | Seat |
    Size | Fold | SetOf | MapOf | SetLit | MapLit | ListLit | TupleLit | SetOp
)  # fmt: skip


# --- domains: what a generator, `for`, `in` or option parameter ranges over ---------------------------------


@dataclass(frozen=True, slots=True)
class EveryMember:
    """All members of an enum in order; `players` too."""

    enum: TEnum


@dataclass(frozen=True, slots=True)
class SeatsFrom:
    """All seats clockwise from one."""

    start: Expr


@dataclass(frozen=True, slots=True)
class Numbers:
    low: Expr
    high: Expr
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Members:
    """The members of a set, the kinds present in a bag or deck, the items of a list, in their order."""

    value: Expr


Domain = EveryMember | SeatsFrom | Numbers | Members
