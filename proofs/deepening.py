"""All plays of few steps, shortest first: shows that no shorter play breaks a claim, or finds one that does.

Where a claim is about single positions, visiting these does the same at less cost (`exhaustive`); what a loop
does shows only on the way that a play has taken.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from rulespec.proofs.monitors import Broken, Monitor
from rulespec.proofs.plays import Player, Session, Trail

PLAYS = 20_000  # of one length, after which it is given up


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
