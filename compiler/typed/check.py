"""What is always true of a typed rulebook. A broken one of these is a fault of the checker, not of the rules.

1. Every name that is used is defined: functions, rules, params, state, columns, readings, variants, members.
2. A variable of each player stands with a player, every other without.
3. Locals and bound names are introduced once in their rule or function, before they are used.
4. No type is unknown, and no unit is `money`: instances have settled both.
5. What stands on two sides of a comparison, assignment, call or return has one type up to ranges.
6. A choice has options, with names of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.shapes import MONEY, UNKNOWN, same, show
from rulespec.compiler.typed.walk import children, every


def check(rulebook: t.Rulebook) -> tuple[str, ...]:
    """Each broken invariant as a sentence; none when all is well."""
    world = _World(rulebook)
    found = [*_heads(world)]
    for function in rulebook.functions:
        found += _Body(world, f"function {function.name}").function(function)
    for rule in rulebook.rules:
        found += _Body(world, f"rule {rule.name}").rule(rule)
    for claim in rulebook.properties:
        found += _Body(world, f"{claim.kind} {claim.name}").alone(claim.condition)
    for example in rulebook.examples:
        found += _example(world, example)
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class _World:
    book: t.Rulebook
    functions: dict[str, t.Function] = field(init=False)
    rules: dict[str, t.Rule] = field(init=False)
    state: dict[str, t.StateVar] = field(init=False)
    params: frozenset[str] = field(init=False)
    columns: dict[str, tuple[str, ...]] = field(init=False)
    members: dict[str, int] = field(init=False)
    readings: dict[str, tuple[str, ...]] = field(init=False)
    variants: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        book = self.book
        known = {
            "functions": {f.name: f for f in book.functions},
            "rules": {r.name: r for r in book.rules},
            "state": {v.name: v for v in book.state},
            "params": frozenset(p.name for p in book.params),
            "columns": {x.name: tuple(name for name, _ in x.columns) for x in book.tables},
            "members": {e.name: len(e.members) for e in book.enums},
            "readings": {r.name: tuple(m.name for m in r.meanings) for r in book.readings},
            "variants": frozenset(v.name for v in book.variants),
        }
        for name, value in known.items():
            object.__setattr__(self, name, value)


def _heads(world: _World) -> Iterator[str]:
    book = world.book
    for sort, names in (
        ("function", [f.name for f in book.functions]),
        ("rule", [r.name for r in book.rules]),
        ("state variable", [v.name for v in book.state]),
        ("param", [p.name for p in book.params]),
        ("enum", [e.name for e in book.enums]),
    ):
        for name in {n for n in names if names.count(n) > 1}:
            yield f"the {sort} {name} is defined twice"
    for reading in book.readings:
        if reading.default not in world.readings[reading.name]:
            yield f"the default of the reading {reading.name} is none of its meanings"
    homes = [(p.name, p.home) for p in book.pieces] + [(c.name, c.home) for c in book.currencies]
    for name, home in homes:
        if home not in world.state:
            yield f"{name} has its home {home} nowhere"
    groups: list[t.Variant | t.WhenPlayers | t.Scope] = [*book.variants, *book.when_players, *book.scopes]
    for setting in (x for group in groups for x in group.settings):
        if setting.param not in world.params:
            yield f"the param {setting.param} is set and does not exist"
    for name in ("setup", "play"):
        if name not in world.rules:
            yield f"there is no rule {name}"
    for table in book.tables:
        if any(len(row.cells) != len(table.columns) for row in table.rows):
            yield f"a row of {table.name} has not as many cells as there are columns"


def _example(world: _World, e: t.Example) -> Iterator[str]:
    where = f"example {e.name}"
    body = _Body(world, where)
    for given in e.given:
        yield from body.alone(given.target)
        yield from body.alone(given.value)
    yield from body.call(e.run)
    for fact in e.then:
        yield from body.alone(fact)
    for step in e.steps:
        if isinstance(step, t.Act) and not 0 <= step.actor < e.players:
            yield f"{where}: p{step.actor} is no seat"


@dataclass
class _Body:
    """Walks one function, rule or property; `known` are the names in reach, `introduced` all so far."""

    world: _World
    where: str
    known: set[str] = field(default_factory=set)
    introduced: set[str] = field(default_factory=set)

    def function(self, e: t.Function) -> Iterator[str]:
        for parameter in e.parameters:
            yield from self.introduce(parameter)
        yield from self.expression(e.value)
        yield from self.alike(e.value.type, e.result, "its value")

    def rule(self, e: t.Rule) -> Iterator[str]:
        for parameter in e.parameters:
            yield from self.introduce(parameter)
        for condition in e.requires:
            yield from self.expression(condition)
        before = set(self.known)
        if e.result is not None:
            yield from self.introduce(t.Local("result", e.result))
        for condition in e.ensures:
            yield from self.expression(condition)
        self.known = before
        yield from self.block(e.body, e)

    def alone(self, e: t.Expr) -> Iterator[str]:
        yield from self.expression(e)

    # --- names ----------------------------------------------------------------------------------------------

    def introduce(self, node: t.Local | t.Bound) -> Iterator[str]:
        if node.name in self.introduced:
            yield f"{self.where}: {node.name} is introduced twice"
        self.known.add(node.name)
        self.introduced.add(node.name)
        yield from self.settled(node.type)

    def settled(self, type: t.Type) -> Iterator[str]:
        for part in every(type):
            if part == UNKNOWN:
                yield f"{self.where}: a type is unknown"
            if isinstance(part, t.TInt) and part.unit == MONEY:
                yield f"{self.where}: the unit of `money` is not settled"

    def alike(self, a: t.Type, b: t.Type, what: str) -> Iterator[str]:
        if not same(a, b):
            yield f"{self.where}: {what} is a {show(a)} where a {show(b)} belongs"

    # --- expressions ----------------------------------------------------------------------------------------

    def expression(self, e: t.Expr) -> Iterator[str]:
        yield from self.settled(e.type)
        yield from self.reference(e)
        match e:
            case t.Fold(_, generators, where, body, default):
                before = set(self.known)
                for generator in generators:
                    yield from self.generator(generator)
                yield from self.several(where, body)
                self.known = before
                yield from self.several(default)
            case t.SetOf(generator, where):
                before = set(self.known)
                yield from self.generator(generator)
                yield from self.several(where)
                self.known = before
            case t.MapOf(generator, value):
                before = set(self.known)
                yield from self.generator(generator)
                yield from self.several(value)
                self.known = before
            case t.IsSome(value, binder):
                yield from self.expression(value)
                if binder is not None:
                    yield from self.introduce(binder)
            case _:
                for child in children(e):
                    yield from self.part(child)

    def several(self, *items: t.Expr | None) -> Iterator[str]:
        for e in items:
            if e is not None:
                yield from self.expression(e)

    def part(self, node: object) -> Iterator[str]:
        if isinstance(node, t.Expr):
            yield from self.expression(node)
        elif isinstance(node, t.Domain):
            yield from self.domain(node)

    def domain(self, domain: t.Domain) -> Iterator[str]:
        for child in children(domain):
            yield from self.part(child)

    def generator(self, g: t.Generator) -> Iterator[str]:
        yield from self.domain(g.domain)
        yield from self.introduce(g.binder)

    def reference(self, e: t.Expr) -> Iterator[str]:
        world = self.world
        match e:
            case t.Local(name) | t.Bound(name) if name not in self.known:
                yield f"{self.where}: {name} is used and not introduced"
            case t.ParamRef(name) if name not in world.params:
                yield f"{self.where}: there is no param {name}"
            case t.StateRef(name, player):
                variable = world.state.get(name)
                if variable is None:
                    yield f"{self.where}: there is no state variable {name}"
                elif variable.per_player != (player is not None):
                    yield f"{self.where}: {name} stands with a player or without, wrongly"
            case t.ColumnOf(table, column) if column not in world.columns.get(table, ()):
                yield f"{self.where}: {table} has no column {column}"
            case t.ReadingIs(reading, meaning) if meaning not in world.readings.get(reading, ()):
                yield f"{self.where}: {reading} has no meaning {meaning}"
            case t.VariantOn(variant) if variant not in world.variants:
                yield f"{self.where}: there is no variant {variant}"
            case t.Lit(value, t.TEnum(enum)) if enum != "Player" and value >= world.members.get(enum, 0):
                yield f"{self.where}: {enum} has no member {value}"
            case t.Compare(_, left, right):
                yield from self.alike(left.type, right.type, "a side of a comparison")
            case t.CallFunction(function, arguments):
                yield from self.function_call(function, arguments)

    def function_call(self, name: str, arguments: Sequence[t.Expr]) -> Iterator[str]:
        function = self.world.functions.get(name)
        if function is None:
            yield f"{self.where}: there is no function {name}"
        else:
            yield from self.arguments(name, [p.type for p in function.parameters], arguments)

    def arguments(self, name: str, types: Sequence[t.Type], given: Sequence[t.Expr]) -> Iterator[str]:
        if len(types) != len(given):
            yield f"{self.where}: {name} takes {len(types)} arguments and is given {len(given)}"
            return
        for argument, type in zip(given, types, strict=True):
            yield from self.alike(argument.type, type, f"an argument of {name}")

    def call(self, e: t.CallRule) -> Iterator[str]:
        rule = self.world.rules.get(e.rule)
        if rule is None:
            yield f"{self.where}: there is no rule {e.rule}"
        else:
            yield from self.arguments(e.rule, [p.type for p in rule.parameters], e.arguments)
        yield from self.several(*e.arguments)

    # --- statements -----------------------------------------------------------------------------------------

    def block(self, body: Sequence[t.Statement], rule: t.Rule) -> Iterator[str]:
        before = set(self.known)
        for e in body:
            yield from self.statement(e, rule)
        self.known = before

    def statement(self, e: t.Statement, rule: t.Rule) -> Iterator[str]:
        match e:
            case t.Let(targets, value):
                yield from self.expression(value)
                for target in targets:
                    yield from self.introduce(target)
                if len(targets) == 1:
                    yield from self.alike(value.type, targets[0].type, "a `let`")
            case t.Assign(target, value, declares):
                yield from self.expression(value)
                if declares and isinstance(target, t.Local):
                    yield from self.introduce(target)
                yield from self.expression(target)
                yield from self.alike(value.type, target.type, "an assigned value")
            case t.CallRule():
                yield from self.call(e)
                for target in e.targets:
                    yield from self.introduce(target)
            case t.Return(value):
                if (value is None) != (rule.result is None):
                    yield f"{self.where}: a return has a value or none, wrongly"
                if value is not None and rule.result is not None:
                    yield from self.expression(value)
                    yield from self.alike(value.type, rule.result, "a returned value")
            case t.If() | t.For() | t.While() | t.Choose() | t.AtOnce():
                yield from self.compound(e, rule)
            case t.Draw() | t.Random():
                yield from self.chance(e)
            case _:
                for child in children(e):
                    yield from self.part(child)

    def chance(self, e: t.Draw | t.Random) -> Iterator[str]:
        before = set(self.known)
        match e:
            case t.Draw(amount, _, source, target):
                yield from self.several(amount, source, target)
            case t.Random(_, _, _, generator, where, seen_by):
                yield from self.several(seen_by)
                if generator is not None:
                    yield from self.generator(generator)
                yield from self.several(where)
        self.known = before
        if e.into is not None:
            yield from self.introduce(e.into)

    def compound(self, e: t.If | t.For | t.While | t.Choose | t.AtOnce, rule: t.Rule) -> Iterator[str]:
        before = set(self.known)
        match e:
            case t.If(condition, then, other):
                yield from self.expression(condition)
                yield from self.block(then, rule)
                yield from self.block(other, rule)
            case t.For(variable, domain, where, order, keeps, body):
                yield from self.domain(domain)
                yield from self.several(*keeps)
                yield from self.introduce(variable)
                yield from self.several(where, *(k.value for k in order))
                yield from self.block(body, rule)
            case t.While(condition, decreasing, keeps, body):
                yield from self.several(condition, *decreasing, *keeps)
                yield from self.block(body, rule)
            case t.Choose(actor, options):
                yield from self.expression(actor)
                yield from self.options(options, rule)
            case t.AtOnce(player, where, options):
                yield from self.introduce(player)
                yield from self.several(where)
                yield from self.options(options, rule)
        self.known = before

    def options(self, options: Sequence[t.Option], rule: t.Rule) -> Iterator[str]:
        names = [o.name for o in options]
        if not names or len(set(names)) < len(names):
            yield f"{self.where}: a choice has no options, or two of one name"
        for option in options:
            before = set(self.known)
            for param in option.params:
                yield from self.domain(param.domain)
                yield from self.several(param.size)
                yield from self.introduce(param.local)
            yield from self.several(option.guard, *(p for p in option.phrase if not isinstance(p, str)))
            yield from self.block(option.body, rule)
            self.known = before
