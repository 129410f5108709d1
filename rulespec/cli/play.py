"""`rulespec play`."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec import api, library
from rulespec.cli import output
from rulespec.cli.configuration import Wanted, configuration_options, core_of
from rulespec.cli.exit_code import ExitCode

if TYPE_CHECKING:
    from rulespec.compiler.core.tree import Core
    from rulespec.engine.game import Game
    from rulespec.engine.state import State
    from rulespec.play.session import Session
    from rulespec.play.storing import Saved

ME = "me"
KINDS = ("random", "greedy")


@click.command
@click.argument("game", required=False)
@configuration_options()
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="P=WHO,...",
    help="Who sits where: `p0=me,p1=random,p2=greedy`. Several may be `me`.",
)
@click.option("--humans", type=click.IntRange(0, 99), metavar="N", help="How many of you play; 1 by default.")
@click.option(
    "--opponents",
    type=click.Choice(KINDS),
    default="greedy",
    show_default=True,
    help="Who plays the seats that nobody was named for.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="N", help="Decides all chance; by default a random one."
)
@click.option(
    "--save", "save_path", type=click.Path(path_type=Path), metavar="FILE", help="Save here after every move."
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Go on with a saved play, and save there.",
)
def command(
    game: str | None,
    wanted: Wanted,
    seats: tuple[str, ...],
    humans: int | None,
    opponents: str,
    seed: int | None,
    save_path: Path | None,
    resume: Path | None,
) -> ExitCode:
    """Play a game at this keyboard, alone or together.

    The computer plays the other seats. You see what your seat may see. Several people share the keyboard:
    what is private is hidden while it is handed over. `help` at the prompt lists the commands: undo, save,
    hint, log and others. The greedy opponent looks one move ahead and knows no more than its seat.

    \b
    Examples:
      rulespec play il_principe --players 3
      rulespec play il_principe --players 4 --humans 2 --opponents random
      rulespec play il_principe --players 3 --seat p0=greedy,p1=me,p2=random --save game.save
      rulespec play --resume game.save
    """
    saved = None
    game = None if game is None else _lasting(game)
    if resume is not None:
        saved = _saved(resume, game, wanted, seed)
        game, wanted = saved.game, Wanted(saved.players, saved.variants, dict(saved.readings))
    if game is None:
        raise click.UsageError("name a game, or a saved play with `--resume`")
    core = core_of(api.open_rulebook(game), wanted)
    if core is None:
        return ExitCode.PROBLEMS
    if saved is not None and not seats and humans is None:
        seating = _checked(saved.seats, core)
    else:
        seating = _seating(core.configuration.players, seats, humans, opponents)
    return _play(_session(game, core, seating, seed, save_path or resume, saved))


def _lasting(game: str) -> str:
    """A game's name as it can be found again from another folder."""
    bundled = game in library.games()
    return os.path.abspath(game) if not bundled and os.path.exists(game) else game


def _saved(path: Path, game: str | None, wanted: Wanted, seed: int | None) -> Saved:
    """The saved play, if nothing else that was said contradicts it."""
    from rulespec.play import storing

    if wanted.players is not None or wanted.variants or wanted.readings or seed is not None:
        raise click.UsageError("a saved play has its players, variants, readings and seed already")
    try:
        saved = storing.load(path)
    except storing.Unusable as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.FileError(str(path), (error.strerror or str(error)).lower()) from None
    if game is not None and game != saved.game:
        raise click.UsageError(f"`{path}` is a play of `{saved.game}`, not of `{game}`")
    return saved


def _seating(players: int, given: Sequence[str], humans: int | None, opponents: str) -> tuple[str, ...]:
    """Who sits where: what is named, then people from the first free seat on, then opponents."""
    named: dict[int, str] = {}
    for part in ",".join(given).split(",") if given else ():
        seat, who = _named(part, players)
        if named.setdefault(seat, who) != who:
            raise click.UsageError(f"two sit at p{seat}")
    people = humans if humans is not None else 0 if ME in named.values() else 1
    free = [seat for seat in range(players) if seat not in named]
    if people > len(free) and humans is not None:
        raise click.UsageError(f"{people} people want to sit, but only {len(free)} seats are free")
    named |= {seat: ME if number < people else opponents for number, seat in enumerate(free)}
    return tuple(named[seat] for seat in range(players))


def _named(part: str, players: int) -> tuple[int, str]:
    name, equals, who = (text.strip().lower() for text in part.partition("="))
    seats = [f"p{seat}" for seat in range(players)]
    if not equals or name not in seats or who not in (ME, *KINDS):
        raise click.UsageError(
            f"`{part.strip()}` does not seat anybody: write `{seats[-1]}={ME}`, `{seats[-1]}={KINDS[0]}` or "
            f"`{seats[-1]}={KINDS[1]}`; the seats are {seats[0]} to {seats[-1]}"
        )
    return seats.index(name), who


def _checked(seats: tuple[str, ...], core: Core) -> tuple[str, ...]:
    if len(seats) != core.configuration.players or not set(seats) <= {ME, *KINDS}:
        raise click.ClickException("the saved play is damaged: its seats are not those of the game")
    return seats


def _session(
    name: str, core: Core, seats: tuple[str, ...], seed: int | None, path: Path | None, saved: Saved | None
) -> Session:
    from rulespec.engine.game import Game
    from rulespec.engine.python.stepper import PythonEngine
    from rulespec.play import storing
    from rulespec.play.opponents import GreedyOpponent, Opponent, RandomOpponent
    from rulespec.play.screen import Screen
    from rulespec.play.session import Seating, Session

    game = Game(core, PythonEngine(core))
    if saved is None:
        state = game.start(random.randrange(2**32) if seed is None else seed, auto_chance=False)
    else:
        state = _resumed(game, saved)
    configuration = core.configuration

    def keep(state: State) -> Saved:
        return storing.Saved(
            name,
            configuration.players,
            configuration.variants,
            configuration.readings,
            seats,
            state.to_json(),
        )

    opponents: dict[str, Opponent] = {"random": RandomOpponent(), "greedy": GreedyOpponent(game.stepper)}
    screen = Screen(colors=output.colors_on(sys.stdout))
    return Session(state, Seating(seats, opponents), screen, keep, path)


def _resumed(game: Game, saved: Saved) -> State:
    try:
        return game.from_json(saved.play)
    except ValueError as error:
        raise click.ClickException(str(error)) from None


def _play(session: Session) -> ExitCode:
    from rulespec.play.session import Ending

    session.begin()
    match session.run():
        case Ending.INTERRUPTED:
            return ExitCode.INTERRUPTED
        case Ending.FAULT:
            return ExitCode.PROBLEMS
        case _:
            return ExitCode.FINE
