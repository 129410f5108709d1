"""Nobody is shown, and no opponent uses, what a seat may not see.

What a seat does not see is dealt anew; then everything that the seat is shown, or that is chosen for it, must
be as it was.
"""

from __future__ import annotations

import io
import random
from collections.abc import Iterator

import pytest

from rulespec import api
from rulespec.compiler.core.tree import Core
from rulespec.engine.game import Game, random_step
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.state import Happened, Played, State
from rulespec.play import menu
from rulespec.play.events import Event, told
from rulespec.play.live import Live
from rulespec.play.opponents import GreedyOpponent, Opponent, RandomOpponent, luck
from rulespec.play.redeal import Redealer
from rulespec.play.screen import Screen
from rulespec.play.session import Ending, Seating, Session
from rulespec.play.storing import Saved
from rulespec.play.working import Place, Where


@pytest.fixture(scope="module", params=[("il_principe", 3), ("il_principe", 2), ("duel", 2)], ids=str)
def game(request: pytest.FixtureRequest, duel: str) -> Game:
    name, players = request.param
    book = api.open_rulebook(duel if name == "duel" else name)
    core = book.core(book.configuration(players=players))
    return Game(core, PythonEngine(core))


def asked(game: Game, seed: int, number: int) -> Iterator[State]:
    """States in which somebody is asked, from random plays, far apart."""
    rng = random.Random(seed)
    state = game.start(seed, auto_chance=False)
    for _ in range(number):
        for _ in range(rng.randrange(1, 12)):
            if state.over:
                state = game.start(rng.randrange(2**32), auto_chance=False)
            random_step(state, rng)
        while state.actor is None:
            if state.over:
                state = game.start(rng.randrange(2**32), auto_chance=False)
            random_step(state, rng)
        yield state


def alike(game: Game, state: State, seat: int, rng: random.Random) -> State:
    """Another state that looks the same from the seat."""
    record = Redealer(game.core, seat, Live(game.core)).deal(state.record, rng, answered=True)
    assert record is not None
    twin = game.unpack(game.layout.pack(record))
    twin.auto_chance = False
    return twin


def screen_of(game: Game, state: State, seat: int) -> str:
    """All that a person at that seat is shown in a turn, the answers to commands included."""
    out = io.StringIO()
    seats = tuple("me" if each == seat else "random" for each in range(game.players))
    opponents: dict[str, Opponent] = {"random": RandomOpponent(), "greedy": GreedyOpponent(game.stepper, 600)}
    screen = Screen(io.StringIO("rules\nhelp\nhint\nstate\nquit\n"), out)
    keep = Saved("", 0, (), (), seats, "{}")
    session = Session(state, Seating(seats, opponents), screen, lambda _: keep)
    assert session.run() is Ending.QUIT
    return out.getvalue()


def test_what_lies_open_for_now_is_not_dealt_anew() -> None:
    book = api.open_rulebook("il_principe")
    core = book.core(book.configuration(players=3))
    state = next(asked(Game(core, PythonEngine(core)), 4, 1))
    record, rng = list(state.record), random.Random(4)
    at = core.offset["purse"]
    record[at : at + 3] = [4, 7, 1]
    redealer = Redealer(core, 0, Live(core))
    dealt = [redealer.deal(record, rng) for _ in range(20)]
    record[core.offset["money_shown"]] = 1
    shown = [redealer.deal(record, rng) for _ in range(20)]

    assert len({tuple(r[at : at + 3]) for r in dealt if r is not None}) > 1
    assert {tuple(r[at : at + 3]) for r in shown if r is not None} == {(4, 7, 1)}


def test_a_new_deal_looks_the_same_and_loses_nothing(game: Game) -> None:
    rng = random.Random(1)
    different = 0
    for state in asked(game, 1, 30):
        assert state.actor is not None
        twin = alike(game, state, state.actor, rng)

        assert twin.observation(state.actor) == state.observation(state.actor)
        assert amounts(game.core, twin.record) == amounts(game.core, state.record)
        different += twin.record != state.record
    assert different > 15


