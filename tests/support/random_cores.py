"""Random cores: well-formed, full of ways to fault, with names meant to break generated code."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from rulespec.compiler.core.tree import (
    And,
    Arith,
    Block,
    Branch,
    Chance,
    Check,
    Choose,
    Compare,
    Configuration,
    Const,
    Core,
    Domain,
    End,
    Enter,
    Expr,
    Fold,
    For,
    Goto,
    If,
    Ite,
    Let,
    Lookup,
    Not,
    Option,
    Or,
    Origin,
    Param,
    Property,
    Read,
    RuleInfo,
    Set,
    Slot,
    Statement,
    Switch,
    Table,
    Terminator,
    Truth,
    Var,
)
from rulespec.compiler.spans import Span
from rulespec.engine.python.flow import successors

SEAT = Domain("Player", 0, ("p0", "p1"))
COLOR = Domain("a color", 0, ("red", "class", "x\ny"))
INT = Domain("Int")

# Keywords, builtins, names that generated code uses itself, and text that is no name at all.
NAMES = (
    *("class", "def", "lambda", "None", "print", "sum", "range", "min", "len", "any", "r", "move", "draw"),
    *("outcome", "most", "steps", "at", "place", "value", "total", "best", "fault", "within", "leaves"),
    *("pick", "play", "scores", "START", "number", "moves", "has space", 'quo"te', "new\nline", "é", "2nd"),
    *("", "_", "__import__", '"""', "back\\", "x" * 300, "a.b", "a_b", "A_B", "True", "Over", "BUDGET"),
)


def random_core(seed: int) -> Core:
    return _Maker(random.Random(seed)).core()


