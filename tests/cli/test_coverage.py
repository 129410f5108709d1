"""`rulespec coverage`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clicalls import Cli, Said, write

from rulespec.cli.exit_code import ExitCode

RULES = """\
game harbor "Harbor"
source rb "The leaflet" of 6 lines
players 2 @rb(3)
state:
    per player:
        points: points in 0..9
reading ends "When is it over?" @rb(4):
    once "after one turn" default
rule setup "Setting up" @rb(3):
    nothing
rule play "A turn" @rb(4, 5):
    for p in players:
        score 1 to p
ranking for p @rb(6): p.points
aside:
    heading @rb(1)
"""

LEAFLET = """\
Harbor
Long ago there was a harbor.
Two play.
Each has one turn.
A turn brings a point.
Most points win.
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    return write(tmp_path / "harbor.rules", RULES)


@pytest.fixture
def leaflet(tmp_path: Path) -> Path:
    return write(tmp_path / "leaflet.txt", LEAFLET)


def index_of(rules: Path) -> Path:
    return rules.with_name("harbor.sources.json")


def accounted(rules: Path) -> None:
    write(rules, rules.read_text() + '    flavor "an age" @rb(2)\n')


def test_without_an_index_it_says_how_to_make_one(cli: Cli, rules: Path) -> None:
    said = cli("coverage", rules)

    assert said.status == ExitCode.PROBLEMS
    assert said.out == (
        "rb, The leaflet: there is no index of it\n"
        "    make it from the text: rulespec coverage GAME --source rb=FILE --update\n"
        "\n"
        f"{rules}: no index of `rb`\n"
    )


def test_what_is_left_is_shown_with_its_words(cli: Cli, rules: Path, leaflet: Path) -> None:
    said = cli("coverage", rules, "--source", leaflet)

    assert said.status == ExitCode.PROBLEMS
    assert said.out == (
        "rb, The leaflet: 6 paragraphs\n"
        "    4 cited, 1 set aside (1 heading), 1 not accounted for\n"
        "    line 2: not accounted for (text)\n"
        "        Long ago there was a harbor.\n"
        "\n"
        f"{rules}: 1 paragraph not accounted for, the index has no `rb` yet: add `--update`\n"
    )
    assert not index_of(rules).exists()


def test_the_index_does_without_the_text(cli: Cli, rules: Path, leaflet: Path) -> None:
    first = cli("coverage", rules, "--source", leaflet, "--update")
    leaflet.unlink()
    said = cli("coverage", rules)

    assert first.status == said.status == ExitCode.PROBLEMS
    assert "    line 2: not accounted for (text)\n\n" in said.out
    assert "Long ago" not in said.out + index_of(rules).read_text()


def test_all_is_well_when_each_paragraph_is_accounted_for(cli: Cli, rules: Path, leaflet: Path) -> None:
    accounted(rules)
    said = cli("coverage", rules, "--source", f"rb={leaflet}", "--update")

    assert said.status == ExitCode.FINE
    assert said.out.endswith(
        "    4 cited, 2 set aside (1 heading, 1 flavor), none not accounted for\n\n"
        f"{rules}: all 6 paragraphs of 1 source are accounted for, and the index is written\n"
    )
    assert cli("coverage", rules).status == ExitCode.FINE
    assert cli("coverage", rules, "--source", leaflet).status == ExitCode.FINE


def test_a_source_of_a_game_that_has_none_needs_none(cli: Cli, duel: str) -> None:
    said = cli("coverage", duel)

    assert (said.status, said.out) == (ExitCode.FINE, f"\n{duel}: it names no source\n")


# --- changes -----------------------------------------------------------------------------------------------


def changed(cli: Cli, rules: Path, leaflet: Path, text: str, *options: str) -> Said:
    accounted(rules)
    assert cli("coverage", rules, "--source", leaflet, "--update").status == ExitCode.FINE
    write(leaflet, text)
    return cli("coverage", rules, "--source", leaflet, *options)


def test_what_has_changed_is_told_with_what_needs_another_look(cli: Cli, rules: Path, leaflet: Path) -> None:
    text = LEAFLET.replace("one turn", "two turns").replace("Two play.\n", "").replace("Most", "Bring!\nMost")
    said = changed(cli, rules, leaflet, text)

    assert said.status == ExitCode.PROBLEMS
    assert said.out.split("\n", 2)[2] == (
        f"    `{leaflet}` is not as it was indexed:\n"
        "        line 3 changed: look at players, rule setup\n"
        "            Each has two turns.\n"
        "        line 4 gone: look at reading ends, rule play\n"
        "        line 5 new: Bring!\n"
        "        line 5 now 4, with the same words\n"
        "\n"
        f"{rules}: `rb` has changed\n"
    )