def amounts(core: Core, record: list[int]) -> dict[str, int]:
    """How much there is of each piece and currency."""
    found: dict[str, int] = {}
    for slot in core.slots:
        if slot.keeps:
            at = core.offset[slot.name]
            found[slot.keeps] = found.get(slot.keeps, 0) + sum(record[at : at + slot.size])
    return found


def test_the_screen_shows_nothing_hidden(game: Game) -> None:
    rng = random.Random(2)
    for state in asked(game, 2, 8):
        assert state.actor is not None
        plain = game.unpack(state.pack())
        plain.auto_chance = False
        twin = alike(game, state, state.actor, rng)

        assert screen_of(game, twin, state.actor) == screen_of(game, plain, state.actor)


def test_the_greedy_opponent_uses_nothing_hidden(game: Game) -> None:
    rng, greedy = random.Random(3), GreedyOpponent(game.stepper, 1_500)
    for state in asked(game, 3, 8):
        assert state.actor is not None
        plain = game.unpack(state.pack())
        twin = alike(game, state, state.actor, rng)

        assert greedy.choose(twin, random.Random(9)) == greedy.choose(plain, random.Random(9))


def test_the_greedy_opponent_does_not_know_secret_answers(duel_core: Core) -> None:
    game = Game(duel_core, PythonEngine(duel_core))
    greedy = GreedyOpponent(game.stepper, 3_000)
    choices = set()
    for card in ("red", "white", "green"):
        state = game.start(1)
        state.play(f"lay {card}")
        choices.add(greedy.choose(state, random.Random(5)).text)

    assert len(choices) == 1


def test_the_greedy_opponent_is_better_than_chance(duel_core: Core) -> None:
    game = Game(duel_core, PythonEngine(duel_core))
    greedy = GreedyOpponent(game.stepper, 2_000)
    leads = []
    for seed in range(12):
        state, rng, seat = game.start(seed), random.Random(seed), seed % 2
        while not state.over:
            who = greedy if state.actor == seat else RandomOpponent()
            state.play(who.choose(state, luck(state) if state.actor == seat else rng))
        leads.append(state.scores[seat] - state.scores[1 - seat])

    assert sum(leads) > 12
    assert sum(lead >= 0 for lead in leads) >= 10


@pytest.mark.parametrize(
    ("seat", "line"), [(0, "p0 lays red"), (1, "p0 answers in secret"), (None, "p0 answers in secret")]
)
def test_a_secret_answer_is_told_to_its_seat_alone(duel_core: Core, seat: int | None, line: str) -> None:
    state = Game(duel_core).start(1)
    state.play("lay red")
    step = state.history[-1]
    assert isinstance(step, Played)
    assert step.secret

    assert told(event(step), ("p0", "p1"), seat) == line


def test_what_chance_decides_is_told_to_those_who_see_it(duel_core: Core) -> None:
    first = Game(duel_core).start(1).history[0]
    assert isinstance(first, Happened)
    assert first.seen_by == 0

    assert told(event(first), ("p0", "p1"), 0) == f"chance: {first.outcome.label}"
    assert told(event(first), ("p0", "p1"), 1) is None
    assert told(event(first), ("p0", "p1"), None) is None


def event(step: Played | Happened) -> Event:
    return Event(step, Where((Place("", None),), "", 0))


def test_every_listed_move_can_be_typed_as_it_is_listed(game: Game) -> None:
    for state in asked(game, 4, 30):
        moves = state.moves()
        for number, entry in enumerate(menu.entries(moves), 1):
            found = menu.read(str(number), moves)
            if len(entry.moves) == 1:
                assert found == menu.read(entry.text, moves) == entry.moves[0]
            else:
                assert found == entry
        assert [move for entry in menu.entries(moves) for move in entry.moves] == moves
        assert all(menu.read(move.text, moves) == move for move in moves)
