"""Core from its text form, the inverse of `print.show`.

Raises `CoreTextError` at the first line that is not core. Only the form is looked at;
whether names are defined and sorts are right is for `check.check` to say.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.compiler.core.reader import DEEPEST, Reader
from rulespec.compiler.core.tree import (
    TRUE,
    Block,
    Branch,
    Chance,
    Check,
    Choose,
    Configuration,
    Core,
    Domain,
    End,
    Enter,
    Expr,
    For,
    Goto,
    If,
    Let,
    Loop,
    Option,
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
)
from rulespec.compiler.core.words import CoreTextError, Line, lines

_ROLES = ("local", "control")
_SIGHTS = ("private", "hidden", "seat")
_ENDS = ("goto", "branch", "switch", "choose", "chance", "end")


def parse(text: str) -> Core:
    return _Parser(lines(text)).core()


def parse_expression(text: str) -> Expr:
    found = lines(text)
    if len(found) != 1:
        raise CoreTextError(1, "expected one expression on one line")
    reader = Reader(found[0], ())
    result = reader.expression()
    reader.done()
    return result


@dataclass
class _Head:
    """What the lines before the first block have said so far."""

    game: str = ""
    title: str = ""
    players: int = 0
    variants: list[str] = field(default_factory=list)
    readings: list[tuple[str, str]] = field(default_factory=list)
    settings: list[tuple[str, int]] = field(default_factory=list)
    params: list[tuple[str, int]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    domains: dict[str, Domain] = field(default_factory=dict)
    slots: list[Slot] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    rules: list[RuleInfo] = field(default_factory=list)
    properties: list[Property] = field(default_factory=list)
    hints: list[Property] = field(default_factory=list)
    ranking: list[Expr] = field(default_factory=list)
    limits: list[Expr] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)
    start: str = ""


class _Parser:
    def __init__(self, found: list[Line]) -> None:
        self.lines = found
        self.at = 0
        self.depth = 0
        self.head = _Head()

    def reader(self) -> Reader:
        """A reader of the next line, which is gone past."""
        self.at += 1
        return Reader(self.lines[self.at - 1], self.head.files)

    def inside(self, indent: int) -> bool:
        """Whether the next line stands deeper than `indent`."""
        return self.at < len(self.lines) and self.lines[self.at].indent > indent

    def core(self) -> Core:
        if not self.lines:
            raise CoreTextError(1, "the text is empty")
        first = self.reader()
        first.expect("core")
        if first.number() != 1:
            raise first.fail("only version 1 of the text form is known")
        while self.at < len(self.lines) and self.lines[self.at].tokens[0].text != "block":
            reader = self.reader()
            if reader.line.indent:
                raise reader.fail("this line is indented under nothing")
            self.header(reader)
        blocks: list[Block] = []
        while self.at < len(self.lines):
            blocks.append(self.block())
        head = self.head
        configuration = Configuration(
            head.game, head.players, tuple(head.variants), tuple(head.readings), tuple(head.settings)
        )
        return Core(
            configuration,
            head.title,
            tuple(head.slots),
            tuple(head.tables),
            tuple(blocks),
            head.start,
            tuple(head.properties),
            tuple(head.ranking),
            tuple(head.rules),
            tuple(head.params),
            tuple(head.hints),
            tuple(head.limits),
            tuple(head.fixed),
        )

    # --- before the blocks ----------------------------------------------------------------------------------

    def header(self, r: Reader) -> None:
        head = self.head
        match r.word():
            case "game":
                head.game, head.title = r.name(), r.string()
            case "players":
                head.players = r.number()
            case "variant":
                head.variants.append(r.name())
            case "reading":
                head.readings.append((r.name(), self.equal(r).name()))
            case "setting":
                head.settings.append((r.name(), self.equal(r).number()))
            case "param":
                head.params.append((r.name(), self.equal(r).number()))
            case "file":
                head.files.append(r.string())
            case "rank":
                head.ranking.append(r.expression())
            case "limit":
                head.limits.append(r.expression())
            case "fixed":
                head.fixed.append(r.name())
            case "start":
                head.start = r.name()
            case word:
                self.declaration(r, word)
                return
        r.done()

    def declaration(self, r: Reader, word: str) -> None:
        match word:
            case "domain":
                self.declare(r)
            case "slot":
                self.head.slots.append(self.slot(r))
            case "table":
                self.head.tables.append(self.table(r))
            case "rule":
                self.head.rules.append(RuleInfo(r.name(), r.string(), r.citation(), r.span()))
                r.done()
            case "property":
                kind, name, title = r.word(), r.name(), r.string()
                r.expect(":")
                condition = r.expression()
                stated = self.head.hints if kind == "hint" else self.head.properties
                stated.append(Property(kind, name, title, condition, r.origin()))
            case _:
                raise r.fail(f"{word!r} begins no line of core")

    def equal(self, r: Reader) -> Reader:
        r.expect("=")
        return r

    def declare(self, r: Reader) -> None:
        key = r.name()
        name = r.name() if r.take("=") else key
        low = r.number() if r.take("from") else 0
        members: tuple[tuple[str, str | None], ...] = ()
        if r.take("["):
            members = r.list(lambda: (r.member(), r.string() if r.next.kind == "string" else None), "]")
        r.done()
        labels = tuple(label for _, label in members if label is not None)
        if labels and len(labels) != len(members):
            raise r.fail("a domain gives labels to all of its values or to none")
        if key in self.head.domains:
            raise r.fail(f"domain {key!r} is declared twice")
        self.head.domains[key] = Domain(name, low, tuple(m for m, _ in members), labels)

    def domain(self, r: Reader) -> Domain:
        key = r.name()
        if key not in self.head.domains:
            raise r.fail(f"there is no domain {key!r}")
        return self.head.domains[key]

    def slot(self, r: Reader) -> Slot:
        name = r.name()
        dims = r.list(lambda: self.domain(r), "]") if r.take("[") else ()
        r.expect(":")
        domain = self.domain(r)
        r.expect("in")
        low, high = r.spread()
        role = r.take(*_ROLES) or "state"
        sight = r.take(*_SIGHTS) or "open"
        counted = bool(r.take("counted"))
        unless = r.name() if r.take("unless") else ""
        keeps = r.name() if r.take("keeps") else ""
        said = r.string() if r.take("said") else ""
        title = r.string() if r.next.kind == "string" else ""
        r.expect("=")
        initial = r.list(r.number, "]") if r.take("[") else None
        slot = Slot(name, low, high, dims, domain, role, sight, counted, keeps, title)
        if initial is None:
            initial = (r.number(),) * slot.size
        origin = r.origin()
        return Slot(
            name, low, high, dims, domain, role, sight, counted, keeps, title, initial, origin, unless, said
        )

    def table(self, r: Reader) -> Table:
        name = r.name()
        r.expect("[")
        dims = r.list(lambda: self.domain(r), "]")
        assumed: tuple[int, ...] = ()
        if r.take("assumed"):
            r.expect("[")
            assumed = r.list(r.number, "]")
        room: tuple[tuple[int, int, int], ...] = ()
        if r.take("open"):
            r.expect("[")
            room = r.list(lambda: self.room(r), "]")
        r.expect("=")
        r.expect("[")
        values = r.list(r.number, "]")
        r.done()
        return Table(name, dims, values, assumed, room)

    def room(self, r: Reader) -> tuple[int, int, int]:
        position = r.number()
        r.expect("in")
        return (position, *r.spread())

    # --- blocks ---------------------------------------------------------------------------------------------

    def block(self) -> Block:
        r = self.reader()
        if r.line.indent:
            raise r.fail("a block is not indented")
        r.expect("block")
        name = r.name()
        looping, bounded = bool(r.take("loop")), bool(r.take("bounded"))
        r.expect(":")
        origin = r.origin()
        loop = self.loop(r.line.indent, bounded) if looping else None
        body = self.statements(r.line.indent)
        if not self.inside(r.line.indent):
            raise r.fail(f"block {name!r} does not say how it ends")
        end = self.end(self.reader())
        if self.inside(r.line.indent):
            raise self.reader().fail(f"block {name!r} has already ended")
        return Block(name, body, end, loop, origin)

    def loop(self, indent: int, bounded: bool) -> Loop:
        measure: tuple[Expr, ...] = ()
        keeps: list[Expr] = []
        body: tuple[str, ...] = ()
        while self.inside(indent) and self.lines[self.at].tokens[0].kind == "word":
            match self.lines[self.at].tokens[0].text:
                case "measure":
                    r = self.reader()
                    r.expect("measure")
                    measure = r.list(r.expression)
                case "keeps":
                    r = self.reader()
                    r.expect("keeps")
                    keeps.append(r.expression())
                case "inside":
                    r = self.reader()
                    r.expect("inside")
                    r.expect("[")
                    body = r.list(r.name, "]")
                case _:
                    break
            r.done()
        return Loop(measure, bounded, tuple(keeps), body)

    def statements(self, indent: int) -> tuple[Statement, ...]:
        """The statements that stand deeper than `indent`, up to the end of a block."""
        self.depth += 1
        result: list[Statement] = []
        while self.inside(indent):
            first = self.lines[self.at].tokens[0]
            if first.kind == "word" and first.text in _ENDS:
                break
            r = self.reader()
            if self.depth > DEEPEST:
                raise r.fail("statements are nested too deeply")
            result.append(self.statement(r))
        self.depth -= 1
        return tuple(result)

    def statement(self, r: Reader) -> Statement:
        match r.take("let", "if", "for", "check", "enter"):
            case "let":
                r.expect("$")
                name = r.name()
                value = self.equal(r).expression()
                r.done()
                return Let(name, value)
            case "if":
                return self.conditional(r)
            case "for":
                r.expect("$")
                name = r.name()
                r.expect("in")
                low, high = r.spread()
                r.expect(":")
                r.done()
                return For(name, low, high, self.statements(r.line.indent))
            case "check":
                kind, text = r.word(), r.string()
                r.expect(":")
                condition = r.expression()
                return Check(condition, kind, text, r.origin())
            case "enter":
                rule = r.name()
                return Enter(rule, r.origin())
            case _:
                return self.assignment(r)

    def assignment(self, r: Reader) -> Set:
        target = r.expression()
        if not isinstance(target, Read):
            raise r.fail("only slots take values")
        r.expect(":=")
        value = r.expression()
        return Set(target.slot, target.index, value, r.origin())

    def conditional(self, r: Reader) -> If:
        condition = r.expression()
        r.expect(":")
        r.done()
        indent = r.line.indent
        then = self.statements(indent)
        other: tuple[Statement, ...] = ()
        if self.at < len(self.lines):
            following = self.lines[self.at]
            if following.indent == indent and following.tokens[0].text == "else":
                after = self.reader()
                after.expect("else")
                after.expect(":")
                after.done()
                other = self.statements(indent)
        return If(condition, then, other)

    def end(self, r: Reader) -> Terminator:
        result = self.plain_end(r)
        if not isinstance(result, Choose):
            r.done()
        return result

    def plain_end(self, r: Reader) -> Terminator:
        match r.word():
            case "goto":
                return Goto(r.name())
            case "branch":
                condition = r.expression()
                r.expect("to")
                then = r.name()
                r.expect("else")
                return Branch(condition, then, r.name())
            case "switch":
                slot = r.name()
                r.expect("to")
                return Switch(slot, r.list(r.name))
            case "choose":
                return self.choose(r)
            case "chance":
                return self.chance(r)
            case _:
                return End()

    def chance(self, r: Reader) -> Chance:
        slot = r.name()
        r.expect("in")
        low, high = r.spread()
        r.expect("of")
        domain = self.domain(r)
        r.expect("weight")
        weight = r.expression()
        r.expect("seen")
        seen_by = r.expression()
        r.expect("to")
        return Chance(slot, low, high, weight, seen_by, r.name(), domain)

    def choose(self, r: Reader) -> Choose:
        actor = r.expression()
        secret = bool(r.take("secret"))
        r.expect(":")
        r.done()
        options: list[Option] = []
        while self.inside(r.line.indent):
            options.append(self.option(self.reader()))
        return Choose(actor, tuple(options), secret)

    def option(self, r: Reader) -> Option:
        r.expect("option")
        name = r.name()
        r.expect("(")
        phrase = r.list(lambda: r.string() if r.next.kind == "string" else r.number(), ")")
        r.expect("to")
        target = r.name()
        origin = r.origin()
        params: list[Param] = []
        guard: Expr = TRUE
        while self.inside(r.line.indent):
            inner = self.reader()
            if inner.take("when"):
                guard = inner.expression()
            else:
                params.append(self.param(inner))
            inner.done()
        return Option(name, tuple(params), guard, phrase, target, origin)

    def param(self, r: Reader) -> Param:
        r.expect("$")
        name = r.name()
        r.expect("in")
        low = r.expression()
        r.expect("..")
        high = r.expression()
        r.expect("within")
        least, most = r.spread()
        r.expect("of")
        domain = self.domain(r)
        r.expect("to")
        return Param(name, r.name(), low, high, least, most, domain)
