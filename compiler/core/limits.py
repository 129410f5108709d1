"""How large a game may get: each limit that is passed ends in a `Refused` with a place in the text."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Diagnostic, Label
from rulespec.compiler.spans import Span

ITEMS = 1_000  # places of a list, values that a loop puts in order
ELEMENTS = 100_000  # numbers in the record
BLOCKS = 10_000
NODES = 20_000  # nodes of one expression, written out in full
DEPTH = 150  # nesting of one expression as written, functions written out
NESTING = 110  # nesting of one lowered expression: what core's text form can be read back with
STEPS = 100_000  # nodes looked at while one configuration is lowered
MULTISETS = 5_000  # ways to take some pieces from a place
DOMAIN = 100_000  # values of a loop, a fold or an option's parameter
EFFORT = 5_000_000  # steps between two waits, or of one claim
WIDTH = 10_000_000  # values of one slot
FAR = 10**12  # no number of a game lies beyond


class Refused(Exception):
    """The text cannot be lowered in this configuration; carries the diagnostic that says why."""

    def __init__(
        self, code: str, message: str, span: Span, *labels: Label, help: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, span, labels, help)
