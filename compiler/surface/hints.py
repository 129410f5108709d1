"""Common mistakes, each with a code and advice of its own.

A hint looks at one trouble and says what is wrong, or None. They are asked in the order in which they stand
here.
"""

from __future__ import annotations

from collections.abc import Callable

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.surface.foreign import foreign
from rulespec.compiler.surface.keywords import RESERVED
from rulespec.compiler.surface.trouble import STATEMENTS, VALUES, Diagnosis, Trouble, near, openings

Hint = Callable[[Trouble], Diagnosis | None]
HINTS: list[Hint] = []

_COMPARES = frozenset({"=", "!=", "<", "<=", ">", ">=", "in"})
CONTINUES = frozenset(
    {"and", "or", "implies", "+", "*", "=", ".", "union", "minus", "intersect", "where", "div"}
)
_ALONE = {
    "break": "to leave a loop, write `stop`",
    "continue": "put the rest of the loop under an `if`",
    "pass": "to do nothing, write `nothing`",
    "end": "a block ends with its indentation",
}
_BELONGS = {
    "keeps": "`keeps` stands first in a loop",
    "decreasing": "`decreasing` stands first in a `while` or `repeat`",
    "requires": "`requires` stands first in a rule",
    "ensures": "`ensures` stands first in a rule",
    "given": "`given:` stands in an example",
    "then": "`then:` stands in an example",
    "per": "`per player:` stands in `state:`",
    "columns": "`columns` stands in a table",
    "assumed": "`assumed` stands in an `enum` or a `table`, or after the value of a `param`",
}


def _hint(hint: Hint) -> Hint:
    HINTS.append(hint)
    return hint


@_hint
def _too_deep(t: Trouble) -> Diagnosis | None:
    if not t.expected:
        help = ("name the inner parts with `let`, or make a `function` or a `rule` of them",)
        return Diagnosis("R0121", "this is nested too deep to be read", help)
    return None


_hint(foreign)


# --- lines that begin wrongly ------------------------------------------------------------------------------


@_hint
def _else_if(t: Trouble) -> Diagnosis | None:
    if t.first in ("elif", "elsif", "elseif") and t.at <= 1:
        place = t.line.tokens[0].span
        return Diagnosis("R0132", f"`{t.first}` is not of this language", ("write `else if`",), place)
    return None


@_hint
def _else_alone(t: Trouble) -> Diagnosis | None:
    if t.at == 0 and t.first == "else":
        help = ("`else` has the indentation of its `if`, and only the lines of the `if` stand between",)
        return Diagnosis("R0133", "this `else` belongs to no `if`", help)
    return None


@_hint
def _continued(t: Trouble) -> Diagnosis | None:
    if t.at == 0 and t.found in CONTINUES:
        help = ("put the whole expression in brackets: inside them it may go on for several lines",)
        return Diagnosis("R0134", f"a line cannot begin with `{t.found}`", help)
    return None


@_hint
def _beginning(t: Trouble) -> Diagnosis | None:
    """A line at the left margin that is no declaration."""
    if not t.begins:
        return None
    message = f"`{t.found}` begins no declaration"
    guess = near(t.found, t.expected)
    if t.found in STATEMENTS:
        return Diagnosis("R0135", message, ("a statement belongs in a rule, indented under its head",))
    if guess:
        return Diagnosis("R0136", message, _did(guess))
    help = ("declarations begin with `rule`, `function`, `enum`, `param`, `state` and the like",)
    return Diagnosis("R0135", message, help)


@_hint
def _declared_inside(t: Trouble) -> Diagnosis | None:
    inside = openings() - {"when", "players", "reading", "variant", "state", "game"}
    if t.first in inside and t.at == 1 and t.understood("NAME") and t.kind in ("WORD", "STRING"):
        message = f"`{t.first}` cannot be declared inside another declaration"
        return Diagnosis("R0137", message, ("let it begin at the left margin",), t.line.tokens[0].span)
    return None


@_hint
def _out_of_place(t: Trouble) -> Diagnosis | None:
    if t.first in _BELONGS and t.at == 1 and t.understood("NAME") and t.found not in (":=", "+=", "-=", "="):
        help = (_BELONGS[t.first],)
        return Diagnosis("R0138", f"`{t.first}` has no place here", help, t.line.tokens[0].span)
    return None


@_hint
def _aside_of_no_kind(t: Trouble) -> Diagnosis | None:
    if t.first == "aside" and t.at == 1 and t.kind == "STRING":
        help = ('write first what these lines are, as in `aside flavor "the age" @rb(3..4)`',)
        return Diagnosis("R0130", f"expected a kind of aside, found `{t.found}`", help)
    return None


# --- signs -------------------------------------------------------------------------------------------------


@_hint
def _equals_for_change(t: Trouble) -> Diagnosis | None:
    if t.found != "=" or ":=" not in t.expected:
        return None
    target = t.first if t.at == 1 else "..."
    help = [f"write `{target} := ...` to change a variable"]
    if t.at == 1:
        help.append(f"write `let {target} = ...` to give a value a name")
    return Diagnosis("R0139", "`=` compares, it does not change a variable", tuple(help))


@_hint
def _change_for_equals(t: Trouble) -> Diagnosis | None:
    if t.found == ":=":
        help = ("write `=`",) if "=" in t.expected else ("a change is a line of its own in a rule",)
        return Diagnosis("R0140", "`:=` changes a variable, and there is none here", help)
    return None


@_hint
def _chained(t: Trouble) -> Diagnosis | None:
    earlier = [token for token in t.before if token.kind in _COMPARES]
    if t.found in _COMPARES and "and" in t.expected and earlier:
        help = ("join two comparisons with `and`, or write `x in a..b`",)
        label = Label(earlier[-1].span, "the first comparison")
        return Diagnosis("R0141", "comparisons do not follow one another", help, labels=(label,))
    return None


