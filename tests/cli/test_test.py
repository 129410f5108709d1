"""`rulespec test`."""

from __future__ import annotations

from pathlib import Path

import pytest
from clicalls import Cli, write
from tiny import TINY, changed

from rulespec.cli.exit_code import ExitCode

DISPUTE = """\
# May I?

```rules
example all_of_it "All at once" @rb(5):
    players 2
    given:
        p0.purse = 3
    run spend(p0)
    when:
        p0 spend 3
    then:
        p0.points = {points}
```
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write(tmp_path / "tiny.rules", TINY)


def without_seconds(text: str) -> str:
    return text.rpartition(" in ")[0]


def test_examples_that_hold_are_counted(cli: Cli, tiny: Path) -> None:
    said = cli("test", tiny)

    assert said.status == ExitCode.FINE
    assert without_seconds(said.out) == f"{tiny}: good, 1 example"
    assert said.err == ""


def test_every_example_of_il_principe_holds(cli: Cli) -> None:
    said = cli("test", "il_principe")

    assert said.status == ExitCode.FINE, said.out
    assert said.out.startswith("il_principe: good, ")


def test_an_expectation_that_fails_shows_the_values(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "wrong.rules", changed("p1.purse = 1\n", "p1.purse = 2\n"))

    said = cli("test", path)

    assert said.status == ExitCode.PROBLEMS
    assert "error[R0690]: example `spending` fails: this does not hold\n" in said.out
    assert "        p1.purse = 2\n" in said.out
    assert "  the values:\n    purse[p1] is 1\n  played before:\n    p1 spends 2\n" in said.out
    assert without_seconds(said.out.splitlines()[-1] + " in ").endswith(
        "1 of 1 example failed in 0.0 s: spending"
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("p1 cannot spend 4", "p1 cannot spend 3", "`spend 3` is offered to p1"),
        (
            "p1 spend 2",
            "p1 spend 4",
            "`spend 4` is not offered to p1: possible: `spend 1`, `spend 2`, `spend 3`, `keep`",
        ),
        ("p1 spend 2", "p0 spend 2", "p0 is not asked here: p1 is asked"),
    ],
)
def test_a_step_that_fails_says_what_is_possible(
    cli: Cli, tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = changed(old, new)
    path = write(tmp_path / "wrong.rules", text)

    said = cli("test", path)

    assert said.status == ExitCode.PROBLEMS
    assert message in said.out
    assert f"{path}:{text[: text.index(new)].count(chr(10)) + 1}:" in said.out


def test_a_position_that_no_play_reaches_is_noted_and_may_pass(cli: Cli, tmp_path: Path) -> None:
    said = cli(
        "test",
        write(
            tmp_path / "rich.rules",
            changed("p1.purse = 3", "p1.purse = 5")
            .replace("purse = 1\n", "purse = 3\n")
            .replace("cannot spend 4", "cannot spend 6"),
        ),
    )

    assert said.status == ExitCode.FINE, said.out
    assert said.out.startswith(
        'note: `spending` begins where no play comes to: "Points cost coins" does not hold there\n'
    )


GAINING = changed("pay n from p.purse to bank", "pay n from bank to p.purse")
GAINING = GAINING[: GAINING.index("    run spend(p1)")] + (
    "    run play()\n    when:\n        p0 keep\n        p1 spend 2\n"
)


def test_a_step_that_breaks_an_invariant_fails_with_both_places(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "gaining.rules", GAINING)

    said = cli("test", path)

    assert said.status == ExitCode.PROBLEMS
    assert (
        "error[R0691]: example `spending` fails: after `p1 spends 2`, invariant `thrift` does not hold\n"
    ) in said.out
    assert "        p1 spend 2\n" in said.out
    assert "`thrift` is claimed here" in said.out
    assert "purse[p1] is 5" in said.out
    assert cli("test", "--json", path).json[0]["breaks"] == ["thrift"]


def test_what_the_start_breaks_is_not_asked_of_later_positions(cli: Cli, tmp_path: Path) -> None:
    path = write(
        tmp_path / "rich.rules", GAINING.replace("p1.purse = 3", "p0.purse = 4\n        p1.purse = 3")
    )

    said = cli("test", path)

    assert said.status == ExitCode.FINE, said.out
    assert '`spending` begins where no play comes to: "Points cost coins" does not hold there' in said.out


def test_a_rule_that_ends_inside_the_game_is_noted_to_break_a_claim(cli: Cli, tmp_path: Path) -> None:
    path = write(
        tmp_path / "inside.rules",
        GAINING.replace("run play()\n    when:\n        p0 keep", "run spend(p1)\n    when:"),
    )

    said = cli("test", path)

    assert said.status == ExitCode.FINE, said.out
    assert (
        'note: `spending` ends inside the game, not at a choice: "Points cost coins" does not hold there\n'
    ) in said.out


def test_an_example_from_outside_may_break_an_invariant(cli: Cli, tmp_path: Path) -> None:
    game = write(tmp_path / "gaining.rules", GAINING[: GAINING.index("example")])
    dispute = write(tmp_path / "dispute.rules", GAINING[GAINING.index("example") :])

    said = cli("test", game, "--with", dispute)

    assert "error[R0691]" in said.out
    assert f"--> {dispute}:8:9" in said.out
    assert f"::: {game}" in said.out


def test_examples_are_chosen_by_name_or_title(cli: Cli) -> None:
    assert "good, 2 examples" in cli("test", "il_principe", "-k", "last_round").out
    assert "good, 1 example " in cli("test", "il_principe", "-k", "building milan").out
    said = cli("test", "il_principe", "-k", "no such example")
    assert said.status == ExitCode.PROBLEMS
    assert "no example is named like `no such example`" in said.err


def test_examples_from_outside_take_the_place_of_its_own(cli: Cli, tiny: Path) -> None:
    good = write(tiny.with_name("good.rules.md"), DISPUTE.format(points=1))
    bad = write(tiny.with_name("bad.rules.md"), DISPUTE.format(points=3))

    assert cli("test", tiny, "--with", good).out.startswith(f"{tiny}: good, 1 example ")
    said = cli("test", tiny, "--with", bad)
    assert said.status == ExitCode.PROBLEMS
    assert f"--> {bad}:12:9" in said.out
    assert "in May I?" in said.out


def test_a_file_from_outside_holds_examples_alone(cli: Cli, tiny: Path) -> None:
    other = write(tiny.with_name("other.rules"), "param x: Int = 1\n")

    said = cli("test", tiny, "--with", other)

    assert said.status == ExitCode.PROBLEMS
    assert "error[R0610]" in said.err
    assert f"--> {other}:1:1" in said.err


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("example e:\n    players 2\n    when:\n        p0 speed 3\n", "R0601"),
        ("example e\n", "R0148"),
        (None, "R0001"),
    ],
)
def test_a_file_from_outside_may_be_wrong(cli: Cli, tiny: Path, text: str | None, code: str) -> None:
    other = tiny.with_name("other.rules")
    if text is not None:
        write(other, text)

    said = cli("test", tiny, "--with", other)

    assert said.status == ExitCode.PROBLEMS
    assert f"error[{code}]" in said.err
    assert f"--> {other}:" in said.err


def test_a_program_reads_objects(cli: Cli, tmp_path: Path) -> None:
    good = cli("test", "--json", write(tmp_path / "tiny.rules", TINY))
    bad = cli("test", "--json", write(tmp_path / "wrong.rules", changed("p1.purse = 1\n", "p1.purse = 2\n")))

    assert (good.status, bad.status) == (ExitCode.FINE, ExitCode.PROBLEMS)
    assert good.json == [
        {
            "name": "spending",
            "title": "A coin for a point",
            "citation": "@rb(5)",
            "players": 2,
            "variants": [],
            "readings": {},
            "passed": True,
            "message": "",
            "values": [],
            "played": ["p1 spends 2"],
            "unreachable": [],
            "breaks": [],
            "ends_breaking": [],
            "diagnostics": [],
        }
    ]
    found = bad.json[0]
    assert (found["passed"], found["values"]) == (False, ["purse[p1] is 1"])
    assert found["diagnostics"][0]["line"] == TINY[: TINY.index("        p1.purse = 1")].count("\n") + 1


def test_no_examples_are_no_success(cli: Cli, tmp_path: Path) -> None:
    said = cli("test", write(tmp_path / "none.rules", TINY[: TINY.index("example")]))

    assert said.status == ExitCode.PROBLEMS
    assert "there are no examples" in said.err


def test_an_example_that_cannot_be_compiled_fails_alone(cli: Cli, tmp_path: Path) -> None:
    text = changed("coin in 0..5\n", "coin in 0..share + 2\n")
    other = (
        TINY[TINY.index("example") :].replace("spending", "too_much").replace("p1.purse = 3", "p1.purse = 6")
    )

    said = cli("test", write(tmp_path / "two.rules", text + "\n" + other))

    assert said.status == ExitCode.PROBLEMS
    assert "error[R0612]" in said.out
    assert "1 of 2 examples failed" in said.out
    assert said.out.splitlines()[-1].endswith(": too_much")


def test_examples_that_cannot_be_read_are_told_to_programs_too(cli: Cli, tiny: Path, tmp_path: Path) -> None:
    said = cli("test", tiny, "--with", write(tmp_path / "dispute.rules", "example bad:\n"), "--json")

    assert said.status == ExitCode.PROBLEMS
    (told,) = said.json
    assert not told["passed"]
    assert {each["file"] for each in told["diagnostics"]} == {str(tmp_path / "dispute.rules")}
    assert said.err == ""


def test_an_endless_loop_in_an_example_ends(cli: Cli, tmp_path: Path) -> None:
    text = changed(
        "            score 1 to p\n",
        "            score 1 to p\n            var x: Int in 0..1 = 0\n"
        "            while x < 2:\n                x := 1 - x\n",
    )

    said = cli("test", write(tmp_path / "endless.rules", text))

    assert said.status == ExitCode.PROBLEMS
    assert "(endless in spend" in said.out


def test_progress_is_told_on_a_terminal_alone(cli: Cli, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulespec.cli.test.sys.stderr.isatty", lambda: True)

    said = cli("test", tiny)

    assert said.err == "\r\x1b[K1/1 spending\r\x1b[K"


def test_both_engines_are_held_together_on_request(cli: Cli, tiny: Path) -> None:
    said = cli("test", tiny, "--agree", "4")

    assert said.status == ExitCode.FINE
    assert "the engines agree, 4 games" in said.out
    assert cli("test", tiny, "--agree", "2", "--json").json["games"] == 2
