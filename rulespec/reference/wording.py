"""The rulebook's own words for what origins point at: the text of a place, and the statement there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rulespec.compiler.core.survey import changed, nodes, root
from rulespec.compiler.spans import NOWHERE, Span
from rulespec.compiler.typed import tree as t

_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))#.*$")
MOST_TOLD = 150  # letters of what happens in one go
MOST_LETTERS = 300  # of anything else
_OPENING, _CLOSING = "([{", ")]}"


class Wording:
    """What stands where, in the texts of one rulebook and the modules that it uses."""

    def __init__(self, rulebook: t.Rulebook, sources: Mapping[str, str]) -> None:
        self.rulebook = rulebook
        self._lines = {file: text.splitlines() for file, text in sources.items()}
        self._statements: dict[Span, t.Statement] = {}
        self._options: dict[Span, t.Option] = {}
        self._shown: dict[Span, Span] = {}
        for rule in rulebook.rules:
            self._keep(rule.body, None)

    def _keep(self, body: Iterable[t.Statement], within: Span | None) -> None:
        """`within`: the statement around these in which nobody is asked and no rule is called."""
        for s in body:
            self._statements.setdefault(s.span, s)
            quiet = within is None and _happens_at_once(s)
            inside = s.span if quiet else within
            if _changes_state(s):
                self._shown.setdefault(s.span, within or s.span)
            match s:
                case t.For() | t.While():
                    self._keep(s.body, inside)
                case t.If():
                    self._keep((*s.then, *s.other), inside)
                case t.Choose() | t.AtOnce():
                    for option in s.options:
                        self._options.setdefault(option.span, option)
                        self._keep(option.body, None)

    def statement(self, span: Span) -> t.Statement | None:
        return self._statements.get(span)

    def option(self, span: Span) -> t.Option | None:
        return self._options.get(span)

    def happens(self, span: Span) -> Span:
        """The place of what happens in a statement, NOWHERE if it changes nothing on the table.

        A loop or condition that is gone through at once happens as a whole.
        """
        return self._shown.get(span, NOWHERE)

    def told(self, span: Span) -> str:
        """What happens there, in rules text in one line; of much only how it begins."""
        statement = self.statement(span)
        found = self.text(span) if statement is None else self._in_one_line(statement)
        return found if len(found) <= MOST_TOLD else f"{self.header(span)}: …"

    def _in_one_line(self, s: t.Statement) -> str:
        match s:
            case t.For() | t.While():
                return f"{self.header(s.span)}: {self._row(s.body)}"
            case t.If() if s.other:
                return f"{self.header(s.span)}: {self._row(s.then)}; else: {self._row(s.other)}"
            case t.If():
                return f"{self.header(s.span)}: {self._row(s.then)}"
        return self.text(s.span)

    def _row(self, body: Iterable[t.Statement]) -> str:
        return "; ".join(map(self._in_one_line, body))

    def text(self, span: Span) -> str:
        """What stands there, in one line, without comments."""
        return short(_COMMENT.sub("", self._slice(span)))

    def header(self, span: Span) -> str:
        """The first line of a statement that has others inside, without its colon."""
        text = _COMMENT.sub("", self._slice(span))
        depth = 0
        for place, mark in enumerate(text):
            depth += (mark in _OPENING) - (mark in _CLOSING)
            if mark == ":" and depth == 0 and not text[place + 1 :].partition("\n")[0].strip():
                text = text[:place]
                break
        return short(text)

    def _slice(self, span: Span) -> str:
        lines = self._lines.get(span.file, [])[max(0, span.line - 1) : span.end_line]
        if span == NOWHERE or not lines:
            return ""
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)


def short(text: str) -> str:
    """In one line, and of a very long text the beginning: it may come in many boxes."""
    line = " ".join(text.split())
    return line if len(line) <= MOST_LETTERS else f"{line[: MOST_LETTERS - 1]}…"


def _happens_at_once(s: t.Statement) -> bool:
    """Whether this has other statements inside, and is neither a point to wait at nor settled before play."""
    if not isinstance(s, t.For | t.If | t.While):
        return False
    if isinstance(s, t.If) and any(isinstance(n, t.ReadingIs | t.VariantOn) for n in nodes(s.condition)):
        return False
    waiting = t.Choose | t.AtOnce | t.CallRule | t.Draw | t.Random
    return not any(isinstance(node, waiting) for node in nodes(s))


def _changes_state(s: t.Statement) -> bool:
    if isinstance(s, t.Draw | t.Random | t.Choose | t.AtOnce | t.For | t.Let | t.CallRule):
        return False
    return any(isinstance(root(target), t.StateRef) for target in changed(s))
