"""The tables of the parser. Lark makes them from `rules.lark` in about a second; `rules.json` keeps them.

The kept tables name the grammar they were made from. When the grammar has changed they are made afresh, so
they can be late but never wrong; `pytest tests/surface/test_grammar.py --refresh` writes them anew.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pkgutil import get_data
from typing import TYPE_CHECKING, Any

from rulespec.compiler.values import dataclass

if TYPE_CHECKING:
    from lark import Lark

START = "declaration"


@dataclass(frozen=True, slots=True)
class Rule:
    """One production. `absent[i]` parts are missing before child `i`; `plain` hands an only child up."""

    origin: str
    size: int
    action: str
    plain: bool
    absent: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """LALR(1) tables. A terminal is named by its own text (`up to`, `:=`) or in capitals (`NAME`).

    `actions[s][terminal]` is the state after a shift, or `-1 - r` to reduce by rule `r`.
    A declaration begins in state `start` and is complete in state `accept`.
    """

    grammar: str
    rules: tuple[Rule, ...]
    start: int
    accept: int
    actions: tuple[dict[str, int], ...]
    gotos: tuple[dict[str, int], ...]


@cache
def tables() -> Tables:
    """The tables of the grammar beside this file."""
    grammar = source()
    try:
        kept = loads(_beside("rules.json"))
    except (OSError, ValueError):
        return build(grammar)
    return kept if kept.grammar == _mark(grammar) else build(grammar)


def source() -> str:
    """The text of the grammar."""
    return _beside("rules.lark")


def _beside(name: str) -> str:
    data = get_data(__package__, name)
    if data is None:
        raise OSError(f"{name} cannot be read")
    return data.decode()


def build(grammar: str, *, debug: bool = False) -> Tables:
    """Makes the tables. With `debug` Lark logs conflicts, which there must not be; the tests look."""
    return _from_lark(lark_parser(grammar, debug=debug), _mark(grammar))


def lark_parser(grammar: str, *, debug: bool = False) -> Lark:
    """Lark's own parser of the grammar, of which only the tables and the rules are of use."""
    from lark import Lark
    from lark.lexer import Lexer

    class Unused(Lexer):
        """Lark wants a lexer; the tokens come from `scan.py`."""

        def __init__(self, _: Any) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any) -> Any:
            return iter(())

    return Lark(grammar, parser="lalr", lexer=Unused, start=START, keep_all_tokens=True, debug=debug)


def _from_lark(lark: Any, mark: str) -> Tables:
    table = lark.parser.parser._parse_table
    spelled = {t.name: t.pattern.value for t in lark.terminals if t.pattern is not None}
    order, number = _in_order(table)
    rules = {rule: i for i, rule in enumerate(lark.rules)}
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    origins = {rule.origin.name for rule in lark.rules}
    for state in order:
        actions.append({})
        gotos.append({})
        for name, (action, argument) in sorted(table.states[state].items()):
            if name in origins:
                gotos[-1][str(name)] = number[argument]
            else:
                shift = str(action) == "Shift"
                actions[-1][spelled.get(name, str(name))] = (
                    number[argument] if shift else -1 - rules[argument]
                )
    start, accept = number[table.start_states[START]], number[table.end_states[START]]
    return Tables(mark, tuple(map(_rule, lark.rules)), start, accept, tuple(actions), tuple(gotos))


def _in_order(table: Any) -> tuple[list[int], dict[int, int]]:
    """Lark's state numbers change from run to run; these follow from the grammar alone."""
    order = [table.start_states[START]]
    number = {state: i for i, state in enumerate(order)}
    for state in order:
        for _, (action, argument) in sorted(table.states[state].items()):
            if str(action) == "Shift" and argument not in number:
                number[argument] = len(order)
                order.append(argument)
    return order, number


def _rule(rule: Any) -> Rule:
    options = rule.options
    flags = "".join("1" if absent else "0" for absent in options.empty_indices)
    absent = tuple(len(ones) for ones in flags.split("0")) if "1" in flags else ()
    action = rule.alias or options.template_source or rule.origin.name
    return Rule(
        str(rule.origin.name), len(rule.expansion), str(action), options.expand1 and not rule.alias, absent
    )


def _mark(grammar: str) -> str:
    return sha256(grammar.encode()).hexdigest()


def dumps(tables: Tables) -> str:
    """The tables as JSON, one state a line."""
    rules = [[r.origin, r.size, r.action, int(r.plain), list(r.absent)] for r in tables.rules]
    head = {"grammar": tables.grammar, "start": tables.start, "accept": tables.accept}
    lines = [json.dumps(head), json.dumps(rules)]
    lines += [
        json.dumps(row, separators=(",", ":")) for row in zip(tables.actions, tables.gotos, strict=True)
    ]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def loads(text: str) -> Tables:
    """The inverse of `dumps`."""
    head, rules, *rows = json.loads(text)
    made = tuple(
        Rule(origin, size, action, bool(plain), tuple(absent))
        for origin, size, action, plain, absent in rules
    )
    actions, gotos = zip(*rows, strict=True)
    return Tables(head["grammar"], made, head["start"], head["accept"], actions, gotos)
