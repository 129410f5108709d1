"""`rulespec explain`."""

from __future__ import annotations

import difflib
import json
import textwrap
from dataclasses import asdict

import click

from rulespec.compiler.diagnostics import Code

WIDTH = 90


@click.command
@click.argument("code", required=False)
@click.option(
    "--json", "as_json", is_flag=True, help="The same for a program: one object, or a list of them."
)
def command(code: str | None, as_json: bool) -> None:
    """Explain a code that a diagnostic has shown.

    Without a code, all of them are listed.

    \b
    Examples:
      rulespec explain R0201   what was found, why it matters, and how it is put right
      rulespec explain         every code with its title
    """
    from rulespec.compiler.codes import REGISTRY

    if code is None:
        _list_all(REGISTRY, as_json)
        return
    found = REGISTRY.get(code.upper())
    if found is None:
        raise click.UsageError(_unknown(code, list(REGISTRY)))
    click.echo(json.dumps(asdict(found), indent=2) if as_json else page(found))


def page(code: Code) -> str:
    """The page of one code, for a terminal."""
    parts = [
        click.style(f"{code.code}  {code.title}", bold=True),
        textwrap.fill(_sentence(code.what), WIDTH),
        textwrap.fill(_sentence(code.why), WIDTH),
        click.style("Not so:", fg="red") + "\n\n" + textwrap.indent(code.example_bad.strip("\n"), "    "),
        click.style("But so:", fg="green") + "\n\n" + textwrap.indent(code.example_good.strip("\n"), "    "),
    ]
    return "\n\n".join(parts)


def _list_all(registry: dict[str, Code], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([asdict(code) for code in registry.values()], indent=2))
        return
    for code in registry.values():
        click.echo(f"{code.code}  {code.title}")
    click.echo("\n`rulespec explain CODE` explains one")


def _unknown(code: str, known: list[str]) -> str:
    near = difflib.get_close_matches(code.upper(), known, n=1)
    advice = f"did you mean `{near[0]}`?" if near else "`rulespec explain` lists the codes"
    return f"there is no code `{code}`; {advice}"


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
