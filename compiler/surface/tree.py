"""The tree of a rulebook as written: what the parser makes, and what the formatter and the checker read.

Nothing is resolved here: a name is a string with a span. Expressions first, then statements, then declarations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from rulespec.compiler.spans import NOWHERE, Citation, Span


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier where it is written."""

    text: str
    span: Span


# --- types -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NamedType:
    """`Color`, `Player`, `Bool`, `Int`, `ducat`, optionally with a range: `Int in 0..9`."""

    name: Name
    low: Expr | None
    high: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class OptionType:
    """`Player?`."""

    inner: Type
    span: Span


@dataclass(frozen=True, slots=True)
class TupleType:
    """`(winner: Player?, price: money)`; the names may be missing."""

    items: tuple[tuple[Name | None, Type], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class GenericType:
    """`Set[Color]`, `Bag[Building]`, `Deck[CityCard]`, `Map[K, V]`, `List[T] up to n`."""

    head: Name
    arguments: tuple[Type, ...]
    limit: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class FunctionType:
    """`(Player) -> money`: only for parameters of rules and functions."""

    parameters: tuple[Type, ...]
    result: Type
    span: Span


Type = Union[NamedType, OptionType, TupleType, GenericType, FunctionType]


# --- expressions -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Nothing:
    """`none`."""

    span: Span


@dataclass(frozen=True, slots=True)
class Ref:
    """A name used as a value."""

    name: Name
    span: Span


@dataclass(frozen=True, slots=True)
class FieldOf:
    """`p.hand`."""

    value: Expr
    field: Name
    span: Span


@dataclass(frozen=True, slots=True)
class Index:
    """`on[r, p]`, `reserve[c]`."""

    value: Expr
    keys: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """`affordable(p, c)`: functions, rules and the built-in `size`, `min`, `max`, `abs`."""

    function: Name
    arguments: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    """`not x`, `-x`, `some x`, `left of p`, `right of p`, `others of p`, `half up x`, `half down x`."""

    operator: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """`+ - * div mod`, `= != < <= > >=`, `in`, `not in`, `and or implies`, `union minus intersect`."""

    operator: str
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class IsSome:
    """`winner is some p` (binds `p` where the test is true), `winner is none` when `name` is None."""

    value: Expr
    name: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class IsReading:
    """`reading bank is limited`."""

    reading: Name
    meaning: Name
    span: Span


@dataclass(frozen=True, slots=True)
class IsVariant:
    """`variant generous`: true when that variant is played."""

    variant: Name
    span: Span


@dataclass(frozen=True, slots=True)
class Conditional:
    """`a if c else b`."""

    condition: Expr
    then: Expr
    other: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class RangeExpr:
    """`a..b`, both ends in."""

    low: Expr
    high: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class SeatsFrom:
    """`players from p`: all seats clockwise, starting with `p`."""

    start: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Generator:
    """`c in Color`, one source of values in a quantifier, fold, comprehension or `for`."""

    name: Name
    domain: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Fold:
    """A value made from many.

    `operator` is one of `all any` (body is the test), `sum min max` (`sum(E for c in Color where W)`),
    `count` (`count(c in Color where W)`, no body), `first` (`first q in players from p where W`, one generator,
    gives an option), `set` (`{c in Color where W}`), `map` (`{k: E for c in Color}`, one generator; `key` is k).
    `default` is the `or E` of `min` and `max`.
    """

    operator: str
    generators: tuple[Generator, ...]
    where: Expr | None
    body: Expr | None
    span: Span
    default: Expr | None = None
    key: Expr | None = None


@dataclass(frozen=True, slots=True)
class TupleExpr:
    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SetExpr:
    """`{green, red}`; `{}` is the empty set, bag or map, by what is expected."""

    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class MapExpr:
    """`{blue: 2, red: 1}`: a map, a bag, or a record, by what is expected."""

    items: tuple[tuple[Expr, Expr], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ListExpr:
    """`[a, b]`."""

    items: tuple[Expr, ...]
    span: Span


Expr = Union[
    Number, Truth, Nothing, Ref, FieldOf, Index, Call, Unary, Binary, IsSome, IsReading, IsVariant, Conditional,
    RangeExpr, SeatsFrom, Fold, TupleExpr, SetExpr, MapExpr, ListExpr,
]  # fmt: skip


# --- statements --------------------------------------------------------------------------------------------


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
    """`roll 2d6`, `random player`, `random c in Color where W`; only as the value of a `let`."""

    dice: int
    sides: int
    generator: Generator | None
    where: Expr | None
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
    """`for c in Color where W order by K descending, K2:`, fixed when the loop begins (see the language page)."""

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
    """`phrase_span` is the text in its quotes; `from_text.parse_phrase` takes it apart."""

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


Statement = Union[
    Let, Var, Assign, Add, Move, Draw, Pay, Score, If, For, While, Stop, Return, Assert, Do, Choose, AtOnce,
]  # fmt: skip


# --- declarations ------------------------------------------------------------------------------------------


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
class Enum:
    name: Name
    title: str
    citation: Citation | None
    members: tuple[EnumMember, ...]
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
    """`ranking "..." for p @rb(103): p.points, placed(p)`: larger wins, later keys break ties, then shared."""

    title: str
    name: Name
    citation: Citation | None
    keys: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Invariant:
    """`invariant` (always) and `reachable` (in some play); `kind` is the keyword."""

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


Declaration = Union[
    Game, Source, Use, Players, Enum, Currency, Piece, Record, Table, Param, Variant, WhenPlayers, Reading, State,
    Function, Rule, Ranking, Invariant, Bound, Scope, Example,
]  # fmt: skip


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
