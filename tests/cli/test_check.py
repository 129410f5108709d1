"""`rulespec check`: what it says, to whom, and how soon."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from clicalls import Cli, write
from tiny import TINY, changed

from rulespec.cli.exit_code import ExitCode

GOOD = (
    "good, 2 to 3 players, 3 rules, 1 function, 1 example, 1 claim, 2 readings, 1 variant, "
    "7 of 9 lines of `rb` cited"
)
ODD = changed("left of eldest if reading first is oldest else eldest", "eldest")
WRONG = changed("score 1 to p", "score 1 to q")
LATE = changed("in 1..p.purse", "in 1..most").replace(
    "variant rich",
    "param most: coin = 3\n\nwhen players = 3:\n    most = 1000000\n\nvariant rich",
)
PLACE = f"{WRONG[: WRONG.index('score 1 to q')].count(chr(10)) + 1}:24"


def test_a_good_rulebook_is_told_by_its_size(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "tiny.rules", TINY)

    said = cli("check", path)

    assert (said.status, said.out) == (ExitCode.FINE, f"{path}: {GOOD}\n")


def test_il_principe_is_good(cli: Cli) -> None:
    said = cli("check", "--strict", "il_principe")

    assert said.status == ExitCode.FINE, said.out
    assert said.out.startswith("il_principe: good, 2 to 5 players, ")
    assert "47 readings" in said.out


def test_an_error_is_shown_with_its_place_and_counted(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "wrong.rules", WRONG)

    said = cli("check", path)

    assert said.status == ExitCode.PROBLEMS
    assert f"--> {path}:{PLACE}" in said.out
    assert "score 1 to q" in said.out
    assert said.out.splitlines()[-1] == f"{path}: 1 error"


def test_several_rulebooks_are_checked_at_once(cli: Cli, tmp_path: Path) -> None:
    good, wrong = write(tmp_path / "tiny.rules", TINY), write(tmp_path / "wrong.rules", WRONG)

    said = cli("check", wrong, good)

    assert said.status == ExitCode.PROBLEMS
    assert f"{wrong}: 1 error\n" in said.out
    assert said.out.endswith(f"{good}: {GOOD}\n")


def test_a_warning_does_not_fail_unless_asked(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "odd.rules", ODD)

    assert cli("check", path).status == ExitCode.FINE
    assert cli("check", "--strict", path).status == ExitCode.PROBLEMS
    assert f"{path}: good, 1 warning, 2 to 3 players" in cli("check", path).out


def test_a_second_run_says_the_same(cli: Cli, tmp_path: Path) -> None:
    for name, text in [("odd", ODD), ("wrong", WRONG), ("late", LATE)]:
        path = write(tmp_path / f"{name}.rules", text)

        assert cli("check", path) == cli("check", path)
        assert cli("check", "--json", path) == cli("check", "--json", path)


def test_what_one_number_of_players_finds_is_told(cli: Cli, tmp_path: Path) -> None:
    said = cli("check", write(tmp_path / "late.rules", LATE))

    assert said.status == ExitCode.PROBLEMS
    assert "found with 3 players" in said.out


def test_a_program_reads_objects(cli: Cli, tmp_path: Path) -> None:
    good, wrong = write(tmp_path / "tiny.rules", TINY), write(tmp_path / "wrong.rules", WRONG)

    first, second = cli("check", "--json", good, wrong).json

    assert (first["good"], first["players"], first["counts"]["rule"]) == (True, [2, 3], 3)
    assert first["cited"] == {"rb": {"lines": 7, "of": 9}}
    assert (second["good"], second["errors"]) == (False, 1)
    finding = second["diagnostics"][0]
    assert (finding["file"], finding["line"], finding["severity"]) == (
        str(wrong),
        int(PLACE.partition(":")[0]),
        "error",
    )


def test_a_changed_file_is_checked_anew(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "tiny.rules", TINY)
    assert cli("check", path).status == ExitCode.FINE
    write(path, WRONG)
    assert cli("check", path).status == ExitCode.PROBLEMS


def test_a_changed_module_is_checked_anew(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "tiny.rules", TINY.replace("source rb", 'use "extra"\nsource rb'))
    assert "there is no module `extra`" in cli("check", path).out

    module = write(tmp_path / "extra.rules", "function twice(n: Int) -> Int = n + n\n")
    assert cli("check", path).status == ExitCode.FINE

    write(module, "function twice(n: Int) -> Int = n + m\n")
    said = cli("check", path)
    assert said.status == ExitCode.PROBLEMS
    assert f"--> {module}:1:" in said.out


def test_a_game_that_is_not_there_is_a_finding(cli: Cli) -> None:
    said = cli("check", "il_principle")

    assert said.status == ExitCode.PROBLEMS
    assert "did you mean `il_principe`?" in said.out


@pytest.mark.parametrize("cache", ["kept", "off"])
def test_checking_loads_no_more_than_it_needs(cli: Cli, kept_results: Path, cache: str) -> None:
    assert cli("check", "il_principe").status == ExitCode.FINE
    heavy = ["lark", "rich", "z3", "hypothesis", "numpy", "matplotlib"]
    if cache == "kept":
        heavy += [
            "rulespec.compiler.surface",
            "rulespec.compiler.typed",
            "rulespec.compiler.core",
            "tempfile",
        ]
    code = (
        "import sys; from rulespec.cli import guard, main; guard.run(main.app, ['check', 'il_principe']);"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    folder = str(kept_results) if cache == "kept" else "off"

    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"RULESPEC_CACHE": folder},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines()[-1] == "[]"


def test_a_citation_that_follows_another_counts_too(cli: Cli, tmp_path: Path) -> None:
    said = cli("check", write(tmp_path / "more.rules", changed("@rb(6)", "@rb(6) @rb(9)")))

    assert "8 of 9 lines of `rb` cited" in said.out


def test_a_rule_that_only_an_example_runs_is_checked_too(cli: Cli, tmp_path: Path) -> None:
    text = TINY + (
        "\nrule tally(p: Player):\n    var n = 0\n    while p != eldest:\n        n += 1\n"
        "\nexample tallied:\n    players 2\n    run tally(p1)\n"
    )

    said = cli("check", write(tmp_path / "tiny.rules", text))

    assert said.status == ExitCode.PROBLEMS
    assert "error[R0503]: no end is found to what `n` can be" in said.out
