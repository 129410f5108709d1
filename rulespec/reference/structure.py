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
from rulespec.reference.pictured import pictures
from rulespec.reference.wording import Wording


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
    """The pictures of a rulebook without errors, for each number of players, with the default readings.

    The cores are made afresh: where a condition or a call stands in the text is lost in those kept on disk.
    """
    checked = book.checked
    assert checked is not None
    assert checked.rulebook is not None
    wording = Wording(checked.rulebook, book.sources)
    found: dict[str, dict[tuple[Picture | None, str], list[int]]] = {}
    for configuration in from_typed.configurations(checked.rulebook):
        core, _ = from_typed.compile(checked.rulebook, configuration)
        if core is None:
            continue
        for rule, made in pictures(core, wording).items():
            found.setdefault(rule, {}).setdefault(made, []).append(configuration.players)
    return Structure(
        {
            rule: tuple(Shown(tuple(players), *made) for made, players in several.items())
            for rule, several in found.items()
        }
    )


__all__ = ["GAME", "Picture", "Shown", "Structure", "structure"]
