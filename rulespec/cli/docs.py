"""`rulespec docs`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec import api
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode
from rulespec.cli.guard import working_on
from rulespec.whole_file import Unwritable

if TYPE_CHECKING:
    from rulespec.site.page import Page
    from rulespec.site.subject import Subject

MOST_SHOWN = 20  # broken links


@click.group
def command() -> None:
    """Publish rulebooks as a site that can be browsed.

    Needs what `pip install rulespec[site]` installs.

    \b
    Examples:
      rulespec docs build il_principe      the site, in the folder `site`
      rulespec docs serve duel.rules.md    shown in a browser, and made anew at each edit
    """


@command.command("build")
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("site"),
    show_default=True,
    help="The folder of the site; one that this command has made before is replaced.",
)
@click.option("--title", default="", help="The title of the site; without it, that of the only game.")
@click.option("--url", default="", metavar="URL", help="Where it will be published, for its page of errors.")
@click.option("--no-handbook", is_flag=True, help="Leave out the handbook of rulespec itself.")
def build(games: tuple[str, ...], out: Path, title: str, url: str, no_handbook: bool) -> ExitCode:
    """Make the site of some games in a folder.

    GAME is the name of a bundled game or the path of a rulebook. The folder can be served by any server of
    plain files. It appears whole: where a rulebook has errors or a link leads nowhere, what was there before
    is left as it was.

    \b
    Examples:
      rulespec docs build il_principe
      rulespec docs build duel.rules.md --out public --title "Our games"
    """
    from rulespec.site import build as site
    from rulespec.site.rendering import Failed, Missing
    from rulespec.site.subject import Subject

    teller = output.Teller()
    try:
        with working_on("building the site"):
            subjects = [Subject(game) for game in games]
            pages = () if no_handbook else _handbook()
            built = site.build(
                subjects, out, title=title or _title(subjects), url=url, more=pages, tell=teller
            )
    except api.RulesError as error:
        output.show(error.diagnostics, error.sources)
        return output.problems(as_json=False)
    except site.BrokenLinks as error:
        output.line("")
        for each in error.broken[:MOST_SHOWN]:
            click.echo(f"error: {each.page}: {each.reason}", err=True)
        more = len(error.broken) - MOST_SHOWN
        if more > 0:
            click.echo(f"and {more} more", err=True)
        return ExitCode.PROBLEMS
    except (Missing, Failed, Unwritable, site.SameName) as error:
        raise click.ClickException(str(error)) from None
    output.line("")
    click.echo(f"{out}: {output.counted(built.pages, 'page')} in {built.seconds:.1f} s")
    return ExitCode.FINE


@command.command("serve")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any.")
@click.option("--title", default="", help="The title of the site; without it, that of the only game.")
@click.option("--no-handbook", is_flag=True, help="Leave out the handbook of rulespec itself.")
def serve(games: tuple[str, ...], port: int, title: str, no_handbook: bool) -> ExitCode:
    """Show the site of some games in a browser of this machine, and follow their files.

    Without GAME it is the rulebook of the folder. An edit is seen in a moment: open pages load anew. While a
    rulebook has errors they are told here and on each page. Ctrl-C ends it.

    \b
    Examples:
      rulespec docs serve
      rulespec docs serve duel.rules.md --port 9000
    """
    from rulespec.cli.serving import serve as run

    return run(games or (".",), port, title, () if no_handbook else _handbook())


def _handbook() -> tuple[Page, ...]:
    from rulespec.cli.main import app
    from rulespec.site import handbook

    return handbook.pages(app)


def _title(subjects: list[Subject]) -> str:
    from rulespec.site.build import SEVERAL

    return subjects[0].title if len(subjects) == 1 else SEVERAL
