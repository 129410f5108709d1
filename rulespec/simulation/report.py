"""What many games came to, as tables for people and as values for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from rulespec.compiler.core.tree import Core
from rulespec.engine.simulate import Result
from rulespec.play.screen import clean
from rulespec.simulation.offered import OptionName
from rulespec.simulation.tally import Rate, Spread, Tally

# Faults of the rules that are shown with their seeds.
_SHOWN_STOPS = 3


@dataclass(frozen=True)
class Setting:
    """What was simulated: `seats` are the players' names, `asked` the number of games that were wanted."""

    core: Core
    seats: tuple[str, ...]
    engine: str
    seed: int
    asked: int
    rulebook: str  # a hash of the rules in this configuration

    def facts(self) -> dict[str, Any]:
        """The configuration as values for JSON."""
        configuration = self.core.configuration
        return {
            "game": configuration.game,
            "title": self.core.title,
            "players": configuration.players,
            "variants": list(configuration.variants),
            "readings": dict(configuration.readings),
            "settings": dict(configuration.settings),
            "rulebook": self.rulebook,
            "engine": self.engine,
            "seed": self.seed,
            "asked": self.asked,
        }


def as_json(setting: Setting, tally: Tally) -> dict[str, Any]:
    """Everything that the tables show."""
    rules, options = tally.rules(), _dotted(tally.options())
    return {
        **setting.facts(),
        "games": len(tally.games),
        "finished": len(tally.finished),
        "length": _optional(tally.lengths()),
        "shared_wins": _optional(tally.shared()),
        "seats": [
            {
                "seat": f"p{seat}",
                "score": _optional(tally.scores(seat)),
                "wins": _optional(tally.wins(seat)),
            }
            for seat in range(len(setting.seats))
        ],
        "rules": rules,
        "options": options,
        "never": {"rules": never(rules), "options": never(options)},
        "stopped": [{"seed": game.seed, "reason": reason(game)} for game in tally.stopped],
    }


def never(counts: Mapping[str, int]) -> list[str]:
    """What is offered and did not happen once."""
    return [name for name, times in counts.items() if not times]


def reason(game: Result) -> str:
    """Why a game did not end."""
    return game.fault or f"no end after {game.steps} steps"


def tables(setting: Setting, tally: Tally) -> Iterator[RenderableType]:
    """The tables, one after the other."""
    lengths = tally.lengths()
    if lengths is not None:
        yield _text(
            f"moves in a game: {lengths.least} to {lengths.most}, median {lengths.median:g}, "
            f"mean {lengths.mean:.1f}"
        )
        yield _text("")
        yield _seats(setting, tally)
    rules, options = tally.rules(), _dotted(tally.options())
    if tally.games:
        yield _happened("rule", _rule_titles(setting.core), rules, len(tally.games))
        yield _happened("option", {}, options, len(tally.games))
    yield from _never("rules", rules)
    yield from _never("options", options)
    yield from _stopped(tally)


def _dotted(options: Mapping[OptionName, int]) -> dict[str, int]:
    return {".".join(filter(None, name)): times for name, times in options.items()}


def _seats(setting: Setting, tally: Tally) -> RenderableType:
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    grid.add_column("seat")
    for heading in ("wins", "95 % interval", "mean score", "spread", "least", "median", "most"):
        grid.add_column(heading, justify="right", no_wrap=True)
    for number, seat in enumerate(setting.seats):
        wins, scores = tally.wins(number), tally.scores(number)
        grid.add_row(_text(seat), *_wins(wins), *_scores(scores))
    shared = tally.shared()
    if shared and shared.share:
        grid.caption = f"several players win together in {_percent(shared.share)} of the games"
        grid.caption_justify = "left"
    return grid


def _wins(wins: Rate | None) -> tuple[str, str]:
    if wins is None:
        return "", ""
    return _percent(wins.share), f"{100 * wins.low:.1f} to {100 * wins.high:.1f}"


def _scores(scores: Spread | None) -> tuple[str, ...]:
    if scores is None:
        return ("",) * 5
    return (
        f"{scores.mean:.1f}",
        f"±{scores.deviation:.1f}",
        str(scores.least),
        f"{scores.median:g}",
        str(scores.most),
    )


def _happened(what: str, titles: Mapping[str, str], counts: Mapping[str, int], games: int) -> RenderableType:
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    grid.add_column(what)
    if titles:
        grid.add_column("title", style="bright_black")
    grid.add_column("times a game", justify="right", no_wrap=True)
    for name, times in counts.items():
        cells = [_text(name), *([_text(titles.get(name, ""))] if titles else [])]
        grid.add_row(*cells, _number(times / games), style="" if times else "yellow")
    return grid


def _rule_titles(core: Core) -> dict[str, str]:
    return {
        rule.name: f"{rule.title} {rule.citation}" if rule.citation else rule.title for rule in core.rules
    }


def _never(what: str, counts: Mapping[str, int]) -> Iterator[RenderableType]:
    names = never(counts)
    if names:
        yield _text(f"{what} that never happened: {', '.join(names)}", "yellow")
    elif counts:
        yield _text(f"{what}: each of the {len(counts)} happened")


def _stopped(tally: Tally) -> Iterator[RenderableType]:
    stopped = tally.stopped
    if stopped:
        yield _text(f"{len(stopped)} of {len(tally.games)} games did not end:", "bold red")
    for game in stopped[:_SHOWN_STOPS]:
        yield _text(f"  seed {game.seed}: {reason(game)}")
    if len(stopped) > _SHOWN_STOPS:
        yield _text(f"  and {len(stopped) - _SHOWN_STOPS} more")


def _optional(value: Spread | Rate | None) -> dict[str, Any] | None:
    return None if value is None else asdict(value)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _number(value: float) -> str:
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 or value == 0 else f"{value:.4f}"


def _text(text: str, style: str = "") -> Text:
    return Text(clean(text), style=style)
