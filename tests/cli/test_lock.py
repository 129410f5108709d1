"""`rulespec.lock`: what the next verification need not find again, and what it has to."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from claimed import FALSE, TRUE, counter
from clicalls import Cli, Said, write
from here import Here
from tiny import TINY, changed

from rulespec import api
from rulespec.cli.exit_code import ExitCode

pytestmark = pytest.mark.usefixtures("in_this_process")

ONE = ("--players", "2", "--no-scopes")


@pytest.fixture
def verify(cli: Cli, tmp_path: Path) -> Cli:
    """Verifies a rulebook given as text, always in the same file."""

    def call(text: str, *args: str) -> Said:
        return cli("verify", write(tmp_path / "tiny.rules", text), "--jobs", "1", "--json", *args)

    return call


def _kept(said: Said) -> dict[str, Any]:
    """The claims whose verdicts come from the lock file, and their days."""
    return {each["property"]: each["locked"] for each in said.json if "locked" in each}


def _tried(said: Said) -> set[str]:
    return {each["property"] for each in said.json if "locked" not in each}


def _lines(folder: Path) -> list[str]:
    return (folder / "rulespec.lock").read_text().splitlines()


def test_unchanged_rules_are_not_tried_again(verify: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    first = verify(TINY)
    assert not _kept(first)

    monkeypatch.delattr(Here, "do")
    second = verify(TINY)
    assert second.status == first.status == ExitCode.FINE
    assert not _tried(second)
    assert [_without(each, "locked") for each in second.json] == first.json
    assert "examples: 1 holds, from the lock file" in second.err


def _without(verdict: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in verdict.items() if key != name}


def test_it_is_said_how_old_verdicts_are(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "tiny.rules", TINY)
    cli("verify", path, "--jobs", "1", *ONE)

    said = cli("verify", path, *ONE)
    number = len(_lines(tmp_path)) - 4  # what it is, the run, the examples, and the whole
    assert f"all {number} verdicts from `rulespec.lock`, found today" in said.out


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"spends {n}"', '"lays down {n}"'),
        ("param share", "# Three, says the leaflet.\n\n\nparam share"),
        ('"Spending" @rb(5)', '"Shopping" @rb(6)'),
        ('"Points cost coins"', '"Nothing for nothing"'),
        ('"Who begins?"', '"Whose turn is first?"'),
    ],
)
def test_prose_makes_no_difference(verify: Cli, old: str, new: str) -> None:
    verify(TINY, *ONE)

    again = verify(changed(old, new), *ONE)
    assert _kept(again)
    assert not _tried(again)
    assert "examples: 1 holds, from the lock file" in again.err
    assert verify(changed(old, new), *ONE, "--locked").status == ExitCode.FINE


def test_each_way_of_playing_has_verdicts_of_its_own(verify: Cli, tmp_path: Path) -> None:
    verify(TINY, *ONE)
    other = verify(TINY, *ONE, "--reading", "first=oldest")

    assert not _kept(other)
    assert not _tried(verify(TINY, *ONE))
    assert not _tried(verify(TINY, *ONE, "--reading", "first=oldest"))
    places = {line.split('"in": "')[1].split('"')[0] for line in _lines(tmp_path) if '"in": "' in line}
    assert places == {"2 players", "2 players, first = oldest"}


def test_rulebooks_in_one_folder_share_the_file(cli: Cli, verify: Cli, tmp_path: Path) -> None:
    verify(TINY, *ONE)
    other = write(tmp_path / "counter.rules", counter(TRUE))
    cli("verify", other, "--jobs", "1", *ONE)

    assert not _tried(verify(TINY, *ONE))
    assert not _tried(cli("verify", other, "--json", *ONE))


def test_one_claim_is_kept_by_itself(verify: Cli) -> None:
    verify(TINY, *ONE, "--property", "thrift")

    assert _kept(verify(TINY, *ONE, "--property", "thrift")).keys() == {"invariant thrift"}
    whole = verify(TINY, *ONE)
    assert _kept(whole).keys() == {"invariant thrift"}
    assert not _tried(verify(TINY, *ONE))


def test_a_play_is_carried_out_again(verify: Cli) -> None:
    false = counter(TRUE, FALSE)
    (before,) = (each for each in verify(false, *ONE).json if each["verdict"] == "refuted")

    (after,) = (each for each in verify(false, *ONE).json if each["verdict"] == "refuted")
    assert _without(after, "locked") == before
    # The play goes on as it did, though the rules are others now.
    other = false.replace("turns < 9", "turns < 8")
    assert "invariant poor" in _kept(verify(other, *ONE))
    # In these it breaks nothing.
    mended = false.replace("p.purse <= 3", "p.purse <= 30")
    assert "invariant poor" in _tried(verify(mended, *ONE))


def test_lines_on_what_is_gone_are_taken_out(verify: Cli, tmp_path: Path) -> None:
    ways = (
        ("--no-scopes",),
        ("--reading", "first=oldest", "--no-scopes"),
        ("--variant", "rich", "--no-scopes"),
    )
    for way in (*ways, ()):
        verify(TINY, "--property", "thrift", *way)
    text = changed("players 2..3", "players 2")
    verify(text.replace("pocket", "purse_of_one").replace("oldest", "eldest_one"), "--property", "thrift")

    places = {line.split('"in": "')[1].split('"')[0] for line in _lines(tmp_path) if '"in": "' in line}
    assert places == {"2 players", "2 players, with rich", "purse_of_one (2 players)"}


# --- by hand and in the way -------------------------------------------------------------------------------


def test_a_line_changed_by_hand_is_found(verify: Cli, tmp_path: Path) -> None:
    false = counter(FALSE)
    verify(false, *ONE)
    lines = _lines(tmp_path)
    (number,) = (n for n, line in enumerate(lines) if '"invariant poor"' in line)
    lines[number] = lines[number].replace('"refuted"', '"proved"', 1)
    (tmp_path / "rulespec.lock").write_text("\n".join(lines))

    told = f"line {number + 1}: it is not as it was written (`invariant poor`, 2 players)"
    locked = verify(false, *ONE, "--locked")
    assert locked.status == ExitCode.PROBLEMS
    assert told in locked.err
    again = verify(false, *ONE)
    assert again.status == ExitCode.PROBLEMS
    assert told in again.err
    assert _tried(again) == {"invariant poor"}
    assert not _tried(verify(false, *ONE))


def test_a_line_taken_out_is_missed(verify: Cli, tmp_path: Path) -> None:
    verify(TINY, *ONE)
    kept = [line for line in _lines(tmp_path) if '"checks of spend"' not in line]
    assert len(kept) == len(_lines(tmp_path)) - 1
    (tmp_path / "rulespec.lock").write_text("\n".join(kept))

    locked = verify(TINY, *ONE, "--locked")
    assert locked.status == ExitCode.PROBLEMS
    assert "`checks of spend`" in locked.err
    assert "checks of spend" in _tried(verify(TINY, *ONE))


@pytest.mark.parametrize("text", ["nonsense\n", "{}\n", "[1]\n", "\x00", '{"mark": 3}\n', "<<<<<<< ours\n"])
def test_whatever_stands_there_is_no_verdict(verify: Cli, tmp_path: Path, text: str) -> None:
    (tmp_path / "rulespec.lock").write_text(text)

    said = verify(TINY, *ONE, "--property", "thrift")
    assert said.status == ExitCode.FINE
    assert "it is not as it was written" in said.err
    assert not _kept(said)


def test_a_file_of_another_version_is_left_alone(verify: Cli, tmp_path: Path) -> None:
    file = tmp_path / "rulespec.lock"
    file.write_text('{"rulespec.lock": 2}\n')

    said = verify(TINY, *ONE)
    assert said.status == ExitCode.USAGE
    assert "was written by another version of rulespec; `--no-lock` leaves it alone" in said.err
    assert file.read_text() == '{"rulespec.lock": 2}\n'


# --- options ------------------------------------------------------------------------------------------------


def test_locked_tries_nothing(verify: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Here, "do")
    said = verify(TINY, *ONE, "--locked")

    assert said.status == ExitCode.PROBLEMS
    assert said.json == []
    assert "the examples of `tiny.rules`: the rules have changed, or they are not there" in said.err
    assert ": the rules have changed\n" not in said.err
    assert "2 players: `both engines play alike`, " in said.err
    assert "the lock file is behind" in said.err


@pytest.mark.parametrize("option", ["--fresh", "--locked"])
def test_without_help_nothing_is_kept(verify: Cli, option: str) -> None:
    said = verify(TINY, "--unaided", option)

    assert said.status == ExitCode.USAGE
    assert "what is found `--unaided` is kept nowhere" in said.err


def test_locked_says_what_is_behind(verify: Cli, tmp_path: Path) -> None:
    verify(TINY, *ONE)
    before = _lines(tmp_path)

    fine = verify(TINY, *ONE, "--locked")
    assert fine.status == ExitCode.FINE
    assert _kept(fine)
    behind = verify(changed("= 3 @rb(2)", "= 2 @rb(2)"), *ONE, "--locked")
    assert behind.status == ExitCode.PROBLEMS
    assert "2 players: `both engines play alike`" in behind.err
    assert ": the rules have changed" in behind.err
    assert _lines(tmp_path) == before


def test_locked_ends_as_the_verdicts_say(verify: Cli) -> None:
    verify(counter(FALSE), *ONE)

    assert verify(counter(FALSE), *ONE, "--locked").status == ExitCode.PROBLEMS
    assert verify(counter(FALSE), *ONE, "--locked").json != []


def test_no_lock_neither_reads_nor_writes(verify: Cli, tmp_path: Path) -> None:
    verify(TINY, *ONE, "--no-lock")
    assert [each.name for each in tmp_path.iterdir()] == ["tiny.rules"]

    verify(TINY, *ONE)
    assert not _kept(verify(TINY, *ONE, "--no-lock"))


def test_fresh_tries_all_again(verify: Cli, tmp_path: Path) -> None:
    verify(TINY, *ONE)
    (tmp_path / "rulespec.lock").write_text(_lines(tmp_path)[0])

    assert not _kept(verify(TINY, *ONE, "--fresh"))
    assert not _kept(verify(TINY, *ONE, "--fresh", "--property", "thrift"))
    assert not _tried(verify(TINY, *ONE))


def test_only_one_way_to_use_it(verify: Cli) -> None:
    assert verify(TINY, "--locked", "--fresh").status == ExitCode.USAGE


def test_a_full_disk_loses_nothing(verify: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verify(TINY, *ONE)
    before = _lines(tmp_path)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    said = verify(TINY, "--players", "3", "--no-scopes")
    assert said.status == ExitCode.FINE
    assert "rulespec.lock` cannot be written: no space left on device; what was found is not kept" in said.err
    assert _tried(said)
    assert _lines(tmp_path) == before


def test_a_folder_that_may_not_be_written_has_its_file_elsewhere(
    verify: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("RULESPEC_CACHE", str(cache))
    monkeypatch.setattr(os, "access", lambda path, mode: False)

    verify(TINY, *ONE)
    assert not (tmp_path / "rulespec.lock").exists()
    assert len(list(cache.glob("locks/*/rulespec.lock"))) == 1
    assert not _tried(verify(TINY, *ONE))
    monkeypatch.setenv("RULESPEC_CACHE", "off")
    assert not _kept(verify(TINY, *ONE))


# --- what depends on what -----------------------------------------------------------------------------------

PARTS = """\
game parts "Two parts"
players 2

