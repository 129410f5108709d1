"""Games and states as people and programs use them."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from samples import changed, sample

from rulespec.engine.faults import Fault
from rulespec.engine.game import Game
from rulespec.engine.interpreter.stepper import initial
from rulespec.engine.observation import changes, slots
from rulespec.engine.saving import SaveError
from rulespec.engine.state import Happened, IllegalMove, Played, State


@pytest.fixture
def auction() -> State:
    return Game(sample("auction")).start(3)


def test_a_game_knows_its_title_players_and_moves() -> None:
    game = Game(sample("auction"))
    assert (game.title, game.players, game.num_moves) == ("Two lots", 3, 11)
    assert [game.decode(n).text for n in (0, 9, 10)] == ["bid 1", "bid 10", "pass"]
    with pytest.raises(ValueError, match="from 0 to 10"):
        game.decode(11)


def test_a_move_has_a_text_a_phrase_and_a_number() -> None:
    state = Game(sample("market")).start(3)
    move = state.moves()[1]
    assert (move.option, move.arguments) == ("take", ("{cloth: 1, salt: 1}", "3"))
    assert move.text == "take {cloth: 1, salt: 1} 3"
    assert move.phrase == "takes {cloth: 1, salt: 1} and pays 3"
    assert state.game.decode(move.number) == move


def test_a_phrase_uses_labels_and_a_text_uses_names() -> None:
    coins = ", ".join(f'c{n} "{n} coins"' for n in range(1, 11))
    declared = f"domain Coins from 1 [{coins}]\n\nslot purse"
    state = Game(changed("auction", "\nslot purse", declared, "of ducat to", "of Coins to")).start(3)
    assert [m.text for m in state.moves()][:2] == ["bid c1", "bid c2"]
    assert [m.phrase for m in state.moves()][:2] == ["bids 1 coins", "bids 2 coins"]


def test_moves_are_played_as_such_by_number_or_by_text(auction: State) -> None:
    auction.play("bid  4")
    auction.play(5)
    auction.play(next(m for m in auction.moves() if m.option == "pass"))
    told = [f"p{s.actor} {s.move.phrase}" for s in auction.history if isinstance(s, Played)]
    assert told == ["p0 bids 4", "p1 bids 6", "p2 passes"]


def test_the_same_option_in_several_choices_is_the_same_move() -> None:
    text = changed("auction", 'option pass ("passes")', 'option leave ("leaves")')
    assert {form.option for form in Game(text).encoding.forms} == {"bid", "leave"}
    assert Game(text).num_moves == Game(sample("auction")).num_moves


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("bid 11", "`bid 11` is not offered to p0 now, did you mean `bid 1`"),
        ("", "`` is not offered to p0 now"),
        (11, "there is no move number 11: they go from 0 to 10"),
        (-1, "there is no move number -1"),
    ],
)
def test_an_illegal_move_is_refused_with_a_reason(auction: State, move: int | str, said: str) -> None:
    before = auction.fingerprint()
    with pytest.raises(IllegalMove, match=said):
        auction.play(move)
    assert (auction.fingerprint(), len(auction.history)) == (before, 1)


def test_a_number_of_a_move_that_is_not_offered_is_named(auction: State) -> None:
    auction.play("bid 4")
    with pytest.raises(IllegalMove, match="`bid 3` is not offered to p1 now"):
        auction.play(2)


def test_chance_is_stepped_by_hand_with_exact_probabilities() -> None:
    state = Game(sample("duel")).start(0, auto_chance=False)
    state.happen("red")
    assert [(o.name, o.probability) for o in state.chance()] == [
        ("red", Fraction(1, 4)),
        ("white", Fraction(3, 8)),
        ("green", Fraction(3, 8)),
    ]
    assert state.actor is None
    assert state.moves() == []
    with pytest.raises(IllegalMove, match="chance decides here"):
        state.play(0)
    with pytest.raises(IllegalMove, match="chance cannot decide for blue: it may be red, white, green"):
        state.happen("blue")


def test_resolving_by_hand_is_what_chance_does_by_itself() -> None:
    game = Game(sample("duel"))
    by_hand = game.start(7, auto_chance=False)
    while by_hand.kind == "chance":
        by_hand.resolve()
    assert by_hand.history == game.start(7).history


def test_different_seeds_differ_and_a_copy_may_take_another() -> None:
    game = Game(sample("duel"))
    assert len({game.start(seed).fingerprint() for seed in range(20)}) > 10
    state = game.start(0, auto_chance=False)
    futures = set()
    for seed in range(20):
        twin = state.copy(seed)
        while twin.kind == "chance":
            twin.resolve()
        futures.add(twin.fingerprint())
    assert len(futures) > 10


def test_undo_takes_back_a_move_with_the_chance_that_followed() -> None:
    state = Game(sample("market")).start(5)
    before = state.record
    state.play("decline")
    assert isinstance(state.history[-1], Happened)
    after = state.record
    state.undo()
    assert state.record == before
    state.play("decline")
    assert state.record == after
    state.undo()
    with pytest.raises(IllegalMove, match="nothing to take back"):
        state.undo()


def test_scores_ranking_and_winners() -> None:
    state = Game(sample("auction")).start(3)
    assert (list(state.scores), list(state.winners)) == ([0, 0, 0], [])
    assert [list(place) for place in state.ranking] == [[0, 1, 2]]
    for text in ("bid 1", "pass", "pass", "pass", "pass", "pass"):
        state.play(text)
    worth = [s.outcome.number for s in state.history if isinstance(s, Happened)]
    assert state.over
    assert state.scores == (worth[0], 0, 0)
    assert state.keys == ((worth[0], 9), (0, 10), (0, 10))
    assert [list(place) for place in state.ranking] == [[0], [1, 2]]
    assert list(state.winners) == [0]
    with pytest.raises(IllegalMove, match="the game is over"):
        state.play("pass")


def test_a_fault_on_the_way_leaves_the_state_as_it_was() -> None:
    state = Game(changed("auction", "high := amount ; auction @rb(7)", "bank := amount * 10")).start(3)
    before = (state.record, state.history, state.moves())
    with pytest.raises(Fault):
        state.play("bid 4")
    assert (state.record, state.history, state.moves()) == before
    state.play("bid 3")
    assert len(state.history) == 2


def test_a_fault_of_chance_that_follows_a_move_takes_the_move_back_too() -> None:
    state = Game(changed("market", "toll := 0\n", "toll := day * 2\n")).start(5)
    for _ in range(2):
        before = (state.record, state.history)
        try:
            state.play("decline")
        except Fault:
            break
    else:
        raise AssertionError("the rules did not fail")
    assert (state.record, state.history) == before


# --- observations -------------------------------------------------------------------------------------------


def test_a_seat_sees_what_is_open_and_its_own_and_sums_of_the_rest() -> None:
    state = Game(sample("duel")).start(3)
    seen = state.observation(0)
    assert seen["asked"] == {"kind": "choice", "actor": 0, "options": ["play"]}
    assert seen["moves"] == [m.number for m in state.moves()]
    assert seen["slots"]["deck"] == {"(total)": 3}
    assert seen["slots"]["hand"]["p1"] == {"(total)": 3}
    assert sum(seen["slots"]["hand"]["p0"].values()) == 3
    assert "drawn" not in seen["slots"]
    other = state.observation(1)
    assert other["asked"] == {"kind": "secret"}
    assert "moves" not in other
    assert json.loads(json.dumps(seen)) == seen


def test_a_secret_answer_is_seen_by_its_seat_alone() -> None:
    state = Game(sample("duel")).start(3)
    state.play(state.moves()[0])
    assert state.observation(0)["slots"]["answer"] == {"p0": "white"}
    assert state.observation(1)["slots"]["answer"] == {"p1": "none"}
    assert "answer" not in state.observation(None)["slots"]


def test_private_money_is_not_even_counted() -> None:
    state = Game(sample("auction")).start(3)
    assert state.observation(1)["slots"]["purse"] == {"p1": 10}
    assert "purse" not in state.observation(None)["slots"]


LAID_OPEN = (
    "slot lots: Int in",
    'slot shown[Player]: Bool in 0..1 "shown" = 0\nslot over: Bool in 0..1 "over" = 0\nslot lots: Int in',
    "    enter sell ; sell @rb(1..3)\n",
    "    shown[1] := 1 ; sell @rb(1)\n",
)


def test_what_is_shown_for_now_is_seen_by_all() -> None:
    one = changed("auction", "in 0..30 private keeps", "in 0..30 private unless shown keeps", *LAID_OPEN)
    state = Game(one).start(3)
    assert state.observation(0)["slots"]["purse"] == {"p0": 10, "p1": 10}
    assert state.observation(None)["slots"]["purse"] == {"p1": 10}
    every = changed("auction", "in 0..30 private keeps", "in 0..30 private unless over keeps", *LAID_OPEN)
    assert Game(every).start(3).observation(0)["slots"]["purse"] == {"p0": 10}
    r = initial(every)
    r[every.offset["over"]] = 1
    before, after = slots(every, initial(every), 0), slots(every, r, 0)
    assert after["purse"] == {"p0": 10, "p1": 10, "p2": 10}
    assert [str(c) for c in changes(every, before, after)] == [
        "purse[p1]: unseen → 10",
        "purse[p2]: unseen → 10",
        "over: false → true",
    ]


def test_what_was_counted_is_seen_by_kind_when_it_is_shown() -> None:
    core = changed(
        "duel",
        "slot round:",
        'slot over: Int in 0..1 "over" = 0\nslot round:',
        "hidden counted keeps Card",
        "hidden counted unless over keeps Card",
    )
    r = initial(core)
    r[core.offset["over"]] = 1
    before, after = slots(core, initial(core), None), slots(core, r, None)
    assert before["deck"] == {"(total)": 9}
    assert sum(after["deck"].values()) == 9
    assert str(changes(core, before, after)[0]) == "deck[red]: unseen → 3"


def test_an_observation_as_text() -> None:
    state = Game(sample("duel")).start(3)
    assert state.observation_text(1) == (
        "deck: 3 in all\nhand[p0]: 3 in all\nhand[p1]: red 2, white 1\nplayed: nothing\n"
        "points: p0 0, p1 0\nround: 0\nwaiting: a secret answer"
    )
    with pytest.raises(ValueError, match="no seat 2"):
        state.observation(2)


# --- bytes and files ----------------------------------------------------------------------------------------


def test_a_state_packs_into_the_fewest_bytes() -> None:
    state = Game(sample("auction")).start(3)
    assert len(state.pack()) == state.game.state_bytes == 18
    assert state.game.unpack(state.pack()).record == state.record


@pytest.mark.parametrize(
    ("packed", "said"),
    [
        (b"", "has 18 bytes, not 0"),
        (b"\xff" * 18, "byte 0 holds 255, above 30"),
        (b"\x00" * 18, "nothing waits"),
    ],
)
def test_bytes_that_are_no_state_are_refused(packed: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Game(sample("auction")).unpack(packed)


def test_a_fingerprint_stays_the_same_forever() -> None:
    assert Game(sample("duel")).start(3).fingerprint() == "01b9f0a4e9887ac8a88aa9ca0e95ef8a"


def test_a_saved_play_goes_on_where_it_was() -> None:
    state = Game(sample("market")).start(5)
    state.play("decline")
    loaded = state.game.from_json(state.to_json())
    assert (loaded.record, loaded.history, loaded.seed) == (state.record, state.history, 5)
    loaded.undo()
    assert len(loaded.history) == 1


def damaged(**changes: object) -> str:
    saved = json.loads(Game(sample("auction")).replay(3, ["bid 2", "pass"]).to_json())
    return json.dumps(saved | changes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "this is not a saved play"),
        (damaged(format="else"), "this is not a saved play"),
        (damaged(version=2), "saved in format 2, this reads format 1"),
        (damaged(game="duel"), "the saved play is of `duel`, not of `auction`"),
        (damaged(players=4), "for 4 players, not for 3"),
        (damaged(rules="0" * 64), "the rules have changed"),
        (damaged(seed="3"), "seed, auto_chance or steps are missing"),
        (damaged(steps=[["chance", 4], ["move", 99]]), "damaged: there is no move number 99"),
        (damaged(steps=[["move", 1]]), "damaged: chance decides here"),
        (damaged(steps=[["dance", 1]]), "a step is neither a move nor chance"),
        (damaged(steps=[["chance", 4], ["move", 3]]), "its steps lead to another state"),
    ],
)
def test_a_save_that_is_damaged_or_of_other_rules_is_refused(text: str, said: str) -> None:
    with pytest.raises(SaveError, match=said):
        Game(sample("auction")).from_json(text)


def test_a_save_of_a_changed_rulebook_is_refused() -> None:
    text = Game(sample("auction")).start(3).to_json()
    other = Game(changed("auction", "worth in 1..6", "worth in 1..5"))
    with pytest.raises(SaveError, match="the rules have changed since the play was saved"):
        other.from_json(text)
