"""Code in the handbook that no other test runs: rules are in order, and commands are such as there are."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from small_game import check_text, errors, framed

from rulespec.cli.main import app
from rulespec.site import fences

DOCS = Path(__file__).parents[2] / "docs"
# Folders of this repository, not a command.
NO_COMMANDS = {"rulespec compiler engine proofs"}
# Sketches of the reference, with `...` in them or all of it in one; tests/surface reads them.
SKETCHES = {"language.md", "how-to/verify.md", "how-to/coverage.md"}
REFERENCE = {"reference/declarations.md", "reference/statements.md", "reference/expressions.md"}


def name(path: Path) -> str:
    return path.relative_to(DOCS).as_posix()


PAGES = {name(path): path.read_text("utf-8") for path in sorted(DOCS.rglob("*.md"))}
RULES = [
    (file, fence["body"])
    for file, text in PAGES.items()
    if file not in SKETCHES | REFERENCE
    for _, fence in fences.parts(text)
    if fence and fence["language"] == "rules"
]
COMMANDS = sorted(
    {
        (file, line.strip().removeprefix("$ ").partition("   ")[0])
        for file, text in PAGES.items()
        for line in re.findall(r"^(?: {4,}|\$ )(?:\$ )?rulespec .*$", text, re.M)
    }
    | {
        (file, said)
        for file, text in PAGES.items()
        for said in re.findall(r"`(rulespec [a-z]+(?: [^`]*)?)`", text.replace("\n", " "))
        if said not in NO_COMMANDS
    }
)


@pytest.mark.parametrize(("file", "block"), RULES, ids=lambda part: part.split("\n")[0][:40])
def test_rules_are_in_order(file: str, block: str) -> None:
    rulebook, found = check_text(framed(block))

    assert errors(found) == ()
    assert rulebook is not None


@pytest.mark.parametrize(("file", "line"), COMMANDS, ids=lambda part: part)
def test_commands_and_options_are_such_as_there_are(file: str, line: str) -> None:
    arguments = shlex.split(re.sub(r"[.]{3}|GAME|CODE|NAME\b", "x", line), comments=True)[1:]
    command: click.Command = app
    context = click.Context(app, info_name="rulespec")
    while isinstance(command, click.Group) and arguments and not arguments[0].startswith("-"):
        _, found, arguments = command.resolve_command(context, arguments)
        assert found is not None
        command = found
    given = {word.partition("=")[0] for word in arguments if re.match(r"--?[a-z]", word)}
    known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}

    assert given <= known | {"--help", "-h", "--version"}


def test_there_is_much_to_test() -> None:
    assert len(RULES) > 8
    assert len(COMMANDS) > 60
