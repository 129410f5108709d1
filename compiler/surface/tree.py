"""The tree of a rulebook as written: what the parser makes, and what the formatter and the checker read.

Nothing is resolved here: a name is a string with a span. This file holds the declarations; expressions and
statements come from the two files beside it, and are taken from here by all who read the tree.
"""

from __future__ import annotations

from dataclasses import field

from rulespec.compiler.spans import Citation, Span
from rulespec.compiler.surface.tree_expressions import (
    Binary,
    Call,
    Conditional,
    Expr,
    FieldOf,
    Fold,
    FunctionType,
    Generator,
    GenericType,
    Index,
    IsReading,
    IsSome,
    IsVariant,
    ListExpr,
    MapExpr,
    Name,
    NamedType,
    Nothing,
    Number,
    OptionType,
    RangeExpr,
    Ref,
    SeatsFrom,
    SetExpr,
    Truth,
    TupleExpr,
    TupleType,
    Type,
    Unary,
)
from rulespec.compiler.surface.tree_statements import (
    Add,
    Assert,
    Assign,
    AtOnce,
    Choose,
    Do,
    Draw,
    For,
    If,
    Let,
    Move,
    Option,
    OptionParam,
    OrderKey,
    Pay,
    RandomExpr,
    Return,
    Score,
    Statement,
    Stop,
    Var,
    While,
)
from rulespec.compiler.values import dataclass

__all__ = [
    "Act",
    "Add",
    "Aside",
    "Assert",
    "Assign",
    "Assumed",
    "AtOnce",
    "Beside",
    "Binary",
    "Bound",
    "Call",
    "Choose",
    "Column",
    "Comment",
    "Conditional",
    "Currency",
    "Declaration",
    "Do",
    "Document",
    "Draw",
    "Enum",
    "EnumMember",
    "Example",
    "Expr",
    "FieldOf",
    "Fold",
    "For",
    "Function",
    "FunctionType",
    "Game",
    "Generator",
    "GenericType",
    "Given",
    "Grid",
    "Happens",
    "Heading",
    "If",
    "Index",
    "Invariant",
    "IsReading",
    "IsSome",
    "IsVariant",
    "Let",
    "ListExpr",
    "MapExpr",
    "Meaning",
    "Move",
    "Name",
    "NamedType",
    "Nothing",
    "Number",
    "Option",
    "OptionParam",
    "OptionType",
    "OrderKey",
    "Param",
    "Parameter",
    "Pay",
    "Piece",
    "Players",
    "RandomExpr",
    "RangeExpr",
    "Ranking",
    "Reading",
    "Record",
    "Ref",
    "Return",
    "Row",
    "Rule",
    "Scope",
    "Score",
    "SeatsFrom",
    "SetExpr",
    "Setting",
    "Source",
    "State",
    "StateVar",
    "Statement",
    "Stop",
    "Table",
    "Truth",
    "TupleExpr",
    "TupleType",
    "Type",
    "Unary",
    "Use",
    "Var",
    "Variant",
    "WhenPlayers",
    "While",
]


@dataclass(frozen=True, slots=True)
class Game:
    """`game il_principe "Il Principe"`."""

    name: Name
    title: str
    span: Span


@dataclass(frozen=True, slots=True)
class Source:
    """`source rb "Il Principe Rulebook" of 112 lines`: a document that citations name."""

    name: Name
    title: str
    lines: int
    span: Span


@dataclass(frozen=True, slots=True)
class Use:
    """`use "auction"`: another rules file or a module of the standard library."""

    path: str
    span: Span


@dataclass(frozen=True, slots=True)
class Players:
    """`players 2..5`."""

    low: int
    high: int
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class EnumMember:
    name: Name
    label: str


