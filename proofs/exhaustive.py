"""Small configurations visited whole: every state, loops' heads too, and whether any play could go on for
ever.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulespec.compiler.core.tree import TRUE, Chance, Compare, Const, Core, Or, Property, Read
from rulespec.engine.explore import Exploration, Packing, Taken, explore
from rulespec.engine.explore import Limits as ExplorerLimits
from rulespec.engine.faults import Fault
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.stepper import Record
from rulespec.proofs.claims import ALWAYS, Claim, Claims
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.monitors import Broken, claim_of_fault
from rulespec.proofs.verdicts import Event, Limits, Play, Verdict, of
from rulespec.proofs.watched import HEAD, heads, watched

OnEvent = Callable[[Event], None]
AT_HEADS = "kept at "  # before the number of a head and the number of what it keeps, in a property's name


@dataclass
class Visited:
    """What the visit of all states found. `plays` are those that break or reach something, by claim."""

    exploration: Exploration
    plays: dict[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    reached: frozenset[str] = frozenset()
    endless: tuple[tuple[int, ...], ...] | None = None
    states: int = 0  # those of the game itself, without loops' heads
    looked_for_cycles: bool = False

    @property
    def whole(self) -> bool:
        """Every position was visited, no play breaks off, and none can go on for ever."""
        return self.looked_for_cycles and self.endless is None


def explore_scope(
    core: Core,
    scope: str,
    properties: Sequence[str] | None,
    limits: Limits,
    on_event: OnEvent,
    sources: Mapping[str, str],
) -> list[Verdict]:
    """A verdict on each claim of a small configuration."""
    claims = Claims(core)
    began = time.perf_counter()
    visited = visit(core, claims, limits, on_event)
    replayer = Replayer(core, claims, None, dict(sources))
    seconds = (time.perf_counter() - began) / max(1, len(claims.all))
    result: list[Verdict] = []
    for claim in claims.all.values():
        if properties is None or any(w == claim.kind or w in claim.name for w in properties):
            verdict = _verdict(claim, core, scope, visited, replayer, seconds)
            configuration = core.configuration
            on_event(Event("verdict", configuration.game, configuration.players, verdict=verdict))
            result.append(verdict)
    return result


def visit(core: Core, claims: Claims, limits: Limits, on_event: OnEvent) -> Visited:
    """All states within the limits, and what they say of the claims."""
    game = watched(core)
    engine = PythonEngine(game)
    configuration = core.configuration

    def progress(so_far: Exploration) -> bool:
        text = "visiting every position"
        on_event(Event("stage", configuration.game, configuration.players, text, so_far.states))
        return True

    names, asked = _questions(core, claims)
    bounds = ExplorerLimits(limits.scope_states, limits.scope_seconds)
    exploration = explore(game, asked, limits=bounds, progress=progress, engine=engine)
    visited = Visited(exploration)
    found = {**exploration.broken, **exploration.reached}
    for property_name, where in found.items():
        visited.plays.setdefault(names[property_name], _without_heads(game, where.play))
    for stumble in exploration.faults:
        claim = claim_of_fault(claims, stumble.fault)
        visited.plays.setdefault(claim, _without_heads(game, stumble.play))
    visited.reached = frozenset(names[n] for n in exploration.reached)
    if exploration.finished and not exploration.faults:
        visited.looked_for_cycles = True
        waiting, cycle = _cycle(game, engine)
        visited.states = waiting if cycle is None else exploration.states
        visited.endless = None if cycle is None else _without_heads(game, cycle)
    return visited


def _questions(core: Core, claims: Claims) -> tuple[dict[str, str], list[Property]]:
    """The properties to ask in each state, by unique names, with the claims that they are about."""
    names = {"": ""}
    asked = [Property("invariant", "", "", TRUE)]  # the explorer wants at least one
    waits = Compare("!=", Read(HEAD), Const(-1))
    for claim in claims.all.values():
        if claim.property is not None:
            condition = claim.property.condition
            if claim.kind in ALWAYS:
                condition = Or((waits, condition))
            names[claim.name] = claim.name
            asked.append(replace(claim.property, name=claim.name, condition=condition))
    for block, number in heads(core).items():
        loop = core.block[block].loop
        for part, kept in enumerate(loop.keeps if loop else ()):
            name = f"{AT_HEADS}{number} {part}"
            elsewhere = Compare("!=", Read(HEAD), Const(number))
            names[name] = claims.kept(block)
            asked.append(Property("invariant", name, "", Or((elsewhere, kept))))
    return names, asked


def _without_heads(game: Core, play: Sequence[Taken]) -> tuple[tuple[int, ...], ...]:
    """The steps of the game itself. Waits at heads are the chances that decide for -1 of `HEAD`."""
    engine = PythonEngine(game)
    record = engine.start()
    steps: list[tuple[int, ...]] = []
    for step in play:
        end = game.blocks[record[-1]].end
        if not (isinstance(end, Chance) and end.slot == HEAD):
            steps.append(step if isinstance(step, tuple) else (step,))
        try:
            _take(engine, record, step)
        except Fault:
            break
    return tuple(steps)


def _take(engine: PythonEngine, record: Record, step: Taken) -> None:
    if isinstance(step, tuple):
        engine.play(record, step)
    else:
        engine.happen(record, step)


def _cycle(game: Core, engine: PythonEngine) -> tuple[int, tuple[Taken, ...] | None]:
    """The number of waiting states, and a play that comes back to one it has passed (depth first)."""
    packing = Packing(game)
    opening = engine.start()
    open_states = {packing.pack(opening)}
    done: set[bytes] = set()
    path: list[tuple[Record, list[Taken]]] = [(opening, _steps(engine, opening))]
    taken: list[Taken] = []
    waiting = 0
    while path:
        record, rest = path[-1]
        if not rest:
            path.pop()
            if taken:
                taken.pop()
            packed = packing.pack(record)
            open_states.discard(packed)
            done.add(packed)
            waiting += record[-2] == -1
            continue
        step = rest.pop()
        after = list(record)
        _take(engine, after, step)
        packed = packing.pack(after)
        if packed in open_states:
            return waiting, (*taken, step)
        if packed not in done:
            open_states.add(packed)
            taken.append(step)
            path.append((after, _steps(engine, after)))
    return waiting, None


def _steps(engine: PythonEngine, record: Record) -> list[Taken]:
    match engine.kind(record):
        case "choice":
            return list(engine.moves(record))
        case "chance":
            return [outcome for outcome, _ in engine.outcomes(record)]
        case _:
            return []


def _verdict(
    claim: Claim, core: Core, scope: str, visited: Visited, replayer: Replayer, seconds: float
) -> Verdict:
    base = of(
        core.configuration,
        property=claim.name,
        kind=claim.kind,
        verdict="unknown",
        method="every position visited",
        seconds=seconds,
        title=claim.title,
        origin=claim.origin,
        scope=scope,
    )
    for name in (claim.name, *claim.parts):
        if name in visited.plays:
            return _shown(claim, name, base, visited, replayer)
    if claim.kind in ("loop", "end"):
        return _ends(claim, base, visited, replayer)
    if claim.kind == "reachable" and visited.exploration.finished:
        return replace(base, verdict="refuted", reason="it holds in no position of this scope")
    if visited.exploration.finished and not visited.exploration.faults:
        return replace(base, verdict="exhaustive", count=visited.states)
    if visited.exploration.finished:
        return replace(base, verdict="exhaustive", count=visited.exploration.states)
    return _unfinished(base, visited)


def _unfinished(base: Verdict, visited: Visited) -> Verdict:
    """Every play of fewer steps than the depth come to was looked at."""
    exploration = visited.exploration
    reason = f"stopped by the limit on {exploration.stopped} after {exploration.states} positions"
    if base.kind == "reachable" or exploration.depth < 1:
        return replace(base, reason=reason)
    return replace(base, verdict="bounded", count=exploration.depth, reason=reason)


def _ends(claim: Claim, base: Verdict, visited: Visited, replayer: Replayer) -> Verdict:
    if not visited.looked_for_cycles:
        reason = "a play breaks off" if visited.exploration.faults else "not every position was visited"
        return replace(base, reason=reason)
    if visited.endless is None:
        return replace(base, verdict="exhaustive", count=visited.states)
    if claim.kind == "loop":
        return replace(base, reason="some play can go on for ever")
    steps = visited.endless
    text = "the game comes back to where it was"
    play = Play(tuple(replayer.told(steps)), text, "", shortest=False)
    return replace(base, verdict="refuted", play=play, reason=text)


def _shown(claim: Claim, name: str, base: Verdict, visited: Visited, replayer: Replayer) -> Verdict:
    steps = visited.plays[name]
    play = replayer.confirm(Broken(name, len(steps)), steps)
    if play is None:
        return replace(base, reason="a play was found that the interpreter does not confirm")
    play = replace(play, shortest=True)
    verdict = "proved" if claim.kind == "reachable" else "refuted"
    return replace(base, verdict=verdict, play=play, reason=play.conjunct)
