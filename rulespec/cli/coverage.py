"""`rulespec coverage`."""

from __future__ import annotations

import json

import click

from rulespec import api, library, whole_file
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode
from rulespec.coverage import accounts, given, report, told
from rulespec.coverage import index as indexes
from rulespec.coverage.accounts import Coverage


@click.command
@click.argument("game")
@click.option(
    "--source",
    "files",
    multiple=True,
    metavar="[NAME=]FILE",
    help="The text of a source; its name is needed where the rulebook has several and it is new.",
)
@click.option("--update", is_flag=True, help="Write the index of these sources; it holds none of their text.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(game: str, files: tuple[str, ...], update: bool, as_json: bool) -> ExitCode:
    """Show which paragraphs of its sources a rulebook accounts for.

    A paragraph is accounted for by citations of all its lines, or by an `aside` that says why no rule
    needs it. The index beside the rulebook has the lines, kinds and hashes of the paragraphs. With the
    text of a source at hand, what is left is shown with its words, and what has changed since the index
    was made is listed with all that cites it.

    The exit status is 1 where a paragraph is left, a source has no index, or a text is not as it was
    indexed. For CI, where the texts are not: without `--source`.

    \b
    Examples:
      rulespec coverage il_principe                            by the index alone
      rulespec coverage duel --source rules.txt                with the text at hand
      rulespec coverage duel --source rules.txt --update       and make the index anew
      rulespec coverage duel --source rb=a.txt --source faq=b.txt
    """
    if update and not files:
        raise click.UsageError("`--update` makes the index from the texts: give them with `--source`")
    book = api.open_rulebook(game)
    if book.outline is None or book.path is None:
        output.show(book.diagnostics, book.sources)
        return output.problems(as_json=as_json)
    try:
        index = indexes.read(indexes.path_of(book.path))
        before = accounts.with_index(book, index)
        found = given.sources(files, before)
        known = index if not update else given.updated(index, before, found)
        seen = given.updated(known, before, {n: one for n, one in found.items() if n not in known})
        coverage = accounts.with_index(book, seen)
        if update:
            indexes.write(indexes.path_of(book.path), known)
    except library.Unreadable as error:
        output.show([error.diagnostic], {})
        return output.problems(as_json=as_json)
    except given.Unclear as error:
        raise click.UsageError(str(error)) from None
    except (indexes.Unusable, accounts.TooMuch, whole_file.Unwritable) as error:
        raise click.ClickException(str(error)) from None
    changed = [name for name, one in found.items() if one.changed]
    new = [name for name in found if name not in known]
    if as_json:
        click.echo(json.dumps(told.as_json(before, coverage, found), indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(report.lines(before, coverage, found, updated=update)))
        click.echo(_verdict(game, coverage, changed, new, update))
    return ExitCode.FINE if coverage.good and (update or not (changed or new)) else ExitCode.PROBLEMS


def _verdict(game: str, coverage: Coverage, changed: list[str], new: list[str], update: bool) -> str:
    if not coverage.sources:
        return f"{game}: it names no source"
    parts = []
    left = sum(len(source.open) for source in coverage.sources)
    if left:
        parts.append(f"{output.counted(left, 'paragraph')} not accounted for")
    astray = sum(len(source.astray) for source in coverage.sources)
    parts += [f"{output.counted(astray, 'citation')} of nothing"] if astray else []
    for source in coverage.sources:
        if source.indexed is None:
            parts.append(f"no index of `{source.name}`")
        elif source.indexed.lines != source.lines:
            parts.append(f"`{source.name}` is not as long as the rulebook says")
    parts += [f"`{name}` has changed" for name in changed if not update]
    parts += [f"the index has no `{name}` yet: add `--update`" for name in new]
    if parts:
        return click.style(f"{game}: {', '.join(parts)}", fg="red", bold=True)
    number = sum(len(source.paragraphs) for source in coverage.sources)
    every = f"all {number} paragraphs of {output.counted(len(coverage.sources), 'source')}"
    return f"{game}: {every} are accounted for" + (", and the index is written" if update else "")
