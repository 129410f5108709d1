"""The wrong rulebooks, and what they say of themselves: which of their claims are false, and which true.

The comments at the head of a file say it:

    # wrong: what is wrong, in words
    # in: 3 players, variant wide, passing is friendly
    # false: invariant never_negative
    # true: bound total

What is false and true holds in the configuration named in the line `in` before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rulespec import api
from rulespec.compiler.core.tree import Core

FOLDER = Path(__file__).parents[1] / "proofs" / "books"


@dataclass(frozen=True)
class Said:
    """What a book says of its claims in one configuration."""

    players: int
    variants: tuple[str, ...] = ()
    readings: tuple[tuple[str, str], ...] = ()
    false: tuple[str, ...] = ()
    true: tuple[str, ...] = ()


@dataclass(frozen=True)
class WrongBook:
    """A rulebook with one fault. `wrong` says in words which."""

    path: Path
    wrong: str
    said: tuple[Said, ...]

    def core(self, said: Said) -> Core:
        book = opened(self.path)
        return book.core(
            book.configuration(players=said.players, variants=said.variants, readings=dict(said.readings))
        )

    @property
    def sources(self) -> dict[str, str]:
        """Its text, by file name."""
        return opened(self.path).sources


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.rules"))


def read(name: str) -> WrongBook:
    """The book of this name. Raises ValueError for a head that is not written as it should be."""
    path = FOLDER / f"{name}.rules"
    wrong = ""
    found: list[tuple[str, list[str], list[str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("# "):
            break
        key, _, value = line.removeprefix("# ").partition(": ")
        match key:
            case "wrong":
                wrong = value
            case "in":
                found.append((value, [], []))
            case "false":
                found[-1][1].append(value)
            case "true":
                found[-1][2].append(value)
            case _:
                raise ValueError(f"{path.name}: {line}")
    said = tuple(_said(where, false, true) for where, false, true in found)
    return WrongBook(path, wrong, said)


def _said(where: str, false: list[str], true: list[str]) -> Said:
    seats, *rest = where.split(", ")
    variants = tuple(part.removeprefix("variant ") for part in rest if part.startswith("variant "))
    readings = [part.partition(" is ") for part in rest if " is " in part]
    if len(variants) + len(readings) != len(rest):
        raise ValueError(where)
    chosen = tuple((name, meaning) for name, _, meaning in readings)
    return Said(int(seats.split()[0]), variants, chosen, tuple(false), tuple(true))


@cache
def opened(path: Path) -> api.Book:
    """The rulebook itself, read once."""
    return api.Book(path)
