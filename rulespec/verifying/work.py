"""The jobs: the examples of a rulebook, and one configuration's games and verdicts."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rulespec.proofs.claims import Claim
from rulespec.proofs.verdicts import Event, Verdict, of
from rulespec.verifying.plan import Part
from rulespec.verifying.processes import Tell

if TYPE_CHECKING:
    from rulespec.examples import Ran

GAMES = 8  # played in both engines, for each configuration
GAMES_SECONDS = 10.0
GAME_STEPS = 3000  # after which a game is given up
BETWEEN = 0.1  # seconds between two words on how far it is

AGREEMENT = Claim("both engines play alike", "agreement", "both engines play random games alike")


@dataclass(frozen=True)
class Stage:
    """How far a job is: `done` of `whole` where `whole` is known, else just `done` if there is any."""

    text: str
    done: int = 0
    whole: int = 0


@dataclass(frozen=True)
class ExamplesJob:
    """Carry out all examples of a rulebook that has no errors."""

    game: str

    @property
    def seconds(self) -> None:
        return None

    def do(self, tell: Tell) -> tuple[Ran, ...]:
        # Only one process of several needs the compiler.
        from rulespec import api, examples

        rulebook = examples.own(api.open_rulebook(self.game)).rulebook
        if rulebook is None:
            return ()
        tell_now = _now_and_then(tell)
        ran: list[Ran] = []
        for number, example in enumerate(rulebook.examples):
            tell_now(Stage(example.title or example.name, number, len(rulebook.examples)))
            try:
                ran.append(examples.run(rulebook, example))
            except Exception as error:
                error.add_note(f"running example `{example.name}`")
                raise
        return tuple(ran)


@dataclass(frozen=True)
class PartJob:
    """Play a configuration in both engines, if `games`, and give a verdict on each of its claims.

    Those that are `known` are relied upon where a claim sums up several.
    """

    part: Part
    games: bool
    known: Mapping[str, Verdict] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        return self.part.limits.patience

    def do(self, tell: Tell) -> tuple[Verdict, ...]:
        # Not above: where a lock file spares all work, the solver need not be loaded.
        from rulespec.proofs.evidence import Task
        from rulespec.proofs.verify import run_task

        part, tell_now = self.part, _now_and_then(tell)

        def pass_on(event: Event) -> None:
            if event.kind == "stage":
                tell_now(Stage(event.text, event.done, event.whole))

        try:
            played = (_played(part, tell_now),) if self.games else ()
            task = Task(part.core, part.scope, part.properties, part.limits, part.sources, self.known)
            found = run_task(task, pass_on)
        except Exception as error:
            error.add_note(f"verifying `{part.core.configuration.game}`, {part.label}")
            raise
        return (*played, *(each for each in found if _is_told(each, part)))


def _is_told(verdict: Verdict, part: Part) -> bool:
    """That something can happen is said of the game, not of each small piece of it."""
    if part.scope and verdict.kind == "reachable" and verdict.verdict != "proved":
        return False
    return part.properties is None or verdict.property in part.properties


def _now_and_then(tell: Tell) -> Callable[[Stage], None]:
    """Not more often than anybody can read, but always when something new begins."""
    last, text = 0.0, ""

    def tell_now(stage: Stage) -> None:
        nonlocal last, text
        now = time.monotonic()
        if stage.text != text or now - last > BETWEEN:
            last, text = now, stage.text
            tell(stage)

    return tell_now


def _played(part: Part, tell: Callable[[Stage], None]) -> Verdict:
    """Random games in the interpreter and in generated Python at once, compared at each step."""
    from rulespec.engine.agree import Agreement
    from rulespec.engine.interpreter.stepper import Interpreter
    from rulespec.engine.python.playout import Playout
    from rulespec.engine.python.stepper import PythonEngine

    tell(Stage("playing in both engines", 0, GAMES))
    core = part.core
    agreement = Agreement(Interpreter(core), PythonEngine(core), Playout(core).play, GAME_STEPS)
    began = time.process_time()
    difference = None
    for seed in range(1, GAMES + 1):
        tell(Stage("playing in both engines", seed - 1, GAMES))
        difference = agreement.game(seed)
        if difference is not None or time.process_time() - began > GAMES_SECONDS:
            break
    return of(
        core.configuration,
        property=AGREEMENT.name,
        kind=AGREEMENT.kind,
        verdict="sampled" if difference is None else "refuted",
        method="random games in both",
        seconds=time.process_time() - began,
        count=agreement.games,
        reason="" if difference is None else f"an error in rulespec, not in the rules: {difference}",
        title=AGREEMENT.title,
    )
