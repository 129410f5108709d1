"""`rulespec new`."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import click

TEMPLATE = Path(__file__).resolve().parents[1] / "template"


@click.command
@click.argument("name")
def command(name: str) -> None:
    """Begin a rulebook: a folder with a tiny game that works.

    The game is complete: it has prose, an auction from the standard library, an example and an
    invariant. Change it into your own, one rule at a time. Nothing that is there already is
    overwritten.

    \b
    Examples:
      rulespec new harbor                       makes harbor/harbor.rules.md and harbor/README.md
      rulespec check harbor/harbor.rules.md     checks it
      rulespec test harbor/harbor.rules.md      runs its examples
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name):
        raise click.UsageError(_advice_on(name))
    folder = Path(name)
    if os.path.lexists(folder):
        raise click.ClickException(f"`{name}` is there already, and nothing is overwritten")
    make(folder)
    click.echo(f"made {folder}{os.sep}")
    for file in sorted(folder.iterdir()):
        click.echo(f"  {file}")
    click.echo(f"\nnext: rulespec test {folder / name}.rules.md")


def make(folder: Path) -> None:
    """Write the project, all of it or nothing; its game is named like the folder.

    Raises:
        click.ClickException: the folder cannot be written.
    """
    words = {"NAME": folder.name, "TITLE": folder.name.replace("_", " ").capitalize()}
    try:
        made = folder.parent / f".{folder.name}-{os.getpid()}"
        made.mkdir()
        try:
            for template in sorted(TEMPLATE.iterdir()):
                text = template.read_text(encoding="utf-8")
                target = made / template.name.replace("NAME", folder.name).removesuffix(".template")
                target.write_text(_filled(text, words), encoding="utf-8")
            made.rename(folder)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
    except OSError as error:
        raise click.ClickException(f"`{folder}` cannot be made: {(error.strerror or '').lower()}") from None


def _filled(text: str, words: dict[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"<<{name}>>", word)
    return text


def _advice_on(name: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:40]
    near = f"; `{plain}` would do" if re.fullmatch(r"[a-z][a-z0-9_]*", plain) else ""
    return f"`{name}` cannot name a game: use small letters, digits and `_`, beginning with a letter{near}"