@_hint
def _is(t: Trouble) -> Diagnosis | None:
    if t.understood("is some"):
        help = ("give the value a name: `x is some y`",)
        return Diagnosis("R0142", "`is some` is followed by a name for the value", help)
    if t.found != "is":
        return None
    negated = t.text(t.at + 1) == "not" and t.text(t.at + 2) == "none"
    if negated:
        help = ("write `x is some y`, or `not (x is none)`",)
    else:
        help = ("to compare, write `=`; to ask for the meaning of a reading, `reading r is m`",)
    return Diagnosis("R0142", "`is` is followed by `some` and a name, or by `none`", help)


@_hint
def _for_of(t: Trouble) -> Diagnosis | None:
    if t.expected == {"in"} and t.last is not None and len(t.before) > 1:
        word, name = t.before[-2].text, t.last.text
        help = (f"write `{name} in ...`" if word == "," else f"write `{word} {name} in ...`",)
        found = f"found `{t.found}`" if t.found else "but the line ends"
        return Diagnosis("R0143", f"expected `in` after `{name}`, {found}", help)
    return None


@_hint
def _several(t: Trouble) -> Diagnosis | None:
    if t.found == "," and t.first in ("return", "let"):
        help = (f"put them in brackets: `{t.first} (a, b)`",)
        return Diagnosis("R0144", "several values stand in brackets", help)
    return None


# --- words -------------------------------------------------------------------------------------------------


@_hint
def _reserved(t: Trouble) -> Diagnosis | None:
    if t.found in RESERVED and "NAME" in t.expected and "NUMBER" not in t.expected:
        help = (f"take a longer name, such as `{t.found}_value`",)
        return Diagnosis("R0145", f"`{t.found}` is a word of the language and cannot be a name", help)
    return None


@_hint
def _misspelt(t: Trouble) -> Diagnosis | None:
    """A word where a keyword was expected, or a name just before that is nearly one."""
    if t.kind == "WORD":
        guess = near(t.found, t.expected - VALUES)
        if guess:
            return Diagnosis("R0136", f"`{t.found}` has no meaning here", _did(guess))
    if t.at != 1 or t.last is None or t.last.kind != "NAME" or t.found in ("(", ":=", ".", "["):
        return None
    known = (
        STATEMENTS if ":=" in t.expected or t.found == ":" else frozenset({"requires", "ensures", "keeps"})
    )
    guess = near(t.last.text, known)
    if guess:
        return Diagnosis("R0136", f"`{t.last.text}` begins no statement", _did(guess), t.last.span)
    return None


def _did(guess: str) -> tuple[str, ...]:
    return (f"did you mean `{guess}`?",)


@_hint
def _call(t: Trouble) -> Diagnosis | None:
    if t.at == 1 and not t.found and t.understood("NAME") and ":=" in t.expected:
        help = (_ALONE.get(t.first) or f"to carry out a rule, write `{t.first}()`",)
        return Diagnosis("R0146", f"`{t.first}` alone does nothing", help, t.line.tokens[0].span)
    return None


@_hint
def _text(t: Trouble) -> Diagnosis | None:
    if t.expected == {"STRING"} and t.found:
        return Diagnosis(
            "R0147", f"expected text in double quotes, found `{t.found}`", (f'write `"{t.found}"`',)
        )
    return None


# --- heads -------------------------------------------------------------------------------------------------


@_hint
def _colon(t: Trouble) -> Diagnosis | None:
    if t.found or ":" not in t.expected:
        return None
    help = ("write `:` at the end of the line, and its lines indented below",)
    return Diagnosis("R0148", f"`:` is missing after `{t.line.tokens[-1].text}`", help)


@_hint
def _colon_between(t: Trouble) -> Diagnosis | None:
    """`param x Int` and the like."""
    if t.last is None or t.last.kind != "NAME" or t.kind != "WORD" or ":" not in t.expected:
        return None
    if t.first == "param" or "private" in t.expected:
        return Diagnosis("R0148", f"`:` is missing between `{t.last.text}` and `{t.found}`")
    return None


@_hint
def _bound(t: Trouble) -> Diagnosis | None:
    if t.first == "bound" and t.found in _COMPARES and "in" in t.expected:
        help = ("write `in a..b` with both ends; for one end write an `invariant`",)
        return Diagnosis("R0152", "a bound is a range", help)
    return None


@_hint
def _beside(t: Trouble) -> Diagnosis | None:
    if t.understood(":") and t.expected == {"NEWLINE"}:
        help = ("begin a new line after `:`, indented by four spaces more",)
        return Diagnosis("R0149", "what belongs to this line does not stand beside it", help)
    return None


@_hint
def _type(t: Trouble) -> Diagnosis | None:
    """A parameter, a component of a record or an option's parameter without its type."""
    if t.last is not None and t.last.kind == "NAME" and t.expected == {":"}:
        name = t.last.text
        return Diagnosis("R0150", f"the type of `{name}` is missing", (f"write `{name}: T`",), t.last.span)
    return None


@_hint
def _order(t: Trouble) -> Diagnosis | None:
    if t.kind == "STRING" and t.understood("CITATION") and "CITATION" in t.expected:
        return Diagnosis("R0151", "the title stands before the citation", ("write the text first, then `@`",))
    if t.found == "where" and any(token.kind == "order by" for token in t.before):
        return Diagnosis(
            "R0151", "`where` stands before `order by`", ("write `for x in D where W order by K:`",)
        )
    return None
