"""Core: one configuration of a game as a flat transition system over a record of bounded integers.

The record is a list of ints: the slots one after the other, each an array in row-major order
(`Core.offset`). A block is a stretch of steps that ends by going on, asking a player, letting chance
decide, or ending. Blocks that ask, decide by chance, head a loop or end are the control points; between two
of them nothing waits, and every path is finite.

Numbers and truth values are different sorts of expression: slots, variables and tables hold numbers;
`Compare`, `Not`, `And`, `Or`, `Truth` and the folds `all`/`any` are truth values, as are all conditions and
guards. A truth value in a slot is 0 or 1 (`Ite(c, Const(1), Const(0))` to store, `Compare("!=", read,
Const(0))` to test).
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from math import prod

from rulespec.compiler.spans import NOWHERE, Citation, Span
from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a piece of core comes from; `rule` is the rule's name in the text ("" outside rules)."""

    span: Span = NOWHERE
    rule: str = ""
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Configuration:
    """Every variant and reading that the rulebook has is settled here; `settings` are a scope's params."""

    game: str
    players: int
    variants: tuple[str, ...] = ()
    readings: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Domain:
    """How the numbers of a slot, a dimension, a parameter or an outcome are called.

    Value v is called `names[v - low]` where there are names (labels for people likewise), else by its digits.
    """

    name: str
    low: int = 0
    names: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    @property
    def is_of_positions(self) -> bool:
        """Whether these are the places of a list, which have numbers where others have names."""
        return self.names[:1] == ("0",)


# --- expressions -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Const:
    value: int


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool


@dataclass(frozen=True, slots=True)
class Var:
    """A name bound by `Let`, `For`, `Fold`, or the outcome and option parameters where they are in reach."""

    name: str


@dataclass(frozen=True, slots=True)
class Read:
    """An element of a slot; as many indices as the slot has dimensions, each in range or it is a fault."""

    slot: str
    index: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Lookup:
    """An element of a constant table."""

    table: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Arith:
    """`+ - * div mod min max`; `div` and `mod` round down, their right side is a positive Const."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare:
    """`= != < <= > >=` on numbers."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not:
    value: Expr


@dataclass(frozen=True, slots=True)
class And:
    """Left to right, stopping at the first false one; `And(())` is true."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Left to right, stopping at the first true one; `Or(())` is false."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Ite:
    """`then` if `condition` else `other`; only the one is looked at. All of one sort."""

    condition: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Fold:
    """Over `variable` from `low` to `high` (both in, numbers), where `where` holds.

    `sum` and `count` (body None) give numbers; `min` and `max` a number, `default` when there is none (no
    default: a fault); `all` and `any` a truth value. `variable` is in reach of `where` and `body`.
    """

    operator: str
    variable: str
    low: int
    high: int
    where: Expr | None
    body: Expr | None
    default: Expr | None = None


Expr = Const | Truth | Var | Read | Lookup | Arith | Compare | Not | And | Or | Ite | Fold

TRUE = Truth(True)
FALSE = Truth(False)


# --- statements: no waiting, no endless loop ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Set:
    """`slot[index] := value`; a value outside the slot's range is a fault."""

    slot: str
    index: tuple[Expr, ...]
    value: Expr
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class Let:
    """A number with a name, for the rest of the list of statements; a block's end does not see it."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class If:
    """`origin` is the condition's place in the text, `turned` that it is the opposite of what stands there.

    Both are known to whoever compiles; the text form of core leaves them out.
    """

    condition: Expr
    then: tuple[Statement, ...]
    other: tuple[Statement, ...] = ()
    origin: Origin = field(default=Origin(), compare=False)
    turned: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class For:
    """`body` for each value of `variable` from `low` to `high`, in order."""

    variable: str
    low: int
    high: int
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """A fault unless `condition`.

    `kind`: `assert requires ensures enough distinct limit`; `text` is for people.
    """

    condition: Expr
    kind: str
    text: str
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class Enter:
    """A rule begins: for traces and counts; no effect on the record.

    `sites` are the calls that lead here, in the order of the numbers that `rule.return` has; like an `If`'s
    origin they are not in the text form.
    """

    rule: str
    origin: Origin = field(default=Origin(), compare=False)
    sites: tuple[Origin, ...] = field(default=(), compare=False)


Statement = Set | Let | If | For | Check | Enter


# --- ends of blocks ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Goto:
    target: str


@dataclass(frozen=True, slots=True)
class Branch:
    """`origin` is the condition's place in the text, as in `If`."""

    condition: Expr
    then: str
    other: str
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class Switch:
    """To `targets[value of slot]`: the return of a rule that is called from several places."""

    slot: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Param:
    """An option's parameter: every number from `low` to `high` (expressions over the record and earlier
    parameters).

    `least` and `most` are constants that no number from `low` to `high` leaves; they fix the encoding of
    moves, and where there is none (`low > high`) they say nothing. A parameter that is a bag counts through
    `domain.names`, its parts are looked up in a table. `slot` (a scalar) keeps the chosen value; in
    `guard`, and in later parameters, it is the Var `name`.
    """

    name: str
    slot: str
    low: Expr
    high: Expr
    least: int
    most: int
    domain: Domain


