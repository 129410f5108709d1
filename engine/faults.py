"""What a play-out can stumble over: a fault of the rules, never of the player."""

from __future__ import annotations

from rulespec.compiler.core.tree import Origin


class Fault(Exception):
    """The rules ask for something impossible, at `origin`, on the way from or at `block`.

    `kind` is one of the kinds of `Check` (`assert requires ensures enough distinct limit`) or one of:
    `range` (a value that leaves its slot), `index` (outside a slot's or table's dimension), `empty` (`min` or
    `max` over nothing without a default), `choice` (no legal move), `parameter` (an option's parameter leaves
    the range that fixes the encoding of moves), `seat` (somebody is asked who is not there), `chance` (no
    outcome, or one of negative weight), `endless` (more than `stepper.BUDGET` blocks without waiting).
    """

    def __init__(self, kind: str, text: str, origin: Origin, block: str) -> None:
        super().__init__(kind, text, origin, block)  # so that faults survive pickling
        self.kind = kind
        self.text = text
        self.origin = origin
        self.block = block

    @property
    def subject(self) -> str:
        """The slot whose range a value leaves; "" for a fault of another kind."""
        quoted = self.text.split("`", 2)
        return quoted[1].split("[")[0] if self.kind == "range" and len(quoted) == 3 else ""

    def __str__(self) -> str:
        span = self.origin.span
        rule = f" in {self.origin.rule}" if self.origin.rule else ""
        place = f" at {span.file}:{span.line}" if span.file else ""
        cited = f" {self.origin.citation}" if self.origin.citation else ""
        return f"{self.text} ({self.kind}{rule}{place}{cited})"
