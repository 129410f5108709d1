"""What names mean: the definitions of a whole rulebook, and the local names at one place of it."""

from __future__ import annotations

from dataclasses import field, replace

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import NOWHERE, Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.report import Report
from rulespec.compiler.typed.shapes import UNKNOWN, FunctionShape, Shape, mentions_money
from rulespec.compiler.values import dataclass

# Names with a meaning of their own, which nothing may take.
BUILT_IN_FUNCTIONS = ("size", "min", "max", "abs")
BUILT_IN_TYPES = ("Bool", "Int", "Player", "money", "Set", "Bag", "Map", "Deck", "List")
RESERVED = frozenset((*BUILT_IN_FUNCTIONS, *BUILT_IN_TYPES, "players"))


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition; `sort` is the word for it: enum, table, currency, piece, param, state variable, ..."""

    sort: str
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Member:
    enum: str
    position: int
    span: Span


@dataclass(frozen=True, slots=True)
class Template:
    """A function or rule as it is called; it is generic when it takes functions or speaks of `money`."""

    sort: str
    name: str
    parameters: tuple[tuple[s.Name, Shape], ...]
    result: t.Type | None
    result_names: tuple[str, ...]
    source: s.Function | s.Rule

    @property
    def generic(self) -> bool:
        shapes = [shape for _, shape in self.parameters]
        return any(isinstance(x, FunctionShape) or mentions_money(x) for x in shapes) or (
            self.result is not None and mentions_money(self.result)
        )


@dataclass(frozen=True, slots=True)
class Binding:
    """A local name and what it stands for; `sort` is the word for it (`let`, `var`, `parameter`, ...)."""

    value: t.Expr
    sort: str
    span: Span


@dataclass(frozen=True, slots=True)
class FunctionBinding:
    """A parameter that stands for a function: its instance by name, with that instance's shape."""

    function: str
    shape: FunctionShape
    span: Span


Local = Binding | FunctionBinding


@dataclass(frozen=True, slots=True)
class Request:
    """An instance that is called and whose body is still to be checked."""

    template: Template
    functions: tuple[str, ...]
    unit: str
    name: str


@dataclass
class Instances:
    """Each combination of function arguments and unit that is called is one instance, shared by callers."""

    known: dict[tuple[str, tuple[str, ...], str], str] = field(default_factory=dict)
    count: dict[str, int] = field(default_factory=dict)
    waiting: list[Request] = field(default_factory=list)
    # Of each function's instance the shape it has when it is handed on as an argument.
    shapes: dict[str, FunctionShape] = field(default_factory=dict)

    def name_of(self, template: Template, functions: tuple[str, ...], unit: str) -> str:
        key = (template.name, functions, unit)
        if key not in self.known:
            number = self.count.get(template.name, 0) + 1
            self.count[template.name] = number
            name = template.name if number == 1 else f"{template.name}#{number}"
            self.known[key] = name
            self.waiting.append(Request(template, functions, unit, name))
        return self.known[key]


MOST_MEMBERS = 256


@dataclass
class Book:
    """All definitions of a rulebook and its modules, filled in stages by `declarations`."""

    report: Report
    main: str
    visible: dict[str, frozenset[str]]
    symbols: dict[str, Symbol] = field(default_factory=dict)
    members: dict[str, list[Member]] = field(default_factory=dict)
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    columns: dict[str, dict[str, t.Type]] = field(default_factory=dict)
    cells: dict[str, dict[str, tuple[t.Expr, ...]]] = field(default_factory=dict)
    grids: dict[str, s.Grid] = field(default_factory=dict)
    records: dict[str, t.TRecord] = field(default_factory=dict)
    pieces: dict[str, t.TEnum] = field(default_factory=dict)
    currencies: dict[str, Span] = field(default_factory=dict)
    params: dict[str, t.Param] = field(default_factory=dict)
    state: dict[str, t.StateVar] = field(default_factory=dict)
    templates: dict[str, Template] = field(default_factory=dict)
    readings: dict[str, s.Reading] = field(default_factory=dict)
    variants: dict[str, s.Variant] = field(default_factory=dict)
    sources: dict[str, s.Source] = field(default_factory=dict)
    players: s.Players | None = None
    instances: Instances = field(default_factory=Instances)
    # Functions that the checker makes: `purse` given where a function is expected.
    made: dict[str, t.Function] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    # Where each name that was looked up is defined, for whoever shows the text: from span to span.
    uses: dict[Span, Span] = field(default_factory=dict)
    # Where the columns of tables and the fields of records are defined.
    parts: dict[tuple[str, str], Span] = field(default_factory=dict)

    def find(self, name: s.Name) -> Symbol | None:
        """The definition of a name, if the file in which the name stands can see it."""
        symbol = self.symbols.get(name.text)
        if symbol is not None and self.sees(name.span.file, symbol.span.file):
            self.uses[name.span] = symbol.span
            return symbol
        return None

    def use_part(self, of: str, name: s.Name) -> None:
        """Note that a name is that of a column or a field."""
        if (of, name.text) in self.parts:
            self.uses[name.span] = self.parts[of, name.text]

    def find_members(self, name: s.Name) -> list[Member]:
        return [m for m in self.members.get(name.text, ()) if self.sees(name.span.file, m.span.file)]

    def kinds(self, piece: str) -> t.TEnum:
        """What a piece is of; unknown until its declaration has been looked at."""
        return self.pieces.get(piece, UNKNOWN)

    def sees(self, file: str, other: str) -> bool:
        """A module sees itself and what it uses; the main file and examples from outside see everything."""
        return file not in self.visible or other in self.visible[file]

    def names(self, file: str, *sorts: str) -> list[str]:
        """All definitions of these sorts that a file sees, for advice."""
        return [x.name for x in self.symbols.values() if x.sort in sorts and self.sees(file, x.span.file)]


