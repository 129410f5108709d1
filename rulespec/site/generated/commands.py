"""The reference of the command line, from the commands themselves."""

from __future__ import annotations

import inspect
import re

import click

from rulespec.site.generated.words import code, fenced, prose
from rulespec.site.page import plain


def listed(app: click.Group) -> str:
    """Each command with what its `--help` says, under a heading with its name as the anchor."""
    context = click.Context(app, info_name="rulespec")
    parts: list[str] = []
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        if command is not None:
            parts.append(_section(command, click.Context(command, parent=context, info_name=name)))
    return "\n\n".join(parts)


def _section(command: click.Command, context: click.Context) -> str:
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    parts = [
        f"## {context.command_path} {{#{'-'.join(context.command_path.split()[1:])}}}",
        fenced(usage, "text"),
    ]
    parts += [_told(part) for part in re.split(r"\n\s*\n", inspect.cleandoc(command.help or ""))]
    rows = [row for parameter in command.params for row in _option(parameter, context)]
    if rows:
        parts.append("\n".join(("| option | what it does |", "|---|---|", *rows)))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                parts.append(_section(inner, click.Context(inner, parent=context, info_name=name)))
    return "\n\n".join(parts)


def _told(part: str) -> str:
    """A paragraph, or after `\\b` lines as they are written."""
    if not part.startswith("\b"):
        return prose(part)
    head, *lines = part.removeprefix("\b").strip("\n").splitlines()
    return f"{plain(head)}\n\n{fenced(chr(10).join(line.removeprefix('  ') for line in lines), 'text')}"


def _option(parameter: click.Parameter, context: click.Context) -> list[str]:
    record = parameter.get_help_record(context)
    if record is None or not record[1]:  # an argument, which the text speaks of
        return []
    spelled, meaning = record
    return [f"| {code(spelled).replace('|', chr(92) + '|')} | {prose(meaning).replace('|', chr(92) + '|')} |"]