@dataclass(frozen=True, slots=True)
class Option:
    """A legal move is an option with parameter values in range for which `guard` holds.

    `unasked` is what is left of the guard without the text's own `when`; like an `If`'s origin it is not in
    the text form.
    """

    name: str
    params: tuple[Param, ...]
    guard: Expr
    phrase: tuple[str | int, ...]  # text, and numbers of parameters
    target: str
    origin: Origin = field(default=Origin(), compare=False)
    unasked: Expr = field(default=TRUE, compare=False)


@dataclass(frozen=True, slots=True)
class Choose:
    """`actor` (a seat) picks an option; `secret`: nobody else sees which, until the rules show it."""

    actor: Expr
    options: tuple[Option, ...]
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Chance:
    """`slot` (a scalar) becomes a number from `low` to `high`, each with weight `weight` over the Var
    `outcome`.

    Weights are at least 0; their sum is above 0 or it is a fault. `seen_by`: a seat, -1 for everybody, -2
    for nobody.
    """

    slot: str
    low: int
    high: int
    weight: Expr
    seen_by: Expr
    target: str
    domain: Domain


@dataclass(frozen=True, slots=True)
class End:
    pass


Terminator = Goto | Branch | Switch | Choose | Chance | End


@dataclass(frozen=True, slots=True)
class Loop:
    """What a loop head says.

    `measure` falls lexicographically each time round and is never below 0; `bounded` loops count through
    something finite by construction and have none. `keeps` are claimed each time the head is reached.
    `body` are the blocks inside (calls left out), to tell going round from coming in.
    """

    measure: tuple[Expr, ...]
    bounded: bool
    keeps: tuple[Expr, ...]
    body: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    name: str
    body: tuple[Statement, ...]
    end: Terminator
    loop: Loop | None = None
    origin: Origin = field(default=Origin(), compare=False)

    @property
    def kind(self) -> str:
        """`choice`, `chance`, `end`, `loop` or `step`; all but `step` are control points."""
        match self.end:
            case Choose():
                return "choice"
            case Chance():
                return "chance"
            case End():
                return "end"
            case _:
                return "loop" if self.loop else "step"


# --- the record and the whole -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slot:
    """A bounded integer, or an array of them with one `Domain` (`low` 0) for each dimension.

    `role`: `state` (declared by the game), `local` (of a rule), `control` (return addresses, loop counters,
    answers). `sight`: `open`, `private` (seen by the seat that is the first index), `hidden`, or `seat` (a
    secret answer: seen by the seat that is the first index). `counted`: those who may not see the content
    see the sum over all but the first dimension (private) or over all (hidden). `keeps`: the piece or
    currency that is kept here, "" for none. `initial` has one number for each element. `unless`: while the
    slot of this name (open, 0 or 1; for each seat where the first index is one) is 1, all see the content.
    `said` is how the rules write an element, with `{0}`, `{1}` for its indices (`{0}.hand[{1}]`,
    `{1} in {0}.major`); "" where they cannot. It is for people alone.
    """

    name: str
    low: int
    high: int
    dims: tuple[Domain, ...] = ()
    domain: Domain = Domain("Int")
    role: str = "state"
    sight: str = "open"
    counted: bool = False
    keeps: str = ""
    title: str = ""
    initial: tuple[int, ...] = (0,)
    origin: Origin = field(default=Origin(), compare=False)
    unless: str = ""
    said: str = field(default="", compare=False)

    @property
    def size(self) -> int:
        return prod(len(d.names) for d in self.dims)