@dataclass
class Names:
    """Gives each local of a function or rule a name of its own: `x`, `x.2`, ...; remembers which are read."""

    counts: dict[str, int] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    past: dict[str, Span] = field(default_factory=dict)
    # The `let`s and `var`s with their names as written, for the warning when none of them is read.
    declared: list[tuple[tuple[str, ...], tuple[s.Name, ...]]] = field(default_factory=list)

    def fresh(self, name: str) -> str:
        number = self.counts.get(name, 0) + 1
        self.counts[name] = number
        return name if number == 1 else f"{name}.{number}"


@dataclass
class Context:
    """One place in a function, rule or property: what is known there.

    `money` is the unit that `money` stands for, None where it may not be said. `seats` is how many play
    where `p0` may be said. `result` is the type that `return` must give, written at `result_span`.
    """

    book: Book
    names: Names = field(default_factory=Names)
    scope: dict[str, Local] = field(default_factory=dict)
    money: str | None = None
    seats: int | None = None
    result: t.Type | None = None
    result_span: Span | None = None
    in_loop: bool = False
    once: Span | None = None

    @property
    def report(self) -> Report:
        return self.book.report

    def child(self) -> Context:
        """The same place with a scope of its own."""
        return replace(self, scope=dict(self.scope))

    def with_(self, bindings: dict[str, Binding]) -> Context:
        """The same place with more local names."""
        return replace(self, scope={**self.scope, **bindings}) if bindings else self

    def local(self, name: s.Name, type: t.Type, sort: str) -> tuple[t.Local, dict[str, Binding]]:
        """A name for statements."""
        check_free(self, name)
        node = t.Local(self.names.fresh(name.text), type, name.span)
        return node, self._bound(name, node, sort)

    def bound(self, name: s.Name, type: t.Type, sort: str) -> tuple[t.Bound, dict[str, Binding]]:
        """A name inside an expression."""
        check_free(self, name)
        node = t.Bound(self.names.fresh(name.text), type, name.span)
        return node, self._bound(name, node, sort)

    def _bound(self, name: s.Name, node: t.Expr, sort: str) -> dict[str, Binding]:
        self.names.past.setdefault(name.text, name.span)
        return {name.text: Binding(node, sort, name.span)}


def check_free(cx: Context, name: s.Name) -> None:
    """A local name must be new: one that hides another is taken for it by a hasty reader."""
    if check_reserved(cx, name):
        return
    earlier = cx.scope.get(name.text)
    if earlier is not None:
        _shadows(cx, name, earlier.span, _sort(earlier))
        return
    members = cx.book.find_members(name)
    if members:
        _shadows(cx, name, members[0].span, f"member of `{members[0].enum}`")
        return
    symbol = cx.book.find(name)
    # A variable of each player always stands after a dot, so nothing is hidden.
    if symbol is not None and not _per_player(cx.book, symbol):
        _shadows(cx, name, symbol.span, symbol.sort)


def check_reserved(cx: Context, name: s.Name) -> bool:
    """Report a name that the language has taken; true when it was."""
    if name.text not in RESERVED and seat_number(name.text) is None:
        return False
    what = "the name of a seat" if seat_number(name.text) is not None else "a word of the language"
    cx.report.error("R0213", f"`{name.text}` is {what}", name.span, help=("choose another name",))
    return True


def seat_number(name: str) -> int | None:
    """3 for `p3`."""
    digits = name[1:]
    if name[:1] != "p" or not (digits.isascii() and digits.isdigit()) or len(digits) > 3:
        return None
    return int(digits)


def _per_player(book: Book, symbol: Symbol) -> bool:
    variable = book.state.get(symbol.name)
    return symbol.sort == "state variable" and variable is not None and variable.per_player


def _sort(binding: Local) -> str:
    return binding.sort if isinstance(binding, Binding) else "parameter"


def _shadows(cx: Context, name: s.Name, earlier: Span, sort: str) -> None:
    labels = (Label(earlier, f"the other `{name.text}`, a {sort}"),) if earlier != NOWHERE else ()
    advice = "choose another name for one of them"
    cx.report.error("R0211", f"`{name.text}` hides another `{name.text}`", name.span, *labels, help=(advice,))
