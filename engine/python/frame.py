"""What the emitter knows while it writes one module, and one function in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from rulespec.compiler.core.tree import Core, Domain, Expr, Origin
from rulespec.engine.python.intervals import Facts, Interval
from rulespec.engine.python.names import Names, Scope
from rulespec.engine.python.places import LocalPlaces, Offset, Places, RecordPlaces
from rulespec.engine.python.writer import Writer
from rulespec.engine.tally import places

# What the loader puts into a generated module, and what it looks for there afterwards.
SUPPLIED = frozenset({"within", "fault", "leaves", "pick", "no_debts", "Over", "BUDGET"})
EXPORTED = frozenset({"START", "ACTOR", "MOVES", "PLAY", "OUTCOMES", "HAPPEN", "scores", "play", "holds"})
ARGUMENTS = frozenset({"r", "move", "decided", "draw", "most", "entered", "chosen"})


@dataclass(frozen=True)
class Site:
    """A place of the generated code that can fault: what the fault will say of itself.

    `text` is cut where the numbers belong that are known only then; for `range` it is the slot's name.
    """

    kind: str
    text: tuple[str, ...]
    origin: Origin
    block: str


@dataclass
class Module:
    """One generated module: names, constants and helper functions are shared by all its functions."""

    core: Core
    local: bool = False
    names: Names = field(default_factory=lambda: Names(SUPPLIED | EXPORTED, ARGUMENTS))
    offsets: dict[str, Offset] = field(default_factory=dict)  # constants with positions in the record
    tables: dict[str, str] = field(default_factory=dict)  # constants with tables, in source
    helpers: list[str] = field(default_factory=list)
    helper_names: dict[object, tuple[str, list[str]]] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    _site_numbers: dict[tuple[str, tuple[str, ...], int, str], int] = field(default_factory=dict)
    _table_names: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.counted = places(self.core)
        self.places: Places
        if self.local:
            self.places = LocalPlaces(self.core, self.names)
        else:
            self.places = RecordPlaces(self.core, self.names, self.offsets)

    def site(self, kind: str, text: tuple[str, ...], origin: Origin, block: str) -> int:
        key = (kind, text, id(origin), block)
        if key not in self._site_numbers:
            self._site_numbers[key] = len(self.sites)
            self.sites.append(Site(kind, text, origin, block))
        return self._site_numbers[key]

    def define(self, name: str, arguments: list[str], body: list[str]) -> None:
        """A helper function; `body` is indented already."""
        self.helpers += ["", "", f"def {name}({', '.join(arguments)}):", *body]

    def table(self, name: str) -> str:
        """The module constant that holds a table, as nested tuples."""
        if name not in self._table_names:
            table = self.core.table[name]
            self._table_names[name] = self.names.constant(name)
            self.tables[self._table_names[name]] = nested(table.dims, table.values, "()")
        return self._table_names[name]


@dataclass
class Frame:
    """One function that is being written."""

    module: Module
    scope: Scope
    places: Places
    out: Writer
    facts: Facts
    origin: Origin
    block: str
    variables: dict[str, str] = field(default_factory=dict)  # core variable -> Python variable
    tally: bool = False  # count rules and options as they happen
    depth: int = 0  # of the expression that is being written
    nesting: int = 0  # of statements

    @property
    def core(self) -> Core:
        return self.module.core

    def site(self, kind: str, *text: str) -> int:
        """The number of a fault that the code written now may end in; numbers go where `text` is cut."""
        return self.module.site(kind, text, self.origin, self.block)

    def helper(self, free: list[str]) -> Frame:
        """A frame for a function that this one calls with its variables `free`; it knows the same facts."""
        scope = self.module.names.scope()
        variables = {variable: scope.fresh(variable) for variable in free}
        return replace(
            self,
            scope=scope,
            variables=variables,
            facts=self.facts.copy(),
            places=self.places.inner(),
            out=Writer(1),
            depth=0,
            nesting=0,
        )

    def bind(self, variable: str, interval: Interval) -> str:
        """A Python variable for a core variable that begins here."""
        name = self.scope.fresh(variable)
        self.variables[variable] = name
        self.facts.bind(variable, interval)
        return name

    @contextmanager
    def branch(self, condition: Expr | None = None, value: bool = True) -> Iterator[Facts]:
        """What is bound, learnt or begun inside ends with the `with`; yields the facts, good after it too."""
        before = self.variables, self.facts, self.origin, self.block
        mark = self.scope.mark()
        self.variables, self.facts = dict(self.variables), self.facts.copy()
        if condition is not None:
            self.facts.learn(condition, value)
        try:
            yield self.facts
        finally:
            self.variables, self.facts, self.origin, self.block = before
            self.scope.release(mark)

    def come_to(self, origin: Origin) -> None:
        """Faults from here on are said to come from `origin`, if it says anything."""
        if origin != Origin():
            self.origin = origin


def nested(dims: tuple[Domain, ...], values: tuple[int, ...], brackets: str) -> str:
    """A row-major array as nested tuples or lists, in source."""
    if not dims:
        return str(values[0])
    size = len(dims[0].names)
    stride = len(values) // size if size else 0
    inner = [nested(dims[1:], values[i * stride : (i + 1) * stride], brackets) for i in range(size)]
    trailing = "," if brackets == "()" and size == 1 else ""
    return brackets[0] + ", ".join(inner) + trailing + brackets[1]
