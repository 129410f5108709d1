"""Play-outs: counted game by game, the same from the same seeds, and kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from clicalls import write
from tiny import TINY, changed

from rulespec import api
from rulespec.compiler.core.print import digest
from rulespec.compiler.core.tree import Core
from rulespec.engine.simulate import simulate
from rulespec.reference import firings
from rulespec.reference.firings import PlayOuts, play_outs
from rulespec.simulation.tally import Tally

GAMES = 30


def _core(folder: Path, text: str = TINY) -> Core:
    book = api.open_rulebook(write(folder / "tiny.rules", text))
    return book.core(book.configuration(players=2))


def _outs(core: Core) -> PlayOuts:
    return play_outs(core, digest(core), GAMES)


def test_counts_are_those_of_a_simulation(tmp_path: Path) -> None:
    core = _core(tmp_path)
    outs, tally = _outs(core), Tally(core)
    for chunk in simulate(core, GAMES, seed=outs.seed):
        tally.add(chunk)
    assert {rule: fired.times for rule, fired in outs.rules.items()} == tally.rules()
    assert {option: fired.times for option, fired in outs.options.items()} == tally.options()
    assert [(g.moves, g.scores, g.winners) for g in outs.games] == [
        (g.decisions, g.scores, g.winners) for g in tally.finished
    ]


def test_a_rule_happens_in_some_games_and_several_times(tmp_path: Path) -> None:
    outs = _outs(_core(tmp_path))
    spend, keep = outs.rules["spend"], outs.options["spend", "keep"]
    assert (outs.times_a_game(spend), outs.share_of_games(spend)) == (2.0, 1.0)
    assert 0 < keep.games < GAMES
    assert keep.games <= keep.times


def test_what_never_happens_is_said(tmp_path: Path) -> None:
    never = 'rule never(p: Player) "Never":\n    score 1 to p\n\nranking'
    text = TINY.replace("ranking", never, 1).replace(
        "            score 1 to p\n",
        "            score 1 to p\n            if n > 4:\n                never(p)\n",
    )
    assert _outs(_core(tmp_path, text)).never == ("never",)


def test_choices_are_counted_over_the_first_games(tmp_path: Path) -> None:
    outs = _outs(_core(tmp_path))
    assert outs.watched == firings.WATCHED
    assert sum(outs.choices.values()) == 2 * outs.watched
    assert set(outs.choices) == {4}  # one to three coins, or none


def test_a_game_that_stumbles_is_counted_with_its_reason(tmp_path: Path) -> None:
    outs = _outs(_core(tmp_path, changed("            score 1 to p\n", "            score 9 to p\n")))
    assert sum(outs.stopped.values()) + len(outs.games) == GAMES
    assert any("points" in reason for reason in outs.stopped)


def test_games_are_kept_until_the_rules_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    core = _core(tmp_path)
    first = play_outs(core, "a hash", GAMES)
    monkeypatch.setattr(firings, "_Playing", None)
    assert play_outs(core, "a hash", GAMES) == first
    with pytest.raises(TypeError):
        play_outs(core, "another hash", GAMES)
