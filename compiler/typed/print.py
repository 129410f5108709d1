"""A typed rulebook as text, for tests and for people who work on the compiler."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rulespec.compiler.spans import Citation
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.print_expressions import Printer

STEP = "    "


def show(rulebook: t.Rulebook) -> str:
    """The whole rulebook; spans are left out."""
    printer = Printer({e.name: e.members for e in rulebook.enums})
    return "\n".join(_Text(printer).whole(rulebook)) + "\n"


def show_expression(rulebook: t.Rulebook, e: t.Expr) -> str:
    return Printer({x.name: x.members for x in rulebook.enums}).show(e)


@dataclass(frozen=True)
class _Text:
    printer: Printer = field(default_factory=Printer)

    def whole(self, book: t.Rulebook) -> Iterator[str]:
        yield f"game {book.name}{_title(book.title)} for {book.players[0]}..{book.players[1]}"
        for source in book.sources:
            yield f"source {source.name}{_title(source.title)} of {source.lines} lines"
        tables = {table.name for table in book.tables}
        for e in book.enums:
            if e.name not in tables:
                members = ", ".join(map(_member, e.members, e.assumed))
                yield f"enum {e.name}{_title(e.title)}{_cited(e.citation)}: {members}"
        for table in book.tables:
            yield from self.table(table)
        yield from self.kept(book)
        yield from self.configured(book)
        for function in book.functions:
            head = f"function {function.name}({self.bindings(function.parameters)})"
            head += (
                f" -> {self.printer.type(function.result)}{_title(function.title)}{_cited(function.citation)}"
            )
            yield f"{head} = {self.printer.show(function.value)}"
        for rule in book.rules:
            yield from self.rule(rule)
        yield from self.claimed(book)

    def bindings(self, items: Iterable[t.Local | t.Bound]) -> str:
        return ", ".join(f"{x.name}: {self.printer.type(x.type)}" for x in items)

    # --- components -----------------------------------------------------------------------------------------

    def table(self, e: t.Table) -> Iterator[str]:
        columns = ", ".join(f"{name}: {self.printer.type(type)}" for name, type in e.columns)
        yield f"table {e.name}{_title(e.title)}{_cited(e.citation)} ({columns})"
        for row in e.rows:
            cells = ", ".join(map(self.printer.show, row.cells))
            assumed = f" assumed {row.assumed!r}" if row.assumed else ""
            yield f"{STEP}{row.member}{_cited(row.citation)}: {cells}{assumed}"
        for limit in e.limits:
            yield f"{STEP}limit {self.printer.show(limit.condition)} for {', '.join(limit.members)}"

    def kept(self, book: t.Rulebook) -> Iterator[str]:
        show = self.printer.show
        for c in book.currencies:
            supply = "unlimited" if c.supply is None else show(c.supply)
            unless = f" unless {show(c.unlimited_if)}" if c.unlimited_if is not None else ""
            yield f"currency {c.name}{_title(c.title)}{_cited(c.citation)}: {supply} in {c.home}{unless}"
        for p in book.pieces:
            head = f"piece {p.name}{_title(p.title)} of {p.kind.name}{_cited(p.citation)}"
            yield f"{head}: {show(p.each)} each in {p.home}"
        for v in book.state:
            whose = "state of each player" if v.per_player else "state"
            start = f" = {show(v.initial)}" if v.initial is not None else ""
            yield f"{whose} {v.name}{_title(v.title)} {_sight(v)}: {self.printer.type(v.type)}{start}"

    # --- configurations -------------------------------------------------------------------------------------

    def configured(self, book: t.Rulebook) -> Iterator[str]:
        for p in book.params:
            assumed = f" assumed {p.assumed!r}" if p.assumed else ""
            head = f"param {p.name}{_title(p.title)}: {self.printer.type(p.type)}"
            yield f"{head} = {self.printer.show(p.value)}{assumed}{_cited(p.citation)}"
        for v in book.variants:
            yield f"variant {v.name}{_title(v.title)}{_cited(v.citation)}"
            yield from self.settings(v.settings)
        for w in book.when_players:
            yield f"when players {w.operator} {w.number}{_cited(w.citation)}"
            yield from self.settings(w.settings)
        for r in book.readings:
            yield f"reading {r.name}{_title(r.question)}{_cited(r.citation)} {r.ident}".rstrip()
            for m in r.meanings:
                default = " default" if m.name == r.default else ""
                yield f"{STEP}{m.name}{_title(m.title)}{_cited(m.citation)}{default}"

    def settings(self, items: Sequence[t.Setting]) -> Iterator[str]:
        for x in items:
            yield f"{STEP}{x.param} = {self.printer.show(x.value)}{_cited(x.citation)}"

    # --- rules ----------------------------------------------------------------------------------------------

    def rule(self, e: t.Rule) -> Iterator[str]:
        result = f" -> {self.printer.type(e.result)}" if e.result is not None else ""
        yield f"rule {e.name}({self.bindings(e.parameters)}){result}{_title(e.title)}{_cited(e.citation)}"
        for word, tests in (("requires", e.requires), ("ensures", e.ensures)):
            for x in tests:
                yield f"{STEP}{word} {self.printer.show(x)}"
        yield from self.block(e.body)

    def block(self, body: Sequence[t.Statement]) -> Iterator[str]:
        for e in body:
            for line in self.statement(e):
                yield STEP + line
        if not body:
            yield STEP + "nothing"

    def statement(self, e: t.Statement) -> Iterator[str]:
        show = self.printer.show
        match e:
            case t.Let(targets, value):
                yield f"let {self.bindings(targets)} = {show(value)}"
            case t.Assign(target, value, declares):
                typed = f"var {show(target)}: {self.printer.type(target.type)}" if declares else show(target)
                yield f"{typed} := {show(value)}"
            case t.Return(value):
                yield "return" if value is None else f"return {show(value)}"
            case t.Stop():
                yield "stop"
            case t.Assert(condition, text):
                yield f"assert {show(condition)}{_title(text)}"
            case t.CallRule(rule, arguments, targets):
                into = f"let {self.bindings(targets)} = " if targets else ""
                yield f"{into}{rule}({', '.join(map(show, arguments))})"
            case t.Update() | t.MoveKind() | t.MoveBag() | t.Draw() | t.Pay() | t.Random():
                yield self.change(e)
            case t.If() | t.For() | t.While():
                yield from self.control(e)
            case t.Choose(actor, options):
                yield f"{show(actor)} chooses"
                yield from self.options(options)
            case t.AtOnce(player, where, options):
                yield f"all players {player.name}{self.printer.where(where)} at once"
                yield from self.options(options)

    def change(self, e: t.Update | t.MoveKind | t.MoveBag | t.Draw | t.Pay | t.Random) -> str:
        show = self.printer.show
        match e:
            case t.Update(operator, value, target):
                return f"{operator} {show(value)}: {show(target)}"
            case t.MoveKind(kind, amount, source, target):
                number = "all" if amount is None else show(amount)
                return f"move {number} {show(kind)} from {show(source)} to {show(target)}"
            case t.MoveBag(pieces, source, target):
                what = "all" if pieces is None else show(pieces)
                return f"move {what} from {show(source)} to {show(target)}"
            case t.Draw(amount, up_to, source, target, into):
                number = f"{'up to ' if up_to else ''}{'1' if amount is None else show(amount)}"
                name = f"let {self.bindings((into,))} = " if into is not None else ""
                return f"{name}draw {number} from {show(source)} to {show(target)}"
            case t.Pay(amount, up_to, source, target):
                number = f"{'up to ' if up_to else ''}{show(amount)}"
                return f"pay {number} from {show(source)} to {show(target)}"
            case t.Random(into, dice, sides, generator, where, seen_by):
                how = f"roll {dice}d{sides}"
                if generator is not None:
                    how = f"random {self.printer.generator(generator)}{self.printer.where(where)}"
                how += f" seen by {show(seen_by)}" if seen_by is not None else ""
                return f"let {self.bindings((into,))} = {how}"

    def control(self, e: t.If | t.For | t.While) -> Iterator[str]:
        show = self.printer.show
        match e:
            case t.If(condition, then, other):
                yield f"if {show(condition)}"
                yield from self.block(then)
                if other:
                    yield "else"
                    yield from self.block(other)
            case t.For(variable, domain, where, order, keeps, body):
                head = f"for {self.bindings((variable,))} in {self.printer.domain(domain)}"
                keys = ", ".join(show(k.value) + (" descending" if k.descending else "") for k in order)
                yield head + self.printer.where(where) + (f" order by {keys}" if keys else "")
                yield from self.kept_facts((), keeps)
                yield from self.block(body)
            case t.While(condition, decreasing, keeps, body):
                yield "repeat" if condition is None else f"while {show(condition)}"
                yield from self.kept_facts(decreasing, keeps)
                yield from self.block(body)

    def kept_facts(self, decreasing: Sequence[t.Expr], keeps: Sequence[t.Expr]) -> Iterator[str]:
        if decreasing:
            yield f"{STEP}decreasing {', '.join(map(self.printer.show, decreasing))}"
        for fact in keeps:
            yield f"{STEP}keeps {self.printer.show(fact)}"

    def options(self, options: Sequence[t.Option]) -> Iterator[str]:
        for e in options:
            params = ", ".join(map(self.param, e.params))
            guard = f" when {self.printer.show(e.guard)}" if e.guard is not None else ""
            parts = (p if isinstance(p, str) else f"{{{self.printer.show(p)}}}" for p in e.phrase)
            yield f"{STEP}{e.name}({params}){guard}{_title(''.join(parts))}{_cited(e.citation)}"
            for line in self.block(e.body):
                yield STEP + line

    def param(self, e: t.OptionParam) -> str:
        size = f" of {self.printer.show(e.size)}" if e.size is not None else ""
        return f"{self.bindings((e.local,))}{size} in {self.printer.domain(e.domain)}"

    # --- claims and examples --------------------------------------------------------------------------------

    def claimed(self, book: t.Rulebook) -> Iterator[str]:
        show = self.printer.show
        if book.ranking is not None:
            keys = ", ".join(map(show, book.ranking.keys))
            yield f"ranking for {book.ranking.player.name}{_cited(book.ranking.citation)}: {keys}"
        for p in book.properties:
            yield f"{p.kind} {p.name}{_title(p.title)}{_cited(p.citation)}: {show(p.condition)}"
        for scope in book.scopes:
            yield f"scope {scope.name}{_title(scope.title)}"
            yield from self.configuration(scope)
            yield from self.settings(scope.settings)
        for example in book.examples:
            yield f"example {example.name}{_title(example.title)}{_cited(example.citation)}"
            yield from self.configuration(example)
            yield from self.example(example)

    def configuration(self, e: t.Scope | t.Example) -> Iterator[str]:
        yield f"{STEP}players {e.players}"
        for variant in e.variants:
            yield f"{STEP}variant {variant}"
        for reading, meaning in e.readings:
            yield f"{STEP}reading {reading} is {meaning}"

    def example(self, e: t.Example) -> Iterator[str]:
        show = self.printer.show
        for given in e.given:
            sign = "includes" if given.includes else "="
            yield f"{STEP}given {show(given.target)} {sign} {show(given.value)}"
        yield f"{STEP}run {next(iter(self.statement(e.run)))}"
        for step in e.steps:
            if isinstance(step, t.Happens):
                yield f"{STEP}chance {step.outcome}"
            else:
                words = [f"p{step.actor}", *(["cannot"] if step.refused else []), step.option]
                yield STEP + " ".join([*words, *map(show, step.arguments)])
        for fact in e.then:
            yield f"{STEP}then {show(fact)}"


def _title(text: str) -> str:
    return f' "{text}"' if text else ""


def _cited(citation: Citation | None) -> str:
    return f" {citation}" if citation is not None else ""


def _sight(v: t.StateVar) -> str:
    return f"{v.sight} unless {v.unless}" if v.unless else v.sight


def _member(name: str, assumed: str) -> str:
    return f"{name} assumed {assumed!r}" if assumed else name
