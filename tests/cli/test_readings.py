"""`rulespec readings`."""

from __future__ import annotations

from pathlib import Path

from clicalls import Cli, write
from tiny import TINY, changed

from rulespec.cli.exit_code import ExitCode

WHOLE = """\
? Q1 first: Who begins? @rb(3)
      * youngest  the first seat
        oldest    the second seat @rb(3)
  end: When is it over? @rb(4)
      * once  after one turn

Tiny: 2 questions, 1 with several meanings (`?`); `*` is the default
"""


def test_questions_are_listed_with_their_meanings(cli: Cli, tmp_path: Path) -> None:
    said = cli("readings", write(tmp_path / "tiny.rules", TINY))

    assert (said.status, said.out) == (ExitCode.FINE, WHOLE)


def test_what_is_assumed_is_listed_with_its_reason(cli: Cli, tmp_path: Path) -> None:
    text = changed(
        "state:\n",
        """\
enum Wind:
    mistral
    assumed "one wind is not named" @rb(4):
        bora, sirocco
table City:
    columns price: coin
    milan: 3
    assumed "not printed":
        verona: 2
state:
""",
    ).replace("coin = 3 @rb(2)", 'coin = 3 assumed "nobody says" @rb(2)')
    path = write(tmp_path / "tiny.rules", text)

    assert (
        cli("readings", path).out
        == WHOLE
        + """\

assumed, as no source has it:
  share: nobody says @rb(2)
  Wind bora, sirocco: one wind is not named @rb(4)
  City verona: not printed
"""
    )
    assert cli("readings", path).out == cli("readings", path).out
    assert "assumed" not in cli("readings", "--open", path).out


def test_only_open_ones_on_demand(cli: Cli, tmp_path: Path) -> None:
    said = cli("readings", "--open", write(tmp_path / "tiny.rules", TINY))

    assert "first" in said.out
    assert "end:" not in said.out


def test_a_program_reads_objects(cli: Cli, tmp_path: Path) -> None:
    first, end = cli("readings", "--json", write(tmp_path / "tiny.rules", TINY)).json

    assert first == {
        "name": "first",
        "ident": "Q1",
        "question": "Who begins?",
        "citation": "@rb(3)",
        "meanings": [
            {"name": "youngest", "title": "the first seat", "citation": ""},
            {"name": "oldest", "title": "the second seat", "citation": "@rb(3)"},
        ],
        "default": "youngest",
        "flagged": True,
    }
    assert (end["name"], end["flagged"]) == ("end", False)


def test_il_principe_has_its_questions(cli: Cli) -> None:
    found = cli("readings", "il_principe", "--json").json

    assert sorted(int(each["ident"].removeprefix("IP")) for each in found) == list(range(1, 48))
    flagged = {each["ident"] for each in found if each["flagged"]}
    assert flagged == {"IP1", "IP5", "IP11", "IP20", "IP36", "IP41"}
    assert all(each["question"] and each["citation"] for each in found)


def test_a_rulebook_with_errors_shows_them(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "wrong.rules", changed("score 1 to p", "score 1 to q"))

    said = cli("readings", path)

    assert (said.status, said.out) == (ExitCode.PROBLEMS, "")
    assert f"--> {path}:" in said.err
