"""What is known and made while one configuration of a rulebook is lowered."""

from __future__ import annotations

from dataclasses import field

from rulespec.compiler.core import build
from rulespec.compiler.core.evaluate import Evaluator, Open
from rulespec.compiler.core.limits import DOMAIN, NESTING, NODES, STEPS, Refused
from rulespec.compiler.core.tree import (
    Compare,
    Configuration,
    Const,
    Domain,
    Expr,
    Lookup,
    Origin,
    Read,
    Table,
    Var,
)
from rulespec.compiler.core.walk import measure
from rulespec.compiler.diagnostics import Diagnostic
from rulespec.compiler.spans import Span
from rulespec.compiler.typed.tree import Function, Rule, Rulebook, StateVar, TBool, TEnum, TInt, TOption, Type
from rulespec.compiler.values import dataclass

_NO_ORIGIN = Origin()
_WRITTEN = "list.written.out"  # the table behind `no_item`
Cell = tuple[str, int]  # a table and a position in it
BOOL = Domain("Bool", 0, ("false", "true"))


@dataclass
class SlotDraft:
    """A slot in the making; `low` and `high` are None where `ranges` must find them."""

    name: str
    low: int | None
    high: int | None
    dims: tuple[Domain, ...]
    domain: Domain
    role: str
    sight: str = "open"
    counted: bool = False
    keeps: str = ""
    title: str = ""
    initial: list[int] | None = None
    origin: Origin = _NO_ORIGIN
    unless: str = ""
    said: str = ""

    @property
    def size(self) -> int:
        result = 1
        for dim in self.dims:
            result *= len(dim.names)
        return result


@dataclass(frozen=True, slots=True)
class Spread:
    """The bounds of a variable of a loop, fold or chance, when they depend on the record."""

    low: Expr
    high: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Settled:
    """A condition of the text that the ranges decide: it always is `value` where it is asked."""

    origin: Origin
    value: bool


