"""Fenced blocks that Material cannot highlight by itself: rules, and Markdown with rules in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pygments import highlight
from pygments.formatters import HtmlFormatter

from rulespec.lexer import RulesLexer
from rulespec.site.page import text

_FENCE = re.compile(
    r'^(?P<fence>`{3,}|~{3,})(?P<language>\w*)(?: title="(?P<title>[^"]*)")?[^\n]*\n'
    r"(?P<body>.*?)^(?P=fence)[ \t]*$",
    re.M | re.S,
)
_LINES: HtmlFormatter[str] = HtmlFormatter(nowrap=True)


def parts(written: str) -> Iterator[tuple[str, re.Match[str] | None]]:
    """A Markdown text in pieces; a fenced block comes with the match of its parts (`language title body`)."""
    at = 0
    for fence in _FENCE.finditer(written):
        yield written[at : fence.start()], None
        yield fence[0], fence
        at = fence.end()
    yield written[at:], None


def shown(fence: re.Match[str]) -> str | None:
    """A block of rules or of Markdown as HTML, with the look of Material's own; None for any other."""
    if fence["language"] == "rules":
        inside = _rules(fence["body"])
    elif fence["language"] == "markdown":
        inside = "".join(_in_markdown(fence["body"]))
    else:
        return None
    title = f'<span class="filename">{text(fence["title"])}</span>' if fence["title"] else ""
    return f'<div class="highlight">{title}<pre><span></span><code>{inside}</code></pre></div>'


def _in_markdown(written: str) -> Iterator[str]:
    for piece, fence in parts(written):
        if fence is None or fence["language"] != "rules":
            yield text(piece)
        else:
            first, last = piece.split("\n", 1)[0], piece.rsplit("\n", 1)[1]
            yield f"{text(first)}\n{_rules(fence['body'])}{text(last)}"


def _rules(written: str) -> str:
    return str(highlight(written, RulesLexer(stripnl=False), _LINES))
