"""`rulespec play`, typed through from beginning to end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from clicalls import Cli, write

from rulespec.cli.exit_code import ExitCode

RULESPEC = Path(sys.executable).with_name("rulespec")
HANDED = re.compile(r"hand the keyboard to (p\d), who presses Enter")


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


# Two people: each takes the keyboard and lays a card, twice; then each keeps the money.
TWO = typed("", "1", "", "1", "", "1", "", "1", "", "keep", "", "keep")


def shown_to(out: str) -> dict[str, str]:
    """What stands between taking the keyboard and handing it over, by player."""
    parts = HANDED.split(out)
    shown: dict[str, str] = {}
    for player, text in zip(parts[1::2], parts[2::2], strict=True):
        shown[player] = shown.get(player, "") + text
    return shown


def test_two_people_play_to_the_end(duel: str, cli: Cli) -> None:
    said = cli("play", duel, "--players", 2, "--humans", 2, "--seed", 1, typed=TWO)

    assert said.status == ExitCode.FINE, said.out + said.err
    assert HANDED.findall(said.out) == ["p0", "p1"] * 3
    assert "the game is over" in said.out
    table = said.out.split("the game is over")[1].splitlines()
    assert "place" in table[2]
    assert "tie-break" in table[2]
    assert re.fullmatch(r"p\d wins|p0 and p1 win together", table[-1])


def test_one_person_plays_against_the_computer(duel: str, cli: Cli) -> None:
    said = cli("play", duel, "--seat", "p0=greedy,p2=random", "--players", 3, typed=typed("1", "1", "keep"))

    assert said.status == ExitCode.FINE, said.out + said.err
    assert "hand the keyboard" not in said.out
    assert "p1 (you)" in said.out
    assert "the game is over" in said.out


def test_computers_may_play_alone(duel: str, cli: Cli) -> None:
    said = cli("play", duel, "--humans", 0, "--opponents", "random", "--seed", 4)

    assert said.status == ExitCode.FINE
    assert "the game is over" in said.out


def test_moves_are_typed_in_many_ways(duel: str, cli: Cli) -> None:
    # Seed 1 deals p0 a red, a white and a green card.
    ways = ["lay red", "LAY  Red", "l r", "1"]
    buys = [["buy 4"], ["b 4"], ["1 4"], ["buy", "4"], ["1", "nine", "9", "4"]]

    for way, buy in [*((way, buys[0]) for way in ways), *((ways[0], buy) for buy in buys)]:
        lines = ["", way, "", "1", "", "1", "", "1", "", *buy, "", "keep"]
        said = cli("play", duel, "--humans", 2, "--seed", 1, typed=typed(*lines))
        assert "p0 buys points for 4" in said.out, (way, buy)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("0", "there is no move number 0: they go from 1 to 3"),
        ("99999999999999999999999", "there is no move number 99999999999999999999: they go from 1 to 3"),
        ("lay blue", "`lay blue` is not legal now; legal is `lay red`, `lay white` or `lay green`"),
        ("lay", "`lay` may be `lay red`, `lay white` or `lay green`"),
        ("1 2", "move 1 is `lay red`, which takes no further number"),
        ("", "type the number of a move, a move, or `help`"),
        ("fly away", "`fly away` is neither a legal move nor a command; `help` lists the commands"),
        ("\x1b[2J", "is neither a legal move nor a command"),
        ("/fly", "there is no command `/fly`; `help` lists them"),
        ("undo", "there is nothing to take back"),
        ("save", "which file? type `save FILE`"),
        ("save no/such/folder/x", "there is no folder `no/such/folder`"),
    ],
)
def test_bad_input_is_answered_and_asked_again(line: str, answer: str, duel: str, cli: Cli) -> None:
    said = cli("play", duel, "--humans", 2, "--seed", 1, typed=typed("", line, "lay red"))

    assert answer in said.out
    assert "\x1b" not in said.out
    assert said.out.count("p0> ") == 2
    assert HANDED.findall(said.out) == ["p0", "p1"]


def test_bytes_that_are_no_text_are_bad_input_too(duel: str) -> None:
    done = subprocess.run(
        [RULESPEC, "play", duel, "--seed", "1"],
        input=b"\xff\x00\n\nlay red\n",
        capture_output=True,
        check=False,
    )

    assert done.returncode == ExitCode.FINE, done.stderr
    assert b"is neither a legal move nor a command" in done.stdout
    assert b"p0 lays red" in done.stdout


def test_commands_answer(duel: str, cli: Cli) -> None:
    lines = typed("", "help", "/rules", "log", "hint", "state", "?")
    said = cli("play", duel, "--humans", 2, "--seed", 1, typed=lines)

    assert said.status == ExitCode.FINE
    assert said.out.count("take back the last move") == 2
    assert re.search(r"\nEverybody lays a card\n.*duel\.rules, line 37\n", said.out)
    assert said.out.count("chance: green, white, red") == 2
    assert re.search(r"greedy would choose `lay (red|white|green)`", said.out)
    assert said.out.count("p0 to move: Everybody lays a card") == 2


WIDE = """\
game wide "Many moves"
players 1
enum Color "a color": red, white, green
state:
    per player:
        points: points in 0..20
