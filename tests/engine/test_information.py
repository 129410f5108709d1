"""What a seat knows: equal texts exactly where it has seen and done the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from samples import sample

from rulespec.compiler.core.tree import Choose
from rulespec.engine.game import Game
from rulespec.engine.information import seen_by
from rulespec.engine.state import Played, State

SAMPLES = ("auction", "duel", "market")
MOST = 1_500  # plays of a game that are compared


def plays(game: Game) -> Iterator[State]:
    """Plays from the start on, the short ones first."""
    left = [game.start(0, auto_chance=False)]
    for state in left:
        yield state
        if len(left) < MOST:
            for move in state.moves():
                left.append(state.copy())
                left[-1].play(move)
            for outcome in state.chance():
                left.append(state.copy())
                left[-1].happen(outcome)


def known(state: State, seat: int) -> object:
    """All that a seat has seen and done, as it is defined, and not as text."""
    sight = seen_by(state.game.core, seat)
    blocks = state.game.core.blocks
    found: list[object] = []
    for point in state.points:
        end = blocks[point.record[-1]].end
        secret = isinstance(end, Choose) and end.secret and point.waiting.actor != seat
        found.append((sight.view(point.record), "secret" if secret else point.record[-1]))
    for step in state.history:
        what = step.move if isinstance(step, Played) else step.outcome.name
        found.append(what if step.is_witnessed(seat) else None)
    return tuple(found)


@pytest.mark.parametrize("name", SAMPLES)
def test_texts_are_equal_exactly_where_a_seat_knows_the_same(name: str) -> None:
    game = Game(sample(name))
    for seat in range(game.players):
        texts: dict[object, str] = {}
        for state in plays(game):
            text = state.information_state(seat)
            assert texts.setdefault(known(state, seat), text) == text
        assert len(set(texts.values())) == len(texts) > 1


@pytest.mark.parametrize("name", SAMPLES)
def test_a_seat_forgets_nothing(name: str) -> None:
    game = Game(sample(name))
    for state in plays(game):
        for seat in (None, *range(game.players)):
            before = state.copy()
            if before.history:
                before.undo()
            assert state.information_state(seat).startswith(before.information_state(seat))


def test_seats_that_do_not_see_a_draw_know_the_same_after_each_outcome() -> None:
    game = Game(sample("duel"))
    first = game.start(0, auto_chance=False)
    branches = [first.copy() for _ in first.chance()]
    for branch, outcome in zip(branches, first.chance(), strict=True):
        branch.happen(outcome)
    texts = [{branch.information_state(seat) for branch in branches} for seat in range(game.players)]
    seers = branches[0].history[-1].is_witnessed
    assert [len(found) for found in texts] == [len(branches) if seers(seat) else 1 for seat in (0, 1)]


def test_chance_by_itself_and_by_hand_are_known_alike() -> None:
    game = Game(sample("market"))
    by_itself = game.start(5)
    by_itself.play("decline")
    by_hand = game.start(5, auto_chance=False)
    for _ in by_itself.history:
        if by_hand.kind == "chance":
            by_hand.resolve()
        elif len(by_hand.history) < len(by_itself.history):
            by_hand.play("decline")
    assert by_hand.history == by_itself.history
    assert by_hand.information_state(0) == by_itself.information_state(0)


def test_branches_and_what_is_taken_back_leave_no_trace() -> None:
    state = Game(sample("auction")).start(0)
    state.play("bid 4")
    before = state.information_state(1)
    branch = state.copy()
    branch.play("pass")
    state.play("bid 6")
    assert branch.information_state(1) != state.information_state(1)
    state.undo()
    branch.undo()
    assert state.information_state(1) == branch.information_state(1) == before


def test_there_is_no_seat_beyond_the_last() -> None:
    state = Game(sample("auction")).start(0)
    with pytest.raises(ValueError, match="there is no seat 3"):
        state.information_state(3)
