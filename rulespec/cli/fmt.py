"""`rulespec fmt`."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from pathlib import Path

import click

from rulespec import library
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode
from rulespec.cli.guard import working_on


@click.command
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--check", is_flag=True, help="Change nothing; say which files would change, and end with 1 if any."
)
@click.option(
    "--diff", is_flag=True, help="Change nothing; show what would change, and end with 1 if anything."
)
def command(files: tuple[str, ...], check: bool, diff: bool) -> ExitCode:
    """Write rulebooks in the one layout.

    Only the blocks of rules are touched, never the prose, and no comment is lost. A file with an error
    in its layout or spelling is left as it is. `-` reads standard input and writes standard output.

    \b
    Examples:
      rulespec fmt duel.rules.md          rewrites the file if need be
      rulespec fmt --check *.rules.md     for a test: which files are not in the one layout?
      rulespec fmt --diff duel.rules.md   what would change?
      rulespec fmt - < old.rules          from standard input to standard output
    """
    status = ExitCode.FINE
    for name in files:
        with working_on(f"formatting `{name}`"):
            if not _format(name, check, diff):
                status = ExitCode.PROBLEMS
    return status


def _format(name: str, check: bool, diff: bool) -> bool:
    """Format one file; False when it has errors, or would change and only was to be looked at."""
    from rulespec.compiler.surface.print import format_text

    try:
        before, shown = _read(name)
    except library.Unreadable as error:
        output.show([error.diagnostic], {})
        return False
    after, diagnostics = format_text(before, shown)
    if output.errors_in(diagnostics):
        output.show(diagnostics, {shown: before})
        return False
    changed = before != after
    if diff and changed:
        click.echo(_diff(before, after, shown), nl=False)
    if check or diff:
        if check and changed:
            click.echo(f"would rewrite {shown}", err=True)
        return not changed
    if name == "-":
        click.echo(after, nl=False)
    elif changed:
        _rewrite(library.at(name).path, after, name)
        click.echo(f"rewrote {name}", err=True)
    return True


def _read(name: str) -> tuple[str, str]:
    if name != "-":
        rulebook = library.at(name)
        return library.read(rulebook), rulebook.shown
    # Markdown shows by its fences; a plain text of rules has none.
    text = library.decode(sys.stdin.buffer.read(library.LIMIT + 1), "standard input")
    return text, "-.rules.md" if "```rules" in text or "~~~rules" in text else "-.rules"


def _diff(before: str, after: str, shown: str) -> str:
    from rulespec.formatting import difference

    colored = []
    for line in difference(before, after, shown):
        color = {"+": "green", "-": "red", "@": "cyan"}.get(line[0])
        colored.append(click.style(line, fg=color) if color else line)
    return "".join(colored)


def _rewrite(path: Path, text: str, name: str) -> None:
    """Put the text in the file's place at one stroke, with the permissions it has; a link stays a link."""
    target = path.resolve()
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
            os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise click.ClickException(
            f"`{name}` cannot be rewritten: {(error.strerror or '').lower()}"
        ) from None