def reachable(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """The blocks that the first leads to."""
    by_name = {block.name: block for block in blocks}
    found = {blocks[0].name}
    todo = [blocks[0]]
    while todo:
        for target in successors(todo.pop()):
            if target not in found:
                found.add(target)
                todo.append(by_name[target])
    return tuple(block for block in blocks if block.name in found)


@dataclass
class _Maker:
    rng: random.Random
    origins: int = 0
    names: list[str] = field(default_factory=list)

    def core(self) -> Core:
        self.names = self.rng.sample(NAMES, len(NAMES))
        self.scalars = [self.slot(-3, 5), self.slot(0, 1), self.slot(0, 9), self.slot(-1, 1), self.slot(0, 2)]
        self.arrays = [self.slot(0, 4, SEAT), self.slot(-2, 6, COLOR), self.slot(0, 1, COLOR)]
        self.arrays += [self.slot(0, 5, SEAT, COLOR), self.slot(-1, 2, SEAT, SEAT, COLOR)]
        self.kept = [self.slot(-9, 9), self.slot(0, 3), self.slot(-9, 9)]
        self.counters = [Slot(f"count {i}", 0, 3, role="control") for i in range(3)]
        self.back = Slot("back to", 0, 2, role="control")
        self.tables = [self.table(SEAT), self.table(COLOR), self.table(SEAT, COLOR)]
        self.rules = [self.names.pop() for _ in range(3)]
        self.order = [f"{self.rng.choice(NAMES)}.{i}" for i in range(self.rng.randint(6, 14))]
        blocks = self.blocks()
        return Core(
            Configuration('a "game"\n"""', 2),
            title='Title with """ and \\ and \n lines"',
            slots=(*self.scalars, *self.arrays, *self.kept, *self.counters, self.back),
            tables=tuple(self.tables),
            blocks=blocks,
            start=blocks[0].name,
            properties=tuple(Property("invariant", f"i{i}", "", self.truth(3, ())) for i in range(3)),
            ranking=(self.number(2, ("p",)), self.number(2, ("p",))),
            rules=tuple(RuleInfo(name, f'About "{name}"', None) for name in self.rules),
        )

    def slot(self, low: int, high: int, *dims: Domain) -> Slot:
        size = 1
        for dim in dims:
            size *= len(dim.names)
        initial = tuple(self.rng.randint(low, high) for _ in range(size))
        name = self.names.pop()
        return Slot(name, low, high, dims, title=f'title of "{name}"\\', initial=initial)

    def table(self, *dims: Domain) -> Table:
        size = 1
        for dim in dims:
            size *= len(dim.names)
        return Table(self.names.pop(), dims, tuple(self.rng.randint(-2, 4) for _ in range(size)))

    def origin(self) -> Origin:
        self.origins += 1
        line = self.origins
        return self.rng.choice((Origin(), Origin(Span("f", line, 1, line, 9), self.rng.choice(self.rules))))

    # --- expressions ----------------------------------------------------------------------------------------

    def number(self, depth: int, known: tuple[str, ...]) -> Expr:
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            leaves: list[Expr] = [Const(rng.randint(-2, 6)), Read(rng.choice(self.scalars).name)]
            return Var(rng.choice(known)) if known and rng.random() < 0.5 else rng.choice(leaves)
        match rng.randrange(8):
            case 0 | 1:
                return self.arith(depth, known)
            case 2 | 3:
                slot = rng.choice(self.arrays)
                return Read(slot.name, tuple(self.index(depth - 1, known, d) for d in slot.dims))
            case 4:
                table = rng.choice(self.tables)
                return Lookup(table.name, tuple(self.index(depth - 1, known, d) for d in table.dims))
            case 5:
                condition = self.truth(depth - 1, known)
                if rng.random() < 0.4:
                    return Ite(condition, Const(1), Const(0))
                return Ite(condition, self.number(depth - 1, known), self.number(depth - 1, known))
            case _:
                return self.fold(depth, known, rng.choice(("sum", "count", "min", "max")))

    def arith(self, depth: int, known: tuple[str, ...]) -> Expr:
        operator = self.rng.choice(("+", "+", "-", "-", "*", "min", "max", "div", "mod"))
        left = self.number(depth - 1, known)
        if operator in ("div", "mod"):
            return Arith(operator, left, Const(self.rng.randint(1, 4)))
        return Arith(operator, left, self.number(depth - 1, known))

    def variable(self, known: tuple[str, ...]) -> str:
        """A name that means nothing yet where it is bound."""
        return self.rng.choice([name for name in NAMES if name not in known and name != "outcome"])

    def index(self, depth: int, known: tuple[str, ...], dim: Domain) -> Expr:
        """Mostly in range: a random number is cut to size, but not always."""
        size = len(dim.names)
        match self.rng.randrange(6):
            case 0:
                return Const(self.rng.randrange(size))
            case 1 | 2 if known:
                return Arith("mod", Var(self.rng.choice(known)), Const(size))
            case 3:
                return self.number(0, known)
            case _:
                return Arith("mod", self.number(depth, known), Const(size))

    def fold(self, depth: int, known: tuple[str, ...], operator: str) -> Fold:
        rng = self.rng
        variable = self.variable(known)
        low = rng.choice((0, 0, 0, -1, 2))
        high = low + rng.choice((1, 2, 2, 3, 11, -1))
        inner = (*known, variable)
        where = self.truth(depth - 1, inner) if rng.random() < 0.5 or operator == "count" else None
        body: Expr | None
        if operator == "count":
            body = None
        else:
            body = (self.truth if operator in ("all", "any") else self.number)(depth - 1, inner)
        if rng.random() < 0.3:
            low, high, where, body = self.row_fold(operator, variable, known)
        has_default = operator in ("min", "max") and rng.random() < 0.6
        return Fold(
            operator, variable, low, high, where, body, self.number(0, known) if has_default else None
        )

    def row_fold(
        self, operator: str, variable: str, known: tuple[str, ...]
    ) -> tuple[int, int, Expr | None, Expr | None]:
        """Over a whole row of a slot, for which Python has shorter words."""
        slot = self.rng.choice(self.arrays)
        read = Read(slot.name, (*(self.index(0, known, d) for d in slot.dims[:-1]), Var(variable)))
        high = len(slot.dims[-1].names) - 1
        positive = Compare(self.rng.choice(("!=", ">", ">=")), read, Const(self.rng.randint(0, 1)))
        if operator == "count":
            return 0, high, positive, None
        return 0, high, None, positive if operator in ("all", "any") else read

    def truth(self, depth: int, known: tuple[str, ...]) -> Expr:
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            operator = rng.choice(("=", "!=", "<", "<=", ">", ">="))
            right = rng.choice((Const(rng.randint(-1, 3)), self.number(max(depth - 1, 0), known)))
            return Compare(operator, self.number(max(depth - 1, 0), known), right)
        items = tuple(self.truth(depth - 1, known) for _ in range(rng.randrange(4)))
        match rng.randrange(6):
            case 0:
                return And(items)
            case 1:
                return Or(items)
            case 2:
                return Not(self.truth(depth - 1, known))
            case 3:
                return Ite(*(self.truth(depth - 1, known) for _ in range(3)))
            case 4:
                return Truth(rng.random() < 0.5)
            case _:
                return self.fold(depth, known, rng.choice(("all", "any")))

    # --- statements -----------------------------------------------------------------------------------------

    def statements(self, depth: int, known: tuple[str, ...]) -> tuple[Statement, ...]:
        result: list[Statement] = []
        for _ in range(self.rng.randint(0, 3)):
            statement = self.statement(depth, known)
            result.append(statement)
            if isinstance(statement, Let):
                known = (*known, statement.name)
        return tuple(result)

    def statement(self, depth: int, known: tuple[str, ...]) -> Statement:
        rng = self.rng
        match rng.randrange(9 if depth else 6):
            case 0 | 1 | 2:
                return self.set(known)
            case 3:
                return Let(self.variable(known), self.number(2, known))
            case 4:
                return Enter(rng.choice(self.rules), self.origin())
            case 5:
                likely = Or((self.truth(1, known), self.truth(1, known), self.truth(1, known)))
                return Check(likely, rng.choice(("assert", "enough")), 'why "this"', self.origin())
            case 6 | 7:
                other = self.statements(depth - 1, known)
                return If(self.truth(2, known), self.statements(depth - 1, known), other)
            case _:
                variable = self.variable(known)
                low = rng.choice((0, 0, 1, -1))
                high = low + rng.choice((0, 1, 2, -1))
                return For(variable, low, high, self.statements(depth - 1, (*known, variable)))

    def set(self, known: tuple[str, ...]) -> Set:
        rng = self.rng
        slot = rng.choice(self.scalars + self.arrays)
        index = tuple(self.index(1, known, d) for d in slot.dims)
        value = self.number(2, known)
        if rng.random() < 0.3:
            value = Arith(rng.choice(("+", "-")), Read(slot.name, index), self.number(1, known))
        if rng.random() < 0.8:
            value = Arith("max", Const(slot.low), Arith("min", Const(slot.high), value))
        return Set(slot.name, index, value, self.origin())

    # --- blocks ---------------------------------------------------------------------------------------------

    def blocks(self) -> tuple[Block, ...]:
        """Only choice and chance lead back, but for loops that count to three."""
        result = [
            Block(name, self.statements(2, ()), self.end(position), None, self.origin())
            for position, name in enumerate(self.order)
        ]
        for number, counter in enumerate(self.counters):
            result += self.counted_loop(number, counter.name)
        return reachable((*result, Block("over", (), End())))

    def counted_loop(self, number: int, counter: str) -> list[Block]:
        head, body = f"loop.{number}", f"loop body.{number}"
        more = Compare("<", Read(counter), Const(3))
        up = Set(counter, (), Arith("+", Read(counter), Const(1)))
        leave = (*self.order, "over")[-1 - number]
        return [
            Block(head, (), Branch(more, body, f"after.{number}")),
            Block(body, (*self.statements(1, ()), up), Goto(head)),
            Block(f"after.{number}", (Set(counter, (), Const(0)),), Goto(leave)),
        ]

    def onward(self, position: int) -> str:
        later = [*self.order[position + 1 :], "over"]
        if self.rng.random() < 0.15 and position < len(self.order) - 3:
            return f"loop.{self.rng.randrange(3)}"
        return self.rng.choice(later[:4])

    def anywhere(self) -> str:
        return self.rng.choice([*self.order, *self.order, "over", "loop.0"])

    def end(self, position: int) -> Terminator:
        rng = self.rng
        match rng.randrange(8):
            case 0 | 1:
                return Goto(self.onward(position))
            case 2:
                return Branch(self.truth(2, ()), self.onward(position), self.onward(position))
            case 3:
                return Switch(self.back.name, tuple(self.onward(position) for _ in range(3)))
            case 4 | 5:
                options = tuple(self.option(name) for name in rng.sample(NAMES, rng.randint(1, 4)))
                seat = rng.choice((Const(0), Const(1), Read(self.scalars[1].name), self.number(1, ())))
                return Choose(seat, options, rng.random() < 0.2)
            case _:
                return self.chance()

    def option(self, called: str) -> Option:
        rng = self.rng
        params: list[Param] = []
        known: tuple[str, ...] = ()
        for slot in rng.sample(self.kept, rng.choice((0, 0, 1, 1, 2))):
            name = f"{rng.choice(NAMES)}{len(params)}"
            low = self.number(1, known)
            high = Arith("min", Const(slot.high), Arith("+", low, Const(rng.randint(-1, 3))))
            if rng.random() < 0.8:
                low = Arith("max", Const(slot.low), low)
            params.append(Param(name, slot.name, low, high, slot.low, slot.high, INT))
            known = (*known, name)
        guard = rng.choice((Truth(True), self.truth(1, known), self.truth(2, known), self.truth(1, ())))
        phrase = ("does\n", *range(len(params)), ' "so"')
        return Option(called, tuple(params), guard, phrase, self.anywhere(), self.origin())

    def chance(self) -> Chance:
        rng = self.rng
        slot = rng.choice((self.kept[0], self.kept[2]))  # both hold -9..9
        low = rng.choice((0, 0, -1))
        high = low + rng.choice((0, 2, 2, 5, 8))
        weight = rng.choice((Const(1), Const(2), self.number(1, ("outcome",)), self.number(2, ("outcome",))))
        if rng.random() < 0.8:
            weight = Arith("max", Const(0), weight)
        if low == 0 and high == 2 and rng.random() < 0.6:
            weight = Read(self.arrays[2].name, (Var("outcome"),))
        return Chance(slot.name, low, high, weight, Const(-1), self.anywhere(), INT)
