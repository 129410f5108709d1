"""A play on disk: the configuration, who sits where, and every step. A file is whole or not there."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rulespec import whole_file

FORMAT = "rulespec table"
VERSION = 1
LIMIT = 50_000_000  # bytes


class Unusable(Exception):
    """A file that holds no play that could be taken up; the text says why."""


@dataclass(frozen=True)
class Saved:
    """`game` is as it was named on the command line; `play` is what the engine saves."""

    game: str
    players: int
    variants: tuple[str, ...]
    readings: tuple[tuple[str, str], ...]
    seats: tuple[str, ...]
    play: str


def save(path: Path, saved: Saved) -> None:
    """Write a play to a file.

    Raises:
        Unwritable: it cannot be written; an earlier file is as it was.
    """
    content = {"format": FORMAT, "version": VERSION, **asdict(saved), "play": json.loads(saved.play)}
    whole_file.write(path, (json.dumps(content, ensure_ascii=False) + "\n").encode())


def load(path: Path) -> Saved:
    """What `save` wrote.

    Raises:
        OSError: it cannot be read.
        Unusable: it is something else, or damaged.
    """
    with open(path, "rb") as stream:
        data = stream.read(LIMIT + 1)
    try:
        content = json.loads(data) if len(data) <= LIMIT else None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise Unusable(f"`{path}` is not a saved play")
    if content.get("version") != VERSION:
        raise Unusable(f"`{path}` was saved in format {content.get('version')}, this reads format {VERSION}")
    try:
        return _saved(content)
    except (KeyError, TypeError, ValueError):
        raise Unusable(f"`{path}` is damaged") from None


def _saved(content: dict[str, Any]) -> Saved:
    return Saved(
        _text(content["game"]),
        _number(content["players"]),
        tuple(_text(name) for name in content["variants"]),
        tuple((_text(name), _text(meaning)) for name, meaning in content["readings"]),
        tuple(_text(seat) for seat in content["seats"]),
        json.dumps(content["play"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: object) -> int:
    if type(value) is not int:
        raise TypeError
    return value
