"""What `rulespec docs serve` does: looks at files, makes the site anew, and says so."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec import api
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode
from rulespec.compiler.render import render

if TYPE_CHECKING:
    from rulespec.site.live import Live
    from rulespec.site.page import Page
    from rulespec.site.server import State

LOOKS = 0.2  # seconds between two looks at the files


def serve(games: Sequence[str], port: int, title: str, more: Sequence[Page]) -> ExitCode:
    """Serve the site of some games until Ctrl-C."""
    from rulespec.site import rendering
    from rulespec.site.live import Live
    from rulespec.site.server import State, serving

    try:
        rendering.check_installed()
    except rendering.Missing as error:
        raise click.ClickException(str(error)) from None
    state = State()
    with tempfile.TemporaryDirectory(prefix="rulespec-site-") as place:
        live = Live(games, title, more, Path(place), tell=output.Teller())
        live.shown = lambda note: state.change(live.site, note)
        try:
            with serving(state, port) as address:
                click.echo(f"{address} shows {', '.join(games)}; Ctrl-C ends it")
                _follow(live, state)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            advice = "; `--port 0` takes a free one" if "in use" in reason else ""
            raise click.ClickException(f"port {port} cannot be used: {reason}{advice}") from None
        except KeyboardInterrupt:
            click.echo("")
    return ExitCode.FINE


def _follow(live: Live, state: State) -> None:
    waiting: set[str] = set(live.games)
    while True:
        waiting |= set(live.changed())
        if waiting:
            waiting = set() if _update(live, state, sorted(waiting)) else waiting
        time.sleep(LOOKS)


def _update(live: Live, state: State, games: Sequence[str]) -> bool:
    """Make the site anew, and say what comes of it; whether that is all that there is to do for now."""
    from rulespec.site import links
    from rulespec.site.live import Overtaken
    from rulespec.site.rendering import Failed, Missing

    start = time.monotonic()
    try:
        live.update(games)
    except api.RulesError as error:
        output.line("")
        output.show(error.diagnostics, error.sources)
        number = output.counted(output.errors_in(error.diagnostics), "error")
        said = render(error.diagnostics, error.sources, color=False)
        state.change(live.site if live.ready else None, f"The rulebook has {number}.\n{said}")
        click.echo(f"{number}; waiting for the next edit")
        return True
    except Overtaken:
        return False
    except (Missing, Failed) as error:
        raise click.ClickException(str(error)) from None
    output.line("")
    click.echo(f"made in {time.monotonic() - start:.1f} s")
    for each in links.check(live.site)[:20]:
        click.echo(f"warning: {each.page}: {each.reason}", err=True)
    return True
