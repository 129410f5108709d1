"""A game given step by step in a file: a record of `rulespec run --json`, a saved play, or moves as text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulespec.engine.state import IllegalMove, State
from rulespec.play.storing import FORMAT as TABLE_FORMAT

LIMIT = 50_000_000  # bytes


class Unfit(Exception):
    """The file holds no steps, or steps that are not possible; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Given:
    """A step: a move by its text or number, or with `chance` an outcome by its name or number."""

    place: str
    what: str | int
    chance: bool = False
    actor: int | None = None


@dataclass(frozen=True)
class MovesFile:
    """The steps, and as far as the file says so the game that they are of."""

    steps: tuple[Given, ...]
    players: int | None = None
    variants: tuple[str, ...] = ()
    readings: tuple[tuple[str, str], ...] = ()
    seed: int | None = None


def read(path: Path) -> MovesFile:
    """What is in the file.

    Raises:
        Unfit: it cannot be read, or holds something else.
    """
    try:
        with open(path, "rb") as stream:
            data = stream.read(LIMIT + 1)
        text = data.decode()
    except OSError as error:
        raise Unfit(f"`{path}` cannot be read: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise Unfit(f"`{path}` is not UTF-8") from None
    if len(data) > LIMIT:
        raise Unfit(f"`{path}` is larger than {LIMIT // 1_000_000} MB")
    if not text.lstrip().startswith("{"):
        return MovesFile(tuple(_line(f"line {n}", line) for n, line in _lines(text)))
    try:
        return _object(json.loads(text))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Unfit(f"`{path}` is neither a record, nor a saved play, nor a list of moves") from None


def follow(state: State, steps: tuple[Given, ...]) -> None:
    """Take the steps in a state without `auto_chance`. What chance decides and no step says, the seed does.

    Raises:
        Unfit: a step is not possible; the state is where it was before that step.
        Fault: the rules fail.
    """
    for given in steps:
        while state.kind == "chance" and not given.chance:
            state.resolve()
        if given.actor is not None and state.actor not in (None, given.actor):
            raise Unfit(f"{given.place}: p{state.actor} is asked, not p{given.actor}")
        try:
            if given.chance:
                state.happen(given.what)
            else:
                state.play(given.what)
        except (IllegalMove, ValueError) as error:
            raise Unfit(f"{given.place}: {error}") from None


def _lines(text: str) -> list[tuple[int, str]]:
    cut = ((number, line.split("#", 1)[0].strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in cut if line]


def _line(place: str, line: str) -> Given:
    """`p0 bid 5`, `bid 5` or `chance milan`."""
    if line.startswith("chance "):
        return Given(place, line.removeprefix("chance ").strip(), chance=True)
    found = re.match(r"p(\d{1,2}):?\s+(.*)", line)
    return Given(place, found[2], actor=int(found[1])) if found else Given(place, line)


def _object(data: dict[str, Any]) -> MovesFile:
    if data.get("format") == TABLE_FORMAT:
        play = data["play"]
        return _made(_saved(play["steps"]), data, dict(data["readings"]), play["seed"])
    steps = [step for one in data["steps"] if (step := _recorded(one)) is not None]
    return _made(tuple(steps), data, data["readings"], data["seed"])


def _made(steps: tuple[Given, ...], data: dict[str, Any], readings: Any, seed: Any) -> MovesFile:
    if not isinstance(readings, dict) or not isinstance(data["variants"], list):
        raise TypeError
    variants = tuple(map(_text, data["variants"]))
    chosen = tuple((_text(name), _text(meaning)) for name, meaning in readings.items())
    return MovesFile(steps, _number(data["players"]), variants, chosen, _number(seed))


def _saved(steps: list[list[Any]]) -> tuple[Given, ...]:
    return tuple(
        Given(f"step {number}", _number(what), chance={"move": False, "chance": True}[kind])
        for number, (kind, what) in enumerate(steps, 1)
    )


def _recorded(step: dict[str, Any]) -> Given | None:
    place = f"step {_number(step['number'])}"
    if "move" in step:
        return Given(place, _number(step["move"]["number"]), actor=_number(step["actor"]))
    if "chance" in step:
        return Given(place, _number(step["chance"]["number"]), chance=True)
    return None


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