state:
    total "what was said": Int in 0..10
    mood "the mood": Int in 0..3
    laughs "laughs": Int in 0..3

rule setup "Setting up":
    mood := 1

rule play "Turns":
    for p in players:
        speak(p)
        listen()
    cheer()

rule speak(p: Player) "Speaking":
    p chooses:
        say n: Int in 1..2 "says {n}":
            total += n
        pass "says nothing":
            nothing

rule listen "Listening":
    if mood < 3:
        mood += 1

rule cheer "Cheering":
    laughs := mood

ranking "Nobody" for p: 0

invariant talk "Not too much": total <= 4
invariant merry "As merry as it gets": mood <= 3 and laughs <= 3
"""
TALK = {
    "invariant talk",
    "range of total",
    "range of the locals of play",
    "range of the locals of the game",
    "choice speak.choice.1 has a move",
    "loop play.loop.1 ends",
}
MOOD = {"invariant merry", "range of mood", "range of laughs"}


def test_after_an_edit_only_what_depends_on_it_is_tried(verify: Cli) -> None:
    before = {each["property"]: each["verdict"] for each in verify(PARTS).json}
    assert set(before.values()) <= {"proved", "exhaustive", "sampled"}

    after = verify(PARTS.replace("mood += 1", "mood := min(mood + 2, 3)"))
    assert _kept(after).keys() == TALK
    assert {each["property"] for each in after.json} == before.keys()
    assert all(each["verdict"] in ("proved", "exhaustive", "sampled") for each in after.json)


def test_what_is_not_tried_again_holds_for_the_next_edit_too(verify: Cli) -> None:
    verify(PARTS)
    verify(PARTS.replace("mood += 1", "mood := min(mood + 2, 3)"))

    assert _kept(verify(PARTS.replace("mood += 1", "mood := 3"))).keys() == TALK
    assert not _tried(verify(PARTS.replace("mood += 1", "mood := 3")))


def test_an_edit_of_what_is_said_is_seen_by_all_that_depends_on_it(verify: Cli) -> None:
    verify(PARTS)

    after = verify(PARTS.replace("in 1..2", "in 1..3"))
    assert _kept(after).keys() == MOOD | {"range of the locals of play", "loop play.loop.1 ends"}
    refuted = {each["property"] for each in after.json if each["verdict"] == "refuted"}
    assert refuted == {"invariant talk"}


def test_where_a_play_may_stumble_all_depends_on_all(verify: Cli) -> None:
    """It may not have come to where another claim does not hold."""
    stumbles = PARTS.replace("min(", "(").replace("    if mood < 3:\n        mood += 1", "    mood += 2")
    assert "refuted" in {each["verdict"] for each in verify(stumbles).json}

    assert not _kept(verify(stumbles.replace("mood += 2", "mood += 1"))).keys() & TALK


@pytest.mark.parametrize("game", api.games())
def test_no_bundled_lock_file_is_behind(cli: Cli, game: str) -> None:
    """Whoever changes the rules of a game verifies them anew, and keeps what was found."""
    said = cli("verify", game, "--locked")

    assert said.status == ExitCode.FINE
    assert "verdicts from `rulespec.lock`" in said.out
