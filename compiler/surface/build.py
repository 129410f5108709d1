"""From the parser's reductions to statements and declarations; `ACTIONS` holds one function for each rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulespec.compiler.spans import NOWHERE, Span
from rulespec.compiler.surface import tree
from rulespec.compiler.surface.build_expressions import ACTIONS, on
from rulespec.compiler.values import dataclass

__all__ = ["ACTIONS"]


@dataclass(frozen=True, slots=True)
class _Part:
    """A line that belongs to the head of what it stands in: `requires E`, `when:` and its steps."""

    kind: str
    values: tuple[Any, ...]


def _parts(items: tuple[Any, ...], kind: str) -> tuple[Any, ...]:
    return tuple(
        value for item in items if isinstance(item, _Part) and item.kind == kind for value in item.values
    )


def _others(items: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(item for item in items if not isinstance(item, _Part))


# --- components --------------------------------------------------------------------------------------------


@on("game")
def _game(c: list[Any], span: Span) -> tree.Game:
    return tree.Game(c[1], c[2], span)


@on("source")
def _source(c: list[Any], span: Span) -> tree.Source:
    _, name, title, _, lines, _, _ = c
    return tree.Source(name, title, lines, span)


@on("use")
def _use(c: list[Any], span: Span) -> tree.Use:
    return tree.Use(c[1], span)


@on("players")
def _players(c: list[Any], span: Span) -> tree.Players:
    _, low, _, high, citation, _ = c
    return tree.Players(low, low if high is None else high, citation, span)


@on("enum")
def _enum(c: list[Any], span: Span) -> tree.Enum:
    _, name, title, citation, _, lines = c
    members = tuple(m for line in lines for m in (line.members if _is_assumed(line) else line))
    assumed = tuple(line for line in lines if _is_assumed(line))
    return tree.Enum(name, title, citation, members, assumed, span)


def _is_assumed(line: Any) -> bool:
    return isinstance(line, tree.AssumedMembers)


@on("members")
def _members(c: list[Any], span: Span) -> tuple[Any, ...]:
    """Lines of members, or one on the line of the head."""
    return (tuple(c[0]),) if len(c) == 2 else tuple(c[0])


@on("assumed_members")
def _assumed_members(c: list[Any], span: Span) -> tree.AssumedMembers:
    _, why, citation, _, lines = c
    return tree.AssumedMembers(why, citation, tuple(m for line in lines for m in line), span)


@on("member")
def _member(c: list[Any], span: Span) -> tree.EnumMember:
    return tree.EnumMember(c[0], c[1])


@on("listed")
def _listed(c: list[Any], span: Span) -> tuple[Any, ...]:
    return tuple(c[0])


@on("listing")
def _listing(c: list[Any], span: Span) -> tuple[Any, ...]:
    """Members on the line of the head, or lines of members."""
    if len(c) == 2:
        return tuple(c[0])
    return tuple(item for line in c[0] for item in line)


@on("currency")
def _currency(c: list[Any], span: Span) -> tree.Currency:
    _, name, title, citation, _, supply, _, home, _, unless, _ = c
    return tree.Currency(name, title, citation, None if supply == "unlimited" else supply, unless, home, span)


@on("piece")
def _piece(c: list[Any], span: Span) -> tree.Piece:
    _, name, title, _, kind, citation, _, each, _, _, home, _ = c
    return tree.Piece(name, title, kind, citation, each, home, span)


@on("record")
def _record(c: list[Any], span: Span) -> tree.Record:
    _, name, title, _, columns = c
    return tree.Record(name, title, tuple((column.name, column.type) for column in columns), span)


@on("column")
def _column(c: list[Any], span: Span) -> tree.Column:
    return tree.Column(c[0], c[2], span)


@on("table")
def _table(c: list[Any], span: Span) -> tree.Table:
    _, name, title, citation, _, lines = c
    columns = _parts(lines, "columns")
    rows = tuple(line for line in lines if isinstance(line, tree.Row))
    assumed = tuple(line for line in lines if isinstance(line, tree.Assumed))
    return tree.Table(name, title, citation, columns, rows, assumed, span)


@on("grid")
def _grid(c: list[Any], span: Span) -> tree.Grid:
    _, name, title, columns, _, rows, citation, _ = c
    return tree.Grid(name, title, columns, rows, citation, span)


@on("columns")
def _columns(c: list[Any], span: Span) -> _Part:
    return _Part("columns", tuple(c[1]))


@on("row")
def _row(c: list[Any], span: Span) -> tree.Row:
    name, label, citation, _, cells, _ = c
    return tree.Row(name, label, citation, tuple(cells), span)


@on("assumed")
def _assumed(c: list[Any], span: Span) -> tree.Assumed:
    _, why, citation, _, limits, _, rows = c
    return tree.Assumed(why, citation, tuple(limits or ()), rows, span)


@on("param")
def _param(c: list[Any], span: Span) -> tree.Param:
    _, name, title, _, kind, _, value, _, assumed, citation, _ = c
    return tree.Param(name, title, kind, value, citation, assumed or "", span)


@on("variant")
def _variant(c: list[Any], span: Span) -> tree.Variant:
    _, name, title, citation, _, settings = c
    return tree.Variant(name, title, citation, settings, span)


@on("when_players")
def _when_players(c: list[Any], span: Span) -> tree.WhenPlayers:
    _, _, operator, number, citation, _, settings = c
    return tree.WhenPlayers(operator, number, citation, settings, span)


@on("setting")
def _setting(c: list[Any], span: Span) -> tree.Setting:
    name, _, value, citation, _ = c
    return tree.Setting(name, value, citation, span)


@on("reading")
def _reading(c: list[Any], span: Span) -> tree.Reading:
    _, name, question, citation, ident, _, meanings = c
    return tree.Reading(name, question, citation, ident.text if ident else "", meanings, span)


@on("meaning")
def _meaning(c: list[Any], span: Span) -> tree.Meaning:
    name, title, citation, default, _ = c
    return tree.Meaning(name, title, citation, default is not None, span)


@on("state")
def _state(c: list[Any], span: Span) -> tree.State:
    found: list[tree.StateVar] = []
    for line in c[2]:
        found += line if isinstance(line, tuple) else [line]
    return tree.State(tuple(found), span)


@on("per_player")
def _per_player(c: list[Any], span: Span) -> tuple[tree.StateVar, ...]:
    return tuple(replace(variable, per_player=True) for variable in c[2])


@on("variable")
def _variable(c: list[Any], span: Span) -> tree.StateVar:
    name, title, before, seen, _, kind, _, initial, after, _ = c
    sight, unless = seen or ("open", None)
    return tree.StateVar(name, title, kind, sight, unless, initial, before or after, False, span)


@on("sight")
def _sight(c: list[Any], span: Span) -> tuple[str, tree.Name | None]:
    return c[0], c[-1] if len(c) > 1 else None


# --- rules -------------------------------------------------------------------------------------------------


@on("parameters")
def _parameters(c: list[Any], span: Span) -> tuple[tree.Parameter, ...]:
    return tuple(tree.Parameter(column.name, column.type) for column in c[1] or ())


@on("function")
def _function(c: list[Any], span: Span) -> tree.Function:
    _, name, parameters, _, result, title, citation, _, value = c
    return tree.Function(name, title, parameters, result, citation, value, span)


@on("rule")
def _rule(c: list[Any], span: Span) -> tree.Rule:
    _, name, parameters, _, result, title, citation, _, lines = c
    requires, ensures = _parts(lines, "requires"), _parts(lines, "ensures")
    return tree.Rule(name, title, parameters or (), result, citation, requires, ensures, _others(lines), span)


@on("contract", "measure")
def _contract(c: list[Any], span: Span) -> _Part:
    return _Part(c[0], tuple(c[1]) if isinstance(c[1], list) else (c[1],))


@on("ranking")
def _ranking(c: list[Any], span: Span) -> tree.Ranking:
    _, title, _, name, citation, _, keys = c
    return tree.Ranking(title, name, citation, tuple(keys), span)


@on("invariant")
def _invariant(c: list[Any], span: Span) -> tree.Invariant:
    kind, name, title, citation, _, condition = c
    return tree.Invariant(kind, name, title, citation, condition, span)


@on("between")
def _between(c: list[Any], span: Span) -> tuple[tree.Expr, tree.Expr, tree.Expr]:
    value, _, low, _, high = c
    return value, low, high


@on("bound")
def _bound(c: list[Any], span: Span) -> tree.Bound:
    _, name, title, _, generators, citation, _, (value, low, high) = c
    return tree.Bound(name, title, citation, tuple(generators or ()), value, low, high, span)


# --- scopes and examples -----------------------------------------------------------------------------------


@on("seats")
def _seats(c: list[Any], span: Span) -> _Part:
    return _Part("players", (c[1],))


@on("variant_line")
def _variant_line(c: list[Any], span: Span) -> _Part:
    return _Part("variant", (c[1],))


@on("reading_line")
def _reading_line(c: list[Any], span: Span) -> _Part:
    return _Part("reading", ((c[1], c[3]),))


def _seat_count(lines: tuple[Any, ...]) -> int:
    """0 when no line says it, which `check.py` reports."""
    counts = _parts(lines, "players")
    return counts[-1] if counts else 0


@on("scope")
def _scope(c: list[Any], span: Span) -> tree.Scope:
    _, name, title, _, lines = c
    variants, readings = _parts(lines, "variant"), _parts(lines, "reading")
    return tree.Scope(name, title, _seat_count(lines), variants, readings, _others(lines), span)


@on("example")
def _example(c: list[Any], span: Span) -> tree.Example:
    _, name, title, citation, _, lines = c
    run = _parts(lines, "run")
    return tree.Example(
        name,
        title,
        citation,
        _seat_count(lines),
        _parts(lines, "variant"),
        _parts(lines, "reading"),
        _parts(lines, "given"),
        run[-1] if run else None,
        _parts(lines, "when"),
        _parts(lines, "then"),
        span,
    )


@on("aside")
def _aside(c: list[Any], span: Span) -> tree.Aside:
    return tree.Aside(c[2] if len(c) > 2 else (c[1],), span)


@on("beside")
def _beside(c: list[Any], span: Span) -> tree.Beside:
    kind, why, citation, _ = c
    return tree.Beside(kind, why, citation, span)


@on("givens", "steps", "thens")
def _section(c: list[Any], span: Span) -> _Part:
    return _Part(c[0], c[2])


@on("given")
def _given(c: list[Any], span: Span) -> tree.Given:
    return tree.Given(c[0], c[1] == "includes", c[2], span)


@on("run")
def _run(c: list[Any], span: Span) -> _Part:
    call = c[1] if isinstance(c[1], tree.Call) else tree.Call(c[1], (), c[1].span)
    return _Part("run", (call,))


@on("act")
def _act(c: list[Any], span: Span) -> tree.Act:
    actor, cannot, option, arguments, _ = c
    return tree.Act(tree.Ref(actor, actor.span), cannot is not None, option, tuple(arguments), span)


@on("arguments")
def _arguments(c: list[Any], span: Span) -> list[tree.Expr]:
    return [*c[0], c[1]] if c else []


@on("happens")
def _happens(c: list[Any], span: Span) -> tree.Happens:
    return tree.Happens(c[1], span)


@on("fact")
def _fact(c: list[Any], span: Span) -> tree.Expr:
    fact: tree.Expr = c[0]
    return fact


# --- statements --------------------------------------------------------------------------------------------


@on("let")
def _let(c: list[Any], span: Span) -> tree.Let:
    _, names, _, value, _ = c
    return tree.Let(names, value, span)


@on("targets")
def _targets(c: list[Any], span: Span) -> tuple[tree.Name, ...]:
    return (c[0],) if len(c) == 1 else tuple(c[1])


@on("random")
def _random(c: list[Any], span: Span) -> tree.RandomExpr:
    (dice, sides, generator, where), _, seen_by = c
    return tree.RandomExpr(dice, sides, generator, where, seen_by, span)


@on("happens_by")
def _happens_by(c: list[Any], span: Span) -> tuple[int, int, tree.Generator | None, tree.Expr | None]:
    """Dice and their sides, or what one value is taken of."""
    match c:
        case ["roll", (dice, sides)]:
            return dice, sides, None, None
        case ["random", generator, where]:
            return 0, 0, generator, where
    seats = tree.Ref(tree.Name("players", span), span)
    return 0, 0, tree.Generator(tree.Name("player", span), seats, span), None


@on("drawn")
def _drawn(c: list[Any], span: Span) -> tree.Draw:
    return tree.Draw(None, False, c[2], c[4], span)


@on("var")
def _var(c: list[Any], span: Span) -> tree.Var:
    _, name, _, kind, _, value, _ = c
    return tree.Var(name, kind, value, span)


@on("assign")
def _assign(c: list[Any], span: Span) -> tree.Assign:
    return tree.Assign(c[0], c[1], c[2], span)


@on("update")
def _update(c: list[Any], span: Span) -> tree.Add:
    operator, value, _, target, _ = c
    return tree.Add(operator, value, target, span)


@on("move")
def _move(c: list[Any], span: Span) -> tree.Move:
    """With one expression it is what is moved, with two the first is how many."""
    _, one, two, _, source, _, target, _ = c
    amount, what = (None, one) if two is None else (one, two)
    return tree.Move(False, amount, what, source, target, span)


@on("move_all")
def _move_all(c: list[Any], span: Span) -> tree.Move:
    _, _, what, _, source, _, target, _ = c
    return tree.Move(True, None, what, source, target, span)


@on("draw")
def _draw(c: list[Any], span: Span) -> tree.Draw:
    _, up_to, amount, _, source, _, target, _ = c
    return tree.Draw(amount, up_to is not None, source, target, span)


@on("pay")
def _pay(c: list[Any], span: Span) -> tree.Pay:
    _, up_to, amount, _, source, _, target, _ = c
    return tree.Pay(amount, up_to is not None, source, target, span)


@on("score")
def _score(c: list[Any], span: Span) -> tree.Score:
    return tree.Score(c[1], c[3], span)


@on("if")
def _if(c: list[Any], span: Span) -> tree.If:
    _, condition, _, then, other = c
    return tree.If(condition, then, other or (), span)


@on("else")
def _else(c: list[Any], span: Span) -> tuple[tree.Statement, ...]:
    return (c[1],) if len(c) == 2 else c[2]


@on("for")
def _for(c: list[Any], span: Span) -> tree.For:
    _, generator, where, _, order, _, lines = c
    return tree.For(generator, where, tuple(order or ()), _parts(lines, "keeps"), _others(lines), span)


@on("order_key")
def _order_key(c: list[Any], span: Span) -> tree.OrderKey:
    return tree.OrderKey(c[0], c[1] is not None)


@on("while")
def _while(c: list[Any], span: Span) -> tree.While:
    condition, lines = (None if c[0] == "repeat" else c[1]), c[-1]
    return tree.While(condition, _parts(lines, "decreasing"), _parts(lines, "keeps"), _others(lines), span)


@on("stop")
def _stop(c: list[Any], span: Span) -> tree.Stop:
    return tree.Stop(span)


@on("return")
def _return(c: list[Any], span: Span) -> tree.Return:
    return tree.Return(c[1], span)


@on("assert")
def _assert(c: list[Any], span: Span) -> tree.Assert:
    return tree.Assert(c[1], c[2], span)


@on("do")
def _do(c: list[Any], span: Span) -> tree.Do:
    return tree.Do(c[0], span)


@on("choose")
def _choose(c: list[Any], span: Span) -> tree.Choose:
    actor, verb, _, options = c
    return tree.Choose(actor, verb == "may choose", options, span)


@on("at_once")
def _at_once(c: list[Any], span: Span) -> tree.AtOnce:
    _, name, where, may, _, _, options = c
    return tree.AtOnce(name, where, may is not None, options, span)


@on("option")
def _option(c: list[Any], span: Span) -> tree.Option:
    name, params, _, guard, (phrase, place), citation, _, body = c
    return tree.Option(name, tuple(params or ()), guard, phrase, citation, body, span, place)


@on("phrase")
def _phrase(c: list[Any], span: Span) -> tuple[str, Span]:
    return c[0] or "", span if c[0] else NOWHERE


@on("option_param")
def _option_param(c: list[Any], span: Span) -> tree.OptionParam:
    name, _, kind, _, size, _, domain = c
    return tree.OptionParam(name, kind, size, domain, span)
