"""How far a simulation is: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

import click

# Between lines where there is no terminal.
SECONDS = 10.0

Advance = Callable[[int], None]


@contextlib.contextmanager
def progress(games: int, *, colors: bool = True) -> Iterator[Advance]:
    """A function to be told how many more games were played; all is shown on standard error."""
    if sys.stderr.isatty():
        with _bar(games, colors) as advance:
            yield advance
    else:
        yield _lines(games)


@contextlib.contextmanager
def _bar(games: int, colors: bool) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("playing"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("games"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    started = time.monotonic()
    with Progress(*columns, console=Console(stderr=True, no_color=not colors), transient=True) as shown:
        task = shown.add_task("", total=games, rate="")

        def advance(more: int) -> None:
            done = shown.tasks[0].completed + more
            shown.update(task, advance=more, rate=f"{_rate(done, started)} a second")

        yield advance


def _lines(games: int) -> Advance:
    started = last = time.monotonic()
    done = 0

    def advance(more: int) -> None:
        nonlocal done, last
        done += more
        if time.monotonic() - last >= SECONDS:
            last = time.monotonic()
            click.echo(f"{done:,} of {games:,} games, {_rate(done, started)} a second", err=True)

    return advance


def _rate(done: float, started: float) -> str:
    return f"{done / max(1e-9, time.monotonic() - started):,.0f}"
