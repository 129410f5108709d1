"""One module for each kind of page; all that a game has are in `GAME_PAGES`, in the order of its menu."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.site.page import Page
from rulespec.site.pages import (
    components,
    coverage,
    examples,
    glossary,
    playouts,
    properties,
    readings,
    rulebook,
    structure,
    variants,
)
from rulespec.site.subject import Subject

# Each gives a game's page, or None where the game has nothing to say there.
GAME_PAGES: tuple[Callable[[Subject], Page | None], ...] = (
    rulebook.page,
    glossary.page,
    structure.page,
    components.page,
    readings.page,
    variants.page,
    properties.page,
    examples.page,
    playouts.page,
    coverage.page,
)

# Those that show the prose too. All others are the same as long as the rules and the lock file are.
FROM_TEXT: frozenset[Callable[[Subject], Page | None]] = frozenset({rulebook.page, glossary.page})
