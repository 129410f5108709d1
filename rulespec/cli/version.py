"""`rulespec version`."""

from __future__ import annotations

import json
import platform
from importlib import metadata

import click

# What decides what rulespec accepts, plays and proves.
PACKAGES = ("rulespec", "lark", "z3-solver", "hypothesis")


def versions() -> dict[str, str]:
    """The version of rulespec, of Python, and of each package its verdicts rest on."""
    return {"python": platform.python_version(), **{name: metadata.version(name) for name in PACKAGES}}


@click.command
@click.option("--json", "as_json", is_flag=True, help="One JSON object, from name to version.")
def command(as_json: bool) -> None:
    """Say which versions are installed.

    Verdicts can differ from one solver version to the next, so a report of a wrong one needs this.

    \b
    Examples:
      rulespec version          for a person
      rulespec version --json   for a program
    """
    found = versions()
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    width = max(map(len, found))
    for name in sorted(found, key=lambda name: (name != "rulespec", name)):
        click.echo(f"{name:<{width}}  {found[name]}")
