"""A rulebook and OpenSpiel's game of the same name, played side by side under a stated renaming."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyspiel

import rulespec
from rulespec.engine.game import Game
from rulespec.engine.state import State

CLOSE = 1e-12  # of probabilities and returns, which OpenSpiel has as floating point numbers


def same(number: int) -> int:
    return number


@dataclass(frozen=True)
class Twin:
    """`move` and `outcome` say what an action of theirs, and an outcome of their chance, is called here: by
    number or by text. `forgetful`: their information states do not keep the order of what was done.
    `games`: how many are played at random.
    """

    name: str
    theirs: str
    players: int = 2
    variants: tuple[str, ...] = ()
    move: Callable[[int], int | str] = same
    outcome: Callable[[int], int] = same
    forgetful: bool = False
    games: int = 1_000

    def __str__(self) -> str:
        return "-".join([self.name, str(self.players), *self.variants])

    @cached_property
    def ours(self) -> Game:
        return rulespec.load(self.name, players=self.players, variants=self.variants)

    @cached_property
    def game(self) -> Any:
        return pyspiel.load_game(self.theirs)

    def start(self) -> Pair:
        return Pair(self, self.ours.start(0, auto_chance=False), self.game.new_initial_state())


def breakthrough(side: int) -> Callable[[int], str]:
    """Their rows are counted from above, and the first player's pawns are there; ours are below.

    Their action also says whether it takes; that follows.
    """

    def move(action: int) -> str:
        action, _ = divmod(action, 2)
        action, direction = divmod(action, 6)
        row, column = divmod(action, side)
        return f"go {'abcdefgh'[column]}{row + 1} {direction % 3 - 1}"

    return move


def a_die(face: int) -> int:
    """Their faces are counted from 0."""
    return face + 1


SIX = "breakthrough(rows=6,columns=6)"


def goofspiel(cards: int) -> str:
    return f"goofspiel(num_cards={cards},points_order=descending,returns_type=win_loss)"


SMALL = (
    Twin("kuhn_poker", "kuhn_poker"),
    Twin("kuhn_poker", "kuhn_poker(players=3)", 3),
    Twin("kuhn_poker", "kuhn_poker(players=4)", 4),
    Twin("leduc_poker", "leduc_poker"),
    Twin("first_sealed_auction", "first_sealed_auction"),
    Twin("goofspiel", goofspiel(3), variants=("three",), forgetful=True),
    Twin("goofspiel", goofspiel(4), variants=("four",), forgetful=True),
)
LARGE = (
    Twin("tic_tac_toe", "tic_tac_toe"),
    Twin("connect_four", "connect_four", games=500),
    Twin("breakthrough", "breakthrough", move=breakthrough(8), games=100),
    Twin(
        "breakthrough", "breakthrough(rows=6,columns=6)", variants=("small",), move=breakthrough(6), games=200
    ),
    Twin("kuhn_poker", "kuhn_poker(players=5)", 5),
    Twin("first_sealed_auction", "first_sealed_auction(players=3)", 3),
    Twin("first_sealed_auction", "first_sealed_auction(players=4)", 4),
    Twin("liars_dice", "liars_dice", outcome=a_die),
    Twin("goofspiel", goofspiel(5), variants=("five",), forgetful=True),
    Twin("goofspiel", goofspiel(8), variants=("eight",), forgetful=True),
    Twin("goofspiel", goofspiel(13), forgetful=True, games=500),
)


@dataclass
class Pair:
    """The same play in both. Where theirs asks all at once, ours asks the seats in their order, and `given`
    holds what was answered; `known` is what their information states have been, by seat.
    """

    twin: Twin
    ours: State
    theirs: Any
    given: tuple[int, ...] = ()
    known: dict[int, tuple[object, ...]] = field(default_factory=dict)

    @property
    def seat(self) -> int:
        """Who is asked in theirs."""
        current = self.theirs.current_player()
        return len(self.given) if current == pyspiel.PlayerId.SIMULTANEOUS else int(current)

    def compare(self) -> None:
        """Whose turn it is, what may be done or happen, and how it ends: the same in both."""
        assert self.ours.over == self.theirs.is_terminal(), self.ours.history
        if self.ours.over:
            returns = self.theirs.returns()
            assert all(abs(a - b) < CLOSE for a, b in zip(self.ours.scores, returns, strict=True)), (
                self.ours.history
            )
        elif self.theirs.is_chance_node():
            assert self.ours.kind == "chance", self.ours.history
            chances = {self.twin.outcome(action): p for action, p in self.theirs.chance_outcomes()}
            outcomes = {outcome.number: outcome.probability for outcome in self.ours.chance()}
            assert chances.keys() == outcomes.keys(), self.ours.history
            assert all(abs(chances[number] - p) < CLOSE for number, p in outcomes.items()), self.ours.history
        else:
            assert self.ours.actor == self.seat, self.ours.history
            assert self.ours.secret or not self.theirs.is_simultaneous_node(), self.ours.history
            called = [self.twin.move(action) for action in self.actions()]
            offered = [move.text if isinstance(called[0], str) else move.number for move in self.ours.moves()]
            assert sorted(called, key=str) == sorted(offered, key=str), self.ours.history

    def actions(self) -> list[int]:
        """What may be done or happen in theirs."""
        if self.theirs.is_simultaneous_node():
            return list(self.theirs.legal_actions(self.seat))
        return list(self.theirs.legal_actions())

    def go(self, action: int) -> None:
        """Take a step in both."""
        self.remember(action)
        if self.theirs.is_chance_node():
            self.ours.happen(self.twin.outcome(action))
            self.theirs.apply_action(action)
            return
        self.ours.play(self.twin.move(action))
        if not self.theirs.is_simultaneous_node():
            self.theirs.apply_action(action)
            return
        self.given = (*self.given, action)
        if len(self.given) == self.twin.players:
            self.theirs.apply_actions(list(self.given))
            self.given = ()

    def remember(self, action: int) -> None:
        """What the seat that is asked has known and done, for those whose information states forget it."""
        if self.twin.forgetful and self.ours.kind == "choice":
            before = self.known.get(self.seat, ())
            self.known[self.seat] = (*before, self.their_state(self.seat), action)

    def their_state(self, seat: int) -> str:
        """Their information state. Where all is open and they give none, all know the whole history."""
        if self.twin.game.get_type().provides_information_state_string:
            return str(self.theirs.information_state_string(seat))
        return str(self.theirs.history_str())

    def copy(self) -> Pair:
        return Pair(self.twin, self.ours.copy(), self.theirs.clone(), self.given, dict(self.known))

    def information(self) -> Iterator[tuple[object, object]]:
        """For each seat what it knows here, in ours and in theirs, and who is asked.

        In theirs, what all do at once is one moment; there only who is asked is compared.
        """
        asked = self.seat
        for seat in range(self.twin.players):
            if seat == asked or not self.theirs.is_simultaneous_node():
                text = self.their_state(seat)
                remembered = self.known.get(seat, ()) if self.twin.forgetful else ()
                yield (asked, self.ours.information_state(seat)), (asked, seat, text, remembered)


class Partition:
    """Whether two namings of information states part the plays in the same way."""

    def __init__(self) -> None:
        self._theirs: dict[object, object] = {}
        self._ours: dict[object, object] = {}

    def __len__(self) -> int:
        return len(self._ours)

    def add(self, pair: Pair) -> None:
        """Take up what is known at a choice."""
        for ours, theirs in pair.information():
            assert self._theirs.setdefault(ours, theirs) == theirs, "theirs are told apart, and ours are not"
            assert self._ours.setdefault(theirs, ours) == ours, "ours are told apart, and theirs are not"


def tree(pair: Pair) -> Iterator[Pair]:
    """All that can come of a play, itself first."""
    yield pair
    for action in [] if pair.ours.over else pair.actions():
        child = pair.copy()
        child.go(action)
        yield from tree(child)
