"""Shows plays against claims to be shortest, by looking at all that are shorter, as far as there is room.

Where a claim is about single positions, these are visited; what a loop does shows only on the way that a play
has taken, so that there all plays of few steps are carried out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from rulespec.engine.explore import Exploration
from rulespec.proofs.claims import Claims
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.exhaustive import Visited, visit
from rulespec.proofs.monitors import Broken, Monitor
from rulespec.proofs.plays import Player, Session, Trail
from rulespec.proofs.smt.locations import Rounds
from rulespec.proofs.verdicts import Event, Limits, Play

STATES = 200_000  # positions looked at breadth first
SECONDS = 8.0
LOOP_SECONDS = 3.0  # for all shorter plays against one claim on loops
PLAYS = 20_000  # of one length, after which these are given up
# What loops do is not seen in positions; that something can be reached, any play shows.
NOT_HERE = ("loop", "end", "information", "reachable")


@dataclass(frozen=True)
class Shortest:
    """The plays that were found, by claim, which are marked as shortest or give way to shorter ones.

    `left` says how many seconds there are; `stage` is told what is being done.
    """

    claims: Claims
    plays: dict[str, Play]
    replayer: Replayer
    limits: Limits
    left: Callable[[], float]
    stage: Callable[[str], None]
    on_event: Callable[[Event], None]

    def in_positions(self, visited: Visited | None) -> None:
        """Position by position, beginning with what was `visited` before.

        That a loop goes on is not seen in single positions, see `about_loops`.
        """
        lengths = {
            name: len(play.steps)
            for name, play in self.plays.items()
            if not play.shortest and self.claims.all[name].kind not in NOT_HERE
        }
        if visited is not None:
            self._keep(lengths, visited)
        if not lengths or self.left() < 1:
            return
        self.stage("looking for shorter plays")
        seconds = min(SECONDS, self.limits.shrinking, self.left())
        limits = replace(self.limits, scope_states=STATES, scope_seconds=seconds)

        def enough(so_far: Exploration) -> bool:
            known = so_far.broken.keys() | so_far.reached.keys()
            return all(name in known or so_far.depth >= length for name, length in lengths.items())

        self._keep(lengths, visit(self.claims.core, self.claims, limits, self.on_event, enough))

    def about_loops(self, player: Player, rounds: Rounds | None) -> None:
        """Play by play, as far as there are not too many."""
        for name, play in list(self.plays.items()):
            if play.shortest or self.claims.all[name].kind not in ("loop", "end") or self.left() < 1:
                continue
            self.stage("looking for shorter plays")
            monitor = Monitor(self.claims.core, self.claims, (name,), rounds)
            seconds = min(LOOP_SECONDS, self.limits.shrinking, self.left())
            shorter = look_shorter(player, monitor, len(play.steps), seconds)
            if shorter.found is not None:
                trail, broken = shorter.found
                found = self.replayer.confirm(broken, trail.steps)
                if found is not None:
                    self.plays[name] = replace(found, shortest=True)
            elif shorter.exhausted:
                self.plays[name] = replace(play, shortest=True)

    def _keep(self, lengths: dict[str, int], visited: Visited) -> None:
        """Takes out of `lengths` the claims of which the visit shows that no play is shorter."""
        for name, length in list(lengths.items()):
            steps = visited.plays.get(name)
            play = None if steps is None else self.replayer.confirm(Broken(name, len(steps)), steps)
            if play is None and visited.exploration.depth >= length:
                play = self.plays[name]
            if play is not None:
                self.plays[name] = replace(play, shortest=True)
                del lengths[name]


# --- play by play -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shorter:
    """What came of it: `found` is the shortest play that breaks the claim, None where there is none so short.

    `exhausted`: all shorter ones were looked at.
    """

    exhausted: bool
    found: tuple[Trail, Broken] | None = None


def look_shorter(player: Player, monitor: Monitor, steps: int, seconds: float) -> Shorter:
    """All plays of fewer than so many steps, within so many seconds of this process."""
    end = time.process_time() + seconds
    level: list[tuple[int, ...]] = [()]
    for length in range(steps):
        following: list[tuple[int, ...]] = []
        for picks in level:
            if time.process_time() > end or len(following) > PLAYS:
                return Shorter(False)
            session = _played(player, picks)
            broken = next((b for b in monitor.look(session.trail) if b.steps <= length), None)
            if broken is not None:
                return Shorter(True, (session.trail, broken))
            following.extend((*picks, number) for number in range(len(session.possible)))
        level = following
    return Shorter(True)


def _played(player: Player, picks: tuple[int, ...]) -> Session:
    session = player.begin()
    for number in picks:
        session.pick(number)
    return session
