"""A play that shows something is carried out again by the interpreter before anybody is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rulespec.compiler.core.tree import Block, Chance, Choose, Core, Enter, Expr, Origin
from rulespec.engine.explain import failing
from rulespec.engine.faults import Fault
from rulespec.engine.interpreter.evaluate import Wrong, evaluate
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.layout import Layout, value_label, value_name
from rulespec.engine.moves import Encoding
from rulespec.engine.stepper import Record
from rulespec.proofs.claims import ALWAYS, Claims
from rulespec.proofs.example import condition_text, example
from rulespec.proofs.monitors import Broken, Monitor, claim_of_fault
from rulespec.proofs.plays import Passed, Place, Trail
from rulespec.proofs.smt.locations import Rounds
from rulespec.proofs.verdicts import Play, Step

SHOWN = 8  # changes listed with a step
THROUGH = 6  # rules listed that a step goes through
CHECKED = ("assert", "requires", "ensures", "enough", "distinct", "limit")


@dataclass
class Replay:
    """One play in the interpreter: its steps in words, the control points passed, and how it ended."""

    steps: list[Step] = field(default_factory=list)
    trail: Trail = field(default_factory=Trail)
    begun: int = 0  # steps, with the one that is being carried out
    play_begins: tuple[int, Record] | None = None  # steps begun and the record when the rule `play` began
    record: Record = field(default_factory=list)
    entered: list[Enter] = field(default_factory=list)  # rules begun since somebody was last asked
    since: set[Passed] = field(default_factory=set)  # heads passed since somebody was last asked
    fault: Fault | None = None


class Replayer:
    """Replays plays of one core and says what they show."""

    def __init__(
        self, core: Core, claims: Claims, rounds: Rounds | None, sources: dict[str, str] | None = None
    ) -> None:
        self.core = core
        self.claims = claims
        self.rounds = rounds
        self.sources = sources or {}
        self._layout = Layout(core)
        self._encoding = Encoding(core)
        self._engine = Interpreter(core, self._watch)
        self._now = Replay()

    def confirm(self, broken: Broken, steps: Sequence[tuple[int, ...]]) -> Play | None:
        """The play in words if it does show what it is said to; None if the interpreter disagrees."""
        replay = self._replay(steps[: broken.steps])
        conjunct = self._shows(broken, replay)
        if conjunct is None:
            return None
        return Play(tuple(replay.steps), conjunct, self._example(broken, replay))

    def shown(self, steps: Sequence[tuple[int, ...]], name: str, title: str, then: str) -> Play:
        """A play in words, and as an example of that name after which `then` holds."""
        replay = self._replay(steps)
        return Play(tuple(replay.steps), "", self._as_example(replay, name, title, then))

    def told(self, steps: Sequence[tuple[int, ...]]) -> list[Step]:
        """The steps of a play in words."""
        return self._replay(steps).steps

    # --- carrying it out -----------------------------------------------------------------------------------

    def _replay(self, steps: Sequence[tuple[int, ...]]) -> Replay:
        self._now = replay = Replay()
        try:
            record = self._engine.start()
            self._wait(record)
            for raw in steps:
                before = list(record)
                told = self._told(record, raw)
                replay.begun += 1
                replay.entered.clear()
                if self._engine.kind(record) == "choice":
                    self._engine.play(record, raw)
                else:
                    self._engine.happen(record, raw[0])
                replay.steps.append(self._changed(told, before, record))
                self._wait(record)
            self._look_ahead(record)
        except Fault as fault:
            replay.fault = replay.trail.fault = fault
            if len(replay.steps) < len(steps):
                replay.steps.append(self._through(told))
        return replay

    def _watch(self, at: Block | Enter, record: Record) -> None:
        if isinstance(at, Enter):
            self._now.entered.append(at)
            if at.rule == "play" and self._now.play_begins is None:
                self._now.play_begins = self._now.begun, list(record)
        elif at.loop is not None:
            passed: Passed = ((at.name, "head"), tuple(record[:-1]))
            self._now.trail.passed.append(passed)
            if passed in self._now.since:
                raise Fault("endless", "nobody is ever asked again", at.origin, at.name)
            self._now.since.add(passed)

    def _wait(self, record: Record) -> None:
        trail = self._now.trail
        place: Place = (self.core.blocks[record[-1]].name, self._engine.kind(record))
        trail.waits.append(len(trail.passed))
        self._now.since.clear()
        trail.passed.append((place, tuple(record[:-1])))
        self._now.record = list(record)

    def _look_ahead(self, record: Record) -> None:
        """What the waiting point itself may stumble over."""
        match self._engine.kind(record):
            case "choice":
                self._engine.actor(record)
                self._engine.moves(record)
            case "chance":
                self._engine.outcomes(record)
            case _:
                self._engine.scores(record)

    # --- in words ------------------------------------------------------------------------------------------

    def _told(self, record: Record, raw: tuple[int, ...]) -> Step:
        """Raises ValueError for a step that is not possible."""
        block = self.core.blocks[record[-1]]
        rule, citation = self._cited(block.origin)
        match block.end:
            case Choose(_, options):
                if raw not in self._engine.moves(record):
                    raise ValueError(f"{raw} is no legal move at {block.name}")
                actor = self._engine.actor(record)
                move = self._encoding.move(record[-1], raw)
                rule, citation = self._cited(options[raw[0]].origin)
                return Step(actor, raw, f"p{actor} {move.phrase}", f"p{actor} {move.text}", rule, citation)
            case Chance(domain=domain):
                outcomes = self._engine.outcomes(record)
                if raw[0] not in (o for o, _ in outcomes):
                    raise ValueError(f"{raw} cannot happen at {block.name}")
                told = f"chance {value_name(domain, raw[0])}" if len(outcomes) > 1 else ""
                return Step(-1, raw, f"chance: {value_label(domain, raw[0])}", told, rule, citation)
        raise ValueError(f"nothing waits at {block.name}")

    def _cited(self, origin: Origin) -> tuple[str, str]:
        info = next((r for r in self.core.rules if r.name == origin.rule), None)
        citation = origin.citation or (info.citation if info else None)
        return (info.title or info.name if info else origin.rule), str(citation) if citation else ""

    def _changed(self, told: Step, before: Record, after: Record) -> Step:
        changes = [
            f"{element} {value_name(element.slot.domain, a)} -> {value_name(element.slot.domain, b)}"
            for element, a, b in self._layout.changes(before[:-1], after[:-1])
            if element.slot.role == "state"
        ]
        if len(changes) > SHOWN:
            changes[SHOWN:] = [f"and {len(changes) - SHOWN} more"]
        return self._through(replace(told, changes=tuple(changes)))

    def _through(self, told: Step) -> Step:
        """With the rules that begin on the way."""
        named = (" ".join(filter(None, self._cited(enter.origin))) for enter in self._now.entered)
        rules = list(dict.fromkeys(named))
        if len(rules) > THROUGH:
            rules[THROUGH:] = [f"and {len(rules) - THROUGH} more"]
        return replace(told, through=tuple(rules))

    # --- what it shows -------------------------------------------------------------------------------------

    def _shows(self, broken: Broken, replay: Replay) -> str | None:
        claim = self.claims.all.get(broken.claim)
        if replay.fault is not None and replay.fault.kind == "endless":
            return str(replay.fault) if claim is not None and claim.kind in ("loop", "end") else None
        if replay.fault is not None:
            named = claim_of_fault(self.claims, replay.fault)
            return f"{replay.fault}{self._unmet(replay)}" if named == broken.claim else None
        if claim is not None and claim.property is not None:
            return self._holds(claim.property.condition, replay.record, claim.kind in ALWAYS)
        if claim is not None and claim.kind == "kept":
            return self._kept(broken.claim, replay)
        monitor = Monitor(self.core, self.claims, (broken.claim,), self.rounds)
        return next((b.text for b in monitor.look(replay.trail)), None)

    def _unmet(self, replay: Replay) -> str:
        """What of a check was not met, where a check was what failed."""
        if replay.fault is None or replay.fault.kind not in CHECKED or self._engine.unmet is None:
            return ""
        condition, names, record = self._engine.unmet
        return f": {failing(self.core, condition, record, names)}"

    def _holds(self, condition: Expr, record: Record, always: bool) -> str | None:
        try:
            value = bool(evaluate(self.core, condition, record, {}))
        except Wrong as wrong:
            return f"it has no value: {wrong.text}" if always else None
        if value is always:
            return None
        return str(failing(self.core, condition, record)) if always else "reached"

    def _kept(self, claim: str, replay: Replay) -> str | None:
        for (block, kind), record in replay.trail.passed:
            loop = self.core.block[block].loop
            if kind != "head" or loop is None or self.claims.kept(block) != claim:
                continue
            for kept in loop.keeps:
                reason = self._holds(kept, [*record, 0], True)
                if reason is not None:
                    return reason
        return None

    def _example(self, broken: Broken, replay: Replay) -> str:
        claim = self.claims.all.get(broken.claim)
        name = "".join(c if c.isalnum() else "_" for c in broken.claim).strip("_").lower()
        title = f"Against: {broken.claim}"
        then = ""
        if claim is not None and claim.property is not None:
            then = condition_text(self.sources, self.core, claim.property.name)
            title = f"{'Shows' if claim.kind == 'reachable' else 'Against'}: {claim.title or broken.claim}"
        return self._as_example(replay, name, title.replace('"', "'"), then)

    def _as_example(self, replay: Replay, name: str, title: str, then: str) -> str:
        if replay.play_begins is None:
            return example(self.core, name, title, "setup", None, replay.steps, then)
        done, record = replay.play_begins
        return example(self.core, name, title, "play", record, replay.steps[done:], then)