def test_words_that_stand_elsewhere_have_moved(cli: Cli, rules: Path, leaflet: Path) -> None:
    lines = LEAFLET.splitlines(keepends=True)
    said = changed(cli, rules, leaflet, "".join([*lines[:2], *lines[3:], lines[2]]))

    assert said.status == ExitCode.PROBLEMS
    assert "        line 3 moved to line 6: look at players, rule setup\n" in said.out
    assert "        lines 4..6 now 3..5, with the same words\n" in said.out


def test_spaces_make_no_difference(cli: Cli, rules: Path, leaflet: Path) -> None:
    said = changed(cli, rules, leaflet, LEAFLET.replace(" ", "  ").replace("\n", " \r\n"))

    assert said.status == ExitCode.FINE


def test_an_update_tells_the_changes_once_more_and_takes_them(cli: Cli, rules: Path, leaflet: Path) -> None:
    said = changed(cli, rules, leaflet, LEAFLET.replace("one turn", "two turns"), "--update")

    assert said.status == ExitCode.FINE
    assert "line 4 changed: look at reading ends, rule play\n" in said.out
    assert "not as it was" not in cli("coverage", rules, "--source", leaflet).out


def test_a_source_that_has_grown_is_not_as_the_rulebook_says(cli: Cli, rules: Path, leaflet: Path) -> None:
    said = changed(cli, rules, leaflet, LEAFLET + "Play again.\n", "--update")

    assert said.status == ExitCode.PROBLEMS
    assert "    it has 7 lines, and the rulebook says `of 6 lines`\n" in said.out
    assert "    line 7: not accounted for (text)\n        Play again.\n" in said.out
    assert "`rb` is not as long as the rulebook says" in said.out


def test_a_citation_of_part_of_a_paragraph_is_seen_as_such(cli: Cli, rules: Path, tmp_path: Path) -> None:
    accounted(rules)
    write(rules, rules.read_text().replace("ranking for p @rb(6)", "ranking for p"))
    wrapped = LEAFLET.replace("a point.\nMost", "a point and\nmost")
    said = cli("coverage", rules, "--source", write(tmp_path / "a.txt", wrapped))

    assert said.status == ExitCode.PROBLEMS
    assert "2 set aside (1 heading, 1 flavor), 1 in part, none not accounted for" in said.out
    assert (
        "    line 6 of lines 5..6: not accounted for (the rest: rule play)\n        most points win.\n"
        in said.out
    )


def test_a_citation_of_an_empty_line_is_told(cli: Cli, rules: Path, tmp_path: Path) -> None:
    accounted(rules)
    said = cli("coverage", rules, "--source", write(tmp_path / "a.txt", LEAFLET.replace("Two play.", "---")))

    assert said.status == ExitCode.PROBLEMS
    assert "    players cites @rb(3), where nothing stands\n" in said.out
    assert "    rule setup cites @rb(3), where nothing stands\n" in said.out
    assert f"{rules}: 2 citations of nothing, the index has no `rb` yet" in said.out


# --- several sources ---------------------------------------------------------------------------------------

FAQ = "Who begins?\nWhoever is in Genoa.\nWho sails?\n"


@pytest.fixture
def two(rules: Path) -> Path:
    text = rules.read_text().replace(
        "players 2 @rb(3)", 'source faq "Answers" of 3 lines\nplayers 2 @faq(1..3)'
    )
    return write(rules, text.replace("heading @rb(1)", "heading @rb(1..3)"))


def test_several_sources_are_told_apart_by_name(cli: Cli, two: Path, leaflet: Path, tmp_path: Path) -> None:
    faq = write(tmp_path / "faq.txt", FAQ)
    said = cli("coverage", two, "--source", f"faq={faq}", "--source", leaflet, "--update")

    assert (said.status, said.err) == (ExitCode.FINE, "")
    assert said.out.index("rb, The leaflet") < said.out.index("faq, Answers: 3 paragraphs")
    assert said.out.endswith("all 9 paragraphs of 2 sources are accounted for, and the index is written\n")


def test_a_known_source_is_recognized(cli: Cli, two: Path, leaflet: Path, tmp_path: Path) -> None:
    faq = write(tmp_path / "faq.txt", FAQ)
    cli("coverage", two, "--source", f"faq={faq}", "--source", f"rb={leaflet}", "--update")
    write(faq, FAQ.replace("sails", "rows"))
    said = cli("coverage", two, "--source", faq, "--source", leaflet)

    assert said.out.endswith(f"{two}: `faq` has changed\n")
    assert f"`{faq}` is not as it was indexed:\n        line 3 changed: look at players\n" in said.out


def test_one_source_is_updated_and_the_others_stay(
    cli: Cli, two: Path, leaflet: Path, tmp_path: Path
) -> None:
    faq = write(tmp_path / "faq.txt", FAQ)
    cli("coverage", two, "--source", f"faq={faq}", "--source", f"rb={leaflet}", "--update")
    before = json.loads(index_of(two).read_text())["sources"]
    write(faq, FAQ.replace("sails", "rows"))
    cli("coverage", two, "--source", faq, "--update")
    after = json.loads(index_of(two).read_text())["sources"]

    assert after["rb"] == before["rb"]
    assert after["faq"] != before["faq"]


