"""The options that several commands have: those that choose a configuration, and how many processes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from rulespec import api
from rulespec.cli import output
from rulespec.outline import ConfigurationError

if TYPE_CHECKING:
    from rulespec.compiler.core.tree import Configuration, Core

Command = Callable[..., object]
MOST_JOBS = 256


@dataclass(frozen=True)
class Wanted:
    """A configuration as asked for on the command line; the rest is left to the rulebook's defaults."""

    players: int | None
    variants: tuple[str, ...]
    readings: dict[str, str]


def read_readings(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """What `--reading` says: the meaning chosen for each question, by names."""
    chosen: dict[str, str] = {}
    for text in given:
        name, equals, meaning = (part.strip() for part in text.partition("="))
        if not (equals and name and meaning):
            raise click.BadParameter(f"`{text}` is not of the form `NAME=MEANING`", ctx, param)
        if chosen.get(name, meaning) != meaning:
            raise click.BadParameter(f"`{name}` is settled twice", ctx, param)
        chosen[name] = meaning
    return chosen


variants_option = click.option(
    "--variant", "variants", multiple=True, metavar="NAME", help="With a variant; may be repeated."
)
readings_option = click.option(
    "--reading",
    "readings",
    multiple=True,
    metavar="NAME=MEANING",
    callback=read_readings,
    help="Settle an open question other than by default; `rulespec readings GAME` lists them.",
)
jobs_option = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    metavar="N",
    help="How many processes; by default one for each processor.",
)


def configuration_options(*, players_required: bool = False) -> Callable[[Command], Command]:
    """Add `--players`, `--variant` and `--reading`, which reach the command as one `wanted`."""

    def add(function: Command) -> Command:
        options = (
            click.option(
                "-p",
                "--players",
                type=click.IntRange(min=1, max=99),
                required=players_required,
                metavar="N",
                help="How many players." if players_required else "How many players; by default the fewest.",
            ),
            variants_option,
            readings_option,
        )

        @functools.wraps(function)
        def call(
            players: int | None, variants: tuple[str, ...], readings: dict[str, str], **others: object
        ) -> object:
            return function(wanted=Wanted(players, variants, readings), **others)

        return functools.reduce(lambda command, option: option(command), reversed(options), call)

    return add


def configuration_of(book: api.Book, wanted: Wanted) -> Configuration | None:
    """The configuration that is asked for; prints why and gives None where the rulebook has errors.

    Raises:
        click.UsageError: the rulebook does not have it.
    """
    if book.outline is None:
        output.show(book.diagnostics, book.sources)
        return None
    players = book.outline.players[0] if wanted.players is None else wanted.players
    try:
        return book.configuration(players=players, variants=wanted.variants, readings=wanted.readings)
    except ConfigurationError as error:
        raise click.UsageError(str(error)) from None


def core_of(book: api.Book, wanted: Wanted) -> Core | None:
    """The core of the configuration that is asked for; prints why and gives None where there are errors.

    Raises:
        click.UsageError: the rulebook does not have that configuration.
    """
    configuration = configuration_of(book, wanted)
    if configuration is None:
        return None
    core, found = book.compile(configuration)
    output.show(found, book.sources)
    return core
