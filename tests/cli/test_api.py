"""`import rulespec`: rulebooks and games as Python values."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from clicalls import write
from tiny import TINY, changed

import rulespec


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write(tmp_path / "tiny.rules", TINY)


def test_everything_public_is_there_and_said_what_it_is() -> None:
    for name in rulespec.__all__:
        assert getattr(rulespec, name).__doc__, name
    assert set(rulespec.__all__) <= set(dir(rulespec))
    with pytest.raises(AttributeError, match="no attribute 'laod'"):
        rulespec.laod  # noqa: B018


def test_importing_it_imports_nothing_else() -> None:
    code = "import sys, rulespec; print([n for n in sys.modules if n.startswith('rulespec.')])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


@pytest.mark.parametrize("engine", ["python", "interpreter"])
def test_a_game_is_loaded_and_played(tiny: Path, engine: str) -> None:
    game = rulespec.load(tiny, players=3, engine=engine)

    state = game.start(seed=1)
    while not state.over:
        state.play(state.moves()[0])

    assert (game.title, game.players) == ("Tiny", 3)
    assert state.scores == (1, 1, 1)


def test_a_prompt_shows_in_short_what_it_holds(tiny: Path) -> None:
    state = rulespec.load(tiny, players=2, variants=["rich"]).start(seed=0)
    first = state.moves()[0]

    assert repr(state.game) == "<Game tiny, 2 players, rich>"
    assert repr(first) == f"<Move {first.number}: {first.text}>"
    assert repr(state).startswith("<State after 0 steps, waiting: p0 (")


def test_a_configuration_is_chosen(tiny: Path) -> None:
    game = rulespec.load(tiny, players=2, variants=["rich"], readings={"first": "oldest"})

    assert game.start(0).actor == 1
    assert len(game.start(0).moves()) == 6
    assert game.core.configuration.variants == ("rich",)


def test_a_scope_is_a_configuration(tiny: Path) -> None:
    game = rulespec.load(tiny, scope="pocket")

    assert game.players == 2
    assert len(game.start(0).moves()) == 2


def test_loading_twice_gives_the_same_game(tiny: Path) -> None:
    first, second = (rulespec.load(tiny, players=2) for _ in range(2))

    assert first.core == second.core
    assert first.random_play(7).fingerprint() == second.random_play(7).fingerprint()


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({}, "`tiny` is for 2 to 3 players"),
        ({"players": 9}, "`tiny` is for 2 to 3 players, not for 9"),
        ({"players": True}, "not for True"),
        ({"players": 2, "variants": ["rch"]}, "did you mean `rich`?"),
        ({"players": 2, "readings": {"frist": "oldest"}}, "did you mean `first`?"),
        ({"players": 2, "readings": {"first": "oldst"}}, "did you mean `oldest`?"),
        ({"scope": "poket"}, "did you mean `pocket`?"),
        ({"scope": "pocket", "players": 3}, "the scope `pocket` is for 2 players, not for 3"),
    ],
)
def test_what_the_rulebook_does_not_have_is_refused(
    tiny: Path, wanted: dict[str, object], message: str
) -> None:
    with pytest.raises(rulespec.ConfigurationError) as caught:
        rulespec.load(tiny, **wanted)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_an_engine_that_is_not_there_is_refused(tiny: Path) -> None:
    with pytest.raises(ValueError, match="no engine `fast`"):
        rulespec.load(tiny, players=2, engine="fast")


def test_errors_in_rules_are_raised_with_their_diagnostics(tmp_path: Path) -> None:
    path = write(tmp_path / "wrong.rules", changed("score 1 to p", "score 1 to q"))

    with pytest.raises(rulespec.RulesError) as caught:
        rulespec.load(path, players=2)

    assert [each.code for each in caught.value.diagnostics] == ["R0201"]
    assert f"--> {path}:" in str(caught.value)
    assert "score 1 to q" in str(caught.value)


def test_a_rulebook_that_is_not_there_is_an_error_of_its_own() -> None:
    with pytest.raises(rulespec.RulesError, match="there is no game and no file `chess`"):
        rulespec.load("chess", players=2)


def test_an_error_of_one_configuration_is_raised_there(tmp_path: Path) -> None:
    text = changed("in 1..p.purse", "in 1..most").replace(
        "variant rich", "param most: coin = 3\n\nwhen players = 3:\n    most = 1000000\n\nvariant rich"
    )
    path = write(tmp_path / "large.rules", text)

    assert rulespec.load(path, players=2).players == 2
    with pytest.raises(rulespec.RulesError) as caught:
        rulespec.load(path, players=3)
    assert [each.code for each in caught.value.diagnostics] == ["R0511"]


def test_check_gives_all_that_is_wrong(tiny: Path) -> None:
    assert rulespec.check(tiny) == ()
    write(tiny, changed("score 1 to p", "score 1 to q"))
    assert [each.code for each in rulespec.check(tiny)] == ["R0201"]


def test_the_bundled_games_are_listed() -> None:
    assert "il_principe" in rulespec.games()


def test_a_broken_cache_is_no_harm(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setenv("RULESPEC_CACHE", str(kept))
    whole = rulespec.load(tiny, players=2).core
    for path in kept.rglob("*-*"):
        if path.is_file():
            path.write_bytes(b"spoilt")

    assert rulespec.load(tiny, players=2).core == whole
    assert rulespec.check(tiny) == ()


def test_an_entry_with_a_right_mark_and_wrong_content_is_no_harm(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "kept"))
    rulespec.check(tiny)
    whole = rulespec.load(tiny, players=2).core
    from rulespec import cache

    for text in ["", "[]", "{}\n[]", '{}\n{"outline": 1, "diagnostics": []}', "{}\n{}"]:
        for path in (tmp_path / "kept").rglob("*-*"):
            if path.is_file():
                kind, _, name = path.name.partition("-")
                cache.opened().put(kind, name, text)

        assert rulespec.load(tiny, players=2).core == whole
        assert rulespec.check(tiny) == ()
