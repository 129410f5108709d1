"""The turn structure of a game, read off core: who chooses, what, and what follows.

There is a picture of the game, in which the rules that play goes through are boxes, and one of each rule in
which somebody chooses. A picture is a graph of boxes; how it is drawn is not decided here. Whatever a
configuration settles (readings, the number of players) is not in core, so it is in no picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulespec.api import Book
from rulespec.compiler.core import from_typed
from rulespec.reference.picture import GAME, Picture
from rulespec.reference.pictured import passed, pictures
from rulespec.reference.wording import Wording

MOST_COUNTS = 8  # numbers of players; the fewest are looked at
MOST_IN_ALL = 20_000  # boxes, and boxes that arrows lead past

_TOO_MUCH = "there is no picture of this: the game has too many"


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture and the numbers of players that it is true of; without one, `why` there is none."""

    players: tuple[int, ...]
    picture: Picture | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Structure:
    """The pictures of the game (under `GAME`) and of the rules in which somebody chooses, by name.

    Where the number of players makes a difference there are several of one rule, those for fewer first.
    """

    shown: Mapping[str, tuple[Shown, ...]]


def structure(book: Book) -> Structure:
    """The pictures of a rulebook without errors, with the default readings.

    They are of each number of players, or of the first few where there are many.

    The cores are made afresh: where a condition or a call stands in the text is lost in those kept on disk.
    """
    checked = book.checked
    assert checked is not None
    assert checked.rulebook is not None
    wording = Wording(checked.rulebook, book.sources)
    found: dict[str, dict[tuple[Picture | None, str], list[int]]] = {}
    for configuration in from_typed.configurations(checked.rulebook)[:MOST_COUNTS]:
        core, _ = from_typed.compile(checked.rulebook, configuration)
        if core is None:
            continue
        for rule, made in pictures(core, wording).items():
            found.setdefault(rule, {}).setdefault(made, []).append(configuration.players)
    return Structure(_limited(found))


def _limited(
    found: dict[str, dict[tuple[Picture | None, str], list[int]]],
) -> dict[str, tuple[Shown, ...]]:
    """All that was found, as long as it can be laid out in a few seconds."""
    shown: dict[str, list[Shown]] = {}
    total = 0
    for rule, several in found.items():
        for (picture, why), players in several.items():
            total += 0 if picture is None else len(picture.boxes) + passed(picture)
            made = Shown(tuple(players), picture, why)
            if total > MOST_IN_ALL:
                made = Shown(tuple(players), None, _TOO_MUCH)
            shown.setdefault(rule, []).append(made)
    return {rule: tuple(several) for rule, several in shown.items()}


__all__ = ["GAME", "Picture", "Shown", "Structure", "structure"]
