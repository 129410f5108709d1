"""`rulespec explain`."""

from __future__ import annotations

import pytest
from clicalls import Cli

from rulespec.cli.exit_code import ExitCode
from rulespec.compiler.codes import REGISTRY


@pytest.mark.parametrize("code", ["R0001", "r0001"])
def test_a_code_has_its_page(cli: Cli, code: str) -> None:
    said = cli("explain", code)

    assert said.status == ExitCode.FINE
    assert said.out == (
        "R0001  no such rulebook\n"
        "\n"
        "The file that was asked for, or that `use` names, is not there.\n"
        "\n"
        "Nothing can be checked or played without its text; most often a name is misspelled.\n"
        "\n"
        "Not so:\n"
        "\n"
        '    use "aucton"\n'
        "\n"
        "But so:\n"
        "\n"
        '    use "auction"\n'
    )


def test_every_code_has_a_page_that_fits(cli: Cli) -> None:
    for code in REGISTRY.values():
        said = cli("explain", code.code)
        assert said.status == ExitCode.FINE
        assert said.out.startswith(f"{code.code}  {code.title}\n\n")
        assert max(map(len, said.out.splitlines())) <= 120


def test_all_are_listed(cli: Cli) -> None:
    said = cli("explain")

    assert said.out.splitlines()[: len(REGISTRY)] == [f"{c.code}  {c.title}" for c in REGISTRY.values()]


def test_a_program_reads_objects(cli: Cli) -> None:
    assert cli("explain", "R0001", "--json").json["title"] == "no such rulebook"
    assert [each["code"] for each in cli("explain", "--json").json] == list(REGISTRY)


@pytest.mark.parametrize(
    ("code", "advice"),
    [("R0001x", "did you mean `R0001`?"), ("xyz", "`rulespec explain` lists the codes")],
)
def test_an_unknown_code_is_answered_with_advice(cli: Cli, code: str, advice: str) -> None:
    said = cli("explain", code)

    assert said.status == ExitCode.USAGE
    assert f"there is no code `{code}`; {advice}" in said.err