@dataclass
class Context:
    rulebook: Rulebook
    configuration: Configuration
    domains: dict[str, Domain] = field(default_factory=dict)  # enums, tables, Player
    functions: dict[str, Function] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)
    state: dict[str, StateVar] = field(default_factory=dict)
    params: dict[str, Expr] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    slots: dict[str, SlotDraft] = field(default_factory=dict)
    spares: dict[tuple[str, int], str] = field(default_factory=dict)  # by the slot and the depth in it
    claimed: set[str] = field(default_factory=set)
    spreads: dict[str, Spread] = field(default_factory=dict)
    unlimited: set[str] = field(default_factory=set)  # homes of money that may be paid out without end
    findings: list[Diagnostic] = field(default_factory=list)
    settled: list[Settled] = field(default_factory=list)
    open: dict[Cell, tuple[int, int]] = field(default_factory=dict)  # assumed cells and the room they have
    fixed: set[Cell] = field(default_factory=set)  # those of them that had to be known before play
    limits: list[Expr] = field(default_factory=list)  # what holds of open cells
    bits: set[str] = field(default_factory=set)  # variables that are 0 or 1
    names_given: int = 0
    steps: int = 0
    depth: int = 0

    def __post_init__(self) -> None:
        self.readings = dict(self.configuration.readings)
        self.variants = set(self.configuration.variants)
        self.functions = {f.name: f for f in self.rulebook.functions}
        self.rules = {r.name: r for r in self.rulebook.rules}
        self.state = {v.name: v for v in self.rulebook.state}
        self.currencies = frozenset(c.name for c in self.rulebook.currencies)
        seats = tuple(f"p{n}" for n in range(self.configuration.players))
        self.domains = {"Bool": BOOL, "Player": Domain("Player", 0, seats)}
        for enum in self.rulebook.enums:
            self.domains[enum.name] = Domain(enum.name, 0, enum.members, enum.labels)

    @property
    def players(self) -> int:
        return self.configuration.players

    def fresh(self, base: str) -> str:
        """A variable name nobody else has; `finish` gives it a readable one."""
        self.names_given += 1
        return f"{base}#{self.names_given}"

    def claim(self, wanted: str) -> str:
        """A slot name that is still free, `wanted` if possible."""
        name, number = wanted, 2
        while name in self.slots or name in self.claimed:
            name, number = f"{wanted}.{number}", number + 1
        self.claimed.add(name)  # not all that have a name are slots by it: records are one for each field
        return name

    def members(self, enum: TEnum) -> int:
        return len(self.domains[enum.name].names)

    def domain_of(self, type: Type) -> Domain:
        """How the numbers of a scalar are called."""
        match type:
            case TBool():
                return BOOL
            case TInt(unit, _, _):
                return Domain(unit or "Int")
            case TEnum(name):
                return self.domains[name]
            case TOption(inner):
                domain = self.domain_of(inner)
                labels = ("nothing", *domain.labels) if domain.labels else ()
                return Domain(f"{domain.name}?", -1, ("none", *domain.names), labels)
        raise AssertionError("the checker lets only scalars come here")

    def lookup(self, table: str, index: tuple[Expr, ...]) -> Expr:
        expr = Lookup(table, index)
        if all(isinstance(i, Const) for i in index):
            found = Evaluator(self.tables)
            value = found.value(expr, {})
            if self.open.keys().isdisjoint(found.looked):
                return build.number(value)
        return expr

    def room(self, table: str) -> tuple[int, int]:
        """The least and the greatest number that a table may hold."""
        values = self.tables[table].values
        open = [room for (name, _), room in self.open.items() if name == table]
        return min(*values, *(low for low, _ in open)), max(*values, *(high for _, high in open))

    def no_item(self) -> Expr:
        """What stands beyond the end of a list that is not kept anywhere: looking at it is a fault."""
        if _WRITTEN not in self.tables:
            # Two values, so that nobody knows the outcome and leaves the look away.
            self.tables[_WRITTEN] = Table(_WRITTEN, (Domain("position", 0, ("0", "1")),), (0, 1))
        return Lookup(_WRITTEN, (Const(-1),))

    def stored(self, value: Expr) -> Expr:
        """A truth value as the number that a slot keeps; one that was read is taken as it is kept."""
        if isinstance(value, Compare) and value.operator == "!=" and value.right == build.ZERO:
            kept = value.left
            if isinstance(kept, Read) and (self.slots[kept.slot].low, self.slots[kept.slot].high) == (0, 1):
                return kept
            if isinstance(kept, Var) and kept.name in self.bits:
                return kept
        return build.as_number(value)

    def tick(self, span: Span) -> None:
        """Counts a step of the lowering, so that no text can keep it busy for long."""
        self.steps += 1
        if self.steps > STEPS:
            text = "the rules come to too much when functions are written out"
            raise Refused("R0514", text, span, help=("split this into rules, which are not written out",))

    def evaluate(self, expr: Expr, span: Span) -> int:
        """What an expression that must be known before play comes to."""
        try:
            found = Evaluator(self.tables)
            value = found.value(expr, {})
            self.fixed |= self.open.keys() & found.looked
            return value
        except Open as reason:
            raise Refused("R0501", f"this must be known before play, but {reason}", span) from None

    def sized(self, expr: Expr, span: Span) -> Expr:
        """`expr`, unless it is too large or nested too deep."""
        nodes, nesting = measure(expr)
        if nesting > NESTING:
            text = f"this comes to an expression nested {nesting} deep, and {NESTING} is the most"
            raise Refused("R0512", text, span, help=("put a part of it into a `let` first",))
        if nodes > NODES:
            text = f"this comes to an expression of {nodes} parts, and at most {NODES} can be worked with"
            raise Refused("R0513", text, span, help=("put a part of it into a `let` first",))
        return expr

    def swept(self, low: int, high: int, span: Span) -> tuple[int, int]:
        """The bounds, unless there are too many values between them."""
        if high - low >= DOMAIN:
            text = f"{low}..{high} are {high - low + 1} values, and at most {DOMAIN} can be gone through"
            raise Refused("R0511", text, span)
        return low, high

    def refuse(self, refused: Refused) -> None:
        if refused.diagnostic not in self.findings:
            self.findings.append(refused.diagnostic)
