"""Which open questions a rule leans on: those that it asks itself, by its functions, params and money, and
those of the rules that it calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.walk import every


@dataclass(frozen=True)
class Leaning:
    """`own` readings change the rule itself, `called` (which are not among them) what it calls directly."""

    own: tuple[str, ...] = ()
    called: tuple[str, ...] = ()


def leanings(rulebook: t.Rulebook) -> Mapping[str, Leaning]:
    """For each rule, by its name in the text, what it leans on."""
    asked = _Asked(rulebook)
    own: dict[str, dict[str, None]] = {}
    calls: dict[str, dict[str, None]] = {}
    base = {rule.name: rule.base for rule in rulebook.rules}
    for rule in rulebook.rules:
        parts = (rule.requires, rule.ensures, rule.body)
        own.setdefault(rule.base, {}).update(dict.fromkeys(asked.by(parts)))
        called = (base[node.rule] for node in every(parts) if isinstance(node, t.CallRule))
        calls.setdefault(rule.base, {}).update(dict.fromkeys(called))
    return {rule: Leaning(tuple(own[rule]), _called(own, rule, calls[rule])) for rule in own}


def _called(own: Mapping[str, Mapping[str, None]], rule: str, calls: Mapping[str, None]) -> tuple[str, ...]:
    found = dict.fromkeys(reading for called in calls for reading in own[called])
    return tuple(reading for reading in found if reading not in own[rule])


class _Asked:
    """Finds readings in expressions, and in what these look up."""

    def __init__(self, rulebook: t.Rulebook) -> None:
        self._functions = {each.name: each for each in rulebook.functions}
        self._params = {each.name: each for each in rulebook.params}
        self._currencies = {each.name: each for each in rulebook.currencies}

    def by(self, node: object) -> Iterator[str]:
        """The readings that are asked in a node, or in anything that it is worked out with."""
        seen: set[str] = set()
        waiting = [node]
        while waiting:
            for inner in every(waiting.pop()):
                if isinstance(inner, t.ReadingIs):
                    yield inner.reading
                for name, more in self._behind(inner):
                    if name not in seen:
                        seen.add(name)
                        waiting.append(more)

    def _behind(self, node: object) -> Iterator[tuple[str, object]]:
        """What a name stands for."""
        match node:
            case t.CallFunction(function=name) if name in self._functions:
                yield f"function {name}", self._functions[name].value
            case t.ParamRef(name=name) if name in self._params:
                yield f"param {name}", self._params[name].value
            case t.Pay(amount=amount) if isinstance(amount.type, t.TInt):
                currency = self._currencies.get(amount.type.unit)
                if currency is not None:
                    yield f"currency {currency.name}", (currency.supply, currency.unlimited_if)
