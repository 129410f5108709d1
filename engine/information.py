"""What a seat knows of a play by all that it has seen and done: its information state, as text.

Two plays have the same information state for a seat if at each point where they waited it saw the same, if it
saw the same being done and drawn, and if it did the same itself. What it saw is what `State.observation`
shows, without what only steers the rules. That a step was taken which it does not see, it knows; so do all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rulespec.compiler.core.tree import Choose, Core
from rulespec.engine.layout import value_name
from rulespec.engine.sight import Sight, Veiled, sight
from rulespec.engine.state import Played, Point, State, Step

if TYPE_CHECKING:
    from rulespec.engine.game import Game


class Knowledge:
    """What one seat of a game knows; None is a spectator, who sees what is open."""

    def __init__(self, game: Game, seat: int | None) -> None:
        self._game = game
        self.seat = seat
        self.sight = seen_by(game.core, seat)

    def text(self, state: State) -> str:
        """A line for each point at which the play has waited: what was done, what was new, who was asked.

        Two plays of a game have the same text if and only if they have the same information state.
        """
        points = state.points
        name = "spectator" if self.seat is None else self._game.seat_name(self.seat)
        lines = [f"{name}: {self._line(points[0], None, None)}"]
        for before, step, point in zip(points, state.history, points[1:], strict=False):
            lines.append(self._line(point, before, step))
        return "\n".join(lines)

    def _line(self, point: Point, before: Point | None, step: Step | None) -> str:
        """Of one point and what led to it. Each is worked out once for all states that came by it."""
        known = point.told.get(self)
        if known is None:
            parts = [] if before is None or step is None else [self._done(step), *self._new(before, point)]
            known = point.told[self] = "; ".join([*parts, self._waiting(point)])
        assert isinstance(known, str)
        return known

    def _done(self, step: Step) -> str:
        """A step, as the seat saw it."""
        if not step.is_witnessed(self.seat):
            return "unseen"
        if isinstance(step, Played):
            return f"{self._game.seat_name(step.actor)} {step.move.text}"
        return step.outcome.name

    def _new(self, before: Point, point: Point) -> Iterator[str]:
        """What the seat sees of a point's record that it did not see so at the point before."""
        old, new = before.record, point.record
        for position in self.sight.plain:
            if old[position] != new[position]:
                yield self._element(position, new)
        for veiled in self.sight.veiled:
            was, now = veiled.seen(old), veiled.seen(new)
            if was != now:
                yield from self._veiled(veiled, new)

    def _veiled(self, veiled: Veiled, record: Sequence[int]) -> Iterator[str]:
        if veiled.is_shown(record):
            yield from (self._element(position, record) for position in veiled.positions)
        elif veiled.counted:
            yield f"{self._game.layout.elements[veiled.positions[0]]} and on {veiled.seen(record)} in all"
        else:
            yield f"{self._game.layout.elements[veiled.positions[0]]} and on unseen"

    def _element(self, position: int, record: Sequence[int]) -> str:
        element = self._game.layout.elements[position]
        return f"{element} {value_name(element.slot.domain, record[position])}"

    def _waiting(self, point: Point) -> str:
        block = self._game.core.blocks[point.record[-1]]
        match point.waiting.kind:
            case "choice":
                assert isinstance(block.end, Choose)
                if block.end.secret and point.waiting.actor != self.seat:
                    return "a secret answer"
                return f"{self._game.seat_name(point.waiting.actor)} at {block.name}"
            case "chance":
                return f"chance at {block.name}"
            case _:
                return "over"


def seen_by(core: Core, seat: int | None) -> Sight:
    """What a seat sees of a record, without what only steers the rules."""
    steering = [slot.name for slot in core.slots if slot.role == "control"]
    return sight(core, -1 if seat is None else seat, without=steering)
