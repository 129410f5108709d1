"""The typed rulebook: every name resolved, every expression with its type, every rule an instance.

Made from the surface tree by `typed.from_surface`, read by `core.from_typed`, the reference and the glossary.
It does not depend on a configuration: numbers of players, params, variants and readings are still symbols.

Modules' rules that take functions or `money` are instantiated: each combination of function arguments and
units that is called becomes a `Rule` of its own (`ascending_auction`, `ascending_auction#2`), with function
parameters replaced by the function they stand for.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.compiler.spans import NOWHERE, Citation, Span

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
    Lit | NoneOf | SomeOf | ParamRef | Local | Bound | StateRef | ColumnOf | FieldOf | IndexOf |
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
    """`into` becomes the sum of `dice` dice, or (dice 0) a value of the generator where `where` holds."""

    into: Local
    dice: int
    sides: int
    generator: Generator | None
    where: Expr | None
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


# --- the rulebook ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Source:
    name: str
    title: str
    lines: int


@dataclass(frozen=True, slots=True)
class Enum:
    """An enum or a table's rows. `Player` is not listed."""

    name: str
    title: str
    members: tuple[str, ...]
    labels: tuple[str, ...]
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Row:
    member: str
    cells: tuple[Expr, ...]
    citation: Citation | None
    assumed: str  # the reason, "" for a printed row


@dataclass(frozen=True, slots=True)
class AssumedLimit:
    """A test over the columns (the row is the Bound `row`), that the assumed rows in `members` must pass."""

    why: str
    members: tuple[str, ...]
    condition: Expr
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    title: str
    columns: tuple[tuple[str, Type], ...]
    rows: tuple[Row, ...]
    limits: tuple[AssumedLimit, ...]
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Currency:
    """`supply` None is unlimited whatever `unlimited_if` says. The home is one of the rulebook's `state`."""

    name: str
    title: str
    supply: Expr | None
    unlimited_if: Expr | None
    home: str
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Piece:
    name: str
    title: str
    kind: TEnum
    each: Expr
    home: str
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Param:
    name: str
    title: str
    type: Type
    value: Expr
    citation: Citation | None
    assumed: str
    span: Span


@dataclass(frozen=True, slots=True)
class Setting:
    param: str
    value: Expr
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Variant:
    name: str
    title: str
    settings: tuple[Setting, ...]
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class WhenPlayers:
    operator: str
    number: int
    settings: tuple[Setting, ...]
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Meaning:
    name: str
    title: str
    citation: Citation | None


@dataclass(frozen=True, slots=True)
class Reading:
    """`default` is the name of one of the meanings."""

    name: str
    ident: str
    question: str
    meanings: tuple[Meaning, ...]
    default: str
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class StateVar:
    name: str
    title: str
    type: Type
    sight: str
    initial: Expr | None
    per_player: bool
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Function:
    """Parameters are Bounds in `value`."""

    name: str
    title: str
    parameters: tuple[Bound, ...]
    result: Type
    value: Expr
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Rule:
    """One instance. In `ensures`, the result is the Local `result` (a tuple's parts by FieldOf of it)."""

    name: str
    base: str  # the name in the source
    title: str
    parameters: tuple[Local, ...]
    result: Type | None
    requires: tuple[Expr, ...]
    ensures: tuple[Expr, ...]
    body: tuple[Statement, ...]
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Ranking:
    """`player` is a Bound in the keys; larger is better."""

    title: str
    player: Bound
    keys: tuple[Expr, ...]
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Property:
    """`kind` is `invariant`, `bound` or `reachable`; a bound is two comparisons for all its generators."""

    kind: str
    name: str
    title: str
    condition: Expr
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Scope:
    name: str
    title: str
    players: int
    variants: tuple[str, ...]
    readings: tuple[tuple[str, str], ...]
    settings: tuple[Setting, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Given:
    """`includes`: the value (a member, set or bag) is in the place besides what is there."""

    target: Expr
    includes: bool
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Act:
    """Arguments by parameter; a bag argument is a MapLit. The option is looked up by name at run time."""

    actor: int
    refused: bool
    option: str
    arguments: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Happens:
    """`outcome` is a member name or a number as written."""

    outcome: str
    span: Span


@dataclass(frozen=True, slots=True)
class Example:
    name: str
    title: str
    citation: Citation | None
    players: int
    variants: tuple[str, ...]
    readings: tuple[tuple[str, str], ...]
    given: tuple[Given, ...]
    run: CallRule
    steps: tuple[Act | Happens, ...]
    then: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A whole game. Everything is in the order of the text; `rules` begin with those of modules.

    `functions` begin with those made for per-player variables given where a function is expected (`purse`),
    which have the name of the variable.
    """

    name: str
    title: str
    players: tuple[int, int]
    sources: tuple[Source, ...]
    enums: tuple[Enum, ...]
    tables: tuple[Table, ...]
    currencies: tuple[Currency, ...]
    pieces: tuple[Piece, ...]
    params: tuple[Param, ...]
    variants: tuple[Variant, ...]
    when_players: tuple[WhenPlayers, ...]
    readings: tuple[Reading, ...]
    state: tuple[StateVar, ...]
    functions: tuple[Function, ...]
    rules: tuple[Rule, ...]
    ranking: Ranking | None
    properties: tuple[Property, ...]
    scopes: tuple[Scope, ...]
    examples: tuple[Example, ...]
