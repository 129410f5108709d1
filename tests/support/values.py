"""What games are worth, worked out exactly by visiting every position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

from rulespec.adapters.utility import limits
from rulespec.engine.game import Game
from rulespec.engine.positions import Positions
from rulespec.engine.stepper import Record

Worth = tuple[Fraction, ...]
T = TypeVar("T")


def at_random(game: Game) -> Worth:
    """The expected scores if everybody always makes each legal move with the same probability."""
    return _value(game, lambda _, after: _mean(list(after)))


def at_best(game: Game) -> Worth:
    """The scores if everybody makes a move that is best for them, where all is open: minimax for two."""
    most = max(limits(game.core, "score"))

    def choose(seat: int, after: Iterator[Worth]) -> Worth:
        best = next(after)
        while best[seat] < most and (other := next(after, None)):
            best = max(best, other, key=lambda worth: worth[seat])
        return best

    return _value(game, choose)


def _value(game: Game, choose: Callable[[int, Iterator[Worth]], Worth]) -> Worth:
    stepper, positions = game.stepper, Positions(game.core, game.core.ranking)
    found: dict[tuple[int, ...], Worth] = {}

    def of(record: Record) -> Worth:
        positions.settle(record)
        key = tuple(record)
        if key not in found:
            found[key] = worked_out(record)
        return found[key]

    def worked_out(record: Record) -> Worth:
        match stepper.kind(record):
            case "end":
                return tuple(Fraction(keys[0]) for keys in stepper.scores(record))
            case "chance":
                outcomes = stepper.outcomes(record)
                after = [of(_after(record, stepper.happen, number)) for number, _ in outcomes]
                return _mean(after, [weight for _, weight in outcomes])
        moves = stepper.moves(record)
        return choose(stepper.actor(record), (of(_after(record, stepper.play, move)) for move in moves))

    return of(stepper.start())


def _after(record: Record, step: Callable[[Record, T], None], what: T) -> Record:
    after = list(record)
    step(after, what)
    return after


def _mean(worths: Sequence[Worth], weights: Sequence[int] = ()) -> Worth:
    weights = weights or [1] * len(worths)
    total = sum(weights)
    pairs = list(zip(worths, weights, strict=True))
    nothing = Fraction()
    return tuple(
        sum((worth[seat] * weight for worth, weight in pairs), nothing) / total
        for seat in range(len(worths[0]))
    )