@dataclass(frozen=True, slots=True)
class AssumedMembers:
    """Members that no source names; the enum has them among its members as well, where they are written."""

    why: str
    citation: Citation | None
    members: tuple[EnumMember, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Enum:
    name: Name
    title: str
    citation: Citation | None
    members: tuple[EnumMember, ...]
    assumed: tuple[AssumedMembers, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Currency:
    """`currency ducat "ducat" @rb(16): unlimited in bank` or `: 73 in bank`; `supply` None is unlimited."""

    name: Name
    title: str
    citation: Citation | None
    supply: Expr | None
    unlimited_if: Expr | None
    home: Name
    span: Span


@dataclass(frozen=True, slots=True)
class Piece:
    """`piece Building "building card" of Color @rb(14): 20 each in pile`."""

    name: Name
    title: str
    kind: Name
    citation: Citation | None
    each: Expr
    home: Name
    span: Span


@dataclass(frozen=True, slots=True)
class Record:
    """`record Bid: who: Player, amount: ducat`."""

    name: Name
    title: str
    fields: tuple[tuple[Name, Type], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Column:
    name: Name
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Row:
    name: Name
    label: str
    citation: Citation | None
    cells: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Assumed:
    """Rows that no source prints, and the ranges (tests over the columns) within which they are assumed."""

    why: str
    citation: Citation | None
    limits: tuple[Expr, ...]
    rows: tuple[Row, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Table:
    """Printed component data; the rows are the members of an enum of the same name."""

    name: Name
    title: str
    citation: Citation | None
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    assumed: tuple[Assumed, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Grid:
    """`grid Square "a square" 8 x 8`: so many columns and rows; the squares are the members of an enum."""

    name: Name
    title: str
    columns: int
    rows: int
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Param:
    """`param income: ducat = 5 @rb(39)`; `assumed` holds the reason when no source gives the number."""

    name: Name
    title: str
    type: Type
    value: Expr
    citation: Citation | None
    assumed: str
    span: Span


@dataclass(frozen=True, slots=True)
class Setting:
    """`income = 6` inside a variant, a `when players` or a scope."""

    name: Name
    value: Expr
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Variant:
    name: Name
    title: str
    citation: Citation | None
    settings: tuple[Setting, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class WhenPlayers:
    """`when players = 2:` (any comparison with a number)."""

    operator: str
    number: int
    citation: Citation | None
    settings: tuple[Setting, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Meaning:
    name: Name
    title: str
    citation: Citation | None
    default: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Reading:
    """A question that the source leaves open, with its meanings; exactly one is the default."""

    name: Name
    question: str
    citation: Citation | None
    ident: str
    meanings: tuple[Meaning, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class StateVar:
    name: Name
    title: str
    type: Type
    sight: str  # "open", "private" or "hidden"
    unless: Name | None  # the variable that opens it to all while it is true
    initial: Expr | None
    citation: Citation | None
    per_player: bool
    span: Span


@dataclass(frozen=True, slots=True)
class State:
    variables: tuple[StateVar, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Parameter:
    name: Name
    type: Type


@dataclass(frozen=True, slots=True)
class Function:
    """`function affordable(p: Player, c: City) -> Bool "..." @rb(54) = E`: a pure value."""

    name: Name
    title: str
    parameters: tuple[Parameter, ...]
    result: Type
    citation: Citation | None
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Rule:
    name: Name
    title: str
    parameters: tuple[Parameter, ...]
    result: Type | None
    citation: Citation | None
    requires: tuple[Expr, ...]
    ensures: tuple[Expr, ...]
    body: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Ranking:
    """`ranking "..." for p @rb(103): p.points, placed(p)`: larger wins, later keys break ties."""

    title: str
    name: Name
    citation: Citation | None
    keys: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Invariant:
    """`invariant` (always), `reachable` (in some play) and `hint` (offered to the verifier), by `kind`."""

    kind: str
    name: Name
    title: str
    citation: Citation | None
    condition: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Bound:
    """`bound points for p in players: p.points in 0..250`."""

    name: Name
    title: str
    citation: Citation | None
    generators: tuple[Generator, ...]
    value: Expr
    low: Expr
    high: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Scope:
    """A small configuration whose every state is visited: `scope tiny: players 2` and settings."""

    name: Name
    title: str
    players: int
    variants: tuple[Name, ...]
    readings: tuple[tuple[Name, Name], ...]
    settings: tuple[Setting, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Given:
    """`p0.hand = {...}` (`includes` False) or `row includes milan`."""

    target: Expr
    includes: bool
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Act:
    """`p0 build milan`, or with `refused`: `p0 cannot build milan`."""

    actor: Expr
    refused: bool
    option: Name
    arguments: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Happens:
    """`chance red`: what chance decides next."""

    outcome: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Example:
    """A test in the rulebook. `run` is the rule that starts (None: told by the first move)."""

    name: Name
    title: str
    citation: Citation | None
    players: int
    variants: tuple[Name, ...]
    readings: tuple[tuple[Name, Name], ...]
    given: tuple[Given, ...]
    run: Call | None
    steps: tuple[Act | Happens, ...]
    then: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Beside:
    """`flavor "the age" @rb(3..4)`: lines of a source that no rule needs, and what they are instead."""

    kind: Name
    why: str
    citation: Citation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Aside:
    """`aside flavor "the age" @rb(3..4)`, or several under one `aside:`."""

    parts: tuple[Beside, ...]
    span: Span


Declaration = (
    Game
    | Source
    | Use
    | Players
    | Enum
    | Currency
    | Piece
    | Record
    | Table
    | Grid
    | Param
    | Variant
    | WhenPlayers
    | Reading
    | State
    | Function
    | Rule
    | Ranking
    | Invariant
    | Bound
    | Scope
    | Example
    | Aside
)


@dataclass(frozen=True, slots=True)
class Comment:
    """`# ...` as written; the formatter puts it back. `own_line` when nothing stands before it."""

    text: str
    own_line: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Heading:
    """A Markdown heading, for breadcrumbs."""

    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Document:
    """One file: its declarations in order, its comments, and where its Markdown headings and blocks are."""

    file: str
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...] = ()
    headings: tuple[Heading, ...] = ()
    blocks: tuple[tuple[int, int], ...] = field(default=())  # first and last line of each rules block
    size: int = field(default=0, compare=False)  # words, signs and lines of rules
