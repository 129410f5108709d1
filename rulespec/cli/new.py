"""`rulespec new`."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from importlib.metadata import version
from pathlib import Path

import click

from rulespec import api
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode
from rulespec.collection import no_collection

TEMPLATE = Path(__file__).resolve().parents[1] / "template"

# What is made of each template. These have plain names, as what begins with a dot is easily left behind.
FILES = {
    "rulebook": "<<NAME>>.rules.md",
    "readme": "README.md",
    "requirements": "requirements.txt",
    "pytest": "pytest.ini",
    "gitignore": ".gitignore",
    "editorconfig": ".editorconfig",
    "pre-commit": ".pre-commit-config.yaml",
    "workflow": ".github/workflows/rules.yml",
    "settings": ".vscode/settings.json",
    "extensions": ".vscode/extensions.json",
    "tasks": ".vscode/tasks.json",
}


@click.command
@click.argument("name")
@click.option("--no-verify", is_flag=True, help="Do not prove anything yet; `rulespec verify` does it later.")
def command(name: str, no_verify: bool) -> ExitCode:
    """Begin a rulebook: a folder with a tiny game that works.

    The game is complete: it has prose, an auction from the standard library, an example and an
    invariant. Change it into your own, one rule at a time. Around it stands what a project needs: a README,
    settings for editors, pytest and pre-commit, and a file for CI on GitHub. Its claims are proved at once
    and kept in `rulespec.lock`, so that `rulespec ci` and `pytest` pass as it stands. Nothing that is there
    already is overwritten.

    \b
    Examples:
      rulespec new harbor                       makes the folder harbor, with harbor/harbor.rules.md
      rulespec check harbor/harbor.rules.md     checks it
      cd harbor; rulespec ci                    all that must hold
    """
    _check_name(name)
    folder = Path(name)
    if os.path.lexists(folder):
        raise click.ClickException(f"`{name}` is there already, and nothing is overwritten")
    make(folder)
    click.echo(f"made {folder}{os.sep}")
    for file in FILES.values():
        click.echo(f"  {folder / _filled(file, _words(folder))}")
    rulebook = f"{folder / name}.rules.md"
    status = ExitCode.FINE
    if not no_verify:
        status = _verify(rulebook)
    click.echo(f"\nnext: rulespec test {rulebook}")
    return status


def make(folder: Path) -> None:
    """Write the project, all of it or nothing; its game is named like the folder.

    Raises:
        click.ClickException: the folder cannot be written.
    """
    words = _words(folder)
    try:
        made = folder.parent / f".{folder.name}-{os.getpid()}"
        made.mkdir()
        try:
            for template, name in FILES.items():
                text = (TEMPLATE / f"{template}.template").read_text(encoding="utf-8")
                target = made / _filled(name, words)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(_filled(text, words), encoding="utf-8")
            made.rename(folder)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
    except OSError as error:
        raise click.ClickException(f"`{folder}` cannot be made: {(error.strerror or '').lower()}") from None


def _words(folder: Path) -> dict[str, str]:
    game = folder.name.replace("-", "_")
    title = game.replace("_", " ").capitalize()
    return {"NAME": folder.name, "GAME": game, "TITLE": title, "VERSION": version("rulespec")}


def _filled(text: str, words: dict[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"<<{name}>>", word)
    return text


# --- verdicts ----------------------------------------------------------------------------------------------


def _verify(rulebook: str) -> ExitCode:
    """Find what `rulespec.lock` is to have; tells what it came to, in a line."""
    from rulespec.proofs.verdicts import Limits
    from rulespec.verifying import ledger, plan, report, run
    from rulespec.verifying.plan import Wanted
    from rulespec.verifying.processes import Workers, processors
    from rulespec.verifying.progress import progress

    click.echo()
    began = time.monotonic()
    book, limits = api.open_rulebook(rulebook), Limits()
    with no_collection():
        parts = plan.make(book, Wanted(), limits).parts
    before = ledger.before(ledger.Ledger(book, limits), parts, everything=True)
    jobs = min(processors(), len(parts) + 1)
    colors = output.colors_on(sys.stderr)
    took = time.monotonic() - began
    with (
        progress(parts, took, examples=True, colors=colors) as watcher,
        Workers(jobs, limits.memory) as workers,
    ):
        outcome = run.verify(rulebook, parts, workers, watcher, examples=True, games=True, before=before)
    outcome.seconds = time.monotonic() - began
    for sentence in report.sentences(rulebook, outcome):
        output.console().print(sentence, soft_wrap=True)
    output.faults(outcome.faults)
    if outcome.interrupted:
        click.echo("what is left is proved by `rulespec verify`")
        return ExitCode.INTERRUPTED
    return ExitCode.FAULT if outcome.faults else ExitCode.FINE


# --- names -------------------------------------------------------------------------------------------------


def _check_name(name: str) -> None:
    from rulespec.compiler.surface.keywords import RESERVED

    if not re.fullmatch(r"[a-z]([a-z0-9_-]{0,38}[a-z0-9_])?", name):
        raise click.UsageError(_advice_on(name))
    if name in RESERVED:
        raise click.UsageError(f"`{name}` cannot name a game: it is a word of the language")


def _advice_on(name: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:40]
    near = f"; `{plain}` would do" if re.fullmatch(r"[a-z][a-z0-9_]*", plain) else ""
    letters = "small letters, digits, `_` and `-`, beginning with a letter"
    return f"`{name}` cannot name a game: use {letters}{near}"
