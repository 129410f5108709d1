"""Readings: who asks, what each meaning changes as compiled, and whether a play tells two meanings apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from clicalls import write

from rulespec import api
from rulespec.compiler.core import from_typed
from rulespec.compiler.core.tree import Core
from rulespec.engine.python.stepper import PythonEngine
from rulespec.reference import questions as module
from rulespec.reference.apart import OFFERED, SCORES, TABLE, search
from rulespec.reference.compared import Compiled, Differing, differing
from rulespec.reference.questions import Question, questions

GAME = """
game coins "Coins"
players 2..3
enum Side "a side": heads, tails
piece Token "token" of Side: 3 each in box
currency coin "coins": 5 in bank unless reading bank is endless
param most: Int = 2 if reading greed is high else 1
reading bank "Can the bank run out?":
    limited "yes" default
    endless "no"
reading greed "How many may be taken?":
    low "one" default
    high "two"
reading paper "Does the paper matter?":
    no_matter "no" default
    matters "yes"
reading late "Is the third one paid?":
    never "no" default
    always "yes"
reading settled "Is this settled?":
    settled_so "yes" default
reading proof "Is this only claimed?":
    weak "no" default
    strong "yes"
reading tie "What breaks ties?":
    nothing_does "nothing" default
    tokens "tokens"
variant long "Long":
    most = 2
state:
    box: Bag[Token]
    out: Bag[Token]
    per player:
        purse: coin in 0..20
        points: points in 0..9
rule setup:
    for p in players:
        pay 1 from bank to p.purse
function reward() -> coin = 1 if reading greed is high else 2
rule turn(p: Player) "A turn":
    p chooses:
        take n: Int in 1..most when n <= box[heads] "takes {n}":
            move n heads from box to out
            pay up to reward() from bank to p.purse
        rest "rests":
            nothing
rule play "Playing":
    for round in 1..2:
        for p in players:
            turn(p)
    for p in players:
        if reading late is always and size(players) = 3 and p.purse = 1:
            score 1 to p
    if variant long:
        for p in players:
            score 1 to p
ranking "Most" for p: p.purse if reading tie is nothing_does else p.purse + 1
invariant little: bank <= 5 or reading proof is weak
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> api.Book:
    return api.open_rulebook(write(tmp_path_factory.mktemp("coins") / "coins.rules", GAME))


@pytest.fixture(scope="module")
def asked(book: api.Book) -> dict[str, Question]:
    assert book.checked is not None
    assert book.checked.rulebook is not None, [d.message for d in book.diagnostics]
    found = questions(book.checked.rulebook, book.checked.documents, 2)
    return {each.reading.name: each for each in found}


def _cores(book: api.Book, players: int, **readings: str) -> tuple[Core, Core]:
    assert book.checked is not None
    assert book.checked.rulebook is not None
    made = [
        from_typed.compile(book.checked.rulebook, book.configuration(players=players, readings=chosen))[0]
        for chosen in ({}, readings)
    ]
    assert made[0] is not None
    assert made[1] is not None
    return made[0], made[1]


def _compiled(book: api.Book, players: int, **readings: str) -> tuple[Compiled, Compiled]:
    one, other = _cores(book, players, **readings)
    return Compiled(one), Compiled(other)


def _engines(book: api.Book, players: int, **readings: str) -> tuple[PythonEngine, PythonEngine]:
    one, other = _cores(book, players, **readings)
    return PythonEngine(one), PythonEngine(other)


def test_who_asks_and_what_goes_by_it(book: api.Book, asked: dict[str, Question]) -> None:
    greed = asked["greed"]
    assert [(ask.sort, ask.name, ask.meaning) for ask in greed.asks] == [
        ("param", "most", "high"),
        ("function", "reward", "high"),
    ]
    assert greed.by_way == ("turn",)
    late = asked["late"].asks
    lines = GAME.splitlines()
    assert [lines[ask.part.line - 1].strip() for ask in late] == [
        "if reading late is always and size(players) = 3 and p.purse = 1:"
    ]
    assert asked["paper"].asks == ()
    assert [ask.sort for ask in asked["bank"].asks] == ["currency"]