rule setup "Nothing":
    nothing
rule play "Once":
    for p in players:
        p chooses:
            go n: Int in 1..15, c: Color "goes {n} {c}":
                score 1 to p
            stay "stays":
                nothing
ranking "Most points" for p: p.points
"""


def test_long_lists_of_moves_are_cut(cli: Cli, tmp_path: Path) -> None:
    rules = write(tmp_path / "wide.rules", WIDE)

    said = cli("play", rules, typed=typed("moves", "moves go 15", "moves fly", "go 14 w"))

    assert said.status == ExitCode.FINE
    assert "and 6 more: `moves` lists all, `moves WORD` those that begin so" in said.out
    assert len(re.findall(r"^ *40  go 14 red", said.out, re.MULTILINE)) == 2
    assert len(re.findall(r"^ *43  go 15 red", said.out, re.MULTILINE)) == 2
    assert len(re.findall(r"^ *46  stay", said.out, re.MULTILINE)) == 1
    assert "p0 goes 14 white" in said.out


def test_undo_goes_back_over_what_followed(duel: str, cli: Cli) -> None:
    lines = typed("lay white", "undo", "lay red", "1", "keep")
    said = cli("play", duel, "--opponents", "random", "--seed", 1, typed=lines)
    plain = cli("play", duel, "--opponents", "random", "--seed", 1, typed=typed("lay red", "1", "keep"))

    assert "taken back" in said.out
    assert said.out.split("the game is over")[1] == plain.out.split("the game is over")[1]


def test_undo_between_people_hands_the_keyboard_back(duel: str, cli: Cli) -> None:
    lines = typed("", "lay red", "", "undo", "", "lay green", "", "1", "")
    said = cli("play", duel, "--humans", 2, "--seed", 1, typed=lines)

    assert HANDED.findall(said.out) == ["p0", "p1", "p0", "p1", "p0"]
    assert "p0 lays green" in said.out
    assert "p0 lays red" not in said.out


# --- who sees what ----------------------------------------------------------------------------------------


def test_each_sees_only_their_own_cards(duel: str, cli: Cli) -> None:
    # Seed 1 deals p0 a red, a white and a green card, and p1 a red and two green ones.
    said = cli("play", duel, "--humans", 2, "--seed", 1, typed=typed("", "1", ""))
    shown = shown_to(said.out)

    own = {"p0": "1 red, 1 white, 1 green", "p1": "1 red, 2 green"}
    for player, other in (("p0", "p1"), ("p1", "p0")):
        assert own[player] in shown[player]
        assert own[other] not in shown[player]
        assert "3 unseen" in shown[player]
    assert "chance: green, white, red" not in shown["p1"]
    assert "chance: red, green, green" not in shown["p0"]
    assert HANDED.split(said.out)[0].splitlines()[2:] == [""], "nothing is shown before the keyboard is taken"


def test_a_secret_answer_shows_nowhere_until_all_have_answered(duel: str, cli: Cli) -> None:
    runs = [
        cli("play", duel, "--humans", 2, "--seed", 1, typed=typed("", f"lay {color}", "", "log", "state"))
        for color in ("red", "white", "green")
    ]

    assert "p0 answers in secret" in runs[0].out
    assert len({shown_to(said.out)["p1"] for said in runs}) == 1


def test_money_of_others_is_not_shown(duel: str, cli: Cli) -> None:
    said = cli("play", duel, "--humans", 2, "--variant", "rich", typed=typed("", "1", ""))

    for text in shown_to(said.out).values():
        row = next(line for line in text.splitlines() if line.startswith(" ducats"))
        assert sorted(row.split()[1:]) == ["9", "?"]


# --- files ------------------------------------------------------------------------------------------------


def test_a_saved_play_goes_on_as_if_nothing_had_happened(duel: str, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    whole = cli("play", duel, "--humans", 2, "--seed", 1, typed=TWO)
    first = cli(
        "play", duel, "--humans", 2, "--seed", 1, "--save", file, typed=typed("", "1", "", "1", "", "quit")
    )
    second = cli("play", "--resume", file, typed=typed("", "1", "", "1", "", "keep", "", "keep"))

    assert f"go on with `rulespec play --resume {file}`" in first.out
    assert (first.status, second.status) == (ExitCode.FINE, ExitCode.FINE), second.err
    assert second.out.split("the game is over")[1] == whole.out.split("the game is over")[1]
    assert [path.name for path in tmp_path.iterdir()] == ["game.save"]


def test_every_move_is_saved_at_once(duel: str, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    steps = []
    for lines in (typed("", "1"), typed("", "1", "", "1"), typed("", "1", "", "undo")):
        cli("play", duel, "--humans", 2, "--seed", 1, "--save", file, typed=lines)
        steps.append(len(json.loads(file.read_text())["play"]["steps"]))

    # Six cards are dealt first.
    assert steps == [7, 8, 6]


def test_a_play_of_a_folder_is_taken_up_from_another(
    duel: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "there"
    there.mkdir()
    (there / "duel.rules").write_bytes(Path(duel).read_bytes())
    file = tmp_path / "game.save"
    monkeypatch.chdir(tmp_path)
    cli("play", "there", "--seed", 1, "--save", file, typed=typed("1"))
    monkeypatch.chdir(there)

    assert "taken up after" in cli("play", "--resume", file).out


def test_the_save_command_writes_a_copy(duel: str, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "copy.save"
    said = cli("play", duel, "--seed", 1, typed=typed("1", f"save {file}"))

    assert f"saved to `{file}`" in said.out
    assert "taken up after" in cli("play", "--resume", file).out


def test_an_unwritable_file_is_said_and_play_goes_on(duel: str, cli: Cli, tmp_path: Path) -> None:
    said = cli("play", duel, "--seed", 1, "--save", tmp_path, typed=typed("1", "1", "keep"))

    assert f"the play is not saved: `{tmp_path}` cannot be written: it is a folder" in said.out
    assert "the game is over" in said.out


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        (None, "no such file"),
        ("", "is not a saved play"),
        ("[" * 100_000, "is not a saved play"),
        ('{"format": "rulespec table", "version": 99}', "was saved in format 99"),
        ('{"format": "rulespec table", "version": 1}', "is damaged"),
    ],
)
def test_what_is_no_saved_play_is_refused(content: str | None, answer: str, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    if content is not None:
        file.write_text(content)

    said = cli("play", "--resume", file)

    assert said.status == ExitCode.PROBLEMS
    assert answer in said.err


def test_a_save_of_other_rules_is_refused(duel: str, cli: Cli, tmp_path: Path) -> None:
    rules, file = tmp_path / "duel.rules", tmp_path / "game.save"
    rules.write_text(Path(duel).read_text())
    cli("play", rules, "--save", file, typed=typed("1"))
    rules.write_text(rules.read_text().replace("score 3 to p", "score 4 to p"))

    said = cli("play", "--resume", file)

    assert said.status == ExitCode.PROBLEMS
    assert "the rules have changed" in said.err


def test_the_end_of_input_and_ctrl_c_keep_the_play(duel: str, tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    with subprocess.Popen(
        [RULESPEC, "play", duel, "--seed", "1", "--save", file, "--opponents", "random"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("lay red\n")
        process.stdin.flush()
        out = ""
        while out.count("p0> ") < 2:
            out += os.read(process.stdout.fileno(), 1000).decode()
        process.send_signal(signal.SIGINT)
        rest, err = process.stdout.read(), process.stderr.read()

    assert process.returncode == ExitCode.INTERRUPTED
    assert f"saved; go on with `rulespec play --resume {file}`" in rest
    assert "Traceback" not in err
    assert len(json.loads(file.read_text())["play"]["steps"]) == 8


# --- what was asked for -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "answer"),
    [
        ([], "name a game"),
        (["DUEL", "--seat", "p0"], "`p0` does not seat anybody"),
        (["DUEL", "--seat", "p7=me"], "the seats are p0 to p1"),
        (["DUEL", "--seat", "p0=nobody"], "`p0=nobody` does not seat anybody"),
        (["DUEL", "--seat", "p0=me,p0=random"], "two sit at p0"),
        (["DUEL", "--humans", "3"], "3 people want to sit, but only 2 seats are free"),
        (["DUEL", "--players", "4"], "is for 2 to 3 players"),
        (["DUEL", "--resume", "x", "--seed", "3"], "has its players, variants, readings and seed already"),
    ],
)
def test_what_cannot_be_is_a_usage_error(args: list[str], answer: str, duel: str, cli: Cli) -> None:
    said = cli("play", *(duel if arg == "DUEL" else arg for arg in args))

    assert said.status == ExitCode.USAGE
    assert answer in said.err


def test_colors_and_clearing_are_for_terminals(duel: str, cli: Cli) -> None:
    said = cli("play", duel, "--humans", 2, typed=TWO)

    assert "\x1b" not in said.out
