"""Both engines of a game held against each other, over all the ways in which the game can be played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulespec.api import Book
from rulespec.compiler.core.tree import Configuration, Core
from rulespec.engine.agree import Agreement, Difference
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.python.playout import Playout
from rulespec.engine.python.stepper import PythonEngine


@dataclass(frozen=True)
class Agreed:
    """What was compared, and the first difference, with the configuration in which it was found."""

    games: int
    steps: int
    configurations: int
    difference: Difference | None = None
    where: Configuration | None = None


def configurations(book: Book) -> Iterator[Configuration]:
    """Each number of players, without and with each variant; and in each of these the default readings, each
    other meaning of a question that has several, and all of these together.

    Raises:
        RulesError: the rulebook has errors.
    """
    outline = book.outline
    players = outline.players if outline else (1, 1)
    others = [
        {reading.name: meaning.name}
        for reading in (outline.readings if outline else ())
        for meaning in reading.meanings
        if meaning.name != reading.default
    ]
    together = {name: meaning for other in others for name, meaning in other.items()}
    readings = [{}, *others, *([together] if len(others) > 1 else [])]
    variants: list[tuple[str, ...]] = [(), *((name,) for name, _ in (outline.variants if outline else ()))]
    for chosen in readings:
        for variant in variants:
            for number in range(players[0], players[1] + 1):
                yield book.configuration(players=number, variants=variant, readings=chosen)


def between(core: Core) -> Agreement:
    """The interpreter and the generated engine of one core, with its fast play-outs."""
    return Agreement(Interpreter(core), PythonEngine(core), Playout(core).play)


def compare(
    book: Book,
    games: int,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, steps: None,
) -> Agreed:
    """Random games spread evenly over all configurations, until two engines part or all have been played.

    With fewer games than configurations, the first of these are left out in turn as `seed` grows.

    Raises:
        RulesError: the rulebook has errors, or one of its configurations.
    """
    ways = list(configurations(book))
    ways = ways[seed % len(ways) :] + ways[: seed % len(ways)]
    played = steps = 0
    for number, way in enumerate(ways[:games]):
        share = games // len(ways) + (number < games % len(ways))
        agreement = between(book.core(way))
        for game in range(share):
            difference = agreement.game(seed + game)
            if difference is not None:
                return Agreed(played, steps + agreement.steps, number + 1, difference, way)
            played += 1
            progress(played, steps + agreement.steps)
        steps += agreement.steps
    return Agreed(played, steps, min(games, len(ways)))
