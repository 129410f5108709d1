"""Generated source as running functions, with the few things that it expects to find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any, NoReturn

from rulespec.compiler.core.tree import Core
from rulespec.engine.faults import Fault
from rulespec.engine.interpreter.evaluate import Wrong, store
from rulespec.engine.python.emit import Generated
from rulespec.engine.python.frame import Site
from rulespec.engine.stepper import BUDGET


def load(core: Core, generated: Generated) -> dict[str, Any]:
    """The names that the module defines.

    The source holds nothing from the rules but numbers, sanitised names, comments and docstrings.
    """
    namespace = _supplied(core, generated.sites)
    code = compile(generated.source, f"<generated for {core.configuration.game!r}>", "exec")
    exec(code, namespace)  # noqa: S102
    return namespace


def _supplied(core: Core, sites: Sequence[Site]) -> dict[str, Any]:
    def fault(number: int, *values: int) -> NoReturn:
        """The fault of a site, with `values` where its text is cut."""
        site = sites[number]
        shown = map(str, values[: len(site.text) - 1])
        text = "".join(a + b for a, b in zip_longest(site.text, shown, fillvalue=""))
        raise Fault(site.kind, text, site.origin, site.block)

    def within(index: int, size: int, number: int) -> int:
        """The index, if there is such an element."""
        if 0 <= index < size:
            return index
        return fault(number, index)

    def leaves(value: int, number: int, *index: int) -> None:
        """The fault of a value that its slot cannot hold, in the interpreter's words."""
        site = sites[number]
        try:
            store(core, site.text[0], index, value, [])
        except Wrong as wrong:
            raise Fault(wrong.kind, wrong.text, site.origin, site.block) from None

    def pick(draw: Callable[[], float], low: int, weights: Sequence[int], number: int) -> int:
        """The outcome, from `low` on, that holds a random unit of weight; no draw where one is possible.

        The same as `rng.pick` on the outcomes of positive weight; no weight is below 0.
        """
        total = sum(weights)
        if total in weights:
            return low + weights.index(total) if total else fault(number)
        unit = int(draw() * total)
        for weight in weights:
            unit -= weight
            if unit < 0:
                return low
            low += 1
        raise ArithmeticError("a random unit beyond the sum of all weights")

    def no_debts(weights: Sequence[int], low: int, number: int) -> Sequence[int]:
        """The weights, if none is below 0."""
        for outcome, weight in enumerate(weights, low):
            if weight < 0:
                fault(number, outcome, weight)
        return weights

    return {
        "BUDGET": BUDGET,
        "fault": fault,
        "within": within,
        "leaves": leaves,
        "pick": pick,
        "no_debts": no_debts,
        "Over": Over,
    }


class Over(Exception):
    """A play-out has come to its end."""
