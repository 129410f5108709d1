"""From a typed rulebook to core, for one configuration; and from its examples to scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulespec.compiler.core import (
    assumed,
    calls,
    constants,
    effort,
    layout,
    properties,
    scripts,
    sight,
    statements,
    survey,
)
from rulespec.compiler.core import tree as core
from rulespec.compiler.core.blocks import Builder
from rulespec.compiler.core.context import Context, Settled
from rulespec.compiler.core.expressions import Scope
from rulespec.compiler.core.finish import Finisher
from rulespec.compiler.core.frame import Frame, Work
from rulespec.compiler.core.limits import STEPS, Refused
from rulespec.compiler.core.plan import Plan, Plans
from rulespec.compiler.core.ranges import Ranges
from rulespec.compiler.core.simplify import Simplifier
from rulespec.compiler.core.tidy import tidy
from rulespec.compiler.core.tree import (
    Configuration,
    Core,
    End,
    Expr,
    Origin,
    Quantity,
    RuleInfo,
    Script,
)
from rulespec.compiler.diagnostics import Diagnostic
from rulespec.compiler.spans import NOWHERE, Span
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.properties import Measured
from rulespec.compiler.values import dataclass

MOST_APART = 100  # rules that play never comes to

Found = tuple[Diagnostic, ...]
Placed = tuple[tuple[Expr, Span], ...]  # conditions with their places in the text
Call = tuple[str, tuple[t.Expr, ...]]  # a rule that play goes through, and what it is given


@dataclass(frozen=True, slots=True)
class Amounts:
    """Params by name, truth values as 0 or 1; of each piece how many there are of each kind, and of each
    currency, None for money without end.
    """

    params: tuple[tuple[str, int], ...]
    kept: tuple[tuple[str, int | None], ...]


# --- configurations -----------------------------------------------------------------------------------------


def configuration(
    rulebook: t.Rulebook,
    players: int,
    variants: Iterable[str] = (),
    readings: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    settings: Iterable[tuple[str, int]] = (),
) -> Configuration:
    """The configuration with these choices, and the default meaning of every reading that is not named.

    Names are kept as given; `compile` says what is wrong with them.
    """
    chosen = dict(readings)
    known = tuple((r.name, chosen.pop(r.name, r.default)) for r in rulebook.readings)
    asked = tuple(dict.fromkeys(variants))
    in_order = tuple(v.name for v in rulebook.variants if v.name in asked)
    unknown = tuple(v for v in asked if v not in in_order)
    return Configuration(
        rulebook.name, players, in_order + unknown, known + tuple(chosen.items()), tuple(settings)
    )


def configurations(rulebook: t.Rulebook) -> tuple[Configuration, ...]:
    """For each number of players, without variants and with every reading at its default."""
    fewest, most = rulebook.players
    return tuple(configuration(rulebook, players) for players in range(fewest, most + 1))


def scope_configuration(rulebook: t.Rulebook, scope: t.Scope) -> tuple[Configuration | None, Found]:
    """The small configuration that a `scope` declares."""
    base = configuration(rulebook, scope.players, scope.variants, scope.readings)
    try:
        ctx = _context(rulebook, base)
        settings = tuple((s.param, constants.value(ctx, s.value)) for s in scope.settings)
    except Refused as refused:
        return None, (refused.diagnostic,)
    return configuration(rulebook, scope.players, scope.variants, scope.readings, settings), ()


def settled_values(rulebook: t.Rulebook, wanted: Configuration) -> tuple[Amounts | None, Found]:
    """The numbers that a configuration settles before play, without compiling the rules."""
    try:
        ctx = _context(rulebook, wanted)
        params = tuple((name, constants.known(ctx, e)) for name, e in ctx.params.items())
        kept = tuple((name, keeper.each) for name, keeper in layout.keepers(ctx).items())
        return Amounts(params, kept), ()
    except Refused as refused:
        return None, (refused.diagnostic,)


def apart_from_play(rulebook: t.Rulebook) -> tuple[t.Example, ...]:
    """The first example of each rule that play never comes to: what no configuration compiles.

    Of very many rules only the first; a mistake in another shows where its examples are run.
    """
    rules = {rule.name: rule for rule in rulebook.rules}
    reached: list[str] = [name for name in ("setup", "play") if name in rules]
    for name in reached:
        calls = (n.rule for n in survey.nodes(rules[name].body) if isinstance(n, t.CallRule))
        reached.extend(dict.fromkeys(called for called in calls if called not in reached))
    found: dict[str, t.Example] = {}
    for example in rulebook.examples:
        if example.run.rule not in reached:
            found.setdefault(example.run.rule, example)
    return tuple(found.values())[:MOST_APART]


def _complain(rulebook: t.Rulebook, wanted: Configuration) -> None:
    """Refuses what the rulebook does not have."""
    fewest, most = rulebook.players
    if not fewest <= wanted.players <= most:
        text = f"`{rulebook.name}` is for {fewest} to {most} players, and these are {wanted.players}"
        raise Refused("R0522", text, NOWHERE)
    variants = {v.name for v in rulebook.variants}
    for variant in wanted.variants:
        if variant not in variants:
            raise Refused("R0522", f"there is no variant `{variant}`", NOWHERE)
    meanings = {r.name: [m.name for m in r.meanings] for r in rulebook.readings}
    for reading, meaning in wanted.readings:
        if reading not in meanings:
            raise Refused("R0522", f"there is no reading `{reading}`", NOWHERE)
        if meaning not in meanings[reading]:
            several = ", ".join(f"`{m}`" for m in meanings[reading])
            text = f"reading `{reading}` has no meaning `{meaning}`"
            raise Refused("R0522", text, NOWHERE, help=(f"it has {several}",))


def _context(rulebook: t.Rulebook, wanted: Configuration) -> Context:
    """With all that is settled before play."""
    _complain(rulebook, wanted)
    ctx = Context(rulebook, wanted)
    constants.settle_params(ctx)
    constants.settle_tables(ctx)
    assumed.settle(ctx)
    return ctx


# --- a game -------------------------------------------------------------------------------------------------


def compile(rulebook: t.Rulebook, configuration: Configuration) -> tuple[Core | None, Found]:
    """The game in this configuration, or why it cannot be made. Never raises for what a text says."""
    core, found, _ = compile_noting(rulebook, configuration)
    return core, found


def compile_noting(
    rulebook: t.Rulebook, configuration: Configuration
) -> tuple[Core | None, Found, tuple[Settled, ...]]:
    """The same, and the conditions that are not in the core because ranges of numbers decide them."""
    made, found, settled = _compile(rulebook, configuration, ())
    return (None if made is None else made[0]), found, settled


def compile_measured(
    rulebook: t.Rulebook, configuration: Configuration, asked: Sequence[Measured]
) -> tuple[tuple[Core, tuple[Quantity, ...]] | None, Found]:
    """The game and numbers over its record, which were resolved in this rulebook; or what is wrong."""
    made, found, _ = _compile(rulebook, configuration, asked)
    return made, found


def _compile(
    rulebook: t.Rulebook, configuration: Configuration, asked: Sequence[Measured]
) -> tuple[tuple[Core, tuple[Quantity, ...]] | None, Found, tuple[Settled, ...]]:
    try:
        ctx = _context(rulebook, configuration)
        layout.declare_state(ctx)
        lowering = _Lowering(ctx)
        extremes = tuple((properties.extreme(ctx, m, op), m.span) for m in asked for op in ("max", "min"))
        roots: list[Call] = [(name, ()) for name in ("setup", "play") if name in ctx.rules]
        made, found = lowering.whole(roots, extremes)
        if made is None:
            return None, tuple(ctx.findings), ()
        lowered = [expr for expr, _ in found]
        pairs = zip(asked, lowered[::2], lowered[1::2], strict=True)
        quantities = tuple(properties.quantity(ctx, m, most, least) for m, most, least in pairs)
        return (made, quantities), (), tuple(s for s in ctx.settled if s.origin != Origin())
    except Refused as refused:
        return None, (refused.diagnostic,), ()
    except RecursionError:
        text = "these rules are nested too deeply to be worked with"
        return None, (Diagnostic("R0512", text, NOWHERE),), ()


def compile_example(rulebook: t.Rulebook, example: t.Example) -> tuple[Script | None, Found]:
    """The example as a script: a core of its own that starts from the given position."""
    try:
        chosen = configuration(rulebook, example.players, example.variants, example.readings)
        ctx = _context(rulebook, chosen)
        layout.declare_state(ctx)
        scripts.give(ctx, example.given)
        lowering = _Lowering(ctx)
        conditions = tuple((ctx.sized(Scope(ctx).expr(e), e.span), e.span) for e in example.then)
        made, then = lowering.whole([(example.run.rule, example.run.arguments)], conditions)
        if made is None:
            return None, tuple(ctx.findings)
        return Script(
            example.name,
            example.title,
            made,
            tuple(scripts.step(ctx, s) for s in example.steps),
            then,
            Origin(example.span, "", example.citation),
            example.run.rule == "setup" and not example.given,
            example.run.rule == "play",
        ), ()
    except Refused as refused:
        return None, (refused.diagnostic,)
    except RecursionError:
        text = "this example is nested too deeply to be worked with"
        return None, (Diagnostic("R0512", text, example.span),)


class _Lowering:
    """One run through the rules, from a position to the end of the last rule called."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.build = Builder(ctx)
        self.start = self.build.current.key

    def whole(self, called: list[Call], conditions: Placed) -> tuple[Core | None, Placed]:
        """The core that calls these rules one after the other, and `conditions` as they read there."""
        plans = Plans(self.ctx, [name for name, _ in called])
        work = Work(self.ctx, self.build, plans, statements.run)
        self._rules(work, called)
        claims = self._claims()
        if self.ctx.findings:
            return None, ()
        calls.settle_returns(work)
        graph, start = tidy(self.build.blocks, self.start)
        ranges = Ranges(self.ctx, graph)
        ranking = properties.ranking(self.ctx)
        ranges.look(*(p.condition for p in claims), *ranking, *(e for e, _ in conditions), *self.ctx.limits)
        ranges.find()
        sight.find(self.ctx, graph)
        Simplifier(self.ctx, ranges).graph(graph)
        graph, start = tidy(graph, start)
        finisher = Finisher(self.ctx, ranges)
        blocks = finisher.blocks(graph)
        claims = [finisher.claim(p) for p in claims]
        then = tuple((finisher.expr(e, {}), span) for e, span in conditions)
        keys = tuple(finisher.expr(e, {"p": "p"}) for e in ranking)
        rulebook = self.ctx.rulebook
        claimed = [(p.condition, p.origin.span) for p in claims if p.kind != "hint"]
        ranked = rulebook.ranking.keys if rulebook.ranking else ()
        keyed = [(key, e.span) for key, e in zip(keys, ranked, strict=True)]
        effort.keep_bounded(blocks.values(), [*claimed, *keyed, *then])
        tables = assumed.tables(self.ctx, finisher.looked)
        return Core(
            self.ctx.configuration,
            rulebook.title,
            finisher.slots(),
            tables,
            tuple(blocks.values()),
            blocks[start].name,
            tuple(p for p in claims if p.kind != "hint"),
            keys,
            _rules(rulebook),
            tuple((name, constants.known(self.ctx, e)) for name, e in self.ctx.params.items()),
            tuple(p for p in claims if p.kind == "hint"),
            tuple(finisher.expr(e, {}) for e in assumed.limits(self.ctx, tables)),
            assumed.fixed(self.ctx),
        ), then

    def _rules(self, work: Work, called: list[Call]) -> None:
        nobody = Plan(t.Rule("", "", "", (), None, (), (), (), None, NOWHERE), (), frozenset(), ())
        frame = Frame(work, nobody, Scope(self.ctx), None)
        for name, arguments in called:
            views = [frame.scope.view(a) for a in arguments]
            calls.go(frame, name, views, _span(self.ctx, name))
        self.build.current.what = "end"
        self.build.end(End())
        while work.waiting:
            routine = work.waiting.pop(0)
            try:
                calls.lower(work, routine)
            except Refused as refused:
                if self.ctx.steps > STEPS:
                    raise  # every other rule would be refused for the same reason
                self.ctx.refuse(refused)

    def _claims(self) -> list[core.Property]:
        """Conservation first, then what the rulebook states."""
        try:
            return properties.conserved(self.ctx) + properties.stated(self.ctx)
        except Refused as refused:
            self.ctx.refuse(refused)
            return []


def _span(ctx: Context, rule: str) -> Span:
    return ctx.rules[rule].span


def _rules(rulebook: t.Rulebook) -> tuple[RuleInfo, ...]:
    """Each rule of the text once, however many instances it has."""
    found: dict[str, RuleInfo] = {}
    for rule in rulebook.rules:
        found.setdefault(rule.base, RuleInfo(rule.base, rule.title, rule.citation, rule.span))
    return tuple(found.values())
