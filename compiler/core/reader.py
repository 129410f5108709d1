"""One logical line of core's text form, read from left to right: names, numbers, origins, expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rulespec.compiler.core.tree import (
    And,
    Arith,
    Compare,
    Const,
    Expr,
    Fold,
    Ite,
    Lookup,
    Not,
    Or,
    Origin,
    Read,
    Truth,
    Var,
)
from rulespec.compiler.core.words import KEYWORDS, CoreTextError, Line, Token
from rulespec.compiler.spans import NOWHERE, Citation, Span

# Deeper nesting than the compiler makes; keeps hostile text from exhausting the stack.
DEEPEST = 80

# How tightly operators bind, as `print` has it.
_OR, _AND, _NOT, _COMPARE, _ADD, _MULTIPLY = range(6)
_LEVELS = {
    "or": _OR,
    "and": _AND,
    **dict.fromkeys(("=", "!=", "<", "<=", ">", ">="), _COMPARE),
    **dict.fromkeys(("+", "-"), _ADD),
    **dict.fromkeys(("*", "div", "mod"), _MULTIPLY),
}
_FOLDS = ("sum", "count", "min", "max", "all", "any")
_END = Token("end", "the end of the line")

T = TypeVar("T")


class Reader:
    def __init__(self, line: Line, files: Sequence[str]) -> None:
        self.line = line
        self.tokens = (*line.tokens, _END)
        self.files = files
        self.at = 0
        self.depth = 0

    def fail(self, text: str) -> CoreTextError:
        return CoreTextError(self.line.number, text)

    # --- tokens ---------------------------------------------------------------------------------------------

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def sees(self, *texts: str) -> bool:
        """Whether a bare word or mark with one of these texts comes next."""
        token = self.next
        return token.text in texts and token.kind in ("word", "mark")

    def take(self, *texts: str) -> str:
        """Go past such a word or mark if it comes next; "" if not."""
        token = self.next
        if token.text not in texts or token.kind not in ("word", "mark"):
            return ""
        self.at += 1
        return token.text

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise self.fail(f"expected `{text}`, found {self.next.text!r}")

    def done(self) -> None:
        if self.next is not _END:
            raise self.fail(f"{self.next.text!r} does not belong here")

    def name(self) -> str:
        token = self.next
        if token.kind == "name" or (token.kind == "word" and token.text not in KEYWORDS):
            self.at += 1
            return token.text
        raise self.fail(f"expected a name, found {token.text!r}")

    def member(self) -> str:
        if self.next.kind not in ("number", "word", "name"):
            raise self.fail(f"expected the name of a value, found {self.next.text!r}")
        self.at += 1
        return self.line.tokens[self.at - 1].text

    def word(self) -> str:
        """A name that may be a keyword: the kinds of properties and the like."""
        if self.next.kind not in ("name", "word"):
            raise self.fail(f"expected a word, found {self.next.text!r}")
        self.at += 1
        return self.line.tokens[self.at - 1].text

    def string(self) -> str:
        if self.next.kind != "string":
            raise self.fail(f"expected a text in double quotes, found {self.next.text!r}")
        self.at += 1
        return self.line.tokens[self.at - 1].text

    def number(self) -> int:
        sign = -1 if self.take("-") else 1
        if self.next.kind != "number":
            raise self.fail(f"expected a number, found {self.next.text!r}")
        self.at += 1
        return sign * int(self.line.tokens[self.at - 1].text)

    def spread(self) -> tuple[int, int]:
        low = self.number()
        self.expect("..")
        return low, self.number()

    def list(self, item: Callable[[], T], closing: str = "") -> tuple[T, ...]:
        """Items between commas, up to and past the `closing` mark if there is one."""
        if closing and self.take(closing):
            return ()
        items = [item()]
        while self.take(","):
            items.append(item())
        if closing:
            self.expect(closing)
        return tuple(items)

    # --- where things come from -----------------------------------------------------------------------------

    def origin(self) -> Origin:
        """The rest of the line: nothing, or `;` and rule, citation and span as far as they are there."""
        if not self.take(";"):
            self.done()
            return Origin()
        rule = self.name() if self.next.kind in ("word", "name") else ""
        citation = self.citation()
        origin = Origin(self.span(), rule, citation)
        self.done()
        return origin

    def citation(self) -> Citation | None:
        if not self.take("@"):
            return None
        source = self.name()
        spread: list[tuple[int, int]] = []
        span = NOWHERE
        if self.take("("):
            while self.next.kind == "number":
                low = self.number()
                spread.append((low, self.number() if self.take("..") else low))
                self.take(",")
            span = self.span()
            self.expect(")")
        return Citation(source, tuple(spread), span)

    def span(self) -> Span:
        if self.next.kind != "span":
            return NOWHERE
        before, _, after = self.next.text[1:].partition("-")
        self.at += 1
        file, line, column = (int(part) for part in before.split(":"))
        end = [int(part) for part in after.split(":")]
        if file >= len(self.files):
            raise self.fail(f"there is no file {file}")
        return Span(self.files[file], line, column, end[0] if len(end) == 2 else line, end[-1])

    # --- expressions ----------------------------------------------------------------------------------------

    def expression(self) -> Expr:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fail("an expression is nested too deeply")
        result = self._operators(_OR)
        self.depth -= 1
        return result

    def _operators(self, level: int) -> Expr:
        """Operands joined by operators that bind at least as tightly as `level`."""
        negations = 0
        while level <= _NOT and self.take("not"):
            negations += 1
        if negations > DEEPEST:
            raise self.fail("an expression is nested too deeply")
        left = self._operators(_COMPARE) if negations else self._atom()
        for _ in range(negations):
            left = Not(left)
        return self._joined(left, level)

    def _joined(self, left: Expr, level: int) -> Expr:
        loosest = _MULTIPLY
        while level <= (binds := self._next_level()) <= loosest:
            operator = self.next.text
            if binds in (_OR, _AND):
                items = [left]
                while self.take(operator):
                    items.append(self._operators(binds + 1))
                left = And(tuple(items)) if binds == _AND else Or(tuple(items))
            else:
                self.at += 1
                right = self._operators(binds + 1)
                left = Compare(operator, left, right) if binds == _COMPARE else Arith(operator, left, right)
            # Comparisons do not chain: `a < b < c` is not core.
            loosest = _NOT if binds == _COMPARE else binds
        return left

    def _next_level(self) -> int:
        return _LEVELS.get(self.next.text, -1) if self.next.kind in ("word", "mark") else -1

    def _atom(self) -> Expr:
        if self.next.kind == "number" or self.sees("-"):
            return Const(self.number())
        if self.take("("):
            return self._bracket()
        if self.take("$"):
            return Var(self.name())
        if word := self.take("true", "false"):
            return Truth(word == "true")
        if word := self.take("and", "or"):
            self.expect("(")
            items = self.list(self.expression, ")")
            return And(items) if word == "and" else Or(items)
        if word := self.take(*_FOLDS):
            return self._call(word)
        called = self.name()
        if self.take("["):
            return Read(called, self.list(self.expression, "]"))
        if self.take("("):
            return Lookup(called, self.list(self.expression, ")"))
        return Read(called)

    def _bracket(self) -> Expr:
        """`(e)`, or `(if c then a else if d then b else e)`, whose chain may be long."""
        cases: list[tuple[Expr, Expr]] = []
        while self.take("if"):
            condition = self.expression()
            self.expect("then")
            cases.append((condition, self.expression()))
            self.expect("else")
        result = self.expression()
        self.expect(")")
        for condition, then in reversed(cases):
            result = Ite(condition, then, result)
        return result

    def _call(self, word: str) -> Expr:
        """`min(a, b)`, or a fold `min($x in 0..3 where W: E else D)`."""
        self.expect("(")
        after = self.line.tokens[self.at + 2 : self.at + 3]
        if not (self.sees("$") and after == (Token("word", "in"),)):
            left = self.expression()
            self.expect(",")
            right = self.expression()
            self.expect(")")
            if word not in ("min", "max"):
                raise self.fail(f"`{word}` takes a variable and a range")
            return Arith(word, left, right)
        self.expect("$")
        variable = self.name()
        self.expect("in")
        low, high = self.spread()
        where = self.expression() if self.take("where") else None
        body = self.expression() if self.take(":") else None
        default = self.expression() if self.take("else") else None
        self.expect(")")
        return Fold(word, variable, low, high, where, body, default)
