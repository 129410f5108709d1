"""The turn structure: who chooses, what, and what follows, as core has it."""

from __future__ import annotations

from pathlib import Path

import pytest
import turns
from golden import Golden

from rulespec import api
from rulespec.reference import pictured, ways
from rulespec.reference.structure import GAME, Structure, structure

SMALL = Path(__file__).parents[1] / "games" / "small"
GOLDEN = Path(__file__).with_name("golden")


def _made(folder: Path, text: str) -> Structure:
    path = folder / "game.rules"
    path.write_text(text, encoding="utf-8")
    book = api.Book(path)
    assert book.all_diagnostics == ()
    return structure(book)


@pytest.mark.parametrize("name", ["fair.rules", "ledger.rules.md", "mix.rules", "cups.rules"])
def test_a_small_game_has_the_pictures_it_had(name: str, golden: Golden) -> None:
    made = structure(api.Book(SMALL / name))
    golden.check(GOLDEN / f"{name.partition('.')[0]}.txt", turns.written(made) + "\n")


@pytest.mark.parametrize("name", ["il_principe", "tic_tac_toe", "leduc_poker"])
def test_a_bundled_game_has_the_pictures_it_had(name: str, golden: Golden) -> None:
    golden.check(GOLDEN / f"{name}.txt", turns.written(structure(api.Book(name))) + "\n")


HEAD = """\
game small "Small"
players 2
state:
    per player:
        points: points in 0..20
rule setup:
    nothing
ranking "Most points" for p: p.points
"""


def test_rules_one_after_the_other_are_not_one_inside_the_other(tmp_path: Path) -> None:
    """Also where nothing is given to them, and both are written out in the steps of the one that calls."""
    made = _made(
        tmp_path,
        HEAD
        + """
rule play:
    for p in players:
        p chooses:
            go "goes":
                first()
                second()
                first()
rule first "The first":
    for p in players:
        score 1 to p
rule second "The second":
    for p in players:
        score 1 to p
""",
    )
    picture = turns.of(made)
    assert "call | The first | first" in picture
    assert picture.count("The first") == 2
    assert picture.count("The second") == 1
    assert "first" not in made.shown


def test_what_a_reading_rules_out_is_not_drawn(tmp_path: Path) -> None:
    text = (
        HEAD
        + """
reading late "Who may be late?":
    nobody "nobody" default
    all_of_them "all"
rule play:
    for p in players:
        if reading late is all_of_them:
            p chooses:
                wait "waits":
                    nothing
        p chooses:
            go when reading late is nobody "goes":
                score 1 to p
            stay when reading late is all_of_them "stays":
                nothing
"""
    )
    picture = turns.of(_made(tmp_path, text))
    assert "goes" in picture
    assert "waits" not in picture
    assert "stays" not in picture
    other = turns.of(
        _made(tmp_path, text.replace(' default\n    all_of_them "all"', '\n    all_of_them "all" default'))
    )
    assert "waits" in other
    assert "goes" not in other


def test_what_the_number_of_players_changes_is_drawn_for_each(tmp_path: Path) -> None:
    made = _made(
        tmp_path,
        HEAD.replace("players 2", "players 2..4")
        + """
rule play:
    for p in players:
        p chooses:
            go "goes":
                score 1 to p
            help when size(players) > 2 "helps":
                score 1 to left of p
""",
    )
    several = made.shown[GAME]
    assert [each.players for each in several] == [(2,), (3, 4)]
    assert ["helps" in turns.written(Structure({GAME: (each,)})) for each in several] == [False, True]


def test_who_chooses_is_followed_back_through_calls(tmp_path: Path) -> None:
    made = _made(
        tmp_path,
        HEAD
        + """
rule play:
    let winner = random player
    ask(winner)
    ask(left of winner)
    for q in players from winner:
        ask(q)
rule ask(p: Player):
    p chooses:
        go "goes":
            score 1 to p
        stay "stays":
            nothing
""",
    )
    (line,) = [line for line in turns.of(made, "ask").splitlines() if "choice" in line]
    assert line == "1 choice | winner or left of winner or each player in turn, from winner"


def test_a_choice_of_all_at_once_is_one_box_and_goes_on_where_all_have_chosen(
    tmp_path: Path, golden: Golden
) -> None:
    made = _made(
        tmp_path,
        HEAD
        + """
rule play:
    for k in 1..3:
        all players p where p.points < 9 may at once:
            bid n: points in 1..2 when p.points + n < 9 "bids {n}":
                score n to p
                lucky(p)
        close()
rule lucky(p: Player) "A lucky throw":
    let n = roll 1d6
    if n = 6:
        score 1 to p
rule close "The end of a turn":
    for p in players:
        score 1 to p
""",
    )
    golden.check(GOLDEN / "at_once.txt", turns.of(made) + "\n")


def test_rules_that_call_others_twice_again_and_again_are_gone_through_once_each(tmp_path: Path) -> None:
    text = f"{HEAD}rule play:\n    for p in players:\n        r0(p)\n"
    for n in range(14):
        text += f'rule r{n}(p: Player) "Rule {n}":\n    r{n + 1}(p)\n    r{n + 1}(left of p)\n'
    text += 'rule r14(p: Player) "Last":\n    p chooses:\n        go "goes":\n            score 1 to p\n'
    made = _made(tmp_path, text)
    assert all(each.picture is not None for several in made.shown.values() for each in several)
    assert turns.of(made, "r3").count("call | Rule 4") == 2


def test_a_very_long_title_is_cut(tmp_path: Path) -> None:
    rules = "rule play:\n    for p in players:\n        ask(p)\n"
    title = f'rule ask(p: Player) "{"long " * 9000}":\n'
    asks = '    p chooses:\n        go "goes":\n            score 1 to p\n'
    text = turns.written(_made(tmp_path, f"{HEAD}{rules}{title}{asks}"))
    assert "long long long" in text
    assert len(text) < 3000


def test_a_rule_with_too_many_ways_through_it_has_a_word_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ways, "MOST_STEPS", 10)
    shown = structure(api.Book("leduc_poker")).shown[GAME]
    assert [each.picture for each in shown] == [None]
    assert shown[0].why == "there is no picture of this: there are too many ways through it"


def test_a_picture_with_too_many_boxes_has_a_word_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictured, "MOST_BOXES", 5)
    shown = structure(api.Book("tic_tac_toe")).shown[GAME]
    assert shown[0].picture is None
    assert "150 boxes" in shown[0].why


def test_what_is_shown_of_a_call_ends_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictured, "MOST_LINES", 2)
    text = turns.written(structure(api.Book("leduc_poker")))
    assert "more: and " in text
