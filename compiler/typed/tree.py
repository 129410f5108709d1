"""The typed rulebook: every name resolved, every expression with its type, every rule an instance.

Made from the surface tree by `typed.from_surface`, read by `core.from_typed`, the reference and the glossary.
It does not depend on a configuration: numbers of players, params, variants and readings are still symbols.

Modules' rules that take functions or `money` are instantiated: each combination of function arguments and
units that is called becomes a `Rule` of its own (`ascending_auction`, `ascending_auction#2`), with function
parameters replaced by the function they stand for.

This file holds the declarations; types, expressions and statements come from the two files beside it, and are
taken from here by all who read the tree.
"""

from __future__ import annotations

from rulespec.compiler.spans import Citation, Span
from rulespec.compiler.typed.tree_expressions import (
    BOOL,
    PLAYER,
    Arith,
    Bound,
    CallFunction,
    ColumnOf,
    Compare,
    Conditional,
    Domain,
    EveryMember,
    Expr,
    FieldOf,
    Fold,
    Generator,
    IndexOf,
    IsSome,
    ListLit,
    Lit,
    Local,
    Logic,
    MapLit,
    MapOf,
    Members,
    NoneOf,
    Numbers,
    ParamRef,
    ReadingIs,
    Seat,
    SeatsFrom,
    SetLit,
    SetOf,
    SetOp,
    Size,
    SomeOf,
    SquareAt,
    StateRef,
    TBag,
    TBool,
    TDeck,
    TEnum,
    TInt,
    TList,
    TMap,
    TOption,
    TRecord,
    TSet,
    TTuple,
    TupleLit,
    Type,
    VariantOn,
    Within,
)
from rulespec.compiler.typed.tree_statements import (
    Assert,
    Assign,
    AtOnce,
    CallRule,
    Choose,
    Draw,
    For,
    If,
    Let,
    MoveBag,
    MoveKind,
    Option,
    OptionParam,
    OrderKey,
    Pay,
    Random,
    Return,
    Statement,
    Stop,
    Update,
    While,
)
from rulespec.compiler.values import dataclass

__all__ = [
    "BOOL",
    "PLAYER",
    "Act",
    "Arith",
    "Aside",
    "Assert",
    "Assign",
    "AssumedLimit",
    "AtOnce",
    "Bound",
    "CallFunction",
    "CallRule",
    "Choose",
    "ColumnOf",
    "Compare",
    "Conditional",
    "Currency",
    "Domain",
    "Draw",
    "Enum",
    "EveryMember",
    "Example",
    "Expr",
    "FieldOf",
    "Fold",
    "For",
    "Function",
    "Generator",
    "Given",
    "Happens",
    "If",
    "IndexOf",
    "IsSome",
    "Let",
    "ListLit",
    "Lit",
    "Local",
    "Logic",
    "MapLit",
    "MapOf",
    "Meaning",
    "Members",
    "MoveBag",
    "MoveKind",
    "NoneOf",
    "Numbers",
    "Option",
    "OptionParam",
    "OrderKey",
    "Param",
    "ParamRef",
    "Pay",
    "Piece",
    "Property",
    "Random",
    "Ranking",
    "Reading",
    "ReadingIs",
    "Return",
    "Row",
    "Rule",
    "Rulebook",
    "Scope",
    "Seat",
    "SeatsFrom",
    "SetLit",
    "SetOf",
    "SetOp",
    "Setting",
    "Size",
    "SomeOf",
    "Source",
    "SquareAt",
    "StateRef",
    "StateVar",
    "Statement",
    "Stop",
    "TBag",
    "TBool",
    "TDeck",
    "TEnum",
    "TInt",
    "TList",
    "TMap",
    "TOption",
    "TRecord",
    "TSet",
    "TTuple",
    "Table",
    "TupleLit",
    "Type",
    "Update",
    "Variant",
    "VariantOn",
    "WhenPlayers",
    "While",
    "Within",
]  # fmt: skip


# --- the rulebook ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Source:
    name: str
    title: str
    lines: int


@dataclass(frozen=True, slots=True)
class Enum:
    """An enum or a table's rows. `Player` is not listed.

    `assumed` has the reason of each member that no source has, and "" for the others.
    """

    name: str
    title: str
    members: tuple[str, ...]
    labels: tuple[str, ...]
    assumed: tuple[str, ...]
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
    unless: str  # the open Bool variable that shows it to all while it is true, "" for none
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
    """`kind` is `invariant`, `bound`, `reachable` or `hint`; a bound is two comparisons."""

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
class Aside:
    """Lines of a source that no rule needs; `kind` is one of `asides.KINDS`, `why` may be ""."""

    kind: str
    why: str
    citation: Citation
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
    asides: tuple[Aside, ...] = ()
