"""Random rules texts, made from the shipped grammar, in all kinds of layout."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from rulespec.compiler.surface.grammar import START, lark_parser, source

SPELLED = {
    "NAME": ("a", "b", "c1", "Color", "p", "q_2"),
    "NUMBER": ("0", "1", "42"),
    "DICE": ("2d6",),
    "CITATION": ("@rb", "@rb(3)", "@rb( 3 .. 5,7)"),
    "STRING": ('""', '"x"', '"a \\"b\\" \\\\ # ü"'),
}
OPENS, CLOSES = ("(", "[", "{"), (")", "]", "}")

Grammar = dict[str, list[tuple[str, ...]]]


@cache
def grammar() -> Grammar:
    """The productions of each rule, but for those of lines that could not be read."""
    parser = lark_parser(source())
    spelled = {t.name: str(t.pattern.value) for t in parser.terminals if t.name not in SPELLED}
    found: Grammar = {}
    for rule in parser.rules:
        parts = tuple(
            s.name if not s.is_term else spelled.get(s.name, s.name).upper() for s in rule.expansion
        )
        if "bad" not in parts and "BAD" not in parts:
            found.setdefault(str(rule.origin.name), []).append(tuple(map(str, parts)))
    return found


@cache
def height() -> dict[str, int]:
    """How deep the smallest tree of each rule is; of terminals, 0."""
    known: dict[str, int] = {}
    while len(known) < len(grammar()):
        for name, productions in grammar().items():
            ready = [p for p in productions if all(s.isupper() or not _rule(s) or s in known for s in p)]
            if ready and name not in known:
                known[name] = 1 + min(_tall(p, known) for p in ready)
    return known


def _rule(symbol: str) -> bool:
    return symbol in grammar()


def _tall(production: tuple[str, ...], known: dict[str, int]) -> int:
    return max((known[s] for s in production if _rule(s)), default=0)


def words(random: Random, deepest: int = 16) -> list[str]:
    """The terminals of one random declaration."""
    return list(_derived(START, deepest, random))


def _derived(symbol: str, left: int, random: Random) -> Iterator[str]:
    if not _rule(symbol):
        yield random.choice(SPELLED.get(symbol, (symbol if symbol in LAYOUT else symbol.lower(),)))
        return
    productions = grammar()[symbol]
    fitting = [p for p in productions if _tall(p, height()) < left] or [
        min(productions, key=lambda p: _tall(p, height()))
    ]
    for part in random.choice(fitting):
        yield from _derived(part, left - 1, random)


LAYOUT = ("NEWLINE", "INDENT", "DEDENT")


def laid_out(terminals: list[str], random: Random) -> str:
    """The terminals as text with random spaces, empty lines, comments, and breaks inside brackets."""
    levels = [0]
    text, before, depth = "", "", 0
    for word in terminals:
        if word == "INDENT":
            levels.append(levels[-1] + random.randint(1, 5))
        elif word == "DEDENT":
            levels.pop()
        elif word == "NEWLINE":
            text += random.choice(("\n", "\n", "\n\n\n", "  \n", " # after\n", "# close\n"))
            before = ""
        else:
            if not before:
                text += random.choice(("", "", "# alone\n", " " * random.randint(0, 9) + "# before\n\n"))
                text += " " * levels[-1]
            elif depth and random.random() < 0.15:
                note = random.choice(("", " # inside", "\n# beside"))
                text += note + "\n" + " " * (levels[-1] + random.randint(1, 9))
            else:
                text += " " * random.randint(1, 3) if needs_space(before, word) else random.choice(("", " "))
            depth += (word in OPENS) - (word in CLOSES)
            text += word
            before = word
    return text


def needs_space(before: str, word: str) -> bool:
    """Brackets and commas may touch their neighbors, but `move[...]` would be a part of `move`."""
    if word in OPENS:
        return before.isalpha() and before not in SPELLED["NAME"]
    return word not in (*CLOSES, ",") and before not in (*OPENS, ",")