@dataclass(frozen=True, slots=True)
class Table:
    """A constant array in row-major order; `assumed` rows (first index) are those no source prints.

    `open` has cells as (position, low, high): no source has the number, and it was assumed within limits. The
    rules may lean on the number only by looking it up. `Core.limits` say what else holds of open cells.
    """

    name: str
    dims: tuple[Domain, ...]
    values: tuple[int, ...]
    assumed: tuple[int, ...] = ()
    open: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Property:
    """A claim about the record. `kind`: `invariant`, `bound`, `conservation` (always true) or `reachable`.

    `hint` claims nothing: it is a fact that the verifier may try at every control point.
    """

    kind: str
    name: str
    title: str
    condition: Expr
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number over the record whose extremes are asked for.

    Where it stands for several, one for each player say, `most` is the greatest and `least` the least of
    them; else they are the same. `stated` has what a `bound` says of it, as far as that is constant.
    """

    name: str
    title: str
    most: Expr
    least: Expr
    stated: tuple[int | None, int | None] = (None, None)
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """A rule for people: its title and citation, by the name used in `Origin.rule`."""

    name: str
    title: str
    citation: Citation | None
    span: Span = NOWHERE


@dataclass(frozen=True)
class Core:
    """A game in one configuration.

    `ranking` holds number expressions over the Var `p`; the first is the score. `limits` are truth values
    over tables alone, which hold whatever their open cells are; `fixed` are the tables with assumed cells
    that would be open had they not been needed before play.
    """

    configuration: Configuration
    title: str
    slots: tuple[Slot, ...]
    tables: tuple[Table, ...]
    blocks: tuple[Block, ...]
    start: str
    properties: tuple[Property, ...]
    ranking: tuple[Expr, ...]
    rules: tuple[RuleInfo, ...]
    params: tuple[tuple[str, int], ...] = ()
    hints: tuple[Property, ...] = ()
    limits: tuple[Expr, ...] = ()
    fixed: tuple[str, ...] = ()

    @cached_property
    def slot(self) -> dict[str, Slot]:
        """Each slot by its name."""
        return {s.name: s for s in self.slots}

    @cached_property
    def block(self) -> dict[str, Block]:
        """Each block by its name."""
        return {b.name: b for b in self.blocks}

    @cached_property
    def table(self) -> dict[str, Table]:
        """Each table by its name."""
        return {t.name: t for t in self.tables}

    @cached_property
    def offset(self) -> dict[str, int]:
        """Position of each slot's first element in the record."""
        result: dict[str, int] = {}
        position = 0
        for s in self.slots:
            result[s.name] = position
            position += s.size
        return result


# --- examples ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act:
    """A move of an example: option and arguments by name.

    An argument is a member's name, digits, `true`/`false`, or for a bag its canonical name `{red: 1, blue:
    2}` (kinds in declared order, none with 0). `refused`: the move must not be offered to that seat now.
    """

    actor: int
    refused: bool
    option: str
    arguments: tuple[str, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Happens:
    """What chance decides next, by name or digits."""

    outcome: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Script:
    """An example: a core that starts in the given position at the given rule, the steps, and what must then
    hold.

    `core.properties` are those of the game, so that a given position that breaks one can be said to be
    unreachable. `from_the_start`: it begins as play does, with `setup` on the empty table. `ends_the_game`:
    what runs is the whole of play, so that its end is the game's.
    """

    name: str
    title: str
    core: Core
    steps: tuple[Act | Happens, ...]
    then: tuple[tuple[Expr, Span], ...]
    origin: Origin = Origin()
    from_the_start: bool = False
    ends_the_game: bool = True
