"""Who plays the other seats: at random, or greedily on nothing but what the seat may see."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Protocol

from rulespec.engine.faults import Fault
from rulespec.engine.moves import Move
from rulespec.engine.rng import pick, pick_move
from rulespec.engine.state import Happened, IllegalMove, Played, State, Step
from rulespec.engine.stepper import RawMove, Record, Stepper
from rulespec.play.live import Live
from rulespec.play.redeal import Redealer

# Steps that the greedy opponent may look at for one move, and how far it follows one game.
BUDGET = 24_000
HORIZON = 400
# What imagining a state counts for, in steps.
DEAL = 100
# Moves that are tried at all, where there are more.
WIDEST = 64
# For games whose single steps are slow; no game should come near it.
SECONDS = 3.0


class Opponent(Protocol):
    """Chooses a legal move of the seat that a state asks."""

    def choose(self, state: State, rng: random.Random) -> Move: ...


def luck(state: State) -> random.Random:
    """What an opponent draws from: of the place in the play alone, so that undo and resume change nothing."""
    return random.Random(f"{state.seed} {len(state.history)}")


class RandomOpponent:
    """Each legal move with equal chance."""

    def choose(self, state: State, rng: random.Random) -> Move:
        return rng.choice(state.moves())


class GreedyOpponent:
    """Takes the move after which random play brings it, on average, furthest ahead of its best rival.

    It looks one move ahead. What it may not see is dealt anew for each game that it imagines, so it cannot
    use it. All moves are tried on the same deals and the same luck; after each round the worse half of them
    is dropped, so that most of the work goes into telling good moves apart. The work is bounded by a count of
    steps, so that the choice follows from the state and `rng` alone, however fast the machine is.
    """

    def __init__(self, stepper: Stepper, budget: int = BUDGET, seconds: float = SECONDS) -> None:
        self.stepper = stepper
        self.budget = budget
        self.seconds = seconds
        self.live = Live(stepper.core)
        self._redealers: dict[int, Redealer] = {}

    def choose(self, state: State, rng: random.Random) -> Move:
        moves = state.moves()
        if len(moves) == 1:
            return moves[0]
        # In random order, so that no place in the list is favored where moves come out the same.
        tried = rng.sample(moves, min(len(moves), WIDEST))
        worlds = _Worlds(self.stepper, state, self._redealer(state), rng)
        until = time.monotonic() + self.seconds
        gains = dict.fromkeys(tried, 0.0)
        rounds = (len(tried) - 1).bit_length()
        for _ in range(rounds):
            left = self.budget // rounds
            while left > 0 and time.monotonic() < until:
                left -= self._try(tried, worlds, rng, gains, until)
            tried = sorted(tried, key=lambda move: -gains[move])[: (len(tried) + 1) // 2]
        return tried[0]

    def _redealer(self, state: State) -> Redealer:
        assert state.actor is not None
        if state.actor not in self._redealers:
            self._redealers[state.actor] = Redealer(state.game.core, state.actor, self.live)
        return self._redealers[state.actor]

    def _try(
        self,
        moves: Sequence[Move],
        worlds: _Worlds,
        rng: random.Random,
        gains: dict[Move, float],
        until: float,
    ) -> int:
        """Try moves in one world with the same luck, and add the leads that they end in; the steps taken."""
        world, draw, spent = worlds.imagine(), rng.random(), DEAL
        if world is None:
            return spent
        found: list[float] = []
        for move in moves:
            try:
                lead, steps = self._follow(world, worlds.raw(world, move), random.Random(draw), worlds.seat)
            except Fault:
                # A deal can be one that no play leads to; then it tells nothing of any move.
                return spent
            spent += steps
            if time.monotonic() > until:
                return spent
            found.append(lead)
        for move, lead in zip(moves, found, strict=True):
            gains[move] += lead
        return spent

    def _follow(self, world: Record, move: RawMove, rng: random.Random, seat: int) -> tuple[float, int]:
        """The lead of the seat at the end of a random game after a move, and the steps that it took."""
        record, steps = list(world), 1
        self.stepper.play(record, move)
        while steps < HORIZON and (kind := self.stepper.kind(record)) != "end":
            if kind == "choice":
                self.stepper.play(record, pick_move(rng, self.stepper.moves(record)))
            else:
                self.stepper.happen(record, pick(rng, self.stepper.outcomes(record)))
            steps += 1
        return _lead(self.stepper.scores(record), seat), steps


def _lead(keys: Sequence[Sequence[int]], seat: int) -> float:
    if not keys[seat]:
        return 0.0
    rivals = [own[0] for other, own in enumerate(keys) if other != seat]
    return float(keys[seat][0] - max(rivals, default=0))


def _before_answers(state: State, redealer: Redealer) -> State:
    """The latest state of the play in which no other seat's secret answer was kept for later."""
    found, twin = state, state.copy()
    while twin.history and redealer.may_hold_answers(twin.record):
        after = len(twin.history)
        try:
            twin.undo()
        except IllegalMove:
            break
        undone = state.history[len(twin.history) : after]
        if any(isinstance(s, Played) and s.secret and s.actor != redealer.seat for s in undone):
            found = twin.copy()
    return found


class _Diverged(Exception):
    """Imagined answers have led elsewhere than the real ones."""


class _Worlds:
    """States of the play that look the same from the seat that is asked."""

    def __init__(self, stepper: Stepper, state: State, redealer: Redealer, rng: random.Random) -> None:
        self.seat = redealer.seat
        self._stepper = stepper
        self._rng = rng
        self._redealer = redealer
        self._game = state.game
        before = _before_answers(state, redealer)
        self._base = before.record
        self._since = state.history[len(before.history) :]
        # A state without its history cannot be followed back to where nobody had answered.
        self._answered = (
            redealer.may_hold_answers(self._base) and not before.history and before.first != stepper.start()
        )

    def imagine(self) -> Record | None:
        """One such state; None when none was found."""
        record = self._redealer.deal(self._base, self._rng, answered=self._answered)
        if record is None:
            return None
        try:
            for step in self._since:
                self._again(record, step)
        except (Fault, _Diverged):
            return None
        return record

    def _again(self, record: Record, step: Step) -> None:
        """Take a step as it was if the seat knows it, else any that may have been."""
        if self._stepper.kind(record) != ("chance" if isinstance(step, Happened) else "choice"):
            raise _Diverged
        match step:
            case Happened(outcome, seen_by) if seen_by in (-1, self.seat):
                if all(number != outcome.number for number, _ in self._stepper.outcomes(record)):
                    raise _Diverged
                self._stepper.happen(record, outcome.number)
            case Happened():
                self._stepper.happen(record, pick(self._rng, self._stepper.outcomes(record)))
            case Played(actor, move, secret) if actor == self.seat or not secret:
                raw = self.raw(record, move)
                if raw not in self._stepper.moves(record):
                    raise _Diverged
                self._stepper.play(record, raw)
            case Played():
                self._stepper.play(record, pick_move(self._rng, self._stepper.moves(record)))

    def raw(self, record: Record, move: Move) -> RawMove:
        """The move as the engine takes it."""
        offered = self._game.encoding.offered(record[-1])
        if move.form not in offered:
            raise _Diverged
        return (offered.index(move.form), *move.values)
