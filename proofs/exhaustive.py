"""Small configurations visited whole: every position, what loops keep too, and whether any play could go on
for ever.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulespec.compiler.core.tree import Compare, Const, Core, Origin, Property, Read
from rulespec.engine.explore import Exploration, Taken, explore
from rulespec.engine.explore import Limits as ExplorerLimits
from rulespec.proofs.assumed import told
from rulespec.proofs.claims import ALWAYS, Claim, Claims
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.information.flow import Flow
from rulespec.proofs.information.search import LeakSearch, Told, remembered
from rulespec.proofs.monitors import Broken, claim_of_fault
from rulespec.proofs.verdicts import Event, Limits, Play, Verdict, of
from rulespec.proofs.watched import noted

OnEvent = Callable[[Event], None]
Steps = tuple[tuple[int, ...], ...]


@dataclass
class Visited:
    """What the visit of all states found. `plays` are those that break or reach something, by claim.

    `breaks_off`: some play stumbles over a fault.
    """

    exploration: Exploration
    plays: dict[str, Steps] = field(default_factory=dict)
    breaks_off: bool = False

    @property
    def states(self) -> int:
        return self.exploration.states

    @property
    def endless(self) -> Steps | None:
        """A play that comes back to where it was."""
        found = self.exploration.endless
        return None if found is None else _steps(found.play)

    @property
    def whole(self) -> bool:
        """Every position was visited, no play breaks off, and none can go on for ever."""
        return self.exploration.finished and not self.breaks_off and self.exploration.endless is None

    def add(self, claim: str, play: Sequence[Taken]) -> None:
        """Keep the play if it is the first one for the claim."""
        self.plays.setdefault(claim, _steps(play))


def _steps(play: Sequence[Taken]) -> Steps:
    return tuple(step if isinstance(step, tuple) else (step,) for step in play)


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
    began = time.process_time()
    visited = visit(core, claims, limits, on_event)
    replayer = Replayer(core, claims, None, dict(sources))
    doubted, told = _compare(core, claims, replayer, limits)
    seconds = (time.process_time() - began) / max(1, len(claims.all))
    result: list[Verdict] = []
    for claim in claims.all.values():
        if properties is None or any(w == claim.kind or w in claim.name for w in properties):
            verdict = _verdict(claim, core, scope, visited, replayer, seconds)
            if claim.kind == "information":
                verdict = _offers(claim, verdict, doubted, told)
            configuration = core.configuration
            on_event(Event("verdict", configuration.game, configuration.players, verdict=verdict))
            result.append(verdict)
    return result


def _compare(core: Core, claims: Claims, replayer: Replayer, limits: Limits) -> tuple[dict[str, str], Told]:
    """The choices whose offers may depend on what is not seen, by claim, and what all positions say."""
    flow = Flow(core)
    doubted = {
        claims.information(b.name): b.name for b in core.blocks if b.kind == "choice" and flow.doubts(b)
    }
    search = LeakSearch(core, doubted.values(), replayer)
    if doubted:
        search.visit(limits.scope_states, limits.scope_seconds)
    return doubted, search.told


def _offers(claim: Claim, base: Verdict, doubted: Mapping[str, str], told: Told) -> Verdict:
    """What is offered reads only what is seen, or else all positions were compared."""
    base = replace(base, verdict="unknown", method="every position compared", count=0, reason="")
    blocks = [doubted[name] for name in (claim.name, *claim.parts) if name in doubted]
    if not blocks:
        return replace(base, verdict="proved", method="flow")
    play = next((told.plays[block] for block in blocks if block in told.plays), None)
    if play is not None:
        return replace(base, verdict="refuted", play=play, method="two plays", reason=play.conjunct)
    lately = next((told.lately[block] for block in blocks if block in told.lately), None)
    if lately is not None:
        return replace(base, reason=remembered(lately))
    if all(told.exhausted(block) for block in blocks):
        return replace(base, verdict="exhaustive", count=told.positions)
    if not told.whole:
        return replace(base, reason=f"only {told.positions} positions were compared")
    return replace(base, reason="positions differ in what was seen before, which does not matter any more")


def visit(
    core: Core,
    claims: Claims,
    limits: Limits,
    on_event: OnEvent,
    enough: Callable[[Exploration], bool] = lambda so_far: False,
) -> Visited:
    """All states within the limits, and what they say of the claims. It stops where `enough` says so."""
    configuration = core.configuration
    began = time.process_time()

    def progress(so_far: Exploration) -> bool:
        text = "visiting every position"
        on_event(Event("stage", configuration.game, configuration.players, text, so_far.states))
        return not enough(so_far)

    visited = Visited(Exploration())
    without: set[str] = set()
    while True:
        game, notes = noted(core, without)
        seconds = limits.scope_seconds - (time.process_time() - began)
        bounds = ExplorerLimits(limits.scope_states, seconds)
        exploration = explore(game, _questions(claims, notes), limits=bounds, progress=progress)
        visited.exploration = exploration
        for name, found in {**exploration.broken, **exploration.reached}.items():
            visited.add(claims.kept(notes[name]) if name in notes else name, found.play)
        # What a loop is said to keep stops no play, even where it has no value.
        unclear = [s for s in exploration.faults if s.fault.block in notes.values()]
        for stumble in unclear:
            visited.add(claims.kept(stumble.fault.block), stumble.play)
            without.add(stumble.fault.block)
        if not unclear:
            break
    for stumble in exploration.faults:
        stated = claims.all.get(stumble.fault.origin.rule) if not stumble.fault.block else None
        if stated is None:
            visited.breaks_off = True
            visited.add(claim_of_fault(claims, stumble.fault), stumble.play)
        elif stated.kind in ALWAYS:
            visited.add(stated.name, stumble.play)
    return visited


def _questions(claims: Claims, notes: Mapping[str, str]) -> list[Property]:
    """The properties to ask in each state, named like the claims or the notes that they are about.

    The origin says which one has no value, should that happen.
    """
    stated = [
        replace(claim.property, name=claim.name, origin=Origin(rule=claim.name))
        for claim in claims.all.values()
        if claim.property is not None
    ]
    noted_ones = [Property("invariant", n, "", Compare("=", Read(n), Const(0))) for n in notes]
    return stated + noted_ones


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
        assumed=told(core, for_any=False),
    )
    for name in (claim.name, *claim.parts):
        if name in visited.plays:
            return _shown(claim, name, base, visited, replayer)
    if claim.kind in ("loop", "end"):
        return _ends(claim, base, visited, replayer)
    if claim.kind == "reachable" and visited.exploration.finished:
        return replace(base, verdict="refuted", reason="it holds in no position of this scope")
    if visited.exploration.finished:
        return replace(base, verdict="exhaustive", count=visited.states)
    return _unfinished(base, visited)


def _unfinished(base: Verdict, visited: Visited) -> Verdict:
    """Every play of fewer steps than the depth come to was looked at."""
    exploration = visited.exploration
    reason = f"stopped by the limit on {exploration.stopped} after {exploration.states} positions"
    if base.kind == "reachable" or exploration.depth < 1:
        return replace(base, reason=reason)
    return replace(base, verdict="bounded", count=exploration.depth, reason=reason)


def _ends(claim: Claim, base: Verdict, visited: Visited, replayer: Replayer) -> Verdict:
    steps = visited.endless
    if visited.whole:
        return replace(base, verdict="exhaustive", count=visited.states)
    if steps is None:
        reason = "a play breaks off" if visited.exploration.finished else "not every position was visited"
        return replace(base, reason=reason)
    if claim.kind == "loop":
        return replace(base, reason="some play can go on for ever")
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