def test_a_question_with_one_meaning_is_no_choice(asked: dict[str, Question]) -> None:
    assert not asked["settled"].is_open
    assert asked["settled"].meant == ()


def test_meanings_that_no_rule_asks_for_are_one_game(asked: dict[str, Question]) -> None:
    (meant,) = asked["paper"].meant
    assert meant.one_game
    assert meant.plays == 0
    assert {each.differing for each in meant.compared} == {Differing()}


def test_what_is_only_claimed_cannot_show_in_play(asked: dict[str, Question]) -> None:
    (meant,) = asked["proof"].meant
    assert meant.one_game
    assert {each.differing.claims for each in meant.compared} == {("little",)}


def test_what_differs_as_compiled(book: api.Book) -> None:
    found = differing(*_compiled(book, 2, greed="high"))
    assert found.numbers == (("most", 1, 2),)
    assert found.rules == ("turn",)
    assert differing(*_compiled(book, 2, bank="endless")).places == ("bank",)
    assert differing(*_compiled(book, 2, tie="tokens")).ranking
    assert differing(*_compiled(book, 3, late="always")).rules == ("play",)


def test_the_shortest_play_that_shows_it(book: api.Book) -> None:
    found = search(*_engines(book, 2, greed="high"), plays=10, steps=1000).difference
    assert found is not None
    assert (found.what, found.choices, found.moves) == (OFFERED, 0, ())
    assert (found.one, found.other) == (("",), ("take 2",))


def test_money_that_runs_out_shows_in_a_purse_first(book: api.Book) -> None:
    tried = search(*_engines(book, 3, bank="endless"), plays=40, steps=1000)
    assert tried.difference is not None
    assert tried.difference.what == TABLE
    assert tried.difference.one[0].endswith(".purse is 1")
    assert tried.difference.other[0].endswith(".purse is 3")
    assert tried.difference.one[-1] == "bank has 5 less than at the start"
    assert tried.difference.choices == len(tried.difference.moves) == 2


def test_scores_alone_show_at_the_end(book: api.Book) -> None:
    found = search(*_engines(book, 2, tie="tokens"), plays=3, steps=1000).difference
    assert found is not None
    assert found.what == SCORES
    assert found.choices == 4


def test_another_number_of_players_is_tried_where_the_usual_shows_nothing(asked: dict[str, Question]) -> None:
    (meant,) = asked["late"].meant
    assert not meant.one_game
    by_players = {each.players: each for each in meant.compared}
    assert by_players[2].one_game
    assert meant.shown is by_players[3]


def test_what_was_not_found_is_not_said_to_be_nowhere(book: api.Book) -> None:
    tried = search(*_engines(book, 3, late="always"), plays=0, steps=1000)
    assert tried.plays == 0
    assert tried.difference is None


def test_where_there_is_no_time_nothing_is_claimed(
    book: api.Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = search(*_engines(book, 3, late="always"), plays=5, steps=1000, seconds=-1.0)
    assert (tried.plays, tried.difference) == (0, None)
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path))
    monkeypatch.setattr(module, "PATIENCE", -1.0)
    assert book.checked is not None
    assert book.checked.rulebook is not None
    found = questions(book.checked.rulebook, book.checked.documents, 2)
    asked_for = [meant for each in found if each.asks for meant in each.meant]
    assert [meant.compared for meant in asked_for] == [()] * 5
    assert not any(meant.one_game for meant in asked_for)


def test_what_was_found_is_kept_until_the_rules_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))

    def found(text: str) -> tuple[Question, ...]:
        book = api.open_rulebook(write(tmp_path / "coins.rules", text))
        assert book.checked is not None
        assert book.checked.rulebook is not None
        return questions(book.checked.rulebook, book.checked.documents, 2)

    first = [each.meant for each in found(GAME)]
    with monkeypatch.context() as patch:
        patch.setattr(module, "search", None)
        assert [each.meant for each in found(GAME.replace("Does the paper", "Might the paper"))] == first
        with pytest.raises(TypeError):
            found(GAME.replace("in 1..2:", "in 1..3:"))
