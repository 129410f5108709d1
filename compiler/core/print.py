"""Core as text, line by line; `from_text.parse` is the inverse.

    block ask  ; auction @rb(39)!0:12:5-30       the block, the rule it comes from, its citation and its span
        high := $bid + 1                         `$` marks a variable, `name[...]` reads a slot
        branch any($p in 0..2: purse[$p] > high) to ask else over

`cost(c, k)` looks up a table. Names that could be mistaken for something else stand in backticks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rulespec.compiler.core.tree import (
    TRUE,
    And,
    Arith,
    Block,
    Branch,
    Chance,
    Check,
    Choose,
    Compare,
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
    Read,
    Set,
    Slot,
    Statement,
    Switch,
    Table,
    Truth,
    Var,
)
from rulespec.compiler.core.words import member, name, string, token_spans
from rulespec.compiler.spans import NOWHERE, Citation, Span

WIDTH = 110

# How tightly each form binds; what stands inside something tighter gets parentheses.
_OR, _AND, _NOT, _COMPARE, _ADD, _MULTIPLY, _ATOM = range(7)
_ARITH = {"+": _ADD, "-": _ADD, "*": _MULTIPLY, "div": _MULTIPLY, "mod": _MULTIPLY}


def show(core: Core, spans: bool = True) -> str:
    """The whole of `core`. Without `spans`, rules and citations stay, their places in the source do not."""
    return _Printer(core, spans).whole()


def digest(core: Core) -> str:
    """64 hex digits that name what `core` says; where it says so in the source does not matter."""
    return hashlib.sha256(show(core, spans=False).encode()).hexdigest()


def expression(e: Expr) -> str:
    return _expression(e, _OR)


def statement(s: Statement) -> str:
    """One statement and what it contains, without spans."""
    printer = _Printer(None, False)
    printer.statement(s, 0)
    return "\n".join(printer.lines)


def _expression(e: Expr, outer: int) -> str:
    text, level = _form(e)
    return f"({text})" if level < outer else text


def _form(e: Expr) -> tuple[str, int]:
    match e:
        case Const(value):
            return str(value), _ATOM
        case Truth(value):
            return ("true" if value else "false"), _ATOM
        case Var(variable):
            return f"${name(variable)}", _ATOM
        case Read(slot, index):
            return name(slot) + (f"[{_list(index)}]" if index else ""), _ATOM
        case Lookup(table, index):
            return f"{name(table)}({_list(index)})", _ATOM
        case Arith(("min" | "max") as operator, left, right):
            return f"{operator}({expression(left)}, {expression(right)})", _ATOM
        case Arith(operator, left, right):
            level = _ARITH[operator]
            return f"{_expression(left, level)} {operator} {_expression(right, level + 1)}", level
        case Compare(operator, left, right):
            return f"{_expression(left, _ADD)} {operator} {_expression(right, _ADD)}", _COMPARE
        case Not(value):
            return f"not {_expression(value, _NOT)}", _NOT
        case And(items) | Or(items):
            return _junction("and" if isinstance(e, And) else "or", items)
        case Ite():
            return f"({_chain(e)})", _ATOM
        case Fold():
            return _fold(e), _ATOM


def _junction(word: str, items: Sequence[Expr]) -> tuple[str, int]:
    if len(items) < 2:
        return f"{word}({_list(items)})", _ATOM
    level = _AND if word == "and" else _OR
    return f" {word} ".join(_expression(i, level + 1) for i in items), level


def _chain(e: Expr) -> str:
    """`if c then a else if d then b else e`: chains are long where something is searched for."""
    parts: list[str] = []
    while isinstance(e, Ite):
        parts.append(f"if {expression(e.condition)} then {expression(e.then)}")
        e = e.other
    return " else ".join([*parts, expression(e)])


def _fold(e: Fold) -> str:
    where = f" where {expression(e.where)}" if e.where is not None else ""
    body = f": {expression(e.body)}" if e.body is not None else ""
    default = f" else {expression(e.default)}" if e.default is not None else ""
    return f"{e.operator}(${name(e.variable)} in {e.low}..{e.high}{where}{body}{default})"


def _list(items: Iterable[Expr]) -> str:
    return ", ".join(expression(i) for i in items)


def _names(items: Iterable[str]) -> str:
    return ", ".join(name(i) for i in items)


def _wrapped(line: str, indent: str) -> list[str]:
    """A long line, broken where the text form lets it go on: inside brackets and outside quotes."""
    lines: list[str] = []
    breaks = _breaks(line) if len(line) > WIDTH else []
    start, room = 0, WIDTH
    while len(line) - start > room:
        fitting = [b for b in breaks if start < b.at <= start + room]
        if not fitting:
            break
        best = max(fitting)
        lines.append((indent if start else "") + line[start : best.at])
        start, room = best.at + 1, WIDTH - len(indent)
    return [*lines, (indent if start else "") + line[start:]]


class _Break(NamedTuple):
    """A space where a line may be broken. The greatest is best: before a joining word, least deep, late."""

    joins: bool
    shallow: int
    at: int


def _breaks(line: str) -> list[_Break]:
    result: list[_Break] = []
    depth = 0
    for token in token_spans(line):
        if token.text.isspace():
            joins = line[token.at + 1 :].startswith(("and ", "or ", "where ", "then ", "else "))
            result += [_Break(joins, -depth, token.at)] if depth > 0 and len(token.text) == 1 else []
        depth += (token.text in "([") - (token.text in ")]")
    return result


class _Printer:
    def __init__(self, core: Core | None, spans: bool) -> None:
        self.core = core
        self.spans = spans
        self.lines: list[str] = []
        self.files: dict[str, int] = {}
        self.domains: dict[Domain, str] = {}
        self.keys: set[str] = set()

    # --- lines ----------------------------------------------------------------------------------------------

    def line(self, depth: int, text: str, origin: Origin | None = None) -> None:
        suffix = self.origin(origin) if origin else ""
        whole = "    " * depth + text + (f"  ; {suffix}" if suffix else "")
        self.lines += _wrapped(whole, "    " * (depth + 2))

    def claim(self, depth: int, before: str, e: Expr, origin: Origin | None = None) -> None:
        """A condition; a long conjunction gets a line for each part."""
        text = f"{before}{expression(e)}"
        if len(text) + 4 * depth <= WIDTH or not (isinstance(e, And) and len(e.items) > 1):
            self.line(depth, text, origin)
            return
        parts = [_expression(i, _NOT) for i in e.items]
        self.line(depth, f"{before}(")
        for number, part in enumerate(parts[:-1]):
            self.line(depth + 1, f"and {part}" if number else part)
        self.line(depth + 1, f"and {parts[-1]})", origin)

    def bracketed(self, depth: int, before: str, items: Sequence[str], origin: Origin | None = None) -> None:
        """A list in square brackets, over several lines if it is long."""
        text = f"{before}[{', '.join(items)}]"
        if len(text) + 4 * depth <= WIDTH:
            self.line(depth, text, origin)
            return
        self.line(depth, f"{before}[")
        row = ""
        for number, item in enumerate(items):
            piece = item + ("," if number + 1 < len(items) else "]")
            if row and len(row) + len(piece) + 4 * depth + 5 > WIDTH:
                self.line(depth + 1, row)
                row = ""
            row = f"{row} {piece}" if row else piece
        self.line(depth + 1, row, origin)

    # --- where things come from -----------------------------------------------------------------------------

    def origin(self, origin: Origin) -> str:
        parts = [name(origin.rule)] if origin.rule else []
        if origin.citation:
            parts.append(self.citation(origin.citation))
        return " ".join(parts) + self.span(origin.span)

    def citation(self, citation: Citation) -> str:
        spread = ", ".join(str(a) if a == b else f"{a}..{b}" for a, b in citation.lines)
        inner = f"{spread}{self.span(citation.span)}".strip()
        return f"@{name(citation.source)}" + (f"({inner})" if inner else "")

    def span(self, span: Span) -> str:
        if not self.spans or span == NOWHERE:
            return ""
        file = self.files.setdefault(span.file, len(self.files))
        end_line = f"{span.end_line}:" if span.end_line != span.line else ""
        return f" !{file}:{span.line}:{span.column}-{end_line}{span.end_column}"

    # --- the whole ------------------------------------------------------------------------------------------

    def whole(self) -> str:
        core = self.core
        assert core is not None
        for slot in core.slots:
            self.slot(slot)
        for table in core.tables:
            self.table(table)
        self.line(0, "")
        for info in core.rules:
            cited = f" {self.citation(info.citation)}" if info.citation else ""
            self.line(0, f"rule {name(info.name)} {string(info.title)}{cited}{self.span(info.span)}")
        for p in (*core.properties, *core.hints):
            self.claim(0, f"property {p.kind} {name(p.name)} {string(p.title)}: ", p.condition, p.origin)
        for key in core.ranking:
            self.line(0, f"rank {expression(key)}")
        for limit in core.limits:
            self.line(0, f"limit {expression(limit)}")
        for table_name in core.fixed:
            self.line(0, f"fixed {name(table_name)}")
        self.line(0, "")
        self.line(0, f"start {name(core.start)}")
        for block in core.blocks:
            self.line(0, "")
            self.block(block)
        # Files and domains are numbered as they are met, but a reader wants them first.
        return "\n".join([*self.head(core), "", *self.lines]) + "\n"

    def head(self, core: Core) -> list[str]:
        body, self.lines = self.lines, []
        configuration = core.configuration
        self.line(0, "core 1")
        self.line(0, f"game {name(configuration.game)} {string(core.title)}")
        self.line(0, f"players {configuration.players}")
        for variant in configuration.variants:
            self.line(0, f"variant {name(variant)}")
        for reading, meaning in configuration.readings:
            self.line(0, f"reading {name(reading)} = {name(meaning)}")
        for setting, number in configuration.settings:
            self.line(0, f"setting {name(setting)} = {number}")
        for param, number in core.params:
            self.line(0, f"param {name(param)} = {number}")
        for file in self.files:
            self.line(0, f"file {string(file)}")
        if self.domains:
            self.line(0, "")
        for domain, key in self.domains.items():
            self.declare(domain, key)
        head, self.lines = self.lines, body
        return head

    def domain(self, domain: Domain) -> str:
        """The key under which `domain` is declared: its name, numbered where several share it."""
        if domain not in self.domains:
            key, number = domain.name, 1
            while key in self.keys:
                number += 1
                key = f"{domain.name}.{number}"
            self.keys.add(key)
            self.domains[domain] = key
        return name(self.domains[domain])

    def declare(self, domain: Domain, key: str) -> None:
        called = f" = {name(domain.name)}" if key != domain.name else ""
        low = f" from {domain.low}" if domain.low else ""
        text = f"domain {name(key)}{called}{low}"
        if not domain.names:
            self.line(0, text)
            return
        members = [member(m) for m in domain.names]
        if domain.labels:
            members = [f"{m} {string(label)}" for m, label in zip(members, domain.labels, strict=True)]
        self.bracketed(0, f"{text} ", members)

    def slot(self, slot: Slot) -> None:
        dims = f"[{', '.join(self.domain(d) for d in slot.dims)}]" if slot.dims else ""
        words = [f"slot {name(slot.name)}{dims}: {self.domain(slot.domain)} in {slot.low}..{slot.high}"]
        words += [slot.role] if slot.role != "state" else []
        words += [slot.sight] if slot.sight != "open" else []
        words += ["counted"] if slot.counted else []
        words += [f"unless {name(slot.unless)}"] if slot.unless else []
        words += [f"keeps {name(slot.keeps)}"] if slot.keeps else []
        words += [f"said {string(slot.said)}"] if slot.said else []
        words += [string(slot.title)] if slot.title else []
        text = " ".join(words) + " = "
        if len(slot.initial) == slot.size and len(set(slot.initial)) == 1:
            self.line(0, text + str(slot.initial[0]), slot.origin)
        else:
            self.bracketed(0, text, [str(v) for v in slot.initial], slot.origin)

    def table(self, table: Table) -> None:
        dims = ", ".join(self.domain(d) for d in table.dims)
        self.line(0, f"table {name(table.name)}[{dims}]")
        if table.assumed:
            self.bracketed(0, f"{self.lines.pop()} assumed ", [str(v) for v in table.assumed])
        if table.open:
            room = [f"{at} in {low}..{high}" for at, low, high in table.open]
            self.bracketed(0, f"{self.lines.pop()} open ", room)
        self.lines[-1] += " = ["
        width = max(1, len(table.dims[-1].names) if len(table.dims) > 1 else 25)
        for at in range(0, len(table.values), width):
            row = ", ".join(str(v) for v in table.values[at : at + width])
            self.line(1, row + ("," if at + width < len(table.values) else ""))
        self.lines[-1] += "]"

    # --- blocks ---------------------------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        loop = block.loop
        kind = "" if loop is None else " loop bounded" if loop.bounded else " loop"
        self.line(0, f"block {name(block.name)}{kind}:", block.origin)
        if loop and loop.measure:
            self.line(1, f"measure {_list(loop.measure)}")
        for fact in loop.keeps if loop else ():
            self.claim(1, "keeps ", fact)
        if loop and loop.body:
            self.bracketed(1, "inside ", [name(b) for b in loop.body])
        for s in block.body:
            self.statement(s, 1)
        self.end(block)

    def end(self, block: Block) -> None:
        match block.end:
            case Goto(target):
                self.line(1, f"goto {name(target)}")
            case Branch(condition, then, other):
                self.line(1, f"branch {expression(condition)} to {name(then)} else {name(other)}")
            case Switch(slot, targets):
                self.line(1, f"switch {name(slot)} to {_names(targets)}")
            case Choose(actor, options, secret):
                self.line(1, f"choose {expression(actor)}{' secret' if secret else ''}:")
                for option in options:
                    self.option(option)
            case Chance(slot, low, high, weight, seen_by, target, domain):
                what = f"chance {name(slot)} in {low}..{high} of {self.domain(domain)}"
                seen = f"weight {expression(weight)} seen {expression(seen_by)}"
                self.line(1, f"{what} {seen} to {name(target)}")
            case End():
                self.line(1, "end")

    def option(self, option: Option) -> None:
        phrase = ", ".join(string(p) if isinstance(p, str) else str(p) for p in option.phrase)
        self.line(2, f"option {name(option.name)} ({phrase}) to {name(option.target)}", option.origin)
        for p in option.params:
            spread = f"{expression(p.low)} .. {expression(p.high)} within {p.least}..{p.most}"
            self.line(3, f"${name(p.name)} in {spread} of {self.domain(p.domain)} to {name(p.slot)}")
        if option.guard != TRUE:
            self.claim(3, "when ", option.guard)

    def statement(self, s: Statement, depth: int) -> None:
        match s:
            case Set(slot, index, value, origin):
                self.line(depth, f"{expression(Read(slot, index))} := {expression(value)}", origin)
            case Let(variable, value):
                self.line(depth, f"let ${name(variable)} = {expression(value)}")
            case If(condition, then, other):
                self.line(depth, f"if {expression(condition)}:")
                self.statements(then, depth + 1)
                if other:
                    self.line(depth, "else:")
                    self.statements(other, depth + 1)
            case For(variable, low, high, body):
                self.line(depth, f"for ${name(variable)} in {low}..{high}:")
                self.statements(body, depth + 1)
            case Check(condition, kind, text, origin):
                self.claim(depth, f"check {kind} {string(text)}: ", condition, origin)
            case Enter(rule, origin):
                self.line(depth, f"enter {name(rule)}", origin)

    def statements(self, body: Iterable[Statement], depth: int) -> None:
        for s in body:
            self.statement(s, depth)
