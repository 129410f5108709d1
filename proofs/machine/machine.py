"""A Hypothesis state machine for any core: it explores with an eye on what is rare, and shrinks what it
finds.

One rule, `step`, picks what happens next among what is possible; after each step the claims that are watched
are looked at. Seeds are fixed, so that a run can be repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test
from hypothesis.strategies import integers

from rulespec.proofs.monitors import Broken, Monitor
from rulespec.proofs.plays import Player, Session, Trail

MOST = 1 << 16  # picks are drawn below this; small ones come first, and shrinking goes towards them


class Breaks(Exception):
    """A watched claim does not hold."""


@dataclass
class Result:
    """What a run of the machine came to. `trail` and `broken` are those of the smallest failing play."""

    plays: int = 0
    steps: int = 0
    trail: Trail | None = None
    broken: Broken | None = None


def build(player: Player, monitor: Monitor, result: Result) -> type[RuleBasedStateMachine]:
    """The machine of a core; `result` is filled in while it runs."""

    class Play(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.session: Session = player.begin()
            self.looked = 0
            result.plays += 1
            self._look()

        @precondition(lambda self: bool(self.session.possible))
        @rule(number=integers(0, MOST))
        def step(self, number: int) -> None:
            self.session.pick(number % len(self.session.possible))
            result.steps += 1
            self._look()

        @precondition(lambda self: not self.session.possible)
        @rule()
        def over(self) -> None:
            """Nothing is left to pick."""

        def teardown(self) -> None:
            self._report(monitor.look(self.session.trail))

        def _look(self) -> None:
            """At what was passed since the last look; claims about whole plays wait for the end."""
            trail = self.session.trail
            part = Trail(passed=trail.passed[self.looked :], fault=trail.fault)
            self.looked = len(trail.passed)
            for broken in monitor.look(part):
                self._report([Broken(broken.claim, len(trail.steps), broken.text)])

        def _report(self, found: Sequence[Broken]) -> None:
            if found:
                result.trail, result.broken = self.session.trail, found[0]
                raise Breaks(found[0].claim)

    return Play


def run(player: Player, monitor: Monitor, *, examples: int, steps: int) -> Result:
    """Run the machine for so many plays of at most so many steps, until something watched breaks."""
    result = Result()
    machine = build(player, monitor, result)
    options = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        derandomize=True,
        print_blob=False,
        verbosity=Verbosity.quiet,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    with suppress(Breaks), _nothing_left():
        run_state_machine_as_test(machine, settings=options)
    return result


@contextmanager
def _nothing_left() -> Iterator[None]:
    """Hypothesis makes notes of code that it meets, in the folder where a person happens to be."""
    with TemporaryDirectory(prefix="rulespec-", ignore_cleanup_errors=True) as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)
