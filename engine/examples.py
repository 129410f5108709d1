"""Worked examples: a position, moves and chance as the text gives them, and what must then hold."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.compiler.core.tree import Act, Core, Expr, Happens, Property, Script
from rulespec.compiler.spans import Span
from rulespec.engine.explain import explain
from rulespec.engine.faults import Fault
from rulespec.engine.game import Game
from rulespec.engine.interpreter.evaluate import Wrong, evaluate
from rulespec.engine.interpreter.stepper import Interpreter, initial
from rulespec.engine.moves import Move
from rulespec.engine.state import Played, State
from rulespec.engine.stepper import BUDGET, Record

# How many moves or outcomes a message lists before it says how many more there are.
_LISTED = 8


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """How an example went.

    Where it failed: `message` is one sentence, `span` the step or condition (or the example), `parts` the
    values that decide it, `played` the steps that went well before. `unreachable` names what the given
    position breaks of what holds in every play; such an example runs all the same, and what it begins by
    breaking is not asked of it later. `breaks` are the claims that held at the start and that the last of
    `played` broke. `ends_breaking` names those that do not hold where a rule ends inside the game: nobody
    is asked there, so that nothing is claimed.
    """

    name: str
    title: str
    passed: bool
    message: str
    span: Span
    parts: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    unreachable: tuple[str, ...] = ()
    breaks: tuple[Property, ...] = ()
    ends_breaking: tuple[str, ...] = ()


class _Failed(Exception):
    def __init__(
        self, message: str, span: Span, parts: tuple[str, ...] = (), breaks: tuple[Property, ...] = ()
    ) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.parts = parts
        self.breaks = breaks


@dataclass(frozen=True, slots=True)
class Carried:
    """An example that was carried out: how it went, and the play so far; None where it did not begin.

    `done` are the steps of the script that went well, each with the number of steps of the play after it.
    """

    result: ExampleResult
    state: State | None
    done: tuple[tuple[Act | Happens, int], ...]


def run(script: Script, budget: int = BUDGET) -> ExampleResult:
    """Play the example through the interpreter, which gives up after `budget` blocks without waiting."""
    return carry_out(script, budget).result


def carry_out(script: Script, budget: int = BUDGET) -> Carried:
    """`run`, with the play that it makes."""
    at_start = broken(script.core, initial(script.core))
    runner = _Runner(script, at_start, budget)
    result = _result(script, runner, () if script.from_the_start else _titles(at_start))
    return Carried(result, runner.state, tuple(runner.done))


def _result(script: Script, runner: _Runner, unreachable: tuple[str, ...]) -> ExampleResult:
    try:
        runner.run()
    except _Failed as failed:
        return ExampleResult(
            script.name,
            script.title,
            False,
            failed.message,
            failed.span,
            failed.parts,
            runner.played,
            unreachable,
            failed.breaks,
        )
    return ExampleResult(
        script.name,
        script.title,
        True,
        "",
        script.origin.span,
        (),
        runner.played,
        unreachable,
        (),
        _titles(runner.left),
    )


def broken(core: Core, r: Record) -> tuple[Property, ...]:
    """The invariants, bounds and conservation laws that do not hold in a record."""
    return tuple(p for p in core.properties if p.kind != "reachable" and not _holds(core, p.condition, r))


def _holds(core: Core, condition: Expr, r: Record) -> bool:
    try:
        return bool(evaluate(core, condition, r, {}))
    except Wrong:
        return False


class _Runner:
    def __init__(self, script: Script, at_start: tuple[Property, ...], budget: int) -> None:
        self.script = script
        self.at_start = at_start
        self.left: tuple[Property, ...] = ()  # broken where a rule ended inside the game
        self.game = Game(script.core, Interpreter(script.core, budget=budget))
        self.state: State | None = None
        self.done: list[tuple[Act | Happens, int]] = []

    @property
    def played(self) -> tuple[str, ...]:
        steps = self.state.history if self.state else ()
        return tuple(
            f"p{step.actor} {step.move.phrase}" if isinstance(step, Played) else f"chance {step.outcome.name}"
            for step in steps
        )

    def run(self) -> None:
        span = self.script.origin.span
        try:
            state = self.state = self.game.start(0, auto_chance=False)
            self.keeps(state, span)
            for step in self.script.steps:
                span = step.span
                if isinstance(step, Act):
                    self.act(state, step)
                else:
                    self.happens(state, step)
                self.done.append((step, len(state.history)))
            self.forced(state, span)
        except Fault as fault:
            raise _Failed(f"the rules fail: {fault}", span) from None
        for condition, where in self.script.then:
            self.holds(state, condition, where)

    def keeps(self, state: State, span: Span) -> None:
        """What is claimed of every position is asked of each one that the example passes through."""
        core, r = self.script.core, state.record
        found = tuple(p for p in broken(core, r) if p not in self.at_start)
        if state.over and not self.script.ends_the_game:
            self.left = found
            return
        if not found:
            return
        *others, last = (f"{p.kind} `{p.name}`" for p in found)
        named = f"{', '.join(others)} and {last} do" if others else f"{last} does"
        when = f"after `{self.played[-1]}`" if self.played else "before the first step"
        parts = tuple(dict.fromkeys(part for p in found for part in _explained(core, p.condition, r)))
        raise _Failed(f"{when}, {named} not hold", span, parts, found)

    def forced(self, state: State, span: Span) -> None:
        """Let chance decide where only one thing is possible; anything else the example has to say."""
        while state.kind == "chance":
            options = [o.name for o in state.chance()]
            if len(options) > 1:
                raise _Failed(
                    f"chance decides here, and the example does not say how: {_listed(options)}", span
                )
            state.happen(options[0])
            self.keeps(state, span)

    def happens(self, state: State, step: Happens) -> None:
        while state.kind == "chance":
            options = state.chance()
            found = next((o for o in options if step.outcome in (o.name, str(o.number))), None)
            if found:
                state.happen(found)
                self.keeps(state, step.span)
                return
            if len(options) > 1:
                names = _listed([o.name for o in options])
                raise _Failed(f"chance cannot decide for `{step.outcome}` here: {names}", step.span)
            state.happen(options[0])
            self.keeps(state, step.span)
        raise _Failed(f"chance does not decide here: {_now(state)}", step.span)

    def act(self, state: State, step: Act) -> None:
        self.forced(state, step.span)
        wanted = " ".join((step.option, *step.arguments))
        found = next((m for m in state.moves() if _is(m, step)), None) if state.actor == step.actor else None
        if step.refused and found:
            raise _Failed(
                f"`{wanted}` is offered to p{step.actor}, and the example says that it is not", step.span
            )
        if step.refused:
            return
        if state.actor != step.actor:
            raise _Failed(f"p{step.actor} is not asked here: {_now(state)}", step.span)
        if not found:
            offered = _listed([m.text for m in state.moves()])
            raise _Failed(f"`{wanted}` is not offered to p{step.actor}: {offered}", step.span)
        state.play(found)
        self.keeps(state, step.span)

    def holds(self, state: State, condition: Expr, span: Span) -> None:
        core, r = self.script.core, state.record
        try:
            if not evaluate(core, condition, r, {}):
                raise _Failed("this does not hold", span, explain(core, condition, r))
        except Wrong as wrong:
            raise _Failed(f"this has no value: {wrong.text}", span) from None


def _titles(claims: tuple[Property, ...]) -> tuple[str, ...]:
    return tuple(p.title or p.name for p in claims)


def _explained(core: Core, condition: Expr, r: Record) -> tuple[str, ...]:
    try:
        return explain(core, condition, r)
    except Wrong as wrong:
        return (wrong.text,)


def _is(move: Move, step: Act) -> bool:
    return move.option == step.option and move.arguments == step.arguments


def _now(state: State) -> str:
    if state.over:
        return "the rule has ended"
    return f"p{state.actor} is asked, {_listed([m.text for m in state.moves()])}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"possible: {', '.join(f'`{n}`' for n in names[:_LISTED])}{more}"
