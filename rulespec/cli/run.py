"""`rulespec run`."""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec import api, whole_file
from rulespec.cli import output
from rulespec.cli.configuration import Wanted, configuration_options, core_of
from rulespec.cli.exit_code import ExitCode

if TYPE_CHECKING:
    from rulespec.compiler.core.tree import Core
    from rulespec.engine.state import State
    from rulespec.play.moves_file import MovesFile

PLAIN_WIDTH = 100
# Steps after which a game counts as one without end, as in `engine.rng.playout`.
MOST = 100_000
# Steps that a greedy player looks at for one move: fewer than where somebody plays against it.
GREEDY_BUDGET = 3_000


@click.command
@click.argument("game")
@configuration_options()
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="N", help="Decides all chance; by default a random one."
)
@click.option(
    "--policy",
    type=click.Choice(["random", "greedy"]),
    default="random",
    show_default=True,
    help="How the players choose.",
)
@click.option(
    "--moves",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Take the steps from a file instead: a record (`--json`), a saved play, or a move on each line.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object; `--moves` takes it again.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write to a file.")
def command(
    game: str,
    wanted: Wanted,
    seed: int | None,
    policy: str,
    moves: Path | None,
    as_json: bool,
    out: Path | None,
) -> ExitCode:
    """Play one game and show it step by step.

    Each step names the rule that asked, with its place in the source, the rules that it led to, and what
    changed. The same seed gives the same game, which is also the game of that seed in `rulespec simulate`.

    A file of moves has lines such as `bid 5` or `p0 bid 5`, and `chance milan` where chance shall not be left
    to the seed; `#` begins a comment.

    \b
    Examples:
      rulespec run il_principe --players 3 --seed 7
      rulespec run il_principe --players 3 --seed 7 --json --out game.json
      rulespec run il_principe --moves game.json
    """
    steps, wanted, seed = _given(moves, wanted, seed)
    book = api.open_rulebook(game)
    core = core_of(book, wanted)
    if core is None:
        return output.problems(as_json=as_json and out is None)
    if out is not None:
        _check(out)
    state, trouble = _play(core, random.randrange(2**32) if seed is None else seed, policy, steps)
    text = (
        _as_json(state)
        if as_json
        else _as_text(state, book, colors=out is None and output.colors_on(sys.stdout))
    )
    if out is None:
        click.echo(text, nl=False)
    else:
        _write(out, text)
    if trouble:
        click.echo(trouble, err=True)
    return ExitCode.PROBLEMS if trouble else ExitCode.FINE


def _given(
    moves: Path | None, wanted: Wanted, seed: int | None
) -> tuple[MovesFile | None, Wanted, int | None]:
    """The steps of a file, and what it says of configuration and seed where the command line does not."""
    if moves is None:
        return None, wanted, seed
    from rulespec.play import moves_file

    try:
        given = moves_file.read(moves)
    except moves_file.Unfit as error:
        raise click.ClickException(str(error)) from None
    wanted = replace(
        wanted,
        players=given.players if wanted.players is None else wanted.players,
        variants=wanted.variants or given.variants,
        readings={**dict(given.readings), **wanted.readings},
    )
    return given, wanted, given.seed if seed is None else seed


def _play(core: Core, seed: int, policy: str, given: MovesFile | None) -> tuple[State, str]:
    """The play, and what kept it from going on."""
    from rulespec.engine.faults import Fault
    from rulespec.engine.game import Game, random_step
    from rulespec.engine.python.stepper import PythonEngine
    from rulespec.play import moves_file
    from rulespec.play.opponents import GreedyOpponent, luck

    game = Game(core, PythonEngine(core))
    state = game.start(seed, auto_chance=False)
    try:
        if given is not None:
            moves_file.follow(state, given.steps)
            return state, ""
        rng, greedy = random.Random(seed), GreedyOpponent(game.stepper, GREEDY_BUDGET)
        for _ in range(MOST):
            if state.over:
                break
            if policy == "random":
                random_step(state, rng)
            elif state.kind == "chance":
                state.resolve()
            else:
                state.play(greedy.choose(state, luck(state)))
    except moves_file.Unfit as error:
        return state, str(error)
    except Fault as fault:
        return state, f"the rules cannot go on from here: {fault}"
    return state, "" if state.over else f"no end after {MOST} steps"


def _as_json(state: State) -> str:
    from rulespec.engine.record import Viewer, record
    from rulespec.play.chronicle import callers
    from rulespec.play.working import Workings

    workings = Workings(state.game.core)
    played = record(state)
    content = played.as_json(Viewer(everything=True))
    for step, entry in zip(content["steps"], played.entries, strict=True):
        step["within"] = callers(entry, workings)
    content["ranking"] = [
        {
            "place": 1 + sum(map(len, state.ranking[:place])),
            "seat": f"p{seat}",
            "keys": list(state.keys[seat]),
        }
        for place, seats in enumerate(state.ranking)
        for seat in seats
    ]
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _as_text(state: State, book: api.Book, *, colors: bool) -> str:
    from rich.console import Console

    from rulespec.engine.record import record
    from rulespec.play import show
    from rulespec.play.chronicle import chronicle
    from rulespec.play.events import seat_names
    from rulespec.play.screen import clean

    core = state.game.core
    usual = {reading.name: reading.default for reading in book.outline.readings} if book.outline else {}
    unusual = {name: taken for name, taken in core.configuration.readings if usual.get(name) != taken}
    text = "".join(f"{clean(line)}\n" for line in chronicle(record(state), unusual))
    if not state.over:
        return f"{text}\nthe game is not over\n"
    console = Console(file=StringIO(), width=PLAIN_WIDTH, force_terminal=colors, no_color=not colors)
    if core.ranking:
        console.print(show.ranking(state, seat_names(core)))
    console.print(show.winners(state, seat_names(core)), highlight=False)
    assert isinstance(console.file, StringIO)
    return f"{text}\n{console.file.getvalue()}"


def _check(out: Path) -> None:
    try:
        whole_file.check(out)
    except whole_file.Unwritable as error:
        raise click.ClickException(str(error)) from None


def _write(out: Path, text: str) -> None:
    try:
        whole_file.write(out, text.encode())
    except whole_file.Unwritable as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"written to `{out}`", err=True)