@pytest.mark.parametrize(
    ("sources", "told"),
    [
        (["leaflet.txt"], "which source is"),
        (["rb=leaflet.txt", "rb=faq.txt"], "are both given as `rb`"),
        (["rb=leaflet.txt", "faq=faq.txt", "faq.txt"], "is one file more than there are sources"),
    ],
)
def test_which_source_a_file_is_must_be_clear(
    cli: Cli, two: Path, leaflet: Path, sources: list[str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(leaflet.parent)
    write(leaflet.with_name("faq.txt"), FAQ)
    said = cli("coverage", two, *(arg for source in sources for arg in ("--source", source)))

    assert said.status == ExitCode.USAGE
    assert told in said.err


# --- what cannot be read -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "R0001"), (b"\xff\xfe", "R0004"), (b"x" * 1_000_001, "R0005")],
    ids=["missing", "not UTF-8", "too large"],
)
def test_a_source_that_cannot_be_read_is_told(
    cli: Cli, rules: Path, tmp_path: Path, content: bytes | None, code: str
) -> None:
    file = tmp_path / "bad.txt"
    if content is not None:
        file.write_bytes(content)
    said = cli("coverage", rules, "--source", file, "--update")

    assert said.status == ExitCode.PROBLEMS
    assert f"error[{code}]" in said.err
    assert str(file) in said.err
    assert not index_of(rules).exists()


def test_a_folder_is_no_source(cli: Cli, rules: Path, tmp_path: Path) -> None:
    said = cli("coverage", rules, "--source", tmp_path)

    assert (said.status, "error[R0002]" in said.err) == (ExitCode.PROBLEMS, True)


def test_a_broken_index_is_told_with_advice(cli: Cli, rules: Path) -> None:
    write(index_of(rules), "<<<<<<< mine\n")
    said = cli("coverage", rules)

    assert said.status == ExitCode.PROBLEMS
    assert f"Error: `{index_of(rules)}` is not an index as rulespec writes it" in said.err


def test_an_index_that_cannot_be_written_is_told(cli: Cli, rules: Path, leaflet: Path) -> None:
    index_of(rules).mkdir()
    said = cli("coverage", rules, "--source", leaflet, "--update")

    assert (said.status, "cannot be" in said.err) == (ExitCode.PROBLEMS, True)


def test_a_rulebook_with_errors_shows_them(cli: Cli, tmp_path: Path) -> None:
    said = cli("coverage", write(tmp_path / "a.rules", "game\n"), "--json")

    assert (said.status, said.json) == (ExitCode.PROBLEMS, {})
    assert "error[" in said.err


def test_an_update_needs_a_text(cli: Cli, rules: Path) -> None:
    said = cli("coverage", rules, "--update")

    assert said.status == ExitCode.USAGE
    assert "give them with `--source`" in said.err


def test_nothing_in_a_source_can_steer_a_terminal(cli: Cli, rules: Path, leaflet: Path) -> None:
    write(leaflet, LEAFLET.replace("Long ago", "\x1b]0;gone\x07Long\x9b31m ago\u202e"))
    said = cli("coverage", rules, "--source", leaflet)

    assert "ago" in said.out
    assert all(c.isprintable() or c == "\n" for c in said.out)


# --- for programs ------------------------------------------------------------------------------------------


def test_json_has_everything_but_the_text(cli: Cli, rules: Path, leaflet: Path) -> None:
    said = changed(cli, rules, leaflet, LEAFLET.replace("one turn", "two turns"), "--json")

    assert said.status == ExitCode.PROBLEMS
    assert said.json["good"] is True
    (source,) = said.json["sources"]
    assert {key: source[key] for key in ("name", "title", "lines", "indexed", "open")} == {
        "name": "rb",
        "title": "The leaflet",
        "lines": 6,
        "indexed": True,
        "open": 0,
    }
    reading = {
        "sort": "reading",
        "name": "ends",
        "of": "",
        "title": "When is it over?",
        "file": str(rules),
        "line": 7,
        "whole": True,
        "lines": [[4, 4]],
    }
    fourth = source["paragraphs"][3]
    assert fourth["by"][0] == reading
    assert {key: fourth[key] for key in ("first", "last", "kind", "state", "missing")} == {
        "first": 4,
        "last": 4,
        "kind": "text",
        "state": "cited",
        "missing": [],
    }
    (change,) = source["changes"]["changed"]
    assert change["was"] == change["now"] == {"first": 4, "last": 4, "kind": "text"}
    assert [one["name"] for one in change["by"]] == ["ends", "play"]
    assert "turns" not in said.out
