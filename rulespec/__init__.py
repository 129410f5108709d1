"""The rules of board games as text that plays, checks and proves.

    >>> import rulespec
    >>> game = rulespec.load("il_principe", players=4)
    >>> state = game.start(seed=7)
    >>> state.actor, len(state.moves())

What is listed here is public; each part is imported when it is first used, so that `import rulespec`
costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulespec.api import Book, RulesError, check, games, load, open_rulebook
    from rulespec.compiler.core.tree import Configuration, Core
    from rulespec.compiler.diagnostics import Diagnostic, Label, Severity
    from rulespec.compiler.spans import Citation, Span
    from rulespec.engine.faults import Fault
    from rulespec.engine.game import Game
    from rulespec.engine.moves import Move
    from rulespec.engine.saving import SaveError
    from rulespec.engine.state import IllegalMove, Outcome, State
    from rulespec.outline import ConfigurationError
    from rulespec.proofs.verdicts import Limits, Verdict
    from rulespec.proofs.verify import verify

__all__ = [  # noqa: RUF022  grouped by what one wants to do
    # rulebooks
    "games", "load", "check", "open_rulebook", "Book", "Configuration", "ConfigurationError", "RulesError",
    # playing
    "Game", "State", "Move", "Outcome", "IllegalMove", "SaveError", "Fault",
    # proving
    "verify", "Verdict", "Limits",
    # what is found in rulebooks, and where
    "Diagnostic", "Severity", "Label", "Span", "Citation", "Core",
]  # fmt: skip

_HOMES = {
    "rulespec.api": ("games", "load", "check", "open_rulebook", "Book", "RulesError"),
    "rulespec.outline": ("ConfigurationError",),
    "rulespec.compiler.core.tree": ("Configuration", "Core"),
    "rulespec.compiler.diagnostics": ("Diagnostic", "Severity", "Label"),
    "rulespec.compiler.spans": ("Span", "Citation"),
    "rulespec.engine.game": ("Game",),
    "rulespec.engine.state": ("State", "Outcome", "IllegalMove"),
    "rulespec.engine.moves": ("Move",),
    "rulespec.engine.saving": ("SaveError",),
    "rulespec.engine.faults": ("Fault",),
    "rulespec.proofs.verify": ("verify",),
    "rulespec.proofs.verdicts": ("Verdict", "Limits"),
}


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names:
            found = globals()[name] = getattr(importlib.import_module(module), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
