"""How fast the engines are: `make bench`, or `python benchmarks --help`.

All engines play the same random games in the same run, in turns, so that the ratios hold on a machine that is
busy with other things too. Times are those of this process alone. Exit status 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import beside_openspiel
from rich.console import Console
from rich.table import Table

from rulespec.api import open_rulebook
from rulespec.compiler.core.from_text import parse
from rulespec.compiler.core.tree import Core
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.python.playout import Playout
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.rng import playout

SAMPLES = Path(__file__).parents[1] / "tests" / "core" / "samples"

# What is asked of generated Python: times the interpreter's steps, and whole games of four a second.
LEAST_RATIO = 4
LEAST_GAMES = 300
BAR_GAME = "il_principe, 4 players"

Play = Callable[[int], int]  # seed -> steps of the game


@dataclass
class Engine:
    """One way to play, and what was measured of it."""

    name: str
    play: Play
    ready: float  # seconds until the first game could begin
    games: int = 0
    steps: int = 0
    seconds: float = 0.0

    def run(self, seconds: float) -> None:
        """Plays on from the next seed, for about this long, at least one game."""
        begun = time.process_time()
        while True:
            self.steps += self.play(self.games)
            self.games += 1
            passed = time.process_time() - begun
            if passed >= seconds:
                self.seconds += passed
                return

    @property
    def games_a_second(self) -> float:
        return self.games / self.seconds

    @property
    def steps_a_second(self) -> float:
        return self.steps / self.seconds


@dataclass
class Bench:
    """The engines on one core; the interpreter first."""

    title: str
    engines: list[Engine] = field(default_factory=list)

    def ratio(self, engine: Engine) -> float:
        return engine.steps_a_second / self.engines[0].steps_a_second


def bench(title: str, core: Core, seconds: float, turns: int = 4) -> Bench:
    engines = list(_engines(core))
    for _ in range(turns):
        for engine in engines:
            engine.run(seconds / turns)
    return Bench(title, engines)


def _engines(core: Core) -> Iterator[Engine]:
    makers: list[tuple[str, Callable[[Core], Play]]] = [
        ("interpreter", lambda c: _stepped(Interpreter(c))),
        ("Python, step by step", lambda c: _stepped(PythonEngine(c))),
        ("Python, whole games", _whole),
        ("Python, counting too", _counting),
    ]
    for name, make in makers:
        begun = time.process_time()
        play = make(core)
        play(0)
        yield Engine(name, play, time.process_time() - begun)


def _stepped(engine: Interpreter | PythonEngine) -> Play:
    return lambda seed: playout(engine, seed)[1]


def _whole(core: Core) -> Play:
    games = Playout(core)
    return lambda seed: games.play(seed)[1]


def _counting(core: Core) -> Play:
    games = Playout(core)
    entered, chosen = games.counts()
    return lambda seed: games.play_counted(seed, entered, chosen)[1]


def show(console: Console, found: Bench) -> None:
    table = Table(title=found.title, title_justify="left")
    table.add_column("engine")
    for name in ("games/s", "steps/s", "µs/step", "times", "first game"):
        table.add_column(name, justify="right")
    for engine in found.engines:
        table.add_row(
            engine.name,
            f"{engine.games_a_second:,.1f}",
            f"{engine.steps_a_second:,.0f}",
            f"{1e6 / engine.steps_a_second:.2f}",
            f"{found.ratio(engine):.1f}",
            f"{engine.ready:.2f} s",
        )
    console.print(table)


def judge(console: Console, benches: list[Bench]) -> bool:
    """Says which bars are met; whether all are."""
    bars: list[tuple[str, float, float]] = []
    for found in benches:
        bars.append(
            (
                f"{found.title}: times the interpreter, step by step",
                found.ratio(found.engines[1]),
                LEAST_RATIO,
            )
        )
        if found.title == BAR_GAME:
            bars.append(
                (f"{found.title}: whole games a second", found.engines[2].games_a_second, LEAST_GAMES)
            )
    return told(console, bars)


def told(console: Console, bars: list[tuple[str, float, float]]) -> bool:
    """Says of each bar whether it is met; whether all are."""
    for what, value, least in bars:
        word = "met" if value >= least else "[bold]MISSED[/bold]"
        console.print(f"{what}: {value:,.3g}, at least {least:.3g} asked for: {word}", soft_wrap=True)
    return all(value >= least for _, value, least in bars)


def beside_others(console: Console, seconds: float) -> bool:
    """The classic games beside OpenSpiel's; whether those bars are met that could be measured."""
    try:
        found = beside_openspiel.compare(seconds)
    except ImportError:
        console.print(
            "OpenSpiel is not installed (pip install 'rulespec\\[openspiel]'): nothing is held beside it"
        )
        return True
    beside_openspiel.show(console, found)
    return told(console, beside_openspiel.bars(found))


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks", description="How fast the engines are.")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each engine and game (default: 2)")
    parser.add_argument("--players", type=int, nargs="*", default=[2, 4], help="Il Principe for so many")
    parser.add_argument("--classic", action="store_true", help="only the classic games beside OpenSpiel's")
    arguments = parser.parse_args()
    console = Console()
    met = beside_others(console, arguments.seconds)
    return 0 if (arguments.classic or ours_alone(console, arguments)) and met else 1


def ours_alone(console: Console, arguments: argparse.Namespace) -> bool:
    """Our engines beside one another; whether the bars are met."""
    cores = {f"sample {path.stem}": parse(path.read_text()) for path in sorted(SAMPLES.glob("*.core"))}
    book = open_rulebook("il_principe")
    for players in arguments.players:
        cores[f"il_principe, {players} players"] = book.core(book.configuration(players=players))
    benches: list[Bench] = []
    for title, core in cores.items():
        benches.append(bench(title, core, arguments.seconds))
        show(console, benches[-1])
    return judge(console, benches)


if __name__ == "__main__":
    sys.exit(main())
