"""The extremes of numbers from both sides: proved ceilings and floors, and the best plays found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from rulespec.compiler.core.tree import Core, Expr, Quantity
from rulespec.engine.faults import Fault
from rulespec.engine.interpreter.evaluate import Wrong, evaluate
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.proofs.best import Finder, Goal
from rulespec.proofs.claims import Claims
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.measured import LENGTHS, MOST, counting
from rulespec.proofs.sampled import Search
from rulespec.proofs.samples import Samples
from rulespec.proofs.smt.ceilings import Ceilings, Instance, instances
from rulespec.proofs.smt.houdini import Facts, OutOfTime
from rulespec.proofs.smt.paths import Location, TooMany
from rulespec.proofs.smt.potentials import Potential, Potentials
from rulespec.proofs.smt.prove import WAITING, Prover, Settled
from rulespec.proofs.verdicts import Play

FIRST_PLAYS = 160  # that the proof looks at before it begins, as in `verify`
FIRST_POINTS = 40_000
PACE = 25_000  # steps of plays that count as a second
SEARCHING = 0.3  # the share of the time that is spent on plays
VISITED = 30_000  # positions that are visited to see whether they are all
LEAST_SECONDS = 2.0  # for one potential, if there is so much time left
NOTHING = "no ceiling was found"
SMALL = 40  # control points of a small game
FLOOR, CEILING = -1, 1


@dataclass(frozen=True)
class Target:
    """A quantity, and when it is looked at: `at_end` when the game is over, else whenever somebody waits.

    `said` has the generators (or "") and the expression in the rules language, ("", "") if it is not known.
    """

    quantity: Quantity
    kind: str  # `score bound money counter length asked`
    at_end: bool
    said: tuple[str, str] = ("", "")

    def expr(self, sign: int) -> Expr:
        return self.quantity.most if sign == CEILING else self.quantity.least

    def then(self, value: int) -> str:
        """In the rules language, that it has this value."""
        generators, body = self.said
        if not body:
            return ""
        return f"any {generators}: ({body}) = {value}" if generators else f"({body}) = {value}"


def lengths() -> list[Target]:
    """How long a game takes."""
    return [Target(quantity, "length", at_end=True) for quantity in LENGTHS]


@dataclass
class Side:
    """One end. `how` it was proved: `ranges` of what is read alone, `facts` at the control points, a
    `potential`, `every position`, or "" where nothing is proved (`reason` says why).
    """

    proved: int | None = None
    how: str = ""
    found: int | None = None
    play: Play | None = None
    reason: str = ""

    @property
    def exact(self) -> bool:
        return self.proved is not None and self.proved == self.found

    @property
    def gap(self) -> int | None:
        if self.proved is None or self.found is None:
            return None
        return abs(self.proved - self.found)


@dataclass
class Extremes:
    """What is known of a target. `positions`: so many there are, and each was visited."""

    target: Target
    low: Side = field(default_factory=Side)
    high: Side = field(default_factory=Side)
    positions: int = 0

    def side(self, sign: int) -> Side:
        return self.high if sign == CEILING else self.low

    @property
    def exact(self) -> bool:
        return self.low.exact and self.high.exact


@dataclass(frozen=True)
class Effort:
    """`seconds` of one processor; `seed` decides the plays, `steps` is how long they are together (0: as fits
    the seconds); `question` is for one question to the solver.
    """

    seconds: float = 60.0
    seed: int = 0
    question: float = 5.0
    positions: int = VISITED
    steps: int = 0


Progress = Callable[[str, int, int], None]


def extremes(
    core: Core,
    targets: Sequence[Target],
    effort: Effort,
    progress: Progress = lambda text, done, whole: None,
    stop: Callable[[], bool] = lambda: False,
) -> list[Extremes]:
    """What is known of each target when the time is over, or `stop` says that it is enough."""
    return _Run(core, targets, effort, progress, stop).run()


@dataclass(frozen=True)
class _Task:
    """One end of one target, as a number to be kept down: the greatest, or less the least."""

    place: int
    sign: int
    instances: tuple[Instance, ...]
    where: tuple[Location, ...]


class _Run:
    def __init__(
        self,
        core: Core,
        targets: Sequence[Target],
        effort: Effort,
        progress: Progress,
        stop: Callable[[], bool],
    ) -> None:
        self.plain = core
        self.core = counting(core) if any(t.kind == "length" for t in targets) else core
        self.targets = targets
        self.effort = effort
        self.progress = progress
        self.stop = stop
        self.end = time.process_time() + effort.seconds
        self.result = [Extremes(target) for target in targets]
        self.claims = Claims(self.core)
        self.replayer = Replayer(core, Claims(core), None)

    def late(self) -> bool:
        return time.process_time() > self.end or self.stop()

    def run(self) -> list[Extremes]:
        self._visit([n for n, t in enumerate(self.targets) if t.kind != "length"], self.plain)
        self._visit([n for n, t in enumerate(self.targets) if t.kind == "length"], self.core)
        left = [n for n, found in enumerate(self.result) if not found.positions]
        if left and not self.late():
            self._search(left)
            self._prove(left)
        self.progress("carrying plays out again", 0, 0)
        for found in self.result:
            for side in (found.low, found.high):
                if side.proved is None:
                    side.reason = side.reason or "time ran out before anything was proved"
                    if side.reason == NOTHING and self.late():
                        side.reason = f"{NOTHING} before time ran out"
            self._show(found)
        return self.result

    # --- plays ---------------------------------------------------------------------------------------------

    def _goals(self, places: Sequence[int]) -> list[Goal]:
        targets = [self.targets[place] for place in places]
        return [Goal(t.expr(sign), sign, t.at_end) for t in targets for sign in (FLOOR, CEILING)]

    def _visit(self, places: Sequence[int], core: Core) -> None:
        if not places or self.late():
            return
        self.progress("visiting every position", 0, 0)
        finder = Finder(core, self._goals(places), self.late)
        if finder.visit(self.effort.positions):
            for place in places:
                self.result[place].positions = finder.found.positions
            self._keep(places, finder)

    def _search(self, places: Sequence[int]) -> None:
        finder = Finder(self.core, self._goals(places), self.late)
        steps = self.effort.steps or int(self.effort.seconds * SEARCHING * PACE)
        text = "looking for the best plays"
        finder.search(steps, self.effort.seed, lambda done: self.progress(text, done, steps))
        self._keep(places, finder)

    def _keep(self, places: Sequence[int], finder: Finder) -> None:
        """What was found, where the interpreter says the same."""
        for number, best in enumerate(finder.found.best):
            found = self.result[places[number // 2]]
            sign = (FLOOR, CEILING)[number % 2]
            side = found.side(sign)
            if best is None:
                side.reason = "no play comes to a value"
            elif _value_after(finder.core, best.steps, found.target.expr(sign)) == best.value:
                side.found = best.value
                side.play = Play(tuple(self.replayer.told(best.steps)))
            else:
                side.reason = "a play was found that the interpreter does not confirm"
            if found.positions and side.found is not None:
                side.proved, side.how = side.found, "every position"

    def _show(self, found: Extremes) -> None:
        for sign, word in ((FLOOR, "least"), (CEILING, "most")):
            side = found.side(sign)
            if side.play is not None and side.found is not None:
                name = "".join(c if c.isalnum() else "_" for c in f"{found.target.quantity.name}_{word}")
                title = f"The {word} found of {found.target.quantity.title or found.target.quantity.name}"
                steps = [step.raw for step in side.play.steps]
                then = found.target.then(side.found)
                side.play = self.replayer.shown(steps, name.lower(), title.replace('"', "'"), then)

    # --- proofs --------------------------------------------------------------------------------------------

    def _prove(self, places: Sequence[int]) -> None:
        samples = Samples(self.core)
        self.progress("playing a few games", 0, 0)
        search = Search(self.core, self.claims, self.replayer)
        search.gather(FIRST_PLAYS, FIRST_POINTS, self.effort.seed, samples)
        prover = Prover(
            self.core,
            self.claims,
            samples,
            seconds=self.end - time.process_time(),
            question=self.effort.question,
            progress=self.progress,
            by_contract=False,
        )
        try:
            settled = prover.settle()
        except (TooMany, OutOfTime) as reason:
            text = str(reason) or "time ran out before the facts were settled"
            self._ranges_alone(places, prover, text)
            return
        work = _Work(self, prover, settled)
        tasks = list(work.tasks(places))
        work.under_facts(tasks)
        work.with_potentials(tasks)

    def _ranges_alone(self, places: Sequence[int], prover: Prover, reason: str) -> None:
        """What is read never leaves its range, so that the number does not leave what follows from that."""
        for place in places:
            for sign in (FLOOR, CEILING):
                side = self.result[place].side(sign)
                side.reason = side.reason or reason
                parts = instances(prover.encoder, self.targets[place].expr(sign), sign)
                highs = [part.value.high for part in parts]
                if highs and all(h is not None and h < MOST for h in highs):
                    side.proved, side.how = sign * max(h for h in highs if h is not None), "ranges"


class _Work:
    """The proofs of one run, once the facts are settled."""

    def __init__(self, run: _Run, prover: Prover, settled: Settled) -> None:
        self.run = run
        self.prover = prover
        self.settled = settled
        self.facts: Facts = prover.proof.facts
        self.ceilings = Ceilings(settled.candidates, settled.houdini.steps, prover.solver, run.late)
        self.until = 0.0  # when the potential that is being looked for is given up

    def tasks(self, places: Sequence[int]) -> Iterator[_Task]:
        waiting = [v for v in self.settled.graph.locations if v.kind in WAITING]
        ends = tuple(v for v in waiting if v.kind == "end")
        for place in places:
            target = self.run.targets[place]
            for sign in (CEILING, FLOOR):
                parts = instances(self.prover.encoder, target.expr(sign), sign)
                yield _Task(place, sign, tuple(parts), ends if target.at_end else tuple(waiting))

    def side(self, task: _Task) -> Side:
        return self.run.result[task.place].side(task.sign)

    def under_facts(self, tasks: Sequence[_Task]) -> None:
        for number, task in enumerate(tasks):
            if self.run.late():
                return
            self.run.progress("looking for ceilings", number, len(tasks))
            self._improve(task, "facts")

    def _improve(self, task: _Task, how: str) -> None:
        """Ask what is the most that the facts allow."""
        side = self.side(task)
        most = -MOST if side.found is None else task.sign * side.found
        for part in task.instances:
            found = self.ceilings.of(part, task.where, self.facts, most)
            if found is None:
                late = self.run.late()
                nothing = "time ran out" if late else "nothing shows that it has a value everywhere"
                side.reason = side.reason or nothing
                return
            most = found
        if -MOST < most < MOST:
            ranges = max(part.value.high or 0 for part in task.instances)
            self._state(task, most, "ranges" if how == "facts" and most >= ranges else how)
        else:
            side.reason = side.reason or NOTHING

    def _state(self, task: _Task, most: int, how: str) -> None:
        """It was proved that nothing is greater than `most`; kept if that is news."""
        side = self.side(task)
        if most < MOST - 1 and (side.proved is None or task.sign * side.proved > most):
            side.proved, side.how, side.reason = task.sign * most, how, ""

    # --- potentials ----------------------------------------------------------------------------------------

    def with_potentials(self, tasks: Sequence[_Task]) -> None:
        """Level by level for whatever is not exact, what nothing is proved of first."""
        small = len(self.settled.graph.locations) <= SMALL
        for level in (1, 2, 3) if small else (1, 2):
            wanted = [task for task in tasks if not self.side(task).exact]
            wanted.sort(key=lambda task: self.side(task).proved is not None)
            parts = [part for task in wanted for part in task.instances]
            self.until = self.run.end
            potentials = Potentials(self.prover, self.settled, parts, self.facts, self._late, level)
            for number, task in enumerate(wanted):
                if self.run.late():
                    return
                self.run.progress("looking for potentials", number, len(wanted))
                self._set_clock(len(wanted) - number if self.side(task).proved is not None else 1)
                self._fit(task, potentials)
            if potentials.is_large:
                return

    def _set_clock(self, still: int) -> None:
        """Its share of the time for one of so many that there are still."""
        now = time.process_time()
        share = max(LEAST_SECONDS, (self.run.end - now) / (still + 1))
        self.until = min(self.run.end, now + share)

    def _late(self) -> bool:
        return self.run.stop() or time.process_time() > self.until

    def _fit(self, task: _Task, potentials: Potentials) -> None:
        """A potential brings the ceiling down if it is proved, for each number that the task is about."""
        side = self.side(task)
        below = MOST if side.proved is None else task.sign * side.proved
        most = -MOST
        for part in task.instances:
            if self._holds(task, part, below - 1):
                most = below - 1
                continue
            found = (p.limit for p in potentials.fit(part, task.where, below) if self._learn(p))
            top = next(found, None)
            if top is None or not self._holds(task, part, top):
                return
            most = max(most, top)
        self._state(task, most, "potential")
        self._improve(task, "potential")

    def _holds(self, task: _Task, part: Instance, most: int) -> bool:
        return self.ceilings.holds(part, task.where, self.facts, most)

    def _learn(self, potential: Potential) -> bool:
        """Add to the facts that the sums do not pass what they begin with; whether all of that holds."""
        terms = self.prover.terms
        top = terms.integer(potential.ceiling)
        more: Facts = {
            location: {self.prover.at(location, terms.le(total, top))} - {terms.true}
            for location, total in potential.sums.items()
            if location.kind != "start"
        }
        try:
            whole = self.settled.houdini.extend(self.facts, more)
        except OutOfTime:
            return False
        grown = any(whole[location] != known for location, known in self.facts.items())
        self.facts = whole
        return grown


def _value_after(core: Core, steps: Sequence[tuple[int, ...]], expr: Expr) -> int | None:
    """What the expression comes to in the interpreter after these steps; None where they are not possible."""
    engine = Interpreter(core)
    try:
        record = engine.start()
        for step in steps:
            match engine.kind(record):
                case "choice" if step in engine.moves(record):
                    engine.play(record, step)
                case "chance" if step[0] in (outcome for outcome, _ in engine.outcomes(record)):
                    engine.happen(record, step[0])
                case _:
                    return None
        return evaluate(core, expr, record, {})
    except (Fault, Wrong):
        return None
