"""Says why a line cannot be read. Common mistakes have a code and advice of their own; the rest is what was expected.

Each hint looks at one trouble and gives a diagnosis or None; the first that knows better wins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Span
from rulespec.compiler.surface.findings import Findings
from rulespec.compiler.surface.grammar import tables
from rulespec.compiler.surface.keywords import RESERVED
from rulespec.compiler.surface.layout import Line
from rulespec.compiler.surface.scan import Tok


@dataclass(frozen=True, slots=True)
class Trouble:
    """Token number `at` of `line` (or its end) cannot stand there; `before` were understood, `expected` could stand."""

    line: Line
    at: int
    before: tuple[Tok, ...]
    expected: frozenset[str]

    @property
    def found(self) -> str:
        """The text of the offending token, "" at the end of the line."""
        return self.line.tokens[self.at].text if self.at < len(self.line.tokens) else ""

    @property
    def place(self) -> Span:
        if self.at < len(self.line.tokens):
            return self.line.tokens[self.at].span
        end = self.line.tokens[-1].span
        return Span(end.file, end.end_line, end.end_column, end.end_line, end.end_column + 1)

    def text(self, at: int) -> str:
        return self.line.tokens[at].text if 0 <= at < len(self.line.tokens) else ""

    @property
    def first(self) -> str:
        return self.line.tokens[0].text

    @property
    def starts(self) -> bool:
        """Whether a declaration was expected."""
        return self.at == 0 and "game" in self.expected and "rule" in self.expected


@dataclass(frozen=True, slots=True)
class Diagnosis:
    code: str
    message: str
    help: tuple[str, ...] = ()
    place: Span | None = None
    labels: tuple[Label, ...] = ()


def explain(trouble: Trouble, found: Findings) -> None:
    """Adds the one diagnostic for this trouble."""
    for hint in _HINTS:
        diagnosis = hint(trouble)
        if diagnosis is not None:
            break
    else:
        diagnosis = _plain(trouble)
    place = diagnosis.place or trouble.place
    found.add(diagnosis.code, diagnosis.message, place, *diagnosis.labels, help=diagnosis.help)


# --- what was expected, in words ---------------------------------------------------------------------------

_NAMED = {
    "NAME": "a name", "NUMBER": "a number", "STRING": "text in double quotes", "CITATION": "a citation",
    "NEWLINE": "the end of the line", "DICE": "dice such as `2d6`", "INDENT": "an indented line",
}  # fmt: skip
_INFIX = frozenset(
    "+ - * div mod union minus intersect = != < <= > >= in and or implies if . ( [ ..".split()
) | {"not in", "is some", "is none"}  # fmt: skip
_STATEMENT = frozenset({"let", "move", "repeat"})
_NEVER = frozenset({"BAD", "DEDENT"})


def _plain(trouble: Trouble) -> Diagnosis:
    what = f"`{trouble.found}`" if trouble.found else "the end of the line"
    wanted = _wanted(trouble.expected)
    if trouble.found:
        return Diagnosis("R0130", f"expected {wanted}, found {what}")
    return Diagnosis("R0138", f"expected {wanted}, but the line ends")


def _wanted(expected: frozenset[str]) -> str:
    """At most four things, the most telling first."""
    left = set(expected) - _NEVER
    said: list[str] = []
    if {"game", "rule"} <= left:
        said, left = ["a declaration"], set()
    elif _STATEMENT <= left:
        said, left = ["a statement"], set()
    elif {"NAME", "NUMBER", "{"} <= left:
        said = ["a value"]
        left -= set(_values())
    elif {"NAME", "("} <= left and "NUMBER" not in left and "+" not in left:
        said, left = ["a type"], left - {"NAME", "("}
    operators = left & _INFIX
    if len(operators) > 3:
        left -= operators
        operators = set()
    words = sorted(left, key=lambda kind: (kind not in _NAMED, kind == "NEWLINE", not kind[0].isalpha(), kind))
    said += [_NAMED.get(kind, f"`{kind}`") for kind in words]
    if not said:
        said = ["an operator"]
    if len(said) > 4:
        return ", ".join(said[:3]) + " or something else"
    return said[0] if len(said) == 1 else ", ".join(said[:-1]) + " or " + said[-1]


def _values() -> frozenset[str]:
    """All that can begin a value."""
    kept = tables()
    return frozenset(kept.actions[kept.starts["expr"]])


# --- hints -------------------------------------------------------------------------------------------------

Hint = Callable[[Trouble], Diagnosis | None]
_HINTS: list[Hint] = []


def _hint(hint: Hint) -> Hint:
    _HINTS.append(hint)
    return hint


@_hint
def _else_if(t: Trouble) -> Diagnosis | None:
    for at, token in enumerate(t.line.tokens[: t.at + 1]):
        if at == 0 and token.text in ("elif", "elsif", "elseif"):
            return Diagnosis("R0133", f"`{token.text}` is not of this language", ("write `else if`",), token.span)
    return None


@_hint
def _else_alone(t: Trouble) -> Diagnosis | None:
    if t.at == 0 and t.first == "else":
        help = ("`else` has the indentation of its `if`, and only the lines of the `if` stand between",)
        return Diagnosis("R0154", "this `else` belongs to no `if`", help)
    return None


@_hint
def _assignment(t: Trouble) -> Diagnosis | None:
    """`x = 5` as a statement."""
    if t.found != "=" or ":=" not in t.expected:
        return None
    target = " ".join(token.text for token in t.line.tokens[: t.at]) if t.at == 1 else "..."
    help = (f"write `{target} := ...` to change a variable, or `let {target} = ...` for a new name",)
    return Diagnosis("R0131", "`=` compares, it does not change a variable", help)


@_hint
def _equality(t: Trouble) -> Diagnosis | None:
    """`:=` where only `=` can stand."""
    if t.found != ":=":
        return None
    if t.first == "let" or "=" in t.expected:
        return Diagnosis("R0140", "`:=` changes a variable, and there is none here", ("write `=`",))
    return None


@_hint
def _chained(t: Trouble) -> Diagnosis | None:
    signs = ("=", "!=", "<", "<=", ">", ">=", "in")
    if t.found not in signs or "and" not in t.expected:
        return None
    earlier = [token for token in t.before if token.kind in signs]
    if not earlier:
        return None
    help = ("join two comparisons with `and`, or write `x in a..b`",)
    label = Label(earlier[-1].span, "the first comparison")
    return Diagnosis("R0139", "comparisons do not follow one another", help, None, (label,))


@_hint
def _is_not(t: Trouble) -> Diagnosis | None:
    if t.text(t.at) == "is" or t.text(t.at - 1) == "is":
        return Diagnosis("R0143", "`is` is followed by `some` and a name, or by `none`", _is_help(t))
    return None


def _is_help(t: Trouble) -> tuple[str, ...]:
    rest = " ".join(token.text for token in t.line.tokens[t.at : t.at + 3])
    if "not none" in rest:
        return ("write `x is some y`, or `not (x is none)`",)
    return ("to compare, write `=`",)


@_hint
def _some_without_name(t: Trouble) -> Diagnosis | None:
    if t.before and t.before[-1].kind == "is some":
        help = ("name the value: `x is some y`",)
        return Diagnosis("R0143", "`is some` is followed by a name for the value", help)
    return None


@_hint
def _for_of(t: Trouble) -> Diagnosis | None:
    if "in" in t.expected and t.found in ("of", "from", "each", "over", ":=", "=") and len(t.before) >= 2:
        if t.before[-2].kind in ("for", "all", "any", "first", "random", ","):
            name = t.before[-1].text
            help = (f"write `{t.before[-2].text} {name} in ...`",)
            return Diagnosis("R0134", f"expected `in` after `{name}`, found `{t.found}`", help)
    return None


@_hint
def _continued(t: Trouble) -> Diagnosis | None:
    """A line that begins with an operator, or the rest of an indented expression."""
    first = t.line.tokens[0].kind if t.at else ""
    if t.at == 0 and t.found in ("and", "or", "implies", "+", "*", "=", ".", "union", "minus", "if", "where", "div"):
        if t.found != "if":
            first = t.found
    if not first or t.at:
        return None
    help = ("put the whole expression in brackets: inside them it may go on for several lines",)
    return Diagnosis("R0147", f"a line cannot begin with `{t.found}`", help)


@_hint
def _reserved(t: Trouble) -> Diagnosis | None:
    if t.found in RESERVED and "NAME" in t.expected and "NUMBER" not in t.expected:
        help = (f"take another name, such as `{t.found}_` with a word after it",)
        return Diagnosis("R0135", f"`{t.found}` is a word of the language and cannot be a name", help)
    return None


@_hint
def _beginning(t: Trouble) -> Diagnosis | None:
    """A line at the left margin that is no declaration."""
    if not t.starts:
        return None
    near = _near(t.found, t.expected)
    if near:
        help = (f"did you mean `{near}`?",)
        return Diagnosis("R0136", f"`{t.found}` begins no declaration", help)
    help = ("declarations begin with `rule`, `function`, `enum`, `param`, `state` and the like",)
    if t.found in _statements():
        help = ("a statement belongs in a rule, indented under its head",)
    return Diagnosis("R0137", f"`{t.found}` begins no declaration", help)


def _statements() -> frozenset[str]:
    return frozenset(
        "let var add append remove move draw pay score if else for while repeat stop return assert nothing".split()
    )  # fmt: skip


@_hint
def _declaration_inside(t: Trouble) -> Diagnosis | None:
    starts = tables().actions[tables().starts["declaration"]]
    if t.before and t.before[0].kind == "NAME" and t.first in starts and t.at == 1 and not t.starts:
        if t.first not in ("when", "players", "reading", "variant"):
            help = ("let it begin at the left margin",)
            place = t.line.tokens[0].span
            return Diagnosis("R0158", f"`{t.first}` cannot be declared inside another declaration", help, place)
    return None


@_hint
def _out_of_place(t: Trouble) -> Diagnosis | None:
    places = {
        "keeps": "`keeps` stands first in a loop",
        "decreasing": "`decreasing` stands first in a `while` or `repeat`",
        "requires": "`requires` stands first in a rule",
        "ensures": "`ensures` stands first in a rule",
        "given": "`given:` stands in an example",
        "then": "`then:` stands in an example",
        "per": "`per player:` stands in `state:`",
    }
    if t.at <= 1 and t.first in places and t.before[:1] and t.before[0].kind == "NAME" and "=" not in t.found:
        return Diagnosis("R0155", f"`{t.first}` has no place here", (places[t.first],), t.line.tokens[0].span)
    return None


@_hint
def _misspelt(t: Trouble) -> Diagnosis | None:
    """A word where a keyword was expected, or a name just before that is nearly one."""
    if t.found.isidentifier():
        near = _near(t.found, t.expected)
        if near:
            return Diagnosis("R0136", f"expected {_wanted(t.expected)}, found `{t.found}`", _did(near))
    if t.before and t.before[-1].kind == "NAME" and t.at == len(t.before):
        word = t.before[-1]
        known = _statements() | _values() if t.at == 1 else frozenset({"chooses"})
        near = _near(word.text, known) if t.at == 1 else None
        if near and not (t.found in ("(", ":=", ".") or t.found == ":" == near[-1:]):
            return Diagnosis("R0136", f"`{word.text}` begins no statement", _did(near), word.span)
    return None


def _did(near: str) -> tuple[str, ...]:
    return (f"did you mean `{near}`?",)


def _near(word: str, expected: frozenset[str]) -> str | None:
    if len(word) < 2:
        return None
    known = [kind for kind in expected if kind[0].islower() and kind != word]
    from difflib import get_close_matches  # only a mistake needs it, and it is slow to load

    near = get_close_matches(word.lower(), sorted(known), 1, 0.72)
    return near[0] if near else None


@_hint
def _missing_colon(t: Trouble) -> Diagnosis | None:
    if t.found or ":" not in t.expected:
        return None
    end = t.line.tokens[-1]
    help = ("write `:` at the end of the line, and its lines indented below",)
    return Diagnosis("R0132", f"`:` is missing after `{end.text}`", help)


@_hint
def _body_beside(t: Trouble) -> Diagnosis | None:
    if t.before and t.before[-1].kind == ":" and t.expected == {"NEWLINE"}:
        help = ("begin a new line after `:`, indented by four spaces more",)
        return Diagnosis("R0153", "what belongs to this line does not stand beside it", help)
    return None


@_hint
def _no_type(t: Trouble) -> Diagnosis | None:
    if t.found in (",", ")") and ":" in t.expected and t.before and t.before[-1].kind == "NAME":
        if t.first in ("rule", "function", "record"):
            name = t.before[-1].text
            return Diagnosis("R0144", f"the type of `{name}` is missing", (f"write `{name}: T`",), t.before[-1].span)
    return None


@_hint
def _call(t: Trouble) -> Diagnosis | None:
    if t.at == 1 and not t.found and t.before[0].kind == "NAME" and ":=" in t.expected:
        name = t.before[0].text
        message = f"`{name}` alone does nothing"
        return Diagnosis("R0141", message, (f"to carry out a rule, write `{name}()`",), t.line.tokens[0].span)
    return None


@_hint
def _order_of_head(t: Trouble) -> Diagnosis | None:
    if t.line.tokens[t.at : t.at + 1] and t.line.tokens[t.at].kind == "STRING" and "CITATION" in t.expected:
        if t.before and t.before[-1].kind == "CITATION":
            return Diagnosis("R0145", "the title stands before the citation", ("write the text first, then `@`",))
    return None


@_hint
def _late_where(t: Trouble) -> Diagnosis | None:
    if t.found == "where" and any(token.kind == "order by" for token in t.before):
        return Diagnosis("R0145", "`where` stands before `order by`", ("write `for x in D where W order by K:`",))
    return None


@_hint
def _tuple(t: Trouble) -> Diagnosis | None:
    if t.found == "," and t.first in ("return", "let") and "NEWLINE" in t.expected | {"NEWLINE"}:
        help = (f"put them in brackets: `{t.first} (a, b)`",)
        return Diagnosis("R0151", "several values stand in brackets", help)
    return None


@_hint
def _text_wanted(t: Trouble) -> Diagnosis | None:
    if t.expected == {"STRING"} and t.found:
        return Diagnosis("R0152", f"expected text in double quotes, found `{t.found}`", (f'write `"{t.found}"`',))
    return None
