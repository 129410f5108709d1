"""Words and forms of other languages, and what this one says instead."""

from __future__ import annotations

import re

from rulespec.compiler.spans import Span
from rulespec.compiler.surface.trouble import Diagnosis, Trouble

_QUANTIFIERS = {"forall": "all", "every": "all", "exists": "any", "exist": "any"}
_CITED = "it stands at the end of a head, or of the line of a param, a setting or a variable"

# What is wrong, what to write instead, and where if not where the trouble is.
Found = tuple[str, str, Span | None]


def foreign(t: Trouble) -> Diagnosis | None:
    """What is meant by a form that other languages have."""
    if t.found == "-" and t.text(t.at + 1) == "-":
        return Diagnosis("R0124", "`--` does not start a comment", ("a comment starts with `#`",))
    if t.found == "when" and t.understood("STRING") and ":" in t.expected:
        return Diagnosis("R0151", "`when` stands before the text", ("write the condition, then the text",))
    found = _loop(t) or _chance(t) or _choice(t) or _other(t)
    return Diagnosis("R0153", found[0], (found[1],), found[2]) if found else None


def _loop(t: Trouble) -> Found | None:
    """Ways to go through something."""
    if t.last is None:
        return None
    last, before = t.last.text, [token.text for token in t.before]
    if last == "each" and t.expected == {"in"} and t.kind == "WORD":
        return "`each` is no word of this language", f"write `for {t.found} in ...`", t.last.span
    if before[-3:-1] == ["count", "("] and t.expected == {"in"}:
        help = f"`size({last})` says how many there are, `count(x in {last} where ...)` how many of them fit"
        return "`count` goes through something", help, None
    if last in ("any", "all") and t.found == "(":
        return f"`{last}` takes no brackets", f"write `{last} x in D: T`", None
    if last in _QUANTIFIERS and t.kind == "WORD":
        help = f"write `{_QUANTIFIERS[last]} x in D: T`"
        return f"`{last}` is no word of this language", help, t.last.span
    if t.found == "for" and "]" in t.expected:
        help = "`sum`, `min` and `max` go through something without brackets of a list; `{x in D}` is a set"
        return "a list is written out", help, None
    if t.found == "if" and "where" in t.expected:
        return "what is left out is said by `where`", "write `where` for `if`", None
    return None


def _chance(t: Trouble) -> Found | None:
    if t.last is None:
        return None
    last = t.last.text
    if t.kind == "DICE" and last == "(":
        return "dice stand in no brackets", f"write `roll {t.found}`", None
    if last == "roll" and re.fullmatch(r"[dD][0-9]{1,4}", t.found):
        return "it is not said how many dice", f"write `roll 1{t.found.lower()}`", None
    if last == "random" and t.kind == "NUMBER":
        return "what chance decides for has a name", "write `random x in ...`", None
    return None


def _choice(t: Trouble) -> Found | None:
    if t.found == "if" and "when" in t.expected and not t.begins:
        return "an option is guarded by `when`", "write `when` for `if`", None
    if t.found == "once" and t.last is not None and t.last.text == "at":
        return "each of the players needs a name", "write `all players p at once:`", t.last.span
    return None


def _other(t: Trouble) -> Found | None:
    if t.kind == "CITATION" and "CITATION" not in t.expected and "NEWLINE" in t.expected:
        return "a citation has no place here", _CITED, None
    return None
